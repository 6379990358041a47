"""What the kernel costs: python -m tests.bench.bench_kernel [--deals N] [--seed N].

Times are those of the processor, and mean little by themselves; the ratios and the node counts are what to compare.
"""

import argparse
import shlex
import statistics
import subprocess
import sysconfig
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from spades_engine.search import kernel
from spades_engine.search.kernels import load_kernel

MAX_NODES = 50_000_000
WORLDS = 20
"""Worlds of one decision, which share a table."""


@dataclass
class Cost:
    """Nodes and seconds of one or many solutions, and how many were cut short."""

    nodes: int = 0
    seconds: float = 0.0
    cut: int = 0

    def each(self) -> float:
        """Return nanoseconds a node."""
        return 1e9 * self.seconds / max(self.nodes, 1)


def trick_count(tricks: int, rng: Random) -> Sequence[int]:
    """The number of tricks itself."""
    return range(tricks + 1)


def contract(tricks: int, rng: Random) -> Sequence[int]:
    """Points for making a contract exactly, a price for every bag: rises, then falls."""
    bid = rng.randint(tricks // 4, tricks // 2)
    return [10 * bid - 9 * (taken - bid) if taken >= bid else -10 * bid for taken in range(tricks + 1)]


def anything(tricks: int, rng: Random) -> Sequence[int]:
    """No order at all."""
    return [rng.randint(-1000, 1000) for _ in range(tricks + 1)]


PAYOFFS: dict[str, Callable[[int, Random], Sequence[int]]] = {
    "tricks": trick_count,
    "contract": contract,
    "anything": anything,
}


def deal(rng: Random, seats: int, tricks: int) -> list[int]:
    """Return random hands of the whole deck."""
    cards = rng.sample(range(52), seats * tricks)
    return [sum(1 << card for card in cards[seat::seats]) for seat in range(seats)]


def measure(name: str, seats: int, tricks: int, payoff: str, deals: int, seed: int, table_bits: int) -> list[Cost]:
    """Return the cost of every deal, each on a table without knowledge."""
    rng = Random(f"{seed} {seats} {tricks} {payoff}")
    solver = load_kernel(name).Solver(table_bits)
    costs = []
    for _ in range(deals):
        hands = deal(rng, seats, tricks)
        worth = PAYOFFS[payoff](tricks, rng)
        solver.clear()
        started = time.process_time()
        status, _, _, nodes = solver.solve(hands, rng.randrange(seats), payoff=worth, max_nodes=MAX_NODES)
        costs.append(Cost(nodes, time.process_time() - started, int(status != 0)))
    return costs


def every_lead(tricks: int, deals: int, seed: int) -> tuple[Cost, Cost]:
    """Return the cost of one best lead and of the values of all leads, for two hands and an arbitrary payoff."""
    rng = Random(f"{seed} leads")
    solver = load_kernel("compiled").Solver()
    one, every = Cost(), Cost()
    for _ in range(deals):
        hands = deal(rng, 2, tricks)
        worth = anything(tricks, rng)
        for cost, ask in ((one, solver.solve), (every, solver.solve_each)):
            solver.clear()
            started = time.process_time()
            cost.nodes += ask(hands, 0, payoff=worth)[-1]
            cost.seconds += time.process_time() - started
    return one, every


def by_hand(deals: int, seed: int) -> None:
    """Print the time of the compiled kernel against a C program by hand that visits the same nodes, in this run."""
    source = Path(__file__).with_name("two_hand_solver.c")
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    with TemporaryDirectory() as folder:
        program = Path(folder, "solver")
        mixes = [f"-DMIX0={kernel._MIX0}u", f"-DMIX1={kernel._MIX1}u"]
        subprocess.run([*compiler, "-O3", *mixes, str(source), "-o", str(program)], check=True)
        for payoff, is_warm in (("tricks", False), ("anything", False), ("anything", True)):
            rng = Random(f"{seed} by hand {payoff}")
            solver = load_kernel("compiled").Solver(14)
            lines, expected, seconds = [], [], 0.0
            mine: list[int] = []
            worth: Sequence[int] = ()
            for number in range(deals):
                is_new = not is_warm or number % WORLDS == 0
                if is_new:
                    mine, worth = rng.sample(range(52), 13), PAYOFFS[payoff](13, rng)
                    solver.clear()
                if is_warm:  # worlds of one decision: the same hand, the same payoff, other cards opposite
                    others = rng.sample([card for card in range(52) if card not in mine], 13)
                    hands = [sum(1 << card for card in cards) for cards in (mine, others)]
                else:
                    hands = deal(rng, 2, 13)
                leader = rng.randrange(2)
                started = time.process_time()
                _, value, _, nodes = solver.solve(hands, leader, payoff=worth)
                seconds += time.process_time() - started
                expected.append(f"{value} {nodes}")
                lines.append(f"{int(is_new)} {hands[0]} {hands[1]} {leader} {' '.join(map(str, worth))}\n")
            done = subprocess.run([program], input="".join(lines), capture_output=True, text=True, check=True)
            *answers, last = done.stdout.splitlines()
            if answers != expected:
                raise SystemExit("the C program by hand found other values or visited other nodes")
            theirs = float(last.split()[1])
            kind = f"{payoff}, the table kept" if is_warm else payoff
            print(
                f"compiled / C by hand, 2 hands of 13, {kind}: {seconds / theirs:.2f} times the time, same nodes "
                f"({1e3 * seconds / deals:.3f} against {1e3 * theirs / deals:.3f} ms a deal)"
            )


def main() -> None:
    """Print one line for each kind of deal, then the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    deals, seed = arguments.deals, arguments.seed
    print("hands tricks payoff      deals cut  nodes/deal  ms/deal: mean  median   worst  ns/node")
    for seats, tricks, payoff, number, bits in (
        (2, 13, "tricks", deals, 14),
        (2, 13, "contract", deals, 14),
        (2, 13, "anything", deals, 14),
        (4, 5, "tricks", deals, 14),
        (4, 7, "tricks", deals, 14),
        (4, 7, "contract", deals, 14),
        (4, 7, "anything", deals, 14),
        (4, 10, "tricks", max(deals // 5, 1), 18),
    ):
        costs = measure("compiled", seats, tricks, payoff, number, seed, bits)
        total = Cost(sum(cost.nodes for cost in costs), sum(cost.seconds for cost in costs))
        milliseconds = [1e3 * cost.seconds for cost in costs]
        cut = sum(cost.cut for cost in costs)
        mean, median, worst = statistics.mean(milliseconds), statistics.median(milliseconds), max(milliseconds)
        print(
            f"{seats:5} {tricks:6} {payoff:10} {number:6} {cut:3} {total.nodes / number:11.0f}"
            f" {mean:14.3f} {median:7.3f} {worst:7.1f} {total.each():8.1f}"
        )
    for seats, tricks in ((2, 13), (4, 5)):
        few = max(deals // 20, 1)
        fast = measure("compiled", seats, tricks, "tricks", few, seed, 14)
        slow = measure("plain", seats, tricks, "tricks", few, seed, 14)
        if [cost.nodes for cost in fast] != [cost.nodes for cost in slow]:
            raise SystemExit("the kernels visited different nodes")
        ratio = sum(cost.seconds for cost in slow) / sum(cost.seconds for cost in fast)
        worst = 1e3 * max(cost.seconds for cost in slow)
        print(
            f"plain / compiled, {seats} hands of {tricks}: {ratio:.0f} times the time, same nodes; worst {worst:.0f} ms"
        )
    by_hand(deals, seed)
    one, every = every_lead(13, deals, seed)
    print(f"all leads / one lead, 2 hands of 13: {every.seconds / one.seconds:.2f} times the time")


if __name__ == "__main__":
    main()
