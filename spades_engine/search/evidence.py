"""What the cards that an opponent has played tell of those it still holds, for two hands.

Every play is a sign about other cards: who wins dearly holds no cheaper winner, who loses where it wants tricks could
hardly have won, who leads low from a suit seldom has its top. A sign multiplies the odds that a card is in the hand;
how much is fitted (`odds`), for a seat that still wants tricks and for one that does not, for spades and for the other
suits. Signs are taken as independent, and their product is kept within bounds: they are hints, and a player who plays
otherwise is not misread for long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spades_engine.search.odds import ODDS
from spades_engine.search.terms import CONTRACT, FIRST_SPADE, SPADE, SPADES, SUITS

SIGNS = (
    "led, a higher card of the suit",
    "led, a lower one",
    "won, a cheaper winner",
    "won, a higher winner",
    "won, a loser",
    "lost, a winner",
    "lost, a higher loser",
    "lost, a lower card",
    "ruffed, a lower spade",
    "ruffed, a higher spade",
    "did not ruff, a spade",
    "threw off, a higher card of the suit",
    "threw off, a lower one",
)
"""What was done, and which cards it is a sign about."""
_LED_ABOVE, _LED_BELOW, _CHEAPER, _DEARER, _UNNEEDED, _WINNER, _LOST_ABOVE, _LOST_BELOW = range(8)
_RUFF_BELOW, _RUFF_ABOVE, _NO_RUFF, _THREW_ABOVE, _THREW_BELOW = range(8, 13)
CELLS = 4 * len(SIGNS)
"""A cell is a sign, whether the seat wanted tricks, whether the cards are spades: `4 * sign + 2 * wants + spades`."""

EVEN = 100
"""Odds are in percent: at 100 a card is as likely to be held as before."""
_LEAST, _MOST = 10, 1000

_Plays = Iterable[tuple[int, int]]
"""Seat and card, in order, from the first trick of the hand on."""


def signs(plays: _Plays, seat: int, kind: int, bid: int) -> Iterator[tuple[int, int]]:
    """What the plays of `seat`, which bid so, are signs of: pairs of a cell and the cards that it is about."""
    led = -1
    taken = 0
    for who, card in plays:
        wants = kind == CONTRACT and taken < bid
        if led < 0:
            if who == seat:
                yield from _of_lead(card, wants)
            led = card
            continue
        won = card > led if card // 13 == led // 13 else card >= FIRST_SPADE
        if who == seat:
            yield from _of_answer(led, card, won, wants)
        taken += won == (who == seat)
        led = -1


def _of_lead(card: int, wants: bool) -> Iterator[tuple[int, int]]:
    suit = SUITS[card // 13]
    where = 2 * wants + (suit == SPADES)
    yield 4 * _LED_ABOVE + where, suit & -2 << card
    yield 4 * _LED_BELOW + where, suit & (1 << card) - 1


def _of_answer(led: int, card: int, won: bool, wants: bool) -> Iterator[tuple[int, int]]:
    suit = SUITS[card // 13]
    where = 2 * wants + (suit == SPADES)
    above, below = suit & -2 << card, suit & (1 << card) - 1
    if card // 13 != led // 13:
        if won:
            yield 4 * _RUFF_BELOW + where, below
            yield 4 * _RUFF_ABOVE + where, above
            return
        yield 4 * _NO_RUFF + 2 * wants + 1, SPADES
        yield 4 * _THREW_ABOVE + where, above
        yield 4 * _THREW_BELOW + where, below
        return
    over, under = suit & -2 << led, suit & (1 << led) - 1
    if won:
        yield 4 * _CHEAPER + where, over & below
        yield 4 * _DEARER + where, above
        yield 4 * _UNNEEDED + where, under
    else:
        yield 4 * _WINNER + where, over
        yield 4 * _LOST_ABOVE + where, above & under
        yield 4 * _LOST_BELOW + where, below


def odds_of(plays: _Plays, seat: int, kind: int, bid: int) -> list[int]:
    """By card, in percent, how the odds that `seat` holds it have changed by what it has played."""
    found = [float(EVEN)] * 52
    for cell, cards in signs(plays, seat, kind, bid):
        factor = ODDS[cell] / EVEN
        while cards:
            low = cards & -cards
            cards ^= low
            found[low.bit_length() - 1] *= factor
    return [min(max(round(odds), _LEAST), _MOST) for odds in found]


assert len(ODDS) == CELLS
assert SPADE * 13 == FIRST_SPADE
