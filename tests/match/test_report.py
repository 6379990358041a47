"""The report's figures, from small results files whose figures are known by hand.

The builders of such files are here, and serve the other tests of the report.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from spades_engine.game import RuleSet
from spades_match.engines import EngineSpec
from spades_match.outcomes import MatchError, Outcome
from spades_match.plan import Plan
from spades_match.report import MatchReport, gather
from spades_match.report.hands import decisions, side_hands
from spades_match.statistics import Estimate, SprtDesign, SprtState, sprt_of_points
from spades_match.statistics.estimate import Moments
from spades_match.store import timing_path
from tests.match.playing import instant, play

T_2 = 4.302652729911275  # Student's 97.5% point with two degrees of freedom, from printed tables
NELO = 800 / math.log(10)


# Builders -------------------------------------------------------------------------------------------------------------


def header(names: Sequence[str] = ("A", "B"), **plan: Any) -> dict[str, Any]:
    """Return the header of a match of engines with these names; by default of 5 pairs of single hands."""
    specs = tuple(EngineSpec(name, ("engine", name)) for name in names)
    settings = {"rules": "draft", "pairs": 5, **plan}
    return Plan(specs, **settings).header({name: f"Engine {name} 1.0" for name in names}, "1.2.3")


def hand(
    bids: str, tricks: Sequence[int], points: Sequence[int], bags: Sequence[int], by: str, seats: str = "SN"
) -> dict[str, Any]:
    """Return the description of a hand; bids, tricks and engines by seat, points and bags by side."""
    sides = ("S", "N") if len(seats) == 2 else ("NS", "EW")
    return {
        "bids": dict(zip(seats, bids.split(), strict=True)),
        "tricks": dict(zip(seats, tricks, strict=True)),
        "points": dict(zip(sides, points, strict=True)),
        "bags": dict(zip(sides, bags, strict=True)),
        "by": dict(zip(seats, by, strict=True)),
    }


def board(
    hands: Sequence[Mapping[str, Any]] = (),
    *,
    swapped: bool = False,
    points: Sequence[int] = (0, 0),
    winner: str | None = None,
    fault: tuple[str, str, str] = ("normal", "", ""),
    record: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a board; `points` are by engine, `fault` is its outcome, the engine at fault and what happened."""
    outcome, culprit, detail = fault
    return {
        "swapped": swapped,
        "outcome": outcome,
        "culprit": culprit or None,
        "detail": detail,
        "points": list(points),
        "winner": winner,
        "hands": len(hands),
        "record": list(record),
        "hands_detail": list(hands),
    }


def pair(number: int, boards: Sequence[Mapping[str, Any]], engines: Sequence[str] = ("A", "B")) -> dict[str, Any]:
    """Return a pair."""
    about = {"pair": number, "rules": "draft", "options": {}, "mode": "hands", "seed": f"0.{number}"}
    return {**about, "engines": list(engines), "boards": list(boards)}


def write(
    path: Path,
    head: Mapping[str, Any],
    pairs: Sequence[Mapping[str, Any]],
    timing: Sequence[Mapping[str, Any]] | None = None,
) -> Path:
    """Write a results file, and a timing file if there is to be one."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [head, *pairs]), "utf-8")
    if timing is not None:
        timing_path(path).write_text("".join(f"{json.dumps(line)}\n" for line in timing), "utf-8")
    return path


# Three pairs of single hands with two players: points are 10 for each trick of a contract made and 1 for each bag.
THREE = [
    pair(
        0,
        [
            board([hand("5 6", (6, 7), (51, 61), (1, 1), "AB")], points=(51, 61)),
            board([hand("7 nil", (13, 0), (76, 100), (6, 0), "BA")], points=(100, 76), swapped=True),
        ],
    ),
    pair(
        1,
        [
            board([hand("4 9", (3, 10), (-40, 91), (0, 1), "AB")], points=(-40, 91)),
            board([hand("blindnil 4", (9, 4), (-200, 40), (0, 0), "BA")], points=(40, -200), swapped=True),
        ],
    ),
    pair(
        2,
        [
            board(points=(0, -200), fault=("crash", "B", "the process ended")),
            board([hand("9 nil", (11, 2), (92, -100), (2, 0), "BA")], points=(-100, 92), swapped=True),
        ],
    ),
]
TIMES_A, TIMES_B = [1.0, 2.0, 3.0], [10.0, 20.0]
THREE_TIMED = [
    {
        "pair": 0,
        "engines": ["A", "B"],
        "boards": [
            {
                "swapped": False,
                "times": {"A": TIMES_A, "B": TIMES_B},
                "predictions": [
                    {"engine": "A", "hand": 1, "seat": "S", "phase": "bid", "action": "bid 5", "make": 0.75},
                    {"engine": "A", "hand": 1, "seat": "S", "phase": "blind", "action": "look", "make": 0.1},
                    {"engine": "B", "hand": 1, "seat": "N", "phase": "bid", "action": "bid 6", "make": 1.5},
                ],
            },
            {
                "swapped": True,
                "times": {},
                "predictions": [
                    {"engine": "A", "hand": 1, "seat": "N", "phase": "bid", "action": "bid nil", "make": 0.25}
                ],
            },
        ],
    },
    {
        "pair": 1,
        "engines": ["A", "B"],
        "boards": [
            {
                "swapped": False,
                "times": {},
                "predictions": [
                    {"engine": "A", "hand": 1, "seat": "S", "phase": "bid", "action": "bid 4", "make": 0.75},
                    {"engine": "A", "hand": 2, "seat": "S", "phase": "bid", "action": "bid 4", "make": 0.5},
                ],
            },
            {"swapped": True, "times": {}, "predictions": []},
        ],
    },
]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> MatchReport:
    """Return the report of the three pairs."""
    return gather(write(tmp_path_factory.mktemp("report") / "m.jsonl", header(), THREE, THREE_TIMED))


def close(estimate: Estimate, value: float, low: float, high: float) -> bool:
    """Tell whether an estimate and its interval are these."""
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((value, low, high))
    return True


# Single hands ---------------------------------------------------------------------------------------------------------


def test_pairs_boards_and_hands_are_counted(three: MatchReport) -> None:
    """Three of five pairs are done, with six boards, of which one was broken off before its hand was scored."""
    assert (three.pairs, three.plan.total, three.boards, three.hands, three.forfeits) == (3, 5, 6, 5, 1)
    assert three.encounters[0].pairs == 3
    assert three.version == "1.2.3"


def test_points_per_hand_are_over_pairs(three: MatchReport) -> None:
    """The differences are 14, 109 and 8 for the two hands of each pair; the forfeited board is one of the hands."""
    means = [7.0, 54.5, 4.0]
    reach = T_2 * statistics.stdev(means) / math.sqrt(3)
    encounter = three.encounters[0]
    assert encounter.points == (51, -80)
    assert encounter.hands == 6
    assert close(encounter.points_per_hand, 131 / 6, 131 / 6 - reach, 131 / 6 + reach)
    assert encounter.nelo.value == pytest.approx(131 / 6 / statistics.pstdev(means) / math.sqrt(2) * NELO)
    # Student's distribution with two degrees of freedom has the closed form 1/2 + t / (2 sqrt(t^2 + 2)).
    t = 131 / 6 / (statistics.stdev(means) / math.sqrt(3))
    assert encounter.superiority == pytest.approx(0.5 + t / (2 * math.sqrt(t * t + 2)))
    assert encounter.games is None


def test_curves_follow_the_pairs(three: MatchReport) -> None:
    """The lead is summed up pair by pair, and the running estimate ends with the whole match's."""
    encounter = three.encounters[0]
    assert encounter.lead == ((2, 14), (4, 123), (6, 131))
    assert [pairs for pairs, _ in encounter.running] == [1, 2, 3]
    assert encounter.running[0][1].value == 7.0
    assert encounter.running[-1][1] == encounter.points_per_hand


def test_both_engines_see_the_same_match(three: MatchReport) -> None:
    """What one engine gains for each hand the other loses."""
    first, second = (engine.standing.points_per_hand for engine in three.engines)
    assert first.value == pytest.approx(131 / 6)
    assert (second.value, second.low, second.high) == pytest.approx((-(first.value or 0), -first.high, -first.low))  # type: ignore[operator]


def test_contracts_are_counted_by_bid(three: MatchReport) -> None:
    """A bid 5 once and made it with a bag, and bid 4 twice and made it once; its nils are no contracts."""
    calibration = three.engines[0].calibration
    assert [(row.bid, row.hands, row.made, row.set) for row in calibration.by_bid] == [(4, 2, 1, 1), (5, 1, 1, 0)]
    assert (calibration.total.hands, calibration.total.made, calibration.total.mean_bid) == (3, 2, 13 / 3)
    assert calibration.total.tricks_over.value == pytest.approx((1 - 1 + 0) / 3)
    assert calibration.total.bags_per_hand.value == pytest.approx(1 / 3)
    other = three.engines[1].calibration
    assert [(row.bid, row.hands, row.made) for row in other.by_bid] == [(6, 1, 1), (7, 1, 1), (9, 2, 2)]
    assert other.total.tricks_over.value == pytest.approx((1 + 6 + 1 + 2) / 4)


def test_bags_are_over_all_scored_hands(three: MatchReport) -> None:
    """A took 1 bag in five hands and B took 10; hands with a nil count, the one broken off does not."""
    assert [engine.bags_per_hand.value for engine in three.engines] == [1 / 5, 10 / 5]


def test_nils_are_booked_with_their_points(three: MatchReport) -> None:
    """A made one nil of two, for nothing in all; B's only blind nil was set, for 200 points."""
    first, second = (engine.nils for engine in three.engines)
    assert (first.nil.bid, first.nil.made, first.nil.set, first.nil.points) == (2, 1, 1, 0)
    assert (first.blind_nil.bid, first.blind_nil.success.value) == (0, None)
    assert (second.blind_nil.bid, second.blind_nil.made, second.blind_nil.points) == (1, 0, -200)
    assert second.nil.bid == 0


def test_outcomes_name_the_engine_at_fault(three: MatchReport) -> None:
    """Every outcome there is has a row; B crashed once."""
    rows = {row.outcome: (row.boards, dict(row.by_engine)) for row in three.outcomes}
    assert list(rows) == list(Outcome)
    assert rows[Outcome.NORMAL] == (5, {})
    assert rows[Outcome.CRASH] == (1, {"B": 1})
    assert sum(boards for boards, _ in rows.values()) == 6
    assert [(note.pair, note.board, note.engine, note.detail) for note in three.faults] == [
        (2, 1, "B", "the process ended")
    ]
    assert [engine.forfeits for engine in three.engines] == [0, 1]


def test_predictions_are_compared_with_what_happened(three: MatchReport) -> None:
    """A gave its bids 0.75 (made), 0.75 (set) and its nil 0.25 (made); B's 1.5 is no probability.

    A figure given with `look` is about no bid, and that of a second hand never scored is left out.
    """
    making = three.engines[0].making
    assert making.count == 3
    assert making.bias.value == pytest.approx((0.25 + 0.75 - 0.75) / 3)
    assert making.brier == pytest.approx((0.0625 + 0.5625 + 0.5625) / 3)
    assert {row.low: (row.count, row.happened) for row in making.rows if row.count} == {0.2: (1, 1), 0.7: (2, 1)}
    assert (three.engines[1].making.count, three.engines[1].unusable) == (0, 1)
    assert three.engines[0].winning.count == 0


def test_times_are_summed_up(three: MatchReport) -> None:
    """Counts, means and the longest time are exact; times that the record has no lines for have no phase."""
    first, second = (engine.time for engine in three.engines)
    assert (first.count, first.mean, first.greatest) == (3, 2.0, 3.0)
    assert (second.count, second.mean, second.greatest) == (2, 15.0, 20.0)
    assert list(three.engines[0].times) == ["other"]
    assert three.timed == 2


# Hands and decisions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "bids", "tricks", "made", "counted"),
    [
        ({}, "4 3 nil 2", (4, 5, 1, 3), True, 4),
        ({}, "4 3 nil 2", (3, 6, 1, 3), False, 3),
        ({"failed_nil_helps": "yes"}, "4 3 nil 2", (3, 6, 1, 3), True, 4),
        ({}, "4 3 2 2", (3, 5, 3, 2), True, 6),
        ({}, "4 3 2 2", (2, 5, 3, 3), False, 5),
    ],
)
def test_a_partnerships_contract_is_both_bids(
    options: Mapping[str, str], bids: str, tricks: Sequence[int], made: bool, counted: int
) -> None:
    """Partners' bids and tricks are added, without a nil's, unless the rules let a failed nil's tricks help."""
    rules = RuleSet.preset_named("partners").with_options(options)
    side, _ = side_hands(rules, hand(bids, tricks, (0, 0), (0, 0), "ABAB", "NESW"))
    assert side.contract is not None
    assert (side.engine, side.contract.made, side.contract.tricks) == ("A", made, counted)
    assert [(nil.blind, nil.made, nil.points) for nil in side.nils] == ([(False, False, -100)] if "nil" in bids else [])
    assert side.made["N"] is made


def test_two_nils_are_no_contract() -> None:
    """A side whose seats both bid a nil has no contract, and a nil that is made brings what the rules say."""
    rules = RuleSet.preset_named("partners").with_options({"nil": "50"})
    side, _ = side_hands(rules, hand("nil 5 blindnil 5", (0, 6, 2, 5), (0, 0), (2, 1), "ABAB", "NESW"))
    assert side.contract is None
    assert [(nil.blind, nil.made, nil.points) for nil in side.nils] == [(False, True, 50), (True, False, -200)]
    assert side.made == {"N": True, "S": False}


def test_decisions_are_told_from_what_the_dealer_does() -> None:
    """Cards drawn, and the cards shown to who has called blind nil, are nobody's decision."""
    record = [
        "newgame rules=draft dealer=host view=all first=S",
        "deal 1 first=S",
        "look S",
        "draft S draw 2D",
        "draft S pass AS",
        "bid N blindnil",
        "look N 2C,3C",
        "swap N none",
        "bid S 5",
        "play S 5H",
        "score S=+52 N=-200 bags.S=2 bags.N=0 total.S=52 total.N=-200",
        "deal 2 first=N",
        "look N",
    ]
    assert list(decisions(record)) == [
        ("S", "blind"),
        ("S", "draft"),
        ("N", "blind"),
        ("N", "swap"),
        ("S", "bid"),
        ("S", "play"),
        ("N", "blind"),
    ]


@pytest.mark.parametrize("rules", ["draft", "draft300", "partners", "duel"])
def test_every_decision_of_a_real_match_has_its_phase(tmp_path: Path, rules: str) -> None:
    """In matches that were played, each seat plays 13 cards and, in a draft, decides 13 times; none is left over."""
    path = tmp_path / "m.jsonl"
    play(Plan((instant("A"), instant("B", "--style", "1")), rules, pairs=2), path)
    report = gather(path)
    drafts = 13 if rules.startswith("draft") else 0
    seats = 2 if rules == "partners" else 1
    for engine in report.engines:
        counts = {phase: sketch.count for phase, sketch in engine.times.items()}
        assert "other" not in counts
        assert counts["play"] == 13 * seats * report.hands
        assert counts.get("draft", 0) == drafts * report.hands
        assert counts.get("bid", 0) + engine.nils.blind_nil.bid == seats * report.hands


def test_an_illegal_answer_is_timed_without_a_phase(tmp_path: Path) -> None:
    """The answer that lost the board has a time and no line in the record: it is among the others."""
    path = tmp_path / "m.jsonl"
    faulty = instant("B", "--fault", "illegal", "--at", "3")
    play(Plan((instant("A"), faulty), "duel", pairs=1), path)
    report = gather(path)
    first, second = report.engines
    assert "other" not in first.times
    assert second.times["other"].count == second.forfeits > 0


# Files that are not whole ---------------------------------------------------------------------------------------------


def test_a_sequential_test_keeps_its_first_decision(tmp_path: Path) -> None:
    """The test stands where the last pair has left it; what it once decided stays decided."""
    differences = [100, 120, 80, 100, 120, 80, 100, 120, 80, 100, 120, 80, -900, -1000]
    pairs = [
        pair(number, [board(points=(value, 0)), board(points=(value, 0), swapped=True)])
        for number, value in enumerate(differences)
    ]
    raw = {"nelo0": 0.0, "nelo1": 300.0, "alpha": 0.05, "beta": 0.1}
    report = gather(write(tmp_path / "m.jsonl", {**header(pairs=14), "sprt": raw}, pairs))
    design = SprtDesign(0.0, 300.0, 0.05, 0.1)
    statuses = [sprt_of_points(Moments.of(differences[: end + 1]), design) for end in range(len(differences))]
    first = next(status for status in statuses if status.state is not SprtState.UNDECIDED)
    test = report.encounters[0].sprt
    assert test is not None
    assert test.status.llr == pytest.approx(statuses[-1].llr)
    assert test.status.units == 14
    assert (test.status.lower, test.status.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert test.decision is not None
    assert (test.decision.units, test.verdict) == (first.units, SprtState.ACCEPT_H1)
    assert test.status.llr < test.decision.llr


def test_half_a_line_at_the_end_is_left_out(tmp_path: Path) -> None:
    """A match that is being played, or was killed, is reported up to its last whole pair."""
    path = write(tmp_path / "m.jsonl", header(), THREE)
    path.write_bytes(path.read_bytes()[:-20])
    assert gather(path).pairs == 2


@pytest.mark.parametrize("damage", [{"engines": ["A", "C"]}, {"boards": [{}]}, {"boards": None}])
def test_a_pair_that_makes_no_sense_is_named(tmp_path: Path, damage: Mapping[str, Any]) -> None:
    """A damaged pair is an error that names file and line."""
    path = write(tmp_path / "m.jsonl", header(), [{**THREE[0], **damage}])
    with pytest.raises(MatchError, match=r"m\.jsonl: line 2 is damaged"):
        gather(path)


def test_timing_of_other_pairs_is_left_out(tmp_path: Path) -> None:
    """Lines of the timing file about other engines, and gaps in it, do no harm."""
    other = {**THREE_TIMED[0], "engines": ["A", "C"]}
    report = gather(write(tmp_path / "m.jsonl", header(), THREE, [other, THREE_TIMED[1]]))
    assert (report.timed, report.engines[0].time.count) == (1, 0)
    assert report.engines[0].making.count == 1
