"""Fuzz a live process for as long as wanted: `run_fuzz --lines 1000000 --seed 1`.

Half of the lines are commands by the grammar and spoilt ones, half are spoilt bytes. Prints what was sent, what came
back, and memory at the start and at the end; exits with 1 at the first fault, with all that is needed to repeat it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from tests.fuzz.lines import Lines
from tests.fuzz.session import ENGINE, Fault, Session

ROUND = 4000  # lines of each kind between two looks at the memory
WARM = 0.1  # share of the lines after which memory must stay flat
GROWTH = 1.10  # how much more than after the warm-up it may be


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="*", help="engine to fuzz (after --), ours by default")
    options = parser.parse_args(arguments)
    session = Session(options.command or ENGINE)
    source = Lines(options.seed)
    started = time.monotonic()
    base = 0
    peak = 0
    try:
        while session.counts.lines < options.lines:
            share = min(ROUND, max(40, options.lines // 20))
            session.fire_commands(source, share)
            session.fire_bytes(source, share)
            memory = session.memory()
            if session.counts.lines >= WARM * options.lines and not base:
                base = memory
            peak = max(peak, memory)
            print(f"{session.counts.lines} lines, {memory} KiB, {time.monotonic() - started:.0f} s", file=sys.stderr)
        last = session.memory()
        session.close()
    except Fault as fault:
        print(f"seed {options.seed}, after {session.counts.lines} lines: {fault}")
        return 1
    print(f"{session.counts.lines} lines in {time.monotonic() - started:.0f} s, seed {options.seed}, no fault")
    print(f"memory: {base} KiB after the first tenth, {last} KiB at the end, {peak} KiB at most")
    for name, count in sorted(session.counts.replies.items()):
        print(f"  {count:8} {name}")
    if base and last > base * GROWTH:
        print("memory has grown")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
