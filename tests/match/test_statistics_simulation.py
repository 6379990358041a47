"""Matches with a known truth, few enough for every day; `run_simulation.py` plays many.

Coverage must lie from 94% to 96%, give or take three and a half standard errors of the simulation itself, so that a
fault of a few per cent is caught and chance is not. Seeds are fixed.
"""

import math
from collections.abc import Callable
from random import Random

import pytest

from spades_match.statistics import (
    Prediction,
    SprtDesign,
    expected_units,
    normalised_elo,
    reliability,
)
from tests.match.simulation import (
    PAIR_WORLDS,
    Coverage,
    SequentialRuns,
    bid_coverages,
    drawn_counts,
    game_coverages,
    hand_coverages,
    pairs_of,
    pentanomial_runs,
    points_runs,
    superiority_claims,
    truth_of,
)

SLACK = 3.5


def outside(rows: list[Coverage]) -> list[str]:
    """The coverages that neither 94% to 96% nor chance explains."""
    slack = [SLACK * math.sqrt(0.05 * 0.95 / row.trials) for row in rows]
    return [
        f"{row.name}: {row.rate:.2%}"
        for row, extra in zip(rows, slack, strict=True)
        if not 0.94 - extra <= row.rate <= 0.96 + extra
    ]


def test_intervals_of_games_hold_the_truth() -> None:
    """Intervals of score, win rate, Elo and normalised Elo hold the truth 95 times in 100, for equals and unequals."""
    assert outside(list(game_coverages(Random("games"), 1200, 120))) == []


def test_intervals_of_points_hold_the_truth() -> None:
    """Intervals of points per hand hold the truth 95 times in 100, for single hands and for games of any length."""
    assert outside(list(hand_coverages(Random("hands"), 600, 50))) == []


def test_intervals_of_bids_hold_the_truth() -> None:
    """Rates of bids and nils hold the truth 95 times in 100 although the hands of a pair share their luck."""
    assert outside(list(bid_coverages(Random("bids"), 250, 50))) == []


def test_lopsided_strength_needs_the_whole_variance() -> None:
    """For a much stronger engine an interval that takes the standard deviation as known covers far too little."""
    random = Random("lopsided")
    chances = PAIR_WORLDS["much stronger"]
    score, _, deviation = truth_of(chances)
    truth = (score - 0.5) / deviation / math.sqrt(2) * 800 / math.log(10)
    simple = 1.96 * 800 / math.log(10) / math.sqrt(2 * 150)
    estimates = [normalised_elo(pairs_of(drawn_counts(random, chances, 150))) for _ in range(400)]
    values = [estimate.value for estimate in estimates if estimate.value is not None]
    assert sum(abs(value - truth) <= simple for value in values) < 0.8 * len(values)
    assert sum(estimate.contains(truth) for estimate in estimates) > 0.91 * len(estimates)


@pytest.mark.parametrize("of_points", [False, True])
def test_superiority_means_what_it_says(of_points: bool) -> None:
    """Of the engines called superior with some probability, that share is."""
    for claims in superiority_claims(Random(f"superior {of_points}"), 1500, 40, of_points):
        assert claims.count > 20
        assert abs(claims.deviation) < SLACK


@pytest.mark.parametrize("run", [pentanomial_runs, points_runs])
def test_error_rates_of_the_sequential_test(run: Callable[[Random, int, SprtDesign, float], SequentialRuns]) -> None:
    """At either hypothesis the test errs in about one case of twenty, and takes about as long as planned."""
    design = SprtDesign(0.0, 70.0)
    trials = 200
    for nelo in (design.nelo0, design.nelo1):
        runs = run(Random(f"sprt {nelo}"), trials, design, nelo)
        wrong = runs.rate if nelo == design.nelo0 else 1.0 - runs.rate
        assert wrong <= 0.05 + SLACK * math.sqrt(0.05 * 0.95 / trials)
        assert 0.9 < runs.mean_units / expected_units(design, nelo) < 1.35


def test_true_probabilities_look_reliable() -> None:
    """Predictions that are right show no bias, nine gaps of ten within their intervals, and the Brier score due."""
    random = Random("reliable")
    chances = [random.random() for _ in range(4000)]
    table = reliability([[Prediction(p, random.random() < p)] for p in chances])
    assert table.bias.contains(0.0)
    held = [row.observed.contains(row.mean_predicted) for row in table.rows if row.mean_predicted is not None]
    assert sum(held) >= 9
    assert table.brier == pytest.approx(1 / 6, abs=0.01)  # the mean of p (1 - p)
    assert table.calibration_error is not None
    assert table.calibration_error < 0.03


def test_false_confidence_shows() -> None:
    """An engine that says 90% where 70% happen has its bias and its row shown to be wrong."""
    random = Random("too sure")
    table = reliability([[Prediction(0.9, random.random() < 0.7) for _ in range(2)] for _ in range(300)])
    assert table.bias.value == pytest.approx(-0.2, abs=0.05)
    assert not table.bias.contains(0.0)
    assert not table.rows[9].observed.contains(0.9)
    assert table.brier is not None
    assert table.brier_of_base_rate is not None
    assert table.brier > table.brier_of_base_rate
