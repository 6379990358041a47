"""What the client's tests share: engines that behave in a certain way, and one way to drive both clients."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

from spades_client import Analysis, AsyncAnalysis, AsyncEngine, Engine, Timeouts

ROOT = Path(__file__).resolve().parents[2]
REAL = [sys.executable, "-m", "spades_engine"]
# Isolated and without `site`: these start many times over, and quickly.
BARE_PYTHON = [sys.executable, "-I", "-S"]

# Nothing in these tests may hang, yet nothing may fail because the machine is busy: waits that are to succeed are long,
# and those that are to run out are given per call.
PATIENT = Timeouts(start=30.0, request=30.0, margin=30.0, nodes=30.0, tool=30.0, stop=30.0, quit=5.0)
SHORT = 0.25

Popen: TypeAlias = Callable[..., Engine]


def scripted(*flags: str) -> list[str]:
    """Return the command of the scripted engine, which has no rules and the faults that the flags ask for."""
    return [*BARE_PYTHON, str(ROOT / "tests/engines/scripted.py"), *flags]


def odd(*modes: str) -> list[str]:
    """Return the command of an engine that is odd in ways that concern its process rather than its lines."""
    return [*BARE_PYTHON, str(ROOT / "tests/client/odd_engine.py"), *modes]


class AsyncAsBlocking:
    """An AsyncEngine that is called like an Engine, on an event loop that runs only while a call is under way."""

    def __init__(self, command: list[str], **settings: Any) -> None:
        self.loop = asyncio.new_event_loop()

        async def open_() -> AsyncEngine:
            return await AsyncEngine.popen(command, **settings)

        try:
            self.engine: AsyncEngine = self.run(open_())
        except BaseException:
            self.loop.close()
            raise

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run something on the loop."""
        return self.loop.run_until_complete(work)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.engine, name)
        if not inspect.iscoroutinefunction(attribute):
            return attribute
        return lambda *args, **kwargs: self.run(attribute(*args, **kwargs))

    def analyse(self, *args: Any, **kwargs: Any) -> AnalysisAsBlocking:
        """Begin a search."""

        async def begin() -> AsyncAnalysis:
            return self.engine.analyse(*args, **kwargs)

        return AnalysisAsBlocking(self, self.run(begin()))

    def __enter__(self) -> AsyncAsBlocking:
        return self

    def __exit__(self, *error: Any) -> None:
        self.run(self.engine.__aexit__(*error))

    def dispose(self) -> None:
        """Close the engine and the loop."""
        if not self.loop.is_closed():
            self.run(self.engine.close(grace=0.1))
            self.loop.close()


class AnalysisAsBlocking:
    """An AsyncAnalysis that is used like an Analysis."""

    def __init__(self, owner: AsyncAsBlocking, analysis: AsyncAnalysis) -> None:
        self.owner = owner
        self.analysis = analysis

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.analysis, name)
        if not inspect.iscoroutinefunction(attribute):
            return attribute
        return lambda *args, **kwargs: self.owner.run(attribute(*args, **kwargs))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self.owner.run(self.analysis.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def __enter__(self) -> Analysis:
        return cast(Analysis, self)

    def __exit__(self, *error: Any) -> None:
        self.owner.run(self.analysis.__aexit__(*error))


def is_alive(pid: int) -> bool:
    """Tell whether a process of that number is there, as a living one or as one that nobody has reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def is_gone(pid: int, seconds: float = 10.0) -> bool:
    """Tell whether the process is gone, now or soon; a child of somebody else may be left as a zombie for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not is_alive(pid) or _is_zombie(pid):
            return True
        time.sleep(0.01)
    return False


def _is_zombie(pid: int) -> bool:
    try:
        # An orphan is reaped by whoever adopts orphans here, which is not for us to test.
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    fields = stat.rpartition(")")[2].split()
    return fields[0] == "Z" and int(fields[1]) != os.getpid()
