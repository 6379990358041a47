"""What a message costs: start, ping, commands and games per second, memory. Figures of one run, with ratios to a bare
interpreter or to the rules alone, since machines differ: `bench_protocol [--quick] [-- COMMAND]`.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from spades_engine.game import (
    PRESETS,
    Dealer,
    Phase,
    RuleSet,
    advance,
    deal,
    legal_actions,
    new_game,
    seed_streams,
)

ENGINE = (sys.executable, "-m", "spades_engine")
POSITION = "position newgame rules=duel seed=1 first=S ; deal ; bid 3 ; bid 4"
ECHO = """
import os
while d := os.read(0, 65536):
    os.write(1, b"ok\\n" * d.count(b"\\n"))
"""


class Pipe:
    """A process spoken to with as little around it as can be."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.out = self.process.stdin.fileno()
        self.into = self.process.stdout.fileno()
        self.held = b""

    def send(self, text: str) -> None:
        """Send lines."""
        os.write(self.out, text.encode())

    def line(self) -> str:
        """The next line."""
        while b"\n" not in self.held:
            data = os.read(self.into, 65536)
            if not data:
                raise EOFError
            self.held += data
        line, self.held = self.held.split(b"\n", 1)
        return line.decode()

    def ask(self, text: str) -> list[str]:
        """Send a command, answer its lines."""
        self.send(text + "\n")
        lines = []
        while True:
            lines.append(self.line())
            if lines[-1].split(" ")[0] in ("ok", "error", "best"):
                return lines

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


def milliseconds(values: list[float]) -> str:
    """Median and 99th percentile of seconds, as text."""
    ordered = sorted(values)
    return f"median {statistics.median(ordered) * 1000:.3f} ms, p99 {ordered[int(len(ordered) * 0.99)] * 1000:.3f} ms"


def bench_start(command: Sequence[str], runs: int) -> None:
    """Process start to the final reply of the handshake, beside an interpreter that only starts."""
    ours, bare = [], []
    for _ in range(runs):
        started = time.perf_counter()
        pipe = Pipe(command)
        pipe.ask("usp 1")
        ours.append(time.perf_counter() - started)
        pipe.close()
        started = time.perf_counter()
        pipe = Pipe((sys.executable, "-c", ECHO))
        pipe.ask("x")
        bare.append(time.perf_counter() - started)
        pipe.close()
    ratio = statistics.median(ours) / statistics.median(bare)
    print(f"start to handshake: {milliseconds(ours)}; bare interpreter {milliseconds(bare)}; ratio {ratio:.2f}")


def round_trips(pipe: Pipe, count: int, gap: float = 0.0) -> list[float]:
    """Seconds of single pings; lines of a search in between are passed over."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        pipe.send("#p ping\n")
        while pipe.line() != "#p ok":
            pass
        times.append(time.perf_counter() - started)
        if gap:
            time.sleep(gap)
    return times


def bench_ping(command: Sequence[str], count: int) -> None:
    """Ping idle, while one search thinks, and while thinking with every core busy beside it; a bare echo for scale."""
    pipe, echo = Pipe(command), Pipe((sys.executable, "-c", ECHO))
    pipe.ask("usp 1")
    idle = round_trips(pipe, count)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        echo.ask("x")
        times.append(time.perf_counter() - started)
    ratio = statistics.median(idle) / statistics.median(times)
    print(f"ping idle: {milliseconds(idle)}; bare echo {milliseconds(times)}; ratio {ratio:.2f}")
    pipe.ask(POSITION)
    pipe.send("go infinite\n")
    print(f"ping while thinking: {milliseconds(round_trips(pipe, count // 4, 0.002))}")
    burners = [subprocess.Popen((sys.executable, "-c", "while True: pass")) for _ in range(os.cpu_count() or 1)]
    print(f"ping while thinking, all cores busy: {milliseconds(round_trips(pipe, count // 10, 0.005))}")
    for burner in burners:
        burner.kill()
        burner.wait()
    pipe.send("stop\n")
    pipe.close()
    echo.close()


def bench_throughput(command: Sequence[str], count: int) -> None:
    """Commands per second when the client doesn't wait for each: pings, and `state` of a game."""
    pipe = Pipe(command)
    pipe.ask("usp 1")
    pipe.ask(POSITION)
    for name, number in (("ping", count), ("legal", count // 10), ("state", count // 20)):
        started = time.perf_counter()
        if os.fork() == 0:  # a writer of its own, or both sides would wait for each other
            for _ in range(number // 100):
                pipe.send(f"{name}\n" * 100)
            os._exit(0)
        finals = 0
        while finals < number // 100 * 100:
            finals += pipe.line().startswith("ok")
        seconds = time.perf_counter() - started
        os.wait()
        print(f"{name} through the pipe: {finals / seconds:,.0f} a second")
    pipe.close()


def rules_alone(preset: str, games: int) -> tuple[float, int, int]:
    """Seconds, decisions and hands of random games inside the rules."""
    rng = random.Random(preset)
    rules = RuleSet.preset_named(preset).with_options({"hand_cap": "8"})
    decisions = hands = 0
    started = time.perf_counter()
    for number in range(games):
        dealer = Dealer(rules, seed_streams(str(number)))
        state = new_game(rules, dealer.first_seat())
        while state.phase is not Phase.OVER:
            if state.phase is Phase.DEAL:
                state, _ = deal(dealer, state)
                hands += 1
            else:
                state, _ = advance(dealer, state, rng.choice(legal_actions(state)))
                decisions += 1
    return time.perf_counter() - started, decisions, hands


def through_protocol(command: Sequence[str], preset: str, games: int) -> tuple[float, int, int, int]:
    """Seconds, decisions, hands, and peak memory in KiB of random games over the protocol, `legal` asked for each."""
    rng = random.Random(preset)
    pipe = Pipe(command)
    pipe.ask("usp 1")
    decisions = hands = 0
    started = time.perf_counter()
    for number in range(games):
        pipe.ask(f"newgame rules={preset} seed={number} hand_cap=8")
        reply = pipe.ask("deal")[-1]
        hands += 1
        while "phase=over" not in reply:
            if "phase=deal" in reply:
                reply = pipe.ask("deal")[-1]
                hands += 1
                continue
            legal = pipe.ask("legal")[:-1]
            reply = pipe.ask(rng.choice(legal).removeprefix("legal "))[-1]
            decisions += 1
    seconds = time.perf_counter() - started
    with open(f"/proc/{pipe.process.pid}/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    pipe.close()
    return seconds, decisions, hands, peak


def bench_games(command: Sequence[str], games: int) -> None:
    """Whole games of random actions, at most eight hands each."""
    for preset in PRESETS:
        alone, decisions, hands = rules_alone(preset, games)
        seconds, decisions2, hands2, peak = through_protocol(command, preset, max(1, games // 4))
        rate, rate2 = decisions / alone, decisions2 / seconds
        print(
            f"{preset}: rules alone {games / alone:.1f} games ({hands / alone:.0f} hands, {rate:,.0f} decisions) a s;"
            f" over the protocol {max(1, games // 4) / seconds:.1f} games ({hands2 / seconds:.0f} hands,"
            f" {rate2:,.0f} decisions) a s; ratio {rate / rate2:.1f}; peak {peak} KiB"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    parser.add_argument("command", nargs="*", help="engine to measure (after --), ours by default")
    options = parser.parse_args(arguments)
    command = options.command or ENGINE
    part = 10 if options.quick else 1
    bench_start(command, 30 // part)
    bench_ping(command, 4000 // part)
    bench_throughput(command, 40_000 // part)
    bench_games(command, 40 // part)
    print(f"peak memory of this script: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
