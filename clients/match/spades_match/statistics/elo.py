"""Elo, normalised Elo and the likelihood of superiority, from results of games or from points per pair.

Normalised Elo measures how many pairs it takes to tell two engines apart: it is the mean result of a game above one
half, divided by the standard deviation of a game, times 800/ln 10. For equal engines without draws it is the same as
Elo. Unlike Elo it does not depend on how much of a result is luck of the cards or on what is counted, so the points of
single hands have one too. M. Van den Bergh, "Normalized Elo" and "Comments on normalized Elo"
(https://www.cantate.be/Fishtest/normalized_elo.pdf and normalized_elo_practical.pdf); the definitions are those of
fishtest (server/fishtest/stats) and fastchess (app/src/matchmaking/elo).
"""

from __future__ import annotations

import math

from spades_match.statistics.estimate import CONFIDENCE, Estimate, Moments, Remark
from spades_match.statistics.results import Results, score_moments, score_rate
from spades_match.statistics.student import check_confidence, t_distribution, t_quantile

NELO_PER_DEVIATION = 800 / math.log(10)
"""Normalised Elo of a mean one standard deviation (of a game) above even: 347.4."""


def elo_of_score(score: float) -> float:
    """The logistic Elo difference at which `score` (0 to 1) is expected: infinite at 0 and 1.

    Raises `ValueError` outside 0 to 1.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"score {score}: it must lie from 0 to 1")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    # log10(1) is 0, so an even score is an Elo of exactly 0.
    return 400 * math.log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """The score expected at a logistic Elo difference: 1 / (1 + 10^(-elo/400))."""
    # tanh does not overflow, whatever the difference.
    return 0.5 + 0.5 * math.tanh(elo * math.log(10) / 800)


def elo(results: Results, confidence: float = CONFIDENCE) -> Estimate:
    """The Elo difference with its interval: value and interval of `score_rate`, turned into Elo.

    Infinite when every game was won or every game lost; the finite end of the interval then says how much is certain.
    """
    score = score_rate(results, confidence)
    ends = [None if number is None else elo_of_score(number) for number in (score.value, score.low, score.high)]
    return score.mapped(*ends)


def nelo_of_deviations(deviations: float, games_per_unit: int) -> float:
    """Normalised Elo of a unit's mean above even in standard deviations of the unit; a pair is a unit of two games."""
    return deviations / math.sqrt(games_per_unit) * NELO_PER_DEVIATION


def deviations_of_nelo(nelo: float, games_per_unit: int) -> float:
    """The inverse of `nelo_of_deviations`."""
    return nelo * math.sqrt(games_per_unit) / NELO_PER_DEVIATION


def normalised_elo(results: Results, confidence: float = CONFIDENCE) -> Estimate:
    """Normalised Elo of results of games, with its interval.

    The interval allows for the standard deviation being estimated as well: with t the mean above even in standard
    deviations, g skewness and k excess kurtosis of the units, t has variance 1/n times (1 - t g + t^2 (k + 2) / 4).
    That is fishtest's formula. fastchess leaves out all but the 1, which is right for equal engines; where one wins
    both games of two pairs in three, such an interval covers 72%.
    """
    return _normalised(score_moments(results), 0.5, results.games_per_unit, confidence)


def normalised_elo_of_points(pair_means: Moments, confidence: float = CONFIDENCE) -> Estimate:
    """Normalised Elo of single hands: from each pair's mean difference in points, with its interval."""
    return _normalised(pair_means, 0.0, 2, confidence)


def _normalised(moments: Moments, even: float, games_per_unit: int, confidence: float) -> Estimate:
    check_confidence(confidence)
    n = moments.count
    if n == 0:
        return Estimate(None, None, None, 0, confidence, Remark.NO_DATA)
    if moments.second <= 0.0:
        # Nothing but even results is no difference however it is measured; anything else has no standard deviation.
        value = 0.0 if moments.mean == even else None
        return Estimate(value, None, None, n, confidence, Remark.ONE_PAIR if n == 1 else Remark.NO_SPREAD)
    t = (moments.mean - even) / math.sqrt(moments.variance)
    spread = max(1.0 - t * moments.skewness + t * t * (moments.excess_kurtosis + 2.0) / 4.0, 0.0)
    reach = t_quantile(confidence, n - 1) * math.sqrt(spread / n)
    value, low, high = (nelo_of_deviations(x, games_per_unit) for x in (t, t - reach, t + reach))
    return Estimate(value, low, high, n, confidence)


def likelihood_of_superiority(results: Results) -> float | None:
    """The probability that the engine is the stronger, given the results and no opinion beforehand.

    Student's distribution of the mean score above one half, so it exceeds 97.5% when Student's 95% interval lies above
    one half (fishtest and fastchess take the normal distribution: within a thousandth of this from 300 pairs on). When
    every game was won or lost there is no spread to go by, and it is the probability that a unit is more likely won
    than lost after n of n were, 1 - 2^-(n+1) (Laplace's rule). None without results, and where all units are equal and
    neither all won nor all lost.
    """
    moments = score_moments(results)
    if moments.count and moments.mean in (0.0, 1.0):
        doubt = 0.5 ** (moments.count + 1)
        return 1.0 - doubt if moments.mean == 1.0 else doubt
    return _superiority(moments, 0.5)


def superiority_of_points(pair_means: Moments) -> float | None:
    """The probability that the engine makes more points, from each pair's mean difference; None without spread."""
    return _superiority(pair_means, 0.0)


def _superiority(moments: Moments, even: float) -> float | None:
    n = moments.count
    if n < 2 or moments.second <= 0.0:
        return None
    error = math.sqrt(moments.second / (n - 1) / n)
    return t_distribution((moments.mean - even) / error, n - 1)
