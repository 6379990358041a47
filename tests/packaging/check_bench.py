"""Hold the node count of `COMMAND... bench` to the one in tests/bench/signature.txt: check_bench COMMAND..."""

import sys

from tests.packaging.handshake import SIGNATURE, bench_nodes, signature


def main(command: list[str]) -> int:
    """Return 0 if the counts are equal, or if there is none on record yet."""
    expected = signature()
    if expected is None:
        print(f"bench: no {SIGNATURE.name} yet, nothing to compare with")
        return 0
    found = bench_nodes(command)
    if found != expected:
        print(f"bench: {found} nodes, but {SIGNATURE.name} has {expected}.")
        print(
            "If the change was meant to alter what is searched, write the new number there and in the commit message."
        )
        return 1
    print(f"bench: {found} nodes, as on record")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
