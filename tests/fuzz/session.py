"""A live process under fire: one final reply per command, the state unchanged by errors, nothing on standard error."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.lines import Lines, is_answered, is_ours_to_send

ENGINE = (sys.executable, "-m", "spades_engine")
BATCH = 12  # commands between two synchronisations
PATIENCE = 60.0  # seconds for a batch


class Fault(AssertionError):
    """The process broke a rule; the text has all that is needed to repeat it."""


@dataclass
class Counts:
    """What has been sent and what came back."""

    lines: int = 0
    replies: dict[str, int] = field(default_factory=dict)

    def add(self, reply: str) -> None:
        """Count a final reply by its first word, and an error by its code."""
        words = reply.split(" ")
        name = f"error {words[1]}" if words[0] == "error" and len(words) > 1 else words[0]
        self.replies[name] = self.replies.get(name, 0) + 1


class Session:
    """One process and its pipes."""

    def __init__(self, command: Sequence[str] = ENGINE, check: Callable[[str], None] | None = None) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.counts = Counts()
        self._check = check
        self._stderr = b""
        self._drain = threading.Thread(target=self._read_errors, daemon=True)
        self._drain.start()
        self._watch: threading.Timer | None = None
        self._buffer = b""
        self._sync = 0
        self.exchange([b"usp 1\n"])

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        while data := self.process.stderr.read(4096):
            self._stderr = (self._stderr + data)[-100_000:]

    def close(self) -> None:
        """End the process; it must exit with code 0 and have written nothing to standard error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(30)
        self._drain.join(30)
        if code != 0 or self._stderr:
            raise Fault(f"exit code {code}, standard error {self._stderr!r}")
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.process.stdout.close()
        self.process.stderr.close()

    def memory(self) -> int:
        """Resident memory of the process in KiB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise AssertionError("no VmRSS")

    def exchange(self, commands: list[bytes]) -> list[str]:
        """Send lines and a ping with an id, answer every line that comes before the ping's reply."""
        self._sync += 1
        mark = f"#sync-{self._sync}"
        data = b"".join(commands) + f"{mark} ping\n".encode()
        writer = threading.Thread(target=self._write, args=(data,), daemon=True)
        writer.start()
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        try:
            lines: list[str] = []
            while True:
                line = self._line(commands)
                if line == f"{mark} ok":
                    return lines
                lines.append(line)
                if self._check is not None:
                    self._check(line)
        finally:
            watch.cancel()
            writer.join(PATIENCE)

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[self.process.stdin.write(view) :]
        except OSError:
            pass  # the reading side reports a process that has died

    def _line(self, commands: list[bytes]) -> str:
        assert self.process.stdout is not None
        while b"\n" not in self._buffer:
            data = self.process.stdout.read(65_536)
            if not data:
                raise Fault(f"the process ended or hung during {commands!r}; standard error {self._stderr!r}")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        if line != line.rstrip(b" \t\r"):
            raise Fault(f"trailing blank: {line!r}")
        return line.decode("utf-8")

    # The two kinds of fire -------------------------------------------------------------------------------------------

    def fire_commands(self, source: Lines, count: int) -> None:
        """Send `count` lines with ids, each followed by `state`: one final reply each, and no change by an error."""
        before = self._state()
        for _ in range(0, count, BATCH):
            lines = [line for line in (source.line() for _ in range(BATCH)) if is_ours_to_send(line.encode())]
            texts = [line.replace("\n", " ").replace("\r", " ") for line in lines]
            # An id of its own would shadow ours, and two lines that are not answered would tell nothing.
            texts = [text for text in texts if is_answered(text.encode()) and not text.lstrip().startswith("#")]
            commands = []
            for number, text in enumerate(texts):
                commands += [f"#c{number} {text}\n".encode(), f"#s{number} state\n".encode()]
            # What a search may still print after its state was asked for is waited for here, at the latest.
            commands += [b"#stop stop\n", b"#legal legal\n"]
            found = self.exchange(commands)
            before = self._judge(texts, found, before)
            self.counts.lines += len(texts)
            source.legal = [line.removeprefix("#legal legal ") for line in found if line.startswith("#legal legal ")]

    def _judge(self, texts: list[str], found: list[str], before: str) -> str:
        by_id: dict[str, list[str]] = {}
        for line in found:
            name, _, rest = line.partition(" ")
            if not name.startswith("#"):
                raise Fault(f"a line without the id of its command: {line!r} after {texts!r}")
            by_id.setdefault(name, []).append(rest)
        for number, text in enumerate(texts):
            replies = by_id.pop(f"#c{number}", [])
            finals = [line for line in replies if line.split(" ")[0] in ("ok", "error", "best")]
            if len(finals) != 1 or replies[-1] != finals[0]:
                raise Fault(f"not one final reply at the end: {text!r} -> {replies!r} in {texts!r}")
            self.counts.add(finals[0])
            state = "\n".join(by_id.pop(f"#s{number}", []))
            if state.split(" ")[0] not in ("state", "error"):
                raise Fault(f"no state after {text!r}: {state!r}")
            if finals[0].startswith("error") and state != before:
                raise Fault(f"an error changed the state: {text!r} -> {finals[0]!r}\nbefore {before}\nafter {state}")
            before = state
        return before

    def _state(self) -> str:
        return "\n".join(self.exchange([b"state\n"]))

    def fire_bytes(self, source: Lines, count: int) -> None:
        """Send `count` lines of spoilt bytes: as many final replies as there are lines that want one."""
        for _ in range(0, count, BATCH):
            chunks = [source.data() for _ in range(BATCH)]
            lines = [line for data in chunks for line in data.split(b"\n")[:-1]]
            lines = [line for line in lines if is_ours_to_send(line)]
            commands = [line + b"\n" for line in lines] + [b"stop\n"]
            found = self.exchange(commands)
            wanted = 1 + sum(is_answered(line) for line in lines)
            finals = []
            for line in found:
                words = line.split(" ")
                first = words[1] if words[0].startswith("#") and len(words) > 1 else words[0]
                if first in ("ok", "error", "best"):
                    finals.append(line)
                    self.counts.add(line if first == words[0] else line.partition(" ")[2])
            if len(finals) != wanted:
                raise Fault(f"{len(finals)} final replies to {wanted} commands: {lines!r}\n{finals!r}")
            self.counts.lines += len(lines)
