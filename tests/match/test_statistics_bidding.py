"""Bid calibration, the nil ledger and the reliability table."""

import math
from collections.abc import Iterator

import pytest

from spades_match.statistics import (
    ContractHand,
    NilHand,
    Prediction,
    Remark,
    bid_calibration,
    nil_ledger,
    reliability,
    share_estimate,
)

# Bids -----------------------------------------------------------------------------------------------------------------


def hand(bid: int, tricks: int) -> ContractHand:
    """A contract scored in the usual way."""
    return ContractHand(bid, tricks, tricks >= bid, max(tricks - bid, 0))


CONTRACTS = [
    [hand(3, 4), hand(5, 5)],
    [hand(3, 2), hand(4, 6)],
    [hand(5, 4), hand(3, 3)],
    [hand(4, 4), hand(4, 3)],
]


def test_totals_by_hand() -> None:
    """All contracts together: counted on the fingers."""
    total = bid_calibration(CONTRACTS).total
    assert (total.bid, total.hands, total.made, total.set) == (None, 8, 5, 3)
    assert total.mean_bid == 31 / 8
    assert total.made_rate.value == 5 / 8
    assert total.tricks_over.value == 0.0
    assert total.bags_per_hand.value == 3 / 8
    assert total.made_rate.pairs == 4


def test_rows_by_bid() -> None:
    """Each bid that occurred has a row, lowest first, with the pairs it occurred in."""
    rows = bid_calibration(CONTRACTS).by_bid
    assert [(row.bid, row.hands, row.made, row.set, row.made_rate.pairs) for row in rows] == [
        (3, 3, 2, 1, 3),
        (4, 3, 2, 1, 2),
        (5, 2, 1, 1, 2),
    ]
    assert [row.mean_bid for row in rows] == [3, 4, 5]
    assert [row.tricks_over.value for row in rows] == [0.0, 1 / 3, -0.5]
    assert rows[1].made_rate.low is not None


def test_what_is_made_is_for_the_referee_to_say() -> None:
    """A contract filled with a failed nil's tricks counts as made although its own tricks do not suffice."""
    total = bid_calibration([[ContractHand(bid=4, tricks=3, made=True, bags=0)]]).total
    assert (total.made, total.set, total.tricks_over.value) == (1, 0, -1)


def test_pair_is_the_unit_of_bids() -> None:
    """Hands of one pair that always fare alike are worth one observation, not many."""
    alike = [[hand(4, 4 + luck)] * 6 for luck in (0, -1, 0, 0, -1, 0, 0, 0)]
    apart = [[hand(4, 4 + luck)] for luck in (0, -1, 0, 0, -1, 0, 0, 0)]
    many, few = bid_calibration(alike).total.made_rate, bid_calibration(apart).total.made_rate
    assert many.low == pytest.approx(few.low)
    assert many.high == pytest.approx(few.high)


def test_bids_are_read_as_they_come() -> None:
    """Pairs are taken one at a time, so that a file of any length can be streamed."""
    alive = 0

    def pairs() -> Iterator[Iterator[ContractHand]]:
        nonlocal alive
        for _ in range(100):
            alive += 1
            assert alive == 1
            yield iter([hand(3, 3), hand(3, 2)])
            alive -= 1

    assert bid_calibration(pairs()).total.hands == 200


def test_no_bids() -> None:
    """Without contracts the table is empty and claims nothing."""
    calibration = bid_calibration([[], []])
    assert calibration.by_bid == ()
    assert (calibration.total.hands, calibration.total.mean_bid) == (0, None)
    assert calibration.total.made_rate.remark is Remark.NO_DATA


# Nils -----------------------------------------------------------------------------------------------------------------


def test_nil_ledger_by_hand() -> None:
    """Nils and blind nils are kept apart; bid, made, set and points are counted on the fingers."""
    ledger = nil_ledger(
        [
            [NilHand(False, True, 100), NilHand(True, False, -200)],
            [],
            [NilHand(False, False, -100)],
            [NilHand(False, True, 100), NilHand(False, True, 100)],
        ]
    )
    nil, blind = ledger.nil, ledger.blind_nil
    assert (nil.bid, nil.made, nil.set, nil.points) == (4, 3, 1, 200)
    assert (nil.success.value, nil.success.pairs, nil.points_per_nil.value) == (0.75, 3, 50)
    assert (blind.bid, blind.made, blind.set, blind.points) == (1, 0, 1, -200)
    assert blind.success.value == 0.0
    assert blind.points_per_nil.remark is Remark.ONE_PAIR


def test_no_nils() -> None:
    """A match without nils has an empty ledger, and no rate of success is made up."""
    ledger = nil_ledger([[], [], []])
    for row in (ledger.nil, ledger.blind_nil):
        assert (row.bid, row.made, row.set, row.points) == (0, 0, 0, 0)
        assert row.success.remark is Remark.NO_DATA
        assert row.points_per_nil.value is None


def test_nils_all_made() -> None:
    """Nils that never failed have a rate of 100% with a lower end that depends on how many pairs had one."""
    few = nil_ledger([[NilHand(False, True, 100)]] * 5).nil.success
    many = nil_ledger([[NilHand(False, True, 100)]] * 50).nil.success
    assert few.low is not None
    assert many.low is not None
    assert few.high == many.high == 1.0
    assert few.low < 0.5 < 0.9 < many.low


# Reliability ----------------------------------------------------------------------------------------------------------


def test_reliability_by_hand() -> None:
    """Counts, means, gaps, Brier scores and calibration error: computed on paper."""
    table = reliability(
        [
            [Prediction(0.1, False), Prediction(0.2, True)],
            [Prediction(0.3, False), Prediction(0.9, True)],
            [Prediction(0.7, False), Prediction(1.0, True)],
        ],
        bins=2,
    )
    low, high = table.rows
    assert (low.low, low.high, low.count, low.happened) == (0.0, 0.5, 3, 1)
    assert (high.low, high.high, high.count, high.happened) == (0.5, 1.0, 3, 2)
    assert low.mean_predicted == pytest.approx(0.2)
    assert high.mean_predicted == pytest.approx(2.6 / 3)
    assert low.gap == pytest.approx(1 / 3 - 0.2)
    assert high.gap == pytest.approx(2 / 3 - 2.6 / 3)
    assert table.count == 6
    assert table.brier == pytest.approx((0.01 + 0.64 + 0.09 + 0.01 + 0.49 + 0.0) / 6)
    assert table.brier_of_base_rate == 0.25
    assert table.calibration_error == pytest.approx((abs(1 / 3 - 0.2) + abs(2 / 3 - 2.6 / 3)) / 2)
    assert table.bias.value == pytest.approx((3 - 3.2) / 6)


def test_observed_rates_are_shares_over_pairs() -> None:
    """The observed rate of a row has the interval of any share, and its pairs are those with a prediction in it."""
    pairs = [[Prediction(0.55, i % 3 > 0), Prediction(0.05, False)] for i in range(12)]
    row = reliability(pairs, bins=10).rows[5]
    assert row.observed == share_estimate([(int(i % 3 > 0), 1) for i in range(12)])


def test_bins_hold_their_edges() -> None:
    """An edge belongs to the row above it, and a prediction of 1 to the last row."""
    table = reliability([[Prediction(p / 4, True) for p in range(5)]], bins=4)
    assert [row.count for row in table.rows] == [1, 1, 1, 2]


def test_empty_rows_stay() -> None:
    """Rows without predictions are kept and say nothing; so does a table without any."""
    table = reliability([], bins=5)
    assert [row.count for row in table.rows] == [0] * 5
    assert {row.gap for row in table.rows} == {None}
    assert (table.count, table.brier, table.calibration_error, table.bias.value) == (0, None, None, None)


@pytest.mark.parametrize("probability", [-0.01, 1.01, math.nan])
def test_probability_out_of_range(probability: float) -> None:
    """What is no probability is refused rather than put into some row."""
    with pytest.raises(ValueError, match="probability"):
        reliability([[Prediction(probability, True)]])


def test_no_bins() -> None:
    """A table without rows is refused."""
    with pytest.raises(ValueError, match="bins"):
        reliability([], bins=0)
