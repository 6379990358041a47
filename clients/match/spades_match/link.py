"""A conversation with one engine's process, in one thread and without a detour: what keeps the runner's own cost low.

The reference client serves a process by four threads, gives every command an id and keeps a transcript, which is right
for a program that people use and several times the cost of a whole decision here. This layer does one thing: commands
go out in order, several at once, and `collect` waits until all of them have been answered. It reads lines and replies
with the codec of `spades_protocol`.

Whatever an engine does is noticed only in `collect`, and only by what it has printed and whether it lives, so what
becomes of a board does not depend on how fast the processes happen to be: a crash long ago and a crash just now are
found at the same place. Only whether an answer comes in time does.

What costs here is not waking up but what is done after it: a thread that has slept finds its caches cold, and each step
takes several times what it takes in a loop. So there is a short way for what nearly all answers are.

POSIX only, as `select.poll` is. The death of a process is watched apart from its output and from the clock: a process
may die and leave a child behind that holds the pipe.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from spades_match.outcomes import Fault, Interrupted, Outcome
from spades_match.words import quoted
from spades_protocol.lines import LineEvent, LineReader, encode_line
from spades_protocol.replies import KNOWN_LINES, Best, Error, Ok, Reply, parse_reply, split_reply
from spades_protocol.words import SyntaxFault

_CHUNK = 8_192  # bytes read at once; a greater buffer costs more to make than most answers do to read
_STDERR_KEPT = 4_096  # bytes; the last words of a process that died
_LAST_OUTPUT = (
    1.0  # seconds to read what a dead process wrote, and to learn the exit code of one that closed its output
)
_WATCH = 0.25  # seconds between looks at a process that cannot be watched by a file descriptor
_LONGEST_WAIT = 3600.0  # seconds; a wait is begun again, since poll takes no more than some weeks
_MAX_REPLIES = 10_000  # lines kept before a final reply

stopping = threading.Event()
"""Set when the runner is to stop: every wait then ends in Interrupted."""

_open: weakref.WeakSet[Link] = weakref.WeakSet()
_open_lock = threading.Lock()


_OK = Ok(None)
"""Stands for an `ok` in which nothing is needed."""


class Command:
    """A command and what may come of it; the same one can be put to many processes, any number of times.

    `results` are the results that follow from it, which an engine may print as events and must not contradict. `keeps`:
    the lines before the final reply are wanted. `is_told`: an `ok` answers it, and nothing else in that line matters.
    Raises ValueError for a text that is no line.
    """

    __slots__ = ("data", "is_go", "is_told", "keeps", "results", "text")

    def __init__(self, text: str, results: Sequence[str] = (), *, keeps: bool = False) -> None:
        self.text = text
        self.data = encode_line(text)
        self.results = results
        self.keeps = keeps
        self.is_go = text[:2] == "go"
        self.is_told = not self.is_go and not keeps


@dataclass(frozen=True, slots=True)
class Clock:
    """How long to wait: `limit` is what messages call it. With `stall` an answer is waited for so much longer, and if
    it comes in that time it is late (`TIME_LOSS`) rather than missing (`STALL`).
    """

    seconds: float
    limit: str
    stall: float = 0.0


class Link:
    """A process in a session of its own, and what has been asked of it. For one thread; `kill` may come from any.

    Raises OSError where the command cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
        self.late: float | None = None
        """Seconds by which the last answer was late."""
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._in, self._out, self._err = (
            self._popen.stdin.fileno(),
            self._popen.stdout.fileno(),
            self._popen.stderr.fileno(),
        )
        self._poll = select.poll()
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._death = _watch_death(self._popen.pid)
        if self._death is not None:
            self._poll.register(self._death, select.POLLIN)
        self._reader = LineReader()
        self._is_within_line = False  # the reader has taken a part of a line
        self._lines: deque[LineEvent | str] = deque()  # read and not looked at yet
        self._said: list[Command] = []
        self._pending: deque[Command] = deque()  # sent, and not answered
        self._replies: list[Reply] = []
        self._unsent = bytearray()
        self._is_writing = False
        self._is_deaf = False  # it has closed its input
        self._unknown = ""  # the last line since the question that is no reply
        self._stderr = b""
        self._is_closed = False
        self.say: Callable[[Command], None] = self._said.append  # itself, as most of what is said is said to each seat
        """Put a command on its way; `flush` sends it."""
        self._lock = threading.Lock()
        with _open_lock:
            _open.add(self)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._popen.pid

    @property
    def last_words(self) -> str:
        """The end of what the process has written to its standard error, as far as it has been read."""
        return self._stderr.decode("utf-8", "replace").strip()

    # Sending ----------------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Send what has been said, as much as the process takes now; never waits."""
        if self._said:
            self._unsent += b"".join([command.data for command in self._said])
            self._pending.extend(self._said)
            self._said.clear()
        while self._unsent and not self._is_deaf:
            try:
                del self._unsent[: os.write(self._in, self._unsent)]
            except BlockingIOError:
                break
            except OSError:  # it has closed its input or is dead: `collect` will tell
                self._is_deaf = True
        is_writing = bool(self._unsent) and not self._is_deaf
        if is_writing != self._is_writing:
            self._is_writing = is_writing
            if is_writing:
                self._poll.register(self._in, select.POLLOUT)
            else:
                self._poll.unregister(self._in)

    # Waiting ----------------------------------------------------------------------------------------------------------

    def collect(self, clock: Clock) -> Reply | None:
        """Send what has been said and wait until everything is answered; return the last answer, if anything was asked.

        Raises Fault for a wrong answer, for none in time, and for the end of the process before it. An answer that came
        late is returned, and `late` then says by how much.
        """
        self.flush()
        started = time.monotonic()
        self.late = None
        self._unknown = ""
        final: Reply | None = None
        pending, lines = self._pending, self._lines
        while True:
            while pending and lines:
                line = lines.popleft()
                if pending[0].is_told and isinstance(line, str) and line.startswith("ok "):
                    pending.popleft()
                    final = _OK
                else:
                    final = self._take(line) or final
            if not pending:
                break
            left = started + clock.seconds + clock.stall - time.monotonic()
            if left <= 0:
                raise self._missing(clock)
            self._wait(left)
        over = time.monotonic() - started - clock.seconds
        if over > 0:
            self.late = over
        return final

    def replies(self) -> list[Reply]:
        """Return the lines that came before the final reply of a command said with `keeps`."""
        replies, self._replies = self._replies, []
        return replies

    def _wait(self, seconds: float) -> None:
        """Wait for something to happen, and take note of it. Raises Fault when the process can say no more."""
        if self._death is None:
            seconds = min(seconds, _WATCH)
        seconds = min(seconds, _LONGEST_WAIT)
        is_over = False
        for number, _ in self._poll.poll(seconds * 1000):
            if number == self._out:
                is_over = not self._read() or is_over
            elif number == self._err:
                self._read_stderr()
            elif number == self._in:
                self.flush()
            else:
                is_over = True
        if self._death is None and not is_over and _has_died(self._popen):
            is_over = True
        if stopping.is_set():
            raise Interrupted
        if is_over and not self._lines:
            self._finish()

    def _read(self) -> bool:
        """Read what is there; tell whether there may be more to come."""
        try:
            data = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if data.endswith(b"\n") and data.isascii() and not self._is_within_line:
            # Whole lines of printable characters need no further look: most of what is ever read is this.
            lines = data.decode("ascii").split("\n")
            lines.pop()
            if "".join(lines).isprintable():
                self._lines.extend(lines)
                return True
        self._lines.extend(self._reader.feed(data) if data else self._reader.eof())
        self._is_within_line = not data.endswith(b"\n")
        return bool(data)

    def _read_stderr(self) -> None:
        try:
            data = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._poll.unregister(self._err)
        self._stderr = (self._stderr + data)[-_STDERR_KEPT:]

    def _finish(self) -> None:
        """The process has died or closed its output: read the last of it, and raise Fault if that holds no answer."""
        end = time.monotonic() + _LAST_OUTPUT
        while not (is_dead := _has_died(self._popen)) and time.monotonic() < end:
            time.sleep(0.001)  # it has closed its output, and most that do are about to die
        while time.monotonic() < end and self._has_output() and self._read():
            if self._lines:
                return
        if self._lines:
            return
        self._kill_group()  # it may have left children behind
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_LAST_OUTPUT)
        if stopping.is_set():
            raise Interrupted
        self._read_stderr_at_end()
        what = f"ended by {_describe(self._popen.returncode)}" if is_dead else "closed its output"
        asked = self._pending[0].text if self._pending else "nothing"
        raise Fault(Outcome.CRASH, f"the process {what}; {quoted(asked)} was not answered", stderr=self.last_words)

    def _has_output(self) -> bool:
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        return bool(poll.poll(0))

    def _read_stderr_at_end(self) -> None:
        for _ in range(64):
            try:
                data = os.read(self._err, _CHUNK)
            except OSError:
                return
            if not data:
                return
            self._stderr = (self._stderr + data)[-_STDERR_KEPT:]

    def _missing(self, clock: Clock) -> Fault:
        command = self._pending[0].text
        limit = f"limits {clock.limit} and stall" if clock.stall else f"limit {clock.limit}"
        said = f"; it wrote {quoted(self._unknown)}, which is no reply" if self._unknown else ""
        return Fault(
            Outcome.STALL,
            f"no answer to {quoted(command)} within {clock.seconds + clock.stall:g} s ({limit}){said}",
            stderr=self.last_words,
        )

    # Reading ----------------------------------------------------------------------------------------------------------

    def _take(self, line: LineEvent | str) -> Reply | None:
        """Take a line for the oldest command without an answer, and return it if it is the answer."""
        pending = self._pending[0]
        if not isinstance(line, str):
            if line.kind != "line":
                raise self._violation(f"a line that cannot be read ({line.kind})", line.text)
            line = line.text
        if line.startswith("event ") and line[6:] in pending.results:
            return None
        if pending.is_go and line.startswith("best ") and _is_plain(line) and (words := line.split())[1:]:
            self._pending.popleft()
            return Best(None, " ".join(words[1:]))
        try:
            _, first, rest = split_reply(line)
            if first not in KNOWN_LINES:
                self._unknown = line  # a reader ignores what it does not know; if no answer comes, it may tell why
                return None
            if line.startswith("#"):
                raise self._violation("an id that no command had", line)
            if first == "info" and not pending.keeps:
                return None
            reply = parse_reply(line)
        except SyntaxFault:
            raise self._violation("a line whose words make no sense", line) from None
        if first == "event":
            self._compare(pending, rest)
            return None
        if isinstance(reply, Error):
            raise self._violation("an error to what is right", line)
        if not isinstance(reply, Ok | Best):
            if pending.keeps and len(self._replies) < _MAX_REPLIES:
                self._replies.append(reply)
            return None
        if isinstance(reply, Best) != pending.is_go:
            raise self._violation("a final reply of the wrong kind", line)
        self._pending.popleft()
        return reply

    def _compare(self, pending: Command, text: str) -> None:
        """Hold an announced result to the referee's."""
        words = text.split()
        expected = [result for result in pending.results if result.split()[:1] == words[:1]]
        if expected and expected[0].split() != words:
            raise self._violation(f"the table says {quoted(expected[0])}", text)

    def _violation(self, what: str, line: str) -> Fault:
        command = self._pending[0].text
        return Fault(
            Outcome.PROTOCOL_VIOLATION,
            f"{quoted(command)} was answered by {quoted(line)}: {what}",
            stderr=self.last_words,
        )

    # The end ----------------------------------------------------------------------------------------------------------

    def close(self, grace: float) -> bool:
        """Close the input, wait so many seconds, and kill what is left; tell whether the process ended by itself."""
        with self._lock:
            if self._is_closed:
                return True
            self._is_closed = True
        if self._is_writing:
            self._poll.unregister(self._in)
        assert self._popen.stdin is not None
        self._popen.stdin.close()
        try:
            return self._drain_until_death(grace)
        finally:  # an interrupt, too, leaves no process behind
            self._kill_group()
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(_LAST_OUTPUT)
            for pipe in (self._popen.stdout, self._popen.stderr):
                assert pipe is not None
                pipe.close()
            if self._death is not None:
                os.close(self._death)
            with _open_lock:
                _open.discard(self)

    def kill(self) -> None:
        """Kill the process and its children at once; `close` is still due. May be called from any thread."""
        self._kill_group()

    def _drain_until_death(self, seconds: float) -> bool:
        """Read and forget what a process prints that is to end, for as long as it may take."""
        end = time.monotonic() + seconds
        while not _has_died(self._popen):
            left = end - time.monotonic()
            if left <= 0:
                return False
            for number, _ in self._poll.poll(min(left, 0.02) * 1000):
                if number in (self._out, self._err):
                    with suppress(OSError):
                        if not os.read(number, _CHUNK):
                            self._poll.unregister(number)
        return True

    def _kill_group(self) -> None:
        # Only `wait` reaps the leader, and sets the return code: until then the number is its group's.
        if self._popen.returncode is None:
            with suppress(OSError):
                os.killpg(self._popen.pid, signal.SIGKILL)


def kill_all() -> None:
    """Kill every engine of this process at once, after `stopping` has been set."""
    with _open_lock:
        links = list(_open)
    for link in links:
        link.kill()


def _watch_death(pid: int) -> int | None:
    """Return a file descriptor that can be read once the process has died, where the system has such."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            return os.pidfd_open(pid)
    return None


def _has_died(popen: subprocess.Popen[bytes]) -> bool:
    """Tell whether a process has died, without reaping it."""
    if popen.returncode is not None:
        return True
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    return True


def _is_plain(line: str) -> bool:
    """Tell whether the words of a line are just what is between its blanks, and none is a pair."""
    return line.isascii() and "=" not in line and '"' not in line


def _describe(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"
