"""Results of games and of pairs of games: the counts that every statistic of a match of whole games is made from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import IntEnum

from spades_match.statistics.estimate import (
    CONFIDENCE,
    Estimate,
    Moments,
    RatioSums,
    share_estimate,
    share_interval,
)


class GameResult(IntEnum):
    """A game seen from one engine's side, in half points."""

    LOSS = 0
    DRAW = 1
    WIN = 2

    @property
    def reversed(self) -> GameResult:
        """The same game seen from the other side."""
        return GameResult(2 - self)


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """Counts of pairs of games by their two results, in either order: `wd` has one game won and one drawn.

    The usual five classes join `dd` and `wl`, which score the same. Raises `ValueError` for a negative count.
    """

    ll: int = 0
    ld: int = 0
    dd: int = 0
    wl: int = 0
    wd: int = 0
    ww: int = 0

    def __post_init__(self) -> None:
        _check_counts(self)

    @staticmethod
    def of(pairs: Iterable[tuple[GameResult, GameResult]]) -> Pentanomial:
        """The counts of a series of pairs."""
        counts = Pentanomial()
        for first, second in pairs:
            counts = counts.plus(first, second)
        return counts

    def plus(self, first: GameResult, second: GameResult) -> Pentanomial:
        """The counts with one more pair."""
        return self + _SINGLE_PAIR[min(first, second), max(first, second)]

    def __add__(self, other: Pentanomial) -> Pentanomial:
        return Pentanomial(
            self.ll + other.ll,
            self.ld + other.ld,
            self.dd + other.dd,
            self.wl + other.wl,
            self.wd + other.wd,
            self.ww + other.ww,
        )

    @property
    def reversed(self) -> Pentanomial:
        """The same pairs seen from the other side."""
        return Pentanomial(self.ww, self.wd, self.dd, self.wl, self.ld, self.ll)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """The five classes LL, LD, DD and WL, WD, WW: pairs by points, from 0 to 2 in halves."""
        return (self.ll, self.ld, self.dd + self.wl, self.wd, self.ww)

    @property
    def units(self) -> int:
        """How many pairs."""
        return sum(self.counts)

    @property
    def games_per_unit(self) -> int:
        """Two games to a pair."""
        return 2

    @property
    def wins(self) -> int:
        """Games won."""
        return 2 * self.ww + self.wd + self.wl

    @property
    def draws(self) -> int:
        """Games drawn."""
        return 2 * self.dd + self.wd + self.ld

    @property
    def losses(self) -> int:
        """Games lost."""
        return 2 * self.ll + self.ld + self.wl

    @property
    def pairs_ratio(self) -> float | None:
        """Pairs won by pairs lost, infinite if none was lost, None if none was either."""
        won, lost = self.wd + self.ww, self.ld + self.ll
        if lost:
            return won / lost
        return float("inf") if won else None


@dataclass(frozen=True, slots=True)
class Trinomial:
    """Counts of single games, for matches whose games have no counterpart. Raises `ValueError` for a negative count."""

    losses: int = 0
    draws: int = 0
    wins: int = 0

    def __post_init__(self) -> None:
        _check_counts(self)

    @staticmethod
    def of(games: Iterable[GameResult]) -> Trinomial:
        """The counts of a series of games."""
        counts = [0, 0, 0]
        for result in games:
            counts[result] += 1
        return Trinomial(*counts)

    def __add__(self, other: Trinomial) -> Trinomial:
        return Trinomial(self.losses + other.losses, self.draws + other.draws, self.wins + other.wins)

    @property
    def reversed(self) -> Trinomial:
        """The same games seen from the other side."""
        return Trinomial(self.wins, self.draws, self.losses)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Losses, draws, wins."""
        return (self.losses, self.draws, self.wins)

    @property
    def units(self) -> int:
        """How many games."""
        return sum(self.counts)

    @property
    def games_per_unit(self) -> int:
        """Each game stands alone."""
        return 1


Results = Pentanomial | Trinomial


def _check_counts(counts: Results) -> None:
    for field in fields(counts):
        if getattr(counts, field.name) < 0:
            raise ValueError(f"{field.name}={getattr(counts, field.name)}: a count cannot be negative")


_SINGLE_PAIR = {
    (GameResult.LOSS, GameResult.LOSS): Pentanomial(ll=1),
    (GameResult.LOSS, GameResult.DRAW): Pentanomial(ld=1),
    (GameResult.DRAW, GameResult.DRAW): Pentanomial(dd=1),
    (GameResult.LOSS, GameResult.WIN): Pentanomial(wl=1),
    (GameResult.DRAW, GameResult.WIN): Pentanomial(wd=1),
    (GameResult.WIN, GameResult.WIN): Pentanomial(ww=1),
}


def score_moments(results: Results) -> Moments:
    """The moments of the score of a unit, from 0 (all lost) to 1 (all won), a draw counting half."""
    last = len(results.counts) - 1
    return Moments.of_counts([i / last for i in range(last + 1)], results.counts)


def score_rate(results: Results, confidence: float = CONFIDENCE) -> Estimate:
    """The share of the points won, a draw counting half, with its interval over pairs.

    This is the rate behind Elo. The interval is that of `share_interval`.
    """
    moments = score_moments(results)
    n = moments.count
    variance = moments.second / (n - 1) / n if n > 1 else None
    return share_interval(moments.mean if n else None, variance, n, confidence)


def win_rate(results: Results, confidence: float = CONFIDENCE) -> Estimate:
    """The share of the games won, a draw counting as not won, with its interval over pairs."""
    if isinstance(results, Trinomial):
        return _share([(1, results.wins), (0, results.draws + results.losses)], 1, confidence)
    both, one = results.ww, results.wd + results.wl
    return _share([(2, both), (1, one), (0, results.units - both - one)], 2, confidence)


def draw_rate(results: Results, confidence: float = CONFIDENCE) -> Estimate:
    """The share of the games drawn, with its interval over pairs."""
    if isinstance(results, Trinomial):
        return _share([(1, results.draws), (0, results.wins + results.losses)], 1, confidence)
    both, one = results.dd, results.wd + results.ld
    return _share([(2, both), (1, one), (0, results.units - both - one)], 2, confidence)


def _share(counts: list[tuple[int, int]], games: int, confidence: float) -> Estimate:
    """The share of games of a kind, from (games of the kind in a unit, number of such units)."""
    units = sum(count for _, count in counts)
    amount = sum(number * count for number, count in counts)
    squares = sum(number * number * count for number, count in counts)
    sums = RatioSums(units, amount, games * units, squares, games * amount, games * games * units)
    return share_estimate(sums, confidence)
