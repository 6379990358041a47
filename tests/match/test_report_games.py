"""The report's figures for whole games and for more than two engines, known by hand."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from spades_match.report import MatchReport, format_text, gather
from tests.match.test_report import T_2, board, hand, header, pair, write

BOTH = ("A", "B")


def game(
    winner: str, points: Sequence[int], *, swapped: bool = False, fault: tuple[str, str, str] = ("normal", "", "")
) -> dict[str, Any]:
    """Return a game between A and B of one hand, in which A and B made these points."""
    by_side = points[::-1] if swapped else points
    detail = hand("5 5", (7, 6), by_side, (2, 1), "BA" if swapped else "AB")
    return board([detail], swapped=swapped, points=points, winner=winner, fault=fault)


# Both won, one each, won and drawn, and one each by a fault of B's, which has the more points of the hand played.
GAMES = [
    pair(0, [game("A", (52, 51)), game("A", (51, 52), swapped=True)]),
    pair(1, [game("A", (52, 51)), game("B", (51, 52), swapped=True)]),
    pair(2, [game("A", (52, 51)), game("draw", (51, 51), swapped=True, fault=("hand-cap", "", ""))]),
    pair(3, [game("B", (52, 51)), game("A", (51, 152), swapped=True, fault=("stall", "B", "no answer"))]),
]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> MatchReport:
    """Return the report of the four pairs of games."""
    path = tmp_path_factory.mktemp("report") / "m.jsonl"
    timing = [
        {
            "pair": number,
            "engines": list(BOTH),
            "boards": [
                {"times": {}, "predictions": [_foretold("A", "S", 0.9), _foretold("B", "N", 0.25)]},
                {"times": {}, "predictions": [_foretold("A", "N", 0.5)]},
            ],
        }
        for number in (0, 2, 3)
    ]
    return gather(write(path, header(mode="games", rules="duel", pairs=4), GAMES, timing))


def _foretold(engine: str, seat: str, equity: float) -> dict[str, Any]:
    return {"engine": engine, "hand": 1, "seat": seat, "phase": "bid", "action": "bid 5", "equity": equity}


def test_results_are_counted_by_pair(games: MatchReport) -> None:
    """A has won five games, drawn one and lost two: both, one each twice, and a win with a draw."""
    report = games.encounters[0].games
    assert report is not None
    results = report.results
    assert (results.ww, results.wl, results.wd, results.units) == (1, 2, 1, 4)
    assert (results.wins, results.draws, results.losses) == (5, 1, 2)
    assert (report.score.value, report.win_rate.value, report.draw_rate.value) == (5.5 / 8, 5 / 8, 1 / 8)
    assert report.elo.value == pytest.approx(-400 * math.log10(8 / 5.5 - 1))
    # Normalised Elo: the mean of the pairs' scores by the deviation of a game, which is that of a pair times root 2.
    scores = [1.0, 0.5, 0.75, 0.5]
    deviation = statistics.pstdev(scores) * math.sqrt(2)
    assert games.encounters[0].nelo.value == pytest.approx((5.5 / 8 - 0.5) / deviation * 800 / math.log(10))


def test_points_in_games_are_those_of_scored_hands(games: MatchReport) -> None:
    """The differences are 1 and -1, 1 and -1, 1 and 0, 1 and -101; a game lost by a fault adds nothing of its own."""
    encounter = games.encounters[0]
    assert (encounter.hands, encounter.points_per_hand.value) == (8, (0 + 0 + 1 - 100) / 8)
    assert encounter.lead[-1] == (8, -99)
    assert encounter.running[-1][1].value == 5.5 / 8
    assert encounter.forfeits == games.engines[1].forfeits == 1
    text = "\n".join(format_text(games))
    assert "Ended by an engine's fault: 1 game. Each counts as lost by that engine" in text


def test_chances_of_winning_are_compared_with_winners(games: MatchReport) -> None:
    """A foretold 0.9 of two games won and one lost, and 0.5 of one won; a draw and a fault tell nothing of chances."""
    winning = games.engines[0].winning
    assert winning.count == 4
    assert winning.bias.value == pytest.approx(((3 - 1) - (0.9 + 0.9 + 0.9 + 0.5 - 1)) / 4)
    assert {row.low: (row.count, row.happened) for row in winning.rows if row.count} == {0.5: (1, 1), 0.9: (3, 2)}
    assert games.engines[1].winning.brier == pytest.approx((0.0625 + 0.0625 + 0.5625) / 3)
    assert games.engines[0].making.count == 0


# More than two engines ------------------------------------------------------------------------------------------------

NAMES = ("A", "B", "C")


def _round(number: int, *differences: int) -> list[Mapping[str, Any]]:
    """Return a round of A and B, A and C, B and C, in which the first is so many points ahead on the first board."""
    meetings = [("A", "B"), ("A", "C"), ("B", "C")]
    return [
        pair(3 * number + place, [board(points=(ahead, 0)), board(swapped=True)], meeting)
        for place, (meeting, ahead) in enumerate(zip(meetings, differences, strict=False))
    ]


def test_standings_are_over_rounds(tmp_path: Path) -> None:
    """An engine's pairs of one round have the same cards, so its interval comes from the spread between rounds."""
    pairs = [*_round(0, 10, 20, 30), *_round(1, 20, 60, -10), *_round(2, -30, 40, 0)]
    report = gather(write(tmp_path / "m.jsonl", header(NAMES, pairs=3), pairs))
    standing = report.engines[0].standing
    assert (standing.pairs, standing.hands, standing.score) == (6, 12, None)
    rounds = [30 / 4, 80 / 4, 10 / 4]
    estimate = standing.points_per_hand
    assert estimate.value == pytest.approx(10.0)
    assert estimate.pairs == 3
    assert estimate.half_width == pytest.approx(T_2 * statistics.stdev(rounds) / math.sqrt(3))
    # B lost 10 and won 30, lost 20 and lost 10, won 30 and drew.
    assert report.engines[1].standing.points_per_hand.value == pytest.approx((20 - 30 + 30) / 12)
    assert report.engines[2].standing.points_per_hand.value == pytest.approx((-50 - 50 - 40) / 12)
    assert [(encounter.first, encounter.second, encounter.pairs) for encounter in report.encounters] == [
        ("A", "B", 3),
        ("A", "C", 3),
        ("B", "C", 3),
    ]


def test_a_crosstable_shows_both_sides_of_each_encounter(tmp_path: Path) -> None:
    """What is ahead in the row is behind in the column, and the best stands first."""
    pairs = [*_round(0, 10, 20, 30), *_round(1, 20, 60, -10)]
    lines = list(format_text(gather(write(tmp_path / "m.jsonl", header(NAMES, pairs=2), pairs))))
    table = lines[lines.index("Row against column: points a hand") + 1 :][:4]
    assert [line.split()[0] for line in table[1:]] == ["A", "B", "C"]
    assert "+7.50 [-24.27, +39.27]" in table[1]
    assert "-7.50 [-39.27, +24.27]" in table[2]


def test_a_round_that_is_not_complete_counts(tmp_path: Path) -> None:
    """A match broken off within a round is reported with the pairs that it has."""
    pairs = [*_round(0, 10, 20, 30), *_round(1, 20)]
    report = gather(write(tmp_path / "m.jsonl", header(NAMES, pairs=2), pairs))
    assert [engine.standing.pairs for engine in report.engines] == [3, 3, 2]
    assert report.engines[0].standing.points_per_hand.value == pytest.approx(50 / 6)


def test_scores_of_games_against_all_others(tmp_path: Path) -> None:
    """In whole games the standing has the games won, the score and its Elo."""
    won = [board(winner="A"), board(winner="A", swapped=True)]
    shared = [board(winner="B"), board(winner="draw", swapped=True)]
    pairs = [pair(0, won, ("A", "B")), pair(1, [board(winner="A"), board(winner="C", swapped=True)], ("A", "C"))]
    pairs.append(pair(2, shared, ("B", "C")))
    path = write(tmp_path / "m.jsonl", header(NAMES, mode="games", pairs=1), pairs)
    report = gather(path)
    games = [(s.wins, s.draws, s.losses) for s in (engine.standing for engine in report.engines)]
    assert games == [(3, 0, 1), (1, 1, 2), (1, 1, 2)]
    standing = report.engines[0].standing
    assert standing.score is not None
    assert standing.elo is not None
    assert standing.score.value == 0.75
    assert standing.elo.value == pytest.approx(400 * math.log10(3))
