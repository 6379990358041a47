"""How strong the two-player game is, and what each part of it is worth: matches of the engine against itself with a
part taken out, every deal twice with the seats exchanged.

    python -m tests.strength.run_strength [--rules NAME] [--mode hands|games] [--pairs N] [--movetime MS]
        [--without PART[+PART...]]... [--against NAME=MS]... [--out FOLDER]

`--without` plays against the engine without these parts (see variant.py); `exact+bids+draft` is the house player that
came first. `--against` plays against the whole engine with another time for each move. The results files stay in FOLDER
(build/strength), where `spades-match report` reads them; a match that is there is gone on with.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from spades_match.engines import parse_engine
from spades_match.plan import Plan
from spades_match.report import gather
from spades_match.run import run_match
from spades_match.statistics import format_estimate

VARIANT = Path(__file__).with_name("variant.py")
PARTS = ("exact", "beliefs", "bids", "draft", "chart", "equity", "exact+bids+draft")


def engine(name: str, movetime: int, parts: Sequence[str] = ()) -> str:
    """Return the engine line of a variant."""
    words = [sys.executable, str(VARIANT)]
    for part in parts:
        words += ["--without", part]
    return f"name={name} movetime={movetime} cmd={shlex.quote(shlex.join(words))}"


def play(path: Path, other: str, options: argparse.Namespace) -> None:
    """Play one match and print what came of it."""
    engines = (parse_engine(engine("whole", options.movetime)), parse_engine(other))
    plan = Plan(engines, options.rules, mode=options.mode, pairs=options.pairs, seed=options.seed)
    run_match(plan, path, concurrency=options.concurrency, is_resumed=True)
    report = gather(path)
    (encounter,) = report.encounters
    figures = f"{format_estimate(encounter.points_per_hand, 1)} points a hand"
    if encounter.games is not None:
        figures = f"{format_estimate(encounter.games.score, 1, False, 100)} % of games, {figures}"
    played = f"{encounter.pairs} pairs, {encounter.hands} hands"
    print(f"{options.rules}: whole against {encounter.second}: {figures}; {played}")
    for one in report.engines:
        contracts = one.calibration.total
        rate = format_estimate(contracts.made_rate, 1, False, 100)
        bags = format_estimate(one.bags_per_hand, 2, False)
        print(f"    {one.name}: contracts made {rate} %, bags a hand {bags}, median {one.time.quantile(0.5)} ms a move")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches asked for, all ablations if none is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="draft")
    parser.add_argument("--mode", default="hands", choices=("hands", "games"))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--movetime", type=int, default=50, help="milliseconds for each move of the whole engine")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--without", action="append", default=[], metavar="PARTS")
    parser.add_argument("--against", action="append", default=[], metavar="NAME=MS")
    parser.add_argument("--out", type=Path, default=Path("build/strength"))
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    stem = f"{options.rules}-{options.mode}-{options.movetime}ms"
    for parts in options.without or ([] if options.against else PARTS):
        name = "no-" + parts.replace("+", "-")
        path = options.out / f"{stem}-{name}.jsonl"
        play(path, engine(name, options.movetime, parts.split("+")), options)
    for text in options.against:
        name, _, movetime = text.partition("=")
        play(options.out / f"{stem}-{name}.jsonl", engine(name, int(movetime)), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
