"""The fields of a state, and the scratch copy in which a step is worked out before it is sealed as a new state."""

from __future__ import annotations

from enum import StrEnum

from spades_engine.game.bids import Bid
from spades_engine.game.cards import EMPTY, Card, CardSet
from spades_engine.game.events import Step
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.scoring import Breakdown
from spades_engine.game.seats import Seat, Side
from spades_engine.game.trick import Trick


class Phase(StrEnum):
    """What the table waits for. DEAL, LOOK and DRAW wait for the dealer; BLIND, DRAFT, SWAP, BID, PLAY for a seat."""

    DEAL = "deal"
    BLIND = "blind"
    LOOK = "look"
    DRAW = "draw"
    DRAFT = "draft"
    SWAP = "swap"
    BID = "bid"
    PLAY = "play"
    OVER = "over"


class Fields:
    """All that a state knows. Tuples "by seat" have four entries and are indexed by `Seat`; "by side", two by `Side`.

    With two players the entries of E and W keep their first values. `State` documents each field.
    """

    __slots__ = (
        "_undrawn",
        "_unpeeked",
        "bags",
        "bids",
        "blind",
        "broken",
        "discards",
        "draw",
        "exchanged",
        "first",
        "given",
        "hands",
        "hands_played",
        "has_draw",
        "hidden",
        "hidden_discards",
        "history",
        "last_score",
        "last_trick",
        "leader",
        "looked",
        "number",
        "phase",
        "picked",
        "played",
        "reason",
        "rules",
        "swaps_due",
        "taken",
        "thrown",
        "totals",
        "trick",
        "trick_number",
        "turn",
        "viewer",
        "void_cards",
        "winner",
    )

    rules: RuleSet
    viewer: Seat | None
    number: int
    first: Seat | None
    phase: Phase
    turn: Seat | None
    totals: tuple[int, int]
    bags: tuple[int, int]
    hands_played: int
    last_score: tuple[Breakdown, Breakdown] | None
    winner: Side | None
    reason: str | None
    hands: tuple[CardSet, ...]
    hidden: tuple[int, ...]
    looked: frozenset[Seat]
    blind: frozenset[Seat]
    draw: Card | None
    has_draw: bool
    discards: tuple[CardSet, ...]
    hidden_discards: tuple[int, ...]
    _unpeeked: tuple[CardSet, ...]  # discards that their own seat has not seen; empty unless the state is full
    _undrawn: int  # turns of the draft still to come
    swaps_due: tuple[Seat, ...]
    exchanged: tuple[int, ...]
    thrown: tuple[CardSet, ...]
    picked: tuple[CardSet, ...]
    given: tuple[CardSet, ...]
    bids: tuple[Bid | None, ...]
    taken: tuple[int, ...]
    trick: Trick
    last_trick: Trick
    leader: Seat | None
    trick_number: int
    broken: bool
    void_cards: tuple[CardSet, ...]
    played: CardSet
    history: tuple[Step, ...]


class Scratch(Fields):
    """A copy that may be written to. It has the layout of `State`, so sealing it is a change of class, not a copy."""

    __slots__ = ()

    def __init__(self, source: Fields | None = None) -> None:
        if source is None:
            return
        # Written out: this is the cost of every step, and a loop over the names takes three times as long.
        self.rules = source.rules
        self.viewer = source.viewer
        self.number = source.number
        self.first = source.first
        self.phase = source.phase
        self.turn = source.turn
        self.totals = source.totals
        self.bags = source.bags
        self.hands_played = source.hands_played
        self.last_score = source.last_score
        self.winner = source.winner
        self.reason = source.reason
        self.hands = source.hands
        self.hidden = source.hidden
        self.looked = source.looked
        self.blind = source.blind
        self.draw = source.draw
        self.has_draw = source.has_draw
        self.discards = source.discards
        self.hidden_discards = source.hidden_discards
        self._unpeeked = source._unpeeked
        self._undrawn = source._undrawn
        self.swaps_due = source.swaps_due
        self.exchanged = source.exchanged
        self.thrown = source.thrown
        self.picked = source.picked
        self.given = source.given
        self.bids = source.bids
        self.taken = source.taken
        self.trick = source.trick
        self.last_trick = source.last_trick
        self.leader = source.leader
        self.trick_number = source.trick_number
        self.broken = source.broken
        self.void_cards = source.void_cards
        self.played = source.played
        self.history = source.history

    def clear_hand(self) -> None:
        """Forget everything that belongs to one hand."""
        self.hands = NO_SETS
        self.hidden = NO_COUNTS
        self.looked = frozenset()
        self.blind = frozenset()
        self.draw = None
        self.has_draw = False
        self.discards = NO_SETS
        self.hidden_discards = NO_COUNTS
        self._unpeeked = NO_SETS
        self._undrawn = 0
        self.swaps_due = ()
        self.exchanged = NO_COUNTS
        self.thrown = NO_SETS
        self.picked = NO_SETS
        self.given = NO_SETS
        self.bids = NO_BIDS
        self.taken = NO_COUNTS
        self.trick = ()
        self.last_trick = ()
        self.leader = None
        self.trick_number = 0
        self.broken = False
        self.void_cards = NO_SETS
        self.played = EMPTY
        self.history = ()


NO_SETS: tuple[CardSet, ...] = (EMPTY,) * 4
NO_COUNTS: tuple[int, ...] = (0,) * 4
NO_BIDS: tuple[Bid | None, ...] = (None,) * 4


def put_set(by_seat: tuple[CardSet, ...], seat: Seat, cards: int) -> tuple[CardSet, ...]:
    """The tuple with one seat's set replaced."""
    items = list(by_seat)
    items[seat] = cards  # type: ignore[call-overload]  # any int of card bits is a CardSet; a call here costs time
    return tuple(items)


def put_count(by_seat: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    """The tuple with one seat's number replaced."""
    items = list(by_seat)
    items[seat] = value
    return tuple(items)
