"""Student's t, running sums, and intervals of means and shares."""

import json
import math
from collections.abc import Callable
from statistics import NormalDist, fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_match.statistics import (
    Estimate,
    Moments,
    RatioSums,
    Remark,
    format_estimate,
    mean_estimate,
    points_per_hand,
    ratio_estimate,
    share_estimate,
    t_distribution,
    t_quantile,
)

# Student's t ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("df", "tabled"),
    [
        (1, "12.706"),
        (2, "4.303"),
        (3, "3.182"),
        (4, "2.776"),
        (5, "2.571"),
        (10, "2.228"),
        (20, "2.086"),
        (30, "2.042"),
        (60, "2.000"),
        (100, "1.984"),
        (10**6, "1.960"),
    ],
)
def test_t_quantile_of_the_tables(df: int, tabled: str) -> None:
    """The 95% quantiles are those printed in the NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2."""
    assert f"{t_quantile(0.95, df):.3f}" == tabled


@pytest.mark.parametrize("t", [-40.0, -3.0, -0.2, 0.0, 1e-9, 0.7, 2.0, 12.7, 1e4])
def test_t_distribution_in_closed_form(t: float) -> None:
    """With one degree of freedom it is Cauchy's distribution; with two and four it is algebraic."""
    assert t_distribution(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)
    assert t_distribution(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-14)
    y = t / math.sqrt(4 + t * t)
    assert t_distribution(t, 4) == pytest.approx(0.5 + y * (1.5 - y * y / 2) / 2, abs=1e-14)


@given(st.floats(0.01, 0.999), st.integers(1, 10**5))
def test_quantile_inverts_distribution(confidence: float, df: int) -> None:
    """Between plus and minus the quantile lies the probability asked for."""
    quantile = t_quantile(confidence, df)
    assert t_distribution(quantile, df) - t_distribution(-quantile, df) == pytest.approx(confidence, abs=1e-9)


def test_t_becomes_normal() -> None:
    """With many degrees of freedom it is the normal distribution."""
    for t in (-2.5, 0.3, 1.96):
        assert t_distribution(t, 10**6) == pytest.approx(NormalDist().cdf(t), abs=1e-6)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 1.5, math.nan])
def test_confidence_out_of_range(confidence: float) -> None:
    """A confidence level that is not between 0 and 1 is refused, even where there is no interval to make."""
    for make in (
        lambda: t_quantile(confidence, 3),
        lambda: mean_estimate([], confidence),
        lambda: share_estimate([(1, 1)], confidence),
    ):
        with pytest.raises(ValueError, match="confidence"):
            make()


# Running sums ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(-400, 400), min_size=2, max_size=60))
def test_moments_by_definition(values: list[int]) -> None:
    """Moments taken one value at a time, and from counts, are those of the definition."""
    moments = Moments.of(values)
    mean = fmean(values)
    sums = [math.fsum((x - mean) ** power for x in values) for power in (2, 3, 4)]
    kinds = sorted(set(values))
    counted = Moments.of_counts(kinds, [values.count(kind) for kind in kinds])
    scale = max(sums[0], 1.0)
    for m in (moments, counted):
        assert m.count == len(values)
        assert m.mean == pytest.approx(mean, abs=1e-9)
        assert m.second == pytest.approx(sums[0], rel=1e-9, abs=1e-6)
        assert m.third == pytest.approx(sums[1], rel=1e-6, abs=1e-9 * scale**1.5)
        assert m.fourth == pytest.approx(sums[2], rel=1e-6, abs=1e-9 * scale**2)


@given(st.integers(1, 50), st.integers(-500, 500))
def test_equal_values_have_no_spread(count: int, value: int) -> None:
    """The moments of equal values are exactly 0 about them, so that "no spread" can be told from "little"."""
    moments = Moments.of([value / 2] * count)
    assert (moments.mean, moments.second, moments.third, moments.fourth) == (value / 2, 0.0, 0.0, 0.0)
    assert (moments.variance, moments.skewness, moments.excess_kurtosis) == (0.0, 0.0, 0.0)


# Means ----------------------------------------------------------------------------------------------------------------


def test_gosset_sleep() -> None:
    """Gosset's paired sleep data (Biometrika 6, 1908) give mean 1.58, interval 0.70 to 2.46, as R's t.test does."""
    hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    estimate = mean_estimate(hours)
    assert estimate.value == pytest.approx(1.58)
    assert estimate.low == pytest.approx(0.7001142, abs=1e-6)
    assert estimate.high == pytest.approx(2.4598858, abs=1e-6)


def test_single_hands_are_means_of_pairs() -> None:
    """In pairs of two hands, points per hand are the mean of the pairs' means, and so is the interval."""
    pairs = [(130, -70), (20, 0), (-60, 80), (0, -210), (55, 45)]
    by_hand = points_per_hand(pairs)
    means = [sum(pair) / 2 for pair in pairs]
    by_pair = mean_estimate(means)
    reach = t_quantile(0.95, 4) * stdev(means) / math.sqrt(5)
    for estimate in (by_hand, by_pair):
        assert estimate.value == pytest.approx(fmean(means))
        assert estimate.half_width == pytest.approx(reach)
        assert estimate.pairs == 5


def test_every_hand_weighs_the_same() -> None:
    """In games of different lengths points per hand are all points by all hands, not the mean of the pairs' means."""
    estimate = points_per_hand([(10, 10, 10, 10), (40, 40)])
    assert estimate.value == 20


def test_ratio_variance_by_definition() -> None:
    """The variance of a ratio is the sum of squared residuals about it, by K - 1 and K, in units of the mean size."""
    pairs = [(3, 4), (7, 6), (1, 5), (9, 9), (0, 2)]
    sums = RatioSums.of(pairs)
    ratio = 20 / 26
    residuals = math.fsum((amount - ratio * size) ** 2 for amount, size in pairs)
    assert sums.ratio == ratio
    assert sums.variance == pytest.approx(residuals / 4 / 5 / (26 / 5) ** 2)


def test_pairs_without_hands_do_not_count() -> None:
    """A pair in which nothing of the kind was bid says nothing: it neither widens nor narrows the interval."""
    with_empty = ratio_estimate([(1, 2), (0, 0), (3, 2), (0, 0), (2, 2)])
    assert with_empty == ratio_estimate([(1, 2), (3, 2), (2, 2)])
    assert with_empty.pairs == 3


# The edges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [ratio_estimate, share_estimate, mean_estimate, points_per_hand])
def test_no_pairs(make: Callable[[list[tuple[int, int]]], Estimate]) -> None:
    """Of nothing nothing is claimed: no value, no interval, and the estimate says why."""
    estimate = make([])
    assert (estimate.value, estimate.low, estimate.high, estimate.pairs) == (None, None, None, 0)
    assert estimate.remark is Remark.NO_DATA
    assert estimate.half_width is None
    with pytest.raises(ValueError, match="interval"):
        estimate.contains(0.0)


def test_one_pair() -> None:
    """One pair has a value and no interval, however many hands it holds."""
    for estimate in (points_per_hand([(130, -70)]), mean_estimate([30.0]), share_estimate([(1, 2)])):
        assert estimate.value is not None
        assert (estimate.low, estimate.high, estimate.remark) == (None, None, Remark.ONE_PAIR)


def test_identical_deterministic_engines() -> None:
    """Two engines that play the same give exactly 0 on every pair: the value is 0, no interval is claimed."""
    estimate = points_per_hand([(+87, -87), (-13, +13), (0, 0)] * 70)
    assert (estimate.value, estimate.low, estimate.high) == (0.0, None, None)
    assert estimate.remark is Remark.NO_SPREAD
    assert format_estimate(estimate) == "0.00 (every pair gave the same: no spread to judge by)"


@given(st.integers(1, 500))
def test_all_or_none(pairs: int) -> None:
    """A share of 1 or 0 has a one-sided interval that shrinks with the pairs, near the rule of three."""
    most = share_estimate([(2, 2)] * pairs)
    least = share_estimate([(0, 2)] * pairs)
    assert most.low is not None
    assert least.high is not None
    assert (most.value, most.high, most.remark) == (1.0, 1.0, Remark.AT_THE_EDGE)
    assert (least.value, least.low, least.remark) == (0.0, 0.0, Remark.AT_THE_EDGE)
    assert most.low == pytest.approx(1.0 - least.high)
    if pairs >= 30:  # J. A. Hanley, A. Lippman-Hand, JAMA 249 (1983): 3/n at 95% one-sided, 3.7/n at 97.5%
        assert 3.0 / pairs < 1.0 - most.low < 4.3 / pairs


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_of_newcombe(successes: int, trials: int, low: float, high: float) -> None:
    """With one trial to a pair the interval is Wilson's, with Student's quantile for the normal one.

    Figures: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3. Student's quantile and the division by
    n - 1 widen the interval by less than a tenth at 20 trials and less than a hundredth at 263.
    """
    estimate = share_estimate([(1, 1)] * successes + [(0, 1)] * (trials - successes))
    assert estimate.low is not None
    assert estimate.high is not None
    slack = 2.5 / trials * (high - low)
    assert low - slack <= estimate.low <= low + 1e-4
    assert high - 1e-4 <= estimate.high <= high + slack


def test_wilson_inverts_the_score_test() -> None:
    """The ends of a share's interval are the shares just rejected: Student's quantile of their own errors away."""
    pairs = [(3, 4), (2, 2), (1, 4), (4, 4), (2, 3), (0, 1)]
    estimate = share_estimate(pairs)
    share, variance = RatioSums.of(pairs).ratio, RatioSums.of(pairs).variance
    assert share is not None
    assert variance is not None
    assert estimate.low is not None
    assert estimate.high is not None
    for end in (estimate.low, estimate.high):
        error = math.sqrt(variance * end * (1 - end) / (share * (1 - share)))
        assert abs(share - end) == pytest.approx(t_quantile(0.95, 5) * error)


@given(st.lists(st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2))
def test_shares_stay_within_bounds(pairs: list[tuple[int, int]]) -> None:
    """The interval of a share lies from 0 to 1 and holds the share, whatever the results."""
    estimate = share_estimate(pairs)
    assert estimate.value is not None
    if estimate.remark is Remark.NO_SPREAD:
        assert len({amount / size for amount, size in pairs}) == 1
    else:
        assert estimate.low is not None
        assert estimate.high is not None
        assert 0.0 <= estimate.low <= estimate.value <= estimate.high <= 1.0


# For readers ----------------------------------------------------------------------------------------------------------


def test_estimates_for_readers() -> None:
    """Estimates read as value and interval; a rounded nothing has no sign, and shares can be per cent."""
    assert format_estimate(Estimate(12.345, -0.004, 20.0, 9)) == "+12.35 [0.00, +20.00]"
    assert format_estimate(Estimate(0.5, 0.25, 0.75, 9), digits=1, sign=False, factor=100) == "50.0 [25.0, 75.0]"
    assert format_estimate(Estimate(math.inf, 120.0, math.inf, 9), digits=0) == "+inf [+120, +inf]"
    assert format_estimate(mean_estimate([])) == "none (no pairs)"


def test_estimates_as_json() -> None:
    """An estimate is written as strict JSON, infinities as text."""
    fields = Estimate(-math.inf, -math.inf, -20.5, 4, remark=Remark.AT_THE_EDGE).as_json()
    text = json.dumps(fields, allow_nan=False)
    assert json.loads(text) == {
        "value": "-inf",
        "low": "-inf",
        "high": -20.5,
        "pairs": 4,
        "confidence": 0.95,
        "remark": "at_the_edge",
    }
