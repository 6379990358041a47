"""Several threads think at the same time, and give the same answer every time."""

from __future__ import annotations

import threading

import pytest

from spades_engine.game import Phase, RuleSet
from spades_engine.search.choose import Search
from tests.engine.driving import Driver, action_of
from tests.engine.house import hand_states, view_of

GAME = "position newgame rules=duel dealer=engine seed=5 first=S ; deal ; bid 5 ; bid 6"


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("preset", ["draft", "duel", "partners"])
def test_the_same_number_of_threads_gives_the_same_search(preset: str, threads: int) -> None:
    """With a node limit alone, choice, figures, nodes and worlds are the same twice, and the limit is kept."""
    for state in list(hand_states(RuleSet.preset_named(preset), 4))[:-1:4]:
        view = view_of(state)
        found = [Search(view, 1, 3000, lambda: False, threads=threads).run() for _ in range(2)]
        assert found[0] == found[1]
        assert found[0].nodes <= 3000
        assert found[0].action in view.legal


def test_threads_look_at_the_same_worlds() -> None:
    """Where nothing ends the search but the number of worlds, it comes to the same with one thread and with four."""
    for state in hand_states(RuleSet.preset_named("draft"), 9):
        if state.phase is Phase.PLAY and state.trick_number == 11:
            one, four = (Search(view_of(state), 1, None, lambda: False, threads=count).run() for count in (1, 4))
            assert one.worlds == four.worlds
            assert one.figures == four.figures


def test_one_thread_is_what_there_was() -> None:
    """One thread is the same search as none asked for, and makes no pool."""
    before = threading.active_count()
    for state in list(hand_states(RuleSet.preset_named("duel"), 2))[3:-1:6]:
        view = view_of(state)
        assert Search(view, 1, 2000, lambda: False).run() == Search(view, 1, 2000, lambda: False, threads=1).run()
    assert threading.active_count() == before


def test_a_process_with_threads_answers_and_ends_as_any_other() -> None:
    """The option is kept and refused as others are; ping and stop are answered while threads think; quit ends all."""
    with Driver() as engine:
        assert engine.final("set threads=0").startswith("error out-of-range")
        assert engine.final("set threads=2") == "ok"
        assert engine.final("get threads") == "ok threads=2"
        assert "phase=play" in engine.final(GAME)
        first = engine.final("go nodes=20000")
        assert engine.final("go nodes=20000") == first
        engine.send("#1 go infinite", "#2 ping", "#3 stop")
        assert engine.reply()[-1] == "#2 ok"
        assert engine.reply()[-1].startswith("#1 best")
        assert engine.reply()[-1] == "#3 ok"
        assert engine.final(action_of(first)).startswith("ok")
        assert engine.final("quit") == "ok"
        assert engine.end() == (0, b"")
