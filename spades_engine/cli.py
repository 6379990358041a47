"""The command `spades-engine`: without arguments, the protocol on standard input and output."""

from __future__ import annotations

import signal
import sys

from spades_engine import __version__
from spades_engine.search.kernels import KernelMissing, load_kernel

USAGE = """usage: spades-engine [--help | --version | bench]

Plays, deals, referees and scores Spades over the line protocol USP on standard input and output.
Type "usp 1", then "help". The protocol is described in SPEC.md.

  bench      search a fixed set of positions, print the node count and the speed
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the program; answers the exit code where it does not become the protocol's process."""
    words = sys.argv[1:] if arguments is None else arguments
    if words:
        if words == ["--version"]:
            print(f"Spades Engine {__version__}")
            return 0
        if words == ["--help"]:
            print(USAGE, end="")
            return 0
        if words == ["bench"]:
            return run_bench()
        print(f"spades-engine: unknown argument {words[0]}\n\n{USAGE}", end="", file=sys.stderr)
        return 2
    ignore_interrupts()
    try:
        load_kernel("compiled")
    except KernelMissing as error:
        print(f"spades-engine: {error}", file=sys.stderr)
        return 1
    from spades_engine.shell.loop import serve  # after the arguments: --version needs none of it

    serve()
    return 0


def ignore_interrupts() -> None:
    """Leave an interrupt to the program at the other end, unless a person sits at the terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_bench() -> int:
    """Print the node count of the fixed set of positions, and the speed."""
    from spades_engine import bench  # loads the whole engine, which nothing else here needs

    result = bench.run(lambda: False)
    print(f"kernel={result.kernel} seconds={result.seconds:.2f} nps={result.nodes / result.seconds:.0f}")
    print(f"nodes={result.nodes}")
    return 0
