"""Compare the house player's choices on positions that differ only in cards its seat cannot see.

    python -m tests.engine.run_hidden_cards [POSITIONS] [NODES] [SEED]

Ends with an assertion at the first choice that differs. Without arguments: 2,000 positions of all phases and presets.
"""

import sys

from tests.engine.test_house_hidden import NODES, compare


def main() -> None:
    """Run and report."""
    values = [int(text) for text in sys.argv[1:]]
    positions, nodes, seed = (*values, *(2000, NODES, 1)[len(values) :])
    phases, differing = compare(positions, seed, nodes)
    told = ", ".join(f"{phase} {number}" for phase, number in phases.items())
    print(f"{positions} positions ({told}), {differing} with other cards elsewhere: every choice the same")


if __name__ == "__main__":
    main()
