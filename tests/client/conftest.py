"""Most of these tests run with the blocking and with the asyncio client, and none leaves a process behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from spades_client import Engine
from tests.client.driving import PATIENT, AsyncAsBlocking, Popen, is_alive


@pytest.fixture(params=["blocking", "asyncio"])
def popen(request: pytest.FixtureRequest) -> Iterator[Popen]:
    """A function that starts an engine; whatever it has started is closed after the test and must be gone then."""
    yield from _popen(AsyncAsBlocking if request.param == "asyncio" else Engine.popen)


@pytest.fixture
def blocking() -> Iterator[Popen]:
    """The same for the blocking client alone, for what concerns the process, which both clients share."""
    yield from _popen(Engine.popen)


def _popen(open_: Callable[..., Any]) -> Iterator[Popen]:
    opened: list[Any] = []

    def start(command: list[str], **settings: Any) -> Engine:
        settings.setdefault("timeouts", PATIENT)
        engine = open_(command, **settings)
        opened.append(engine)
        return cast(Engine, engine)

    yield start
    for engine in opened:
        engine.dispose() if isinstance(engine, AsyncAsBlocking) else engine.close(grace=0.1)
        assert engine.exit_code is not None
        assert not is_alive(engine.pid)
