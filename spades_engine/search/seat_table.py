"""From a view to a light position that holds what the view's seat knows."""

from __future__ import annotations

from spades_engine.bidding.blind import calls_blind
from spades_engine.equity.model import Equity
from spades_engine.game import Bid, BidKind, Card, Phase, Seat, View
from spades_engine.search.table import BIDDING, DRAFTING, PLAYING, SWAPPING, Table
from spades_engine.search.terms import BLIND, CONTRACT, NIL, NO_BID, terms_of

_STAGES = {
    Phase.DRAFT: DRAFTING,
    Phase.SWAP: SWAPPING,
    Phase.BID: BIDDING,
    Phase.PLAY: PLAYING,
}
_KINDS = {BidKind.CONTRACT: CONTRACT, BidKind.NIL: NIL, BidKind.BLIND_NIL: BLIND}


def kind_of(bid: Bid | None) -> int:
    """A bid's kind as a light position has it."""
    return NO_BID if bid is None else _KINDS[bid.kind]


def seat_table(view: View, equity: Equity) -> Table:
    """The position as the seat to act knows it: its own cards, gifts its partner still holds, everything public.

    Other hands are empty, the stock holds the card drawn (if it is being looked at) and nothing else.
    """
    rules = view.rules
    seats = rules.seats
    state = view.state
    if view.turn is not view.seat:
        raise ValueError(f"it is not the turn of {view.seat.name}")
    table = Table(terms_of(rules))
    index = {seat: n for n, seat in enumerate(seats)}
    me = index[view.seat]
    table.turn = me
    stage = _STAGES.get(view.phase)
    table.stage = stage if stage is not None else DRAFTING if rules.is_drafted else BIDDING  # phase BLIND
    table.hands = [int(view.known[seat]) for seat in seats]
    table.gone[me] = int(view.discards & ~view.picked | view.thrown)
    table.played = int(view.played)
    table.voids = [int(view.void_cards[seat]) for seat in seats]
    table.kinds = [kind_of(view.bids[seat]) for seat in seats]
    table.bids = [_tricks(view.bids[seat]) for seat in seats]
    table.taken = [view.taken[seat] for seat in seats]
    table.looked = [_answered(view, seat) for seat in seats]
    table.trick = [int(card) for _, card in view.trick]
    table.trick_number = view.trick_number
    table.broken = view.broken
    first = view.first
    assert first is not None
    table.bidder = index[rules.first_bidder_of(first)]
    table.opener = index[rules.leader_of(first)]
    table.leader = index[view.leader] if view.leader is not None else table.opener
    table.swaps = [(index[seat], _receiver(view, seat, index)) for seat in state.swaps_due]
    table.count_contracts()
    table.blind_calls = [
        any(state.may_call_blind(seat) for seat in rules.seats_of(side))
        and calls_blind(rules, equity, side, view.totals, view.bags, view.hands_played, table.terms.form, table.bidder)
        for side in rules.sides
    ]
    if view.draw is not None:
        table.stock = [int(view.draw)]
    return table


def _tricks(bid: Bid | None) -> int:
    return 0 if bid is None else bid.tricks


def _answered(view: View, seat: Seat) -> bool:
    return seat in view.looked or seat in view.blind or not view.state.may_call_blind(seat)


def _receiver(view: View, seat: Seat, index: dict[Seat, int]) -> int:
    partner = view.rules.partner(seat)
    return -1 if partner is None else index[partner]


def card_mask(cards: tuple[Card | None, ...]) -> int:
    """The set of a list of cards that are all known."""
    mask = 0
    for card in cards:
        if card is not None:
            mask |= 1 << card
    return mask
