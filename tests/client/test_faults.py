"""Engines that crash, stall, babble or lie: every wait ends, with the error that says what happened."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from spades_client import (
    Best,
    ClientError,
    CommitmentBroken,
    Engine,
    EngineRefused,
    EngineTerminated,
    EngineTimeout,
    Limit,
    ProtocolViolation,
    Timeouts,
)
from spades_client.requests import Requests
from tests.client.driving import PATIENT, SHORT, Popen, odd, scripted

STEPS: dict[str, Callable[[Engine, float | None], object]] = {
    "newgame": lambda engine, seconds: engine.newgame("duel", timeout=seconds),
    "deal": lambda engine, seconds: engine.deal(timeout=seconds),
    "go": lambda engine, seconds: engine.go(Limit(nodes=1), timeout=seconds),
    "play": lambda engine, seconds: engine.apply("play AS", timeout=seconds),
    "legal": lambda engine, seconds: engine.legal(timeout=seconds),
}
LAST = "legal"


def walk(engine: Engine, last: str, seconds: float | None = None) -> object:
    """Take the steps of a game up to and including `last`, which has `seconds`."""
    result: object = None
    for step, take in STEPS.items():
        result = take(engine, seconds if step == last else None)
        if step == last:
            break
    return result


@pytest.mark.parametrize("step", ["newgame", "go", "play", "legal"])
def test_a_crash_at_any_step_tells_the_exit_code(popen: Popen, step: str) -> None:
    """An engine that dies in place of an answer raises EngineTerminated at once, and so does every later request."""
    engine = popen(scripted("--crash-on", step, "--stderr-noise"))
    with pytest.raises(EngineTerminated) as caught:
        walk(engine, step)
    assert caught.value.exit_code == 3
    assert caught.value.stderr[-1] == f"scripted: {step}"
    assert any(f" {step}" in line for line in caught.value.transcript)
    with pytest.raises(EngineTerminated):
        engine.ping()
    assert engine.exit_code == 3
    assert not engine.is_running


@pytest.mark.parametrize("step", ["newgame", "go", "legal"])
def test_silence_at_any_step_ends_in_a_timeout(popen: Popen, step: str) -> None:
    """An engine that swallows a command raises EngineTimeout, names the limit, and stays usable."""
    engine = popen(scripted("--mute-on", step))
    with pytest.raises(EngineTimeout) as caught:
        walk(engine, step, SHORT)
    assert caught.value.command.split()[0] == step
    assert caught.value.seconds == SHORT
    assert "timeout of the call" in str(caught.value)
    assert any(line.startswith("> ") and f" {step}" in line for line in caught.value.transcript)
    engine.ping()


@pytest.mark.parametrize(("fault", "step"), [("stall-on", "newgame"), ("stall-on", "go"), ("partial-line-on", "go")])
def test_a_stalled_engine_can_still_be_closed(popen: Popen, fault: str, step: str) -> None:
    """An engine that hangs for good, or in the middle of a line, ends in EngineTimeout and can be closed."""
    engine = popen(scripted(f"--{fault}", step))
    with pytest.raises(EngineTimeout):
        walk(engine, step, SHORT)
    start = time.monotonic()
    engine.close(grace=SHORT)
    assert time.monotonic() - start < 10
    assert engine.exit_code is not None


@pytest.mark.parametrize("fault", ["crash-on", "mute-on", "partial-line-on"])
def test_a_failed_handshake_leaves_no_process(popen: Popen, fault: str) -> None:
    """An engine that fails in its handshake raises from popen, within the limit for starting."""
    with pytest.raises(EngineTerminated if fault == "crash-on" else EngineTimeout) as caught:
        popen(scripted(f"--{fault}", "usp"), timeouts=replace(PATIENT, start=2 * SHORT))
    assert fault == "crash-on" or "Timeouts.start" in str(caught.value)


def test_a_wrong_handshake_is_a_violation(popen: Popen) -> None:
    """An engine that agrees on a version nobody offered is not talked to."""
    with pytest.raises(ProtocolViolation, match="version 2 was never offered"):
        popen(scripted("--reply", "usp=ok usp=2"))
    with pytest.raises(EngineRefused) as caught:
        popen(scripted("--reply", 'usp=error unsupported "no such version" versions=3'))
    assert (caught.value.code, caught.value.text, caught.value.extra) == (
        "unsupported",
        "no such version",
        {"versions": "3"},
    )


def test_a_command_that_is_not_there_is_an_oserror(popen: Popen) -> None:
    """A command that cannot be started raises the system's own error."""
    with pytest.raises(FileNotFoundError):
        popen(["there-is-no-such-engine"])


HARMLESS = {
    "nonsense": ["--garbage", "--binary", "--blank-lines", "--overlong", "--stderr-noise"],
    "line-ends": ["--early-output", "--trailing-blank", "--crlf"],
    "too-many": ["--double-reply", "--best-twice", "--info-after-best"],
    "late": ["--late", "newgame:300"],
}


@pytest.mark.parametrize("flags", HARMLESS.values(), ids=HARMLESS)
def test_what_does_not_matter_is_passed_over(popen: Popen, flags: list[str]) -> None:
    """Lines that are late, blank, binary, unknown, too long or doubled change no result and raise nothing."""
    engine = popen(scripted(*flags))
    for _ in range(2):
        assert walk(engine, LAST) == ("play AS",)
        best = engine.go(Limit(nodes=1))
        assert (best.action, best.equity, best.points) == ("play AS", 0.5, 1.0)
    assert engine.quit() == 0


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_noise_at_every_point_changes_nothing(popen: Popen, seed: str) -> None:
    """However many extra, late, blank and binary lines an engine prints, wherever, every answer is the right one."""
    engine = popen(odd(f"noise={seed}"))
    assert engine.identity.name == "Odd"
    for number in range(40):
        assert engine.go(Limit(nodes=number)).action == f"play {number}"
        assert engine.legal() == ("play AS", "play 2C")
        assert engine.apply("play AS").turn == "S"
        with engine.analyse(Limit(nodes=number)) as analysis:
            assert [info.nodes for info in analysis] == [1, 2]
        assert analysis.best == Best({"nodes": "2"}, f"play {number}")


@pytest.mark.parametrize("fault", ["no-id", "wrong-id", "silent", "no-flush"])
def test_answers_to_nobody_are_a_timeout(popen: Popen, fault: str) -> None:
    """An engine whose lines belong to no command, or never come, is given up after the limit for starting."""
    with pytest.raises(EngineTimeout, match=r"Timeouts\.start"):
        popen(scripted(f"--{fault}"), timeouts=replace(PATIENT, start=2 * SHORT))


SENSELESS: dict[str, Callable[[Engine], object]] = {
    "legal=best play AS": lambda engine: engine.legal(),
    "go=ok": lambda engine: engine.go(Limit(nodes=1)),
    "newgame=ok": lambda engine: engine.newgame(),
    "play=ok turn=S": lambda engine: engine.apply("play AS"),
    "state=state {|ok": lambda engine: engine.state(),
    'ping=ok "': lambda engine: engine.ping(),
    "bench=ok nodes=many": lambda engine: engine.bench(),
}
EMPTY: dict[str, Callable[[Engine], object]] = {
    "state=ok": lambda engine: engine.state(),
    "go=best": lambda engine: engine.go(Limit(nodes=1)),
    "score=ok": lambda engine: engine.score(),
    "solve=ok": lambda engine: engine.solve(),
    "perft=ok": lambda engine: engine.perft(1),
}


@pytest.mark.parametrize("answers", [SENSELESS, EMPTY], ids=["wrong", "empty"])
def test_an_answer_without_sense_is_a_violation_of_one_request(
    popen: Popen, answers: dict[str, Callable[[Engine], object]]
) -> None:
    """An answer of the wrong kind, or without what it must tell, raises ProtocolViolation and does no other harm."""
    engine = popen(scripted(*(word for reply in answers for word in ("--reply", reply))))
    for request_ in answers.values():
        with pytest.raises(ProtocolViolation) as caught:
            request_(engine)
        assert caught.value.transcript
        assert engine.known("usp")


def test_a_refusal_says_all_and_leaves_the_engine_usable(popen: Popen) -> None:
    """EngineRefused has the code, the text and the pairs of the error line."""
    engine = popen(scripted("--reply", 'play=error illegal-action "2S: hearts were led" why=must-follow line=3'))
    with pytest.raises(EngineRefused) as caught:
        engine.apply("play 2S")
    error = caught.value
    assert (error.code, error.text) == ("illegal-action", "2S: hearts were led")
    assert error.extra == {"why": "must-follow", "line": "3"}
    assert error.command == "play 2S"
    assert isinstance(error, ClientError)
    assert any("must-follow" in note for note in error.__notes__)
    engine.ping()


def test_errors_survive_another_process() -> None:
    """Every error can be pickled, and comes back with all that it says."""
    for error in (
        EngineRefused("busy", "thinking", {"line": "3"}, command="bid 3", transcript=["> #1 bid 3"]),
        EngineTerminated(-9, ["a", "b"], transcript=["> #1 ping"]),
        EngineTimeout("ping", 1.5, "Timeouts.request", transcript=["> #1 ping"]),
        ProtocolViolation("no sense", ["< ok"]),
        CommitmentBroken("another seed"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


def test_a_late_best_is_passed_over(popen: Popen) -> None:
    """After a search has timed out it is stopped; its answer raises nothing when it comes, and the next one counts."""
    engine = popen(scripted("--think", "60000"))
    with pytest.raises(EngineTimeout):
        engine.go(Limit(movetime=1), timeout=SHORT)
    engine.newgame("duel")  # `stop` has gone out before it, so it does not find the engine busy
    with pytest.raises(EngineTimeout):
        engine.go(Limit(movetime=1), timeout=SHORT)
    assert engine.legal() == ("play AS",)


def test_a_search_that_cannot_be_stopped_leaves_it_busy(popen: Popen) -> None:
    """An engine that ignores `stop` refuses the next request as busy: the client shows that and does not hang."""
    engine = popen(scripted("--think", "60000", "--ignore-stop"))
    with pytest.raises(EngineTimeout):
        engine.go(Limit(movetime=1), timeout=SHORT)
    with pytest.raises(EngineRefused, match="busy"):
        engine.newgame("duel")


def test_each_kind_of_request_has_its_own_limit(popen: Popen) -> None:
    """The message of a time-out names the limit to change, and a search has its own time on top of the margin."""
    limits = Timeouts(start=1, request=2, margin=3, nodes=4, tool=5, stop=6, quit=7)
    make = Requests(limits)
    for request_, name, seconds in (
        (make.handshake(), "Timeouts.start", 1),
        (make.legal(), "Timeouts.request", 2),
        (make.go(Limit(movetime=100), None), "the search's own limit plus Timeouts.margin", 3.1),
        (make.go(Limit(nodes=100), None), "Timeouts.nodes", 4),
        (make.bench(), "Timeouts.tool", 5),
        (make.raw("perft 3"), "Timeouts.tool", 5),
        (make.stop(), "Timeouts.stop", 6),
        (make.quit(), "Timeouts.quit", 7),
    ):
        assert request_.limit == name
        assert request_.seconds == pytest.approx(seconds)
    engine = popen(scripted("--mute-on", "go"), timeouts=replace(PATIENT, margin=SHORT))
    with pytest.raises(EngineTimeout) as caught:
        engine.go(Limit(movetime=100))
    assert "Timeouts.margin" in str(caught.value)
    assert caught.value.seconds == pytest.approx(0.1 + SHORT)


def test_newgame_is_awaited(popen: Popen) -> None:
    """A slow newgame is waited for: nothing is sent to an engine that is not ready."""
    engine = popen(scripted("--late", "newgame:500"))
    start = time.monotonic()
    engine.newgame("duel")
    assert time.monotonic() - start >= 0.5
    assert engine.transcript_tail()[-1].endswith("phase=deal")


def test_what_is_no_command_is_never_sent(popen: Popen) -> None:
    """A line feed, a control character, a comment or an id inside a command is a ValueError, and nothing goes out."""
    engine = popen(scripted())
    before = engine.transcript_tail()
    for text in ("ping\nquit", "ping\x00", "", "; remark", "#1 ping", 'play "AS', "x" * 70_000):
        with pytest.raises(ValueError, match=r"."):
            engine.command(text)
    assert engine.transcript_tail() == before
    with pytest.raises(ValueError, match="analyse"):
        engine.go(Limit(infinite=True))
