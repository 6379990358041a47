"""The probability of winning the game from a score: exact where the game has ended, by table or by race before."""

from __future__ import annotations

import threading

from spades_engine.equity.chart import Chart, chart_of
from spades_engine.equity.lattice import speed_of
from spades_engine.equity.race import Race
from spades_engine.game import RuleSet, game_end

_HALF = 0.5
_CAP_HANDS = 2.0
_CAP_MORE_HANDS = 4.0
"""A cap is far when it leaves so many times the hands that the game should take, and so many more."""


class Equity:
    """The win probabilities of one rule set, remembered as they are asked for.

    Two players: a table over all scores, made at the first question that needs it; `prepare` keeps a question from
    waiting. Partners, near the cap on hands, and still far from a distant target: a race, which does not ask who bids
    first.
    """

    __slots__ = ("_chart", "_has_chart", "_is_patient", "_known", "_loaded", "_loader", "_race", "_rules")

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._has_chart = not rules.has_partners
        self._race = Race(rules, speed_of(rules) if self._has_chart else None)
        self._chart: Chart | None = None
        self._is_patient = True
        self._loaded: Chart | None = None
        self._loader: threading.Thread | None = None
        self._known: dict[tuple[int, int, int, int, int, int | None], float] = {}

    def prepare(self, *, wait: bool) -> None:
        """Get the table, or with `wait` false have it made aside: until a later call finds it there, the race answers.

        To be called between searches, so that all of a search is by one measure.
        """
        self._is_patient = wait
        if not self._has_chart or self._chart is not None:
            return
        if wait:
            self._loaded = chart_of(self._rules)
        elif self._loader is None:
            self._loader = threading.Thread(target=self._load, name="equity", daemon=True)
            self._loader.start()
        if self._loaded is not None:
            self._chart = self._loaded
            self._known.clear()

    def _load(self) -> None:
        self._loaded = chart_of(self._rules)

    def after_hand(
        self, totals: tuple[int, int], bags: tuple[int, int], hands_played: int, first: int | None = None
    ) -> float:
        """The probability that the first side wins a game that stands so after a hand; exact where that ended it.

        `first` is who bids first in the hand that comes next, as an index of `rules.seats`; None: it is open, either
        with the same probability. A draw counts half.
        """
        key = (*totals, *bags, hands_played, first)
        value = self._known.get(key)
        if value is None:
            ended, winner, _ = game_end(self._rules, totals, hands_played)
            if ended:
                value = _HALF if winner is None else 1.0 if winner == 0 else 0.0
            else:
                value = self._wins(totals, bags, hands_played, first)
            self._known[key] = value
        return value

    def during(
        self, totals: tuple[int, int], bags: tuple[int, int], hands_played: int, first: int | None = None
    ) -> float:
        """The same before a hand that is still to be played, whatever the totals; `first` bids first in that hand."""
        if game_end(self._rules, totals, 0)[0]:
            return self._race.wins(totals, bags, hands_played)
        return self._wins(totals, bags, hands_played, first)

    def _wins(self, totals: tuple[int, int], bags: tuple[int, int], hands_played: int, first: int | None) -> float:
        if not self._has_chart or self._is_cap_near(totals, hands_played):
            return self._race.wins(totals, bags, hands_played)
        chart = self._chart
        if chart is None:
            if not self._is_patient:
                return self._race.wins(totals, bags, hands_played)
            chart = self._chart = chart_of(self._rules)
        share = chart.share(max(totals))
        if share == 0.0:
            return self._race.wins(totals, bags, hands_played)
        value = _by_chart(chart, totals, bags, first)
        if share < 1.0:
            value += (1.0 - share) * (self._race.wins(totals, bags, hands_played) - value)
        return value

    def _is_cap_near(self, totals: tuple[int, int], hands_played: int) -> bool:
        left = self._rules.hand_cap - hands_played
        return left < _CAP_HANDS * self._race.hands_left(totals) + _CAP_MORE_HANDS


def _by_chart(chart: Chart, totals: tuple[int, int], bags: tuple[int, int], first: int | None) -> float:
    """The probability that the first side wins, by the table alone."""
    if first == 0:
        return chart.wins(totals[0], bags[0], totals[1], bags[1])
    other = chart.wins(totals[1], bags[1], totals[0], bags[0])
    if first is not None:
        return 1.0 - other
    return _HALF + (chart.wins(totals[0], bags[0], totals[1], bags[1]) - other) / 2
