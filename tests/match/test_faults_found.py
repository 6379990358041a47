"""Faults that were found by trying to break the runner, each as the kind it is of."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from spades_match.cli import main
from spades_match.engines import parse_engine
from spades_match.outcomes import Exhausted, MatchError
from spades_match.plan import Plan
from spades_match.store import Store, read_header, read_pairs, timing_path
from tests.match.killing import BOT
from tests.match.playing import instant, play

DUEL = Plan((instant("A"), instant("B", "--style=1")), "duel", pairs=3)
GAMES = Plan(DUEL.engines, "duel", {"target": "100"}, "games", pairs=3)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small match of games."""
    path = tmp_path_factory.mktemp("games") / "m.jsonl"
    play(GAMES, path)
    return path


def test_a_time_that_no_wait_can_hold_is_waited_for_in_parts(tmp_path: Path) -> None:
    """A limit of more milliseconds than the system can wait for is a limit like any other."""
    engines = (instant("A", keys="movetime=3000000000"), instant("B"))
    summary, _ = play(Plan(engines, "duel", pairs=1), tmp_path / "m.jsonl")
    assert not summary.faults


def test_no_engine_is_called_draw(tmp_path: Path) -> None:
    """The name that the results give to a draw is refused, said or taken from the script."""
    for text in ("name=draw some-engine", "python3 draw.py"):
        with pytest.raises(MatchError, match="draw"):
            parse_engine(text)


def test_running_out_of_descriptors_is_no_engines_fault(tmp_path: Path) -> None:
    """Where the system has no more file descriptors the match stops with a message; nobody forfeits a board."""
    path = tmp_path / "m.jsonl"
    words = [sys.executable, "-m", "spades_match", "run", "-q", "--rules=partners", "--pairs=4", "-c2", f"--out={path}"]
    words += [f"--engine=name={name} cmd='{BOT}'" for name in "AB"]
    limited = ["sh", "-c", 'ulimit -n 24; exec "$@"', "sh", *words]
    done = subprocess.run(limited, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "out of means" in done.stderr
    assert all(board["culprit"] is None for pair in read_pairs(path) for board in pair["boards"])
    assert issubclass(Exhausted, MatchError)


def winners(pair: dict[str, Any]) -> None:
    """Let the other engine win."""
    for board in pair["boards"]:
        board["winner"] = {"A": "B", "B": "A"}.get(board["winner"], "A")


def outcomes(pair: dict[str, Any]) -> None:
    """Say that the cap ended the games."""
    for board in pair["boards"]:
        board["outcome"] = "hand-cap"


def details(pair: dict[str, Any]) -> None:
    """Change a bid in the figures."""
    bids = pair["boards"][0]["hands_detail"][0]["bids"]
    bids["S"] = "13" if bids["S"] != "13" else "1"


def culprits(pair: dict[str, Any]) -> None:
    """Blame somebody for a game that was played to its end."""
    pair["boards"][0]["culprit"] = "A"


def forfeits(pair: dict[str, Any]) -> None:
    """Call a whole game a crash of its winner."""
    board = pair["boards"][1]
    board.update(outcome="crash", culprit=board["winner"])


def halves(pair: dict[str, Any]) -> None:
    """Cut a game off after its first hand, in the record and in the figures."""
    board = pair["boards"][0]
    end = next(place for place, line in enumerate(board["record"]) if line.startswith("score ")) + 1
    hand = board["hands_detail"][0]
    points = [hand["points"]["S"], hand["points"]["N"]]
    board.update(record=board["record"][:end], hands=1, hands_detail=[hand], points=points)


@pytest.mark.parametrize("change", [winners, outcomes, details, culprits, forfeits, halves])
def test_replay_holds_every_figure_to_the_record(
    games: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Winner, outcome, culprit, forfeit, hands and the end of a game are verified, not only points."""
    path = tmp_path / "m.jsonl"
    lines = games.read_text("utf-8").splitlines()
    pair = json.loads(lines[2])
    change(pair)
    path.write_text("\n".join([*lines[:2], json.dumps(pair), *lines[3:]]) + "\n", "utf-8")
    assert main(["replay", str(games)]) == 0
    assert main(["replay", str(path)]) == 1
    assert "pair 1" in capsys.readouterr().out


def test_a_missing_pair_is_noticed_by_everybody(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A results file with a pair taken out of its middle is damaged: show, report and replay say so."""
    path = tmp_path / "m.jsonl"
    lines = games.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:2], *lines[3:]]), "utf-8")
    for command in ("show", "report", "replay"):
        assert main([command, str(path)]) == 2
        assert "line 3 is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("phase", ["handshake", "closing", "replay", "check"])
def test_a_signal_outside_the_play_leaves_no_process(
    games: Path, tmp_path: Path, phase: str, number: signal.Signals
) -> None:
    """Asked to end while an engine hangs in its handshake or does not end, in any command, the runner takes it along,
    with 128 and the signal's number as its code.
    """
    mark = tmp_path / "pid"
    engine = tmp_path / "engine.py"
    hang = "import os, sys, time\nopen(sys.argv[1], 'w').write(str(os.getpid()))\n"
    if phase == "closing":
        hang += "print('ok usp=1 levels=core,seat capabilities=scores', flush=True)\n"
    engine.write_text(hang + "time.sleep(600)\n", "utf-8")
    words = [sys.executable, "-m", "spades_match", "run", "--rules=duel", f"--out={tmp_path / 'm.jsonl'}"]
    words += [f"--engine=name=A limit.quit=60 cmd='{sys.executable} {engine} {mark}'", f"--engine=name=B cmd='{BOT}'"]
    if phase in ("replay", "check"):
        words = [sys.executable, "-m", "spades_match", phase, *([str(games)] if phase == "replay" else [])]
        words += ["--", sys.executable, str(engine), str(mark)]
    # Tests may themselves run where a signal is ignored (nohup, a shell's background), which children inherit.
    heed = partial(signal.signal, number, signal.SIG_DFL)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=heed) as runner:
        for _ in range(600):
            if mark.exists() and mark.read_text("utf-8"):
                break
            time.sleep(0.05)
        time.sleep(0.5)
        runner.send_signal(number)
        assert runner.wait(20) == 128 + number
    pid = int(mark.read_text("utf-8"))
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the engine lives on")


def test_a_file_made_by_another_runner_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A results file that appears between the look for it and the making of it stays the other runner's."""
    path = tmp_path / "m.jsonl"
    header = DUEL.header({"A": "x", "B": "x"}, "1")
    with Store(path, header):
        monkeypatch.setattr(Path, "exists", lambda self: False)
        with pytest.raises(MatchError, match="another match runner"):
            Store(path, header)
    assert read_header(path) == header


def test_a_header_without_its_line_end_gets_it(tmp_path: Path) -> None:
    """A match whose file ends within the line end of its header goes on to the file of an unbroken one."""
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    play(DUEL, whole)
    part.write_bytes(whole.read_bytes().split(b"\n")[0])
    play(DUEL, part, is_resumed=True)
    assert part.read_bytes() == whole.read_bytes()


def test_a_damaged_timing_file_costs_nothing_else(tmp_path: Path) -> None:
    """With one line of the timing file damaged the report is made, and going on keeps the other lines."""
    path = tmp_path / "m.jsonl"
    play(DUEL, path)
    timing = timing_path(path)
    lines = timing.read_text("utf-8").splitlines(keepends=True)
    timing.write_text("".join([lines[0], "damage\n", lines[2]]), "utf-8")
    assert main(["report", str(path), "-o", str(tmp_path / "r.txt")]) == 0
    assert main(["resume", str(path), "-q"]) == 0
    assert timing.read_text("utf-8").splitlines(keepends=True)[2] == lines[2]


@pytest.mark.parametrize("name", ["m", "m.timing.jsonl", "m.json"])
def test_names_that_would_meet_a_timing_file_are_refused(tmp_path: Path, name: str) -> None:
    """A results file is called *.jsonl, and never as the timing file of another one."""
    with pytest.raises(MatchError, match="ends in"):
        play(DUEL, tmp_path / name)


def test_a_report_does_not_overwrite_the_match(tmp_path: Path) -> None:
    """A report into the results file or its timing file is refused, and both stay as they are."""
    path = tmp_path / "m.jsonl"
    play(DUEL, path)
    before = path.read_bytes()
    for name in (path, timing_path(path)):
        assert main(["report", str(path), "-o", str(name)]) == 2
    assert path.read_bytes() == before


def test_an_engine_that_changes_its_options_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    """An engine that no longer has an option after a crash loses its boards; the others' match is played to its end."""
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import os, sys\n"
        "started = os.path.exists(sys.argv[1] + '2') * 2 or os.path.exists(sys.argv[1])\n"
        "open(sys.argv[1] + ('2' if started else ''), 'w').close()\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('usp'):\n"
        "        if started < 2: print('option name=foo type=spin default=1 min=0 max=9')\n"
        "        print('ok usp=1 levels=core,seat capabilities=scores', flush=True)\n"
        "    elif line.startswith('go'): os._exit(3)\n"
        "    else: print('ok', flush=True)\n",
        "utf-8",
    )
    text = f"name=A option.foo=3 cmd='{sys.executable} {engine} {tmp_path / 'mark'}'"
    _, pairs = play(Plan((parse_engine(text), instant("B")), "duel", pairs=2), tmp_path / "m.jsonl")
    assert len(pairs) == 2
    assert {board["culprit"] for pair in pairs for board in pair["boards"]} == {"A"}
    assert "it is not as it was" in pairs[1]["boards"][1]["detail"]


@pytest.mark.parametrize("value", ["a\nb", "a\udcffb", "x" * 70_000])
def test_an_option_that_cannot_be_sent_is_refused(value: str) -> None:
    """A value with control characters, broken text or too much of it is refused before anything is started."""
    with pytest.raises(MatchError, match=r"option\.x"):
        parse_engine(f"engine option.x='{value}'")


@pytest.mark.parametrize(
    ("key", "value"),
    [("outcome", "odd"), ("record", 3), ("record", [7]), ("points", [float("inf"), 0]), ("winner", [])],
)
def test_edited_results_are_told_as_such(
    games: Path, tmp_path: Path, key: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """A results file that no runner has written gets a message or a verdict, and no traceback."""
    path = tmp_path / "m.jsonl"
    lines = games.read_text("utf-8").splitlines()
    pair = json.loads(lines[2])
    pair["boards"][0][key] = value
    path.write_text("\n".join([*lines[:2], json.dumps(pair), *lines[3:]]) + "\n", "utf-8")
    for command in ("show", "replay", "report"):
        assert main([command, str(path)]) in (0, 1, 2)
        capsys.readouterr()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules", 3),
        ("start", {"totals": [float("inf"), 0], "bags": [0, 0]}),
        ("pairs", 1.5),
        ("engines", [{"name": 1}]),
    ],
)
def test_edited_headers_are_told_as_such(
    games: Path, tmp_path: Path, key: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """A header that makes no sense is told in one line by every command."""
    path = tmp_path / "m.jsonl"
    first, rest = games.read_text("utf-8").split("\n", 1)
    path.write_text(json.dumps(json.loads(first) | {key: value}) + "\n" + rest, "utf-8")
    for command in ("show", "replay", "report", "resume"):
        assert main([command, str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_show_into_a_stream_that_has_no_suit_signs(games: Path) -> None:
    """On an output that cannot hold the signs of the suits `show` writes something else in their place."""
    words = [sys.executable, "-m", "spades_match", "show", str(games)]
    done = subprocess.run(words, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"}, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_stall_quotes_what_was_no_answer(tmp_path: Path) -> None:
    """A bot that answers `go` by a line that is no reply stalls, and the detail quotes the line, clipped and plain."""
    bot = f"{sys.executable} {Path(__file__).parents[1] / 'engines' / 'scripted.py'} --reply go='bset\\x1b look'"
    plan = Plan((parse_engine(f"name=A limit.move=0.2 cmd={shlex.quote(bot)}"), instant("B")), "duel", pairs=1)
    play(plan, tmp_path / "m.jsonl")
    (pair,) = read_pairs(tmp_path / "m.jsonl")
    assert {board["outcome"] for board in pair["boards"]} == {"stall"}
    assert "it wrote 'bset" in pair["boards"][0]["detail"]
    assert len(pair["boards"][0]["detail"]) < 700


@pytest.mark.parametrize("pairs", [5, 3])
def test_a_finished_match_can_get_more_pairs(tmp_path: Path, pairs: int, capsys: pytest.CaptureFixture[str]) -> None:
    """`resume --pairs` goes on to the bytes of a match that was so long from the start; fewer pairs are refused."""
    long, short = tmp_path / "long.jsonl", tmp_path / "short.jsonl"
    engines = (instant("A"), instant("B"))
    play(Plan(engines, "duel", pairs=5), long)
    play(Plan(engines, "duel", pairs=4), short)
    before = short.read_bytes()
    code = main(["resume", str(short), "--pairs", str(pairs), "-q"])
    if pairs > 4:
        assert code == 0
        assert short.read_bytes() == long.read_bytes()
    else:
        assert code == 2
        assert "it can get more of them" in capsys.readouterr().err
        assert short.read_bytes() == before
