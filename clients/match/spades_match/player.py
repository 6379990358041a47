"""A seat's process: an engine started, set up, told what happens, and asked what to do, each within its limit."""

from __future__ import annotations

import errno
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spades_client.conversation import Answer, Malformed
from spades_client.errors import ProtocolViolation
from spades_client.limits import Limit, Timeouts
from spades_client.options import OptionError, Options, format_set
from spades_client.requests import Requests
from spades_client.values import Identity
from spades_match.engines import EngineSpec
from spades_match.link import Clock, Command, Link
from spades_match.outcomes import Exhausted, Fault, Interrupted, MatchError, Outcome
from spades_match.words import clip, plain, quoted
from spades_protocol.replies import Best, Ok

_REQUESTS = Requests(Timeouts())
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
_PING = Command("ping")
_QUIT = Command("quit")


@dataclass(slots=True)
class Choice:
    """What an engine answered to `go`: the action as text, its figures by key, and how many milliseconds it took."""

    action: str
    figures: Mapping[str, str]
    milliseconds: float


class Player:
    """One process of an engine, kept for as many boards as it behaves.

    Every method raises Fault for what the engine does wrong.
    Times are the engine's from `go` leaving to `best` arriving.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        steps = spec.steps
        self._ping = Clock(steps.ping, "ping")
        self._newgame = Clock(steps.newgame, "newgame")
        self.is_lost = False
        """Whether it has misbehaved where no board could be lost by it, and must not be used again."""
        self._bank = 0.0  # milliseconds left on the clock of this hand
        try:
            self.link = Link(spec.command)
        except ValueError as error:  # a character that no command line has
            raise MatchError(f"{spec.name}: its command cannot be started: {error}") from None
        except OSError as error:
            if error.errno in _EXHAUSTED:
                raise Exhausted(
                    f"no process can be started, since the system is out of means ({error.strerror}): "
                    "play with less concurrency, or raise the limit (ulimit -n, ulimit -u)"
                ) from None
            raise Fault(Outcome.CRASH, f"{plain(spec.command[0])} cannot be started: {_why(error)}") from None
        self.pass_on = self.link.say
        """Do as `tell` does, with a command that others may be told too."""
        try:
            self.identity = self._shake_hands()
        except BaseException:
            self.link.close(0.0)
            raise
        self._go = self._go_with(spec.limit)

    def _shake_hands(self) -> Identity:
        start = time.monotonic()
        request = _REQUESTS.handshake()
        self.link.say(Command(request.command, keeps=True))
        seconds = self.spec.steps.start
        reply = self._in_time(Clock(seconds, "start"))
        assert isinstance(reply, Ok)
        try:
            identity = request.parse(Answer(self.link.replies(), reply))
        except (Malformed, ProtocolViolation) as fault:
            raise Fault(Outcome.PROTOCOL_VIOLATION, f"the handshake: {clip(plain(str(fault)))}") from None
        texts = self._option_texts(identity.options)
        if texts:
            try:
                self.link.say(Command(format_set(texts)))
            except ValueError as error:
                raise MatchError(f"{self.spec.name}: its options cannot be sent: {error}") from None
            left = max(0.0, seconds - (time.monotonic() - start))
            try:
                self._in_time(Clock(left, "start"))
            except Fault as fault:
                if fault.outcome is Outcome.PROTOCOL_VIOLATION:
                    raise MatchError(f"{self.spec.name} does not take its options: {fault.detail}") from None
                raise
            identity.options.accepted(texts)
        return identity

    def _option_texts(self, options: Options) -> dict[str, str]:
        """Return what to set: what was asked for, and no chatter, which would only be thrown away."""
        wanted = dict(self.spec.options)
        if "chatter" in options and "chatter" not in wanted:
            wanted["chatter"] = "no"
        try:
            return options.format(wanted)
        except OptionError as error:
            raise MatchError(f"{self.spec.name}: {error}") from None

    def newgame(self, line: str) -> None:
        """Begin a board, and see that the process is there."""
        self.link.say(Command(line))
        self._in_time(self._newgame)
        self.link.say(_PING)
        self._in_time(self._ping)

    def begin_hand(self) -> None:
        """Set the clock, where there is one."""
        self._bank = float(self.spec.limit.clock or 0)

    def tell(self, line: str, results: Sequence[str] = ()) -> None:
        """Note what has happened; it is sent, and its answer looked at, by the next `choose` or `sync`."""
        self.link.say(Command(line, results))

    def sync(self) -> None:
        """Wait until everything told has been answered."""
        self._in_time(self._ping)

    def choose(self) -> Choice:
        """Ask for an action. Raises Fault for none, a late one, or none in time."""
        if self.spec.limit.clock is None:
            command, clock = self._go
        else:
            command, clock = self._go_with(self._limit())
        self.link.say(command)
        started = time.monotonic()
        reply = self.link.collect(clock)
        took = (time.monotonic() - started) * 1000
        assert isinstance(reply, Best)
        if self.link.late is not None:
            raise Fault(
                Outcome.TIME_LOSS,
                f"the answer to {quoted(command.text)} took more than {clock.seconds:g} s (limit {clock.limit})",
                overrun=round(self.link.late * 1000, 1),
            )
        if self.spec.limit.clock is not None:
            self._bank = max(0.0, self._bank - took) + (self.spec.limit.inc or 0)
        return Choice(reply.action, reply.pairs, took)

    def _limit(self) -> Limit:
        """Return the limit to tell: the engine's own, with what is left on its clock."""
        limit = self.spec.limit
        if limit.clock is None:
            return limit
        return Limit(limit.movetime, limit.nodes, int(self._bank), limit.inc)

    def _go_with(self, limit: Limit) -> tuple[Command, Clock]:
        """Return the `go` that says this limit, and how long to wait for its answer."""
        return Command(" ".join(["go", *limit.words()])), self._clock(limit)

    def _clock(self, limit: Limit) -> Clock:
        steps = self.spec.steps
        times = [] if limit.movetime is None else [limit.movetime]
        if limit.clock is not None:
            times.append(limit.clock)
        if not times and limit.nodes is None and (movetime := self.identity.options.movetime) is not None:
            times.append(max(0, movetime))  # what a bare `go` takes
        if not times:
            return Clock(steps.move, "move")
        return Clock(min(times) / 1000 + steps.margin, "margin", steps.stall)

    def _in_time(self, clock: Clock) -> Ok | Best | None:
        reply = self.link.collect(clock)
        assert reply is None or isinstance(reply, Ok | Best)
        return reply

    def close(self) -> bool:
        """Ask the process to end, and see that it does; tell whether it did so by itself."""
        try:
            self.link.say(_QUIT)
            self.link.collect(Clock(self.spec.steps.quit, "quit"))
        except (Fault, Interrupted):
            return self.link.close(0.0)
        except BaseException:
            self.link.close(0.0)
            raise
        return self.link.close(self.spec.steps.quit)

    def kill(self) -> None:
        """End the process at once."""
        self.link.kill()
        self.link.close(0.0)


def _why(error: OSError) -> str:
    """Return why a command could not be started, and what to do about it."""
    if isinstance(error, FileNotFoundError):
        return "there is no such program (a path is looked up from here, a bare name on PATH)"
    if isinstance(error, PermissionError):
        return "it may not be run (a script needs chmod +x, or its interpreter in front: python3 bot.py)"
    if error.errno == errno.ENOEXEC:
        return "it is no program (a script needs a first line like #!/usr/bin/env python3, or its interpreter in front)"
    return (error.strerror or str(error)).lower()
