"""What the seat to act may do."""

from __future__ import annotations

from itertools import combinations

from spades_engine.game.bids import BLIND_NIL, legal_bids
from spades_engine.game.cards import EMPTY, CardSet, cards_of
from spades_engine.game.errors import Hidden
from spades_engine.game.events import PENDING, Action, BidMade, Choose, Give, Look, Play, Swap
from spades_engine.game.fields import Fields, Phase
from spades_engine.game.knowledge import is_known
from spades_engine.game.seats import Seat
from spades_engine.game.trick import legal_from


def legal_actions(state: Fields) -> tuple[Action, ...]:
    """Every action of the seat to act, not completed; empty when the table waits for the dealer or the game is over.

    Order: cards in card order; nil, then contracts upwards; look, blind nil; keep, pass; exchanges by size, then in
    card order. Raises `Hidden` if the answer depends on a hand that this state is not told.
    """
    seat, rules = state.turn, state.rules
    if seat is None:
        return ()
    match state.phase:
        case Phase.PLAY:
            return tuple([Play(seat, card) for card in cards_of(legal_cards(state))])
        case Phase.BID:
            return tuple(BidMade(seat, bid) for bid in legal_bids(rules))
        case Phase.DRAFT:
            return (Choose(seat, True, PENDING), Choose(seat, False, PENDING))
        case Phase.BLIND:
            return (Look(seat), BidMade(seat, BLIND_NIL))
        case Phase.SWAP:
            hand, size = cards_of(_known_hand(state, seat)), rules.exchange_count
            if rules.exchange == "partner":
                return tuple(Give(seat, cards) for cards in combinations(hand, size))
            return tuple(Swap(seat, cards) for n in range(size + 1) for cards in combinations(hand, n))
        case _:
            return ()


def legal_cards(state: Fields) -> CardSet:
    """The cards that the seat to act may play; empty outside phase PLAY. Raises `Hidden` like `legal_actions`."""
    seat = state.turn
    if state.phase is not Phase.PLAY or seat is None:
        return EMPTY
    led = state.trick[0][1] if state.trick else None
    return legal_from(state.rules, _known_hand(state, seat), led, state.broken, state.trick_number)


def _known_hand(state: Fields, seat: Seat) -> CardSet:
    if not is_known(state, seat):
        raise Hidden(f"the cards of {seat.name} are not known to this table")
    return state.hands[seat]
