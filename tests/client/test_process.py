"""The engine's process: alone in its session, always drained, and gone whenever its owner is."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest

from spades_client import AsyncEngine, Engine, EngineTerminated, EngineTimeout, Limit
from tests.client.driving import PATIENT, SHORT, Popen, is_alive, is_gone, odd, scripted


def test_close_waits_for_the_end_of_a_good_engine(popen: Popen) -> None:
    """Leaving the block closes the input; an engine that ends then has exit code 0, and no zombie stays."""
    engine = popen(scripted())
    with engine:
        engine.ping()
        pid = engine.pid
        assert engine.exit_code is None
    assert engine.exit_code == 0
    assert not is_alive(pid)
    assert engine.close() == 0
    with pytest.raises(EngineTerminated):
        engine.ping()


def test_quit_returns_the_exit_code(blocking: Popen) -> None:
    """`quit` is answered, and the exit code is the engine's own."""
    assert blocking(scripted("--exit-code", "7")).quit() == 7


def test_a_stubborn_engine_is_killed(blocking: Popen) -> None:
    """An engine that ignores the end of its input and the signal to terminate is killed within the limits."""
    engine = blocking(odd("stubborn"), timeouts=replace(PATIENT, quit=SHORT))
    start = time.monotonic()
    assert engine.close() == -signal.SIGKILL
    assert time.monotonic() - start < 10
    assert not is_alive(engine.pid)


def test_an_engine_that_answers_quit_and_stays_is_ended(blocking: Popen) -> None:
    """An engine that only says it quits is terminated."""
    assert blocking(scripted("--ignore-quit"), timeouts=replace(PATIENT, quit=SHORT)).quit() == -signal.SIGTERM


@pytest.mark.parametrize("how", ["closed", "ends by itself"])
def test_the_whole_tree_goes(blocking: Popen, how: str) -> None:
    """A child that the engine leaves behind, holding its pipes, is ended with it and keeps nobody waiting."""
    engine = blocking(odd("children"))
    child = int(engine.identity.pairs["child"])
    assert is_alive(child)
    start = time.monotonic()
    if how == "closed":
        assert engine.close() == 0
    else:
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(EngineTerminated) as caught:
            engine.ping()
        assert caught.value.exit_code == -signal.SIGKILL
    assert time.monotonic() - start < 10
    assert is_gone(child)


def test_an_engine_dies_between_requests(popen: Popen) -> None:
    """The next request after a silent death tells the exit code at once, not after its time."""
    engine = popen(odd("exit-after-usp"))
    with pytest.raises(EngineTerminated) as caught:
        engine.ping()
    assert caught.value.exit_code == 5


def test_an_engine_that_closes_its_output_is_given_up(blocking: Popen) -> None:
    """A process that lives on without an output can answer nothing: it is killed and the request told so."""
    engine = blocking(odd("mute"))
    with pytest.raises(EngineTerminated):
        engine.ping()
    assert is_gone(engine.pid)


def test_standard_error_is_always_drained(blocking: Popen) -> None:
    """A megabyte of errors before each answer blocks nothing; the last lines are kept, in bounded memory."""
    engine = blocking(odd("stderr-flood"))
    for _ in range(3):
        engine.ping()
    engine.close()
    assert engine.stderr_lines(2) == ("an error, and another one",) * 2
    assert len(engine.stderr_lines(10**6)) < 1000


def test_an_engine_that_does_not_read_blocks_nobody(popen: Popen) -> None:
    """More input than a pipe holds, sent to an engine that has stopped reading, is a time-out like any other."""
    engine = popen(odd("deaf"))
    long = ["newgame rules=duel"] + ["play S AS"] * 5000
    for _ in range(4):
        with pytest.raises(EngineTimeout):
            engine.position(long, timeout=SHORT)
    start = time.monotonic()
    engine.close(grace=SHORT)
    assert time.monotonic() - start < 10


def test_long_answers_arrive_whole(popen: Popen) -> None:
    """A line of the greatest length, and an answer of thousands of lines, come through."""
    engine = popen(odd())
    assert engine.state().raw["filler"] == "x" * 65_000
    assert engine.record().lines[-1] == "play S 2999"
    assert len(engine.record().lines) == 3000


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a matter of POSIX")
def test_an_interrupt_at_the_terminal_is_for_the_caller(blocking: Popen) -> None:
    """The engine leads a session and a group of its own, so a signal to the caller's group does not reach it."""
    pid = blocking(scripted("--die-on-interrupt")).pid
    assert os.getsid(pid) == os.getpgid(pid) == pid != os.getpgid(0)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_reaps_the_engine(popen: Popen, error: type[BaseException]) -> None:
    """An exception inside the block goes on, and the process is gone, even one that does not want to go."""
    engine = popen(odd("stubborn"), timeouts=replace(PATIENT, quit=SHORT))
    with pytest.raises(error), engine:
        raise error
    assert not is_alive(engine.pid)


def test_a_forgotten_engine_is_reaped() -> None:
    """An engine that nobody holds any more is ended by the garbage collector."""
    engine = Engine.popen(scripted(), timeouts=PATIENT)
    pid = engine.pid
    cycle = [engine]
    cycle.append(cycle)  # type: ignore[arg-type]  # so that only the collector can find it
    del engine, cycle
    gc.collect()
    assert is_gone(pid)


def test_a_forgotten_asyncio_engine_is_reaped() -> None:
    """The same, after the loop that it belonged to has ended."""

    async def forget() -> int:
        engine = await AsyncEngine.popen(scripted(), timeouts=PATIENT)
        return engine.pid

    pid = asyncio.run(forget())
    gc.collect()
    assert is_gone(pid)


@pytest.mark.parametrize("during", ["request", "close", "start"])
def test_a_cancelled_task_reaps_the_engine(during: str) -> None:
    """A task that is cancelled, inside a request, while it closes or while it starts, leaves no process."""
    pids: list[int] = []

    async def work() -> None:
        flags = ["stubborn", "deaf"] if during == "close" else ["stubborn"]
        command = scripted("--stall-on", "usp") if during == "start" else odd(*flags)
        async with AsyncEngine.popen(command, timeouts=PATIENT) as engine:
            pids.append(engine.pid)
            if during == "request":
                await engine.newgame(timeout=60)
                await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(work())
        while during != "start" and not pids:
            await asyncio.sleep(0.01)
        await asyncio.sleep(SHORT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    start = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - start < 20
    assert all(is_gone(pid) for pid in pids)


def test_a_cancelled_request_leaves_the_engine_usable() -> None:
    """A search whose task is cancelled is stopped; its answer is passed over and the next request answered."""

    async def main() -> None:
        async with AsyncEngine.popen(scripted("--think", "60000"), timeouts=PATIENT) as engine:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(engine.go(Limit(movetime=60_000)), SHORT)
            assert await engine.legal() == ("play AS",)
            await engine.newgame("duel")

    asyncio.run(main())


@pytest.mark.parametrize("way", ["return", "sys.exit(3)", "os.kill(os.getpid(), 9)"])
def test_the_end_of_the_program_ends_the_engine(way: str) -> None:
    """A program that ends without closing its engine, in good order or not, takes the engine with it."""
    program = f"""
        import os, sys
        from spades_client import Engine
        def main():
            engine = Engine.popen({scripted()!r})
            globals()["kept"] = engine
            print(engine.pid, flush=True)
            {way}
        main()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert is_gone(int(done.stdout))
