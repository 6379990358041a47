"""What the table of a two-player game says of scores, bags, the end of the game and the first bid."""

from __future__ import annotations

from array import array
from itertools import accumulate, pairwise
from random import Random

import pytest

from spades_engine.equity import _sweep
from spades_engine.equity.chart import PACKED, WHOLE, Chart, chart_of, solve
from spades_engine.equity.lattice import UNIT, Hands, bid_of, cells_of, speed_of
from spades_engine.equity.model import Equity
from spades_engine.equity.race import Race
from spades_engine.game import RuleSet, game_end, score_side


def rules_of(preset: str, **options: str) -> RuleSet:
    """A preset with some options changed."""
    return RuleSet.preset_named(preset).with_options(options)


@pytest.mark.parametrize("floor", ["-30", "none"])
def test_a_table_is_certain_exactly_where_the_rules_end_the_game(floor: str) -> None:
    """Before any hand is looked at, a table has the winner of `game_end` where that says the game has ended, and is
    open elsewhere, ties at the target among it.
    """
    rules = rules_of("duel", target="60", floor=floor, bag_limit="3")
    lattice = Hands(rules).lattice
    size = len(lattice.totals)
    values = array("f", [0.25]) * (size * size)
    left = _sweep.settle(values, lattice.totals, lattice.bag_counts, lattice.target, lattice.floor)
    counts = lattice.bag_counts
    for mine in range(size):
        for theirs in range(size):
            at = ((mine // counts * lattice.steps + theirs // counts) * counts + mine % counts) * counts
            ended, winner, _ = game_end(rules, (lattice.totals[mine], lattice.totals[theirs]), 0)
            assert values[at + theirs % counts] == (0.25 if not ended else 1.0 if winner == 0 else 0.0)
            left -= not ended
    assert left == 0


@pytest.mark.parametrize("preset", PACKED)
def test_ten_points_more_are_never_worse(preset: str) -> None:
    """With the bags of both sides as they are, ten points more for a side never lower its probability by more than the
    rounding of the table, whoever bids first: play that follows can be the same hand for hand.
    """
    rules = RuleSet.preset_named(preset)
    chart = chart_of(rules)
    low = -150 if rules.floor is None else rules.floor + 10
    for bags in ((0, 0), (9, 0), (3, 8)):
        for theirs in range(low, rules.target, 50):
            mine = [
                chart.wins(total + bags[0], bags[0], theirs, bags[1]) for total in range(low, rules.target - 10, 10)
            ]
            assert all(before <= after + 1.5 / WHOLE for before, after in pairwise(mine))
            other = [chart.wins(theirs, bags[1], total, bags[0]) for total in range(low, rules.target - 10, 10)]
            assert all(before >= after - 1.5 / WHOLE for before, after in pairwise(other))


def bag_worth(equity: Equity, total: int, bags: int, other: int) -> float:
    """What one bag more, with its point, changes for the first side, as a share of a game."""
    return equity.after_hand((total + 1, other), (bags + 1, 0), 4) - equity.after_hand((total, other), (bags, 0), 4)


@pytest.mark.parametrize(("preset", "having", "most"), [("draft", 2, -0.07), ("duel", 1, -0.05)])
def test_a_bag_costs_by_the_score(preset: str, having: int, most: float) -> None:
    """At 0-0 a first bag costs some ten points; at 350-350 the first (two, after a draft) are worth having, and one of
    the sixth to eighth costs the most; nine of them cost a quarter of a game or more.
    """
    equity = Equity(RuleSet.preset_named(preset))
    ten_points = equity.after_hand((10, 0), (0, 0), 4) - 0.5
    assert -12.0 < 10 * bag_worth(equity, 0, 0, 0) / ten_points < -7.0
    row = [bag_worth(equity, 350 + bags, bags, 350) for bags in range(9)]
    assert all(worth > 0.0 for worth in row[:having])
    assert min(row) == min(row[5:8]) < most
    assert sum(row) < -0.25


def test_the_last_bag_is_the_penalty() -> None:
    """One bag more at nine is the change to a hundred points less and no bags, by the table's own figures."""
    rules = RuleSet.preset_named("draft")
    equity = Equity(rules)
    score = score_side(rules, [bid_of(5)], [6], 9)
    assert (score.points, score.bags_after) == (51 - 100, 0)
    assert equity.after_hand((309 - 49, 300), (0, 0), 4, 0) < equity.after_hand((309 + 50, 300), (9, 0), 4, 0)


@pytest.mark.parametrize("preset", PACKED)
def test_an_open_first_bid_is_the_mean_of_both(preset: str) -> None:
    """Not knowing who bids first is either with the same probability, and level scores are then even."""
    equity = Equity(RuleSet.preset_named(preset))
    for a, b, bags in ((20, 113, (0, 3)), (207, 150, (7, 0)), (140, 140, (0, 0))):
        mean = (equity.after_hand((a, b), bags, 5, 0) + equity.after_hand((a, b), bags, 5, 1)) / 2
        assert abs(equity.after_hand((a, b), bags, 5) - mean) < 1e-12
    assert equity.after_hand((140, 140), (0, 0), 5) == 0.5


def test_bidding_last_is_worth_something() -> None:
    """Near the end of a duel it is better that the other side bids first."""
    equity = Equity(RuleSet.preset_named("duel"))
    assert equity.after_hand((450, 450), (0, 0), 9, 1) > 0.52
    assert equity.after_hand((450, 450), (0, 0), 9, 0) < 0.48


def test_a_score_that_no_play_leads_to_lies_between_its_neighbours() -> None:
    """Where points and bags do not match, the probability is drawn as a straight line between the steps around."""
    equity = Equity(RuleSet.preset_named("draft"))
    below, above = equity.during((203, 250), (3, 0), 4, 0), equity.during((213, 250), (3, 0), 4, 0)
    assert abs(equity.during((208, 250), (3, 0), 4, 0) - (below + above) / 2) < 1e-9


def test_a_near_cap_is_a_race() -> None:
    """With few hands left to the cap the table, which knows of none, is not asked; with many it is."""
    near, far = Equity(rules_of("draft", hand_cap="10")), Equity(RuleSet.preset_named("draft"))
    rules = RuleSet.preset_named("draft")
    assert near.during((100, 50), (0, 0), 9, 0) > far.during((100, 50), (0, 0), 9, 0)
    race = Race(rules_of("draft", hand_cap="10"), speed_of(rules))
    assert near.during((100, 50), (0, 0), 9, 0) == race.wins((100, 50), (0, 0), 9)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("draft", {"bag_limit": "5", "bag_penalty": "50"}),
        ("duel", {"bag_limit": "none"}),
        ("draft", {"target": "2000"}),
        ("draft", {"target": "145", "floor": "-43", "min_bid": "4"}),
    ],
)
def test_other_rules_come_to_what_the_table_says(preset: str, options: dict[str, str]) -> None:
    """Games drawn from the same outcomes and scored by the rules are won as often as is said, by the table at the end
    and by the race far from a distant target; where steps and points do not match, within a point in a hundred.
    """
    rules = rules_of(preset, **options)
    equity = Equity(rules)
    games = 1500
    for part, other in ((0.2, 0.1), (0.8, 0.9)):
        totals = int(part * rules.target), int(other * rules.target)
        share = won_games(rules, totals, games)
        expected = equity.during(totals, (0, 0), 0, 0)
        assert abs(share - expected) < 4 * (max(expected * (1 - expected), 0.01) / games) ** 0.5 + 0.01


def won_games(rules: RuleSet, totals: tuple[int, int], games: int) -> float:
    """The share of games that the first side, which bids first, wins when hands are drawn from the outcomes."""
    rng = Random(f"{rules.overrides()} {totals}")
    cells = cells_of(rules)
    edges = list(accumulate(cell[3] for cell in cells))
    won = 0.0
    for _ in range(games):
        now, bags, bidder, hands = list(totals), [0, 0], 0, 0
        while True:
            first, other, tricks, _ = rng.choices(cells, cum_weights=edges)[0]
            for side, bid, taken in ((bidder, first, tricks), (1 - bidder, other, 13 - tricks)):
                score = score_side(rules, [bid_of(bid)], [taken], bags[side])
                now[side] += score.points
                bags[side] = score.bags_after
            hands += 1
            bidder = 1 - bidder
            ended, winner, _ = game_end(rules, (now[0], now[1]), hands)
            if ended:
                won += 0.5 if winner is None else 1.0 - winner
                break
    return won / games


def test_tables_keep_to_a_size() -> None:
    """However far the target and however many bags, a table has few enough standings to be solved in about a second,
    and what lies above its end is told from what lies below.
    """
    for options in ({"target": "5000"}, {"bag_limit": "20"}, {"bag_limit": "1"}, {"floor": "-5000"}, {"nil": "1000"}):
        lattice = Hands(rules_of("draft", **options)).lattice
        assert len(lattice.totals) < 1500
        chart = Chart(lattice, array("H"))
        shares = [chart.share(best) for best in range(-1000, lattice.target, UNIT)]
        assert all(before <= after for before, after in pairwise(shares))
        assert shares[-1] == 1.0
        assert (shares[0] == 1.0) == (not lattice.is_short)


def test_one_more_pass_changes_nothing() -> None:
    """A solved table satisfies its own equations: a further pass moves no entry by more than the rounding."""
    hands = Hands(rules_of("draft", target="150"))
    lattice = hands.lattice
    values = array("f", [entry / WHOLE for entry in solve(hands)])
    sums = array("d", [0.0]) * lattice.bag_counts**2
    shape = (lattice.totals, lattice.bag_counts, lattice.target, lattice.floor)
    moves = (hands.first_follow, hands.other_follow, hands.patches, hands.weights)
    assert _sweep.sweep(values, sums, *shape, *moves) < 2.0 / WHOLE
