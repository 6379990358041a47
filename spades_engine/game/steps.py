"""One function per kind of event: check it against the rules, then work it into a scratch copy of the state.

A step that is refused raises, and the scratch copy is thrown away: nothing has to be undone. The two kinds of table
share these functions. Where a seat's cards are known everything is checked; where they are hidden, all that can be
known without them: the counts, the cards that lie elsewhere, the suits shown void.
"""

from __future__ import annotations

from typing import Any

from spades_engine.game.bids import Bid, BidKind, check_bid
from spades_engine.game.cards import Card, CardSet, cards_of, format_card, in_suit
from spades_engine.game.errors import GameError, IllegalAction, WrongPhase, WrongSeat
from spades_engine.game.events import (
    PENDING,
    BidMade,
    CardList,
    Choose,
    Deal,
    Draw,
    Give,
    Look,
    Play,
    Step,
    Swap,
)
from spades_engine.game.fields import Fields, Phase, Scratch, put_count, put_set
from spades_engine.game.knowledge import (
    SUIT_NAMES,
    check_elsewhere,
    check_hidden_play,
    discard_pool,
    has_room,
    hidden_list,
    is_known,
    known_list,
)
from spades_engine.game.scoring import game_end, score_side
from spades_engine.game.seats import Seat
from spades_engine.game.trick import is_spade, legal_from, voids_shown, winner_of

HAND_SIZE = 13

_WAITS_FOR = {
    Phase.DEAL: "the next deal",
    Phase.BLIND: "look or bid blindnil",
    Phase.LOOK: "a blind caller's cards",
    Phase.DRAW: "the top card of the stock",
    Phase.DRAFT: "keep or pass",
    Phase.SWAP: "an exchange",
    Phase.BID: "a bid",
    Phase.PLAY: "a card",
}


def wrong_phase(s: Fields, what: str) -> WrongPhase:
    """The objection to an event of the wrong kind; `what` names the event."""
    if s.phase is Phase.OVER:
        return WrongPhase(f"{what}: the game is over")
    whose = f" of {s.turn.name}" if s.turn is not None else ""
    return WrongPhase(f"{what}: the table waits for {_WAITS_FOR[s.phase]}{whose}")


def _check_turn(s: Fields, seat: Seat, what: str) -> None:
    if seat is not s.turn:
        assert s.turn is not None
        raise WrongSeat(f"{what} {seat.name}: it is the turn of {s.turn.name}")


def may_call_blind(s: Fields, seat: Seat) -> bool:
    """Whether the options and the score let the seat call blind nil in the coming hand."""
    rules = s.rules
    if rules.blind_nil is None:
        return False
    own = rules.side_of(seat)
    return rules.blind_deficit == 0 or s.totals[own.other] - s.totals[own] >= rules.blind_deficit


# Forming the hands ---------------------------------------------------------------------------------------------------


def _whole_hand(s: Fields, seat: Seat, cards: CardList, what: str) -> tuple[int, CardList]:
    """The cards of a hand that is picked up: their set (empty where hidden), and the list in card order."""
    if len(cards) != HAND_SIZE:
        raise IllegalAction("wrong-count", f"{what}: a hand is {HAND_SIZE} cards, not {len(cards)}")
    if not is_known(s, seat):
        hidden_list(cards, what)
        return 0, cards
    mask, ordered = known_list(cards, what)
    check_elsewhere(s, mask, what)
    return mask, ordered


def deal(s: Scratch, event: Deal) -> Step:
    """A hand begins."""
    rules = s.rules
    if s.phase is not Phase.DEAL:
        raise wrong_phase(s, "deal")
    if event.number != s.number + 1:
        raise IllegalAction("wrong-number", f"deal {event.number}: the next hand is number {s.number + 1}")
    if event.first not in rules.seats:
        raise IllegalAction("wrong-first", f"deal: {event.first.name} is no seat of this game")
    if s.first is not None and event.first is not s.first:
        raise IllegalAction("wrong-first", f"deal: the first seat of this hand is {s.first.name}")
    lists = dict(event.hands)
    if len(lists) != len(event.hands):
        raise IllegalAction("duplicate-card", "deal: a seat has two hands")
    if rules.is_drafted and lists:
        raise IllegalAction("not-allowed", "deal: no hands are dealt in a drafted game")

    s.clear_hand()
    s.number = event.number
    s.first = event.first
    hands: list[tuple[Seat, CardList]] = []
    if rules.is_drafted:
        s._undrawn = 2 * HAND_SIZE
    else:
        for seat in rules.seats:
            s.hidden = put_count(s.hidden, seat, HAND_SIZE)
        for seat in rules.seats:
            if not may_call_blind(s, seat):
                cards = lists.pop(seat, None)
                if cards is None:
                    if is_known(s, seat):
                        raise IllegalAction("card-needed", f"deal: this table must know the hand of {seat.name}")
                    cards = (None,) * HAND_SIZE
                hands.append((seat, _pick_up(s, seat, cards, f"deal hand.{seat.name}")))
        for seat in lists:
            if seat not in rules.seats:
                raise IllegalAction("not-allowed", f"deal: {seat.name} is no seat of this game")
            raise IllegalAction("not-allowed", f"deal: {seat.name} may still call blind nil and sees its cards later")
    if rules.is_drafted:
        _next_draw(s, event.first)
    else:
        _next_bid(s)
    return Deal(event.number, event.first, tuple(hands))


def _pick_up(s: Scratch, seat: Seat, cards: CardList, what: str) -> CardList:
    mask, ordered = _whole_hand(s, seat, cards, what)
    if mask:
        s.hands = put_set(s.hands, seat, mask)
        s.hidden = put_count(s.hidden, seat, 0)
    s.looked = s.looked | {seat}
    return ordered


def look(s: Scratch, event: Look) -> Step:
    """A seat declines blind nil, or picks up its cards after calling it."""
    seat = event.seat
    if s.phase is not Phase.BLIND and s.phase is not Phase.LOOK:
        raise wrong_phase(s, "look")
    _check_turn(s, seat, "look")
    cards = event.cards
    if s.rules.is_drafted:
        if cards is not None:
            raise IllegalAction("not-allowed", "look: there are no cards to see yet in a drafted game")
        s.looked = s.looked | {seat}
        s.phase = Phase.DRAW
        return event
    if cards is None:
        if is_known(s, seat):
            raise IllegalAction("card-needed", f"look: this table must know the hand of {seat.name}")
        cards = (None,) * HAND_SIZE
    ordered = _pick_up(s, seat, cards, f"look {seat.name}")
    if s.phase is Phase.BLIND:
        s.phase = Phase.BID
    else:
        _next_bid(s)
    return Look(seat, ordered)


def _next_draw(s: Scratch, seat: Seat) -> None:
    s.turn = seat
    asked = seat not in s.looked and seat not in s.blind and may_call_blind(s, seat)
    s.phase = Phase.BLIND if asked else Phase.DRAW


def draw(s: Scratch, event: Draw) -> Step:
    """The top card of the stock is looked at."""
    seat, card = event.seat, event.card
    if s.phase is not Phase.DRAW:
        raise wrong_phase(s, "draw")
    _check_turn(s, seat, "draw")
    if is_known(s, seat):
        if card is None:
            raise IllegalAction("card-needed", "draw: this table must know the card")
        check_elsewhere(s, 1 << card, "draw")
    elif card is not None:
        raise IllegalAction("hidden-card", f"draw: {card} is not for this table to see, it is written ??")
    s.draw = card
    s.has_draw = True
    if seat not in s.looked:
        s.looked = s.looked | {seat}
    s.phase = Phase.DRAFT
    return event


def choose(s: Scratch, event: Choose) -> Step:
    """The drawn card is kept or passed; the next one goes the other way."""
    seat, keep, card = event.seat, event.keep, event.card
    if s.phase is not Phase.DRAFT:
        raise wrong_phase(s, "draft")
    _check_turn(s, seat, "draft")
    rules = s.rules
    s.has_draw = False
    if is_known(s, seat):
        first = s.draw
        assert first is not None
        if keep is None:
            raise IllegalAction("card-needed", "draft: this table must know whether the card was kept")
        if keep and s.viewer is not None and rules.peek == "unseen":
            if card is PENDING:
                card = None
            elif card is not None:
                raise IllegalAction("hidden-card", f"draft keep: {card} is not seen in this game, it is written ??")
            s.hands = put_set(s.hands, seat, s.hands[seat] | 1 << first)
            s.hidden_discards = put_count(s.hidden_discards, seat, s.hidden_discards[seat] + 1)
        else:
            word = "draft keep" if keep else "draft pass"
            if card is PENDING or card is None:
                raise IllegalAction("card-needed", f"{word}: this table must know the second card")
            check_elsewhere(s, 1 << card, word)
            kept, gone = (first, card) if keep else (card, first)
            s.hands = put_set(s.hands, seat, s.hands[seat] | 1 << kept)
            s.discards = put_set(s.discards, seat, s.discards[seat] | 1 << gone)
            if keep and rules.peek == "unseen":
                s._unpeeked = put_set(s._unpeeked, seat, s._unpeeked[seat] | 1 << gone)
    else:
        if card is PENDING:
            card = None
        elif card is not None:
            raise IllegalAction("hidden-card", f"draft: {card} is not for this table to see, it is written ??")
        if rules.draft_choice == "hidden":
            if keep is not None:
                raise IllegalAction("hidden-card", "draft: the choice is not for this table to see, it is written ??")
        elif keep is None:
            raise IllegalAction("card-needed", "draft: whether a card was kept is public in this game")
        s.hidden = put_count(s.hidden, seat, s.hidden[seat] + 1)
        s.hidden_discards = put_count(s.hidden_discards, seat, s.hidden_discards[seat] + 1)
    s.draw = None
    s._undrawn -= 1
    if s._undrawn:
        _next_draw(s, rules.next_seat(seat))
    else:
        if rules.exchange == "discards" and rules.exchange_count:
            s.swaps_due = tuple(caller for caller in bidding_order(s) if caller in s.blind)
        _next_swap(s)
    return event if event.card is card else Choose(seat, keep, card)


# Exchanges -----------------------------------------------------------------------------------------------------------


def _next_swap(s: Scratch) -> None:
    if s.swaps_due:
        s.phase = Phase.SWAP
        s.turn = s.swaps_due[0]
    elif s.rules.is_drafted:
        _next_bid(s)
    else:
        _begin_play(s)


def _check_swap_turn(s: Fields, seat: Seat, form: str) -> None:
    if s.phase is not Phase.SWAP:
        raise wrong_phase(s, "swap")
    _check_turn(s, seat, "swap")
    if s.rules.exchange != form:
        raise IllegalAction("not-allowed", f"swap: in this game the exchange is with the {s.rules.exchange}")


def _check_held(s: Fields, seat: Seat, cards: int) -> None:
    missing = cards & ~s.hands[seat]
    if missing:
        raise IllegalAction("not-in-hand", f"swap: {cards_of(missing)[0]} is not in the hand of {seat.name}")


def check_throw(s: Fields, event: Swap) -> tuple[CardSet, CardList]:
    """Check everything about an exchange with the discards but its outcome; the cards thrown, and their sorted list."""
    seat, thrown = event.seat, event.thrown
    _check_swap_turn(s, seat, "discards")
    if len(thrown) > s.rules.exchange_count:
        most = s.rules.exchange_count
        raise IllegalAction("wrong-count", f"swap: at most {most} cards can be exchanged, not {len(thrown)}")
    if not is_known(s, seat):
        hidden_list(thrown, "swap")
        return CardSet(0), thrown
    mask, ordered = known_list(thrown, "swap")
    _check_held(s, seat, mask)
    return mask, ordered


def swap(s: Scratch, event: Swap) -> Step:
    """A blind caller throws cards and takes as many of the discards."""
    thrown, thrown_list = check_throw(s, event)
    seat, taken_list = event.seat, event.taken
    known = is_known(s, seat)
    if taken_list is None:
        if known and thrown_list:
            raise IllegalAction("card-needed", "swap: this table must know the cards taken")
        taken_list = (None,) * len(thrown_list)
    if len(taken_list) != len(thrown_list):
        raise IllegalAction("wrong-count", "swap: as many cards are taken as are thrown")
    if known:
        taken, taken_list = known_list(taken_list, "swap")
        # To a viewer the pool is hidden but for its own discards: what it does not hold may be in it.
        clash = taken & (~discard_pool(s) if s.viewer is None else s.hands[seat])
        if clash:
            raise IllegalAction("card-known-elsewhere", f"swap: {cards_of(clash)[0]} is not among the discards")
        s.hands = put_set(s.hands, seat, s.hands[seat] & ~thrown | taken)
        s.thrown = put_set(s.thrown, seat, thrown)
        s.picked = put_set(s.picked, seat, taken)
    else:
        hidden_list(taken_list, "swap")
    s.exchanged = put_count(s.exchanged, seat, len(thrown_list))
    s.swaps_due = s.swaps_due[1:]
    _next_swap(s)
    return Swap(seat, thrown_list, taken_list)


def give(s: Scratch, event: Give) -> Step:
    """A blind caller and its partner give each other cards, one after the other."""
    seat, cards = event.seat, event.cards
    _check_swap_turn(s, seat, "partner")
    partner = s.rules.partner(seat)
    assert partner is not None
    size = s.rules.exchange_count
    if len(cards) != size:
        raise IllegalAction("wrong-count", f"swap: exactly {size} cards are given, not {len(cards)}")
    if is_known(s, seat):
        mask, cards = known_list(cards, "swap")
        _check_held(s, seat, mask)
        s.hands = put_set(s.hands, seat, s.hands[seat] & ~mask)
    elif s.viewer is partner:
        mask, cards = known_list(cards, "swap")
        known = mask & s.hands[seat]  # cards that this very viewer gave before
        check_elsewhere(s, mask & ~known, "swap")
        s.hands = put_set(s.hands, seat, s.hands[seat] & ~known)
        s.hidden = put_count(s.hidden, seat, s.hidden[seat] - (size - known.bit_count()))
        if s.hidden[seat] < 0:
            raise IllegalAction("not-in-hand", f"swap: {seat.name} cannot hold all of these cards")
    else:
        mask = CardSet(0)
        hidden_list(cards, "swap")
        s.hidden = put_count(s.hidden, seat, s.hidden[seat] - size)
        s.hidden = put_count(s.hidden, partner, s.hidden[partner] + size)
    s.hands = put_set(s.hands, partner, s.hands[partner] | mask)
    s.given = put_set(s.given, seat, mask)
    s.exchanged = put_count(s.exchanged, seat, size)
    s.swaps_due = s.swaps_due[1:]
    _next_swap(s)
    return Give(seat, cards)


# Bidding -------------------------------------------------------------------------------------------------------------


def bidding_order(s: Fields) -> tuple[Seat, ...]:
    """The seats in the order in which they bid in this hand."""
    rules = s.rules
    assert s.first is not None
    order = [rules.first_bidder_of(s.first)]
    for _ in rules.seats[1:]:
        order.append(rules.next_seat(order[-1]))
    return tuple(order)


def _next_bid(s: Scratch) -> None:
    for seat in bidding_order(s):
        if s.bids[seat] is None:
            s.turn = seat
            s.phase = Phase.BID if seat in s.looked else Phase.BLIND
            return
    rules = s.rules
    if rules.exchange == "partner" and rules.exchange_count:
        due: list[Seat] = []
        for caller in bidding_order(s):
            partner = rules.partner(caller)
            if caller in s.blind and partner is not None and partner not in s.blind:
                due += (caller, partner)
        s.swaps_due = tuple(due)
        _next_swap(s)
    else:
        _begin_play(s)


def bid(s: Scratch, event: BidMade) -> Step:
    """A bid, or a blind nil called before any card was seen."""
    seat, what = event.seat, event.bid
    is_blind = what.kind is BidKind.BLIND_NIL
    if s.phase is Phase.BLIND:
        if not is_blind:
            raise wrong_phase(s, f"bid {what}")
    elif s.phase is not Phase.BID:
        raise wrong_phase(s, f"bid {what}")
    _check_turn(s, seat, "bid")
    if s.phase is Phase.BID:
        check_bid(what, s.rules)
    _set_bid(s, seat, what)
    if not is_blind:
        _next_bid(s)
        return event
    s.blind = s.blind | {seat}
    s.phase = Phase.DRAW if s.rules.is_drafted else Phase.LOOK
    return event


def _set_bid(s: Scratch, seat: Seat, what: Bid) -> None:
    bids = list(s.bids)
    bids[seat] = what
    s.bids = tuple(bids)


# Play ----------------------------------------------------------------------------------------------------------------


def _begin_play(s: Scratch) -> None:
    assert s.first is not None
    s.leader = s.turn = s.rules.leader_of(s.first)
    s.phase = Phase.PLAY


def play(s: Scratch, event: Play) -> Step:
    """A card is played; it may complete the trick, the hand and the game."""
    seat, card = event.seat, event.card
    if s.phase is not Phase.PLAY:
        raise wrong_phase(s, f"play {format_card(card)}")
    if seat is not s.turn:
        _check_turn(s, seat, "play")
    rules, trick = s.rules, s.trick
    led = trick[0][1] if trick else None
    bit = 1 << card
    hand = s.hands[seat]
    partial = s.viewer is not None and s.viewer is not seat
    if partial:
        check_hidden_play(s, seat, card)
        if not hand & bit:
            s.hidden = put_count(s.hidden, seat, s.hidden[seat] - 1)
    elif not legal_from(rules, hand, led, s.broken, s.trick_number) & bit:
        raise _illegal_card(s, seat, card, led)

    s.hands = put_set(s.hands, seat, hand & ~bit)
    s.played = s.played | bit  # type: ignore[assignment]  # any int of card bits is a CardSet
    shown = voids_shown(rules, card, led, s.broken, s.trick_number)
    if shown & ~s.void_cards[seat]:
        s.void_cards = put_set(s.void_cards, seat, s.void_cards[seat] | shown)
    if not s.broken and is_spade(card) and (led is None or not is_spade(led)):
        s.broken = True
    s.trick = trick = (*trick, (seat, card))
    if len(trick) < len(rules.seats):
        s.turn = rules.next_seat(seat)
    else:
        _finish_trick(s)
    if s.viewer is not None and s.phase is Phase.PLAY and not has_room(s):
        raise IllegalAction("void-shown", f"{card}: the suits shown void leave too few cards for the hidden hands")
    return event


def _illegal_card(s: Fields, seat: Seat, card: Card, led: Card | None) -> GameError:
    if not s.hands[seat] >> card & 1:
        return IllegalAction("not-in-hand", f"{card}: it is not in the hand of {seat.name}")
    if led is None:
        return IllegalAction("spades-not-broken", f"{card}: spades are not broken and the hand holds other suits")
    suit = SUIT_NAMES[led.suit]
    if in_suit(s.hands[seat], led.suit):
        return IllegalAction("must-follow", f"{card}: {suit} were led and the hand holds {suit}")
    return IllegalAction("no-first-ruff", f"{card}: a spade cannot be played to a trick of {suit} that is the first")


# Tricks, hands, the game ---------------------------------------------------------------------------------------------


def _finish_trick(s: Scratch) -> None:
    winner = winner_of(s.trick)
    s.taken = put_count(s.taken, winner, s.taken[winner] + 1)
    s.last_trick, s.trick = s.trick, ()
    s.trick_number += 1
    s.leader = s.turn = winner
    if s.trick_number == HAND_SIZE:
        _finish_hand(s)


def _finish_hand(s: Scratch) -> None:
    rules = s.rules
    scores = []
    for side in rules.sides:
        seats = rules.seats_of(side)
        bids = [made for made in (s.bids[seat] for seat in seats) if made is not None]
        scores.append(score_side(rules, bids, [s.taken[seat] for seat in seats], s.bags[side]))
    first, second = scores
    s.last_score = (first, second)
    s.totals = (s.totals[0] + first.points, s.totals[1] + second.points)
    s.bags = (first.bags_after, second.bags_after)
    s.hands_played += 1
    s.turn = None
    ended, s.winner, s.reason = game_end(rules, s.totals, s.hands_played)
    if ended:
        s.phase = Phase.OVER
    else:
        assert s.first is not None
        s.phase = Phase.DEAL
        s.first = rules.next_seat(s.first)


STEPS: dict[type, Any] = {
    Deal: deal,
    Look: look,
    Draw: draw,
    Choose: choose,
    Swap: swap,
    Give: give,
    BidMade: bid,
    Play: play,
}
