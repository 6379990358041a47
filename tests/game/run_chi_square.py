"""Tests the dealer's shuffle on many deals: `python tests/game/run_chi_square.py [--deals N] [--seed S] [--jobs J]`.

Prints a chi-square statistic and its probability for each way of looking at the deals, and ends with 1 if one of
them is less likely than one in a million, in either direction.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))  # behind everything else: an installed engine comes first

from spades_engine.game import Dealer, RuleSet, SeedStream
from tests.game.chi_square import Counts, count_deals, fits

DEALS_PER_SEED = 5000
SUSPICIOUS = 1e-6


def shuffle(seed: str, number: int) -> Sequence[int]:
    """The deck of a hand as the dealer shuffles it."""
    return Dealer(RuleSet.preset_named("draft"), lambda name: SeedStream(seed, name)).deck(number)


def count_seed(seed: str, deals: int) -> Counts:
    """Count the first hands of one seed."""
    return count_deals(shuffle, seed, 1, deals)


def main() -> int:
    """Run, print the statistics, answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1_000_000, help="how many deals (default %(default)s)")
    parser.add_argument("--seed", default="chi", help="what the seeds begin with (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2), help="processes (default %(default)s)")
    options = parser.parse_args()
    sizes = [min(DEALS_PER_SEED, options.deals - done) for done in range(0, options.deals, DEALS_PER_SEED)]
    seeds = [f"{options.seed}.{i}" for i in range(len(sizes))]
    total = Counts()
    with ProcessPoolExecutor(options.jobs) as pool:
        for counts in pool.map(count_seed, seeds, sizes):
            total.add_counts(counts)
            if total.deals % (20 * DEALS_PER_SEED) == 0:
                print(f"{total.deals} deals", file=sys.stderr, flush=True)
    print(f"{total.deals} deals, seeds {seeds[0]} to {seeds[-1]}")
    results = fits(total)
    for fit in results:
        print(fit)
    return 1 if any(min(fit.p_value, fit.p_too_good) < SUSPICIOUS for fit in results) else 0


if __name__ == "__main__":
    sys.exit(main())
