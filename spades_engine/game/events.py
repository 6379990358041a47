"""What happens in a hand, one small immutable value per record line, and the one function that masks them.

A card that the reader may not see is None. What a seat decides (an *action*) is written with the same classes: a choice
of the draft, a look at dealt cards or an exchange with the discards lacks its outcome until the dealer completes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from spades_engine.game.bids import Bid
from spades_engine.game.cards import Card
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Seat, Side

CardList = tuple[Card | None, ...]


class Pending(Enum):
    """The type of `PENDING`."""

    PENDING = "pending"

    def __repr__(self) -> str:
        return "PENDING"


PENDING: Final[Literal[Pending.PENDING]] = Pending.PENDING
"""Stands for the card that a choice of the draft will turn up."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Hand `number` begins. `hands` has the cards of each seat that may not call blind nil; empty in a draft."""

    number: int
    first: Seat
    hands: tuple[tuple[Seat, CardList], ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """The seat declined blind nil, or picked up its cards after calling.

    `cards` is None in a drafted game, and in an action that the dealer has not completed.
    """

    seat: Seat
    cards: CardList | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The seat looks at the top card of the stock."""

    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Choose:
    """The seat kept (or passed) the drawn card; `card` is the next one, which it discarded (or kept).

    `keep` is None where the choice itself is hidden.
    """

    seat: Seat
    keep: bool | None
    card: Card | Pending | None = PENDING


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange with the discards: two lists of one length. `taken` is None until the dealer has drawn them."""

    seat: Seat
    thrown: CardList
    taken: CardList | None = None


@dataclass(frozen=True, slots=True)
class Give:
    """Exchange with the partner: the cards given."""

    seat: Seat
    cards: CardList


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid, or the call of a blind nil."""

    seat: Seat
    bid: Bid


@dataclass(frozen=True, slots=True)
class Play:
    """A card played."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickWon:
    """Result: the seat won the trick just completed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandScore:
    """Result: by side, the hand's points and the running bags and totals after it."""

    points: tuple[int, int]
    bags: tuple[int, int]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GameEnd:
    """Result: the game is over. `winner` is None for a draw; `reason` is "target", "floor" or "cap"."""

    winner: Side | None
    reason: str
    totals: tuple[int, int]


Action = Look | Choose | Swap | Give | BidMade | Play
Step = Deal | Draw | Action
Result = TrickWon | HandScore | GameEnd
Event = Step | Result


def mask_event(event: Event, rules: RuleSet, viewer: Seat) -> Event:
    """The event as `viewer` may see it. Every redaction in the program goes through here."""
    match event:
        case Draw(seat, _) if seat is not viewer:
            return Draw(seat, None)
        case Choose(seat, keep, card):
            if seat is viewer:
                return Choose(seat, keep, None) if keep and rules.peek == "unseen" and card is not PENDING else event
            shown = None if rules.draft_choice == "hidden" else keep
            return Choose(seat, shown, card if card is PENDING else None)
        case Deal(number, first, hands) if hands:
            return Deal(number, first, tuple((s, cards if s is viewer else _hidden(cards)) for s, cards in hands))
        case Look(seat, cards) if seat is not viewer and cards is not None:
            return Look(seat, _hidden(cards))
        case Swap(seat, thrown, taken) if seat is not viewer:
            return Swap(seat, _hidden(thrown), None if taken is None else _hidden(taken))
        case Give(seat, cards) if seat is not viewer and rules.partner(seat) is not viewer:
            return Give(seat, _hidden(cards))
        case _:
            return event


def _hidden(cards: CardList) -> CardList:
    return (None,) * len(cards)
