"""One game at the table: who deals, who sees what, what has happened, and the way back."""

from __future__ import annotations

from spades_engine.game import (
    BidKind,
    BidMade,
    Card,
    Dealer,
    GameEnd,
    HandScore,
    Hidden,
    Phase,
    RuleSet,
    Seat,
    State,
    TrickWon,
    WrongPhase,
    WrongSeat,
    advance,
    commitment,
    deal,
    derived_events,
    format_action,
    format_event,
    format_seat,
    game_end,
    legal_actions,
    mask_event,
    new_game,
    seed_streams,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_engine.game import Action, Event

CHANCE = (Phase.DEAL, Phase.LOOK, Phase.DRAW, Phase.OVER)


class Table:
    """A game being played, with every command that moved it, so that it can be taken back or written down.

    With `dealer` set this process deals and `view` only masks what is printed; without it the host deals and the state
    itself knows no more than `view` may.
    """

    def __init__(
        self,
        rules: RuleSet,
        *,
        seed: str | None,
        view: Seat | None,
        first: Seat | None,
        totals: tuple[int, int] = (0, 0),
        bags: tuple[int, int] = (0, 0),
    ) -> None:
        if game_end(rules, totals, 0)[0]:
            raise ValueError("with these totals the game is over already")
        self.rules = rules
        self.seed = seed
        self.view = view
        self.dealer: Dealer | None = None
        if seed is not None:
            self.dealer = Dealer(rules, seed_streams(seed))
            if first is None:
                first = self.dealer.first_seat()
        self.opening = new_game(rules, first, None if self.dealer else view, totals, bags)
        self.state: State = self.opening
        self.events: list[Event] = []  # record lines so far, as this table knows them
        self._results: dict[int, tuple[Event, ...]] = {}  # scores and ends, by the number of events before them
        self._texts: dict[
            Seat | None, list[str]
        ] = {}  # the lines of `events` for a view, as far as they were asked for
        self._steps: list[int] = []  # how many events there were before each command
        self._starts: list[tuple[int, State]] = [(0, self.state)]  # the same, with the state, before each deal
        # What `go` answered for the seat to act, outside the view: how many events there were, the text as the view
        # may see it, the action.
        self._answer: tuple[int, str, Action] | None = None

    # Moving -----------------------------------------------------------------------------------------------------

    def deal(self, deck: tuple[Card, ...] | None) -> tuple[Event, ...]:
        """Deal the next hand from the seed or from `deck`. Raises GameError."""
        if self.dealer is None:
            raise AssertionError("the host deals at this table")
        if self.state.phase is not Phase.DEAL:
            raise WrongPhase(self.waiting_text())
        dealer = self.dealer
        if deck is not None:
            dealer = dealer.with_deck(self.state.number + 1, deck)
        state, events = deal(dealer, self.state)
        self.dealer = dealer
        self._starts.append((len(self.events), self.state))
        self._moved(state, events)
        return events

    def act(self, action: Action) -> tuple[Event, ...]:
        """A seat's decision at a table where this process deals: it, and all that follows from it. Raises GameError."""
        if self.dealer is None:
            raise AssertionError("the host deals at this table")
        if self.is_foreign(self.state.turn) and self.state.phase not in CHANCE:
            self._check_turn(action)
            text, bound = (None, action) if self._answer is None else self._answer[1:]
            if self.answer() is None or text != format_action(action, self.rules):
                raise Hidden(f"{self.turn_text()} is played by the program at this table: ask go and send its answer")
            action = bound
        state, events = advance(self.dealer, self.state, action)
        self._moved(state, events)
        return events

    def _check_turn(self, action: Action) -> None:
        """Refuse what is not for this phase or this seat, which everybody may know. Raises GameError."""
        turn = self.state.turn
        is_bid = isinstance(action, BidMade) and action.bid.kind is not BidKind.BLIND_NIL
        if self.state.phase is Phase.BLIND and is_bid:
            raise WrongPhase(f"bid: {self.waiting_text()}")
        if turn is not None and action.seat is not turn:
            raise WrongSeat(f"{format_seat(action.seat)}: it is the turn of {format_seat(turn)}")

    def tell(self, event: Event) -> tuple[Event, ...]:
        """A record line from the host; answers what follows from it (tricks, scores, the end). Raises GameError."""
        before = self.state
        state = before.apply(event)
        if state is before:
            return ()  # a result line that agrees
        follows = derived_events(before, event, state)
        if before.phase is Phase.DEAL:
            self._starts.append((len(self.events), before))
        self._moved(state, (event, *follows))
        return follows

    def _moved(self, state: State, events: tuple[Event, ...]) -> None:
        self._steps.append(len(self.events))
        self.events.extend(event for event in events if not isinstance(event, TrickWon | HandScore | GameEnd))
        ends = tuple(event for event in events if isinstance(event, HandScore | GameEnd))
        if ends:
            self._results[len(self.events)] = ends
        self.state = state

    def undo(self, count: int) -> None:
        """Take back the last `count` commands. Raises IndexError when there are fewer."""
        if count > len(self._steps):
            raise IndexError(len(self._steps))
        if count < 1:
            return
        length = self._steps[-count]
        while len(self._starts) > 1 and self._starts[-1][0] > length:
            self._starts.pop()
        begin, state = self._starts[-1]
        for event in self.events[begin:length]:
            state = state.apply(event)
        if len(self._starts) > 1 and begin == length:
            self._starts.pop()
        del self._steps[-count:]
        del self.events[length:]
        self._results = {at: ends for at, ends in self._results.items() if at <= length}
        self._texts = {view: texts[:length] for view, texts in self._texts.items()}
        self.state = state

    @property
    def undoable(self) -> int:
        """How many commands could be taken back."""
        return len(self._steps)

    # Who sees what ----------------------------------------------------------------------------------------------

    def is_foreign(self, seat: Seat | None) -> bool:
        """Whether the seat's cards are hidden from this side of the pipe."""
        return seat is not None and self.view is not None and seat != self.view

    def seen(self) -> State:
        """The state as this side of the pipe may see it."""
        return self.state if self.view is None or self.dealer is None else self.state.masked(self.view)

    def event_lines(self, events: tuple[Event, ...]) -> list[str]:
        """`event` lines for what happened, masked for the view."""
        if self.view is not None and self.dealer is not None:
            view = self.view
            events = tuple(mask_event(event, self.rules, view) for event in events)
        return ["event " + format_event(event, self.rules) for event in events]

    def legal(self) -> tuple[Action, ...]:
        """The actions of the seat to act. Raises Hidden where its cards may not be known here."""
        if self.state.phase in CHANCE:
            return ()
        if self.is_foreign(self.state.turn):
            raise Hidden(
                f"{self.turn_text()}'s cards are hidden at this table"
                + ("" if self.dealer is None else ": it is played by the program, ask go and send its answer")
            )
        return legal_actions(self.state)

    def answer(self) -> str | None:
        """What `go` has already answered here for a seat outside the view."""
        if self._answer is None or self._answer[0] != len(self.events):
            return None
        return self._answer[1]

    def masked_text(self, action: Action) -> str:
        """The command that makes the action, as the view may see it."""
        if self.view is None:
            return format_action(action, self.rules)
        # Masking keeps the kind of an event, so an action stays one.
        return format_action(mask_event(action, self.rules, self.view), self.rules)  # type: ignore[arg-type]

    def bind(self, action: Action) -> None:
        """Remember the answer of `go` for a seat outside the view: the only action accepted for it."""
        self._answer = (len(self.events), self.masked_text(action), action)

    # Words ------------------------------------------------------------------------------------------------------

    def turn_text(self) -> str:
        """The seat concerned, or an empty text."""
        return "" if self.state.turn is None else format_seat(self.state.turn)

    def phase_words(self) -> str:
        """`phase=… turn=…` for the end of a reply."""
        turn = self.turn_text()
        return f"phase={self.state.phase.value}" + (f" turn={turn}" if turn else "")

    def waiting_text(self) -> str:
        """What the game waits for, as a sentence."""
        turn = self.turn_text()
        return f"the game is in phase {self.state.phase.value}" + (f", {turn} to act" if turn else "")

    # The record -------------------------------------------------------------------------------------------------

    def record(self, view: Seat | None) -> list[str]:
        """The game as a script for a table where the host deals, seen by `view` (None: everything).

        Raises Hidden where this side of the pipe may not see that much.
        """
        if self.view is not None and view != self.view:
            between = self.dealer is not None and self.state.phase in (Phase.DEAL, Phase.OVER)
            if view is not None or not between:
                raise Hidden(f"this table shows only what {format_seat(self.view)} may see")
        words = [f"newgame rules={self.rules.preset} dealer=host"]
        words.append("view=all" if view is None else f"view={format_seat(view)}")
        if self.opening.first is not None:
            words.append(f"first={format_seat(self.opening.first)}")
        for key, values in (("total", self.opening.totals), ("bags", self.opening.bags)):
            if any(values):
                words += [f"{key}.{self.rules.format_side(side)}={values[side]}" for side in self.rules.sides]
        words += [f"{name}={text}" for name, text in self.rules.overrides().items()]
        lines = [" ".join(words)]
        begin = 0
        texts = self._texts_for(view)
        for end in sorted(self._results):
            lines += texts[begin:end]
            lines += ["; " + format_event(result, self.rules) for result in self._results[end]]
            begin = end
        lines += texts[begin:]
        if self.seed is not None and self.state.phase is Phase.OVER:
            lines.append(f"; seed={self.seed} commit={commitment(self.seed)}")
        return lines

    def _texts_for(self, view: Seat | None) -> list[str]:
        """The record line of every event as `view` may see it; only what is new is written anew."""
        texts = self._texts.setdefault(view, [])
        for event in self.events[len(texts) :]:
            shown = event if view is None or self.state.viewer is not None else mask_event(event, self.rules, view)
            texts.append(format_event(shown, self.rules))
        return texts
