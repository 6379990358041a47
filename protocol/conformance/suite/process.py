"""One engine process under test: lines in, lines out, every wait bounded, every byte looked at.

What holds for each line an engine prints, whatever the conversation, is checked here: LF alone, no trailing blank, no
control character, UTF-8, no more than 65,535 bytes, and a first word that version 1 of the protocol has.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType

MAX_LINE = 65535
FINAL_WORDS = ("ok", "error", "best")
OTHER_WORDS = ("id", "rules", "option", "value", "help", "event", "info", "state", "legal", "record", "perft")
_ID = re.compile(r"#[A-Za-z0-9._-]{1,32}(?: |$)")
_BACKLOG = 50_000  # lines printed and not yet read before the reader stops taking more
_END = b""  # stands in the queue for the end of the output


class Fault(Exception):
    """An engine broke a sentence of SPEC.md: the sentence's label and what happened."""

    def __init__(self, label: str, text: str) -> None:
        super().__init__(text)
        self.label = label
        self.text = text


@dataclass
class Entry:
    """One thing that happened: `direction` is `>` for input, `<` for output, `!` for everything else."""

    time: float
    direction: str
    text: str


def visible(data: bytes) -> str:
    """Bytes as text for a report: anything but printable ASCII and valid UTF-8 is escaped, and long lines are cut."""
    text = data[:400].decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return shown + (f" … ({len(data)} bytes)" if len(data) > 400 else "")


def split_id(line: str) -> tuple[str, str]:
    """The id of a line with its `#`, empty if there is none, and the rest."""
    match = _ID.match(line)
    return (match.group().strip(), line[match.end() :]) if match else ("", line)


def is_final(line: str) -> bool:
    """Whether the line, its id taken off or not, is the final reply of a command."""
    return split_id(line)[1].split(" ", 1)[0] in FINAL_WORDS


_running: weakref.WeakSet[Engine] = weakref.WeakSet()


def kill_all() -> None:
    """Kill every engine that is running and its children, and wait for nothing: the program is about to end."""
    for engine in list(_running):
        engine.end_group()


class Engine:
    """A running engine. Use it as a context manager: leaving it kills what is still there."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.timeout = timeout
        self.log: list[Entry] = []
        self.stderr = b""
        self.last_sent = time.monotonic()
        self.line_time = self.last_sent
        self._lines: queue.Queue[tuple[float, bytes]] = queue.Queue(_BACKLOG)
        self._input: queue.Queue[bytes | None] = queue.Queue()
        self._ended = False
        self._sent = b""  # input after its last LF
        self._has_sent = False
        self._ids: set[str] = set()
        self._pending: list[str] = []  # the id, or "", of every command without a final reply
        self._rest = b""  # output after its last LF
        self._drop_output = threading.Event()
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=os.name == "posix",
        )
        self.pid = self._process.pid
        _running.add(self)
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._write, self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    # The threads: a full pipe must never stop the suite.

    def _write(self) -> None:
        assert self._process.stdin is not None
        stdin = self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while (data := self._input.get()) is not None:
                while data:
                    data = data[stdin.write(data) or 0 :]
        with contextlib.suppress(OSError, ValueError):
            stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._process.stdout.read(65536):
                if self._drop_output.is_set():
                    break
                now = time.monotonic()
                *lines, self._rest = (self._rest + chunk).split(b"\n")
                for line in lines:
                    self._lines.put((now, line + b"\n"))
                if len(self._rest) > MAX_LINE + 2:
                    break
        if self._drop_output.is_set():
            self._process.stdout.close()
        elif self._rest:
            self._lines.put((time.monotonic(), self._rest))
        self._lines.put((time.monotonic(), _END))

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._process.stderr.read(4096):
                self.stderr = (self.stderr + chunk)[-20_000:]

    # Input.

    def send(self, line: str) -> None:
        """Send one line."""
        self.send_bytes(line.encode() + b"\n", line)

    def send_bytes(self, data: bytes, shown: str | None = None) -> None:
        """Send bytes as they are; `shown` is how the report shows them.

        Fault if the engine has printed something although every command before has had its final reply.
        """
        if not self._pending and not self._sent and not self._lines.empty():
            self.poll(0)
        self.last_sent = time.monotonic()
        self.log.append(Entry(self.last_sent, ">", visible(data) if shown is None else shown))
        self._note_commands(data)
        self._input.put(data)

    def close_input(self) -> None:
        """Close the engine's input: the end of input."""
        self.note("end of input")
        self.last_sent = time.monotonic()
        self._note_commands(b"\n")
        self._input.put(None)

    def _note_commands(self, data: bytes) -> None:
        if not self._has_sent and data.startswith(b"\xef\xbb\xbf"):
            data = data[3:]
        self._has_sent = True
        *lines, self._sent = (self._sent + data).split(b"\n")
        for line in lines:
            text = (line[:-1] if line.endswith(b"\r") else line).strip(b" \t").replace(b"\t", b" ")
            if text and not text.startswith(b";"):
                name = split_id(text[:50].decode("latin-1"))[0]
                self._ids.add(name)
                self._pending.append(name)

    def close_output(self) -> None:
        """Close our end of the engine's output; nothing can be read after that.

        The reader closes it when it next wakes up, so a `ping` is sent to wake it: what is still answered is lost.
        """
        self.note("output closed")
        self._drop_output.set()
        self.send("ping")
        self._threads[1].join(self.timeout)

    def interrupt(self) -> None:
        """Send SIGINT to the process."""
        self.note("SIGINT")
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGINT)

    # Output.

    def note(self, text: str) -> None:
        """Put a remark into the exchange."""
        self.log.append(Entry(time.monotonic(), "!", text))

    def read(self, timeout: float | None = None) -> str | None:
        """The next line without its LF, None at the end of the output; Fault if it breaks a rule or does not come."""
        wait = self.timeout if timeout is None else timeout
        line = self.poll(wait)
        if line is None and not self._ended:
            raise Fault("reply.2", f"no line came within {wait:g} s")
        return line

    def poll(self, timeout: float) -> str | None:
        """The next line, or None if none comes in this many seconds or the output has ended."""
        if self._ended:
            return None
        try:
            when, data = self._lines.get(timeout=max(0.0, timeout))
        except queue.Empty:
            if self._rest and timeout > 0:
                raise Fault("line.4", f"a line without LF: `{visible(self._rest)}`") from None
            return None
        if data == _END:
            self._ended = True
            self.note("end of output")
            return None
        self.line_time = when
        text = visible(data[:-1] if data.endswith(b"\n") else data)
        self.log.append(Entry(when, "<", text))
        line = _checked(data)
        self._settle(line)
        return line

    def _settle(self, line: str) -> None:
        """Match a line with the commands that wait for a reply."""
        name, rest = split_id(line)
        if name in self._pending:
            if is_final(line):
                self._pending.remove(name)
            return
        is_late = name in self._ids and (name or self._is_repeated() or not self._pending)
        if not is_late:
            waiting = ", ".join(f"`{pending}`" if pending else "a command without id" for pending in self._pending)
            raise Fault("reply.1", f"`{line}` has {name or 'no id'}; a reply is due to {waiting or 'nobody'}")
        if rest.startswith(("info ", "best ")):
            raise Fault("go.5", f"a line of a search after its end: `{line}`")
        raise Fault("reply.2", f"a line after the final reply: `{line}`")

    def _is_repeated(self) -> bool:
        printed = [entry.text for entry in self.log if entry.direction == "<"]
        return len(printed) > 1 and printed[-1] == printed[-2]

    @property
    def pending(self) -> list[str]:
        """The id, or an empty text, of every command that has not had its final reply."""
        return list(self._pending)

    @property
    def is_output_ended(self) -> bool:
        """Whether the end of the output has been read."""
        return self._ended

    def ask(self, command: str, timeout: float | None = None) -> list[str]:
        """Send a command and return every line up to its final reply. Nothing else may be in the air."""
        self.send(command)
        return self.replies(timeout)

    def replies(self, timeout: float | None = None) -> list[str]:
        """The lines up to and including the next final reply."""
        deadline = time.monotonic() + (self.timeout if timeout is None else timeout)
        lines: list[str] = []
        while True:
            line = self.poll(deadline - time.monotonic())
            if line is None:
                self.expect_alive()
                raise Fault("reply.2", "no final reply came in time")
            lines.append(line)
            if is_final(line):
                return lines

    def expect_ok(self, command: str, timeout: float | None = None) -> list[str]:
        """Like `ask`, for a command that has to be answered by `ok`; returns all the lines."""
        lines = self.ask(command, timeout)
        if split_id(lines[-1])[1].split(" ", 1)[0] != "ok":
            raise Fault("reply.2", f"`{command}` should be answered by ok, not by `{lines[-1]}`")
        return lines

    def expect_alive(self) -> None:
        """Fault if the output has ended: nothing but `quit` and the end of input may end a process."""
        if self._ended:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            raise Fault("line.2", f"the process ended by itself (exit code {self._process.poll()})")

    def expect_quiet(self, seconds: float, label: str, what: str) -> None:
        """Fault with this label if a line comes within the time."""
        line = self.poll(seconds)
        if line is not None:
            raise Fault(label, f"{what}: `{line}`")
        if self._ended:
            self.expect_alive()

    # The end.

    def wait_exit(self, seconds: float, label: str) -> int:
        """The exit code; Fault with this label if the process is still there so many seconds after the last input."""
        try:
            code = self._process.wait(max(0.0, self.last_sent + seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Fault(label, f"the process is still running {seconds:g} s later") from None
        self.note(f"exit code {code}")
        return code

    def expect_exit(self, seconds: float, label: str) -> None:
        """Fault with this label unless the process ends in time with exit code 0, printing nothing on stderr."""
        code = self.wait_exit(seconds, label)
        if code != 0:
            raise Fault(label, f"exit code {code} instead of 0")
        self.expect_no_stderr()

    def expect_no_stderr(self) -> None:
        """Fault if anything was written to standard error."""
        if self._process.poll() is not None:
            self._threads[2].join(1)
        if self.stderr:
            raise Fault("life.4", f"standard error is not empty: {visible(self.stderr)}")

    def quit(self) -> None:
        """End the conversation: `quit`, its `ok` and nothing else, exit code 0 in time, nothing on stderr."""
        self.send("quit")
        line = self.read()
        if line is None:
            raise Fault("core.3", "`quit` was not answered by ok")
        if line != "ok":
            raise Fault("reply.2" if is_final(line) else "core.3", f"`quit` should be answered by ok, not by `{line}`")
        self.expect_end()
        self.expect_exit(1.0, "core.3")

    def expect_end(self) -> None:
        """Fault if anything but the end of the output follows."""
        line = self.poll(self.timeout)
        if line is not None:
            raise Fault("reply.2", f"a line after the reply to `quit`: `{line}`")
        if not self._ended:
            raise Fault("core.3", "the output is still open after `quit`")

    def end_group(self) -> None:
        """Kill the process and its children."""
        if self._process.poll() is None:
            if os.name == "posix":
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._process.kill()

    def kill(self) -> None:
        """End the process and its children at once."""
        self.end_group()
        self._process.wait()
        self._input.put(None)
        for thread in self._threads:
            for _attempt in range(20):
                with contextlib.suppress(queue.Empty):
                    while True:  # a reader that waits for room in the queue gets it
                        self._lines.get_nowait()
                thread.join(0.05)
                if not thread.is_alive():
                    break
        for stream in (self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()


def _checked(data: bytes) -> str:
    if not data.endswith(b"\n"):
        if len(data) > MAX_LINE:
            raise Fault("line.4", f"a line of more than {MAX_LINE} bytes")
        raise Fault("line.4", f"the output ends in a line without LF: {visible(data)}")
    data = data[:-1]
    if len(data) > MAX_LINE:
        raise Fault("line.4", f"a line of {len(data)} bytes; the limit is {MAX_LINE}")
    if b"\r" in data:
        raise Fault("line.4", f"a CR in a line: {visible(data)}")
    if data.endswith((b" ", b"\t")):
        raise Fault("line.4", f"a trailing blank: `{visible(data)}`")
    if any(byte < 32 or byte == 127 for byte in data):
        raise Fault("line.5", f"a control character in a line: {visible(data)}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("line.4", f"a line that is not UTF-8: {visible(data)}") from None
    word = split_id(text)[1].split(" ", 1)[0]
    if word not in FINAL_WORDS and word not in OTHER_WORDS:
        raise Fault("line.5", f"a line that is not of the protocol: `{visible(data)}`")
    return text
