"""How late answers are: `go movetime=…` at 0, 1, 5 and 50 ms in positions of all phases, with every core kept busy.

    python -m tests.bench.bench_clocks [--moves N] [--rules LIST] [--idle] [--set OPTION=VALUE]...

Late is what an answer takes beyond its time, from the question written to the line read; one that comes before its time
is not late. Beside the engine, turn by turn, a bare program is asked that sleeps for as long and answers: what it is
late by is the machine's. With `--idle` nothing else runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

from spades_engine.game import RuleSet, format_event
from tests.bench.bench_protocol import ENGINE, Pipe
from tests.engine.house import hand_states, random_scores

TIMES = (0, 1, 5, 50)
LATE = 5.0
"""Milliseconds that an answer may be late by; 99 of 100 should be within it."""
SPIN = "while True: pass"
SLEEPER = """
import os, time
while d := os.read(0, 65536):
    time.sleep(int(d) / 1000)
    os.write(1, b"ok\\n")
"""


def positions(presets: list[str], rng: Random) -> Iterator[str]:
    """Endless `position` commands, a few decisions of each hand."""
    while True:
        rules = RuleSet.preset_named(rng.choice(presets))
        totals, bags = random_scores(rules, rng)
        states = list(hand_states(rules, rng.randrange(10**6), totals=totals, bags=bags))[:-1]
        for state in rng.sample(states, min(4, len(states))):
            sides = [rules.format_side(side) for side in rules.sides]
            score = "".join(
                f" total.{side}={total} bags.{side}={count}"
                for side, total, count in zip(sides, totals, bags, strict=True)
            )
            assert state.first is not None
            words = [f"newgame rules={rules.preset} dealer=host view=all first={state.first.name}{score}"]
            words += [format_event(event, rules) for event in state.history]
            yield "position " + " ; ".join(words)


def asked(pipe: Pipe, text: str) -> float:
    """Milliseconds from a question to the end of its answer."""
    started = time.perf_counter()
    pipe.send(text)
    while not pipe.line().startswith(("ok", "best")):
        pass
    return (time.perf_counter() - started) * 1000


def described(late: list[float]) -> str:
    """Shares and quantiles."""
    late.sort()
    within = sum(value <= LATE for value in late) / len(late)
    quantiles = [late[min(int(len(late) * share), len(late) - 1)] for share in (0.5, 0.99)]
    shares = f"{100 * within:5.1f} % within {LATE:g} ms"
    return f"{shares}, median {quantiles[0]:6.2f}, 99 % {quantiles[1]:6.2f}, most {late[-1]:6.2f}"


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=1000, help="moves at each time")
    parser.add_argument("--rules", default="draft,draft300,duel")
    parser.add_argument("--idle", action="store_true", help="keep no core busy")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    options = parser.parse_args()
    rng = Random(1)
    found = positions(options.rules.split(","), rng)
    spinners = [
        subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(0 if options.idle else os.cpu_count() or 1)
    ]
    engine, bare = Pipe(ENGINE), Pipe([sys.executable, "-c", SLEEPER])
    try:
        asked(engine, "usp 1\n")
        asked(engine, f"set chatter=no {' '.join(options.set)}\n")
        for milliseconds in TIMES:
            late: dict[str, list[float]] = {"engine": [], "bare": []}
            for _ in range(options.moves):
                asked(engine, next(found) + "\n")
                late["engine"].append(max(0.0, asked(engine, f"go movetime={milliseconds}\n") - milliseconds))
                late["bare"].append(max(0.0, asked(bare, f"{milliseconds}\n") - milliseconds))
            for name, values in late.items():
                sys.stdout.write(f"movetime {milliseconds:2}, {name:6}: {described(values)}\n")
            sys.stdout.flush()
    finally:
        for process in (*spinners, engine.process, bare.process):
            process.kill()


if __name__ == "__main__":
    main()
