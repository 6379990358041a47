"""What the lines of a results file say of single hands and of single decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spades_engine.game import Bid, BidKind, RuleSet, Side, parse_bid, score_side
from spades_match.statistics import ContractHand, NilHand

PHASES: Final = ("blind", "draft", "swap", "bid", "play")
"""The phases in which a seat decides, in the order of a hand."""

OTHER: Final = "other"
"""In place of a phase: a decision that no line of the record stands for, since it was not legal."""


@dataclass(frozen=True, slots=True)
class SideHand:
    """What one side made of one hand. `contract` is None where both its seats, or its only one, bid a nil."""

    engine: str
    points: int
    bags: int
    contract: ContractHand | None
    nils: tuple[NilHand, ...]
    made: Mapping[str, bool]
    """For each of its seats, whether the bid was made: the side's contract, or its own nil."""


def side_hands(rules: RuleSet, detail: Mapping[str, Any]) -> Iterator[SideHand]:
    """Yield both sides of a hand of `hands_detail`. Raises KeyError, ValueError or GameError for what makes no sense.

    Whether a contract was made is asked of the rules, as a failed nil's tricks may help it.
    """
    for side in rules.sides:
        yield _side_hand(rules, detail, side)


def _side_hand(rules: RuleSet, detail: Mapping[str, Any], side: Side) -> SideHand:
    seats = [seat.name for seat in rules.seats_of(side)]
    bids = [parse_bid(detail["bids"][seat], rules) for seat in seats]
    tricks = [int(detail["tricks"][seat]) for seat in seats]
    name = rules.format_side(side)
    bags = int(detail["bags"][name])
    contracts = [bid.tricks for bid in bids if not bid.is_nil]
    is_made = score_side(rules, bids, tricks, 0).contract >= 0
    counted = sum(won for bid, won in zip(bids, tricks, strict=True) if rules.failed_nil_helps or not bid.is_nil)
    return SideHand(
        detail["by"][seats[0]],
        int(detail["points"][name]),
        bags,
        ContractHand(sum(contracts), counted, is_made, bags) if contracts else None,
        tuple(_nil(rules, bid, won) for bid, won in zip(bids, tricks, strict=True) if bid.is_nil),
        {seat: not won if bid.is_nil else is_made for seat, bid, won in zip(seats, bids, tricks, strict=True)},
    )


def _nil(rules: RuleSet, bid: Bid, won: int) -> NilHand:
    is_blind = bid.kind is BidKind.BLIND_NIL
    worth = (rules.blind_nil if is_blind else rules.nil) or 0
    return NilHand(is_blind, not won, -worth if won else worth)


def decisions(record: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield seat and phase of each decision in a record, in order; what the dealer does is none.

    Only the words are looked at: following the rules would take most of the time that a report does.
    """
    blind: set[str] = set()
    for line in record:
        verb, _, rest = line.partition(" ")
        seat = rest[:1]
        match verb:
            case "play" | "swap":
                yield seat, verb
            case "draft" if rest[2:6] != "draw":
                yield seat, verb
            case "bid" if rest.endswith("blindnil"):
                blind.add(seat)
                yield seat, "blind"
            case "bid":
                yield seat, verb
            case "look" if seat not in blind:  # who has called blind nil is shown the cards by the dealer
                yield seat, "blind"
            case "deal":
                blind.clear()
