"""Running sums of a report: each takes one pair, hand or decision at a time and stays small however long the match."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from spades_match.statistics import (
    BidCalibration,
    BidRow,
    ContractHand,
    NilHand,
    NilLedger,
    NilRow,
    Prediction,
    RatioSums,
    Reliability,
    ReliabilityRow,
    ratio_estimate,
    share_estimate,
)

STEPS_PER_DECADE: Final = 80
"""Steps of a `Sketch` between 1 ms and 10 ms: each is 2.9 per cent wide."""

BINS: Final = 10
"""Rows of a reliability table."""

_SHORTEST: Final = 1e-3  # milliseconds: what the timing file can tell apart
_T = TypeVar("_T")


@dataclass(slots=True)
class Sketch:
    """How long decisions took, in milliseconds.

    Count, mean, least and greatest are exact; quantiles come from counts on a logarithmic scale, to within 3 per cent.
    """

    count: int = 0
    total: float = 0.0
    least: float = math.inf
    greatest: float = 0.0
    steps: dict[int, int] = field(default_factory=dict)
    """How many decisions fell into each step; step 0 begins at 1 ms."""

    def add(self, milliseconds: float) -> None:
        """Take one decision."""
        self.count += 1
        self.total += milliseconds
        self.least = min(self.least, milliseconds)
        self.greatest = max(self.greatest, milliseconds)
        step = math.floor(math.log10(max(milliseconds, _SHORTEST)) * STEPS_PER_DECADE)
        self.steps[step] = self.steps.get(step, 0) + 1

    @staticmethod
    def joined(sketches: Iterable[Sketch]) -> Sketch:
        """Return all decisions of several sketches as one."""
        joined = Sketch()
        for sketch in sketches:
            joined.count += sketch.count
            joined.total += sketch.total
            joined.least = min(joined.least, sketch.least)
            joined.greatest = max(joined.greatest, sketch.greatest)
            for step, count in sketch.steps.items():
                joined.steps[step] = joined.steps.get(step, 0) + count
        return joined

    @property
    def mean(self) -> float | None:
        """Mean milliseconds; None without decisions."""
        return self.total / self.count if self.count else None

    def quantile(self, share: float) -> float | None:
        """Milliseconds that `share` (0 to 1) of the decisions stayed within; None without decisions."""
        wanted, passed = share * self.count, 0
        for step in sorted(self.steps):
            count = self.steps[step]
            if passed + count >= wanted:
                place = (step + (wanted - passed) / count) / STEPS_PER_DECADE
                return min(max(math.pow(10.0, place), self.least), self.greatest)
            passed += count
        return self.greatest if self.count else None


class Thinned(Generic[_T]):
    """A curve of which at most `2 * limit` points are kept: every one, then every second, every fourth and so on."""

    def __init__(self, limit: int = 150) -> None:
        self._limit = limit
        self._kept: list[_T] = []
        self._stride = 1
        self._count = 0
        self._last: list[_T] = []

    def add(self, point: _T) -> None:
        """Take the next point."""
        self._count += 1
        if self._count % self._stride:
            self._last = [point]
            return
        self._last = []
        self._kept.append(point)
        if len(self._kept) == 2 * self._limit:
            del self._kept[::2]
            self._stride *= 2

    def points(self) -> tuple[_T, ...]:
        """Return what is kept, and always the last point."""
        return (*self._kept, *self._last)


# Bids and predictions -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _BidSums:
    bids: int = 0
    made: RatioSums = field(default_factory=RatioSums)
    over: RatioSums = field(default_factory=RatioSums)
    bags: RatioSums = field(default_factory=RatioSums)

    def add(self, hands: Sequence[ContractHand]) -> None:
        count = len(hands)
        self.bids += sum(hand.bid for hand in hands)
        self.made = self.made.plus(sum(hand.made for hand in hands), count)
        self.over = self.over.plus(sum(hand.tricks - hand.bid for hand in hands), count)
        self.bags = self.bags.plus(sum(hand.bags for hand in hands), count)

    def row(self, bid: int | None) -> BidRow:
        hands = int(self.made.size)
        return BidRow(
            bid,
            hands,
            int(self.made.amount),
            self.bids / hands if hands else None,
            share_estimate(self.made),
            ratio_estimate(self.over),
            ratio_estimate(self.bags),
        )


class Contracts:
    """What `bid_calibration` makes of all hands at once, unit by unit. A unit is what intervals are taken over."""

    def __init__(self) -> None:
        self._total = _BidSums()
        self._by_bid: dict[int, _BidSums] = {}

    def add(self, hands: Sequence[ContractHand]) -> None:
        """Take the contracts of one unit."""
        self._total.add(hands)
        for bid in {hand.bid for hand in hands}:
            self._by_bid.setdefault(bid, _BidSums()).add([hand for hand in hands if hand.bid == bid])

    def calibration(self) -> BidCalibration:
        """Return the table."""
        return BidCalibration(self._total.row(None), tuple(self._by_bid[bid].row(bid) for bid in sorted(self._by_bid)))


class Nils:
    """What `nil_ledger` makes of all hands at once, unit by unit."""

    def __init__(self) -> None:
        self._made = {False: RatioSums(), True: RatioSums()}
        self._points = {False: RatioSums(), True: RatioSums()}

    def add(self, nils: Sequence[NilHand]) -> None:
        """Take the nils of one unit, often none."""
        for is_blind in (False, True):
            kind = [nil for nil in nils if nil.blind is is_blind]
            self._made[is_blind] = self._made[is_blind].plus(sum(nil.made for nil in kind), len(kind))
            self._points[is_blind] = self._points[is_blind].plus(sum(nil.points for nil in kind), len(kind))

    def ledger(self) -> NilLedger:
        """Return the table."""
        return NilLedger(self._row(False), self._row(True))

    def _row(self, is_blind: bool) -> NilRow:
        made, points = self._made[is_blind], self._points[is_blind]
        return NilRow(
            int(made.size), int(made.amount), int(points.amount), share_estimate(made), ratio_estimate(points)
        )


class Predictions:
    """What `reliability` makes of all predictions at once, unit by unit, in `BINS` rows."""

    def __init__(self) -> None:
        self._happened = [RatioSums()] * BINS
        self._predicted = [0.0] * BINS
        self._bias = RatioSums()
        self._squares = 0.0

    def add(self, predictions: Sequence[Prediction]) -> None:
        """Take the predictions of one unit; probabilities lie from 0 to 1."""
        counts, hits, total = [0] * BINS, [0] * BINS, 0.0
        for prediction in predictions:
            row = min(int(prediction.probability * BINS), BINS - 1)
            error = prediction.happened - prediction.probability
            counts[row] += 1
            hits[row] += prediction.happened
            self._predicted[row] += prediction.probability
            self._squares += error * error
            total += error
        for row in range(BINS):
            self._happened[row] = self._happened[row].plus(hits[row], counts[row])
        self._bias = self._bias.plus(total, sum(counts))

    def reliability(self) -> Reliability:
        """Return the table."""
        rows = tuple(self._rows())
        count = sum(row.count for row in rows)
        base = sum(row.happened for row in rows) / count if count else 0.0
        gaps = sum(row.count * abs(row.gap) for row in rows if row.gap is not None)
        return Reliability(
            rows,
            count,
            ratio_estimate(self._bias),
            self._squares / count if count else None,
            base * (1.0 - base) if count else None,
            gaps / count if count else None,
        )

    def _rows(self) -> Iterator[ReliabilityRow]:
        for place, sums in enumerate(self._happened):
            count = int(sums.size)
            mean = self._predicted[place] / count if count else None
            yield ReliabilityRow(place / BINS, (place + 1) / BINS, count, int(sums.amount), mean, share_estimate(sums))
