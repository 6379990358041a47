"""Cards and sets of cards.

A card is an int 0..51, `suit * 13 + (rank - 2)`, so card order is the order of the ints. A set of cards is an int of
52 bits, bit *n* for card *n*: unions and intersections are single machine operations.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NewType

from spades_engine.game.errors import UnreadableEvent

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"
HIDDEN_TEXT = "??"
NO_CARDS_TEXT = "none"


class Suit(IntEnum):
    """The suits in card order; spades are always trumps."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Rank(IntEnum):
    """The ranks; the value is the number of pips, jack 11 to ace 14."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14


_SUITS = tuple(Suit(n // 13) for n in range(52))
_RANKS = tuple(Rank(n % 13 + 2) for n in range(52))
_TEXTS = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)


class Card(int):
    """One card: an int 0..51 that knows its `suit` and `rank`; `str(card)` is "QS". `Card(n)` gives the one object."""

    __slots__ = ()

    def __new__(cls, value: int) -> Card:
        """The card numbered `value`; ValueError outside 0..51."""
        if not 0 <= value < 52:
            raise ValueError(f"{value}: cards are numbered 0 to 51")
        return CARDS[value]

    @property
    def suit(self) -> Suit:
        """The suit."""
        return _SUITS[self]

    @property
    def rank(self) -> Rank:
        """The rank."""
        return _RANKS[self]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"<{_TEXTS[self]}>"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return (Card, (int(self),))


CARDS: tuple[Card, ...] = tuple(int.__new__(Card, n) for n in range(52))

CardSet = NewType("CardSet", int)

EMPTY = CardSet(0)
FULL = CardSet((1 << 52) - 1)
SUIT_MASK: tuple[CardSet, ...] = tuple(CardSet(0x1FFF << (13 * suit)) for suit in range(4))
SPADES_MASK = SUIT_MASK[Suit.SPADES]
PLAIN_MASK = CardSet(FULL & ~SPADES_MASK)

SUITS_OF_MASK: dict[CardSet, frozenset[Suit]] = {
    CardSet(sum(SUIT_MASK[suit] for suit in suits)): frozenset(suits)
    for suits in ([suit for suit in Suit if bits >> suit & 1] for bits in range(16))
}
"""The suits of a set of cards that is made of whole suits."""

_CARD_OF_TEXT = {text: CARDS[n] for n, text in enumerate(_TEXTS)}


def parse_card(text: str) -> Card:
    """The card written `text`, rank then suit in capitals; raises `UnreadableEvent`. "??" is not a card."""
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        if text == HIDDEN_TEXT:
            raise UnreadableEvent("??: a hidden card is not possible here")
        hint = text.upper().replace("10", "T")
        other = _CARD_OF_TEXT.get(hint) or _CARD_OF_TEXT.get(hint[::-1])
        tail = f"; did you mean {other}?" if other is not None else ""
        raise UnreadableEvent(f"{text}: a card is a rank of {RANK_LETTERS} and a suit of {SUIT_LETTERS}, like QS{tail}")
    return card


def format_card(card: Card | None) -> str:
    """Two characters, "??" for None (a hidden card)."""
    return HIDDEN_TEXT if card is None else _TEXTS[card]


def parse_cards(text: str) -> tuple[Card | None, ...]:
    """A comma list in the order written; "none" is empty and "??" gives None. Raises `UnreadableEvent`."""
    if text == NO_CARDS_TEXT:
        return ()
    return tuple(None if item == HIDDEN_TEXT else parse_card(item) for item in text.split(","))


def format_cards(cards: Iterable[Card | None]) -> str:
    """A comma list in the order given, "none" when empty."""
    return ",".join(map(format_card, cards)) or NO_CARDS_TEXT


def card_set(cards: Iterable[int]) -> CardSet:
    """The set of the given cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return CardSet(mask)


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a set, in card order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(CARDS[low.bit_length() - 1])
        mask ^= low
    return tuple(found)


def in_suit(mask: int, suit: Suit) -> CardSet:
    """The part of a set that lies in one suit."""
    return CardSet(mask & SUIT_MASK[suit])


def count(mask: int) -> int:
    """How many cards the set has."""
    return mask.bit_count()


def has_card(mask: int, card: Card) -> bool:
    """Whether the set holds the card."""
    return bool(mask >> card & 1)
