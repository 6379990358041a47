"""The engine as a child process: started, written to, read from, watched, and always brought to its end.

Everything here is the same for the blocking and for the asyncio client. Four daemon threads serve a process: one
writes its input, one reads its output, one drains its standard error, and one waits for its death. None of them ever
makes the caller wait, so each of the caller's waits can have a time limit; and whatever the engine does, the caller is
not blocked by a full pipe.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Protocol

logger = logging.getLogger("spades_client")

STDERR_KEPT = 16_384  # bytes; the last words of a process that died
_CHUNK = 16_384  # bytes of output handed over at once
KILLING = 4.0  # seconds for a killed process to be gone and its last output to be read
_DRAIN = 1.0  # seconds that output may still come after the process has died, or the process live after its output


class Owner(Protocol):
    """Whoever reads what a process writes. Neither method may raise."""

    def receive(self, data: bytes) -> None:
        """Take a piece of the standard output; may take its time, and the process is then held up."""

    def ended(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        """Take the end, after the last piece: the exit code and the last lines of the standard error."""


class EngineProcess:
    """A process in a session and process group of its own, so that a terminal's interrupt does not reach it.

    Its `owner` is told of each piece of its standard output and then, once, of its end, from threads of this object.

    Raises OSError where the command cannot be started.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        owner: Owner,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
        self._owner = owner
        self._popen = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=None if env is None else dict(env),
            cwd=cwd,
            start_new_session=True,  # has no meaning on Windows, where the creation flag does the same
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = b""
        # Held while a signal is sent or the process is reaped, so that its id is its own. Reentrant, since the garbage
        # collector may call `abandon` from any thread at any moment.
        self._lock = threading.RLock()
        self._reaped = False
        self._is_handing_over = False
        self._dead = threading.Event()  # the process has died; it may not have been reaped yet
        self._ended = threading.Event()  # it has been reaped and its owner told
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._reader = self._start(self._read_output, stdout)
        self._drain = self._start(self._read_stderr, stderr)
        self._start(self._write_input, stdin)
        self._start(self._watch)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code (negative: the signal that ended the process), or None while it has not ended."""
        return self._popen.returncode if self._reaped else None

    def stderr_lines(self, count: int = 20) -> tuple[str, ...]:
        """Return the last lines written to the standard error, at most `count`."""
        lines = self._stderr.decode("utf-8", "replace").splitlines()
        return tuple(line for line in lines if line.strip())[-count:]

    def write(self, data: bytes) -> None:
        """Send bytes, in order, without waiting until they are taken; after the end they go nowhere."""
        self._outgoing.put(data)

    def close_input(self) -> None:
        """Close the standard input once everything written has been taken."""
        self._outgoing.put(None)

    def wait(self, seconds: float) -> bool:
        """Wait until the process has been reaped and its last output handed over; tell whether that is so."""
        return self._ended.wait(seconds)

    def terminate(self) -> None:
        """Ask every process of the group to end."""
        self._signal("SIGTERM")

    def kill(self) -> None:
        """End every process of the group, whatever it is doing."""
        self._signal("SIGKILL")

    def close(self, grace: float) -> bool:
        """Close the input and wait, then terminate and wait, then kill; at most two `grace` and a little.

        Tells whether the process has been reaped, which only a process that the system itself holds up is not.
        """
        self.close_input()
        if self.wait(grace):
            return True
        self.terminate()
        if self.wait(grace):
            return True
        self.kill()
        return self.wait(KILLING)

    def abandon(self) -> None:
        """Kill at once and do not wait: the end for an engine that was forgotten rather than closed.

        May be called by the garbage collector; one of the threads reaps the process.
        """
        self._outgoing.put(None)
        self.kill()

    # The threads ------------------------------------------------------------------------------------------------------

    def _start(self, target: Callable[..., None], *args: object) -> threading.Thread:
        name = f"spades-client-{self._popen.pid}-{target.__name__.strip('_')}"
        thread = threading.Thread(target=target, args=args, name=name, daemon=True)
        thread.start()
        return thread

    def _write_input(self, pipe: IO[bytes]) -> None:
        # The pipe is closed by the thread that writes to it: closing it under a blocked write would free its number.
        with contextlib.suppress(OSError), pipe:
            while (data := self._outgoing.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[os.write(pipe.fileno(), view) :]

    def _read_output(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while data := os.read(pipe.fileno(), _CHUNK):
                if self._ended.is_set():
                    return  # somebody outside the group still holds the pipe
                self._is_handing_over = True
                self._owner.receive(data)
                self._is_handing_over = False
        # A process that cannot answer any more is of no use, so it has not long to go on.
        if not self._dead.wait(_DRAIN):
            self.kill()

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while data := os.read(pipe.fileno(), _CHUNK):
                self._stderr = (self._stderr + data)[-STDERR_KEPT:]
                logger.debug("stderr of process %d: %r", self._popen.pid, data[:500])

    def _watch(self) -> None:
        self._wait_unreaped()
        self._dead.set()
        self._reader.join(_DRAIN / 4)
        # The process may have left children behind. Until it is reaped its number, the group's, cannot be given away.
        self._signal("SIGKILL")
        with self._lock:
            self._reaped = True
            code = self._popen.wait()
        # What it wrote last is waited for, unless somebody outside the group holds the pipe open.
        self._reader.join(_DRAIN)
        while self._reader.is_alive() and self._is_handing_over:
            self._reader.join(_DRAIN)
        self._drain.join(_DRAIN)
        self._outgoing.put(None)
        try:
            self._owner.ended(code, self.stderr_lines())
        finally:
            self._ended.set()

    def _wait_unreaped(self) -> None:
        """Wait until the process has died, without collecting its exit code where that would free its number."""
        if sys.platform == "win32":
            self._popen.wait()  # a handle, not a number: it stays valid
            return
        while True:
            try:
                os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOWAIT)
            except InterruptedError:
                continue
            except ChildProcessError:
                return  # somebody else has collected it (a handler of SIGCHLD, say); Popen.wait() makes do with that
            return

    def _signal(self, name: str) -> None:
        with self._lock:
            if self._reaped:
                return
            if sys.platform == "win32":
                command = ["taskkill", "/T", "/PID", str(self._popen.pid), *(["/F"] if name == "SIGKILL" else [])]
                subprocess.run(command, capture_output=True, check=False)
                return
            try:
                os.killpg(self._popen.pid, getattr(signal, name))
            except ProcessLookupError:
                pass
            except PermissionError:
                self._popen.kill()  # macOS says so of a group whose leader has died


def now() -> float:
    """Return the seconds of a clock that only goes forward."""
    return time.monotonic()
