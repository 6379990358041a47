"""The generalised sequential probability ratio test on normalised Elo.

It decides between two strengths with as few pairs as can be: after each pair the log-likelihood ratio (LLR) of the
second hypothesis against the first is compared with two bounds, -2.944 and +2.944 for error rates of 5%. As in fishtest
and fastchess, the likelihood under a hypothesis is the greatest over all distributions of pair results with that
normalised Elo, and a class of result not seen yet counts as a thousandth of a pair.

A. Wald, Sequential Analysis (1947); X. Li, J. Liu, Z. Ying, Sequential Analysis 33 (2014); fishtest's LLRcalc.py
(`LLR_normalized`). fishtest corrects the bounds for overshoot; here they stand as they are, so that the error rates lie
a little below the nominal ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from spades_match.statistics.elo import deviations_of_nelo
from spades_match.statistics.estimate import Moments
from spades_match.statistics.fit import log_ratios
from spades_match.statistics.results import GameResult, Pentanomial, Results

MAX_NELO = 500.0
UNSEEN = 1e-3
"""What a class of result that has not occurred counts for."""


class SprtState(Enum):
    """What the test has come to."""

    UNDECIDED = "undecided"
    ACCEPT_H0 = "H0 accepted"
    ACCEPT_H1 = "H1 accepted"


@dataclass(frozen=True, slots=True)
class SprtDesign:
    """The two hypotheses, in normalised Elo, and the error rates.

    `alpha` is the probability of accepting H1 at a strength of `nelo0`, `beta` that of accepting H0 at `nelo1`. Raises
    `ValueError` unless nelo0 < nelo1, both within plus or minus 500, and the rates are positive and add to less than 1.
    """

    nelo0: float
    nelo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MAX_NELO <= self.nelo0 < self.nelo1 <= MAX_NELO:
            raise ValueError(f"nelo0={self.nelo0} nelo1={self.nelo1}: they must rise, within -500 to 500")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"alpha={self.alpha} beta={self.beta}: both positive, together less than 1")

    @property
    def lower(self) -> float:
        """The LLR at which H0 is accepted: log(beta / (1 - alpha))."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR at which H1 is accepted: log((1 - beta) / alpha)."""
        return math.log((1.0 - self.beta) / self.alpha)

    def status(self, llr: float, units: int) -> SprtStatus:
        """What an LLR after `units` pairs (or single games) means."""
        if llr >= self.upper:
            state = SprtState.ACCEPT_H1
        else:
            state = SprtState.ACCEPT_H0 if llr <= self.lower else SprtState.UNDECIDED
        return SprtStatus(llr, self.lower, self.upper, state, units)


@dataclass(frozen=True, slots=True)
class SprtStatus:
    """Where a test stands: the LLR between its bounds, the decision, and after how many units."""

    llr: float
    lower: float
    upper: float
    state: SprtState
    units: int

    @property
    def progress(self) -> float:
        """How far the LLR has come towards the bound on its side, 1 at the bound."""
        return self.llr / self.upper if self.llr >= 0 else self.llr / self.lower


def log_likelihood_ratio(results: Results, nelo0: float, nelo1: float) -> float:
    """The generalised LLR of a normalised Elo of `nelo1` against `nelo0`; 0 without results."""
    if not results.units:
        return 0.0
    counts = [float(count) or UNSEEN for count in results.counts]
    total = sum(counts)
    frequencies = [count / total for count in counts]
    logs0, logs1 = (
        log_ratios(frequencies, deviations_of_nelo(nelo, results.games_per_unit)) for nelo in (nelo0, nelo1)
    )
    return math.fsum(count * (log0 - log1) for count, log0, log1 in zip(counts, logs0, logs1, strict=True))


def sprt(results: Results, design: SprtDesign) -> SprtStatus:
    """The test after the results given: of pairs of games, or of single games."""
    return design.status(log_likelihood_ratio(results, design.nelo0, design.nelo1), results.units)


def sprt_of_points(pair_means: Moments, design: SprtDesign) -> SprtStatus:
    """The test after pairs of single hands, from the mean difference in points of each pair.

    The same test with normally distributed pairs instead of five classes: the sequential t-test. At a strength of t
    standard deviations the most likely deviation has a closed form, and with r the mean by the root mean square of the
    pairs, and x = r t / 2, the logarithm of the likelihood is n (asinh x + x (x + sqrt(x^2 + 1)) - t^2 / 2) and
    something that does not depend on t. Identical engines, all of whose pairs are 0, have r = 0.
    """
    n = pair_means.count
    size = math.hypot(pair_means.mean, math.sqrt(pair_means.variance))
    r = pair_means.mean / size if size else 0.0

    def log_likelihood(nelo: float) -> float:
        t = deviations_of_nelo(nelo, 2)
        x = r * t / 2
        return n * (math.asinh(x) + x * (x + math.sqrt(x * x + 1.0)) - t * t / 2)

    return design.status(log_likelihood(design.nelo1) - log_likelihood(design.nelo0), n)


def first_decision(pairs: Iterable[tuple[GameResult, GameResult]], design: SprtDesign) -> SprtStatus:
    """The test over pairs in order, up to the first that decides it.

    A test is over at its first decision. Pairs finished early by another worker must not be looked at before their
    turn, or the slow pairs would be missing from the count.
    """
    results = Pentanomial()
    status = sprt(results, design)
    for first, second in pairs:
        results = results.plus(first, second)
        status = sprt(results, design)
        if status.state is not SprtState.UNDECIDED:
            break
    return status


# Planning -------------------------------------------------------------------------------------------------------------


def acceptance_probability(design: SprtDesign, nelo: float, games_per_unit: int = 2) -> float:
    """The probability that a test accepts H1 when the true normalised Elo is `nelo`.

    For small hypotheses the LLR is a Brownian motion with drift (D. Siegmund, Sequential Analysis, 1985, chapter 3).
    """
    drift, variance = _motion(design, nelo, games_per_unit)
    rate = -2.0 * drift / variance
    lower, upper = design.lower, design.upper
    if abs(rate) < 1e-9:
        return -lower / (upper - lower)
    return math.expm1(rate * lower) / (math.expm1(rate * lower) - math.expm1(rate * upper))


def expected_units(design: SprtDesign, nelo: float, games_per_unit: int = 2) -> float:
    """How many pairs (or single games) a test takes on average when the true normalised Elo is `nelo`."""
    drift, variance = _motion(design, nelo, games_per_unit)
    lower, upper = design.lower, design.upper
    if abs(drift) < 1e-9 * variance:
        return -lower * upper / variance
    accepted = acceptance_probability(design, nelo, games_per_unit)
    return (accepted * upper + (1.0 - accepted) * lower) / drift


def _motion(design: SprtDesign, nelo: float, games_per_unit: int) -> tuple[float, float]:
    """Drift and variance of the LLR for each unit."""
    t0, t1, t = (deviations_of_nelo(number, games_per_unit) for number in (design.nelo0, design.nelo1, nelo))
    return (t1 - t0) * (t - (t0 + t1) / 2), (t1 - t0) ** 2
