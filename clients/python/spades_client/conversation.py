"""The core of both clients, without any I/O: requests go out as bytes, pieces of output come in, exchanges complete.

Nothing that an engine prints raises here. A line that is late, blank, unknown, unreadable or out of place is written to
the log and the transcript and passed over; an answer that nothing can be made of becomes the ProtocolViolation of the
one request it answers.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from spades_client.errors import ClientError, EngineRefused, EngineTerminated, EngineTimeout, ProtocolViolation
from spades_client.transcript import Transcript
from spades_protocol.client import ClientState, LocalFault, Received
from spades_protocol.replies import Best, Error, Info, Ok, Reply, UnknownLine

logger = logging.getLogger("spades_client")

T = TypeVar("T")

MAX_REPLIES = 1_000_000  # lines before the final reply; a record of a thousand hands has a tenth of that
MAX_INFOS = 10_000  # infos of a search that nobody has read yet; the oldest are forgotten


class Malformed(Exception):
    """An answer that a request can make nothing of; the text says why. Becomes a ProtocolViolation."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: the lines before the final reply, and that one, which is no `error`."""

    replies: Sequence[Reply]
    ok: Ok
    best: Best | None = None


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """A command to send and what to make of its answer.

    `parse` raises Malformed for an answer that makes no sense. `seconds` is how long to wait, None for as long as it
    takes, and `limit` the name of that time limit. `is_search`: the command is ended by `stop`.
    """

    command: str
    parse: Callable[[Answer], T]
    seconds: float | None
    limit: str
    is_search: bool = False

    def within(self, seconds: float | None) -> Request[T]:
        """Return the same request with another time limit, or this one if `seconds` is None."""
        if seconds is None:
            return self
        return Request(self.command, self.parse, seconds, "timeout of the call", self.is_search)


class Exchange(Generic[T]):
    """A request under way. `wake` is called whenever a line has come for it, and when it is done."""

    def __init__(self, request: Request[T], line: str) -> None:
        self.request = request
        self.line = line
        self.is_done = False
        self.wake: Callable[[], object] = _nothing
        self.replies: deque[Reply] = deque(maxlen=MAX_INFOS if request.is_search else None)
        self.last_info: Info | None = None
        self._final: Ok | Best | None = None
        self._error: ClientError | None = None
        self._result: T | None = None

    def take(self, reply: Reply) -> None:
        """Add a line before the final reply."""
        self.replies.append(reply)
        if isinstance(reply, Info):
            self.last_info = reply

    def finish(self, outcome: Ok | Best | ClientError) -> None:
        """Take the final reply, or the error that came in its place. What comes later changes nothing."""
        if self.is_done:
            return
        if isinstance(outcome, ClientError):
            self._error = outcome
        else:
            self._final = outcome
        self.is_done = True

    def result(self, transcript: Callable[[], Sequence[str]]) -> T:
        """Return what the answer says, or raise what happened instead; once done, as often as wanted."""
        if self._error is not None:
            raise self._error
        if self._final is not None:
            best = self._final if isinstance(self._final, Best) else None
            ok = self._final if isinstance(self._final, Ok) else Ok(None)
            try:
                self._result = self.request.parse(Answer(self.replies, ok, best))
            except Malformed as fault:
                self._error = ProtocolViolation(f"the answer to {self.line[:100]!r}: {fault}", transcript())
                raise self._error from None
            self._final = None
        return self._result  # type: ignore[return-value]  # None only where T is


class Conversation:
    """What has been asked and not yet answered, over the state machine of the protocol.

    Not safe to use from two threads at once: a blocking client holds a lock around it, an asyncio one stays on its
    loop.
    """

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.end: EngineTerminated | None = None
        self._state = ClientState()
        self._exchanges: dict[str, Exchange[object]] = {}

    def begin(self, request: Request[T]) -> tuple[Exchange[T], bytes]:
        """Return the exchange of a request and the bytes to send for it.

        Raises ValueError for a text that is no command, and EngineTerminated after the end.
        """
        if self.end is not None:
            raise EngineTerminated(self.end.exit_code, self.end.stderr, transcript=self.transcript.tail())
        id_ = self._state.new_id()
        try:
            # Whether the command fits is for the engine to say: after a time-out it may know better than we do.
            data = self._state.send(request.command, id_, check=False)
        except LocalFault as fault:
            raise ValueError(str(fault)) from fault
        exchange = Exchange(request, request.command)
        self._exchanges[id_] = exchange  # type: ignore[assignment]  # what it results in concerns only its asker
        self.transcript.sent(data[:-1].decode("utf-8"))
        return exchange, data

    def receive(self, data: bytes) -> None:
        """Take a piece of the engine's output."""
        self._take(self._state.feed(data))

    def ended(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        """Take the end of the engine: whatever has not been answered never will be."""
        if self.end is not None:
            return
        self._take(self._state.eof())
        self.transcript.remark(f"the engine has ended with exit code {exit_code}")
        for line in stderr:
            self.transcript.remark(f"stderr: {line}")
        self.end = EngineTerminated(exit_code, stderr)
        for exchange in self._exchanges.values():
            exchange.finish(EngineTerminated(exit_code, stderr, transcript=self.transcript.tail()))
            exchange.wake()
        self._exchanges.clear()
        self.transcript.close()

    def abandon(self, exchange: Exchange[T], error: ClientError) -> bytes | None:
        """Expect no answer any more: the exchange ends in `error`, and an answer that comes late is passed over.

        Returns bytes to send, if any: the `stop` that ends a search.
        """
        id_ = next((id_ for id_, other in self._exchanges.items() if other is exchange), None)
        if id_ is None:
            return None
        del self._exchanges[id_]
        self.transcript.remark(f"the client no longer waits for the answer to #{id_}: {error}")
        logger.info("no longer waiting for the answer to %r: %s", exchange.line[:100], error)
        exchange.finish(error)
        exchange.wake()
        return self.stop() if exchange.request.is_search else None

    def stop(self) -> bytes | None:
        """Return the bytes of a `stop` whose answer nobody waits for, or None after the end."""
        if self.end is not None:
            return None
        data = self._state.send("stop", check=False)
        self.transcript.sent(data[:-1].decode("utf-8"))
        return data

    def time_out(self, exchange: Exchange[T], seconds: float | None, limit: str) -> EngineTimeout:
        """Return the error for an exchange that has taken too long."""
        return EngineTimeout(exchange.line, seconds or 0.0, limit, transcript=self.transcript.tail())

    def given_up(self, exchange: Exchange[T], reason: str) -> ClientError:
        """Return the error for an exchange that the caller has stopped waiting for."""
        return ClientError(
            f"no longer waiting for the answer to {exchange.line[:100]!r}: {reason}", self.transcript.tail()
        )

    def _take(self, items: Sequence[Received]) -> None:
        for item in items:
            if item.violation == "early-end":
                continue  # `ended` tells those who wait
            self.transcript.received(item)
            self._deliver(item)

    def _deliver(self, item: Received) -> None:
        exchange = self._exchanges.get(item.pending.id) if item.pending is not None else None
        if item.violation is not None:
            logger.info("%s: %r", item.violation, item.line[:200])
        if exchange is None or item.pending is None:
            logger.debug("passed over: %r", item.line[:200])
            return
        if item.is_final:
            del self._exchanges[item.pending.id]
            exchange.finish(self._outcome(exchange, item))
        elif item.reply is None or item.violation is not None or isinstance(item.reply, UnknownLine):
            return
        else:
            exchange.take(item.reply)
            if len(exchange.replies) >= MAX_REPLIES:
                del self._exchanges[item.pending.id]
                exchange.finish(ProtocolViolation("an answer without an end", self.transcript.tail()))
        exchange.wake()

    def _outcome(self, exchange: Exchange[object], item: Received) -> Ok | Best | ClientError:
        reply, tail = item.reply, self.transcript.tail()
        if isinstance(reply, Error):
            return EngineRefused(reply.code, reply.text, reply.pairs, command=exchange.line, transcript=tail)
        if not isinstance(reply, Ok | Best) or item.violation == "wrong-final":
            return ProtocolViolation(f"{exchange.line[:100]!r} was answered by {item.line[:200]!r}", tail)
        return reply


def _nothing() -> None:
    """Wake nobody."""
