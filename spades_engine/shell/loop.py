"""The only loop: lines in, handlers, replies out; one thing thought about at a time, on a thread of its own.

The main thread takes lines from the reading thread and answers them at once. A search or a tool runs as a `Task`; the
main thread watches its deadline, so an answer comes even when the search fails to give one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from importlib import import_module

from spades_engine.shell import core
from spades_engine.shell.options import Options
from spades_engine.shell.streams import Output, start_reading
from spades_protocol.commands import Arguments
from spades_protocol.errors import ProtocolError
from spades_protocol.lines import MAX_LINE
from spades_protocol.server import Command, Reject, ServerState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from spades_engine.shell.table import Table
    from spades_protocol.lines import LineEvent

    Handler: TypeAlias = "Callable[[Shell, Command], list[str] | None]"

STOP_WAIT = 0.15  # seconds that a search has to notice it should stop before it is answered for
SWITCH = 0.001  # seconds after which a search yields to the thread that answers; Python's own 0.005 shows in a ping
LOOK = 1.0  # seconds between two looks at what is being thought about
GRACE = 0.07  # seconds after its deadline until a search is answered for

CORE: dict[str, Handler] = {
    "usp": core.usp,
    "help": core.show_help,
    "known": core.known,
    "ping": core.ping,
    "set": core.set_options,
    "get": core.get_options,
    "log": core.log,
}
# The handlers below need the rules or the engine; they are loaded when first needed, so that the handshake is quick.
LATE: dict[str, tuple[str, str]] = {
    "newgame": ("moves", "newgame"),
    "position": ("moves", "position"),
    "undo": ("moves", "undo"),
    **dict.fromkeys(("deal", "look", "draft", "swap", "bid", "play", "trick", "end"), ("moves", "move")),
    "state": ("ask", "state"),
    "legal": ("ask", "legal"),
    "record": ("ask", "record"),
    "score": ("ask", "score"),
    "go": ("thinking", "go"),
    "perft": ("tools", "perft"),
    "bench": ("tools", "bench"),
    "solve": ("tools", "solve"),
    "selftest": ("tools", "selftest"),
}


class Reply:
    """A final reply, and what is to be remembered once it has been printed."""

    __slots__ = ("line", "printed")

    def __init__(self, line: str, printed: Callable[[], None] | None = None) -> None:
        self.line = line
        self.printed = printed


class Task:
    """Something being thought about. Lines of it are printed until its one final reply, and nothing after that."""

    def __init__(self, shell: Shell, command: Command, fallback: Reply) -> None:
        self._shell = shell
        self._id = command.id
        self.fallback = fallback  # the final reply if nothing better comes
        self.stop = threading.Event()
        self.stop_flag = bytearray(1)  # the same for compiled code, which looks at the first byte
        self.done = threading.Event()
        self.deadline: float | None = None  # monotonic time at which the main thread answers for it

    def say(self, *lines: str) -> None:
        """Print lines before the final reply; after it they are dropped."""
        output = self._shell.output
        with output.lock:
            if not self.done.is_set():
                output.write(with_id(self._id, list(lines)))

    def finish(self, reply: Reply, *lines: str) -> None:
        """Print the last lines and the final reply; only the first call counts."""
        output = self._shell.output
        with output.lock:
            if not self.done.is_set():
                if reply.printed is not None:
                    reply.printed()
                self._shell.server.end_thinking()
                self.done.set()
                output.write(with_id(self._id, [*lines, reply.line]))

    def answer_for(self, reason: str) -> None:
        """Give the fallback because the search did not answer."""
        self.finish(self.fallback, f'info error "{reason}"')


class Shell:
    """The process: its options, its table, what it is thinking about."""

    def __init__(self) -> None:
        self.output = Output()
        self.server = ServerState()
        self.options = Options()
        self.table: Table | None = None
        self.task: Task | None = None
        self._handlers: dict[str, Handler] = dict(CORE)

    def run(self) -> None:
        """Serve standard input to its end, or to `quit`."""
        inbox = start_reading(self.output.leave_if_stuck)
        while True:
            try:
                event = inbox.get(self._patience())
            except TimeoutError:
                self._look_after_task()
                continue
            if event is None:
                self._halt()
                return
            if not self._handle(event):
                return

    def think(self, command: Command, fallback: Reply, work: Callable[[Task], None]) -> Task:
        """Begin to think on a thread of its own; `work` is to end with `task.finish`."""
        task = Task(self, command, fallback)
        self.server.begin_thinking(command.id)
        self.task = task

        def run() -> None:
            try:
                work(task)
            except Exception as error:  # noqa: BLE001  # whatever fails, the client gets its answer
                report_fault(error)
                task.answer_for(f"internal fault: {type(error).__name__}")
            if not task.done.is_set():
                task.answer_for("the search ended without an answer")

        threading.Thread(target=run, name="search", daemon=True).start()
        return task

    def _patience(self) -> float | None:
        """Seconds to wait for a line: without end while idle, else until there is something to look after."""
        task = self.task
        if task is None or task.done.is_set():
            return None
        if task.deadline is None:
            return LOOK
        return min(max(0.0, task.deadline - time.monotonic()), LOOK)

    def _look_after_task(self) -> None:
        task = self.task
        if task is None or task.done.is_set():
            return
        if task.deadline is not None and time.monotonic() >= task.deadline:
            task.answer_for("the search did not answer in time")
        elif self.output.is_closed():
            os._exit(0)  # nobody will read the answer

    def _handle(self, event: LineEvent) -> bool:
        """Answer one line; False when it was `quit`."""
        self.output.heard(event.text)
        command = self.server.receive(event)
        if command is None:
            return True
        if isinstance(command, Reject):
            self.output.write([command.line])
            return True
        if command.name in ("quit", "stop"):
            try:
                Arguments(command.words)
            except ProtocolError as error:
                self.output.write([error.format(command.id)])
                return True
            self._halt()
            if command.name == "quit":
                self.server.finish()
            self.output.write(with_id(command.id, ["ok"]))
            return command.name != "quit"
        self._answer(command)
        return True

    def _answer(self, command: Command) -> None:
        try:
            lines = self._handler(command.name)(self, command)
            if lines is not None:
                self.output.write(fitting(with_id(command.id, lines)))
        except ProtocolError as error:
            self.output.write([error.format(command.id)])
        except Exception as error:  # noqa: BLE001  # a fault of ours is an answer too, and the process goes on
            report_fault(error)
            text = f"a fault in this program ({type(error).__name__}); its state is as before"
            self.output.write([ProtocolError("internal", text).format(command.id)])

    def _handler(self, name: str) -> Handler:
        handler = self._handlers.get(name)
        if handler is None:
            module, function = LATE[name]
            if module in ("moves", "ask"):
                import_module("spades_engine.shell.thinking")  # with the game, so that the first `go` loses no time
            handler = getattr(import_module(f"spades_engine.shell.{module}"), function)
            self._handlers[name] = handler
        return handler

    def _halt(self) -> None:
        """End what is being thought about; its final reply has been printed when this returns."""
        task = self.task
        if task is None or task.done.is_set():
            return
        task.stop_flag[0] = 1
        task.stop.set()
        if not task.done.wait(STOP_WAIT):
            task.answer_for("the search did not stop in time")


def with_id(id: str | None, lines: list[str]) -> list[str]:  # noqa: A002  # the protocol's word
    """The lines as replies to the command with that id."""
    return lines if id is None else [f"#{id} {line}" for line in lines]


def fitting(lines: list[str]) -> list[str]:
    """The lines, or an `internal` error in place of a reply with a line that is too long to be sent."""
    for line in lines:
        if len(line) > MAX_LINE // 4 and len(line.encode()) > MAX_LINE:
            raise ProtocolError("internal", "the reply has a line that is too long to be sent")
    return lines


def report_fault(error: BaseException) -> None:
    """Tell the people behind this program what went wrong inside, on standard error."""
    import traceback  # only when there is something to tell

    traceback.print_exception(error)


def serve() -> None:
    """Run the process to its end. Does not return."""
    code = 0
    sys.setswitchinterval(SWITCH)
    try:
        Shell().run()
    except KeyboardInterrupt:
        pass
    except BaseException as error:  # noqa: BLE001  # the process is about to end anyway
        report_fault(error)
        code = 1
    # The reading thread may sit in a read for ever; everything printed has left already.
    os._exit(code)
