"""The life of the process: how it starts, answers while it thinks, and ends (SPEC.md, section 22)."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from tests.engine.driving import ENGINE, Driver

SETUP = "position newgame rules=draft dealer=engine seed=3 first=S ; deal ; look"
REPEATS = int(os.environ.get("SPADES_LIFE_REPEATS", "5"))
WAYS = ("eof", "quit", "sigint", "broken-pipe")


def begin(thinking: bool) -> Driver:
    """A process that is idle, or thinking without end."""
    driver = Driver()
    if thinking:
        driver.ask(SETUP)
        driver.send("go infinite")
        assert driver.final("#p ping") == "#p ok"
    return driver


@pytest.mark.parametrize("thinking", [False, True], ids=["idle", "thinking"])
@pytest.mark.parametrize("way", WAYS)
def test_ends_with_code_0_and_an_empty_stderr(way: str, thinking: bool) -> None:
    """End of input, quit, an interrupt and a closed output each end the process as section 22 says, every time."""
    for _ in range(REPEATS):
        with begin(thinking) as driver:
            process = driver.process
            assert process.stdin is not None
            assert process.stdout is not None
            if way == "sigint":
                process.send_signal(signal.SIGINT)
                assert driver.final("#after ping") == "#after ok"
                process.stdin.close()
            elif way == "eof":
                process.stdin.close()
            elif way == "quit":
                driver.send("quit")
            else:
                # The reading thread of the driver keeps the pipe; closing its descriptor breaks it for the process.
                os.close(os.dup(process.stdout.fileno()))
                replacement = os.open(os.devnull, os.O_RDONLY)
                os.dup2(replacement, process.stdout.fileno())
                os.close(replacement)
                driver.send("ping", "ping", "ping")
                process.stdin.close()
            started = time.monotonic()
            assert driver.end() == (0, b"")
            # Generous for a loaded machine; the suite under protocol/conformance holds the second.
            assert time.monotonic() - started < 5


def test_nothing_is_printed_before_the_first_command() -> None:
    """A process that is told nothing says nothing."""
    with Driver(handshake=False) as driver:
        time.sleep(0.3)
        assert driver.lines.empty()
        driver.send("quit")
        assert driver.reply() == ["ok"]
        assert driver.end() == (0, b"")


def test_stray_prints_go_to_stderr_and_not_into_the_protocol() -> None:
    """What a library prints, in Python or in C, does not reach the protocol's output."""
    code = (
        "import os, sys; from spades_engine.shell import core; old = core.ping\n"
        "def noisy(shell, command):\n"
        "    print('stray', flush=True); os.write(1, b'deep\\n'); return old(shell, command)\n"
        "from spades_engine.shell import loop; loop.CORE['ping'] = noisy; loop.serve()"
    )
    with Driver([sys.executable, "-c", code]) as driver:
        assert driver.ask("ping") == ["ok"]
        driver.send("quit")
        assert driver.reply() == ["ok"]
        code_, errors = driver.end()
        assert code_ == 0
        assert b"stray" in errors
        assert b"deep" in errors


def test_ping_is_answered_while_thinking() -> None:
    """Pings sent while a search runs are all answered, each within 250 ms at the median."""
    with begin(thinking=True) as driver:
        times = []
        for number in range(40):
            started = time.monotonic()
            assert driver.final(f"#{number} ping") == f"#{number} ok"
            times.append(time.monotonic() - started)
        assert sorted(times)[len(times) // 2] < 0.25
        driver.send("stop")


def test_two_processes_without_a_seed_deal_different_cards() -> None:
    """Fresh seeds come from the system: two processes started alike commit to different seeds."""
    commits = set()
    for _ in range(2):
        with Driver() as driver:
            commits.add(driver.final("newgame rules=draft first=S"))
    assert len(commits) == 2


def test_arguments_of_the_command_line() -> None:
    """--version and --help answer and exit 0; anything else is told on standard error with exit code 2."""
    with Driver([*ENGINE, "--version"], handshake=False) as driver:
        line = driver.line()
        assert line is not None
        assert line.startswith("Spades Engine ")
        assert driver.end() == (0, b"")
    with Driver([*ENGINE, "--castle"], handshake=False) as driver:
        code, errors = driver.end()
        assert code == 2
        assert b"--castle" in errors
