"""One table: deals from a seed, asks each seat's process, holds every answer to the rules, and keeps the record.

A seat's process is told what its seat may see and nothing else: every line to it goes through the rules' `mask_event`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import Any, Final

from spades_client.views import GameSetup
from spades_engine.game import (
    PENDING,
    Action,
    BidMade,
    Choose,
    Dealer,
    Event,
    GameEnd,
    GameError,
    Give,
    HandScore,
    IllegalAction,
    Look,
    Phase,
    Play,
    RuleSet,
    Seat,
    Side,
    State,
    Swap,
    TrickWon,
    advance,
    deal,
    format_bid,
    format_event,
    format_seat,
    mask_event,
    new_game,
    parse_event,
    seed_streams,
)
from spades_match.link import Command
from spades_match.outcomes import Fault, Interrupted, Outcome
from spades_match.player import Choice, Player
from spades_match.words import clip, plain, quoted

_PREDICTED: Final = ("make", "equity", "points")
_REMEMBERED: Final = 1_000  # lines of either kind: a game has some hundreds, and they come again in every hand
_PREDICTED_IN: Final = (Phase.BLIND, Phase.BID)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played at a table: one hand or a whole game, from this score, with the cards of this seed.

    `totals` and `bags` are by side. `forfeit` is what a side loses that loses a single hand by its engine's fault.
    """

    rules: RuleSet
    is_game: bool
    seed: str
    totals: tuple[int, int] = (0, 0)
    bags: tuple[int, int] = (0, 0)
    forfeit: int = 200

    def game(self, first: Seat) -> GameSetup:
        """Return what `newgame` says of it."""
        rules = self.rules
        names = [rules.format_side(side) for side in rules.sides]
        return GameSetup(
            rules.preset,
            format_seat(first),
            None,
            rules.overrides(),
            dict(zip(names, self.totals, strict=True)) if any(self.totals) else {},
            dict(zip(names, self.bags, strict=True)) if any(self.bags) else {},
        )


@dataclass(slots=True)
class Board:
    """What became of a board. `points` are by side; `winner` is a side, "draw", or None where nobody has won a game.

    `record` is a script for a table with `dealer=host` and `view=all`; `hands` counts the hands scored, which `details`
    describes one by one. `times` (milliseconds by engine), `predictions` and `measured` differ from run to run.
    """

    outcome: Outcome = Outcome.NORMAL
    culprit: str | None = None
    detail: str = ""
    points: list[int] = field(default_factory=lambda: [0, 0])
    winner: Side | str | None = None
    hands: int = 0
    record: list[str] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    predictions: list[dict[str, Any]] = field(default_factory=list)
    measured: dict[str, object] = field(default_factory=dict)


class Table:
    """A board being played by one process for each seat."""

    def __init__(self, setup: Setup, players: Mapping[Seat, Player]) -> None:
        self._setup = setup
        self._rules = setup.rules
        self._players = {seat: players[seat] for seat in setup.rules.seats}
        self._dealer = Dealer(setup.rules, seed_streams(setup.seed))
        self.board = Board(times={player.spec.name: [] for player in self._players.values()})
        self.faulty: Player | None = None
        """The process that has ended the board by its fault, and is of no more use."""

    def play(self) -> Board:
        """Play the board to its end, whatever the engines do."""
        board = self.board
        try:
            self._play()
        except Fault as fault:
            self._lose(fault)
        except Interrupted:
            board.outcome = Outcome.INTERRUPTED
        return board

    def _play(self) -> None:
        first = self._dealer.first_seat()
        game = self._setup.game(first)
        self.board.record.append(game.newgame("host", "all"))
        for seat, player in self._players.items():
            try:
                player.newgame(game.newgame("host", format_seat(seat)))
            except Fault as fault:
                raise self._blame(fault, player) from None
        state = new_game(self._rules, first, totals=self._setup.totals, bags=self._setup.bags)
        while state.phase is not Phase.OVER:
            state = self._play_hand(state)
            self._score(state)
            self._sync()
            if not self._setup.is_game:
                return
        self.board.winner = "draw" if state.winner is None else state.winner
        if state.reason == "cap":
            self.board.outcome = Outcome.HAND_CAP

    def _play_hand(self, state: State) -> State:
        for player in self._players.values():
            player.begin_hand()
        state, events = deal(self._dealer, state)
        self._tell(events)
        while (seat := state.turn) is not None:
            player = self._players[seat]
            try:
                choice = player.choose()
                self._note(player, state, choice)
                try:
                    action = read_action(choice.action, self._rules, seat)
                    state, events = advance(self._dealer, state, action)
                except GameError as error:
                    raise Fault(
                        Outcome.ILLEGAL_ACTION,
                        f"{format_seat(seat)}: best {quoted(choice.action)}: {clip(plain(str(error)))}",
                    ) from None
            except Fault as fault:
                raise self._blame(fault, player) from None
            self._tell(events)
        return state

    def _sync(self) -> None:
        """See that every seat's process has taken all of the hand, and agrees on its results."""
        for player in self._players.values():
            try:
                player.sync()
            except Fault as fault:
                raise self._blame(fault, player) from None

    def _tell(self, events: Sequence[Event]) -> None:
        """Note for every seat what has happened, as it may see it, and keep the record.

        A seat's process is sent the lines when it is asked next, together with the `go`: it does not work in another's
        time, and a message costs more in waking a process than in words.
        """
        rules, record, players = self._rules, self.board.record, self._players
        for place, event in enumerate(events):
            if isinstance(event, TrickWon):
                continue
            if isinstance(event, HandScore | GameEnd):
                record.append(format_event(event, rules))
                continue
            command = _command(event, rules)
            record.append(command.text)
            if isinstance(event, Play) and len(events) > 1:
                # Results follow from the play that is the only step of its list.
                assert place == 0
                command = Command(command.text, [format_event(result, rules) for result in events[1:]])
            for seat, player in players.items():
                masked = mask_event(event, rules, seat)
                player.pass_on(command if masked is event else _command(masked, rules))

    def _note(self, player: Player, state: State, choice: Choice) -> None:
        """Keep how long an answer took and what the engine foretold."""
        name = player.spec.name
        self.board.times[name].append(round(choice.milliseconds, 3))
        if choice.figures and state.phase in _PREDICTED_IN and state.turn is not None:
            figures = {key: value for key in _PREDICTED if (value := _number(choice.figures.get(key))) is not None}
            if figures:
                about = {
                    "engine": name,
                    "hand": state.number,
                    "seat": format_seat(state.turn),
                    "phase": str(state.phase),
                }
                self.board.predictions.append({**about, "action": choice.action, **figures})

    def _score(self, state: State) -> None:
        """Take note of a hand that has been scored."""
        rules, board = self._rules, self.board
        assert state.last_score is not None
        score = state.last_score
        board.hands += 1
        for side in rules.sides:
            board.points[side] += score[side].points
        board.details.append(hand_detail(state, {seat: player.spec.name for seat, player in self._players.items()}))

    def _blame(self, fault: Fault, player: Player) -> Fault:
        self.faulty = player
        fault.engine = player.spec.name
        return fault

    def _lose(self, fault: Fault) -> None:
        """Score a board that ends by an engine's fault: its side loses the game, or `forfeit` points of the hand."""
        assert self.faulty is not None
        faulty = self.faulty
        board, rules = self.board, self._rules
        seat = next(seat for seat, player in self._players.items() if player is faulty)
        side = rules.side_of(seat)
        board.outcome, board.culprit, board.detail = fault.outcome, fault.engine, fault.detail
        board.measured = {key: value for key, value in fault.measured.items() if value}
        if self._setup.is_game:
            board.winner = Side.SECOND if side is Side.FIRST else Side.FIRST
        else:
            board.points = [0, 0]
            board.points[side] = -self._setup.forfeit
        # What the others have been told must not be left over for their next board.
        for player in self._players.values():
            if player is not faulty:
                try:
                    player.sync()
                except Fault:
                    player.is_lost = True


def hand_detail(state: State, by: Mapping[Seat, str]) -> dict[str, Any]:
    """Return what the results say of the hand that has just been scored; `by` has the engine of each seat."""
    rules, score = state.rules, state.last_score
    assert score is not None
    sides = {side: rules.format_side(side) for side in rules.sides}
    bids = {format_seat(seat): state.bids[seat] for seat in rules.seats}
    return {
        "bids": {seat: format_bid(bid) for seat, bid in bids.items() if bid is not None},
        "tricks": {format_seat(seat): state.taken[seat] for seat in rules.seats},
        "points": {name: score[side].points for side, name in sides.items()},
        "bags": {name: score[side].bags for side, name in sides.items()},
        "by": {format_seat(seat): name for seat, name in by.items()},
    }


@lru_cache(_REMEMBERED)
def _command(event: Event, rules: RuleSet) -> Command:
    """Return the command that tells of an event."""
    return Command(format_event(event, rules))


@lru_cache(_REMEMBERED)
def read_action(text: str, rules: RuleSet, seat: Seat) -> Action:
    """Read what an engine answered to `go` as the action of the seat.

    Raises `GameError` for what is none, or says more than a seat decides: the cards that the dealer turns up.
    """
    event = parse_event(text, rules, default_seat=seat)
    match event:
        case Play() | BidMade() | Give() | Look(_, None) | Swap(_, _, None):
            return event
        case Choose(_, bool(), card) if card is PENDING:
            return event
    raise IllegalAction("not-allowed", f"{text}: not an action of a seat")


def _number(text: str | None) -> float | None:
    """Read a figure; what is no finite number is none."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) else None
