"""The examples in Node.js and C play whole games, read replies as SPEC.md asks, and bound every wait."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.client.driving import BARE_PYTHON, REAL, ROOT

EXAMPLES = ROOT / "clients/examples"
QUICK = ("--options", "target=60 hand_cap=2 seed=3", "--movetime", "10")
LIMIT = 120.0  # seconds for anything on a busy machine
SILENCE = 60  # seconds; a client that has not ended well before the engine has not bounded its wait
SILENT = [*BARE_PYTHON, "-c", f"import time; time.sleep({SILENCE})"]
ENDING = [*BARE_PYTHON, "-c", ""]

# Stands between a client and an engine and changes nothing that a reader may depend on: other lines come in between,
# pairs come in the opposite order, and some of them are new.
STRANGE = r"""
import subprocess, sys
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for command in sys.stdin:
    print(command, end="", file=engine.stdin, flush=True)
    first = ""
    while first not in ("ok", "best"):
        id, first, *words = engine.stdout.readline().rstrip("\n").split(" ")
        if first in ("ok", "best") or words[0] in ("score", "end"):
            pairs = [word for word in words if "=" in word]
            words = [word for word in words if "=" not in word]
            words += ["new=", 'newer="turn=Q, \\"phase=over\\" "', *pairs[::-1]]
        print("ok phase=over")
        print("#0 ok phase=over")
        print(id, "novelty ok phase=over turn=Q")
        print(id, first, *words, flush=True)
"""


@pytest.fixture(scope="module", params=["node", "c"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the client in one language; the one in C has just been compiled, without a warning."""
    if request.param == "node":
        node = shutil.which("node")
        return [node, str(EXAMPLES / "node/play.js")] if node else pytest.skip("there is no node")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path_factory.mktemp("c") / "play"
    flags = ["-Wall", "-Wextra", "-Werror", "-std=c11", "-o", str(program)]
    subprocess.run([compiler, *flags, str(EXAMPLES / "c/play.c")], check=True, timeout=LIMIT)
    return [str(program)]


def run(client: list[str], *words: str, limit: float = LIMIT) -> subprocess.CompletedProcess[str]:
    """Run a client to its end."""
    return subprocess.run([*client, *words], capture_output=True, text=True, timeout=limit, check=False, cwd=ROOT)


def assert_is_whole_game(done: subprocess.CompletedProcess[str], seats: str) -> None:
    """Check that bids, tricks, totals and result of a game were printed, and nothing else."""
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    hands = [line for line in lines if line.startswith("hand ")]
    assert hands == [f"hand {n + 1}" for n in range(len(hands))]
    assert len(hands) in (1, 2)
    tricks = [line for line in lines if line.endswith(" wins")]
    assert len(tricks) == 13 * len(hands)
    assert all(sorted(card.split()[0] for card in line.split(":")[0].split(", ")) == sorted(seats) for line in tricks)
    assert sum(" bids " in line for line in lines) == len(seats) * len(hands)
    assert sum(line.startswith("  totals: ") for line in lines) == len(hands)
    assert lines[-1].startswith("winner: ")
    assert len(lines) == (1 + len(seats) + 13 + 1) * len(hands) + 1


@pytest.mark.parametrize(("rules", "seats"), [("draft", "SN"), ("partners", "NESW")])
def test_it_plays_a_whole_game(client: list[str], rules: str, seats: str) -> None:
    """A game against the engine is played to its end, with two seats and with four, without a word refused."""
    assert_is_whole_game(run(client, "--rules", rules, *QUICK, *REAL), seats)


def test_it_reads_replies_as_section_11_says(client: list[str]) -> None:
    """Lines with another id or none, unknown lines, new pairs and any order of pairs make no difference to a game."""
    strange = [*BARE_PYTHON, "-c", STRANGE, *REAL]
    assert_is_whole_game(run(client, "--rules", "duel", *QUICK, *strange), "SN")


def test_it_tells_what_was_refused(client: list[str]) -> None:
    """An error ends the client with exit code 1 and with the command and the engine's own words."""
    done = run(client, "--rules", "drafty", *REAL)
    assert (done.returncode, done.stdout) == (1, "")
    assert '"newgame rules=drafty ' in done.stderr
    assert "error bad-argument " in done.stderr
    assert "suggest=draft" in done.stderr


def test_a_silent_engine_does_not_hold_it(client: list[str]) -> None:
    """An engine that never answers ends the client with exit code 1, long before the engine would have ended."""
    done = run(client, "--timeout", "1", *SILENT, limit=SILENCE / 2)
    assert (done.returncode, done.stdout) == (1, "")
    assert "in time" in done.stderr


def test_an_engine_that_ends_does_not_hold_it(client: list[str]) -> None:
    """An engine that ends at once, or does not exist, ends the client with exit code 1."""
    for command in (ENDING, ["no-such-engine-anywhere"]):
        done = run(client, *command, limit=SILENCE / 2)
        assert (done.returncode, done.stdout) == (1, "")
        assert "the engine has ended" in done.stderr
