"""Standard input and output as the protocol wants them: a reading thread with a bounded inbox, whole lines out.

Writing is done straight on the file descriptor, so a line reaches the other side when it is written, and stray prints
of any library go to standard error instead of into the protocol.
"""

from __future__ import annotations

import os
import select
import stat
import sys
import threading
import time
from collections import deque

from spades_protocol.lines import LineReader, encode_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from spades_protocol.lines import LineEvent

CHUNK = 65536  # bytes asked for at a time
INBOX = 4096  # lines that may wait; more stay in the pipe
STUCK = 0.4  # seconds without progress after which a write is given up once the input has ended


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


def start_reading(ending: Callable[[], None], descriptor: int = 0) -> Inbox:
    """Read `descriptor` to its end on a thread of its own; the lines come out of the inbox.

    `ending` is called on that thread when the end of the input, or a `quit`, has been read.
    """
    inbox = Inbox()

    def read() -> None:
        reader = LineReader()
        try:
            if sys.stdin is None:
                raise OSError("started with a closed input")
            while True:
                data = os.read(descriptor, CHUNK)
                if not data:
                    break
                events = reader.feed(data)
                if any(is_quit(event) for event in events):
                    watch(ending)
                if events:
                    inbox.put(events)
        except OSError:
            pass  # an input that cannot be read any more is an input that has ended
        watch(ending)
        inbox.put(reader.eof())
        inbox.end()

    threading.Thread(target=read, name="reader", daemon=True).start()
    return inbox


def watch(ending: Callable[[], None]) -> None:
    """Run the call-back on a thread of its own."""
    threading.Thread(target=ending, name="watch", daemon=True).start()


def is_quit(event: LineEvent) -> bool:
    """Whether the line is the command `quit`, with or without an id."""
    words = event.text.split()
    return words[-1:] == ["quit"] and (len(words) == 1 or (len(words) == 2 and words[0].startswith("#")))


def encoded(line: str) -> bytes:
    """The bytes of the line; of one that no protocol line can carry, its readable beginning."""
    try:
        return encode_line(line)
    except ValueError:
        return encode_line("".join([character if " " <= character <= "~" else "?" for character in line[:1000]]))


class Output:
    """Whole lines to standard output, one writer at a time; a closed output ends the process silently."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.is_writing = False
        self.pieces = 0  # writes done so far
        self._log: Log | None = None
        if sys.stdout is None:
            os._exit(0)  # started with a closed output
        sys.stdout.flush()
        self._descriptor = os.dup(1)
        os.set_inheritable(self._descriptor, False)
        # What anybody else prints is not protocol.
        if sys.stderr is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        else:
            os.dup2(2, 1)
        self._poll = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(self._descriptor, 0)
        if sys.platform == "win32":
            import msvcrt  # Windows turns LF into CR LF unless told otherwise

            msvcrt.setmode(self._descriptor, os.O_BINARY)

    def write(self, lines: list[str]) -> None:
        """Write complete lines (without their LF) in one piece."""
        if not lines:
            return
        data = b"".join([encoded(line) for line in lines])
        with self.lock:
            if self._log is not None:
                for line in lines:
                    self._log.add("<", line)
            view = memoryview(data)
            self.is_writing = True
            try:
                while view:
                    view = view[os.write(self._descriptor, view) :]
                    self.pieces += 1
            except OSError:
                os._exit(0)  # nobody listens any more
            self.is_writing = False

    def is_closed(self) -> bool:
        """Whether the other side has closed the output, as far as the system tells without a write."""
        if self._poll is None:
            return False
        return any(state & (select.POLLERR | select.POLLNVAL) for _, state in self._poll.poll(0))

    def leave_if_stuck(self) -> None:
        """End the process when a write makes no progress: the input is over, and nobody reads the output either."""
        pieces = -1
        while True:
            if self.is_writing and self.pieces == pieces:
                os._exit(0)
            pieces = self.pieces
            time.sleep(STUCK)

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
        # Without O_NONBLOCK a pipe that nobody reads would hold the whole process.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        self._descriptor = os.open(path, flags, 0o644)
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.close(self._descriptor)
            raise OSError("a transcript goes to a plain file")
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
