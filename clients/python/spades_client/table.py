"""A table: one engine deals, referees and scores a whole game, and somebody says what each seat does.

    with Engine.popen(["spades-engine"]) as engine:
        table = Table(engine, GameSetup(rules="draft", seed="7"))
        for event in table.play(lambda table: engine.go(Limit(movetime=50)).action):
            print(event)
        print(table.result)

When the game is over the seed that the engine reveals is compared with the commitment it gave at the beginning, and the
whole game is dealt again from it (SPEC.md, section 20).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from spades_client import fair
from spades_client.asynchronous import AsyncEngine
from spades_client.engine import Engine
from spades_client.errors import ClientError, CommitmentBroken, ProtocolViolation
from spades_client.recorder import Recorder
from spades_client.values import Event, Moved, NewGame, Record, by_side
from spades_client.views import HIDDEN, GameSetup


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended. `winner` is a side or `draw`; `record` is all of it, with every card shown.

    `is_fair`: the seed is the one that was committed to and the cards are those it gives. None where that cannot be
    told, because the engine did not commit itself.
    """

    winner: str
    reason: str
    totals: Mapping[str, int]
    hands: int
    seed: str | None
    commit: str | None
    is_fair: bool | None
    record: tuple[str, ...]


class TableState:
    """What a host knows of a game at a table with `dealer=engine`, without any I/O."""

    def __init__(self, setup: GameSetup, view: str = "all", tail: Callable[[], tuple[str, ...]] = tuple) -> None:
        self._tail = tail  # of the transcript, for errors
        self.setup = setup
        self.view = view
        self.recorder = Recorder(setup, view)
        self.phase = "new"
        self.turn: str | None = None
        self.hands = 0
        self.commit: str | None = None
        self.result: GameResult | None = None
        self._end: Event | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in clockwise order."""
        return self.setup.seats

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def began(self, game: NewGame) -> None:
        """Take the answer to `newgame`."""
        if set(game.seats) != set(self.seats):
            raise ProtocolViolation(f"the seats of {self.setup.rules} are not {','.join(game.seats)}", self._tail())
        # A seat's program is told who is first when it is told of the deal, but not every one can do without before.
        self.setup = replace(self.setup, first=game.first or self.setup.first)
        self.recorder = Recorder(self.setup, self.view)
        self.phase, self.turn, self.commit, self.hands = game.phase, None, game.commit, 0
        self.result = self._end = None

    def moved(self, moved: Moved) -> tuple[Event, ...]:
        """Take the answer to a command that moved the game, and return what happened."""
        self.phase, self.turn = moved.phase, moved.turn
        for event in moved.events:
            self.recorder.add(event.text)
            self.hands += event.kind == "score"
            if event.kind == "end":
                self._end = event
        if self.is_over and self._end is None:
            raise ProtocolViolation("the game is over and there was no `end` event", self._tail())
        return moved.events

    def needed_action(self) -> bool:
        """Tell whether a seat must act, and not the dealer."""
        return self.phase not in ("deal", "over")

    def finished(self, record: Record) -> GameResult:
        """Take the record of the whole game, `view=all`, and check that the dealing was fair.

        Raises CommitmentBroken where it was not.
        """
        end = self._end.pairs if self._end is not None else {}
        is_fair = self._is_fair(record) if self.commit is not None else None
        if record.seed is not None:
            self.recorder.comments = [f"seed={record.seed} commit={self.commit}"]
        self.result = GameResult(
            end.get("winner", ""),
            end.get("reason", ""),
            by_side(end, "total"),
            self.hands,
            record.seed,
            self.commit,
            is_fair,
            record.lines,
        )
        return self.result

    def _is_fair(self, record: Record) -> bool:
        if record.seed is None:
            raise CommitmentBroken(f"the commitment {self.commit} was given and no seed revealed", self._tail())
        if fair.commitment(record.seed) != self.commit:
            raise CommitmentBroken(
                f"the seed {record.seed!r} is not the one that {self.commit} committed to", self._tail()
            )
        if any(HIDDEN in line for line in record.lines if not line.startswith(";")):
            raise CommitmentBroken("the record of the whole game still hides cards", self._tail())
        faults = fair.faults_of_deal(record.lines, record.seed, self.seats, self.setup.removed)
        if faults:
            raise CommitmentBroken(f"the cards are not those of the seed {record.seed!r}: {faults[0]}", self._tail())
        return True


class Table(TableState):
    """A game refereed by an engine with level `table`; what the engine refuses changes nothing."""

    def __init__(self, engine: Engine, setup: GameSetup | None = None, view: str = "all") -> None:
        super().__init__(setup or GameSetup(), view, engine.transcript_tail)
        self.engine = engine

    def newgame(self) -> NewGame:
        """Begin the game; `play` does so by itself."""
        game = self.engine.newgame(self.setup, view=self.view)
        self.began(game)
        return game

    def deal(self) -> tuple[Event, ...]:
        """Have the next hand dealt."""
        return self.moved(self.engine.deal())

    def act(self, action: str) -> tuple[Event, ...]:
        """Do something for the seat whose turn it is, and return all that follows."""
        return self.moved(self.engine.apply(action))

    def play(self, choose: Callable[[Table], str]) -> Iterator[Event]:
        """Play the game to its end, or on from where it stands, and return what happens as it does.

        `choose` is asked for the action of `table.turn` in `table.phase`, after all that has happened has been taken.
        """
        if self.phase == "new":
            self.newgame()
        while not self.is_over:
            yield from self.act(choose(self)) if self.needed_action() else self.deal()
        self.finish()

    def finish(self) -> GameResult:
        """Ask for the record of a game that is over and check the dealing. Raises CommitmentBroken."""
        if not self.is_over:
            raise ClientError("the game is not over")
        return self.result or self.finished(self.engine.record("all"))


class AsyncTable(TableState):
    """The same on asyncio."""

    def __init__(self, engine: AsyncEngine, setup: GameSetup | None = None, view: str = "all") -> None:
        super().__init__(setup or GameSetup(), view, engine.transcript_tail)
        self.engine = engine

    async def newgame(self) -> NewGame:
        """Begin the game; `play` does so by itself."""
        game = await self.engine.newgame(self.setup, view=self.view)
        self.began(game)
        return game

    async def deal(self) -> tuple[Event, ...]:
        """Have the next hand dealt."""
        return self.moved(await self.engine.deal())

    async def act(self, action: str) -> tuple[Event, ...]:
        """Do something for the seat whose turn it is, and return all that follows."""
        return self.moved(await self.engine.apply(action))

    async def play(self, choose: Callable[[AsyncTable], Awaitable[str]]) -> AsyncIterator[Event]:
        """Play the game to its end, or on from where it stands; see `Table.play`."""
        if self.phase == "new":
            await self.newgame()
        while not self.is_over:
            events = await self.act(await choose(self)) if self.needed_action() else await self.deal()
            for event in events:
                yield event
        await self.finish()

    async def finish(self) -> GameResult:
        """Ask for the record of a game that is over and check the dealing. Raises CommitmentBroken."""
        if not self.is_over:
            raise ClientError("the game is not over")
        return self.result or self.finished(await self.engine.record("all"))
