"""The probability of winning the game from a score, roughly: a race of two normal sums.

Every way a game can end gives it to the higher total, so what counts is whether the difference of the totals is above
zero when the race stops. The difference moves by a normal amount each hand; how many hands are left follows from the
higher total, the floor and the cap; bags count by the penalties they will probably bring in that time. Only additions,
multiplications, divisions and square roots are used, so the figures are the same on every machine.
"""

from __future__ import annotations

from math import sqrt

from spades_engine.equity.normal import normal_cdf
from spades_engine.game import Form, RuleSet

_HALF = 0.5
_SPEED = {Form.DRAFT: (48.0, 58.0, 0.9), Form.PARTNERS: (55.0, 75.0, 1.1), Form.DUEL: (43.0, 50.0, 1.1)}
"""Measured on the rule policy against itself, a hand and side: points before penalties, standard deviation of the
difference, bags."""

_BLIND_SPREAD = 140.0
"""The standard deviation between partnerships that exchange after a blind nil: the side behind calls one, and mostly
makes it.
"""
_LEAST_HANDS = 1.0
_BAG_SPREAD = 1.5


Speed = tuple[float, float, float]
"""Of a hand: a side's points before penalties, the standard deviation of the difference of both, a side's bags."""


class Race:
    """The race under one rule set, at the speed that was measured for its form unless another is given."""

    __slots__ = ("_bags", "_limit", "_pace", "_penalty", "_rules", "_spread", "_target")

    def __init__(self, rules: RuleSet, speed: Speed | None = None) -> None:
        self._rules = rules
        self._pace, self._spread, self._bags = _SPEED[rules.form] if speed is None else speed
        if rules.blind_nil and rules.exchange == "partner" and rules.exchange_count:
            self._spread = max(self._spread, _BLIND_SPREAD * min(1.0, rules.blind_nil / 200))
        self._limit = rules.bag_limit or 0
        self._penalty = rules.bag_penalty if self._limit else 0
        self._target = rules.target

    def wins(self, totals: tuple[int, int], bags: tuple[int, int], hands_played: int) -> float:
        """The probability that the first side wins a game that goes on, whoever bids first."""
        left = max(min(self.hands_left(totals), float(self._rules.hand_cap - hands_played)), _LEAST_HANDS)
        lead = totals[0] - totals[1] - self._penalties(bags[0], left) + self._penalties(bags[1], left)
        return normal_cdf(lead / (self._spread * sqrt(left)))

    def hands_left(self, totals: tuple[int, int]) -> float:
        """About how many hands it takes until somebody wins, without a cap."""
        pace = self._pace
        if self._limit:
            pace -= self._bags * self._penalty / self._limit
            pace = max(pace, self._pace / 4)
        left = (self._target - max(totals)) / pace + _HALF
        floor = self._rules.floor
        if floor is not None:
            room = (min(totals) - floor) / self._spread
            left = min(left, 1.0 + 2.0 * room * room)
        return left

    def _penalties(self, bags: int, left: float) -> float:
        """The points that bag penalties should cost in the hands left."""
        if not self._penalty:
            return 0.0
        coming = bags + self._bags * left
        spread = _BAG_SPREAD * sqrt(left)
        due = 0.0
        at = self._limit
        while True:
            chance = normal_cdf((coming + _HALF - at) / spread)
            due += chance
            at += self._limit
            if chance < 0.001 or at > coming + 4 * spread + self._limit:
                return due * self._penalty
