"""The rule policy of bidding: nil where it is safe enough, otherwise the contract that should score most."""

from __future__ import annotations

from spades_engine.bidding.contract import best_contract
from spades_engine.bidding.hand_value import MILLI, nil_danger, trick_estimate
from spades_engine.equity.normal import normal_cdf
from spades_engine.search.terms import PARTNERS

_LOGISTIC = 1.702 * MILLI
"""A logistic curve is close to the normal one on this scale."""

_NIL_MARGIN = 10.0
"""Points by which a nil must look better than the contract."""
_LEAST_NIL_CHANCE = 0.5

_GIFT_WORTH = 2500
"""Thousandths of a trick that the best cards of a blind partner add to a hand, measured."""
_COVER_WORTH = 600
"""The same of a partner who ducks everything."""

NIL_BID = -1
"""What `choose_bid` answers for a nil."""


def nil_chance(danger: int) -> float:
    """The probability that a nil of this danger is made."""
    return normal_cdf(-danger / _LOGISTIC)


def choose_bid(
    hand: int,
    others: int,
    form: int,
    *,
    bag_cost: float,
    lowest: int,
    nil: int | None,
    opponent_bid: int | None,
    opponent_nil: bool,
    partner_nil: bool,
    partner_gives: bool,
) -> int:
    """The contract to bid, or `NIL_BID`.

    `others` are the cards that may be in other hands; `lowest` the smallest contract; `nil` its value, None where there
    is none; `opponent_bid` the contract of a single opponent where it is known; `partner_gives` that the partner called
    blind nil and will give its best cards.
    """
    estimate = trick_estimate(hand, others, form)
    if opponent_nil and form != PARTNERS:
        estimate = against_nil(estimate)
    elif opponent_bid is not None:
        estimate = with_opponent(estimate, opponent_bid, form)
    if partner_gives:
        estimate += _GIFT_WORTH
    elif partner_nil:
        estimate += _COVER_WORTH
    contract = best_contract(estimate, form, bag_cost, lowest)
    if nil is None or (opponent_nil and form != PARTNERS):
        return contract
    chance = nil_chance(nil_danger(hand, others, form))
    if chance < _LEAST_NIL_CHANCE + (0.2 if partner_nil else 0.0):
        return contract
    if (2.0 * chance - 1.0) * nil > 10.0 * estimate / MILLI + _NIL_MARGIN:
        return NIL_BID
    return contract


_OPPONENT_WEIGHT = (500, 0, 500)
_OPPONENT_EXTRA = (900, 0, 900)
"""Thousandths: how far a single opponent's bid moves the estimate, and what that bid holds back, by form."""


def with_opponent(estimate: int, bid: int, form: int) -> int:
    """The estimate of tricks once a single opponent has bid a contract."""
    room = 13 * MILLI - bid * MILLI - _OPPONENT_EXTRA[form]
    return estimate + (room - estimate) * _OPPONENT_WEIGHT[form] // MILLI


def against_nil(estimate: int) -> int:
    """The estimate against a single opponent who has bid nil: he ducks, but what breaks his nil is lost here."""
    return estimate // 2 + 4 * MILLI
