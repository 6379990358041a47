"""The command line: what a user does with a match."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spades_engine.game import PRESETS
from spades_match.cli import main
from spades_match.store import read_header, read_pairs
from tests.match.killing import BOT
from tests.match.playing import HOUSE, TESTS

SCRIPTED = f"{sys.executable} {TESTS / 'engines' / 'scripted.py'}"


def run(path: Path, *words: str, second: str = f"name=B cmd='{BOT} --style=1'") -> int:
    """Play a small match by the command line."""
    return main(["run", "-e", f"name=A {BOT}", "-e", second, "--pairs", "2", "--out", str(path), *words])


@pytest.mark.parametrize("rules", PRESETS)
def test_run_show_and_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str) -> None:
    """A match is played, shown, and verified by the rules and by an engine."""
    path = tmp_path / "m.jsonl"
    assert run(path, "--rules", rules) == 0
    assert "2 pairs, 4 hands" in capsys.readouterr().out
    assert main(["show", str(path), "--draft"]) == 0
    shown = capsys.readouterr().out
    assert "Pair 0: A and B" in shown
    assert shown.count("13.  ") == 4
    assert main(["replay", str(path), "--", *HOUSE.split()]) == 0
    assert "all of it holds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"points":[', '"points":[7', "the points are"),
        ('"engines":["A","B"]', '"engines":["B","A"]', "do not meet"),
        ('"hands":1', '"hands":2', "hands are scored"),
        ("total.S=", "total.S=1", "line"),
        ("draft S draw ", "draft N draw ", "line"),
    ],
)
def test_replay_finds_what_has_been_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, problem: str
) -> None:
    """A figure, a result or an event that does not follow from the rest is found."""
    path = tmp_path / "m.jsonl"
    run(path)
    header, first, rest = path.read_text("utf-8").split("\n", 2)
    assert old in first
    path.write_text("\n".join([header, first.replace(old, new, 1), rest]), "utf-8")
    capsys.readouterr()
    assert main(["replay", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("pair 0")
    assert problem in out


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"points":[', '"points":[7,', "two whole numbers"),
        ('"swapped":false', '"swapped":true', "the second one swapped"),
        ('"culprit":null', '"culprit":"C"', "does not play"),
        ('"record":[', '"record":[3,', "a list of lines"),
        ('"by":{', '"by":{"X":1,', "texts by seat"),
    ],
)
@pytest.mark.parametrize("command", ["report", "show", "replay", "resume"])
def test_a_line_that_is_no_pair_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, old: str, new: str, fault: str
) -> None:
    """Every command refuses a file with a line that has not the form of a pair, by its number, and changes nothing."""
    path = tmp_path / "m.jsonl"
    run(path, "--rules", "duel", "-q")
    header, first, rest = path.read_text("utf-8").split("\n", 2)
    path.write_text("\n".join([header, first.replace(old, new, 1), rest]), "utf-8")
    before = path.read_bytes()
    capsys.readouterr()
    assert main([command, str(path)]) == 2
    err = capsys.readouterr().err
    assert "line 2 is damaged" in err
    assert fault in err
    assert path.read_bytes() == before


def test_replay_finds_other_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that is legal but was not dealt from its seed is found."""
    path = tmp_path / "m.jsonl"
    run(path, "--rules", "duel")
    text = path.read_text("utf-8").replace('"seed":"0.0"', '"seed":"0.9"')
    path.write_text(text, "utf-8")
    capsys.readouterr()
    assert main(["replay", str(path), "--pair", "0"]) == 1
    out = capsys.readouterr().out
    assert "the seed '0.9' is not the one" in out
    assert "not the cards of the seed" in out


def test_replay_passes_over_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line that is damaged is told of, and nothing is said to hold."""
    path = tmp_path / "m.jsonl"
    run(path)
    path.write_text(path.read_text("utf-8").replace('"boards":[', '"boards":[[', 1), "utf-8")
    capsys.readouterr()
    assert main(["replay", str(path)]) == 2
    assert "line 2 is damaged" in capsys.readouterr().err


def test_replay_finds_an_engine_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that does not take a record, or announces another result, is found."""
    path = tmp_path / "m.jsonl"
    run(path, "--rules", "draft300")
    assert main(["replay", str(path), "--", *SCRIPTED.split(), "--reply", "bid=error oops"]) == 1
    out = capsys.readouterr().out
    assert "pair 0, board 1: engine: 'bid " in out
    assert "pair 1, board 1: engine: 'bid " in out


def test_a_fault_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Boards lost by a fault are counted in the summary, and `show --faults` tells what happened."""
    path = tmp_path / "m.jsonl"
    assert run(path, second=f"name=B cmd='{BOT} --fault=crash --at=30'") == 0
    out = capsys.readouterr().out
    assert "crash: " in out
    assert "B lost" in out
    assert main(["show", str(path), "--faults"]) == 0
    assert "crash by B: the process ended by exit code 3" in capsys.readouterr().out


def test_resume_needs_nothing_but_the_file(tmp_path: Path) -> None:
    """A match is gone on with from its file alone, and ends as if it had not been broken off."""
    path = tmp_path / "m.jsonl"
    run(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert main(["resume", str(path), "--quiet"]) == 0
    assert path.read_bytes() == whole


def test_the_results_say_what_was_played(tmp_path: Path) -> None:
    """The header names engines, ids, options, limits, rules and seed; each pair has its boards and records."""
    path = tmp_path / "m.jsonl"
    run(
        path,
        "--each",
        "nodes=7 option.x-a=1",
        "--set",
        "target=300",
        "--seed",
        "q",
        "--mode",
        "games",
        "--set=hand_cap=1",
    )
    header = read_header(path)
    assert [engine["id"] for engine in header["engines"]] == ["Instant Bot 1", "Instant Bot 1"]
    assert header["engines"][0]["limits"]["nodes"] == 7
    assert header["engines"][0]["options"] == {"x-a": "1"}
    assert (header["options"], header["seed"], header["mode"]) == ({"target": "300", "hand_cap": "1"}, "q", "games")
    for number, pair in enumerate(read_pairs(path)):
        assert (pair["pair"], pair["engines"], pair["seed"]) == (number, ["A", "B"], f"q.{number}")
        for board in pair["boards"]:
            assert board["record"][0].startswith("newgame rules=draft dealer=host view=all first=")
            assert set(board["hands_detail"][0]) == {"bids", "tricks", "points", "bags", "by"}


@pytest.mark.parametrize(
    "words",
    [
        ["run", "-e", "one"],
        ["run", "-e", "no-such-program", "-e", "no-such-program"],
        ["run", "-e", "a", "-e", "b", "--set", "target"],
        ["run", "-e", "a", "-e", "b", "--concurrency", "0"],
        ["run", "-e", "a", "-e", "b", "--executor", "dask"],
        ["run", "-e", "a", "-e", "b", "--totals", "1"],
        ["show", "no-such-file"],
        ["replay", "no-such-file"],
        ["check"],
    ],
)
def test_mistakes_are_told_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake of the user's is answered by one line that says what is wrong, and exit code 2."""
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("spades-match: ")
    assert error.count("\n") == 1


def test_check_gives_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """The conformance suite's report ends in a verdict: conforms, or not and which sentences are broken."""
    assert main(["check", "--filter", "valid/core/q*", "--", *SCRIPTED.split(), "--levels", "core"]) == 0
    assert "CONFORMS to USP 1, levels core: all " in capsys.readouterr().out
    words = [*SCRIPTED.split(), "--levels", "core", "--forgetful"]
    assert main(["check", "--filter", "valid/options/*", "--filter", "option-orders", "--", *words]) == 1
    out = capsys.readouterr().out
    assert "DOES NOT CONFORM: " in out
    assert "[core.4] broken in " in out
    assert main(["check", "--timeout", "0.5", "--", *SCRIPTED.split(), "--silent"]) == 1
    assert "DOES NOT CONFORM: it cannot be started" in capsys.readouterr().out


def test_a_closed_pipe_ends_show_silently(tmp_path: Path) -> None:
    """`show` into a reader that has had enough ends without a traceback, with the exit code of SIGPIPE."""
    path = tmp_path / "m.jsonl"
    run(path, "--pairs", "60", "--rules", "duel", "--quiet")
    words = [sys.executable, "-m", "spades_match", "show", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 141


def test_timing_lines_are_json(tmp_path: Path) -> None:
    """Every line of the timing file is an object about its pair."""
    run(tmp_path / "m.jsonl")
    lines = (tmp_path / "m.timing.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["pair"] for line in lines] == [0, 1]


def at_a_terminal(words: list[str]) -> str:
    """Run a command whose standard error is a terminal, and return what it wrote there."""
    leader, follower = os.openpty()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=follower) as process:
        os.close(follower)
        written = b""
        with contextlib.suppress(OSError):  # the end of a terminal is an error
            while data := os.read(leader, 4096):
                written += data
        assert process.wait(20) == 0
    os.close(leader)
    return written.decode()


def test_progress_is_for_a_terminal_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A person at a terminal sees how far a match is, or how to get that line; a pipe and `--quiet` get nothing."""
    words = [sys.executable, "-m", "spades_match", "run", "-e", BOT, "-e", BOT, "--rules=duel", "--pairs=2"]
    shown = at_a_terminal([*words, f"--out={tmp_path / 'a.jsonl'}"])
    has_tqdm = importlib.util.find_spec("tqdm") is not None
    assert ("2/2" if has_tqdm else "pip install 'spades-engine[match]'") in shown
    assert not at_a_terminal([*words, f"--out={tmp_path / 'b.jsonl'}", "--quiet"])
    assert run(tmp_path / "c.jsonl") == 0
    assert not capsys.readouterr().err


def test_report_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match ends with its result in words; `report` shows the figures, or writes them as the file's name says."""
    path = tmp_path / "m.jsonl"
    assert run(path) == 0
    assert "after 2 pairs" in capsys.readouterr().out
    assert main(["report", str(path)]) == 0
    assert "A against B" in capsys.readouterr().out
    assert main(["report", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["encounters"][0]["pairs"]["done"] == 2
    assert main(["report", str(path), "-o", str(tmp_path / "r.html")]) == 0
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert main(["report", str(path), "-o", str(tmp_path / "r.txt")]) == 0
    assert (tmp_path / "r.txt").read_text("utf-8").startswith("Match of A and B")
    assert capsys.readouterr().out == ""
    assert main(["report", str(tmp_path / "missing.jsonl")]) == 2
