"""A seat: one engine plays it in a game that somebody else deals and referees (`dealer=host`, `view=<seat>`).

    seat = Seat(engine, "S", table.setup)
    seat.newgame()
    for event in table.play(lambda table: seats[table.turn].choose(Limit(movetime=50)).action):
        for seat in seats.values():
            seat.tell(event)

Whatever a seat is told is masked here, so that its engine never receives a card that the seat may not see.
"""

from __future__ import annotations

from collections.abc import Callable

from spades_client.asynchronous import AsyncEngine
from spades_client.engine import BARE, Engine
from spades_client.errors import ProtocolViolation
from spades_client.limits import Limit
from spades_client.recorder import RECORD_KINDS, RESULT_KINDS, Recorder
from spades_client.values import Best, Event, Moved, NewGame
from spades_client.views import GameSetup


class SeatState:
    """What a host keeps for one seat, without any I/O."""

    def __init__(self, seat: str, setup: GameSetup, tail: Callable[[], tuple[str, ...]] = tuple) -> None:
        self._tail = tail  # of the transcript, for errors
        self.seat = seat
        self.setup = setup
        self.recorder = Recorder(setup, seat)
        self.phase = "new"
        self.turn: str | None = None
        self._announced: list[str] = []

    def began(self, game: NewGame) -> None:
        """Take the answer to `newgame`."""
        self.recorder = Recorder(self.setup, self.seat)
        self.phase, self.turn = game.phase, None
        self._announced.clear()

    def line_for(self, event: Event | str) -> str | None:
        """Return what to tell the engine of something that has happened, masked; None if there is nothing to tell.

        Result lines follow from the others; an engine that announced another result raises ProtocolViolation.
        """
        text = str(event)
        kind = text.split(" ", 1)[0]
        if kind in RESULT_KINDS:
            self._compare(kind, text)
            return None
        return self.setup.mask(text, self.seat) if kind in RECORD_KINDS else None

    def told(self, line: str, moved: Moved) -> None:
        """Take the answer to a line that was told."""
        self.recorder.add(line)
        self.phase, self.turn = moved.phase, moved.turn
        self._announced = [event.text for event in moved.events]

    def _compare(self, kind: str, text: str) -> None:
        """Compare a result of the table with the one of that kind that the engine announced, if it did."""
        for announced in self._announced:
            if announced.split(" ", 1)[0] == kind and announced.split() != text.split():
                message = f"the table says {text!r} and the engine of {self.seat} says {announced!r}"
                raise ProtocolViolation(message, self._tail())


class Seat(SeatState):
    """One seat, played by an engine with level `seat`."""

    def __init__(self, engine: Engine, seat: str, setup: GameSetup) -> None:
        super().__init__(seat, setup, engine.transcript_tail)
        self.engine = engine

    def newgame(self) -> NewGame:
        """Tell the engine of the game that begins."""
        game = self.engine.newgame(self.setup, dealer="host", view=self.seat)
        self.began(game)
        return game

    def tell(self, event: Event | str) -> None:
        """Tell the engine what has happened: a record or result line, masked here where it is not yet."""
        line = self.line_for(event)
        if line is not None:
            self.told(line, self.engine.apply(line))

    def choose(self, limit: Limit = BARE, timeout: float | None = None) -> Best:
        """Ask the engine what the seat does; nothing is played until the table says so."""
        return self.engine.go(limit, timeout)


class AsyncSeat(SeatState):
    """The same on asyncio."""

    def __init__(self, engine: AsyncEngine, seat: str, setup: GameSetup) -> None:
        super().__init__(seat, setup, engine.transcript_tail)
        self.engine = engine

    async def newgame(self) -> NewGame:
        """Tell the engine of the game that begins."""
        game = await self.engine.newgame(self.setup, dealer="host", view=self.seat)
        self.began(game)
        return game

    async def tell(self, event: Event | str) -> None:
        """Tell the engine what has happened: a record or result line, masked here where it is not yet."""
        line = self.line_for(event)
        if line is not None:
            self.told(line, await self.engine.apply(line))

    async def choose(self, limit: Limit = BARE, timeout: float | None = None) -> Best:
        """Ask the engine what the seat does; nothing is played until the table says so."""
        return await self.engine.go(limit, timeout)
