"""An engine that knows a conversation by heart: `parrot.py FILE` says its half, `parrot.py FILE -- COMMAND` learns it.

The file has a line of the host's after `> `, of the engine's after `< `, and remarks after `;`. Anything else that the
host says ends the program with code 3.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def speak(path: Path) -> int:
    """Say what follows on each line of the host's."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:2] in ("> ", "< ")]
    at = 0
    for heard in sys.stdin:
        if at >= len(lines) or lines[at] != f"> {heard.rstrip()}":
            sys.stderr.write(f"heard {heard.rstrip()!r}, expected {lines[at : at + 1]}\n")
            return 3
        at += 1
        while at < len(lines) and lines[at].startswith("< "):
            sys.stdout.write(f"{lines[at][2:]}\n")
            sys.stdout.flush()
            at += 1
    return 0


def learn(path: Path, command: list[str]) -> int:
    """Pass everything on to an engine that answers each line by one or more up to a final reply, and write it down."""
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine,
        path.open("a", encoding="utf-8") as out,
    ):
        assert engine.stdin is not None
        assert engine.stdout is not None
        for heard in sys.stdin:
            out.write(f"> {heard}")
            engine.stdin.write(heard)
            engine.stdin.flush()
            for line in engine.stdout:
                out.write(f"< {line}")
                sys.stdout.write(line)
                sys.stdout.flush()
                if line.split()[0] in ("ok", "best", "error"):
                    break
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(speak(Path(sys.argv[1])) if len(sys.argv) == 2 else learn(Path(sys.argv[1]), sys.argv[3:]))
