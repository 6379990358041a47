"""Whatever an engine does, its board has a result in time, and the match goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spades_match.outcomes import FAULTS, MatchError, Outcome
from spades_match.plan import Plan
from spades_match.replay import check_pair
from tests.match.playing import instant, play, scripted

QUICK = "limit.newgame=0.4 limit.ping=0.5 limit.move=0.6 limit.margin=0.2 limit.stall=0.4 limit.quit=0.3"

SCRIPTED = [
    ("--illegal", "", "illegal-action", "1Z"),
    ("", "", "illegal-action", "play AS"),
    ("--crash-on go", "", "crash", "exit code 3"),
    ("--crash-on newgame", "", "crash", "'newgame"),
    ("--crash-on ping", "", "crash", "'ping'"),
    ("--crash-on deal", "", "crash", "'deal"),
    ("--stall-on go", "nodes=5", "stall", "limit move"),
    ("--stall-on go", "movetime=10", "stall", "limits margin and stall"),
    ("--stall-on newgame", "", "stall", "limit newgame"),
    ("--stall-on ping", "", "stall", "limit ping"),
    ("--mute-on go", "nodes=5", "stall", "limit move"),
    ("--partial-line-on go", "", "stall", "limits margin and stall"),
    ("--partial-line-on newgame", "", "stall", "limit newgame"),
    ("--late go:350", "movetime=10", "time-loss", "limit margin"),
    ("--think 350", "clock=10 inc=1", "time-loss", "limit margin"),
    ("--double-reply", "", "protocol-violation", "wrong kind"),
    ("--best-twice --reply newgame=ok --action look", "", "protocol-violation", "wrong kind"),
    ("--reply deal=error|error", "", "protocol-violation", "an error"),
    ("--reply go=ok", "", "protocol-violation", "wrong kind"),
    ("--reply newgame=best", "", "protocol-violation", "no sense"),
    ("--flood --think 60000", "nodes=5", "stall", "limit move"),
]


@pytest.mark.parametrize(("faults", "keys", "outcome", "detail"), SCRIPTED)
def test_every_fault_has_its_outcome(tmp_path: Path, faults: str, keys: str, outcome: str, detail: str) -> None:
    """An engine that misbehaves at any step loses the board by the right outcome, and the next board is played."""
    bad = scripted("bad", *faults.split(), keys=f"{QUICK} {keys}")
    summary, pairs = play(Plan((instant("good"), bad), "draft", pairs=1, seed="f"), tmp_path / "m.jsonl")
    assert summary.pairs == 1
    for board in pairs[0]["boards"]:
        if not (faults.startswith("--partial-line-on go") and board["outcome"] == "stall"):
            assert board["outcome"] == outcome, board["detail"]
            assert detail in board["detail"]
        assert board["culprit"] == "bad"
        assert board["points"] == [0, -200]
        assert Outcome(board["outcome"]) in FAULTS


@pytest.mark.parametrize("words", ["--crash-on usp", "--silent", "--slow-start 900", "--binary", "--reply usp=ok"])
def test_an_engine_that_never_works_ends_the_match_before_it_begins(tmp_path: Path, words: str) -> None:
    """An engine that does not even shake hands is told of, by name, before anything is played or written."""
    plan = Plan((instant("good"), scripted("bad", *words.split(), keys="limit.start=0.5")), pairs=1)
    with pytest.raises(MatchError, match="bad"):
        play(plan, tmp_path / "m.jsonl")
    assert not (tmp_path / "m.jsonl").exists()


def test_a_start_limit_is_named(tmp_path: Path) -> None:
    """A slow start is told of with the limit that ran out, and a greater limit lets the engine play."""
    words = ("--slow-start", "700")
    with pytest.raises(MatchError, match="limit start"):
        play(Plan((instant("good"), scripted("bad", *words, keys="limit.start=0.2")), pairs=1), tmp_path / "a.jsonl")
    plan = Plan((instant("good"), scripted("bad", *words, keys="limit.start=20")), pairs=1)
    _, pairs = play(plan, tmp_path / "b.jsonl")
    assert {board["outcome"] for board in pairs[0]["boards"]} == {"illegal-action"}


def test_an_engine_that_cannot_be_started_again_loses(tmp_path: Path) -> None:
    """An engine that crashes and whose next start fails loses that board too, by its start."""
    program = tmp_path / "once.sh"
    mark = tmp_path / "started"
    bad = scripted("bad", "--crash-on", "go")
    # The first two starts work: the runner's look at each engine, and the first board.
    program.write_text(f"echo x >>{mark}\n[ $(wc -l <{mark}) -lt 3 ] && exec {' '.join(bad.command)}\nexit 7\n")
    from_script = scripted("bad").from_json({**bad.as_json(), "command": ["sh", str(program)]})
    summary, pairs = play(Plan((instant("good"), from_script), pairs=2), tmp_path / "m.jsonl")
    details = [board["detail"] for pair in pairs for board in pair["boards"]]
    assert details[0].startswith("the process ended by exit code 3")
    assert all(detail.startswith("at its start: the process ended by exit code 7") for detail in details[1:])
    assert summary.outcomes[Outcome.CRASH] == 4


@pytest.mark.parametrize("mode", ["hands", "games"])
@pytest.mark.parametrize("fault", ["late", "crash", "hang", "illegal", "other-seat"])
def test_a_fault_in_the_last_trick_of_the_last_hand_is_adjudicated(tmp_path: Path, fault: str, mode: str) -> None:
    """The last card of the last hand may be late, missing or wrong: the board is lost, and the record holds."""
    # Without blind nil a seat is asked for thirteen turns of the draft, a bid and thirteen cards.
    options = {"hand_cap": "1", "blind_nil": "off", "exchange": "none"}
    at = 13 + 1 + 13
    words = (f"--fault={fault}", f"--at={at}", "--ms=400")
    bad = instant("bad", *words, keys="movetime=20 limit.margin=0.15 limit.stall=0.5 fresh=yes")
    plan = Plan((instant("good"), bad), "draft", options, mode, pairs=1, seed="l")
    _, pairs = play(plan, tmp_path / "m.jsonl")
    expected = {"late": "time-loss", "hang": "stall", "crash": "crash"}.get(fault, "illegal-action")
    for board in pairs[0]["boards"]:
        assert (board["outcome"], board["culprit"]) == (expected, "bad")
        assert board["winner"] == ("good" if mode == "games" else None)
        assert board["points"] == ([0, 0] if mode == "games" else [0, -200])
        assert sum(line.startswith("play") for line in board["record"]) in (24, 25)
    assert not check_pair(plan, pairs[0])


def test_a_time_loss_tells_its_overrun_beside_the_record(tmp_path: Path) -> None:
    """How late an answer was is measured in milliseconds and kept in the timing file, so that records stay the same."""
    bad = scripted("bad", "--late", "go:500", keys="movetime=10 limit.margin=0.1")
    play(Plan((instant("good"), bad), pairs=1), tmp_path / "m.jsonl")
    timing = json.loads((tmp_path / "m.timing.jsonl").read_text("utf-8"))
    assert all(300 < board["overrun"] < 5000 for board in timing["boards"])


def test_last_words_are_kept_beside_the_record(tmp_path: Path) -> None:
    """What a process wrote to standard error before it died is in the timing file."""
    play(Plan((instant("good"), instant("bad", "--fault=crash", "--at=2")), pairs=1), tmp_path / "m.jsonl")
    timing = json.loads((tmp_path / "m.timing.jsonl").read_text("utf-8"))
    assert timing["boards"][0]["stderr"] == "out of luck"


def test_a_wrong_result_is_a_violation(tmp_path: Path) -> None:
    """An engine that announces another score than the table's does not know the rules, and loses the board."""
    plan = Plan((instant("good"), instant("bad", "--wrong-score")), pairs=1)
    _, pairs = play(plan, tmp_path / "m.jsonl")
    assert [board["outcome"] for board in pairs[0]["boards"]] == ["protocol-violation"] * 2
    assert not check_pair(plan, pairs[0])


def test_the_hand_cap_is_an_outcome(tmp_path: Path) -> None:
    """A game that ends because `hand_cap` hands have been played says so; the higher total wins it."""
    plan = Plan((instant("A"), instant("B", "--style=1")), "duel", {"hand_cap": "2"}, "games", pairs=2)
    _, pairs = play(plan, tmp_path / "m.jsonl")
    for board in (board for pair in pairs for board in pair["boards"]):
        assert (board["outcome"], board["hands"]) == ("hand-cap", 2)
        first, second = board["points"]
        assert board["winner"] == ("A" if first > second else "B" if second > first else "draw")


def test_an_engine_that_does_not_quit_is_killed_and_named(tmp_path: Path) -> None:
    """An engine that answers `quit` and lives on is killed after the limit, and the summary names it."""
    bad = instant("bad", "--fault=stay", keys="limit.quit=0.2")
    summary, _ = play(Plan((instant("good"), bad), pairs=1), tmp_path / "m.jsonl")
    assert summary.killed == ["bad"]


def test_a_wrong_option_is_told_of_before_the_match(tmp_path: Path) -> None:
    """An option that an engine does not have, or a value it does not take, is the user's mistake and no forfeit."""
    for keys in ("option.depth=3", "option.multipv=0"):
        with pytest.raises(MatchError, match=keys[7:12]):
            play(Plan((instant("good"), scripted("bad", keys=keys)), pairs=1), tmp_path / "m.jsonl")


def test_a_clock_runs_down_within_a_hand(tmp_path: Path) -> None:
    """An engine that spends its clock is told less and less, and loses on time when it goes on after zero."""
    spender = instant("spender", "--ms=60", keys="clock=400 inc=5 limit.margin=0.05 limit.stall=1")
    plan = Plan((instant("good"), spender), "duel", pairs=1)
    _, pairs = play(plan, tmp_path / "m.jsonl")
    for board in pairs[0]["boards"]:
        assert (board["outcome"], board["culprit"]) == ("time-loss", "spender")
