"""Drives an engine process over its pipes, every wait bounded; used by the tests of the process."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tests.protocol.grammar import GrammarFault, validate_command, validate_reply

ENGINE = (sys.executable, "-m", "spades_engine")
FINAL = ("ok", "error", "best")
PATIENCE = 20.0  # seconds for anything; the figures that matter are asserted by the tests themselves


class Driver:
    """One process. `ask` sends a command and answers its lines, the final reply last."""

    def __init__(
        self, command: Sequence[str] = ENGINE, handshake: bool = True, env: dict[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if env is None else {**os.environ, **env},
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.errors: list[bytes] = []
        self.misfits: list[str] = []  # lines that the grammar does not know
        threading.Thread(target=self._read, daemon=True).start()
        self._drain = threading.Thread(target=self._read_errors, daemon=True)
        self._drain.start()
        if handshake:
            self.ask("usp 1")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            text = line.decode("utf-8").removesuffix("\n")
            try:
                validate_reply(text)
            except GrammarFault as fault:
                self.misfits.append(str(fault))
            self.lines.put(text)
        self.lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._drain.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def send(self, *commands: str) -> None:
        """Send lines without waiting."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(command + "\n" for command in commands).encode())
        self.process.stdin.flush()

    def line(self, seconds: float = PATIENCE) -> str | None:
        """The next line, None at the end of the output. Raises queue.Empty."""
        return self.lines.get(timeout=seconds)

    def reply(self) -> list[str]:
        """Lines up to and including the next final reply."""
        lines: list[str] = []
        while True:
            line = self.line()
            assert line is not None, f"the process ended after {lines}: {b''.join(self.errors)!r}"
            lines.append(line)
            words = line.split(" ")
            if words[0].startswith("#"):
                words = words[1:]
            if words[0] in FINAL:
                return lines

    def ask(self, command: str) -> list[str]:
        """Send a command, answer its lines; both directions are held to the grammar."""
        self.send(command)
        lines = self.reply()
        words = lines[-1].split(" ")
        if "error" not in words[:2] and "ignored=" not in lines[-1]:
            validate_command(command)
        assert not self.misfits, self.misfits
        return lines

    def final(self, command: str) -> str:
        """Send a command, answer its final reply."""
        return self.ask(command)[-1]

    def state(self) -> dict[str, Any]:
        """The game as the process sees it."""
        lines = self.ask("state")
        assert lines[0].startswith("state "), lines
        found: dict[str, Any] = json.loads(lines[0].removeprefix("state "))
        return found

    def end(self, seconds: float = PATIENCE) -> tuple[int, bytes]:
        """Wait for the process to end by itself; its exit code and standard error."""
        code = self.process.wait(seconds)
        self._drain.join(seconds)
        return code, b"".join(self.errors)


def action_of(best: str) -> str:
    """The command that plays a `best` line's action."""
    words = best.split(" ")
    if words[0].startswith("#"):
        words = words[1:]
    assert words[0] == "best", best
    return " ".join(word for word in words[1:] if "=" not in word)
