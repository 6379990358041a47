"""The conversation with one process: what it makes of processes that are odd, dead, deaf or endless."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from spades_match import link as module
from spades_match.link import Clock, Command, Link
from spades_match.outcomes import Fault, Interrupted, Outcome
from spades_protocol.replies import Best, Ok

SOON = Clock(0.4, "ping")
PATIENT = Clock(20.0, "ping")


@pytest.fixture
def start() -> Iterator[Callable[[str], Link]]:
    """A function that starts a Python program; all that it has started are gone after the test."""
    links: list[Link] = []

    def begin(program: str) -> Link:
        links.append(Link([sys.executable, "-c", f"import os, sys, time\n{program}"]))
        return links[-1]

    yield begin
    for link in links:
        link.close(0.0)
        with pytest.raises(ProcessLookupError):
            os.kill(link.pid, 0)


def ask(link: Link, command: str, clock: Clock = PATIENT) -> object:
    """Say a command and wait for its answer."""
    link.say(Command(command))
    return link.collect(clock)


def is_gone(group: int) -> bool:
    """Wait for the end of a process group; tell whether it came."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


ECHO = "for line in sys.stdin: print('best play AS' if line.startswith('go') else 'ok', flush=True)"


def test_commands_are_answered_in_order(start: Callable[[str], Link]) -> None:
    """Several commands under way at once are answered one after the other, and the last answer is returned."""
    link = start(ECHO)
    link.say(Command("play S AS"))
    link.say(Command("play N KS"))
    assert isinstance(ask(link, "ping"), Ok)
    reply = ask(link, "go nodes=1")
    assert isinstance(reply, Best)
    assert reply.action == "play AS"


@pytest.mark.parametrize(
    "first", ["'ok trailing'", "'  ok'", "'ok\\r'", "'unknown line', 'ok'", "'', 'ok'", "'info x', 'ok'"]
)
def test_what_a_reader_ignores_is_ignored(start: Callable[[str], Link], first: str) -> None:
    """Unknown and empty lines, infos, words after `ok`, a CR and blanks change nothing."""
    link = start(f"for line in sys.stdin: print({first}, sep='\\n', flush=True)")
    assert isinstance(ask(link, "ping"), Ok)


@pytest.mark.parametrize(
    "answer",
    [
        "b'\\xff\\xfe\\n'",
        "b'a\\x00\\n'",
        "b'info ' + b'x' * 70000 + b'\\n'",
        "b'#1 ok\\n'",
        "b'error oops\\n'",
        "b'best play AS\\n'",
    ],
)
def test_what_the_protocol_forbids_is_a_violation(start: Callable[[str], Link], answer: str) -> None:
    """Lines that cannot be read, ids that nobody sent, errors and answers of the wrong kind are violations."""
    link = start(f"for line in sys.stdin: os.write(1, {answer})")
    with pytest.raises(Fault) as fault:
        ask(link, "ping")
    assert fault.value.outcome is Outcome.PROTOCOL_VIOLATION


def test_a_line_in_pieces_is_one_line(start: Callable[[str], Link]) -> None:
    """An answer may come byte by byte, and several answers in one piece."""
    link = start(
        "for line in sys.stdin:\n for byte in b'info a b\\nok\\n': os.write(1, bytes([byte])); time.sleep(0.01)"
    )
    assert isinstance(ask(link, "ping"), Ok)
    link = start("sys.stdin.readline(); os.write(1, b'ok\\nok\\nbest play 2C\\n'); time.sleep(9)")
    link.say(Command("ping"))
    link.say(Command("ping"))
    reply = ask(link, "go")
    assert isinstance(reply, Best)
    assert reply.action == "play 2C"


def test_death_is_found_where_it_matters(start: Callable[[str], Link]) -> None:
    """A process that has answered and died long ago is a crash at the next question, with its code and last words."""
    link = start("sys.stdin.readline(); print('ok', flush=True); sys.stderr.write('bye'); os._exit(5)")
    assert isinstance(ask(link, "ping"), Ok)
    time.sleep(0.2)
    with pytest.raises(Fault, match="exit code 5; 'play S AS'") as fault:
        ask(link, "play S AS")
    assert fault.value.outcome is Outcome.CRASH
    assert fault.value.measured == {"stderr": "bye"}


def test_an_answer_before_death_counts(start: Callable[[str], Link]) -> None:
    """What a process answered before it died is its answer, also without a line end."""
    link = start("sys.stdin.readline(); os.write(1, b'ok'); os._exit(0)")
    assert isinstance(ask(link, "ping"), Ok)


def test_death_is_seen_though_a_child_holds_the_pipe(start: Callable[[str], Link]) -> None:
    """A process that dies and leaves a child with its output open is a crash at once, and the child is killed too."""
    link = start("sys.stdin.readline()\nif os.fork(): os._exit(6)\ntime.sleep(600)")
    started = time.monotonic()
    with pytest.raises(Fault, match="exit code 6"):
        ask(link, "ping")
    assert time.monotonic() - started < PATIENT.seconds / 2
    assert is_gone(link.pid)


def test_a_signal_is_named(start: Callable[[str], Link]) -> None:
    """A process ended by a signal is a crash that names it."""
    link = start("sys.stdin.readline(); os.kill(os.getpid(), 11)")
    with pytest.raises(Fault, match="SIGSEGV"):
        ask(link, "ping")


def test_a_closed_output_is_a_crash(start: Callable[[str], Link]) -> None:
    """A process that closes its output and lives on is a crash within a bounded time."""
    link = start("sys.stdin.readline(); os.close(1); time.sleep(600)")
    with pytest.raises(Fault, match="closed its output"):
        ask(link, "ping")


@pytest.mark.parametrize(
    "program",
    [
        "time.sleep(600)",
        "while True: os.write(1, b'info nodes=1\\n')",
        "os.write(1, b'o'); time.sleep(600)",
        "while True: os.write(2, b'x' * 1000)",
    ],
)
def test_every_wait_ends(start: Callable[[str], Link], program: str) -> None:
    """Silence, a flood, half a line and a flood on standard error all end in a stall that names the limit."""
    link = start(program)
    with pytest.raises(Fault, match="limit ping") as fault:
        ask(link, "ping", SOON)
    assert fault.value.outcome is Outcome.STALL


def test_a_deaf_process_never_blocks_the_runner(start: Callable[[str], Link]) -> None:
    """More than a pipe holds can be said to a process that reads nothing."""
    link = start("time.sleep(600)")
    for _ in range(300):
        link.say(Command("play S " + "x" * 1000))
    with pytest.raises(Fault, match="limit ping"):
        link.collect(SOON)


def test_much_is_taken_by_a_slow_reader(start: Callable[[str], Link]) -> None:
    """More than a pipe holds arrives whole at a process that reads slowly."""
    link = start("time.sleep(0.2)\n" + ECHO)
    for _ in range(300):
        link.say(Command("play S " + "x" * 1000))
    assert isinstance(link.collect(PATIENT), Ok)


def test_a_late_answer_is_told_from_none(start: Callable[[str], Link]) -> None:
    """An answer within the time to stall is returned, with the overrun; it is for the caller to judge."""
    link = start("for line in sys.stdin: time.sleep(0.3); print('best play AS', flush=True)")
    assert isinstance(ask(link, "go", Clock(0.1, "margin", 5.0)), Best)
    assert link.late is not None
    assert 0.1 < link.late < 5
    ask(link, "go")
    assert link.late is None


def test_a_stopped_runner_waits_for_nothing(start: Callable[[str], Link]) -> None:
    """When the runner is to stop, its engines are killed and every wait ends in Interrupted."""
    link = start("time.sleep(600)")
    module.stopping.set()
    try:
        module.kill_all()
        with pytest.raises(Interrupted):
            ask(link, "ping")
    finally:
        module.stopping.clear()


def test_a_process_that_ends_by_itself_is_not_killed(start: Callable[[str], Link]) -> None:
    """Closing waits for the end of the input to be taken, and tells whether it had to kill."""
    assert start(ECHO).close(10.0)
    stubborn = start("import signal\nprint('ok', flush=True)\nwhile True: time.sleep(1)")
    ask(stubborn, "ping")
    assert not stubborn.close(0.1)


def test_a_command_that_is_none_cannot_be_started() -> None:
    """A program that is not there raises OSError."""
    with pytest.raises(OSError, match="nowhere"):
        Link(["/nowhere/to/be/found"])
