"""The probability of winning from a score."""

import math
from itertools import pairwise

import pytest

from spades_engine.equity.model import Equity
from spades_engine.equity.normal import normal_cdf
from spades_engine.game import PRESETS, RuleSet

SCORES = [(a, b) for a in range(-150, 500, 65) for b in range(-150, 500, 65)]


def equity_of(preset: str, **options: str) -> Equity:
    """The model for a preset with some options changed."""
    return Equity(RuleSet.preset_named(preset).with_options(options))


def test_normal_table() -> None:
    """The tabulated normal distribution is within 0.00012 of the mathematics library's, and symmetric."""
    for n in range(-700, 701):
        x = n / 100
        assert abs(normal_cdf(x) - 0.5 * (1 + math.erf(x / math.sqrt(2)))) < 1.2e-4
        assert normal_cdf(x) + normal_cdf(-x) == 1.0


@pytest.mark.parametrize("preset", PRESETS)
def test_both_sides_make_one(preset: str) -> None:
    """What one side wins the other loses: exchanging the sides gives the rest to one."""
    equity = equity_of(preset)
    for a, b in SCORES:
        here, there = equity.after_hand((a, b), (3, 7), 9), equity.after_hand((b, a), (7, 3), 9)
        assert abs(here + there - 1.0) < 1e-9
        assert 0.0 <= here <= 1.0


@pytest.mark.parametrize("preset", PRESETS)
def test_more_points_are_never_worse(preset: str) -> None:
    """With everything else equal more points never lower the probability of winning."""
    equity = equity_of(preset)
    for b in range(-150, 290, 55):
        row = [equity.after_hand((a, b), (2, 2), 5) for a in range(-190, 620, 10)]
        assert all(low <= high + 1e-9 for low, high in pairwise(row))


@pytest.mark.parametrize("preset", PRESETS)
def test_level_scores_are_even(preset: str) -> None:
    """Equal totals and bags are an even game."""
    equity = equity_of(preset)
    for total in range(-150, 300, 30):
        assert equity.after_hand((total, total), (4, 4), 3) == 0.5


def test_a_game_that_is_over_is_certain() -> None:
    """Where the rules end the game its result is taken: target, floor, cap, and half for a draw."""
    equity = equity_of("duel")
    assert equity.after_hand((500, 499), (0, 0), 8) == 1.0
    assert equity.after_hand((501, 512), (0, 0), 8) == 0.0
    assert equity.after_hand((10, -200), (0, 0), 8) == 1.0
    assert equity.after_hand((-230, -210), (0, 0), 8) == 0.0
    assert equity.after_hand((40, 50), (0, 0), 200) == 0.0
    assert equity.after_hand((50, 50), (0, 0), 200) == 0.5


def test_a_tie_at_the_target_is_open() -> None:
    """Both at the target with equal totals: another hand is played, and nobody is ahead."""
    assert equity_of("draft").after_hand((510, 510), (0, 0), 12) == 0.5


def test_bags_near_a_penalty_cost() -> None:
    """Nine bags are worse than none at equal totals, unless bags are never punished."""
    assert equity_of("draft").after_hand((200, 200), (9, 0), 5) < 0.45
    assert equity_of("draft", bag_limit="none").after_hand((200, 200), (9, 0), 5) == 0.5
    assert equity_of("draft", bag_penalty="0").after_hand((200, 200), (9, 0), 5) == 0.5


def test_a_lead_counts_more_near_the_end() -> None:
    """The same lead is worth more the nearer the target, and with fewer hands left to the cap."""
    equity = equity_of("partners")
    assert equity.after_hand((450, 400), (0, 0), 9) > equity.after_hand((100, 50), (0, 0), 2) > 0.5
    assert equity.after_hand((100, 50), (0, 0), 199) > equity.after_hand((100, 50), (0, 0), 2)


def test_target_is_read_from_the_options() -> None:
    """A lead of 90 points is nearly the game at a target of 150, and little at 5000."""
    assert equity_of("draft", target="150").after_hand((140, 50), (0, 0), 4) > 0.85
    assert equity_of("draft", target="5000").after_hand((140, 50), (0, 0), 4) < 0.6
