"""Waiting for answers in a thread: what the blocking client is made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TypeVar

from spades_client import values as v
from spades_client.conversation import Conversation, Exchange, Request
from spades_client.errors import ClientError, EngineTerminated
from spades_client.limits import Timeouts
from spades_client.process import EngineProcess, Owner, now
from spades_client.requests import info_of
from spades_client.transcript import Transcript
from spades_protocol.replies import Info

T = TypeVar("T")


class Link:
    """A process and the conversation with it, under one lock.

    It never refers to the Engine, so that an engine that nobody holds any more can be collected and its process ended.
    """

    def __init__(self, transcript: Transcript, start: Callable[[Owner], EngineProcess]) -> None:
        self.changed = threading.Condition()
        self.conversation = Conversation(transcript)
        self.process = start(self)

    def receive(self, data: bytes) -> None:
        """Take a piece of the engine's output, in the reader's thread."""
        with self.changed:
            self.conversation.receive(data)
            self.changed.notify_all()

    def ended(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        """Take the end of the process."""
        with self.changed:
            self.conversation.ended(exit_code, stderr)
            self.changed.notify_all()

    def begin(self, request: Request[T]) -> Exchange[T]:
        """Send a request."""
        with self.changed:
            exchange, data = self.conversation.begin(request)
            self.process.write(data)
            return exchange

    def stop(self) -> None:
        """Send `stop`; nobody waits for its answer."""
        with self.changed:
            data = self.conversation.stop()
            if data is not None:
                self.process.write(data)

    def give_up(self, exchange: Exchange[T], error: ClientError) -> None:
        """Expect no answer any more, and have a search stopped."""
        with self.changed:
            data = self.conversation.abandon(exchange, error)
            if data is not None:
                self.process.write(data)
            self.changed.notify_all()

    def result(self, exchange: Exchange[T]) -> T:
        """Return the result of an exchange that is done, or raise what came instead."""
        with self.changed:
            return exchange.result(self.conversation.transcript.tail)

    def run(self, request: Request[T]) -> T:
        """Send a request and wait for its result."""
        exchange = self.begin(request)
        end = None if request.seconds is None else now() + request.seconds
        try:
            with self.changed:
                while not exchange.is_done:
                    left = None if end is None else end - now()
                    if left is not None and left <= 0:
                        error = self.conversation.time_out(exchange, request.seconds, request.limit)
                        self.give_up(exchange, error)
                        break
                    self.changed.wait(left)
        except BaseException as error:
            self.give_up(exchange, self.conversation.given_up(exchange, type(error).__name__))
            raise
        return self.result(exchange)


class Analysis(Iterator[v.Info]):
    """The infos of a search as they come, and its answer.

    Iterating ends with the search; `stop` ends it sooner, from any thread; `wait` returns the answer. Leaving the
    `with` block stops the search. The latest info of each rank is in `lines`. Infos that nobody reads are kept up to
    some ten thousand.

    While an infinite search keeps its reader waiting for `Timeouts.request` seconds the engine is pinged, so that one
    that has hung ends in EngineTimeout here as everywhere.
    """

    def __init__(self, link: Link, request: Request[v.Best], timeouts: Timeouts, ping: Callable[[], object]) -> None:
        self.lines: dict[int, v.Info] = {}
        self._link = link
        self._timeouts = timeouts
        self._ping = ping  # bound to the engine, which must not be collected while this is in use
        self._stopped = False
        self._limit = request.limit
        self._seconds = request.seconds
        self._end = None if request.seconds is None else now() + request.seconds
        self._exchange = link.begin(request)

    @property
    def is_done(self) -> bool:
        """Whether the search has ended."""
        return self._exchange.is_done

    @property
    def best(self) -> v.Best | None:
        """The answer, or None while the search goes on; raises what happened where there is none."""
        return self._link.result(self._exchange) if self.is_done else None

    def __iter__(self) -> Iterator[v.Info]:
        return self

    def __next__(self) -> v.Info:
        while True:
            self._wait(lambda: bool(self._exchange.replies), None)
            info = self._pop()
            if info is not None:
                return info
            if self.is_done:
                self._link.result(self._exchange)  # raises where the search has not ended well
                raise StopIteration

    def poll(self, seconds: float) -> v.Info | None:
        """Return the next info, or None where none comes within `seconds` or the search has ended."""
        self._wait(lambda: bool(self._exchange.replies), now() + seconds)
        return self._pop()

    def stop(self) -> None:
        """End the search; does nothing where it has ended or been stopped."""
        with self._link.changed:
            if self._stopped or self.is_done:
                return
            self._stopped = True
            self._limit, self._seconds = "Timeouts.stop", self._timeouts.stop
            self._end = now() + self._timeouts.stop
            self._link.stop()
            self._link.changed.notify_all()  # whoever waits has another deadline now

    def wait(self) -> v.Best:
        """Wait for the end of the search and return its answer."""
        self._wait(lambda: False, None)
        return self._link.result(self._exchange)

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self.is_done:
                self.stop()
                self.wait()
        except ClientError:
            if kind is None:
                raise

    def _wait(self, is_enough: Callable[[], bool], until: float | None) -> None:
        """Wait for the end of the search, for what is enough, or until a moment; never longer than the search has."""
        asked = now()
        while not self._wait_quietly(is_enough, until, asked):
            try:
                self._ping()
            except EngineTerminated:
                pass  # the exchange says so itself
            except ClientError as error:
                self._link.give_up(self._exchange, error)
            asked = now()

    def _wait_quietly(self, is_enough: Callable[[], bool], until: float | None, asked: float) -> bool:
        """Do the same, but return False when it is time to see whether the engine still lives."""
        with self._link.changed:
            while not (self.is_done or is_enough()):
                time = now()
                if until is not None and time >= until:
                    return True
                end = asked + self._timeouts.request if self._end is None else self._end
                if time >= end:
                    if self._end is None:
                        return False
                    error = self._link.conversation.time_out(self._exchange, self._seconds, self._limit)
                    self._link.give_up(self._exchange, error)
                    return True
                self._link.changed.wait((end if until is None else min(end, until)) - time)
            return True

    def _pop(self) -> v.Info | None:
        with self._link.changed:
            while self._exchange.replies:
                reply = self._exchange.replies.popleft()
                if isinstance(reply, Info):
                    info = info_of(reply)
                    if info.explain is None:
                        self.lines[info.multipv] = info
                    return info
        return None
