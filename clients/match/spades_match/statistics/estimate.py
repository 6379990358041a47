"""Means and shares with confidence intervals. The unit is always the pair.

The games of a pair are played with the same cards, so they are anything but independent, while pairs are: each has
cards of its own. Every interval here therefore comes from the spread between pairs, whatever is counted within them.

Running sums (`Moments`, `RatioSums`) take one pair at a time and stay small, so a match of any length costs no memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from spades_match.statistics.student import check_confidence, t_quantile

CONFIDENCE = 0.95


class Remark(Enum):
    """Why an estimate has no interval, or an unusual one."""

    NO_DATA = "no pairs"
    ONE_PAIR = "one pair only: no spread to judge by"
    NO_SPREAD = "every pair gave the same: no spread to judge by"
    AT_THE_EDGE = "every pair gave the most or the least possible: the interval is one-sided"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its confidence interval.

    `value` is None without data. `low` and `high` are None where nothing can be said of them; `remark` then tells why.
    An Elo may be infinite, and so may an end of its interval. `pairs` is the number of units behind it: pairs, or
    single games where games were not played in pairs.
    """

    value: float | None
    low: float | None
    high: float | None
    pairs: int
    confidence: float = CONFIDENCE
    remark: Remark | None = None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, the number behind a plus-or-minus sign; None without an interval."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2

    def contains(self, truth: float) -> bool:
        """Whether the interval, which must exist, holds `truth`."""
        if self.low is None or self.high is None:
            raise ValueError("an estimate without an interval contains nothing")
        return self.low <= truth <= self.high

    def as_json(self) -> dict[str, float | int | str | None]:
        """The fields as JSON values. JSON has no infinity: it is written "inf" or "-inf"."""
        return {
            "value": json_number(self.value),
            "low": json_number(self.low),
            "high": json_number(self.high),
            "pairs": self.pairs,
            "confidence": self.confidence,
            "remark": None if self.remark is None else self.remark.name.lower(),
        }

    def mapped(self, value: float | None, low: float | None, high: float | None) -> Estimate:
        """The same estimate on another scale."""
        return replace(self, value=value, low=low, high=high)


def json_number(number: float | None) -> float | str | None:
    """`number` as JSON can hold it: infinities as "inf" and "-inf"."""
    if number is None or math.isfinite(number):
        return number
    return "inf" if number > 0 else "-inf"


def format_estimate(estimate: Estimate, digits: int = 2, sign: bool = True, factor: float = 1.0) -> str:
    """An estimate for a reader: "+12.35 [+4.02, +20.68]", with the remark in brackets where the interval is missing.

    `factor` 100 makes per cent of a share.
    """

    def text(number: float) -> str:
        # Adding 0.0 turns a rounded -0.0 into 0.0: nobody has lost by nothing.
        rounded = round(number * factor, digits) + 0.0 if math.isfinite(number) else number
        return f"{rounded:{'+' if sign and rounded else ''}.{digits}f}"

    if estimate.value is None:
        return "none" if estimate.remark is None else f"none ({estimate.remark.value})"
    if estimate.low is None or estimate.high is None:
        return text(estimate.value) + ("" if estimate.remark is None else f" ({estimate.remark.value})")
    return f"{text(estimate.value)} [{text(estimate.low)}, {text(estimate.high)}]"


# Running sums ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, mean and central sums of powers of a series, one value for each pair.

    Updated by the formulas of T. B. Terriberry (the one-value case of P. Pebay, Sandia report SAND2008-6212), which do
    not lose digits to cancellation; equal values give sums of exactly 0.
    """

    count: int = 0
    mean: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0

    @staticmethod
    def of(values: Iterable[float]) -> Moments:
        """The moments of a series."""
        moments = Moments()
        for value in values:
            moments = moments.plus(value)
        return moments

    @staticmethod
    def of_counts(values: Sequence[float], counts: Sequence[int]) -> Moments:
        """The moments of a series in which `values[i]` occurs `counts[i]` times."""
        n = sum(counts)
        if n == 0:
            return Moments()
        mean = math.fsum(value * count for value, count in zip(values, counts, strict=True)) / n
        sums = [
            math.fsum(count * (value - mean) ** power for value, count in zip(values, counts, strict=True) if count)
            for power in (2, 3, 4)
        ]
        return Moments(n, mean, *sums)

    def plus(self, value: float) -> Moments:
        """The moments with one more value."""
        n = self.count + 1
        step = value - self.mean
        part = step / n
        square = step * part * self.count
        fourth = square * part * part * (n * n - 3 * n + 3) + 6 * part * part * self.second - 4 * part * self.third
        third = square * part * (n - 2) - 3 * part * self.second
        return Moments(n, self.mean + part, self.second + square, self.third + third, self.fourth + fourth)

    @property
    def variance(self) -> float:
        """The variance, its sum divided by the count (the maximum-likelihood one); 0 without values."""
        return self.second / self.count if self.count else 0.0

    @property
    def skewness(self) -> float:
        """The third standardised moment; 0 without spread."""
        return 0.0 if self.second <= 0.0 else self.third / self.count / self.variance**1.5

    @property
    def excess_kurtosis(self) -> float:
        """The fourth standardised moment less 3; 0 without spread."""
        return 0.0 if self.second <= 0.0 else self.fourth / self.count / self.variance**2 - 3.0


@dataclass(frozen=True, slots=True)
class RatioSums:
    """Sums over pairs of an amount and of the number of hands (or games, or bids) it belongs to.

    With integers the sums are exact, so a ratio without spread is found to have none.
    """

    pairs: int = 0
    amount: float = 0
    size: float = 0
    amount_squared: float = 0
    amount_size: float = 0
    size_squared: float = 0

    @staticmethod
    def of(pairs: Iterable[tuple[float, float]]) -> RatioSums:
        """The sums over pairs given as (amount, size)."""
        sums = RatioSums()
        for amount, size in pairs:
            sums = sums.plus(amount, size)
        return sums

    def plus(self, amount: float, size: float) -> RatioSums:
        """The sums with one more pair; a pair of size 0 says nothing and is not counted."""
        if size == 0:
            return self
        return RatioSums(
            self.pairs + 1,
            self.amount + amount,
            self.size + size,
            self.amount_squared + amount * amount,
            self.amount_size + amount * size,
            self.size_squared + size * size,
        )

    @property
    def ratio(self) -> float | None:
        """Amount by size, None without data."""
        return self.amount / self.size if self.size else None

    @property
    def variance(self) -> float | None:
        """The variance of the ratio from the spread between pairs, None with less than two.

        The linearised variance of a ratio estimate over clusters (W. G. Cochran, Sampling Techniques, 3rd edition,
        section 2.11). Where all pairs have the same size it is that of the mean of the pairs' own means.
        """
        if self.pairs < 2:
            return None
        # S^2 times the sum of squared residuals: without a division, so exact for integers.
        amount, size = self.amount, self.size
        residual = size * size * self.amount_squared - 2 * amount * size * self.amount_size
        residual += amount * amount * self.size_squared
        return max(residual, 0) * self.pairs / (self.pairs - 1) / float(size) ** 4


# Estimates ------------------------------------------------------------------------------------------------------------


def mean_estimate(values: Moments | Iterable[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean over pairs with Student's interval: one value for each pair.

    No interval with less than two pairs, nor where all values are equal.
    """
    moments = values if isinstance(values, Moments) else Moments.of(values)
    n = moments.count
    if n < 2 or moments.second <= 0.0:
        return _bare(moments.mean if n else None, n, confidence)
    reach = t_quantile(confidence, n - 1) * math.sqrt(moments.second / (n - 1) / n)
    return Estimate(moments.mean, moments.mean - reach, moments.mean + reach, n, confidence)


def ratio_estimate(pairs: RatioSums | Iterable[tuple[float, float]], confidence: float = CONFIDENCE) -> Estimate:
    """A mean per hand over pairs that may hold different numbers of hands: (sum over the hands, hands) of each pair.

    Student's interval from the spread between pairs. No interval with less than two pairs, nor without spread.
    """
    sums = pairs if isinstance(pairs, RatioSums) else RatioSums.of(pairs)
    ratio, variance = sums.ratio, sums.variance
    if ratio is None or not variance:
        return _bare(ratio, sums.pairs, confidence)
    reach = t_quantile(confidence, sums.pairs - 1) * math.sqrt(variance)
    return Estimate(ratio, ratio - reach, ratio + reach, sums.pairs, confidence)


def share_estimate(pairs: RatioSums | Iterable[tuple[float, float]], confidence: float = CONFIDENCE) -> Estimate:
    """A share between 0 and 1 over pairs: (successes, trials) of each pair.

    See `share_interval` for the interval.
    """
    sums = pairs if isinstance(pairs, RatioSums) else RatioSums.of(pairs)
    return share_interval(sums.ratio, sums.variance, sums.pairs, confidence)


def share_interval(share: float | None, variance: float | None, pairs: int, confidence: float) -> Estimate:
    """The interval of a share whose estimate has the given variance, from the spread between `pairs` pairs.

    Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927) with the effective number of trials of
    E. L. Korn and B. I. Graubard (Survey Methodology 24, 1998): as many independent trials as would have that
    variance. It never leaves 0 to 1 and holds its level for lopsided shares, where Student's interval covers too
    little. At a share of exactly 0 or 1 there is no spread and each pair counts as one trial; at any other share
    without spread there is no interval.
    """
    check_confidence(confidence)
    if share in (0.0, 1.0):
        trials = float(pairs)
        quantile = t_quantile(confidence, max(pairs - 1, 1))
        remark: Remark | None = Remark.AT_THE_EDGE
    elif share is None or not variance:
        return _bare(share, pairs, confidence)
    else:
        trials = share * (1.0 - share) / variance
        quantile = t_quantile(confidence, pairs - 1)
        remark = None
    weight = quantile * quantile / trials
    centre = (share + weight / 2) / (1.0 + weight)
    reach = math.sqrt(weight * (share * (1.0 - share) + weight / 4)) / (1.0 + weight)
    low = 0.0 if share == 0.0 else max(centre - reach, 0.0)
    high = 1.0 if share == 1.0 else min(centre + reach, 1.0)
    return Estimate(share, low, high, pairs, confidence, remark)


def points_per_hand(pairs: Iterable[Sequence[float]], confidence: float = CONFIDENCE) -> Estimate:
    """Points per hand: for each pair, one engine's points less the other's in each of its hands.

    In a match of single hands a pair has two, and this is Student's interval on the pairs' means; in a match of whole
    games pairs have different numbers of hands and each hand weighs the same.
    """
    # sum, not fsum: integers stay integers and so exact.
    return ratio_estimate(((sum(hands), len(hands)) for hands in pairs), confidence)


def _bare(value: float | None, pairs: int, confidence: float) -> Estimate:
    check_confidence(confidence)
    remark = Remark.NO_DATA if value is None else Remark.ONE_PAIR if pairs == 1 else Remark.NO_SPREAD
    return Estimate(value, None, None, pairs, confidence, remark)
