"""How strong the two-player game is, and what each part of it is worth: matches of the engine against itself with a
part taken out, every deal twice with the seats exchanged.

    python -m tests.strength.run_strength [--rules LIST] [--mode hands|games] [--pairs N] [--limit LIMIT]
        [--their-limit LIMIT] [--totals A,B] [--bags A,B] [--without PART[+PART...]]... [--against NAME=LIMIT]...
        [--out FOLDER]

LIMIT is what `go` says: `movetime=50`, `nodes=20000`. `--without` plays against the engine without these parts (see
variant.py); `exact+bids+draft+plays` is the house player that came first. `--against` plays against the whole engine
with another limit. `--totals` and `--bags` are the score that every board starts from. The results files stay in FOLDER
(build/strength), where `spades-match report` reads them; a match that is there is gone on with, so that one stopped
loses nothing.
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
from spades_match.report.model import EngineReport
from spades_match.run import run_match
from spades_match.statistics import format_estimate

VARIANT = Path(__file__).with_name("variant.py")
PARTS = ("exact", "beliefs", "plays", "bids", "draft", "chart", "equity")


def engine(name: str, limit: str, parts: Sequence[str] = ()) -> str:
    """Return the engine line of a variant."""
    words = [sys.executable, str(VARIANT)]
    for part in parts:
        words += ["--without", part]
    return f"name={name} {limit} cmd={shlex.quote(shlex.join(words))}"


def play(rules: str, other: str, path: Path, options: argparse.Namespace) -> None:
    """Play one match and print what came of it."""
    engines = (parse_engine(engine("whole", options.limit)), parse_engine(other))
    plan = Plan(
        engines,
        rules,
        mode=options.mode,
        pairs=options.pairs,
        seed=options.seed,
        totals=options.totals,
        bags=options.bags,
    )
    run_match(plan, path, concurrency=options.concurrency, is_resumed=True)
    report = gather(path)
    (encounter,) = report.encounters
    figures = f"{format_estimate(encounter.points_per_hand, 1)} points a hand"
    if encounter.games is not None:
        games = encounter.games
        figures = (
            f"{format_estimate(games.score, 1, False, 100)} % of games, Elo {format_estimate(games.elo, 0)}, {figures}"
        )
    print(f"{rules}: whole against {encounter.second}: {figures}; {encounter.pairs} pairs, {encounter.hands} hands")
    for one in report.engines:
        print(f"    {one.name}: {described(one)}")
    sys.stdout.flush()


def described(one: EngineReport) -> str:
    """What an engine's hands were like."""
    rate = format_estimate(one.calibration.total.made_rate, 1, False, 100)
    words = [f"contracts made {rate} %, bags a hand {format_estimate(one.bags_per_hand, 2, False)}"]
    for name, row in (("nils", one.nils.nil), ("blind nils", one.nils.blind_nil)):
        if row.bid:
            words.append(f"{row.made} of {row.bid} {name} made")
    for name, table in (("made the bid", one.making), ("won the game", one.winning)):
        if table.count:
            bias = format_estimate(table.bias, 1, True, 100)
            words.append(f"{name} more often than predicted by {bias} %, Brier {table.brier:.3f}")
    words.append(f"median {one.time.quantile(0.5)} ms a move")
    return ", ".join(words)


def two(text: str) -> tuple[int, int]:
    """Two whole numbers with a comma between."""
    first, second = text.split(",")
    return int(first), int(second)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches asked for, all ablations if none is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="draft", help="presets, with commas between")
    parser.add_argument("--mode", default="hands", choices=("hands", "games"))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--limit", default="movetime=50", help="for each move of the whole engine")
    parser.add_argument("--their-limit", help="for each move of an engine without a part; as the whole engine's")
    parser.add_argument("--totals", type=two, default=(0, 0))
    parser.add_argument("--bags", type=two, default=(0, 0))
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--without", action="append", default=[], metavar="PARTS")
    parser.add_argument("--against", action="append", default=[], metavar="NAME=LIMIT")
    parser.add_argument("--out", type=Path, default=Path("build/strength"))
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    theirs = options.their_limit or options.limit
    for rules in options.rules.split(","):
        start = "" if options.totals == (0, 0) else f"-{options.totals[0]}-{options.totals[1]}"
        stem = f"{rules}-{options.mode}-{options.limit}{start}".replace("=", "")
        for parts in options.without or ([] if options.against else PARTS):
            name = "no-" + parts.replace("+", "-")
            line = engine(name, theirs, parts.split("+"))
            play(rules, line, options.out / f"{stem}-{name}-{theirs.replace('=', '')}.jsonl", options)
        for text in options.against:
            name, _, limit = text.partition("=")
            play(rules, engine(name, limit), options.out / f"{stem}-{name}.jsonl", options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
