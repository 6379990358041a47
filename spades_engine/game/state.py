"""The state of a game: immutable, complete or as one seat sees it, moved on by `State.apply`."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, NoReturn

from spades_engine.game.cards import EMPTY, SUITS_OF_MASK, CardSet, Suit
from spades_engine.game.errors import Hidden, IllegalAction
from spades_engine.game.events import (
    Action,
    Choose,
    Event,
    GameEnd,
    HandScore,
    Look,
    Play,
    Result,
    Swap,
    TrickWon,
    mask_event,
)
from spades_engine.game.fields import NO_SETS, Fields, Phase, Scratch, put_count, put_set
from spades_engine.game.knowledge import discard_pool, held, is_known, may_hold, unplaced
from spades_engine.game.results import check_result, game_result, hand_score
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Seat
from spades_engine.game.steps import (
    HAND_SIZE,
    STEPS,
    bidding_order,
    check_throw,
    may_call_blind,
)

_ALL_FIELDS = attrgetter(*Fields.__slots__)


class State(Fields):
    """A game at one moment. Immutable; `new_game` makes the first one and `apply` every other.

    A state is *full* (`viewer` is None: every card is known as soon as it is dealt) or *partial* (`viewer` is a seat:
    what that seat is told, with the other cards as counts). Tuples "by seat" are indexed by `Seat` and have four
    entries, with two players those of E and W stay empty; "by side" are indexed by `Side`. Sets of cards are `CardSet`.

    | field | meaning |
    |---|---|
    | `rules`, `viewer` | the `RuleSet`; whose knowledge this is, None for all |
    | `number` | of the hand in progress, or the last one; 0 before the first |
    | `first` | first seat of the hand in progress; between hands (phase DEAL) of the hand to come, None if open |
    | `phase`, `turn` | what the table waits for; the seat concerned, None in phases DEAL and OVER |
    | `totals`, `bags`, `hands_played` | by side; by side (running); hands scored |
    | `last_score` | by side, the `Breakdown` of the last hand scored; None before |
    | `winner`, `reason` | a side, None before the end and for a draw; "target", "floor", "cap" or None |
    | `hands`, `hidden` | by seat: the cards known to be held; how many more it holds that this state does not know |
    | `looked`, `blind` | the seats that may have seen cards of this hand; the seats that called blind nil |
    | `draw`, `has_draw` | the card looked at in the draft, None if hidden; whether there is one |
    | `discards`, `hidden_discards` | by seat: what it discarded in the draft, known cards and count of the others |
    | `exchanged`, `swaps_due` | by seat: how many cards it threw or gave; the seats still to exchange, in order |
    | `thrown`, `picked` | by seat: known cards thrown in an exchange with the discards, and taken in it |
    | `given` | by seat: known cards given to its partner, wherever they are by now |
    | `bids`, `taken` | by seat: `Bid` or None; tricks won |
    | `trick`, `last_trick` | pairs (seat, card) on the table, in order; of the trick completed last |
    | `leader`, `trick_number`, `broken` | of the trick on the table or next; tricks completed; are spades broken |
    | `void_cards` | by seat: all cards of the suits that its plays have shown it not to hold: it did not follow, |
    | | or it played a spade that only a hand of spades could (unbroken lead, `first_trick_ruff=no`) |
    | `played`, `history` | all cards played in this hand; its events, as this state was told |

    Between hands everything about the last hand is still there, until the next `Deal`.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name}: a State never changes, apply() makes a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: a State never changes")

    def apply(self, event: Event) -> State:
        """The state after the event. Raises a `GameError` if the rules or what is known speak against it.

        The event must carry its outcome (`Dealer.complete`), with None for exactly the cards that the viewer may not
        see; lists of which the viewer may see nothing may be left out. Result events are only checked.
        """
        step = STEPS.get(type(event))
        if step is None:
            if isinstance(event, TrickWon | HandScore | GameEnd):
                check_result(self, event)
                return self
            raise TypeError(f"{event!r} is not an event")
        scratch = Scratch(self)
        told = step(scratch, event)
        scratch.history = (*scratch.history, told)
        return _seal(scratch)

    def check(self, action: Action) -> None:
        """Raise the `GameError` that speaks against a seat's action, whether or not the dealer has completed it."""
        match action:
            case Look(seat, None) if self.phase is Phase.BLIND and seat is self.turn:
                pass
            case Choose(seat, keep, _) if self.phase is Phase.DRAFT and seat is self.turn:
                if keep is None and is_known(self, seat):
                    raise IllegalAction("card-needed", "draft: this table must know whether the card was kept")
            case Swap(_, _, None):
                check_throw(self, action)
            case _:
                STEPS[type(action)](Scratch(self), action)

    def masked(self, viewer: Seat) -> State:
        """What `viewer` has been told: the same as applying every event masked for it. Raises `Hidden` when this is
        another seat's knowledge.
        """
        if self.viewer is not None:
            if self.viewer is viewer:
                return self
            raise Hidden(f"what {viewer.name} knows cannot be told from what {self.viewer.name} knows")
        rules = self.rules
        if viewer not in rules.seats:
            raise ValueError(f"{viewer.name} is no seat of this game")
        partner = rules.partner(viewer)
        s = Scratch(self)
        s.viewer = viewer
        for seat in rules.seats:
            if seat is viewer:
                unseen = self._unpeeked[seat]
                s.discards = put_set(s.discards, seat, self.discards[seat] & ~unseen)
                s.hidden_discards = put_count(s.hidden_discards, seat, unseen.bit_count())
                continue
            known = self.given[viewer] & self.hands[seat] if seat is partner else EMPTY
            s.hands = put_set(s.hands, seat, known)
            s.hidden = put_count(s.hidden, seat, held(self, seat) - known.bit_count())
            s.hidden_discards = put_count(s.hidden_discards, seat, self.discards[seat].bit_count())
            s.discards = put_set(s.discards, seat, EMPTY)
            s.thrown = put_set(s.thrown, seat, EMPTY)
            s.picked = put_set(s.picked, seat, EMPTY)
            if seat is not partner:
                s.given = put_set(s.given, seat, EMPTY)
        s._unpeeked = NO_SETS
        if self.turn is not viewer:
            s.draw = None
        # Masking keeps the kind of an event, so a history of steps stays one.
        s.history = tuple(mask_event(event, rules, viewer) for event in self.history)  # type: ignore[misc]
        return _seal(s)

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat: the suits that its plays have shown it not to hold."""
        return tuple(SUITS_OF_MASK[cards] for cards in self.void_cards)

    @property
    def stock_left(self) -> int:
        """How many cards of the stock have not been looked at; 0 outside a draft."""
        return 2 * self._undrawn - self.has_draw

    @property
    def bidding_order(self) -> tuple[Seat, ...]:
        """The seats in bidding order, for the hand that `first` belongs to; empty while `first` is open."""
        return bidding_order(self) if self.first is not None else ()

    def held(self, seat: Seat) -> int:
        """How many cards the seat holds, known and hidden."""
        return held(self, seat)

    def is_known(self, seat: Seat) -> bool:
        """Whether this state is told the seat's cards."""
        return is_known(self, seat)

    def may_call_blind(self, seat: Seat) -> bool:
        """Whether options and totals let the seat call blind nil in the hand in progress, or to come."""
        return may_call_blind(self, seat)

    def may_hold(self, seat: Seat) -> CardSet:
        """The cards that may be among the hidden ones of the seat, as far as this state tells."""
        return CardSet(may_hold(self, seat))

    @property
    def unplaced(self) -> CardSet:
        """The cards of the deck that this state cannot place."""
        return CardSet(unplaced(self))

    @property
    def discard_pool(self) -> CardSet:
        """The known discards that nobody is known to have taken; in a full state what an exchange draws from."""
        return CardSet(discard_pool(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or bool(_ALL_FIELDS(self) == _ALL_FIELDS(other))

    def __hash__(self) -> int:
        return hash((self.number, self.viewer, self.totals, self.history))

    def __repr__(self) -> str:
        whose = "" if self.viewer is None else f" as {self.viewer.name} sees it"
        turn = "" if self.turn is None else f", turn {self.turn.name}"
        return f"<State: {self.rules.preset} hand {self.number}{whose}, phase {self.phase}{turn}>"

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (_ALL_FIELDS(self),)


def _seal(scratch: Scratch) -> State:
    scratch.__class__ = State  # type: ignore[assignment]  # same layout: this closes the copy to writing, at no cost
    return scratch  # type: ignore[return-value]


def _restore(values: tuple[object, ...]) -> State:
    scratch = Scratch()
    for name, value in zip(Fields.__slots__, values, strict=True):
        setattr(scratch, name, value)
    return _seal(scratch)


def new_game(
    rules: RuleSet,
    first: Seat | None = None,
    viewer: Seat | None = None,
    totals: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
) -> State:
    """A game before its first hand. Without `first` the first `Deal` names the first seat.

    `viewer` makes the state partial. `totals` and `bags`, by side, let a game start from a score. Raises ValueError for
    a seat that is not in the game.
    """
    for seat in (first, viewer):
        if seat is not None and seat not in rules.seats:
            raise ValueError(f"{seat.name} is no seat of this game")
    s = Scratch()
    s.rules = rules
    s.viewer = viewer
    s.number = 0
    s.first = first
    s.phase = Phase.DEAL
    s.turn = None
    s.totals = totals
    s.bags = bags
    s.hands_played = 0
    s.last_score = None
    s.winner = None
    s.reason = None
    s.clear_hand()
    return _seal(s)


def derived_events(before: State, event: Event, after: State) -> tuple[Result, ...]:
    """The result events that follow from a step, in order: the trick won, the hand's score, the end of the game."""
    if not isinstance(event, Play) or after.trick or after is before:
        return ()
    assert after.leader is not None
    results: tuple[Result, ...] = (TrickWon(after.leader),)
    if after.trick_number == HAND_SIZE:
        score, end = hand_score(after), game_result(after)
        assert score is not None
        results += (score,) if end is None else (score, end)
    return results
