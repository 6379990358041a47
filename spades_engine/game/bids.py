"""Bids: a contract of tricks, a nil, or a nil called blind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from spades_engine.game.errors import IllegalAction, UnreadableEvent
from spades_engine.game.ruleset import RuleSet

MAX_CONTRACT = 13


class BidKind(Enum):
    """The three kinds of bid."""

    CONTRACT = "contract"
    NIL = "nil"
    BLIND_NIL = "blindnil"


@dataclass(frozen=True, slots=True)
class Bid:
    """One bid. `tricks` is the contract, 0 for both kinds of nil (a contract of 0 has kind CONTRACT)."""

    kind: BidKind
    tricks: int = 0

    @property
    def is_nil(self) -> bool:
        """Whether it undertakes to win no trick, blind or not. A plain contract of 0 does not."""
        return self.kind is not BidKind.CONTRACT

    def __str__(self) -> str:
        return format_bid(self)


NIL = Bid(BidKind.NIL)
BLIND_NIL = Bid(BidKind.BLIND_NIL)
CONTRACTS: tuple[Bid, ...] = tuple(Bid(BidKind.CONTRACT, n) for n in range(MAX_CONTRACT + 1))

_BID_OF_TEXT: dict[str, Bid] = {str(bid.tricks): bid for bid in CONTRACTS} | {"nil": NIL, "blindnil": BLIND_NIL}


def parse_bid(text: str, rules: RuleSet) -> Bid:
    """The bid written `text`; "0" is a nil with `nil_is_zero=yes`.

    Whether it is legal is another question: "14" is a bid, which no table takes. Raises `UnreadableEvent`.
    """
    bid = _BID_OF_TEXT.get(text)
    if bid is None:
        digits = text.removeprefix("-")
        if digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) <= 18:
            return Bid(BidKind.CONTRACT, int(text))
        raise UnreadableEvent(f"{text}: a bid is a number, nil or blindnil")
    return NIL if bid is CONTRACTS[0] and rules.nil_is_zero else bid


def format_bid(bid: Bid) -> str:
    """The bid as it is written: "4", "0", "nil" or "blindnil"."""
    return str(bid.tricks) if bid.kind is BidKind.CONTRACT else bid.kind.value


def legal_bids(rules: RuleSet) -> tuple[Bid, ...]:
    """What a seat may bid at its turn, nil first and then contracts upwards. A blind nil is not among them."""
    lowest = max(rules.min_bid, 1) if rules.nil_is_zero else rules.min_bid
    return ((NIL,) if rules.nil is not None else ()) + CONTRACTS[lowest:]


def check_bid(bid: Bid, rules: RuleSet) -> None:
    """Raise `IllegalAction` unless `bid` is one of `legal_bids(rules)`."""
    if bid.kind is BidKind.NIL:
        if rules.nil is None:
            raise IllegalAction("nil-off", f"nil: this game has no nil, {_range_text(rules)}")
    elif bid.kind is BidKind.BLIND_NIL:
        if rules.blind_nil is None:
            raise IllegalAction("nil-off", "blindnil: this game has no blind nil")
        raise IllegalAction("not-allowed", "blindnil: it is called before any card is seen, when the seat is asked")
    elif bid not in legal_bids(rules):
        raise IllegalAction("bid-range", f"{bid.tricks}: {_range_text(rules)}")


def _range_text(rules: RuleSet) -> str:
    bids = legal_bids(rules)
    if bids[0] is NIL:
        return f"bids here are nil and {bids[1].tricks} to {MAX_CONTRACT}"
    return f"bids here are {bids[0].tricks} to {MAX_CONTRACT}"
