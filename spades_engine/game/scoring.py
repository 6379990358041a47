"""What a side scores for a hand, and when the game ends. Bags are a count of their own, never read off the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spades_engine.game.bids import Bid, BidKind
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Side


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One side's score for one hand: the five named parts in points, and the bags."""

    contract: int
    overtricks: int
    nil: int
    blindnil: int
    penalty: int
    bags: int
    """Bags gained in this hand."""
    bags_after: int
    """The running count after it, penalties taken off."""
    points: int
    """The sum of the five parts."""


def score_side(rules: RuleSet, bids: Sequence[Bid], tricks: Sequence[int], bags_before: int) -> Breakdown:
    """Score one side: its seats' bids and tricks won, in the same order, and its running bags before the hand."""
    nil = blindnil = 0
    contract = contract_tricks = nil_tricks = 0
    has_contract = False
    for bid, won in zip(bids, tricks, strict=True):
        if bid.kind is BidKind.CONTRACT:
            has_contract = True
            contract += bid.tricks
            contract_tricks += won
            continue
        nil_tricks += won
        if bid.kind is BidKind.NIL:
            nil += _nil_value(rules.nil, won)
        else:
            blindnil += _nil_value(rules.blind_nil, won)

    points, bags, spare = 0, 0, nil_tricks  # spare: tricks of failed nils that served no contract
    if has_contract:
        counted = contract_tricks + nil_tricks if rules.failed_nil_helps else contract_tricks
        if counted >= contract:
            points = 10 * contract
            bags = max(contract_tricks - contract, 0)
            spare -= max(contract - contract_tricks, 0)
        else:
            points = -10 * contract
            if rules.failed_nil_helps:
                spare = 0
    if rules.failed_nil_bags:
        bags += spare

    due, bags_after = 0, bags_before + bags
    if rules.bag_limit is not None:
        due, bags_after = divmod(bags_after, rules.bag_limit)
    overtricks = bags * rules.bag_points
    penalty = -due * rules.bag_penalty
    total = points + overtricks + nil + blindnil + penalty
    return Breakdown(points, overtricks, nil, blindnil, penalty, bags, bags_after, total)


def _nil_value(worth: int | None, won: int) -> int:
    if worth is None:
        raise ValueError("a nil was bid in a game that has none")
    return -worth if won else worth


def game_end(rules: RuleSet, totals: tuple[int, int], hands_played: int) -> tuple[bool, Side | None, str | None]:
    """Whether the game has ended after a hand, who won (None: nobody, or a draw), and "target", "floor" or "cap"."""
    first, second = totals
    high = max(first, second)
    ahead = None if first == second else Side.FIRST if first > second else Side.SECOND
    if ahead is not None:
        if high >= rules.target:
            return True, ahead, "target"
        if rules.floor is not None and min(first, second) <= rules.floor:
            return True, ahead, "floor"
    if hands_played >= rules.hand_cap:
        return True, ahead, "cap"
    return False, None, None
