"""The sequential test of a match of two engines: told of every pair in order, it says when the match is decided.

Single hands are judged by the points of each pair, whole games by their results. Only what is in the results file
counts, in the order it has there, so a match that was broken off ends where an unbroken one does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spades_match.outcomes import MatchError
from spades_match.statistics import (
    GameResult,
    Moments,
    Pentanomial,
    SprtDesign,
    SprtState,
    SprtStatus,
    sprt,
    sprt_of_points,
)


def parse_design(text: str) -> SprtDesign:
    """Read `NELO0,NELO1` or `NELO0,NELO1,ALPHA,BETA`. Raises MatchError for anything else."""
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError("two numbers, or four with the error rates")
        return SprtDesign(*numbers)
    except ValueError as error:
        raise MatchError(f"--sprt {text}: {error}") from None


def game_result(board: Mapping[str, Any], engine: str) -> GameResult:
    """Return the result of a game, from a board of the results file, for one of its two engines."""
    winner = board["winner"]
    if winner == "draw":
        return GameResult.DRAW
    return GameResult.WIN if winner == engine else GameResult.LOSS


def points_of_pair(pair: Mapping[str, Any]) -> int:
    """Return by how many points the first engine of a pair has done better than the second, over both boards."""
    return sum(int(board["points"][0]) - int(board["points"][1]) for board in pair["boards"])


class SequentialTest:
    """The test after the pairs added so far."""

    def __init__(self, design: SprtDesign, *, is_games: bool) -> None:
        self._design = design
        self._is_games = is_games
        self._results = Pentanomial()
        self._points = Moments()

    def add(self, pair: Mapping[str, Any]) -> None:
        """Take note of the next pair of the results file."""
        if self._is_games:
            first = pair["engines"][0]
            one, other = (game_result(board, first) for board in pair["boards"])
            self._results = self._results.plus(one, other)
        else:
            self._points = self._points.plus(points_of_pair(pair) / 2)

    @property
    def status(self) -> SprtStatus:
        """Where the test stands."""
        if self._is_games:
            return sprt(self._results, self._design)
        return sprt_of_points(self._points, self._design)

    @property
    def is_decided(self) -> bool:
        """Whether one of the hypotheses has been accepted."""
        return self.status.state is not SprtState.UNDECIDED

    def __str__(self) -> str:
        status, design = self.status, self._design
        return (
            f"{status.state.value}: LLR {status.llr:+.2f} [{status.lower:.2f}, {status.upper:.2f}] after {status.units}"
            f" pairs, normalised Elo {design.nelo0:g} against {design.nelo1:g}"
        )
