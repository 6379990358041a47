"""Random endings without end: python -m tests.search.run_kernel_fuzz [--seconds S | --positions N] [--seed N].

Every position is answered by brute force, by a new solver and by solvers whose tables have seen all before it, and
by both kernels if both are there, which must agree in nodes too.
"""

import argparse
import time
from random import Random

from spades_engine.search.kernels import KERNELS, load_kernel
from tests.search.positions import check_position, random_position
from tests.search.test_kernel_brute import TABLE_BITS


def main() -> None:
    """Run until the time is over; print how many positions agreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--positions", type=int, help="so many of two hands and of four, however long it takes")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--kernel", choices=KERNELS, default="compiled")
    parser.add_argument("--tricks", type=int, nargs=2, default=(6, 4), help="at most, for two hands and for four")
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    make = load_kernel(arguments.kernel).Solver
    twin = load_kernel("plain").Solver
    used = [make(bits) for bits in TABLE_BITS]
    counts = {2: 0, 4: 0}
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end if arguments.positions is None else min(counts.values()) < arguments.positions:
        seats = rng.choice((2, 4))
        position = random_position(rng, seats, rng.randint(1, arguments.tricks[seats == 4]))
        check_position(position, [make(2), *used])
        assert make(2).solve(**position.arguments()) == twin(2).solve(**position.arguments()), position
        counts[seats] += 1
    print(f"{counts[2]} positions of two hands and {counts[4]} of four agree")


if __name__ == "__main__":
    main()
