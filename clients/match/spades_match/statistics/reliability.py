"""Predicted against actual: the reliability table of probabilities that an engine gave.

A. H. Murphy and R. L. Winkler, Applied Statistics 26 (1977); G. W. Brier, Monthly Weather Review 78 (1950).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spades_match.statistics.estimate import CONFIDENCE, Estimate, RatioSums, ratio_estimate, share_estimate


@dataclass(frozen=True, slots=True)
class Prediction:
    """A probability an engine gave to an event (a nil made, a contract made, a game won), and whether it happened."""

    probability: float
    happened: bool


@dataclass(frozen=True, slots=True)
class ReliabilityRow:
    """The predictions from `low` up to `high`: how many, their mean, and how often it happened, over pairs."""

    low: float
    high: float
    count: int
    happened: int
    mean_predicted: float | None
    observed: Estimate

    @property
    def gap(self) -> float | None:
        """How often it happened, less the mean prediction: above 0 the engine expects too little."""
        if self.observed.value is None or self.mean_predicted is None:
            return None
        return self.observed.value - self.mean_predicted


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability table and its summary.

    `bias`: what happened less what was predicted, on average, with its interval over pairs. `brier`: the mean squared
    error, 0 at best. `brier_of_base_rate`: what always predicting the overall rate would have scored: an engine above
    it knows less than that. `calibration_error`: the rows' gaps without their signs, averaged over predictions.
    """

    rows: tuple[ReliabilityRow, ...]
    count: int
    bias: Estimate
    brier: float | None
    brier_of_base_rate: float | None
    calibration_error: float | None


def reliability(pairs: Iterable[Iterable[Prediction]], bins: int = 10, confidence: float = CONFIDENCE) -> Reliability:
    """Tabulate predictions, given pair by pair, in `bins` rows of equal width; a prediction of 1 is in the last.

    Rows without predictions are kept, so that tables line up. Raises `ValueError` for a probability outside 0 to 1 and
    for less than one bin.
    """
    if bins < 1:
        raise ValueError(f"{bins} bins: there must be one at least")
    happened = [RatioSums()] * bins
    predicted = [0.0] * bins
    bias = RatioSums()
    squares = 0.0
    for pair in pairs:
        counts, hits, total = [0] * bins, [0] * bins, 0.0
        for prediction in pair:
            probability, outcome = prediction.probability, int(prediction.happened)
            if not 0.0 <= probability <= 1.0:
                raise ValueError(f"probability {probability}: it must lie from 0 to 1")
            row = min(int(probability * bins), bins - 1)
            counts[row] += 1
            hits[row] += outcome
            predicted[row] += probability
            squares += (outcome - probability) ** 2
            total += outcome - probability
        for row in range(bins):
            happened[row] = happened[row].plus(hits[row], counts[row])
        bias = bias.plus(total, sum(counts))

    rows = tuple(
        ReliabilityRow(
            low=row / bins,
            high=(row + 1) / bins,
            count=int(sums.size),
            happened=int(sums.amount),
            mean_predicted=predicted[row] / sums.size if sums.size else None,
            observed=share_estimate(sums, confidence),
        )
        for row, sums in enumerate(happened)
    )
    count = sum(row.count for row in rows)
    base_rate = sum(row.happened for row in rows) / count if count else None
    return Reliability(
        rows=rows,
        count=count,
        bias=ratio_estimate(bias, confidence),
        brier=squares / count if count else None,
        brier_of_base_rate=None if base_rate is None else base_rate * (1.0 - base_rate),
        calibration_error=sum(row.count * abs(row.gap) for row in rows if row.gap is not None) / count
        if count
        else None,
    )
