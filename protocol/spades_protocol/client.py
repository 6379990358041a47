"""The other side of a conversation, without its input and output: who talks to an engine (SPEC.md, section 11).

`ClientState` makes the bytes to send and says of each line that comes back which command it belongs to, whether it ends
that command, and which promise of the protocol it breaks, if any. A fault of the engine is reported, never raised: the
conversation can go on, and it is for the caller to decide. A fault of the caller is raised, as `LocalFault`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spades_protocol.commands import COMMANDS, IDLE, NEW, STATES, THINKING, THINKING_COMMANDS
from spades_protocol.lines import LineEvent, LineReader, encode_line, is_id
from spades_protocol.replies import FINAL, KNOWN_LINES, Error, Ok, UnknownLine, parse_reply, split_reply
from spades_protocol.words import SyntaxFault, format_reply, is_ignored, parse_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from spades_protocol.commands import State
    from spades_protocol.replies import Reply

VIOLATIONS: Final[Mapping[str, str]] = {
    "unreadable": "a line that is too long, is no UTF-8 or holds control characters",
    "malformed": "a line whose words make no sense after its first word",
    "no-id": "a line without the id of the command that caused it",
    "no-pending": "a line with an id that no command had",
    "second-final": "a second final reply to one command",
    "after-final": "a line of a command that has had its final reply",
    "wrong-line": "a line that this command does not cause",
    "wrong-final": "a final reply of the wrong kind: best is for go alone, and go has no ok",
    "early-best": "the answer to go infinite before stop",
    "early-stop": "the ok of stop before the final reply of what it stopped",
    "early-end": "the end of the engine's output before the last final reply",
}
"""What an engine can do wrong as far as it shows in the order of lines, by the name that `Received` gives it."""

_MOVES: Final = frozenset(("event",))
_SEARCH: Final = frozenset(("info",))
# The lines that a command may cause before its final reply.
_CAUSES: Final[Mapping[str, frozenset[str]]] = {
    "usp": frozenset(("id", "rules", "option")),
    "help": frozenset(("help",)),
    "get": frozenset(("value",)),
    "deal": _MOVES,
    "look": _MOVES,
    "draft": _MOVES,
    "swap": _MOVES,
    "bid": _MOVES,
    "play": _MOVES,
    "state": frozenset(("state",)),
    "legal": frozenset(("legal",)),
    "record": frozenset(("record",)),
    "go": _SEARCH,
    "perft": _SEARCH | {"perft"},
    "bench": _SEARCH,
    "solve": _SEARCH,
    "selftest": _SEARCH,
}
_REMEMBERED = 1000  # finished commands whose late lines are told apart from lines out of nowhere


class LocalFault(Exception):
    """What was to be sent must not be: no line, an id in use, or not a command for this state."""


@dataclass(slots=True)
class Pending:
    """A command that has been sent. `is_done` once its final reply has come; `line` is what was sent, with the id."""

    id: str
    name: str
    line: str
    is_infinite: bool = False
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """One line that came back.

    `line` is the line as it came, `reply` what it says, or None where it cannot be read. `pending` is the command it
    belongs to, or None. `is_final`: it is the one that ends that command. `violation` is the name in `VIOLATIONS` of
    the promise it breaks, or None. A line with a violation other than `malformed`, `wrong-final`, `early-best` and
    `early-stop` never ends a command.
    """

    line: str
    reply: Reply | None = None
    pending: Pending | None = None
    is_final: bool = False
    violation: str | None = None


class ClientState:
    """What has been sent and not yet answered, and the state in which the engine must therefore be.

    Every command gets an id, so that each line can be told apart; `send` makes one up where none is given.
    """

    def __init__(self) -> None:
        self._reader = LineReader()
        self._pending: dict[str, Pending] = {}
        self._finished: dict[str, Pending] = {}
        self._shaken = False
        self._closed = False
        self._count = 0

    @property
    def state(self) -> State:
        """The engine's state as far as can be told from here: `new`, `idle` or `thinking`."""
        if any(pending.name in THINKING_COMMANDS for pending in self._pending.values()):
            return THINKING
        return IDLE if self._shaken else NEW

    @property
    def pending(self) -> list[Pending]:
        """The commands without a final reply, in the order in which they were sent."""
        return list(self._pending.values())

    @property
    def is_closed(self) -> bool:
        """Whether the engine's output has ended."""
        return self._closed

    def new_id(self) -> str:
        """Return an id that no command has had."""
        while True:
            self._count += 1
            id_ = str(self._count)
            if id_ not in self._pending and id_ not in self._finished:
                return id_

    def send(self, command: str, id: str | None = None, *, check: bool = True) -> bytes:  # noqa: A002 - protocol's word
        """Return the bytes of a command, given without an id and LF, and expect its replies from now on.

        Raises LocalFault for what is no command line, for an id that is none or is in use, after the end of the
        engine's output, and, unless `check` is false, for an unknown command or one that does not fit the state
        (`state`; a handshake that is under way counts as done). After a LocalFault nothing has changed.
        """
        if self._closed:
            raise LocalFault("the engine's output has ended")
        id_ = self.new_id() if id is None else id
        if not is_id(id_) or id_ in self._pending:
            raise LocalFault(f"{id_!r} is no id or is in use")
        if is_ignored(command) or command.lstrip(" \t").startswith("#"):
            raise LocalFault(f"no command: {command!r}")
        line = format_reply(id_, command.strip(" \t"))
        try:
            words = parse_words(command).words
            data = encode_line(line)
        except SyntaxFault as fault:
            raise LocalFault(fault.text) from fault
        except ValueError as error:
            raise LocalFault(str(error)) from error
        name = words[0].text if words[0].is_bare else str(words[0])
        if check:
            self._check(name)
        # What may be an engine's own command is taken as it comes; only a `go` can be without an end.
        infinite = name == "go" and any(word.is_bare and word.text == "infinite" for word in words[1:])
        self._pending[id_] = Pending(id_, name, line, infinite)
        return data

    def _check(self, name: str) -> None:
        if name not in COMMANDS:
            if name.startswith("x-"):
                return
            raise LocalFault(f"no such command: {name}")
        state = self.state
        if state == NEW and any(pending.name == "usp" for pending in self._pending.values()):
            state = IDLE
        verdict = STATES[state, name]
        if verdict != "yes":
            raise LocalFault(f"{name} while {state}: {verdict}")

    def feed(self, data: bytes) -> list[Received]:
        """Take the next bytes of the engine's output and return what the lines in it say."""
        return [self.receive(event) for event in self._reader.feed(data)]

    def eof(self) -> list[Received]:
        """Take the end of the engine's output.

        Returns a last line without LF, if there is one, and a Received with the violation `early-end` for every command
        that will now have no final reply; those are no longer pending.
        """
        received = [self.receive(event) for event in self._reader.eof()]
        self._closed = True
        lost = self.pending
        self._pending.clear()
        return received + [Received("", pending=pending, violation="early-end") for pending in lost]

    def receive(self, line: str | LineEvent) -> Received:
        """Take one line of the engine's output, given without LF."""
        if isinstance(line, LineEvent):
            if line.kind != "line":
                owner = self._pending.get(line.id) if line.id is not None else None
                return Received(line.text, pending=owner, violation="unreadable")
            line = line.text
        try:
            id_, first, _ = split_reply(line)
        except SyntaxFault:
            return Received(line, violation="malformed")
        if first not in KNOWN_LINES:
            # Empty lines too: a reader ignores what it does not know.
            return Received(line, UnknownLine(id_, line), self._pending.get(id_ or ""))
        reply: Reply | None
        try:
            reply = parse_reply(line)
        except SyntaxFault:
            reply = None
        if id_ is None:
            return Received(line, reply, violation="no-id")
        pending = self._pending.get(id_)
        if pending is None:
            done = self._finished.get(id_)
            late = "second-final" if first in FINAL else "after-final"
            return Received(line, reply, done, violation="no-pending" if done is None else late)
        violation = "malformed" if reply is None else self._judge(pending, first, reply)
        if first in FINAL:
            self._finish(pending, reply)
        return Received(line, reply, pending, first in FINAL, violation)

    def _judge(self, pending: Pending, first: str, reply: Reply) -> str | None:
        """Name what is wrong with a line for this command, or None."""
        if first not in FINAL:
            # What an unknown command may cause is not for us to say.
            allowed = pending.name not in COMMANDS or first in _CAUSES.get(pending.name, ())
            return None if allowed else "wrong-line"
        if isinstance(reply, Error):
            return None
        if pending.name in COMMANDS and (first == "best") != (pending.name == "go"):
            # A private `go x-…` is still a go; only commands that are not ours may end as they like.
            return "wrong-final"
        others = [other for other in self._pending.values() if other is not pending]
        if pending.is_infinite and not any(other.name in ("stop", "quit") for other in others):
            return "early-best"
        if pending.name in ("stop", "quit"):
            before = self.pending[: self.pending.index(pending)]
            if any(other.name in THINKING_COMMANDS for other in before):
                return "early-stop"
        return None

    def _finish(self, pending: Pending, reply: Reply | None) -> None:
        del self._pending[pending.id]
        pending.is_done = True
        self._finished.pop(pending.id, None)
        self._finished[pending.id] = pending
        if len(self._finished) > _REMEMBERED:
            del self._finished[next(iter(self._finished))]
        if pending.name == "usp" and isinstance(reply, Ok):
            self._shaken = True
