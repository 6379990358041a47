"""The asyncio client: one engine, talked to from the tasks of one event loop."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Literal, TypeVar

from spades_client import values as v
from spades_client.conversation import Answer, Request
from spades_client.errors import ClientError
from spades_client.limits import Limit, Timeouts
from spades_client.options import Options, OptionValue
from spades_client.process import KILLING, EngineProcess, now
from spades_client.recorder import Recorder
from spades_client.requests import Requests, finite
from spades_client.transcript import Transcript
from spades_client.views import GameSetup
from spades_client.waiting import AsyncAnalysis, AsyncLink

T = TypeVar("T")

BARE = Limit()
"""No limit: the engine's option `movetime`."""


class AsyncEngine:
    """An engine in a process of its own; what `Engine` is for threads this is for tasks.

    Made by `popen`, which also shakes hands, and closed by leaving its `async with` block, by `close`, by the garbage
    collector, and at the end of the program: the process and its children never outlive it, however a task ends.

    Every method waits for the engine's answer, but no longer than its time limit (`Timeouts`), or `timeout` seconds
    where that is given. They raise EngineRefused for an answer `error`, EngineTimeout, EngineTerminated, and
    ProtocolViolation for an answer that makes no sense; ValueError for what cannot be sent. A call that is cancelled
    leaves the engine usable: a search is stopped, and its answer passed over. Several tasks of one loop may use the
    object at once.
    """

    identity: v.Identity

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeouts: Timeouts,
        transcript: str | os.PathLike[str] | None,
        env: Mapping[str, str] | None,
        cwd: str | os.PathLike[str] | None,
    ) -> None:
        self.timeouts = timeouts
        self._requests = Requests(timeouts)
        self._transcript = Transcript(transcript)
        try:
            self._link = AsyncLink(self._transcript, lambda link: EngineProcess(command, link, env=env, cwd=cwd))
        except BaseException:
            self._transcript.close()
            raise
        self._process = self._link.process
        self._finalizer = weakref.finalize(self, self._process.abandon)

    @classmethod
    def popen(
        cls,
        command: str | Sequence[str],
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeouts: Timeouts | None = None,
        transcript: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> Opening:
        """Start an engine, shake hands, and set `options`: `async with AsyncEngine.popen(…) as engine`, or `await` it.

        `command` is a list of words, or a line that is split as a shell would. `transcript` names a file for the whole
        conversation. Raises OSError where the command cannot be started or the file not be written.
        """

        async def open_() -> AsyncEngine:
            engine = cls(command, timeouts=timeouts or Timeouts(), transcript=transcript, env=env, cwd=cwd)
            try:
                engine.identity = await engine.run(engine._requests.handshake())
                engine._transcript.begin(f"A conversation with {engine.identity}", engine.identity.levels)
                if options:
                    await engine.configure(options)
            except BaseException:
                await engine.close(grace=0.2)
                raise
            return engine

        return Opening(open_)

    # Core -------------------------------------------------------------------------------------------------------------

    @property
    def options(self) -> Options:
        """The engine's options by name."""
        return self.identity.options

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal, or None while the process has not ended."""
        return self._process.exit_code

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return self._link.conversation.end is None

    def transcript_tail(self) -> tuple[str, ...]:
        """Return the last lines of the conversation, oldest first."""
        return self._transcript.tail()

    def stderr_lines(self, count: int = 20) -> tuple[str, ...]:
        """Return the last lines of the engine's standard error."""
        return self._process.stderr_lines(count)

    async def ping(self, timeout: float | None = None) -> float:
        """Return how many seconds the answer took."""
        start = now()
        await self.run(self._requests.ping().within(timeout))
        return now() - start

    async def configure(self, options: Mapping[str, OptionValue], timeout: float | None = None) -> None:
        """Set options, all or none. Raises OptionError, without asking, for what the engine said it does not take."""
        texts = self.options.format(options)
        if texts:
            await self.run(self._requests.set(texts).within(timeout))
            self.options.accepted(texts)

    async def get(self, name: str, timeout: float | None = None) -> OptionValue:
        """Ask what an option is set to."""
        text = await self.run(self._requests.get(name).within(timeout))
        return self.options[name].parse(text) if name in self.options else text

    async def get_all(self, timeout: float | None = None) -> dict[str, str]:
        """Ask what all options are set to, as text."""
        return await self.run(self._requests.get_all().within(timeout))

    async def help(self, command: str = "", timeout: float | None = None) -> tuple[str, ...]:
        """Return lines of help for people."""
        return await self.run(self._requests.help(command).within(timeout))

    async def known(self, command: str, timeout: float | None = None) -> bool:
        """Tell whether the engine has a command."""
        return await self.run(self._requests.known(command).within(timeout))

    async def log(self, path: str | None, timeout: float | None = None) -> None:
        """Have the engine write a log of its own, or end it with None."""
        await self.run(self._requests.log(path).within(timeout))

    async def stop(self, timeout: float | None = None) -> None:
        """End what the engine is thinking about, if anything; its answer has come when this returns."""
        await self.run(self._requests.stop().within(timeout))

    async def command(self, line: str, timeout: float | None = None) -> Answer:
        """Send any command, without an id, and return its answer as it is."""
        return await self.run(self._requests.raw(line).within(timeout))

    # Table ------------------------------------------------------------------------------------------------------------

    async def newgame(
        self,
        rules: str | GameSetup = "draft",
        *,
        dealer: Literal["engine", "host"] = "engine",
        view: str = "all",
        first: str | None = None,
        seed: str | None = None,
        totals: Mapping[str, int] | None = None,
        bags: Mapping[str, int] | None = None,
        timeout: float | None = None,
        **options: str | int,
    ) -> v.NewGame:
        """Begin a game by the rules of a preset; further keywords are rule options. A GameSetup says it all at once."""
        if isinstance(rules, str):
            texts = {name: str(value) for name, value in options.items()}
            rules = GameSetup(rules, first, seed, texts, totals or {}, bags or {})
        return await self.run(self._requests.newgame(rules.newgame(dealer, view)).within(timeout))

    async def position(self, script: str | Iterable[str] | Recorder, timeout: float | None = None) -> v.Moved:
        """Set up a game, all or nothing: from commands (`newgame` first), the line they make, or a recorder."""
        return await self.run(self._requests.position(script).within(timeout))

    async def deal(self, deck: Iterable[str] | None = None, timeout: float | None = None) -> v.Moved:
        """Have the next hand dealt, from a given deck (top card first) if there is one."""
        return await self.run(self._requests.deal(deck).within(timeout))

    async def apply(self, command: str, timeout: float | None = None) -> v.Moved:
        """Send a command that moves the game: an action such as `play AS`, or a record line of a host."""
        return await self.run(self._requests.apply(command).within(timeout))

    async def undo(self, count: int = 1, timeout: float | None = None) -> v.Moved:
        """Take back the last commands that moved the game."""
        return await self.run(self._requests.undo(count).within(timeout))

    # Questions --------------------------------------------------------------------------------------------------------

    async def state(self, timeout: float | None = None) -> v.GameState:
        """Ask for the whole state of the game."""
        return await self.run(self._requests.state().within(timeout))

    async def legal(self, timeout: float | None = None) -> tuple[str, ...]:
        """Ask for the actions of the seat to act."""
        return await self.run(self._requests.legal().within(timeout))

    async def score(self, timeout: float | None = None) -> v.Score:
        """Ask for totals and bags."""
        return await self.run(self._requests.score().within(timeout))

    async def score_hand(
        self,
        rules: str,
        bids: Iterable[str | int],
        tricks: Iterable[int],
        *,
        bags: int = 0,
        total: int = 0,
        timeout: float | None = None,
        **options: str | int,
    ) -> v.HandScore:
        """Have one side's hand scored, without a game: a bid and a number of tricks for each seat of the side."""
        texts = {name: str(value) for name, value in options.items()}
        return await self.run(self._requests.score_hand(rules, bids, tricks, bags, total, texts).within(timeout))

    async def record(self, view: str | None = None, timeout: float | None = None) -> v.Record:
        """Ask for the game so far as a script."""
        return await self.run(self._requests.record(view).within(timeout))

    # Searches and tools -----------------------------------------------------------------------------------------------

    async def go(self, limit: Limit = BARE, timeout: float | None = None) -> v.Best:
        """Ask for the best action of the seat to act; nothing is played.

        Raises ValueError for an infinite limit, which `analyse` is for.
        """
        return await self.run(finite(self._requests.go(limit, self.options)).within(timeout))

    async def play(
        self, script: str | Iterable[str] | Recorder, limit: Limit = BARE, timeout: float | None = None
    ) -> v.Best:
        """Set up a position and ask for the best action in it; `timeout` is for the search."""
        request = finite(self._requests.go(limit, self.options)).within(timeout)
        await self.position(script)
        return await self.run(request)

    def analyse(self, limit: Limit = BARE, timeout: float | None = None) -> AsyncAnalysis:
        """Begin a search and return its stream of infos, which can be stopped. Best used in a `with` block."""
        return AsyncAnalysis(
            self._link, self._requests.go(limit, self.options).within(timeout), self.timeouts, self.ping
        )

    async def perft(self, depth: int, timeout: float | None = None) -> v.Perft:
        """Have sequences of decisions counted."""
        return await self.run(self._requests.perft(depth).within(timeout))

    async def solve(self, nodes: int | None = None, timeout: float | None = None) -> v.Solution:
        """Ask for the double-dummy result of a position whose cards are all known."""
        return await self.run(self._requests.solve(nodes).within(timeout))

    async def bench(self, timeout: float | None = None) -> v.Bench:
        """Have the engine measure itself."""
        return await self.run(self._requests.bench().within(timeout))

    async def selftest(self, timeout: float | None = None) -> tuple[int, int]:
        """Have the installation checked; returns how many checks passed and failed."""
        return await self.run(self._requests.selftest().within(timeout))

    # The end ----------------------------------------------------------------------------------------------------------

    async def quit(self, timeout: float | None = None) -> int | None:
        """Ask the engine to quit, close it, and return its exit code."""
        with suppress(ClientError):
            await self.run(self._requests.quit().within(timeout))
        return await self.close()

    async def close(self, grace: float | None = None) -> int | None:
        """Close the input, wait, terminate, kill: whatever it takes. Returns the exit code.

        Takes at most two `grace` (Timeouts.quit) and a little; may be called again. Where this is cancelled the process
        is killed there and then.
        """
        seconds = self.timeouts.quit if grace is None else grace
        try:
            self._process.close_input()
            if not await self._has_ended(seconds):
                self._process.terminate()
                if not await self._has_ended(seconds):
                    self._process.kill()
                    await self._has_ended(KILLING)
        except BaseException:
            self._process.abandon()
            raise
        self._finalizer.detach()
        return self._process.exit_code

    async def _has_ended(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._link.has_ended.wait()
        return self._link.has_ended.is_set()

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After a cancellation or a crash of the caller nobody wants to wait for the engine's good manners.
        await self.close(grace=None if kind is None else min(0.5, self.timeouts.quit))

    # Waiting ----------------------------------------------------------------------------------------------------------

    async def run(self, request: Request[T]) -> T:
        """Send a request and wait for its result."""
        return await self._link.run(request)


class Opening:
    """An engine that is about to be started, by `await` or by `async with`."""

    def __init__(self, open_: Callable[[], Coroutine[object, object, AsyncEngine]]) -> None:
        self._open = open_
        self._engine: AsyncEngine | None = None

    def __await__(self) -> Generator[object, object, AsyncEngine]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncEngine:
        self._engine = await self._open()
        return self._engine

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine is not None:
            await self._engine.__aexit__(kind, error, trace)
