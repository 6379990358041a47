"""Student's t: distribution function and quantiles, and the root finder they rest on.

These forty lines are all that scipy would be needed for, so the runner does without it. Checked against printed
tables, the closed forms of one and two degrees of freedom, and simulation.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_TINY = 1e-300


def falling_root(f: Callable[[float], tuple[float, float]], low: float, high: float, start: float) -> float:
    """The root of a falling function in (low, high), by Newton's method held inside a shrinking bracket.

    `f` gives value and derivative. The value is positive at `low` and negative at `high`, or would be: neither end is
    evaluated. Exact to about fifteen digits.
    """
    x = start if low < start < high else (low + high) / 2
    for _ in range(200):
        value, slope = f(x)
        if value == 0.0:
            return x
        if value > 0.0:
            low = x
        else:
            high = x
        following = x - value / slope if slope < 0.0 else math.nan
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-15 * (1.0 + abs(x)):
            return following
        x = following
    return x


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified Lentz method."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    fraction = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        change = 1.0
        for term in (even, odd):
            c, d = 1.0 + term / c, 1.0 + term * d
            c, d = (c if abs(c) > _TINY else _TINY), 1.0 / (d if abs(d) > _TINY else _TINY)
            change = c * d
            fraction *= change
        if abs(change - 1.0) < 1e-16:
            break
    return fraction


def _beta_share(a: float, b: float, x: float, complement: float) -> float:
    """The regularised incomplete beta function I_x(a, b); `complement` is 1 - x, given apart to keep its digits."""
    if x <= 0.0:
        return 0.0
    if complement <= 0.0:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(complement)
    front = math.exp(log_front)
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, complement) / b


def t_tail(t: float, df: int) -> float:
    """The probability that Student's t with `df` degrees of freedom exceeds `t`."""
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    half = _beta_share(df / 2, 0.5, df / (df + square), square / (df + square)) / 2
    return half if t >= 0 else 1.0 - half


def t_distribution(t: float, df: int) -> float:
    """The probability that Student's t with `df` degrees of freedom is at most `t`."""
    return t_tail(-t, df)


@lru_cache(maxsize=4096)
def t_quantile(confidence: float, df: int) -> float:
    """The two-sided quantile: t lies within plus or minus this with probability `confidence`.

    Raises `ValueError` unless 0 < confidence < 1 and `df` is 1 or more.
    """
    check_confidence(confidence)
    if df < 1:
        raise ValueError(f"{df} degrees of freedom: there must be one at least")
    target = (1.0 - confidence) / 2
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2

    def excess(t: float) -> tuple[float, float]:
        return t_tail(t, df) - target, -math.exp(log_scale - (df + 1) / 2 * math.log1p(t * t / df))

    high = 2.0
    while t_tail(high, df) > target:
        high *= 2.0
    return falling_root(excess, 0.0, high, normal_quantile(confidence))


def normal_quantile(confidence: float) -> float:
    """The two-sided quantile of the normal distribution: 1.96 for 0.95."""
    check_confidence(confidence)
    return NormalDist().inv_cdf((1.0 + confidence) / 2)


def check_confidence(confidence: float) -> None:
    """Raise `ValueError` unless 0 < confidence < 1."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence {confidence}: it must lie between 0 and 1")
