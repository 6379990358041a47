"""The sequential test of a match: it ends the match at the same pair, however the match was run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spades_match.engines import parse_engine
from spades_match.outcomes import MatchError
from spades_match.plan import Plan
from spades_match.sequential import SequentialTest, parse_design
from spades_match.statistics import GameResult, SprtDesign, SprtState, first_decision
from tests.match.playing import HOUSE, instant, play

# The house player against one that plays at random is decided within some pairs, either way round.
ENGINES = (parse_engine(f"name=house nodes=20 cmd='{HOUSE}'"), instant("random"))
PLAN = Plan(ENGINES, "duel", pairs=60, sprt=SprtDesign(0.0, 200.0))


def game_pair(first: str, second: str) -> dict[str, Any]:
    """Return a pair of games of A and B with these winners, as the results file has it."""
    return {"engines": ["A", "B"], "boards": [{"winner": first}, {"winner": second}]}


@pytest.mark.parametrize("mode", ["hands", "games"])
def test_a_decided_match_ends_at_the_same_pair(tmp_path: Path, mode: str) -> None:
    """A test ends a match after the same pair at any concurrency, and says which hypothesis was accepted."""
    plan = replace(PLAN, mode=mode, options={"target": "100"} if mode == "games" else {})
    files = []
    for concurrency in (1, 2):
        path = tmp_path / f"{concurrency}.jsonl"
        summary, pairs = play(plan, path, concurrency=concurrency)
        assert summary.stopped.startswith("H1 accepted")
        assert 0 < len(pairs) < plan.pairs
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_the_worse_engine_first_accepts_the_other_hypothesis(tmp_path: Path) -> None:
    """The hypotheses are about the first engine: with the two exchanged the test accepts H0."""
    summary, _ = play(replace(PLAN, engines=ENGINES[::-1]), tmp_path / "m.jsonl")
    assert summary.stopped.startswith("H0 accepted")


def test_a_match_broken_off_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """Resumed from any of its pairs a match ends with the file of the unbroken one; once decided it plays no more."""
    path, part = tmp_path / "m.jsonl", tmp_path / "part.jsonl"
    play(PLAN, path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (1, len(lines) // 2, len(lines) - 1, len(lines)):
        part.write_bytes(b"".join(lines[:kept]))
        summary, _ = play(PLAN, part, is_resumed=True)
        assert part.read_bytes() == whole
        assert summary.pairs == len(lines) - kept
        assert summary.stopped.startswith("H1 accepted")


def test_a_file_that_goes_on_after_its_decision_is_refused(tmp_path: Path) -> None:
    """A results file with pairs after the one that decided its test is of no match of this kind."""
    path = tmp_path / "m.jsonl"
    play(PLAN, path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    number = len(lines) - 1
    path.write_text("".join([*lines, lines[-1].replace(f'"pair":{number - 1}', f'"pair":{number}', 1)]), "utf-8")
    with pytest.raises(MatchError, match="after its test was decided"):
        play(PLAN, path, is_resumed=True)


def test_games_are_counted_as_the_statistics_count_them() -> None:
    """Wins, draws and losses of the file's winners decide at the pair at which the bare statistics do."""
    design = SprtDesign(-50.0, 50.0)
    winners = [("A", "A"), ("A", "draw"), ("B", "A"), ("A", "A")] * 40
    result = {"A": GameResult.WIN, "B": GameResult.LOSS, "draw": GameResult.DRAW}
    expected = first_decision([(result[one], result[other]) for one, other in winners], design)
    test = SequentialTest(design, is_games=True)
    added = 0
    for added, pair in enumerate(winners, 1):  # noqa: B007 - counted for what follows
        test.add(game_pair(*pair))
        if test.is_decided:
            break
    assert expected.state is SprtState.ACCEPT_H1
    assert (added, test.status) == (expected.units, expected)


def test_the_header_keeps_the_test(tmp_path: Path) -> None:
    """The test is part of the match: it is read back from the header, and another one cannot be gone on with."""
    header = PLAN.header({spec.name: "x" for spec in ENGINES}, "1")
    assert Plan.from_header(header).sprt == PLAN.sprt
    assert "sprt" not in replace(PLAN, sprt=None).header({spec.name: "x" for spec in ENGINES}, "1")
    play(PLAN, tmp_path / "m.jsonl")
    with pytest.raises(MatchError, match="sprt"):
        play(replace(PLAN, sprt=SprtDesign(0.0, 100.0)), tmp_path / "m.jsonl", is_resumed=True)


@pytest.mark.parametrize("text", ["", "1", "0,5,0.05", "5,0", "0,x", "0,1000", "0,5,0.6,0.6", "0,5,0,0.05", "nan,5"])
def test_a_test_that_makes_no_sense_is_refused(text: str) -> None:
    """Hypotheses out of order, unreadable numbers and impossible error rates are refused, and the text is named."""
    with pytest.raises(MatchError, match="--sprt"):
        parse_design(text)


def test_a_test_is_of_two_engines() -> None:
    """A match of three engines has no sequential test."""
    with pytest.raises(MatchError, match="two engines"):
        Plan((*ENGINES, instant("third")), "duel", sprt=SprtDesign(0.0, 5.0))
