"""What the cards held in the middle of a draft are worth in tricks, and whether to keep the card drawn.

The value is a sum over the suits. A suit counts by its length, by its highest cards, each with the number of cards
above it that are still unseen, by how many of the top cards are unseen, and by how many cards are known to be gone;
side suits count by the number of spades beside them. The weights are those of five moments of the draft, with
straight lines between them. A card is kept if what that leaves is worth at least what passing it leaves, the next
card averaged over all that are unseen.

The tables never value a card less for having fewer cards above it, nor a suit less for fewer unseen tops, so a higher
card in place of a lower one of its suit never lowers the value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from spades_engine.drafting.tables import DRAFT_TABLES

MILLI = 1000
"""Values are in thousandths of a trick."""

ANCHORS = (1, 4, 7, 10, 13)
"""Numbers of cards held for which there are tables."""
_SPAN = 3

SIDE_LENGTHS, SIDE_PLACES, SIDE_ABOVE, SIDE_GONE = 7, 3, 6, 7
"""A side suit's rows: lengths 0 to 6 or more, its three highest cards, 0 to 5 or more above, 0 to 6 or more gone."""
SPADE_LENGTHS, SPADE_PLACES, SPADE_ABOVE, SPADE_GONE = 9, 5, 7, 8
"""The same for spades."""
SPADE_GROUPS = 7
"""Side suits are told apart by 0 to 6 or more spades beside them."""
TOPS = 4
"""The top cards of a suit, ace to jack."""

_LOW = 0x7F
_HIGH = 0x3F
_BEYOND = 900
"""What each spade is worth beyond those that the tables tell apart."""
_SPADES = 1 << 18
_STATE = _SPADES - 1
_MOST_KEPT = 1 << 16
"""So many states of suits are remembered; then it starts over."""

Row = tuple[int, ...]
Rows = tuple[Row, ...]


class Weights(NamedTuple):
    """The tables of one moment of the draft, in thousandths of a trick.

    * `side_base`: by group of spades, length. `side_rows`: by length, place, cards above. `side_open`: by length,
      unseen tops. `side_gone`: by length, cards gone.
    * `spade_base`: by length. `spade_rows`, `spade_open`, `spade_gone`: as for the side suits.
    """

    side_base: Rows
    side_rows: tuple[Rows, ...]
    side_open: Rows
    side_gone: Rows
    spade_base: Row
    spade_rows: tuple[Rows, ...]
    spade_open: Rows
    spade_gone: Rows


def suit_state(held: int, gone: int) -> int:
    """A suit in 18 bits, from its 13 bits held and 13 bits gone: low cards, up to the eight, only by number.

    From the lowest: six high cards held, number of low ones held, six high cards gone, number of low ones gone.
    """
    return (
        held >> 7 | (held & _LOW).bit_count() << 6 | gone >> 7 << 9 | (gone & _LOW).bit_count() << 15
    )  # fmt: skip


def suit_cards(state: int) -> tuple[int, int]:
    """A suit with this state: held and unseen ranks. Of the low cards the held ones are taken to be the highest."""
    low_held, low_gone = state >> 6 & 7, state >> 15
    held = (state & _HIGH) << 7 | _LOW ^ _LOW >> low_held
    high_unseen = _HIGH & ~(state | state >> 9)
    return held, high_unseen << 7 | _LOW >> low_held + low_gone


class DraftValue:
    """Values and margins from one set of tables: weights for each of `ANCHORS`."""

    __slots__ = ("_anchors", "_prospects", "_values", "_weights")

    def __init__(self, anchors: tuple[Weights, ...]) -> None:
        self._anchors = anchors
        self._weights: dict[int, Weights] = {}
        self._values: dict[int, int] = {}
        self._prospects: dict[int, tuple[int, int, int]] = {}

    def value(self, hand: int, out: int) -> int:
        """The tricks that 1 to 13 cards held are heading for, in thousandths; `out` are the cards known to be gone."""
        spades = hand >> 39
        key = hand.bit_count() << 22 | min(spades.bit_count(), SPADE_GROUPS - 1) << 19
        total = self._value(key | _SPADES | suit_state(spades, out >> 39))
        for shift in (0, 13, 26):
            total += self._value(key | suit_state(hand >> shift & 0x1FFF, out >> shift & 0x1FFF))
        return total

    def margin(self, hand: int, out: int, card: int) -> int:
        """By how much keeping `card` beats passing it, in thousandths of a trick.

        `hand` are the cards held, 12 at most; `out` those known to be in nobody's hand, or to be in no deck.
        """
        spades = (hand >> 39).bit_count()
        count = hand.bit_count() + 1 << 22
        now = count | (spades if spades < SPADE_GROUPS else SPADE_GROUPS - 1) << 19
        more = count | (spades + 1 if spades + 1 < SPADE_GROUPS else SPADE_GROUPS - 1) << 19
        suit = card // 13
        bit = 1 << card - 13 * suit
        values = self._values
        prospects = self._prospects

        keeping = now if suit < 3 else more
        sure = kept_then = passed_then = longer = 0
        for shift in (0, 13, 26):
            held = hand >> shift & 0x1FFF
            gone = out >> shift & 0x1FFF
            kept = passed = (
                held >> 7 | (held & _LOW).bit_count() << 6 | gone >> 7 << 9 | (gone & _LOW).bit_count() << 15
            )
            if shift == 13 * suit:
                step = bit >> 7 or 1 << 6
                kept += step
                passed += step << 9
            found = prospects.get(keeping | kept) or self._prospect(keeping | kept)
            sure += found[0]
            kept_then += found[2]
            found = prospects.get(now | passed) or self._prospect(now | passed)
            sure -= found[0]
            passed_then += found[1]
            value = values.get(more | passed)
            longer += (self._value(more | passed) if value is None else value) - found[0]

        held = hand >> 39
        gone = out >> 39 & 0x1FFF
        kept = passed = (
            now
            | _SPADES
            | held >> 7
            | (held & _LOW).bit_count() << 6
            | gone >> 7 << 9
            | (gone & _LOW).bit_count() << 15
        )
        unseen_spades = 13 - (held | gone).bit_count()
        if suit == 3:
            step = bit >> 7 or 1 << 6
            kept += more - now + step
            passed += step << 9
            unseen_spades -= 1
        found = prospects.get(kept) or self._prospect(kept)
        sure += found[0]
        kept_then += found[2]
        found = prospects.get(passed) or self._prospect(passed)
        sure -= found[0]
        passed_then += found[1] + unseen_spades * longer
        unseen = 51 - (hand | out).bit_count()
        return sure + (kept_then - passed_then) // unseen if unseen > 0 else sure

    def _value(self, key: int) -> int:
        """The worth of a suit. The key, from the highest bits: cards held, group of spades, spades or not, state."""
        value = self._values.get(key)
        if value is None:
            if len(self._values) >= _MOST_KEPT:
                self._values.clear()
            count = key >> 22
            weights = self._weights.get(count)
            if weights is None:
                weights = self._weights[count] = between(self._anchors, count)
            value = self._values[key] = suit_value(weights, key >> 19 & 7, bool(key & _SPADES), key & _STATE)
        return value

    def _prospect(self, key: int) -> tuple[int, int, int]:
        """The worth of a suit, and over all its unseen cards what taking each adds to it, and what its going adds.

        Taking a spade does not count what it changes in other suits.
        """
        if len(self._prospects) >= _MOST_KEPT:
            self._prospects.clear()
        value = self._value(key)
        taken = gone = 0
        left = _HIGH & ~(key | key >> 9)
        while left:
            high = left & -left
            left ^= high
            taken += self._value(key + high)
            gone += self._value(key + (high << 9))
        lows = 7 - (key >> 6 & 7) - (key >> 15 & 7)
        if lows:
            taken += lows * self._value(key + (1 << 6))
            gone += lows * self._value(key + (1 << 15))
        count = lows + (_HIGH & ~(key | key >> 9)).bit_count()
        found = self._prospects[key] = (value, taken - count * value, gone - count * value)
        return found


def suit_value(weights: Weights, group: int, spades: bool, state: int) -> int:
    """The worth of a suit, in thousandths of a trick, beside a number of spades that belongs to `group`."""
    ranks, unseen = suit_cards(state)
    length = held = ranks.bit_count()
    tops_unseen = (unseen >> 13 - TOPS).bit_count()
    gone = 13 - length - unseen.bit_count()
    if spades:
        if length >= SPADE_LENGTHS:
            length = SPADE_LENGTHS - 1
        total = weights.spade_base[length] + (held - length) * _BEYOND
        total += weights.spade_open[length][tops_unseen]
        total += weights.spade_gone[length][gone if gone < SPADE_GONE else SPADE_GONE - 1]
        rows = weights.spade_rows[length]
        most = SPADE_ABOVE - 1
    else:
        if length >= SIDE_LENGTHS:
            length = SIDE_LENGTHS - 1
        total = weights.side_base[group][length] + weights.side_open[length][tops_unseen]
        total += weights.side_gone[length][gone if gone < SIDE_GONE else SIDE_GONE - 1]
        rows = weights.side_rows[length]
        most = SIDE_ABOVE - 1
    for row in rows:
        if not ranks:
            break
        top = ranks.bit_length()
        ranks ^= 1 << top - 1
        above = (unseen >> top).bit_count()
        total += row[min(most, above)]
    return total


def between(anchors: tuple[Weights, ...], count: int) -> Weights:
    """The weights for a number of cards held, 1 to 13."""
    at, part = divmod(count - 1, _SPAN)
    if not part:
        return anchors[at]
    return Weights(*(_mixed(one, two, part) for one, two in zip(anchors[at], anchors[at + 1], strict=True)))


def _mixed(one: Any, two: Any, part: int) -> Any:
    """Numbers, or nested tuples of them, `part` parts of `_SPAN` on the way from one to two."""
    if isinstance(one, tuple):
        return tuple(_mixed(a, b, part) for a, b in zip(one, two, strict=True))
    return (one * (_SPAN - part) + two * part) // _SPAN


DRAFT_VALUE = DraftValue(tuple(Weights(*table) for table in DRAFT_TABLES))
"""The fitted tables."""


def keeps_for_tricks(hand: int, out: int, card: int) -> bool:
    """Whether a seat that drafts for tricks keeps the drawn card; arguments as for `DraftValue.margin`."""
    return DRAFT_VALUE.margin(hand, out, card) >= 0
