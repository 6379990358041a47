"""The smallest useful client: has an engine deal and referee a game, and plays every seat at random.

It needs no library, only a process and its pipes, and can be written like this in any language:

    python smallest_client.py spades-engine
"""

import random
import subprocess
import sys

command = sys.argv[1:] or [sys.executable, "-m", "spades_engine"]
engine = subprocess.Popen(
    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
)


def ask(line: str) -> list[str]:
    """Send a command and return the lines of its answer; the last one starts with `ok`, or the program ends."""
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write(line + "\n")
    lines = [engine.stdout.readline().rstrip("\n")]
    while lines[-1] and lines[-1].split()[0] not in ("ok", "error", "best"):
        lines.append(engine.stdout.readline().rstrip("\n"))
    if not lines[-1].startswith("ok"):
        sys.exit(f"{line}: {lines[-1] or 'the engine has ended'}")
    for text in lines:
        if text.startswith("event "):
            print(text.removeprefix("event "))
    return lines


ask("usp 1")
phase = ask("newgame rules=draft300 hand_cap=5")[-1]
while "phase=over" not in phase:
    if "phase=deal" in phase:
        phase = ask("deal")[-1]
    else:
        actions = [line.removeprefix("legal ") for line in ask("legal")[:-1]]
        phase = ask(random.choice(actions))[-1]
ask("quit")
sys.exit(engine.wait())
