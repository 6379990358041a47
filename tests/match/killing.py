"""Matches that are killed at random moments and gone on with, as a user's would be: by the command line."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.match.playing import TESTS

BOT = f"{sys.executable} {TESTS / 'match' / 'instant_bot.py'}"


def command(path: Path, *words: str) -> list[str]:
    """Return the command line that plays, or goes on with, a match of two bots into a file."""
    engines = [f"name=A cmd='{BOT}'", f"name=B cmd='{BOT} --style=1'"]
    named = [word for engine in engines for word in ("--engine", engine)]
    return [sys.executable, "-m", "spades_match", "run", *named, "--out", str(path), "--resume", "--quiet", *words]


def unbroken(path: Path, words: Sequence[str]) -> bytes:
    """Play the match in one go and return its file."""
    subprocess.run(command(path, *words), check=True, timeout=300)
    return path.read_bytes()


def pairs_in(path: Path) -> int:
    """Count the pairs in a file, half a line not counted."""
    return path.read_bytes().count(b"\n") - 1 if path.exists() else -1


def killed_and_resumed(path: Path, words: Sequence[str], kills: int, longest: float, seed: int) -> tuple[bytes, int]:
    """Kill the match so many times, let it come to its end, and return its file, and how many kills met a match that
    had played some pairs and had some to play.

    Every fourth kill comes within `longest` seconds of the start, which may be before anything is played; the others
    come within as long of the first pair played.
    """
    rng = random.Random(seed)
    played = []
    for number in range(kills):
        before = max(pairs_in(path), 0)
        with subprocess.Popen(command(path, *words)) as runner:
            while number % 4 and runner.poll() is None and pairs_in(path) <= before:
                time.sleep(0.002)
            time.sleep(rng.uniform(0.0, longest))
            was_running = runner.poll() is None
            runner.send_signal(signal.SIGKILL)
        after = pairs_in(path)
        if was_running and after > before:
            played.append(after)
    subprocess.run(command(path, *words), check=True, timeout=300)
    return path.read_bytes(), sum(pairs < pairs_in(path) for pairs in played)
