"""Waiting for answers on an event loop: what the asyncio client is made of."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TypeVar

from spades_client import values as v
from spades_client.conversation import Conversation, Exchange, Request
from spades_client.errors import ClientError, EngineTerminated
from spades_client.limits import Timeouts
from spades_client.process import EngineProcess, Owner
from spades_client.requests import info_of
from spades_client.transcript import Transcript
from spades_protocol.replies import Info

T = TypeVar("T")


class AsyncLink:
    """A process and the conversation with it, which only the loop's thread touches.

    It never refers to the AsyncEngine, so that an engine that nobody holds any more can be collected.
    """

    def __init__(self, transcript: Transcript, start: Callable[[Owner], EngineProcess]) -> None:
        self.conversation = Conversation(transcript)
        self.has_ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(2)  # pieces on their way to the loop; an engine may print faster than we read
        self.process = start(self)

    def receive(self, data: bytes) -> None:
        """Take a piece of the engine's output, in the reader's thread, which waits while the loop is behind."""
        while not self._room.acquire(timeout=0.1):
            if self._loop.is_closed():
                return
        with suppress(RuntimeError):  # the loop has been closed: nobody is there to be told
            self._loop.call_soon_threadsafe(self._take, data)

    def _take(self, data: bytes) -> None:
        self._room.release()
        self.conversation.receive(data)

    def ended(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        """Take the end of the process, in a thread."""
        try:
            self._loop.call_soon_threadsafe(self._end, exit_code, stderr)
        except RuntimeError:
            self.conversation.transcript.close()

    def _end(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        self.conversation.ended(exit_code, stderr)
        self.has_ended.set()

    def begin(self, request: Request[T]) -> tuple[Exchange[T], asyncio.Event]:
        """Send a request; the event is set whenever something has come for it."""
        exchange, data = self.conversation.begin(request)
        changed = asyncio.Event()
        exchange.wake = changed.set
        self.process.write(data)
        return exchange, changed

    def stop(self) -> None:
        """Send `stop`; nobody waits for its answer."""
        data = self.conversation.stop()
        if data is not None:
            self.process.write(data)

    def give_up(self, exchange: Exchange[T], error: ClientError) -> None:
        """Expect no answer any more, and have a search stopped."""
        data = self.conversation.abandon(exchange, error)
        if data is not None:
            self.process.write(data)

    def result(self, exchange: Exchange[T]) -> T:
        """Return the result of an exchange that is done, or raise what came instead."""
        return exchange.result(self.conversation.transcript.tail)

    async def run(self, request: Request[T]) -> T:
        """Send a request and wait for its result."""
        exchange, changed = self.begin(request)
        try:
            async with asyncio.timeout(request.seconds):
                while not exchange.is_done:
                    await changed.wait()
                    changed.clear()
        except TimeoutError:
            self.give_up(exchange, self.conversation.time_out(exchange, request.seconds, request.limit))
        except BaseException as error:
            self.give_up(exchange, self.conversation.given_up(exchange, type(error).__name__))
            raise
        return self.result(exchange)


class AsyncAnalysis(AsyncIterator[v.Info]):
    """The infos of a search as they come, and its answer.

    Iterating ends with the search; `stop` ends it sooner; `wait` returns the answer. Leaving the `async with` block
    stops the search. The latest info of each rank is in `lines`. Infos that nobody reads are kept up to some ten
    thousand.

    While an infinite search keeps its reader waiting for `Timeouts.request` seconds the engine is pinged, so that one
    that has hung ends in EngineTimeout here as everywhere.
    """

    def __init__(
        self, link: AsyncLink, request: Request[v.Best], timeouts: Timeouts, ping: Callable[[], Awaitable[object]]
    ) -> None:
        self.lines: dict[int, v.Info] = {}
        self._link = link
        self._timeouts = timeouts
        self._ping = ping  # bound to the engine, which must not be collected while this is in use
        self._stopped = False
        self._limit = request.limit
        self._seconds = request.seconds
        self._time = asyncio.get_running_loop().time
        self._end = None if request.seconds is None else self._time() + request.seconds
        self._exchange, self._changed = link.begin(request)
        self._exchange.wake = self._wake

    @property
    def is_done(self) -> bool:
        """Whether the search has ended."""
        return self._exchange.is_done

    @property
    def best(self) -> v.Best | None:
        """The answer, or None while the search goes on; raises what happened where there is none."""
        return self._link.result(self._exchange) if self.is_done else None

    def __aiter__(self) -> AsyncIterator[v.Info]:
        return self

    async def __anext__(self) -> v.Info:
        while True:
            await self._wait(lambda: bool(self._exchange.replies), None)
            info = self._pop()
            if info is not None:
                return info
            if self.is_done:
                self._link.result(self._exchange)  # raises where the search has not ended well
                raise StopAsyncIteration

    async def poll(self, seconds: float) -> v.Info | None:
        """Return the next info, or None where none comes within `seconds` or the search has ended."""
        await self._wait(lambda: bool(self._exchange.replies), self._time() + seconds)
        return self._pop()

    def stop(self) -> None:
        """End the search; does nothing where it has ended or been stopped."""
        if self._stopped or self.is_done:
            return
        self._stopped = True
        self._limit, self._seconds = "Timeouts.stop", self._timeouts.stop
        self._end = self._time() + self._timeouts.stop
        self._link.stop()
        self._wake()  # whoever waits has another deadline now

    async def wait(self) -> v.Best:
        """Wait for the end of the search and return its answer."""
        await self._wait(lambda: False, None)
        return self._link.result(self._exchange)

    async def __aenter__(self) -> AsyncAnalysis:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self.is_done:
                self.stop()
                await self.wait()
        except ClientError:
            if kind is None:
                raise

    def _wake(self) -> None:
        # Several tasks may wait: each has got hold of the event that was there when it began to.
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _wait(self, is_enough: Callable[[], bool], until: float | None) -> None:
        """Wait for the end of the search, for what is enough, or until a moment; never longer than the search has."""
        asked = self._time()
        while not (self.is_done or is_enough()):
            time = self._time()
            if until is not None and time >= until:
                return
            end = asked + self._timeouts.request if self._end is None else self._end
            if time < end:
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(end if until is None else min(end, until)):
                        await self._changed.wait()
            elif self._end is not None:
                error = self._link.conversation.time_out(self._exchange, self._seconds, self._limit)
                self._link.give_up(self._exchange, error)
            else:
                await self._see_whether_alive()
                asked = self._time()

    async def _see_whether_alive(self) -> None:
        try:
            await self._ping()
        except EngineTerminated:
            pass  # the exchange says so itself
        except ClientError as error:
            self._link.give_up(self._exchange, error)

    def _pop(self) -> v.Info | None:
        while self._exchange.replies:
            reply = self._exchange.replies.popleft()
            if isinstance(reply, Info):
                info = info_of(reply)
                if info.explain is None:
                    self.lines[info.multipv] = info
                return info
        return None
