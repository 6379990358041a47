"""Simulates matches with a known truth: `python tests/match/run_simulation.py [--trials N] [--pairs N] [--seed S]`.

Prints the coverage of every 95% interval, the calibration of the likelihood of superiority, and error rates and lengths
of the sequential test, and ends with 1 if an interval covers less than 94% or more than 96% or a test errs too often,
beyond what chance explains.
"""

import argparse
import math
import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parents[2]))  # behind everything else: an installed package comes first

from spades_match.statistics import SprtDesign, acceptance_probability, expected_units
from tests.match.simulation import (
    bid_coverages,
    game_coverages,
    hand_coverages,
    pentanomial_runs,
    points_runs,
    superiority_claims,
    trinomial_runs,
)

CERTAIN = 4.0  # standard errors


def main() -> int:
    """Run, print the figures, answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--trials",
        type=int,
        default=20_000,
        help="matches of whole games; a quarter as many of hands (default %(default)s)",
    )
    parser.add_argument("--pairs", type=int, default=200, help="pairs in a match (default %(default)s)")
    parser.add_argument("--tests", type=int, help="sequential tests at each strength (default: a tenth of the matches)")
    parser.add_argument("--seed", default="statistics", help="seed (default %(default)s)")
    options = parser.parse_args()
    random = Random(options.seed)
    bad = 0

    def judge(line: str, is_bad: bool) -> None:
        nonlocal bad
        bad += is_bad
        print(f"{line}{'  <-- outside' if is_bad else ''}", flush=True)

    print("coverage of 95% intervals, number of matches")
    for make in (game_coverages, hand_coverages, bid_coverages):
        trials = options.trials if make is game_coverages else max(options.trials // 4, 4)  # slower, hand by hand
        for row in make(random, trials, options.pairs):
            slack = CERTAIN * math.sqrt(0.05 * 0.95 / row.trials)
            judge(f"  {row.rate:7.2%}  {row.trials:6}  {row.name}", not 0.94 - slack <= row.rate <= 0.96 + slack)

    for of_points in (False, True):
        print(f"likelihood of superiority, {'points' if of_points else 'games'}: claimed, true, matches")
        for claims in superiority_claims(random, options.trials, options.pairs // 4, of_points):
            line = f"  {claims.claimed / claims.count:7.2%}  {claims.true / claims.count:7.2%}  {claims.count}"
            judge(line, abs(claims.deviation) > CERTAIN)

    tests = options.tests or max(options.trials // 10, 1)
    design = SprtDesign(0.0, 40.0)
    print(f"sequential test of {design.nelo0:g} against {design.nelo1:g}, {tests} each: H1 accepted, theory; length")
    for run in (pentanomial_runs, trinomial_runs, points_runs):
        games = 1 if run is trinomial_runs else 2
        for nelo in (-20.0, 0.0, 20.0, 40.0, 60.0):
            runs = run(random, tests, design, nelo)
            theory = acceptance_probability(design, nelo, games)
            length = expected_units(design, nelo, games)
            slack = CERTAIN * math.sqrt(0.05 * 0.95 / tests)
            wrong = runs.rate if nelo <= design.nelo0 else 1.0 - runs.rate if nelo >= design.nelo1 else 0.0
            line = f"  {runs.rate:7.2%}  {theory:7.2%}  {runs.mean_units:7.1f}  {length:7.1f}  {runs.name}"
            judge(line, wrong > 0.05 + slack)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
