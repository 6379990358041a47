"""What the end of a hand is worth: the real scores, and the probability of winning the game after them."""

from __future__ import annotations

from dataclasses import dataclass

from spades_engine.equity.model import Equity
from spades_engine.game import BLIND_NIL, CONTRACTS, NIL, Action, Bid, RuleSet, View, score_side
from spades_engine.search.table import Table
from spades_engine.search.terms import BLIND, CONTRACT

TRICK_COUNTS = 14
POINT_WEIGHT = 1e-6
"""What a point of the hand counts beside the equity: it decides where the game is won or lost either way."""

_BIDS: dict[int, Bid] = {BLIND: BLIND_NIL, 1: NIL}


def bid_of(kind: int, tricks: int) -> Bid:
    """A light position's bid as the rules have it."""
    return CONTRACTS[tricks] if kind == CONTRACT else _BIDS[kind]


Payoff = tuple[float, int, bool]
"""For one seat at the end of a hand: its side's probability of winning the game, the points of the hand (own side's
less the other's), and whether its side's contract, or the seat's own nil, was made."""


def next_first_bidder(view: View) -> int:
    """Who bids first in the hand after the one in progress, as an index of the seats."""
    rules = view.rules
    assert view.first is not None
    return rules.seats.index(rules.next_seat(rules.first_bidder_of(view.first)))


class Scorer:
    """Payoffs at the end of a hand that began with the scores of a view, for the view's seat; each worked out once.

    Without `heeds_score` every hand is valued as the first of a game.
    """

    __slots__ = ("_bags", "_equity", "_hands_played", "_known", "_next_first", "_rules", "_seat", "_totals")

    def __init__(self, view: View, equity: Equity, seat: int, *, heeds_score: bool = True) -> None:
        self._rules: RuleSet = view.rules
        self._equity = equity
        self._seat = seat
        self._totals = view.totals if heeds_score else (0, 0)
        self._bags = view.bags if heeds_score else (0, 0)
        self._hands_played = view.hands_played if heeds_score else 0
        self._next_first = next_first_bidder(view)
        self._known: dict[tuple[int, ...], Payoff] = {}

    def payoff(self, table: Table) -> Payoff:
        """The payoff of a finished table."""
        return self.payoff_of(table.kinds, table.bids, table.taken)

    def payoff_of(self, kinds: list[int], bids: list[int], taken: list[int]) -> Payoff:
        """The payoff of a hand with these bids and tricks, by seat."""
        key = (*kinds, *bids, *taken)
        found = self._known.get(key)
        if found is None:
            found = self._score(kinds, bids, taken)
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
        bags = (first.bags_after, second.bags_after)
        equity = self._equity.after_hand(totals, bags, self._hands_played + 1, self._next_first)
        points = first.points - second.points
        side = self._seat & 1
        made_it = scores[side].contract >= 0 if kinds[self._seat] == CONTRACT else not taken[self._seat]
        return (1.0 - equity, -points, made_it) if side else (equity, points, made_it)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is expected of one action, for the side of the seat to act."""

    action: Action
    equity: float
    """Probability of winning the game, a draw counted half."""
    points: float
    """Points of this hand, own side's less the other's."""
    make: float
    """Probability that the side makes its contract (a nil: that the seat wins no trick)."""
    tricks: tuple[float, ...]
    """Probabilities that the seat wins 0 to 13 tricks."""


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
