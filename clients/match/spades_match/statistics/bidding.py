"""What became of bids: contracts made and set, bags, and the nil ledger.

Hands are given pair by pair, as any iterable, so that a results file can be read as it goes: only sums are kept. What
counts as made is for the referee to say, since it depends on the rules (a failed nil's tricks may help the contract).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from spades_match.statistics.estimate import CONFIDENCE, Estimate, RatioSums, ratio_estimate, share_estimate


@dataclass(frozen=True, slots=True)
class ContractHand:
    """One side's contract in one hand.

    `bid`: tricks contracted for, all its seats' contracts together. `tricks`: tricks that counted towards it. `bags`:
    bags gained in the hand.
    """

    bid: int
    tricks: int
    made: bool
    bags: int


@dataclass(frozen=True, slots=True)
class NilHand:
    """One nil in one hand: whether it was called blind, whether it was made, and the points that it alone brought."""

    blind: bool
    made: bool
    points: int


@dataclass(frozen=True, slots=True)
class BidRow:
    """A row of the bid calibration: the hands with one bid, or all of them (`bid` None).

    Rates and means are per hand, with intervals over pairs. `tricks_over` is tricks less bid: above 0 the engine bids
    less than it takes.
    """

    bid: int | None
    hands: int
    made: int
    mean_bid: float | None
    made_rate: Estimate
    tricks_over: Estimate
    bags_per_hand: Estimate

    @property
    def set(self) -> int:
        """Contracts not made."""
        return self.hands - self.made


@dataclass(frozen=True, slots=True)
class BidCalibration:
    """All contracts of one engine, and the same by bid, lowest first."""

    total: BidRow
    by_bid: tuple[BidRow, ...]


@dataclass(frozen=True, slots=True)
class NilRow:
    """A row of the nil ledger: nils bid, made and set, the points they brought, the rate of success over pairs."""

    bid: int
    made: int
    points: int
    success: Estimate
    points_per_nil: Estimate

    @property
    def set(self) -> int:
        """Nils that took a trick."""
        return self.bid - self.made


@dataclass(frozen=True, slots=True)
class NilLedger:
    """Nils and blind nils of one engine."""

    nil: NilRow
    blind_nil: NilRow


@dataclass(slots=True)
class _BidSums:
    bids: int = 0
    made: RatioSums = field(default_factory=RatioSums)
    over: RatioSums = field(default_factory=RatioSums)
    bags: RatioSums = field(default_factory=RatioSums)

    def add_pair(self, hands: list[ContractHand]) -> None:
        n = len(hands)
        self.bids += sum(hand.bid for hand in hands)
        self.made = self.made.plus(sum(hand.made for hand in hands), n)
        self.over = self.over.plus(sum(hand.tricks - hand.bid for hand in hands), n)
        self.bags = self.bags.plus(sum(hand.bags for hand in hands), n)

    def row(self, bid: int | None, confidence: float) -> BidRow:
        hands = int(self.made.size)
        return BidRow(
            bid=bid,
            hands=hands,
            made=int(self.made.amount),
            mean_bid=self.bids / hands if hands else None,
            made_rate=share_estimate(self.made, confidence),
            tricks_over=ratio_estimate(self.over, confidence),
            bags_per_hand=ratio_estimate(self.bags, confidence),
        )


def bid_calibration(pairs: Iterable[Iterable[ContractHand]], confidence: float = CONFIDENCE) -> BidCalibration:
    """Calibrate one engine's contracts: for each pair, its contracts in all hands of both games."""
    total = _BidSums()
    by_bid: dict[int, _BidSums] = {}
    for pair in pairs:
        hands = list(pair)
        groups: dict[int, list[ContractHand]] = {}
        for hand in hands:
            groups.setdefault(hand.bid, []).append(hand)
        total.add_pair(hands)
        for bid, group in groups.items():
            by_bid.setdefault(bid, _BidSums()).add_pair(group)
    rows = tuple(by_bid[bid].row(bid, confidence) for bid in sorted(by_bid))
    return BidCalibration(total.row(None, confidence), rows)


def nil_ledger(pairs: Iterable[Iterable[NilHand]], confidence: float = CONFIDENCE) -> NilLedger:
    """Account for one engine's nils: for each pair, its nils in all hands of both games (often none)."""
    made = {False: RatioSums(), True: RatioSums()}
    points = {False: RatioSums(), True: RatioSums()}
    for pair in pairs:
        nils = list(pair)
        for blind in (False, True):
            kind = [nil for nil in nils if nil.blind is blind]
            made[blind] = made[blind].plus(sum(nil.made for nil in kind), len(kind))
            points[blind] = points[blind].plus(sum(nil.points for nil in kind), len(kind))

    def row(blind: bool) -> NilRow:
        return NilRow(
            bid=int(made[blind].size),
            made=int(made[blind].amount),
            points=int(points[blind].amount),
            success=share_estimate(made[blind], confidence),
            points_per_nil=ratio_estimate(points[blind], confidence),
        )

    return NilLedger(row(False), row(True))
