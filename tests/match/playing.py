"""What the tests of the match runner share: engines to play with, and matches of a few pairs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spades_match.engines import EngineSpec, parse_engine
from spades_match.plan import Plan
from spades_match.run import Summary, run_match

TESTS = Path(__file__).resolve().parents[1]
HOUSE = f"{sys.executable} -m spades_engine"


def instant(name: str, *words: str, keys: str = "") -> EngineSpec:
    """Return a bot that knows the rules and answers at once; `words` are its arguments, `keys` those of the spec."""
    command = " ".join([sys.executable, str(TESTS / "match" / "instant_bot.py"), *words])
    return parse_engine(f"name={name} cmd='{command}' {keys}")


def scripted(name: str, *words: str, keys: str = "") -> EngineSpec:
    """Return the engine without rules that misbehaves on request."""
    command = " ".join([sys.executable, str(TESTS / "engines" / "scripted.py"), *words])
    return parse_engine(f"name={name} cmd='{command}' {keys}")


def play(plan: Plan, path: Path, **settings: Any) -> tuple[Summary, list[dict[str, Any]]]:
    """Play a match into a file; return its summary and its pairs."""
    summary = run_match(plan, path, is_quiet=True, **settings)
    return summary, pairs_of(path)


def pairs_of(path: Path) -> list[dict[str, Any]]:
    """Return the pairs of a results file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def difference(pair: Mapping[str, Any]) -> int:
    """Return by how many points the first engine is ahead over both boards of a pair."""
    return sum(board["points"][0] - board["points"][1] for board in pair["boards"])
