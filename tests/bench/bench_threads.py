"""Worlds a second with several threads against one, in one run: the play of two players, from its first trick on.

    python -m tests.bench.bench_threads [--threads N] [--seconds S] [--rules NAME]

Each position is searched for some seconds with one thread and with more, by turns, so that what else the machine does
falls on both. What is left of a world for one thread alone is Python: drawing it, and counting what came of it.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import geometric_mean

from spades_engine.game import Phase, RuleSet
from spades_engine.search.choose import Search
from spades_engine.search.judges import ExactJudge
from tests.engine.house import hand_states, view_of

TRICKS = (0, 2, 4, 6, 8)


def rate(view: object, threads: int, seconds: float) -> float:
    """Worlds a second."""
    end = time.monotonic() + seconds
    started = time.monotonic()
    search = Search(view, 1, None, lambda: time.monotonic() >= end, threads=threads)  # type: ignore[arg-type]
    worlds = search.run().worlds
    return worlds / (time.monotonic() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rules", default="draft")
    options = parser.parse_args()
    ExactJudge.most_worlds = 1 << 40
    ratios = []
    for trick in TRICKS:
        states = hand_states(RuleSet.preset_named(options.rules), 3)
        view = next(
            view_of(state)
            for state in states
            if state.phase is Phase.PLAY and state.trick_number == trick and len(view_of(state).legal) > 2
        )
        one, more = 0.0, 0.0
        for _ in range(options.rounds):
            one += rate(view, 1, options.seconds)
            more += rate(view, options.threads, options.seconds)
        ratios.append(more / one)
        sys.stdout.write(
            f"trick {trick + 1}: {one / options.rounds:.0f} worlds a second with one thread, "
            f"{more / options.rounds:.0f} with {options.threads}: {more / one:.2f} times\n"
        )
    sys.stdout.write(f"geometric mean: {geometric_mean(ratios):.2f} times\n")


if __name__ == "__main__":
    main()
