"""Every cell of the state table and of the phase table, on a live process (SPEC.md, section 12)."""

from __future__ import annotations

import pytest

from spades_protocol.commands import COMMANDS, STATES
from tests.engine.driving import Driver

FULL = {  # a whole, valid line for each command
    "usp": "usp 1",
    "help": "help",
    "known": "known go",
    "ping": "ping",
    "stop": "stop",
    "get": "get movetime",
    "set": "set movetime=1000",
    "log": "log off",
    "newgame": "newgame rules=draft seed=1 first=S",
    "position": "position newgame rules=draft seed=1 first=S",
    "deal": "deal",
    "look": "look",
    "draft": "draft keep",
    "swap": "swap none",
    "bid": "bid 3",
    "play": "play AS",
    "trick": "trick S",
    "end": "end winner=S reason=target total.S=500 total.N=0",
    "undo": "undo",
    "state": "state",
    "record": "record",
    "legal": "legal",
    "score": "score",
    "go": "go nodes=1",
    "perft": "perft 1",
    "bench": "bench",
    "solve": "solve",
    "selftest": "selftest",
    "quit": "quit",
}
SETUP = "position newgame rules=draft dealer=engine seed=3 first=S ; deal ; look"


def code_of(reply: str) -> str:
    """`ok`, `best`, or the code of an error."""
    words = reply.split(" ")
    return words[1] if words[0] == "error" else words[0]


def test_every_command_is_in_the_table_of_this_test() -> None:
    """No command of the protocol is left out here."""
    assert set(FULL) == set(COMMANDS)


@pytest.mark.parametrize("state", ["new", "thinking"])
def test_every_cell_of_the_state_table(state: str) -> None:
    """New and thinking: each command is carried out or refused with the code of its cell."""
    with Driver(handshake=False) as driver:
        if state == "thinking":
            driver.ask("usp 1")
        for name, line in FULL.items():
            if name in ("usp", "quit"):
                continue  # they leave the state; below
            if state == "thinking":
                driver.ask("stop")
                driver.ask(SETUP)
                driver.send("#t go infinite")
                reply = [found for found in driver.ask(line) if not found.startswith("#t info")]
                if name == "stop":
                    assert reply[-1].startswith("#t best")
                    reply = driver.reply()
            else:
                reply = driver.ask(line)
            wanted = STATES[state, name]  # type: ignore[index]  # the parameter is a state
            assert (code_of(reply[-1]) if wanted != "yes" else wanted) == wanted, (name, reply)
            if wanted == "yes":
                assert code_of(reply[-1]) not in ("busy", "unknown-command"), (name, reply)
            if state == "thinking" and name != "stop":
                driver.send("stop")
                assert any(line.startswith("#t best") for line in driver.reply())
                driver.reply()
        if state == "thinking":
            driver.send("#t go infinite")
            assert code_of(driver.final("usp 1")) == "busy"
            driver.send("quit")
        else:
            assert code_of(driver.final("usp 1")) == "ok"
            driver.send("quit")
        assert driver.end() == (0, b"")


PHASES = {
    "deal": "newgame rules=draft seed=1 first=S",
    "blind": "newgame rules=draft seed=1 first=S ; deal",
    "draft": "newgame rules=draft seed=1 first=S ; deal ; look",
    "swap": "newgame rules=draft seed=1 first=S ; deal ; bid blindnil ; draft keep ; look ; " + "draft keep ; " * 25,
    "bid": "newgame rules=duel seed=1 first=S ; deal",
    "play": "newgame rules=duel seed=1 first=S ; deal ; bid 3 ; bid 3",
    "draw": "newgame rules=draft300 dealer=host view=S first=S ; deal",
    "look": "newgame rules=partners dealer=host view=N first=E ; deal ; bid E blindnil",
}
FITS = {
    "deal": {"deal"},
    "blind": {"look", "bid"},
    "draft": {"draft"},
    "swap": {"swap"},
    "bid": {"bid"},
    "play": {"play"},
    "draw": {"draft"},
    "look": {"look"},
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_command_for_another_phase_is_wrong_phase(phase: str) -> None:
    """In each phase every game command that does not fit is refused as wrong-phase, and the state stays as it was."""
    with Driver() as driver:
        setup = PHASES[phase].rstrip(" ;")
        assert f"phase={phase}" in driver.final("position " + setup), setup
        before = driver.state()
        for name in ("deal", "look", "draft", "swap", "bid", "play"):
            if name in FITS[phase]:
                continue
            hosted = {"draft": "draft draw AS", "deal": "deal first=S"} if "host" in setup else {}
            reply = driver.final(hosted.get(name, FULL[name]))
            assert code_of(reply) == "wrong-phase", (phase, name, reply)
            assert driver.state() == before
