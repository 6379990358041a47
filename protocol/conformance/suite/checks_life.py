"""Checks on the life of the process: its ends, its signals, what it costs while idle."""

from __future__ import annotations

import os
import time
from pathlib import Path

from suite.checks import Bench, check
from suite.checks_states import THINKING, code_of
from suite.process import Engine, Fault

IDLE_SECONDS = 0.5
IDLE_TICKS = 3  # of the system's clock, usually 10 ms each


def start_thinking(bench: Bench, command: str = "go infinite") -> Engine:
    """A process that thinks about a bid until it is stopped."""
    engine = bench.start_ready()
    engine.expect_ok(THINKING)
    engine.send(f"#think {command}")
    time.sleep(0.1)
    return engine


def drain(engine: Engine) -> list[str]:
    """Every line up to the end of the output; Fault if it does not end within a second of the last input."""
    lines = []
    while True:
        line = engine.poll(max(0.0, engine.last_sent + 1.0 - time.monotonic()))
        if line is None:
            break
        lines.append(line)
    if not engine.is_output_ended:
        raise Fault("life.1", "the output is still open a second later")
    return lines


@check("end-of-input-idle", "core", "life.1", is_alone=True)
def end_of_input_idle(bench: Bench) -> None:
    """The end of input ends an idle process within a second, exit code 0: new, after the handshake, after nonsense."""
    for before in ([], ["usp 1"], ["nonsense", 'set "', "usp 1", "go nonsense"]):
        engine = bench.start()
        for command in before:
            engine.ask(command)
        engine.close_input()
        if lines := drain(engine):
            raise Fault("life.1", f"the end of input is not answered: `{lines[0]}`")
        engine.expect_exit(1.0, "life.1")


@check("end-of-input-in-a-line", "core", "line.3 life.1")
def end_of_input_in_a_line(bench: Bench) -> None:
    """The last line counts also where the input ends without a LF, and then the process ends."""
    engine = bench.start()
    engine.send_bytes(b"usp 1\n#z ping")
    engine.close_input()
    if drain(engine)[-1:] != ["#z ok"]:
        raise Fault("line.3", "the last line, without LF, was not answered")
    engine.expect_exit(1.0, "life.1")


@check("end-of-input-thinking", "core seat", "life.1", is_alone=True)
def end_of_input_thinking(bench: Bench) -> None:
    """The end of input ends a thinking process within a second, exit code 0."""
    for command in ("go infinite", "go movetime=60000", "go nodes=1000000000"):
        engine = start_thinking(bench, command)
        engine.close_input()
        drain(engine)
        engine.expect_exit(1.0, "life.1")


@check("end-of-input-in-a-tool", "core seat tools", "life.1", is_alone=True)
def end_of_input_in_a_tool(bench: Bench) -> None:
    """The end of input ends a process within a second while a tool works."""
    for command in ("bench", "selftest"):
        engine = start_thinking(bench, command)
        engine.close_input()
        drain(engine)
        engine.expect_exit(1.0, "life.1")


@check("quit-thinking", "core seat", "core.3 go.5", is_alone=True)
def quit_thinking(bench: Bench) -> None:
    """`quit` ends a search: its best, then the ok of `quit`, exit code 0 within a second."""
    for command in ("go infinite", "go movetime=60000"):
        engine = start_thinking(bench, command)
        engine.send("#bye quit")
        lines = drain(engine)
        finals = [line for line in lines if " info " not in line[:12]]
        if len(finals) != 2 or not finals[0].startswith("#think best "):
            raise Fault("go.5", f"expected the best of the search and the ok of quit, got {finals}")
        if finals[1] != "#bye ok":
            raise Fault("core.3", f"`quit` should be answered by ok, not by `{finals[1]}`")
        engine.expect_exit(1.0, "core.3")


@check("quit-in-a-tool", "core seat tools", "core.3 reply.2", is_alone=True)
def quit_in_a_tool(bench: Bench) -> None:
    """`quit` ends a tool: the final reply of the tool, then its own ok."""
    engine = start_thinking(bench, "bench")
    engine.send("#bye quit")
    lines = [line for line in drain(engine) if " info " not in line[:12]]
    if lines[-1:] != ["#bye ok"] or engine.pending:
        raise Fault("core.3", f"expected the final reply of the tool and the ok of quit, got {lines}")
    engine.expect_exit(1.0, "core.3")


@check("interrupt-idle", "core", "life.2", is_alone=True)
def interrupt_idle(bench: Bench) -> None:
    """An interrupt signal does nothing to an idle process whose input is a pipe."""
    if os.name != "posix":
        return
    engine = bench.start_ready()
    for _time in range(3):
        engine.interrupt()
        time.sleep(0.05)
        _expect_survivor(engine)
    engine.quit()


@check("interrupt-thinking", "core seat", "life.2", is_alone=True)
def interrupt_thinking(bench: Bench) -> None:
    """An interrupt signal does nothing to a search: it neither ends nor loses its answer."""
    if os.name != "posix":
        return
    engine = start_thinking(bench)
    engine.interrupt()
    time.sleep(0.1)
    engine.send("#p ping")
    while engine.pending == ["#think", "#p"]:
        if engine.read() is None:
            raise Fault("life.2", "the process ended after an interrupt")
    if "#think" not in engine.pending:
        raise Fault("life.2", "the interrupt ended the search")
    engine.send("#s stop")
    while engine.pending:
        if engine.read() is None:
            raise Fault("life.2", "the process ended after an interrupt")
    engine.quit()


def _expect_survivor(engine: Engine) -> None:
    try:
        engine.expect_quiet(0, "life.2", "a line after an interrupt")
        engine.expect_ok("ping")
    except Fault as fault:
        raise Fault("life.2", f"after an interrupt: {fault.text}") from None


@check("output-closed-idle", "core", "life.3", is_alone=True)
def output_closed_idle(bench: Bench) -> None:
    """A process whose output has been closed ends silently when it has something to say."""
    engine = bench.start_ready()
    engine.close_output()
    _expect_silent_end(engine)


@check("output-closed-thinking", "core seat", "life.3", is_alone=True)
def output_closed_thinking(bench: Bench) -> None:
    """A thinking process whose output has been closed ends silently, too."""
    engine = start_thinking(bench)
    engine.close_output()
    _expect_silent_end(engine)


def _expect_silent_end(engine: Engine) -> None:
    for _time in range(3):
        engine.send("ping")
        time.sleep(0.05)
    engine.wait_exit(2.0, "life.3")
    try:
        engine.expect_no_stderr()
    except Fault as fault:
        raise Fault("life.3", fault.text) from None


@check("idle-costs-nothing", "core", "life.4", is_alone=True)
def idle_costs_nothing(bench: Bench) -> None:
    """An idle process uses no CPU, before the handshake and after it (looked up in /proc, where there is one)."""
    engine = bench.start()
    for _time in range(2):
        spent: list[int] = []
        while not spent or (spent[-1] > IDLE_TICKS and len(spent) < 4):  # a slow start may still be going on
            before = _ticks(engine.pid)
            if before is None:
                break
            time.sleep(IDLE_SECONDS)
            spent.append((_ticks(engine.pid) or before) - before)
        if spent and spent[-1] > IDLE_TICKS:
            raise Fault("life.4", f"an idle process used {spent} clock ticks in spans of {IDLE_SECONDS} s")
        engine.expect_ok("usp 1")
    engine.quit()


def _ticks(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    words = text.rpartition(")")[2].split()
    return int(words[11]) + int(words[12])


@check("many-starts", "core", "core.3 life.4")
def many_starts(bench: Bench) -> None:
    """Eight processes side by side each shake hands and quit."""
    engines = [bench.start() for _ in range(8)]
    for engine in engines:
        engine.send("usp 1")
    for engine in engines:
        if code_of(engine.replies()[-1]) != "ok":
            raise Fault("reply.2", "the handshake failed")
        engine.quit()
