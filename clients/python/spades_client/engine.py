"""The blocking client: one engine, talked to from any thread."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Literal, TypeVar

from spades_client import values as v
from spades_client.blocking import Analysis, Link
from spades_client.conversation import Answer, Request
from spades_client.errors import ClientError
from spades_client.limits import Limit, Timeouts
from spades_client.options import Options, OptionValue
from spades_client.process import EngineProcess, now
from spades_client.recorder import Recorder
from spades_client.requests import Requests, finite
from spades_client.transcript import Transcript
from spades_client.views import GameSetup

T = TypeVar("T")

BARE = Limit()
"""No limit: the engine's option `movetime`."""


class Engine:
    """An engine in a process of its own.

    Made by `popen`, which also shakes hands, and closed by leaving its `with` block, by `close`, by the garbage
    collector, and at the end of the program: the process and its children never outlive it.

    Every method waits for the engine's answer, but no longer than its time limit (`Timeouts`), or `timeout` seconds
    where that is given. They raise EngineRefused for an answer `error`, EngineTimeout, EngineTerminated, and
    ProtocolViolation for an answer that makes no sense; ValueError for what cannot be sent. The object may be used from
    several threads at once.
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
            self._link = Link(self._transcript, lambda link: EngineProcess(command, link, env=env, cwd=cwd))
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
    ) -> Engine:
        """Start an engine, shake hands, and set `options`.

        `command` is a list of words, or a line that is split as a shell would. `transcript` names a file for the whole
        conversation. Raises OSError where the command cannot be started or the file not be written.
        """
        engine = cls(command, timeouts=timeouts or Timeouts(), transcript=transcript, env=env, cwd=cwd)
        try:
            engine.identity = engine.run(engine._requests.handshake())
            engine._transcript.begin(f"A conversation with {engine.identity}", engine.identity.levels)
            if options:
                engine.configure(options)
        except BaseException:
            engine.close(grace=0.2)
            raise
        return engine

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
        with self._link.changed:
            return self._transcript.tail()

    def stderr_lines(self, count: int = 20) -> tuple[str, ...]:
        """Return the last lines of the engine's standard error."""
        return self._process.stderr_lines(count)

    def ping(self, timeout: float | None = None) -> float:
        """Return how many seconds the answer took."""
        start = now()
        self.run(self._requests.ping().within(timeout))
        return now() - start

    def configure(self, options: Mapping[str, OptionValue], timeout: float | None = None) -> None:
        """Set options, all or none. Raises OptionError, without asking, for what the engine said it does not take."""
        texts = self.options.format(options)
        if texts:
            self.run(self._requests.set(texts).within(timeout))
            self.options.accepted(texts)

    def get(self, name: str, timeout: float | None = None) -> OptionValue:
        """Ask what an option is set to."""
        text = self.run(self._requests.get(name).within(timeout))
        return self.options[name].parse(text) if name in self.options else text

    def get_all(self, timeout: float | None = None) -> dict[str, str]:
        """Ask what all options are set to, as text."""
        return self.run(self._requests.get_all().within(timeout))

    def help(self, command: str = "", timeout: float | None = None) -> tuple[str, ...]:
        """Return lines of help for people."""
        return self.run(self._requests.help(command).within(timeout))

    def known(self, command: str, timeout: float | None = None) -> bool:
        """Tell whether the engine has a command."""
        return self.run(self._requests.known(command).within(timeout))

    def log(self, path: str | None, timeout: float | None = None) -> None:
        """Have the engine write a log of its own, or end it with None."""
        self.run(self._requests.log(path).within(timeout))

    def stop(self, timeout: float | None = None) -> None:
        """End what the engine is thinking about, if anything; its answer has come when this returns."""
        self.run(self._requests.stop().within(timeout))

    def command(self, line: str, timeout: float | None = None) -> Answer:
        """Send any command, without an id, and return its answer as it is."""
        return self.run(self._requests.raw(line).within(timeout))

    # Table ------------------------------------------------------------------------------------------------------------

    def newgame(
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
        return self.run(self._requests.newgame(rules.newgame(dealer, view)).within(timeout))

    def position(self, script: str | Iterable[str] | Recorder, timeout: float | None = None) -> v.Moved:
        """Set up a game, all or nothing: from commands (`newgame` first), the line they make, or a recorder."""
        return self.run(self._requests.position(script).within(timeout))

    def deal(self, deck: Iterable[str] | None = None, timeout: float | None = None) -> v.Moved:
        """Have the next hand dealt, from a given deck (top card first) if there is one."""
        return self.run(self._requests.deal(deck).within(timeout))

    def apply(self, command: str, timeout: float | None = None) -> v.Moved:
        """Send a command that moves the game: an action such as `play AS`, or a record line of a host."""
        return self.run(self._requests.apply(command).within(timeout))

    def undo(self, count: int = 1, timeout: float | None = None) -> v.Moved:
        """Take back the last commands that moved the game."""
        return self.run(self._requests.undo(count).within(timeout))

    # Questions --------------------------------------------------------------------------------------------------------

    def state(self, timeout: float | None = None) -> v.GameState:
        """Ask for the whole state of the game."""
        return self.run(self._requests.state().within(timeout))

    def legal(self, timeout: float | None = None) -> tuple[str, ...]:
        """Ask for the actions of the seat to act."""
        return self.run(self._requests.legal().within(timeout))

    def score(self, timeout: float | None = None) -> v.Score:
        """Ask for totals and bags."""
        return self.run(self._requests.score().within(timeout))

    def score_hand(
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
        return self.run(self._requests.score_hand(rules, bids, tricks, bags, total, texts).within(timeout))

    def record(self, view: str | None = None, timeout: float | None = None) -> v.Record:
        """Ask for the game so far as a script."""
        return self.run(self._requests.record(view).within(timeout))

    # Searches and tools -----------------------------------------------------------------------------------------------

    def go(self, limit: Limit = BARE, timeout: float | None = None) -> v.Best:
        """Ask for the best action of the seat to act; nothing is played.

        Raises ValueError for an infinite limit, which `analyse` is for.
        """
        return self.run(finite(self._requests.go(limit, self.options)).within(timeout))

    def play(self, script: str | Iterable[str] | Recorder, limit: Limit = BARE, timeout: float | None = None) -> v.Best:
        """Set up a position and ask for the best action in it; `timeout` is for the search."""
        request = finite(self._requests.go(limit, self.options)).within(timeout)
        self.position(script)
        return self.run(request)

    def analyse(self, limit: Limit = BARE, timeout: float | None = None) -> Analysis:
        """Begin a search and return its stream of infos, which can be stopped. Best used in a `with` block."""
        return Analysis(self._link, self._requests.go(limit, self.options).within(timeout), self.timeouts, self.ping)

    def perft(self, depth: int, timeout: float | None = None) -> v.Perft:
        """Have sequences of decisions counted."""
        return self.run(self._requests.perft(depth).within(timeout))

    def solve(self, nodes: int | None = None, timeout: float | None = None) -> v.Solution:
        """Ask for the double-dummy result of a position whose cards are all known."""
        return self.run(self._requests.solve(nodes).within(timeout))

    def bench(self, timeout: float | None = None) -> v.Bench:
        """Have the engine measure itself."""
        return self.run(self._requests.bench().within(timeout))

    def selftest(self, timeout: float | None = None) -> tuple[int, int]:
        """Have the installation checked; returns how many checks passed and failed."""
        return self.run(self._requests.selftest().within(timeout))

    # The end ----------------------------------------------------------------------------------------------------------

    def quit(self, timeout: float | None = None) -> int | None:
        """Ask the engine to quit, close it, and return its exit code."""
        with suppress(ClientError):
            self.run(self._requests.quit().within(timeout))
        return self.close()

    def close(self, grace: float | None = None) -> int | None:
        """Close the input, wait, terminate, kill: whatever it takes. Returns the exit code.

        Takes at most two `grace` (Timeouts.quit) and a little; may be called again.
        """
        self._process.close(self.timeouts.quit if grace is None else grace)
        self._finalizer.detach()
        return self._process.exit_code

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an interrupt or a crash of the caller nobody wants to wait for the engine's good manners.
        self.close(grace=None if kind is None else min(0.5, self.timeouts.quit))

    # Waiting ----------------------------------------------------------------------------------------------------------

    def run(self, request: Request[T]) -> T:
        """Send a request and wait for its result."""
        return self._link.run(request)
