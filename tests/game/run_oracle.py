"""Plays many random games against the oracle: `python tests/game/run_oracle.py [--hands N] [--seed S] [--game G]`.

Ends with 0 if the engine agreed with the oracle at every step and the games met everything that `oracle_coverage` asks
for. At the first disagreement, or where the engine fails, it prints the rules, the decks and the actions that lead
there and ends with 1. With the same seed the same games come again; `--game` plays one of them alone.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).resolve().parents[2]))  # behind everything else: an installed engine comes first

from tests.game.oracle_check import Disagreement, Trial
from tests.game.oracle_choices import random_setup
from tests.game.oracle_coverage import REQUIRED

HANDS_PER_GAME = 8


def main() -> int:
    """Run, print the counts, answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20000, help="play at least so many hands (default %(default)s)")
    parser.add_argument("--seed", default="1", help="of the rules, decks and choices (default %(default)s)")
    parser.add_argument("--game", type=int, help="play only this game, as numbered where it went wrong")
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    hands = games = 0
    while hands < options.hands:
        game = games if options.game is None else options.game
        rng = Random(f"{options.seed}/{game}")  # each game has its own stream and can be played alone
        trial = Trial(random_setup(rng), rng, seen, HANDS_PER_GAME)
        try:
            hands += trial.run()
        except Disagreement as disagreement:
            print(f"--seed {options.seed} --game {game}: {disagreement}")
            return 1
        except Exception:
            print(f"--seed {options.seed} --game {game}: the engine failed\n{trial.story()}", flush=True)
            raise
        games += 1
        if options.game is not None:
            print(f"{hands} hands of game {game}: no disagreement")
            return 0
        if games % 100 == 0:
            print(f"{hands} hands of {games} games", file=sys.stderr, flush=True)
    for what in REQUIRED:
        print(f"{seen[what]:8d}  {what}")
    missing = [what for what in REQUIRED if not seen[what]]
    print(f"{hands} hands of {games} games: no disagreement")
    if missing:
        print(f"never met: {', '.join(missing)}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
