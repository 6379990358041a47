"""Standard input and output as the protocol wants them: a reading thread with a bounded inbox, whole lines out.

Writing is done straight on the file descriptor, so a line reaches the other side when it is written, and stray prints
of any library go to standard error instead of into the protocol.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque

from spades_protocol.lines import LineReader, encode_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_protocol.lines import LineEvent

CHUNK = 65536  # bytes asked for at a time
INBOX = 4096  # lines that may wait; more stay in the pipe


class Inbox:
    """What has been read and not yet handled, in order; bounded, so a flood waits in the pipe."""

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._lines: deque[LineEvent] = deque()
        self._ended = False

    def put(self, events: list[LineEvent]) -> None:
        """Add what was read; waits while too much lies unread."""
        with self._ready:
            while len(self._lines) > INBOX:
                self._ready.wait()
            self._lines.extend(events)
            self._ready.notify_all()

    def end(self) -> None:
        """The input is over: `get` answers None once everything before has been taken."""
        with self._ready:
            self._ended = True
            self._ready.notify_all()

    def get(self, seconds: float | None = None) -> LineEvent | None:
        """The next line; None at the end of the input.

        Raises TimeoutError after `seconds` without one.
        """
        with self._ready:
            if not self._ready.wait_for(lambda: self._lines or self._ended, seconds):
                raise TimeoutError
            if not self._lines:
                return None
            event = self._lines.popleft()
            self._ready.notify_all()
            return event


def start_reading(descriptor: int = 0) -> Inbox:
    """Read `descriptor` to its end on a thread of its own; the lines come out of the inbox."""
    inbox = Inbox()

    def read() -> None:
        reader = LineReader()
        try:
            while True:
                data = os.read(descriptor, CHUNK)
                if not data:
                    break
                events = reader.feed(data)
                if events:
                    inbox.put(events)
        except OSError:
            pass  # an input that cannot be read any more is an input that has ended
        inbox.put(reader.eof())
        inbox.end()

    threading.Thread(target=read, name="reader", daemon=True).start()
    return inbox


class Output:
    """Whole lines to standard output, one writer at a time; a closed output ends the process silently."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._log: Log | None = None
        sys.stdout.flush()
        self._descriptor = os.dup(1)
        os.set_inheritable(self._descriptor, False)
        os.dup2(2, 1)  # what anybody else prints is not protocol
        if sys.platform == "win32":
            import msvcrt  # Windows turns LF into CR LF unless told otherwise

            msvcrt.setmode(self._descriptor, os.O_BINARY)

    def write(self, lines: list[str]) -> None:
        """Write complete lines (without their LF) in one piece."""
        if not lines:
            return
        data = b"".join([encode_line(line) for line in lines])
        with self.lock:
            if self._log is not None:
                for line in lines:
                    self._log.add("<", line)
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._descriptor, view) :]
            except OSError:
                os._exit(0)  # nobody listens any more

    def heard(self, line: str) -> None:
        """A line that came in, for the transcript."""
        if self._log is not None:
            with self.lock:
                if self._log is not None:
                    self._log.add(">", line)

    def start_log(self, path: str) -> None:
        """Append a transcript to the file at `path`. Raises OSError when it cannot be opened."""
        log = Log(path)
        with self.lock:
            self.stop_log()
            self._log = log

    def stop_log(self) -> None:
        """End the transcript, if there is one."""
        with self.lock:
            if self._log is not None:
                self._log.close()
                self._log = None


class Log:
    """A numbered transcript; a disk that fills up ends it without disturbing the game."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._number = 0
        self._broken = False

    def add(self, direction: str, line: str) -> None:
        """Append one line: its number, `>` for input or `<` for output, the text."""
        if self._broken:
            return
        self._number += 1
        try:
            os.write(self._descriptor, f"{self._number} {direction} {line}\n".encode("utf-8", "replace"))
        except OSError:
            self._broken = True

    def close(self) -> None:
        """Close the file."""
        try:
            os.close(self._descriptor)
        except OSError:
            self._broken = True
