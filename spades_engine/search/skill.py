"""Levels of skill: what a weaker player does otherwise. It is still the same player, and level 20 is all of it.

A weaker player looks at fewer worlds, and below level 10 takes them as they come instead of reading them from drafts,
bids and cards played; it misjudges hands when it bids and drafts; more and more of its cards are played by the rule of
thumb; and below level 6 it forgets the score of the game. None of this makes it throw away what anybody would see: the
rule of thumb takes sure tricks that are needed, and errors of judgement are bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from spades_engine.search.rng import Rng

FULL = 20
"""The highest level; 0 is the lowest."""
_READS_FROM, _COUNTS_FROM = 10, 6
_MOST_WORLDS, _LEAST_WORLDS = 128, 4
_WORSE_BID = 2
"""Tricks by which a bid is wrong at the most."""
_WORSE_KEEP = 900
"""Thousandths of a trick by which a card is misjudged at the most."""
_SPREAD = 1155
"""The standard deviation of the sum of four even numbers from -1000 to 1000."""


@dataclass(frozen=True, slots=True)
class Level:
    """What one level does. `worlds`: at most so many are looked at. `reads`: they heed what others have done. `counts`:
    the score of the game is heeded. `bid_error`, `keep_error`: standard deviations, in thousandths of a trick. `habit`:
    per cent of the cards that are played by the rule of thumb.
    """

    worlds: int
    reads: bool
    counts: bool
    bid_error: int
    keep_error: int
    habit: int


@lru_cache(maxsize=FULL + 1)
def level_of(skill: int) -> Level:
    """The level of that number. Raises ValueError outside 0 to 20."""
    if not 0 <= skill <= FULL:
        raise ValueError(f"skill {skill}: it is from 0 to {FULL}")
    down = FULL - skill
    if not down:
        return Level(1 << 30, True, True, 0, 0, 0)
    return Level(
        worlds=max(_LEAST_WORLDS, int(_MOST_WORLDS * 2.0 ** (-down * 5 / 12))),
        reads=skill >= _READS_FROM,
        counts=skill >= _COUNTS_FROM,
        bid_error=90 * down,
        keep_error=40 * down,
        habit=min(100, max(0, 10 * (down - 6))),
    )


class Errors:
    """The errors that a player of a level makes in one decision: a function of the level and the search's seed."""

    __slots__ = ("_level", "_rng")

    def __init__(self, level: Level, seed: bytes | int) -> None:
        self._level = level
        self._rng = Rng(seed + b"skill" if isinstance(seed, bytes) else seed << 8 | 0x5A)

    def of_bid(self) -> int:
        """By how many tricks a contract is bid too high."""
        error = self._normal(self._level.bid_error)
        return max(-_WORSE_BID, min(_WORSE_BID, (error + 500) // 1000))

    def of_keep(self) -> int:
        """By how many thousandths of a trick the card drawn is overrated."""
        return max(-_WORSE_KEEP, min(_WORSE_KEEP, self._normal(self._level.keep_error)))

    def by_habit(self) -> bool:
        """Whether this card is played by the rule of thumb."""
        return self._rng.below(100) < self._level.habit

    def _normal(self, deviation: int) -> int:
        if not deviation:
            return 0
        return sum(self._rng.below(2001) - 1000 for _ in range(4)) * deviation // _SPREAD
