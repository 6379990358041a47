"""Where the cards are as far as a table knows, and what it can refuse by that.

At a table that is told every card these are plain look-ups. At a table that is told one seat's knowledge they are what
follows from it: the cards that lie elsewhere, the suits shown void, how many cards there are room for.
"""

from __future__ import annotations

from spades_engine.game.cards import PLAIN_MASK, Card, CardSet, card_set, cards_of, in_suit
from spades_engine.game.errors import IllegalAction
from spades_engine.game.events import CardList
from spades_engine.game.fields import Fields
from spades_engine.game.seats import Seat
from spades_engine.game.trick import legal_from

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def is_known(s: Fields, seat: Seat) -> bool:
    """Whether this table is told the seat's cards."""
    return s.viewer is None or s.viewer is seat


def held(s: Fields, seat: Seat) -> int:
    """How many cards the seat holds, known or hidden."""
    return s.hands[seat].bit_count() + s.hidden[seat]


def discard_pool(s: Fields) -> int:
    """The cards that may be drawn in an exchange with the discards; whole only where every card is known."""
    discarded = picked = 0
    for seat in s.rules.seats:
        discarded |= s.discards[seat]
        picked |= s.picked[seat]
    return discarded & ~picked


def known_list(cards: CardList, what: str) -> tuple[CardSet, tuple[Card, ...]]:
    """The set and the sorted list of cards that must all be named, and named once."""
    named = [card for card in cards if card is not None]
    if len(named) != len(cards):
        raise IllegalAction("card-needed", f"{what}: this table must know every card of the list")
    mask = card_set(named)
    if mask.bit_count() != len(named):
        twice = next(card for card in named if named.count(card) > 1)
        raise IllegalAction("duplicate-card", f"{what}: {twice} is named twice")
    return mask, cards_of(mask)


def hidden_list(cards: CardList, what: str) -> None:
    """Refuse a list that names a card this table may not see."""
    for card in cards:
        if card is not None:
            raise IllegalAction("hidden-card", f"{what}: {card} is not for this table to see, it is written ??")


def check_elsewhere(s: Fields, cards: int, what: str) -> None:
    """Refuse cards that are out of the deck, played, or known to lie in a hand or among the discards."""
    taken = card_set(s.rules.removed) | s.played
    for seat in s.rules.seats:
        taken |= s.hands[seat] | s.discards[seat] | s.thrown[seat]
    if s.draw is not None:
        taken |= 1 << s.draw
    clash = cards & taken
    if clash:
        raise elsewhere(s, cards_of(clash)[0], what)


def elsewhere(s: Fields, card: Card, what: str) -> IllegalAction:
    """The objection to a card that lies elsewhere."""
    if card in s.rules.removed:
        return IllegalAction("card-known-elsewhere", f"{what}: {card} is not in the deck")
    if s.played >> card & 1:
        return IllegalAction("card-known-elsewhere", f"{what}: {card} has been played")
    return IllegalAction("card-known-elsewhere", f"{what}: {card} is known to lie elsewhere")


def check_hidden_play(s: Fields, seat: Seat, card: Card) -> None:
    """Refuse a card of a seat whose hand is hidden if anything this table knows speaks against it."""
    bit = 1 << card
    known = s.hands[seat]
    led = s.trick[0][1] if s.trick else None
    if not known & bit:
        if not bit & (unplaced(s) | returned(s, seat)):
            raise elsewhere(s, card, "play")
        if bit & s.void_cards[seat]:
            raise IllegalAction("void-shown", f"{card}: {seat.name} has shown to hold no {SUIT_NAMES[card.suit]}")
        if not s.hidden[seat]:
            raise IllegalAction("not-in-hand", f"{card}: every card of {seat.name} is known, and this is not one")
    if known and not legal_from(s.rules, known | bit, led, s.broken, s.trick_number) & bit:
        raise _illegal_card_of_known(s, known, card, led)


def _illegal_card_of_known(s: Fields, known: int, card: Card, led: Card | None) -> IllegalAction:
    if led is None:
        other = cards_of(known & PLAIN_MASK)[0]
        return IllegalAction("spades-not-broken", f"{card}: spades are not broken and the hand holds {other}")
    follow = cards_of(in_suit(known, led.suit))
    if follow:
        suit = SUIT_NAMES[led.suit]
        return IllegalAction("must-follow", f"{card}: {suit} were led and the hand holds {follow[0]}")
    other = cards_of(known & PLAIN_MASK)[0]
    return IllegalAction("no-first-ruff", f"{card}: no spade on the first trick, and the hand holds {other}")


def unplaced(s: Fields) -> int:
    """The cards of the deck that this table cannot place: in hidden hands, hidden discards, the stock or left over."""
    placed = card_set(s.rules.removed) | s.played
    for seat in s.rules.seats:
        placed |= s.hands[seat] | s.discards[seat] | s.thrown[seat]
    if s.draw is not None:
        placed |= 1 << s.draw
    return card_set(s.rules.deck) & ~placed


def returned(s: Fields, seat: Seat) -> int:
    """Discards known to the viewer that the seat may have taken in an exchange, as far as it took that many."""
    viewer = s.viewer
    if viewer is None or viewer is seat or not s.exchanged[seat] or s.rules.has_partners:
        return 0
    back = s.discards[viewer] & ~s.picked[viewer]
    if (back & s.played).bit_count() >= s.exchanged[seat]:
        return 0
    return back & ~s.played


def may_hold(s: Fields, seat: Seat) -> int:
    """The cards that may be among the hidden ones of a seat."""
    if not s.hidden[seat]:
        return 0
    return (unplaced(s) | returned(s, seat)) & ~s.void_cards[seat]


def has_room(s: Fields) -> bool:
    """Whether the hidden hands can be filled at all from the cards that this table cannot place.

    Hall's condition: every group of seats needs as many cards as it lacks among those that one of them may hold.
    """
    others = [seat for seat in s.rules.seats if s.hidden[seat]]
    if not any(s.void_cards[seat] for seat in others):
        return True
    free = unplaced(s)
    if not s.rules.has_partners:
        for seat in others:
            back = returned(s, seat)
            room = (free & ~s.void_cards[seat]).bit_count()
            if back and s.viewer is not None:
                gone = (s.discards[s.viewer] & ~s.picked[s.viewer] & s.played).bit_count()
                room += min((back & ~s.void_cards[seat]).bit_count(), s.exchanged[seat] - gone)
            if room < s.hidden[seat]:
                return False
        return True
    for group in range(1, 1 << len(others)):
        need, choice = 0, 0
        for index, seat in enumerate(others):
            if group >> index & 1:
                need += s.hidden[seat]
                choice |= free & ~s.void_cards[seat]
        if choice.bit_count() < need:
            return False
    return True
