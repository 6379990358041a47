"""Whether to call a blind nil: only from far behind, and only if it gives a better chance of winning the game."""

from __future__ import annotations

from spades_engine.equity.model import Equity
from spades_engine.game import RuleSet, Side
from spades_engine.search.terms import PARTNERS

_CHANCE = (0.17, 0.60, 0.01)
"""How often a blind nil is made, by form, measured on the rule policy against itself."""
_CHANCE_WITHOUT_EXCHANGE = (0.07, 0.20, 0.01)
_FAR_BEHIND = 5
"""Far behind is this part of the target, as a divisor."""
_MARGIN = 0.01
_SWING = 1.2247
_POINTS = (45, 50, 35)
_SPREAD = (50.0, 65.0, 60.0)


def calls_blind(
    rules: RuleSet,
    equity: Equity,
    side: Side,
    totals: tuple[int, int],
    bags: tuple[int, int],
    hands_played: int,
    form: int,
    bidder: int | None = None,
) -> bool:
    """Whether a seat of that side calls at this score, before the hand; `bidder` is the index of its first bidder."""
    if rules.blind_nil is None or not is_far_behind(rules, side, totals):
        return False
    usual = equity.during(totals, bags, hands_played, bidder)
    chances = _CHANCE if rules.exchange != "none" and rules.exchange_count else _CHANCE_WITHOUT_EXCHANGE
    next_first = None if bidder is None else (bidder + 1) % len(rules.seats)
    made = _after(rules.blind_nil, equity, side, totals, bags, hands_played, form, next_first)
    failed = _after(-rules.blind_nil, equity, side, totals, bags, hands_played, form, next_first)
    chance = chances[form]
    if side is Side.SECOND:
        usual = 1.0 - usual
    return chance * made + (1.0 - chance) * failed > usual + _MARGIN


def is_far_behind(rules: RuleSet, side: Side, totals: tuple[int, int]) -> bool:
    """Whether the side is so far behind that a blind nil is thought of at all."""
    return totals[side.other] - totals[side] >= max(rules.blind_deficit, rules.target // _FAR_BEHIND)


def _after(
    points: int,
    equity: Equity,
    side: Side,
    totals: tuple[int, int],
    bags: tuple[int, int],
    hands_played: int,
    form: int,
    next_first: int | None,
) -> float:
    """The side's win probability if the hand brings it `points`, over three typical results of the other side."""
    total = 0.0
    partner = _POINTS[form] // 2 if form == PARTNERS else 0
    for weight, swing in ((1.0, -_SWING), (4.0, 0.0), (1.0, _SWING)):
        theirs = int(_POINTS[form] + swing * _SPREAD[form])
        ours = points + partner
        change = (ours, theirs) if side is Side.FIRST else (theirs, ours)
        after = (totals[0] + change[0], totals[1] + change[1])
        value = equity.after_hand(after, bags, hands_played + 1, next_first)
        total += weight * (value if side is Side.FIRST else 1.0 - value)
    return total / 6.0
