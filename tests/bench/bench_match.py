"""What the match runner costs: own CPU a decision beside the rules alone and a bare pipe, hands a second at
concurrency 1 and 2, the share of the time spent outside engines that think, and memory over many pairs.

    bench_match [--pairs N] [--memory PAIRS]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from spades_engine.game import PRESETS, Dealer, Phase, RuleSet, advance, deal, legal_actions, new_game, seed_streams
from spades_match.engines import parse_engine
from spades_match.pairs import Worker, close_workers, play_pair
from spades_match.plan import Plan
from spades_match.run import run_match
from spades_match.schedule import jobs

BOT = f"{sys.executable} {Path(__file__).resolve().parents[1] / 'match' / 'instant_bot.py'}"
ECHO = "import os\nwhile d := os.read(0, 65536): os.write(1, b'ok\\n' * d.count(b'\\n'))"


def plan_of(rules: str, pairs: int, think: int = 0) -> Plan:
    """Return a match of two bots that answer at once, or after some milliseconds."""
    engines = tuple(parse_engine(f"name={name} cmd='{BOT} --style={name} --ms={think}'") for name in ("A", "B"))
    return Plan(engines, rules, pairs=pairs)


def pipe_alone(count: int) -> float:
    """CPU seconds of one bare question and answer through a pipe."""
    with subprocess.Popen(
        (sys.executable, "-c", ECHO), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as echo:
        assert echo.stdin is not None
        assert echo.stdout is not None
        into, out = echo.stdin.fileno(), echo.stdout.fileno()
        started = time.process_time()
        for _ in range(count):
            os.write(into, b"ping\n")
            os.read(out, 64)
        seconds = time.process_time() - started
        echo.stdin.close()
    return seconds / count


def rules_alone(rules: str, hands: int) -> float:
    """CPU seconds a decision of random hands inside the rules, legal actions not counted."""
    rng, ruleset = random.Random(rules), RuleSet.preset_named(rules)
    spent, decisions = 0.0, 0
    for number in range(hands):
        dealer = Dealer(ruleset, seed_streams(str(number)))
        state, _ = deal(dealer, new_game(ruleset, dealer.first_seat()))
        while state.phase is not Phase.DEAL:
            action = rng.choice(legal_actions(state))
            started = time.process_time()
            state, _ = advance(dealer, state, action)
            spent += time.process_time() - started
            decisions += 1
    return spent / decisions


def own_cpu(rules: str, pairs: int, repeats: int = 5) -> float:
    """CPU seconds of this process a decision, engines already running: the median of some runs."""
    plan, worker = plan_of(rules, pairs), Worker()
    figures = []
    try:
        todo = list(jobs(2, plan.schedule, plan.pairs, plan.seed))
        worker.play(plan, todo[0])
        for _ in range(repeats):
            started, decisions = time.process_time(), 0
            for job in todo:
                decisions += worker.play(plan, job).decisions
            figures.append((time.process_time() - started) / decisions)
    finally:
        worker.close()
    return statistics.median(figures)


def bench_overhead(pairs: int) -> None:
    """Own CPU a decision, by preset."""
    pipe = pipe_alone(5000)
    print(f"a bare question and answer through a pipe: {pipe * 1e6:.1f} us of CPU")
    for rules in PRESETS:
        own, alone = own_cpu(rules, pairs), rules_alone(rules, 20)
        print(
            f"{rules}: own CPU {own * 1e6:.0f} us a decision (aim: under 150); rules alone {alone * 1e6:.0f} us,"
            f" ratio {own / alone:.1f}; {own / pipe:.0f} bare questions"
        )


def timed(work: Callable[[Path], object]) -> tuple[float, float]:
    """Wall and CPU seconds of this process for some work with a results file."""
    with tempfile.TemporaryDirectory() as name:
        wall, cpu = time.monotonic(), time.process_time()
        work(Path(name) / "m.jsonl")
        return time.monotonic() - wall, time.process_time() - cpu


def bench_throughput(pairs: int) -> None:
    """Hands a second with engines that answer at once, at concurrency 1 and 2; starting the engines included."""
    for rules in ("draft", "partners"):
        plan = plan_of(rules, pairs)
        for concurrency in (1, 2):
            wall, cpu = timed(lambda path, p=plan, c=concurrency: run_match(p, path, concurrency=c, is_quiet=True))  # type: ignore[misc]
            print(
                f"{rules}, concurrency {concurrency}: {2 * pairs / wall:.1f} hands a second, own CPU {cpu / wall:.0%}"
            )


def bench_thinking(pairs: int) -> None:
    """The share of the time outside engines that think 10 ms a decision: wall time less what they themselves took."""
    plan, worker = plan_of("draft", pairs, think=10), Worker()
    try:
        todo = list(jobs(2, plan.schedule, plan.pairs, plan.seed))
        worker.play(plan, todo[0])
        wall, cpu, inside, decisions = time.monotonic(), time.process_time(), 0.0, 0
        for job in todo:
            result = worker.play(plan, job)
            decisions += result.decisions
            boards = json.loads(result.timing)["boards"]
            inside += sum(sum(times) for board in boards for times in board["times"].values()) / 1000
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    finally:
        worker.close()
    print(
        f"engines that think 10 ms: {decisions} decisions, {1 - inside / wall:.2%} of the wall time outside the engines"
        f" (aim: under 5%), own CPU {cpu / wall:.2%}"
    )


def bench_memory(pairs: int) -> None:
    """Resident memory of the runner as pairs go by; one-trick games would not do, so these are hands of `duel`."""
    plan = plan_of("duel", pairs)
    step = max(1, pairs // 5)
    for job in jobs(2, plan.schedule, plan.pairs, plan.seed):
        play_pair(plan, job)
        if job.number % step == step // 5 or job.number == pairs - 1:
            with open("/proc/self/statm", encoding="ascii") as statm:
                resident = int(statm.read().split()[1]) * resource.getpagesize() // 1024
            print(f"after {job.number + 1} pairs: {resident} KiB resident")
    close_workers()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=20, help="pairs for each figure (default 20)")
    parser.add_argument("--memory", type=int, default=500, help="pairs of the memory figure (default 500)")
    options = parser.parse_args(arguments)
    bench_overhead(options.pairs)
    bench_throughput(options.pairs)
    bench_thinking(max(1, options.pairs // 4))
    bench_memory(options.memory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
