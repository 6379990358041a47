"""The contract to bid on an estimate of tricks: the one that should score most, bags and the rules' options counted."""

from __future__ import annotations

from functools import lru_cache

from spades_engine.bidding.hand_value import MILLI
from spades_engine.equity.normal import normal_cdf

_SPREAD = (1.25, 1.45, 1.35)
"""Standard deviation of the tricks about the estimate, by form."""
_BIAS = (0.2, 0.3, 0.25)
"""Added to the estimate before a contract is chosen, by form; found by play."""
_BAG_WEIGHT = 0.9
"""The part of the long-run cost of a bag that is felt: not every bag comes to a penalty before the game ends."""
_STEP = 200
_MAX_TRICKS = 13


def best_contract(estimate: int, form: int, bag_cost: float, lowest: int) -> int:
    """The contract, `lowest` to 13, for an estimate in thousandths of a trick."""
    row = _contracts(form, bag_cost, lowest)
    index = estimate // _STEP
    return row[0 if index < 0 else index if index < len(row) else len(row) - 1]


@lru_cache(maxsize=64)
def _contracts(form: int, bag_cost: float, lowest: int) -> tuple[int, ...]:
    """By estimate in steps of a fifth of a trick, the best contract; never falling."""
    row = []
    bid = lowest
    for index in range(_MAX_TRICKS * MILLI // _STEP + 1):
        mean = (index + 0.5) * _STEP / MILLI + _BIAS[form]
        score = contract_points(mean, _SPREAD[form], bid, bag_cost)
        while bid < _MAX_TRICKS:  # the best contract grows with the estimate, and only one is best
            higher = contract_points(mean, _SPREAD[form], bid + 1, bag_cost)
            if higher <= score:
                break
            score = higher
            bid += 1
        row.append(bid)
    return tuple(row)


def trick_chances(mean: float, spread: float) -> list[float]:
    """The probabilities of 0 to 13 tricks for a normal number of them, cut off at both ends."""
    below = 0.0
    chances = []
    for tricks in range(_MAX_TRICKS):
        upto = normal_cdf((tricks + 0.5 - mean) / spread)
        chances.append(upto - below)
        below = upto
    chances.append(1.0 - below)
    return chances


def contract_points(mean: float, spread: float, bid: int, bag_cost: float) -> float:
    """The points a contract should bring, a bag counted at what it costs in the long run."""
    points = 0.0
    for tricks, chance in enumerate(trick_chances(mean, spread)):
        if tricks < bid:
            points -= 10 * bid * chance
        else:
            points += (10 * bid - (tricks - bid) * bag_cost * _BAG_WEIGHT) * chance
    return points


def spread_of(form: int) -> float:
    """The standard deviation of tricks about the estimate."""
    return _SPREAD[form]
