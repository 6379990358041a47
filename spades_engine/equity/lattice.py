"""The scores of a two-player game as steps, and what a hand does to them, laid out for the sweep."""

from __future__ import annotations

from array import array
from math import sqrt

from spades_engine.equity.outcomes import BLIND_BID, NIL_BID, OUTCOMES
from spades_engine.game import BLIND_NIL, CONTRACTS, NIL, Bid, RuleSet, score_side

HAND_SIZE = 13

UNIT = 10
"""Points from one step to the next: a trick of a contract."""
_MOST_STANDINGS, _MOST_STEPS = 900, 90
"""As many below the target as a table can have and take about a second; it reaches down as far as they go."""
_DEEP = 100
"""Without a near floor a side that is this far below zero, a penalty besides, is taken to stand there."""
_MOST_GAIN = 250
"""Scores above the target matter only while both sides are there: nobody gets much further in one hand."""
_NO_FLOOR = -(1 << 30)


class Lattice:
    """The standings of a rule set: steps of `UNIT` points from `low` up, and running bags 0..bag_counts-1.

    A standing has `low + UNIT * step + bag_step * bags` points. With the usual bags, a point each and ten a penalty,
    every score of a game from 0-0 is one of these; where bags are never punished they are not counted. A side below
    `low` is taken to stand there. Where that is not far below zero, but as far down as the table could go, `is_short`.
    """

    __slots__ = ("bag_counts", "bag_step", "floor", "is_short", "low", "steps", "target", "totals")

    def __init__(self, rules: RuleSet, gain: int) -> None:
        punished = rules.bag_limit is not None and rules.bag_penalty > 0
        self.bag_counts = (rules.bag_limit or 1) if punished else 1
        self.bag_step = rules.bag_points if punished else 0
        self.target = rules.target
        deep = _DEEP + (rules.bag_penalty if punished else 0)
        bag_points = self.bag_step * (self.bag_counts - 1)
        lowest = -deep if rules.floor is None else max(rules.floor, -deep) - bag_points
        reach = self.target - UNIT * min(_MOST_STANDINGS // self.bag_counts, _MOST_STEPS)
        self.is_short = lowest < reach
        self.low = max(lowest, reach) // UNIT * UNIT
        self.floor = rules.floor if rules.floor is not None and self.low + bag_points <= rules.floor else _NO_FLOOR
        self.steps = (rules.target + min(gain, _MOST_GAIN) - self.low) // UNIT + 2
        self.totals = array(
            "i",
            [
                self.low + UNIT * step + self.bag_step * bags
                for step in range(self.steps)
                for bags in range(self.bag_counts)
            ],
        )

    def around(self, points: int, bags: int) -> tuple[int, int, float]:
        """The steps below and above a total at so many bags, and the part of the way from one to the other.

        Both are on the same side of target and floor as the total itself.
        """
        return self._steps_at(points - self.bag_step * bags, self.bag_step * bags)

    def follow(self, step: int, change: int) -> tuple[int, int]:
        """The steps around the one that lies `change` points from a step, at a middling number of bags."""
        middling = self.bag_step * (self.bag_counts - 1) / 2
        low, high, _ = self._steps_at(self.low + UNIT * step + change, middling)
        return low, high

    def _steps_at(self, points: int, bag_points: float) -> tuple[int, int, float]:
        step, rest = divmod(points - self.low, UNIT)
        last = self.steps - 1
        low = min(max(step, 0), last)
        high = min(max(step + 1, 0), last) if rest else low
        if low != high:
            at_low = self.low + UNIT * low + bag_points
            at_high = at_low + UNIT
            here = points + bag_points
            if at_low < self.target <= at_high:
                low = high = high if here >= self.target else low
            elif at_low <= self.floor < at_high:
                low = high = high if here > self.floor else low
        return low, high, rest / UNIT


class Hands:
    """What one hand can do under a rule set, as `sweep` wants it: moves, patches, weights."""

    __slots__ = ("first_follow", "lattice", "other_follow", "patches", "weights")

    def __init__(self, rules: RuleSet) -> None:
        cells = cells_of(rules)
        self.lattice = lattice = Lattice(rules, _greatest_gain(rules, cells))
        self.patches = array("i")
        self.weights = array("d")
        sides = (_SideMoves(rules, lattice), _SideMoves(rules, lattice))
        for first_bid, other_bid, tricks, chance in cells:
            others = sides[1].of(other_bid, HAND_SIZE - tricks)
            for first_patch, first_part in sides[0].of(first_bid, tricks):
                for other_patch, other_part in others:
                    self.patches.extend(first_patch)
                    self.patches.extend(other_patch)
                    self.weights.append(chance * first_part * other_part)
        self.first_follow, self.other_follow = (side.follow() for side in sides)


class _SideMoves:
    """The moves of one side, numbered as they are met."""

    def __init__(self, rules: RuleSet, lattice: Lattice) -> None:
        self._rules = rules
        self._lattice = lattice
        self._numbers: dict[tuple[int, bool], int] = {}
        self._known: dict[tuple[int, int], list[tuple[tuple[int, int, int, int], float]]] = {}

    def of(self, bid: int, tricks: int) -> list[tuple[tuple[int, int, int, int], float]]:
        """Half patches (move, bags from, bags up to, change of bags) and the part of the chance that each one gets."""
        found = self._known.get((bid, tricks))
        if found is None:
            found = self._known[bid, tricks] = [
                ((move, begin, end, gained), part)
                for begin, end, gained, change in self._ranges(bid, tricks)
                for move, part in self._split(change)
            ]
        return found

    def _ranges(self, bid: int, tricks: int) -> list[tuple[int, int, int, int]]:
        """Ranges of running bags that a hand does the same to: from, up to, change of bags, change of points."""
        lattice = self._lattice
        ranges: list[tuple[int, int, int, int]] = []
        for bags in range(lattice.bag_counts):
            score = score_side(self._rules, [bid_of(bid)], [tricks], bags)
            gained = score.bags_after - bags if lattice.bag_counts > 1 else 0
            change = score.points - lattice.bag_step * gained
            if ranges and ranges[-1][2:] == (gained, change):
                ranges[-1] = (ranges[-1][0], bags + 1, gained, change)
            else:
                ranges.append((bags, bags + 1, gained, change))
        return ranges

    def _split(self, change: int) -> list[tuple[int, float]]:
        """The moves of a change of points and their parts: one, or two where it ends between steps."""
        rest = change % UNIT
        if not rest:
            return [(self._number(change, False), 1.0)]
        part = rest / UNIT
        return [(self._number(change, False), 1.0 - part), (self._number(change, True), part)]

    def _number(self, change: int, is_above: bool) -> int:
        return self._numbers.setdefault((change, is_above), len(self._numbers))

    def follow(self) -> array[int]:
        """The step that each move leads to from each step."""
        steps = array("i")
        for step in range(self._lattice.steps):
            steps.extend([self._lattice.follow(step, change)[is_above] for change, is_above in self._numbers])
        return steps


def bid_of(bid: int) -> Bid:
    """A bid of a cell as the rules have it."""
    return NIL if bid == NIL_BID else BLIND_NIL if bid == BLIND_BID else CONTRACTS[bid]


def cells_of(rules: RuleSet) -> list[tuple[int, int, int, float]]:
    """The hands as these rules allow them, with probabilities that add up to one: bid of the first bidder, of the other
    side, tricks of the first bidder.

    Contracts that are too small are raised; hands with a nil that the rules have not are left out.
    """
    lowest = max(rules.min_bid, 1) if rules.nil_is_zero else rules.min_bid
    merged: dict[tuple[int, int, int], int] = {}
    for first, other, tricks, count in OUTCOMES[rules.form.value]:
        if (NIL_BID in (first, other) and rules.nil is None) or (
            BLIND_BID in (first, other) and rules.blind_nil is None
        ):
            continue
        cell = (
            first if first < 0 else max(first, lowest),
            other if other < 0 else max(other, lowest),
            tricks,
        )
        merged[cell] = merged.get(cell, 0) + count
    total = sum(merged.values())
    return [(*cell, count / total) for cell, count in merged.items()]


def speed_of(rules: RuleSet) -> tuple[float, float, float]:
    """Of the hands as these rules allow them: a side's points before penalties, the standard deviation of the
    difference of both sides with a bag at its part of a penalty, a side's bags.
    """
    punished = rules.bag_limit is not None and rules.bag_penalty > 0
    bag_cost = rules.bag_penalty / (rules.bag_limit or 1) if punished else 0.0
    points = bags = gap = square = 0.0
    for first_bid, other_bid, tricks, chance in cells_of(rules):
        first = score_side(rules, [bid_of(first_bid)], [tricks], 0)
        other = score_side(rules, [bid_of(other_bid)], [HAND_SIZE - tricks], 0)
        points += chance * (first.points - first.penalty + other.points - other.penalty) / 2
        bags += chance * (first.bags + other.bags) / 2
        lead = first.points - first.penalty - other.points + other.penalty - bag_cost * (first.bags - other.bags)
        gap += chance * lead
        square += chance * lead * lead
    return points, sqrt(square - gap * gap), bags


def _greatest_gain(rules: RuleSet, cells: list[tuple[int, int, int, float]]) -> int:
    """The most points that a side can make in one hand."""
    hands = {(first, tricks) for first, _, tricks, _ in cells} | {(o, HAND_SIZE - tricks) for _, o, tricks, _ in cells}
    return max(score_side(rules, [bid_of(bid)], [tricks], 0).points for bid, tricks in hands)
