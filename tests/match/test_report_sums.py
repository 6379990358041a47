"""The running sums of the report: the same figures as from everything at once, and no growth with the match."""

from __future__ import annotations

import json
import random
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest

from spades_match.report import gather
from spades_match.report.sums import Contracts, Nils, Predictions, Sketch, Thinned
from spades_match.statistics import (
    ContractHand,
    NilHand,
    Prediction,
    bid_calibration,
    nil_ledger,
    reliability,
)
from spades_match.store import timing_path
from tests.match.test_report import THREE, THREE_TIMED, header


def test_sums_give_the_figures_of_the_statistics() -> None:
    """Taken unit by unit, bids, nils and predictions come to what the statistics make of all of them at once."""
    rng = random.Random(5)
    contracts = [
        [
            ContractHand(rng.randrange(1, 9), rng.randrange(14), rng.random() < 0.7, rng.randrange(4))
            for _ in range(rng.randrange(5))
        ]
        for _ in range(40)
    ]
    nils = [
        [NilHand(rng.random() < 0.3, rng.random() < 0.5, rng.choice((-100, 100))) for _ in range(rng.randrange(4))]
        for _ in range(40)
    ]
    predictions = [
        [Prediction(rng.choice((0.0, 1.0, rng.random())), rng.random() < 0.5) for _ in range(rng.randrange(5))]
        for _ in range(40)
    ]
    all_contracts, all_nils, all_predictions = Contracts(), Nils(), Predictions()
    for unit in range(40):
        all_contracts.add(contracts[unit])
        all_nils.add(nils[unit])
        all_predictions.add(predictions[unit])
    assert all_contracts.calibration() == bid_calibration(contracts)
    assert all_nils.ledger() == nil_ledger(nils)
    assert all_predictions.reliability() == reliability(predictions)


def test_nothing_comes_to_nothing() -> None:
    """Without a single hand the tables are those of the statistics without a single hand."""
    assert Contracts().calibration() == bid_calibration([])
    assert Nils().ledger() == nil_ledger([])
    assert Predictions().reliability() == reliability([])
    assert (Sketch().mean, Sketch().quantile(0.5), Sketch.joined([]).count) == (None, None, 0)


@pytest.mark.parametrize("spread", [0.0, 0.5, 2.0])
def test_quantiles_are_within_three_per_cent(spread: float) -> None:
    """Quantiles of times from microseconds to minutes lie within 3 per cent of the true ones."""
    rng = random.Random(1)
    values = sorted(rng.lognormvariate(1.5, spread) for _ in range(5001))
    sketch = Sketch()
    for value in values:
        sketch.add(value)
    for share in (0.0, 0.05, 0.5, 0.95, 1.0):
        assert sketch.quantile(share) == pytest.approx(values[round(share * 5000)], rel=0.03)
    assert sketch.mean == pytest.approx(sum(values) / 5001)
    assert (sketch.least, sketch.greatest) == (values[0], values[-1])


def test_joined_sketches_are_those_of_all_values() -> None:
    """Sketches put together are the sketch of everything in them; no time at all is a time."""
    parts, whole = (Sketch(), Sketch()), Sketch()
    for place, value in enumerate((0.0, 0.0004, 1.0, 250.0)):
        parts[place % 2].add(value)
        whole.add(value)
    assert Sketch.joined(parts) == whole
    assert whole.quantile(0.25) == pytest.approx(0.001, rel=0.03)


@pytest.mark.parametrize("count", [0, 1, 2, 19, 20, 21, 1000, 1001])
def test_thinned_curves_keep_their_end(count: int) -> None:
    """Of a curve of any length so many points are kept, at equal distances, and always the last."""
    curve: Thinned[int] = Thinned(10)
    for number in range(1, count + 1):
        curve.add(number)
    points = curve.points()
    assert len(points) <= 20
    assert points[-1:] == ((count,) if count else ())
    steps = {later - earlier for earlier, later in pairwise(points[:-1])}
    assert len(steps) <= 1


def _peak(path: Path, pairs: int) -> int:
    """Write a match of so many pairs and return how much memory its report took, in bytes."""
    with path.open("w", encoding="utf-8") as file, timing_path(path).open("w", encoding="utf-8") as timing:
        file.write(f"{json.dumps(header(pairs=pairs))}\n")
        for number in range(pairs):
            file.write(f"{json.dumps({**THREE[number % 3], 'pair': number})}\n")
            timing.write(f"{json.dumps({**THREE_TIMED[number % 2], 'pair': number})}\n")
    gather(path)  # what is loaded and remembered once is no part of it
    tracemalloc.start()
    try:
        gather(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_match(tmp_path: Path) -> None:
    """The report of ten times as many pairs takes hardly more memory; a line for each pair would be megabytes."""
    few, many = _peak(tmp_path / "few.jsonl", 200), _peak(tmp_path / "many.jsonl", 2000)
    assert many < few + 200_000
