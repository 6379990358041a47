"""The stream of a search: iterated, stopped, left, or read from another thread."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from spades_client import Engine, EngineRefused, EngineTerminated, EngineTimeout, Info, Limit
from tests.client.driving import PATIENT, REAL, SHORT, Popen, scripted

FOREVER = Limit(infinite=True)


def test_iterating_ends_with_the_search(popen: Popen) -> None:
    """A limited search yields its infos, then its answer is there, as often as it is asked for."""
    engine = popen(scripted("--info", 'info multipv=2 action="play KS" equity=0.4 tricks=0.5,0.5 x-new=1'))
    analysis = engine.analyse(Limit(nodes=1))
    infos = list(analysis)
    assert [(info.multipv, info.action, info.equity) for info in infos] == [(2, "play KS", 0.4)]
    assert infos[0].tricks == (0.5, 0.5)
    assert infos[0].pairs["x-new"] == "1"
    assert analysis.lines == {2: infos[0]}
    assert analysis.is_done
    assert analysis.wait() == analysis.best
    assert str(analysis.best) == "play AS"


def test_a_reason_is_no_line_of_figures(popen: Popen) -> None:
    """What an engine explains comes with the infos, and takes the place of no rank."""
    engine = popen(REAL, options={"explain": True})
    engine.newgame("duel", seed="5", first="S")
    engine.deal()
    analysis = engine.analyse(Limit(nodes=2000))
    reasons = [info.explain for info in analysis if info.explain]
    assert len(reasons) == 1
    assert reasons[0].startswith("About ")
    assert analysis.lines[1].action is not None
    assert analysis.lines[1].explain is None


def test_a_stream_without_end_is_stopped(popen: Popen) -> None:
    """An engine that prints without a pause is read as it prints, and `stop` ends it."""
    engine = popen(scripted("--flood"))
    with engine.analyse(FOREVER) as analysis:
        seen = 0
        for info in analysis:
            assert isinstance(info, Info)
            seen += 1
            if seen == 5:
                analysis.stop()
                analysis.stop()
    assert seen >= 5
    assert analysis.best is not None
    engine.ping()


def test_leaving_the_block_stops_the_search(popen: Popen) -> None:
    """After the block the search has ended, whether it was left at its end, by `break` or by an exception."""
    engine = popen(scripted())
    with engine.analyse(FOREVER) as analysis:
        assert analysis.poll(0.01) is None
        assert analysis.best is None
    assert analysis.best is not None
    with pytest.raises(ZeroDivisionError), engine.analyse(FOREVER):
        raise ZeroDivisionError
    engine.newgame("duel")


def test_a_silent_stream_is_pinged(popen: Popen) -> None:
    """While an infinite search says nothing the engine is asked whether it lives: if so, waiting goes on."""
    engine = popen(scripted(), timeouts=replace(PATIENT, request=SHORT))
    with engine.analyse(FOREVER) as analysis:
        assert analysis.poll(3 * SHORT) is None
    hung = popen(scripted("--stall-on", "ping"), timeouts=replace(PATIENT, request=SHORT))
    with pytest.raises(EngineTimeout, match="ping"), hung.analyse(FOREVER) as analysis:
        list(analysis)


def test_a_search_that_ignores_stop_is_a_timeout(popen: Popen) -> None:
    """After `stop` the answer has `Timeouts.stop`, whatever the search's own limit was."""
    engine = popen(scripted("--ignore-stop"), timeouts=replace(PATIENT, stop=SHORT))
    with pytest.raises(EngineTimeout, match=r"Timeouts\.stop"), engine.analyse(FOREVER):
        pass


def test_a_search_that_takes_too_long_is_a_timeout(popen: Popen) -> None:
    """A limited search is given its limit and the margin; what is left of it after that is passed over."""
    engine = popen(scripted("--think", "60000"))
    analysis = engine.analyse(Limit(movetime=1), timeout=SHORT)
    with pytest.raises(EngineTimeout):
        list(analysis)
    with pytest.raises(EngineTimeout):
        analysis.wait()
    engine.newgame("duel")


def test_an_early_answer_ends_the_stream(popen: Popen) -> None:
    """An engine that answers `go infinite` before `stop` breaks a promise, but not the client."""
    engine = popen(scripted("--early-best"))
    with engine.analyse(FOREVER) as analysis:
        assert analysis.wait().action == "play AS"


def test_what_happens_to_the_search_is_raised_from_it(popen: Popen) -> None:
    """A refused search and the death of the engine are raised while iterating, and again by `best`."""
    engine = popen(scripted("--reply", 'go=error hidden "the cards are not known"'))
    with pytest.raises(EngineRefused, match="hidden"), engine.analyse(FOREVER) as analysis:
        list(analysis)
    with pytest.raises(EngineRefused, match="hidden"):
        _ = analysis.best
    dying = popen(scripted("--crash-on", "ping"), timeouts=replace(PATIENT, request=SHORT))
    with pytest.raises(EngineTerminated), dying.analyse(FOREVER) as analysis:
        list(analysis)


def test_another_thread_may_stop_it() -> None:
    """The blocking client is for threads: a search is stopped, and the engine pinged, while another thread reads."""
    with Engine.popen(scripted(), timeouts=PATIENT) as engine, engine.analyse(FOREVER) as analysis:
        best: list[str] = []
        reader = threading.Thread(target=lambda: best.append(analysis.wait().action))
        reader.start()
        for _ in range(20):
            assert engine.ping() < PATIENT.request
        analysis.stop()
        reader.join(30)
        assert best == ["play AS"]


def test_unread_infos_do_not_pile_up() -> None:
    """Of infos that nobody reads a bounded number is kept."""
    with Engine.popen(scripted("--flood"), timeouts=PATIENT) as engine, engine.analyse(FOREVER) as analysis:
        time.sleep(2 * SHORT)
        analysis.stop()
        analysis.wait()
        assert len(list(analysis)) <= 10_000
