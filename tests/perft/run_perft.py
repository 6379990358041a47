"""Counts every position of the files, the heavy depths included: `python tests/perft/run_perft.py [NAME …]`.

Both the engine and the oracle count, and both must agree with the file. The names are the beginnings of names of
positions (`play/`, `bid/duel`); without any, all positions are counted. Ends with 1 if a count differs.
"""

import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # behind everything else: an installed engine comes first

from spades_engine.perft import perft
from tests.game import oracle
from tests.perft.positions import all_positions, engine_state, oracle_hand


def main(names: tuple[str, ...]) -> int:
    """Count, print a line for every count, answer the exit code."""
    wrong = total = 0
    for position in all_positions():
        if not position.name.startswith(names or ""):
            continue
        state, dealer = engine_state(position)
        hand = oracle_hand(position)
        for count in position.counts:
            started = time.perf_counter()
            by_engine = perft(state, dealer, count.depth)
            between = time.perf_counter()
            by_oracle = oracle.perft(hand, count.depth)
            ended = time.perf_counter()
            agreed = by_engine == by_oracle == count.sequences
            wrong += not agreed
            total += 1
            remark = "" if agreed else f"  DIFFERS: engine {by_engine}, oracle {by_oracle}"
            print(
                f"{position.name:40} depth {count.depth:2} {count.sequences:10}"
                f"  engine {between - started:6.2f} s, oracle {ended - between:6.2f} s{remark}",
                flush=True,
            )
    print(f"{total} counts, {wrong} wrong")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
