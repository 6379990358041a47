"""`go` on a live process: one legal `best`, whatever fails inside and whenever it is stopped (SPEC.md, 18, 20)."""

from __future__ import annotations

import os
import random
import sys
import time

import pytest

from tests.engine.driving import Driver, action_of

SETUPS = {
    "blind": "newgame rules=draft seed=1 first=S ; deal",
    "draft": "newgame rules=draft seed=1 first=S ; deal ; look ; draft keep ; look ; draft pass",
    "swap": "newgame rules=draft seed=1 first=S ; deal ; bid blindnil ; draft keep ; look ; " + "draft keep ; " * 25,
    "bid": "newgame rules=partners seed=1 first=E ; deal ; look",
    "play": "newgame rules=duel seed=1 first=S ; deal ; bid 3 ; bid 4",
}

BREAK = {  # a fault at each layer of the search, put in before the process starts
    "search-raises": "import spades_engine.engine as e\ndef f(*a, **k): raise RuntimeError('boom')\ne.choose = f",
    "policy-raises": "import spades_engine.engine as e\ndef f(*a, **k): raise MemoryError('boom')\ne.quick_choice = f",
    "illegal-answer": (
        "import spades_engine.engine as e\nfrom spades_engine.game import Play, CARDS, Seat\nold = e.choose\n"
        "class C: action = Play(Seat.W, CARDS[0]); figures = (); nodes = 0; worlds = 0\n"
        "e.choose = lambda *a, **k: C()"
    ),
    "never-answers": "import time\nimport spades_engine.engine as e\ndef f(*a, **k): time.sleep(3600)\ne.choose = f",
    "policy-hangs": "import time, spades_engine.engine as e\ndef f(*a, **k): time.sleep(3600)\ne.quick_choice = f",
}


@pytest.mark.parametrize("fault", BREAK)
def test_a_fault_inside_still_gives_a_legal_answer(fault: str) -> None:
    """With a fault in any layer a legal `best` comes in time, one `info error` line tells, and the process lives on."""
    code = BREAK[fault] + "\nfrom spades_engine.shell.loop import serve\nserve()"
    with Driver([sys.executable, "-c", code]) as driver:
        for setup in SETUPS.values():
            driver.ask("position " + setup.rstrip(" ;"))
            legal = [line.removeprefix("legal ") for line in driver.ask("legal")[:-1]]
            started = time.monotonic()
            lines = driver.ask("#g go movetime=50")
            assert time.monotonic() - started < 5
            assert action_of(lines[-1]) in legal
            assert sum(line.startswith("#g info error") for line in lines) == 1, lines
            driver.send("#i go infinite")
            lines = driver.ask("stop")
            while not lines[-1].startswith("#i best"):
                lines += driver.reply()
            assert driver.reply() == ["ok"]
            assert driver.final("ping") == "ok"
        driver.send("quit")
        assert driver.reply() == ["ok"]
        assert driver.process.wait(10) == 0


def test_a_node_limit_gives_the_same_bytes_in_every_process() -> None:
    """With only a node limit two processes print the same lines in every phase; no time is told."""
    outputs = []
    for hash_seed in ("1", "2"):
        with Driver(env={"PYTHONHASHSEED": hash_seed}) as driver:
            driver.ask("set multipv=5 seed=abc")
            lines = []
            for setup in SETUPS.values():
                driver.ask("position " + setup.rstrip(" ;"))
                lines += driver.ask("go nodes=2500")
            outputs.append(lines)
    assert outputs[0] == outputs[1]
    assert not any("time=" in line for line in outputs[0])
    assert len([line for line in outputs[0] if line.startswith("best ")]) == len(SETUPS)


def test_the_same_view_gives_the_same_answer_at_either_kind_of_table() -> None:
    """What a seat is told by a host and what it sees at a table of the process itself make one view, and one answer."""
    for preset in ("draft", "draft300", "partners", "duel"):
        rng = random.Random(preset)
        with Driver() as table, Driver() as seat:
            table.ask(f"newgame rules={preset} seed=v first=S")
            table.ask("deal")
            for length in (3, 20, 25):
                for _ in range(length):
                    state = table.state()
                    if state["phase"] == "deal":
                        break
                    table.ask(rng.choice(state["legal"]))
                state = table.state()
                if state["phase"] == "deal":
                    break
                script = [line.removeprefix("record ") for line in table.ask(f"record view={state['turn']}")[:-1]]
                seat.ask("position " + " ; ".join(line for line in script if not line.startswith(";")))
                assert seat.ask("go nodes=400") == table.ask("go nodes=400")


def test_chance_options_and_clocks_never_play() -> None:
    """Asking with any limit, zero and negative ones too, leaves the game as it is and answers."""
    with Driver() as driver:
        for setup in SETUPS.values():
            driver.ask("position " + setup.rstrip(" ;"))
            before = driver.state()
            for limit in (
                "movetime=0",
                "movetime=-100",
                "nodes=0",
                "nodes=-1",
                "clock=0",
                "clock=-5 inc=-5",
                "clock=50 inc=1",
            ):
                lines = driver.ask("go " + limit)
                assert action_of(lines[-1]) in before["legal"], (limit, lines)
            assert driver.state() == before


def test_limits_that_contradict_each_other_are_refused() -> None:
    """Infinite with another limit, inc without clock, a word twice, an unknown word are errors: nothing is thought."""
    with Driver() as driver:
        driver.ask("position " + SETUPS["play"])
        for text, code in {
            "go infinite movetime=5": "bad-syntax",
            "go inc=5": "bad-syntax",
            "go nodes=5 nodes=6": "bad-syntax",
            "go infinit": "bad-argument",
            "go depth=5": "bad-argument",
            "go movetime=soon": "bad-argument",
        }.items():
            assert driver.final(text).startswith(f"error {code} "), text
        assert driver.final("ping") == "ok"


def test_multipv_tells_of_as_many_actions_as_there_are() -> None:
    """With multipv=k the last lines before `best` rank min(k, legal actions) actions, the chosen one first."""
    with Driver() as driver:
        for phase, setup in SETUPS.items():
            driver.ask("position " + setup.rstrip(" ;"))
            legal = driver.state()["legal"]
            for k in (1, 3, 400):
                driver.ask(f"set multipv={k}")
                lines = driver.ask("go nodes=300")
                ranked = [line for line in lines if line.startswith("info multipv=")]
                assert len(ranked) == min(k, len(legal)), (phase, k, len(legal))
                assert f'action="{action_of(lines[-1])}"' in ranked[0]
                assert [f"multipv={rank}" in line for rank, line in enumerate(ranked, 1)] == [True] * len(ranked)


def test_newgame_right_after_each_best_is_never_busy() -> None:
    """The moment `best` can be read the process is idle, however quickly the next command comes."""
    repeats = int(os.environ.get("SPADES_RACE_REPEATS", "60"))
    with Driver() as driver:
        for number in range(repeats):
            driver.ask("position " + SETUPS["play"])
            driver.send(f"go nodes={number % 7}")
            driver.reply()
            assert driver.final("newgame rules=duel seed=1").startswith("ok"), number


def test_stop_while_idle_does_not_cut_the_next_search() -> None:
    """A stale stop is forgotten: the search after it does all the work it was asked for."""
    with Driver() as driver:
        driver.ask("position " + SETUPS["play"])
        plain = driver.ask("go nodes=800")
        for _ in range(3):
            assert driver.ask("stop") == ["ok"]
        assert driver.ask("go nodes=800") == plain
