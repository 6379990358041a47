"""What the end of a hand is worth: the real scores, and the probability of winning the game after them."""

from __future__ import annotations

from spades_engine.equity.race import Equity
from spades_engine.game import BLIND_NIL, CONTRACTS, NIL, Bid, RuleSet, View, score_side
from spades_engine.search.table import Table
from spades_engine.search.terms import BLIND, CONTRACT

TRICK_COUNTS = 14

_BIDS: dict[int, Bid] = {BLIND: BLIND_NIL, 1: NIL}


def bid_of(kind: int, tricks: int) -> Bid:
    """A light position's bid as the rules have it."""
    return CONTRACTS[tricks] if kind == CONTRACT else _BIDS[kind]


Payoff = tuple[float, int, bool]
"""For one seat at the end of a hand: its side's probability of winning the game, the points of the hand (own side's
less the other's), and whether its side's contract, or the seat's own nil, was made."""


class Scorer:
    """Payoffs at the end of a hand that began with the scores of a view, for the view's seat; each worked out once."""

    __slots__ = ("_bags", "_equity", "_hands_played", "_known", "_rules", "_seat", "_totals")

    def __init__(self, view: View, equity: Equity, seat: int) -> None:
        self._rules: RuleSet = view.rules
        self._equity = equity
        self._seat = seat
        self._totals = view.totals
        self._bags = view.bags
        self._hands_played = view.hands_played
        self._known: dict[tuple[int, ...], Payoff] = {}

    def payoff(self, table: Table) -> Payoff:
        """The payoff of a finished table."""
        key = (*table.kinds, *table.bids, *table.taken)
        found = self._known.get(key)
        if found is None:
            found = self._score(table.kinds, table.bids, table.taken)
            self._known[key] = found
        return found

    def _score(self, kinds: list[int], bids: list[int], taken: list[int]) -> Payoff:
        scores = []
        for side in (0, 1):
            seats = range(side, len(kinds), 2)
            made = [bid_of(kinds[seat], bids[seat]) for seat in seats]
            scores.append(score_side(self._rules, made, [taken[seat] for seat in seats], self._bags[side]))
        first, second = scores
        totals = (self._totals[0] + first.points, self._totals[1] + second.points)
        equity = self._equity.after_hand(totals, (first.bags_after, second.bags_after), self._hands_played + 1)
        points = first.points - second.points
        side = self._seat & 1
        made_it = scores[side].contract >= 0 if kinds[self._seat] == CONTRACT else not taken[self._seat]
        return (1.0 - equity, -points, made_it) if side else (equity, points, made_it)


class Tally:
    """Sums over worlds for one action."""

    __slots__ = ("equity", "made", "points", "tricks", "worlds")

    def __init__(self) -> None:
        self.worlds = 0
        self.equity = 0.0
        self.points = 0
        self.made = 0
        self.tricks = [0] * TRICK_COUNTS

    def add(self, payoff: Payoff, tricks: int) -> None:
        """One more world."""
        self.worlds += 1
        self.equity += payoff[0]
        self.points += payoff[1]
        self.made += payoff[2]
        self.tricks[tricks] += 1
