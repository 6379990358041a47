"""The whole suite, and every example of SPEC.md, against our own engine; and what the suite must agree with."""

import re
import sys
from pathlib import Path

import pytest

import run
from suite import dealing
from suite.checks_states import LEVEL_COMMANDS, cells
from tests.conformance.generate_transcripts import outdated
from tests.game import oracle_dealing
from tests.game.oracle import Table

ROOT = Path(__file__).resolve().parents[2]
ENGINE = [sys.executable, "-m", "spades_engine"]


@pytest.mark.slow
def test_our_engine_passes_the_whole_suite(capsys: pytest.CaptureFixture[str]) -> None:
    """The engine passes every transcript and every built-in check of every level."""
    code = run.main(["--jobs", "2", "--timeout", "30", "--", *ENGINE])
    report = capsys.readouterr().out
    assert code == 0, report
    assert " 0 left out" in report


def test_every_example_of_the_specification_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """The engine says what each fenced example of SPEC.md says."""
    code = run.main(["--spec", str(ROOT / "SPEC.md"), "--jobs", "2", "--timeout", "30", "--", *ENGINE])
    report = capsys.readouterr().out
    assert code == 0, report


def test_generated_transcripts_are_up_to_date() -> None:
    """Every generated transcript is what the oracle tells today: python -m tests.conformance.generate_transcripts."""
    assert outdated() == []


def test_the_state_table_is_that_of_the_specification() -> None:
    """The runner's state table has the rows and cells of section 12."""
    spec = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    section = spec.partition("\n## 12. ")[2].partition("\nWithin *idle*")[0]
    rows = {
        m[1]: [m[2], m[3], m[4]]
        for m in re.finditer(r"^\| `(\w+)` \| (\S+) \| (\S+) \| (\S+) \|$", section, re.MULTILINE)
    }
    assert {command.split()[0]: found for command, found in cells()} == rows


def test_the_levels_are_those_of_the_specification() -> None:
    """The runner's commands by level are those of section 14."""
    spec = (ROOT / "SPEC.md").read_text(encoding="utf-8")
    section = spec.partition("\n## 14. ")[2].partition("\n## 15. ")[0]
    for level, commands in LEVEL_COMMANDS.items():
        row = re.search(rf"^\| `{level}` \| (.*?) \|", section, re.MULTILINE)
        assert row is not None
        named = set(re.findall(r"[a-z]+", row[1])) - {"dealer", "host"}
        assert named == set(commands.split())


@pytest.mark.parametrize("rules", ["draft", "draft300", "partners", "duel"])
@pytest.mark.parametrize("seed", ["0", "7", "x" * 64])
def test_the_suite_deals_like_the_oracle(rules: str, seed: str) -> None:
    """The suite's dealing and the oracle's, written apart from the same section, agree."""
    cards = Table(rules).cards
    for hand in (1, 2, 200):
        assert dealing.shuffle(seed, hand, rules) == oracle_dealing.shuffled(
            cards, oracle_dealing.Stream(seed, f"deal.{hand}")
        )
    assert dealing.commitment(seed) == oracle_dealing.commitment(seed)
    first = oracle_dealing.Stream(seed, "first").below(len(Table(rules).seats))
    assert dealing.first_seat(seed, rules) == Table(rules).seats[first]
