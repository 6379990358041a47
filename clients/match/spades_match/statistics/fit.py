"""The most likely distribution of results that has a given normalised strength: the inner step of the sequential test.

Wanted: probabilities p of the classes of a pair's result, maximising sum(q log p) for observed frequencies q, such that
the mean result above even is t standard deviations. M. Van den Bergh ("Comments on normalized Elo", section 4.1,
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf; fishtest's LLRcalc.py) linearises the condition at a
distribution, solves the linear problem, and repeats. Done from a uniform start, that can end away from the maximum or
nowhere at all when results are one-sided (fastchess issues 877 and 879 report a hang and a not-a-number).

So the condition is written differently here. With b the result above even, m = E[b] and s^2 = E[b^2], it says m = w s
with w = t / sqrt(1 + t^2). For w > 0 the tangent (E[b^2] + s^2) / 2s of the square root lies above it, so each step
replaces the condition by E[b - w (b^2 + s^2) / 2s] = 0 for a number s, and takes the next s from the solution. When the
condition asks for more strength than observed, each step can only raise the likelihood; when it asks for less, the
admissible set is convex and has a single maximum. Negative t are mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from spades_match.statistics.student import falling_root

MAX_DEVIATIONS = 2.1
"""The largest |t| taken: beyond, the condition falls apart into separate regions. It is a normalised Elo of 500 and
more, where a handful of pairs tells as much as a test."""

_SEVERAL_STARTS = 0.3  # from this t on, the likelihood can have several maxima


def log_ratios(frequencies: Sequence[float], deviations: float) -> list[float]:
    """log(q/p) for each class of result, with p the most likely distribution `deviations` (t) above even.

    `frequencies` q: all positive, adding to 1; the classes score 0 to 1 in equal steps. Raises `ValueError` for a |t|
    above `MAX_DEVIATIONS`.
    """
    if abs(deviations) > MAX_DEVIATIONS:
        raise ValueError(f"{deviations:.3f} standard deviations: at most {MAX_DEVIATIONS} can be tested")
    if deviations < 0.0:
        return log_ratios(frequencies[::-1], -deviations)[::-1]
    last = len(frequencies) - 1
    results = [i / last - 0.5 for i in range(last + 1)]
    if deviations == 0.0:
        return _linear(frequencies, results)
    w = deviations / math.sqrt(1.0 + deviations * deviations)
    mean = sum(q * b for q, b in zip(frequencies, results, strict=True))
    size = math.sqrt(sum(q * b * b for q, b in zip(frequencies, results, strict=True)))
    # A condition can be met at all for s between r/2 and 1/2r; where results hardly differ, the observed s is smaller.
    r = (1.0 - math.sqrt(1.0 - w * w)) / w
    start = max(size, math.sqrt(r) / 2)
    if mean < w * size and (deviations > _SEVERAL_STARTS or size < start):
        low = r / 4 * 1.001  # a result of a quarter above even can meet the condition from here on
        starts = (start, *(low * (0.5 / low) ** (i / 8) for i in range(9)))
        possible = [s for s in starts if max(_condition(results, w, s)) > 0.0]
        fits = [_iterate(frequencies, results, w, s) for s in possible]
        return min(fits, key=lambda logs: sum(q * g for q, g in zip(frequencies, logs, strict=True)))
    return _iterate(frequencies, results, w, start)


def _iterate(frequencies: Sequence[float], results: Sequence[float], w: float, s: float) -> list[float]:
    """The steps described above, from a start `s`, until they come to rest."""
    logs: list[float] = []
    for _ in range(200):
        logs = _linear(frequencies, _condition(results, w, s))
        following = math.sqrt(sum(q * math.exp(-g) * b * b for q, g, b in zip(frequencies, logs, results, strict=True)))
        if abs(following - s) <= 1e-9 * s:
            break
        s = following
    return logs


def _condition(results: Sequence[float], w: float, s: float) -> list[float]:
    return [b - w * (b * b + s * s) / (2 * s) for b in results]


def _linear(frequencies: Sequence[float], condition: Sequence[float]) -> list[float]:
    """log(q/p) for the most likely p with E[condition] = 0: p = q / (1 + x condition) for the x that makes it so.

    M. Van den Bergh, https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1. The condition must
    take both signs.
    """
    terms = list(zip(frequencies, condition, strict=True))

    def expectation(x: float) -> tuple[float, float]:
        value = slope = 0.0
        for q, c in terms:
            part = c / (1.0 + x * c)
            value += q * part
            slope -= q * part * part
        return value, slope

    # No p exceeds 1, which bounds x well inside the poles.
    q_high, high = max(terms, key=lambda term: term[1])
    q_low, low = min(terms, key=lambda term: term[1])
    x = falling_root(expectation, -(1.0 - q_high) / high, (1.0 - q_low) / -low, 0.0)
    return [math.log1p(x * c) for c in condition]
