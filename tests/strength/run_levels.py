"""How strong the levels of skill are: each against the highest one, and the lowest one against a beginner's rules.

    python -m tests.strength.run_levels [--rules LIST] [--levels LIST] [--pairs N] [--limit LIMIT] [--mode hands|games]
        [--out FOLDER]

Every deal is played twice with the seats exchanged; intervals are 95 % over pairs. The results files stay in FOLDER
(build/strength), and matches that are there are gone on with.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from spades_match.engines import parse_engine
from spades_match.plan import Plan
from spades_match.report import gather
from spades_match.run import run_match
from spades_match.statistics import format_estimate
from tests.strength.run_strength import engine


def main() -> None:
    """Play and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="draft")
    parser.add_argument("--levels", default="16,12,8,4,0")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--limit", default="nodes=20000")
    parser.add_argument("--mode", default="hands", choices=("hands", "games"))
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/strength"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    sys.stdout.write("| rules | level | against | points a hand | games % | Elo |\n|---|---|---|---|---|---|\n")
    for rules in options.rules.split(","):
        highest, beginner = engine("level20", options.limit), engine("beginner", options.limit, ["player"])
        matches = [(int(level), "level20", highest) for level in options.levels.split(",")]
        matches.append((0, "beginner", beginner))
        for level, name, other in matches:
            mine = engine(f"level{level}", f"{options.limit} option.skill={level}")
            engines = (parse_engine(mine), parse_engine(other))
            path = options.out / f"{rules}-{options.mode}-level{level}-{name}-{options.limit.replace('=', '')}.jsonl"
            plan = Plan(engines, rules, mode=options.mode, pairs=options.pairs, seed="levels")
            run_match(plan, path, concurrency=options.concurrency, is_resumed=True)
            (encounter,) = gather(path).encounters
            games = encounter.games
            score = "" if games is None else format_estimate(games.score, 1, False, 100)
            elo = "" if games is None else format_estimate(games.elo, 0)
            points = format_estimate(encounter.points_per_hand, 1)
            sys.stdout.write(f"| {rules} | {level} | {name} | {points} | {score} | {elo} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
