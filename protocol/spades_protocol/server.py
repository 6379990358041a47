"""The engine's side of a conversation, without its input and output (SPEC.md, sections 11 and 12).

`ServerState` turns lines into commands that may be carried out, and answers the others by itself: it knows the first
four of the six kinds of error in section 11. What follows the command's name is the business of whoever runs it.
"""

from __future__ import annotations

from spades_protocol.commands import COMMANDS, IDLE, NEW, STATES, THINKING, VERSION, is_private, suggest
from spades_protocol.errors import format_error
from spades_protocol.lines import MAX_LINE
from spades_protocol.words import SyntaxFault, clip, format_pair, format_reply, is_ignored, parse_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_protocol.commands import State
    from spades_protocol.lines import LineEvent
    from spades_protocol.words import Word


class Command:
    """A command to be carried out: its id without `#`, or None, its name, and the words after the name."""

    __slots__ = ("id", "name", "words")

    def __init__(self, id: str | None, name: str, words: list[Word]) -> None:  # noqa: A002 - the protocol's word
        self.id = id
        self.name = name
        self.words = words

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Command):
            return NotImplemented
        return (self.id, self.name, self.words) == (other.id, other.name, other.words)

    __hash__ = None  # type: ignore[assignment]  # holds a list

    def __repr__(self) -> str:
        return f"Command({self.id!r}, {self.name!r}, {self.words!r})"


class Reject:
    """A command that is answered at once: `line` is its only reply, an `error` or the `ok` to a private command."""

    __slots__ = ("line",)

    def __init__(self, line: str) -> None:
        self.line = line

    def __eq__(self, other: object) -> bool:
        return self.line == other.line if isinstance(other, Reject) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.line)

    def __repr__(self) -> str:
        return f"Reject({self.line!r})"


class ServerState:
    """What state the process is in, and what that means for the next line.

    Whoever carries the commands out reports back: `agree` after a handshake, `begin_thinking` and `end_thinking` around
    a search or a tool, `finish` after `quit`.
    """

    __slots__ = ("_finished", "_state", "_thinking_id", "version")

    def __init__(self) -> None:
        self._state: State = NEW
        self._finished = False
        self._thinking_id: str | None = None
        self.version: int | None = None

    @property
    def state(self) -> State:
        """The state: `new`, `idle` or `thinking`."""
        return self._state

    @property
    def thinking_id(self) -> str | None:
        """The id of the command that is being thought about, or None: it had none, or nothing is."""
        return self._thinking_id

    @property
    def is_thinking(self) -> bool:
        """Whether a `go` or a tool has not had its final reply."""
        return self._state == THINKING

    def receive(self, event: LineEvent) -> Command | Reject | None:
        """Take one line: a command to carry out, a reply to send at once, or None for a line that wants neither."""
        if self._finished:
            return None
        if event.kind != "line":
            return Reject(_unreadable(event))
        if is_ignored(event.text):
            return None
        try:
            message = parse_words(event.text)
        except SyntaxFault as fault:
            return Reject(format_error(event.id, fault.code, fault.text))
        head, *words = message.words
        # Only a bare word is a command; a pair or a quoted word stands for itself in the error.
        name = head.text if head.is_bare else str(head)
        if name not in COMMANDS:
            return Reject(_unknown(message.id, name))
        verdict = STATES[self._state, name]
        if verdict != "yes":
            return Reject(format_error(message.id, verdict, self._refusal(name)))
        return Command(message.id, name, words)

    def agree(self, version: int = VERSION) -> None:
        """Note that a handshake has agreed on a version; a new process is idle from then on."""
        self.version = version
        if self._state == NEW:
            self._state = IDLE

    def begin_thinking(self, id: str | None) -> None:  # noqa: A002 - the protocol's word
        """Note that a `go` or a tool with this id has begun; raises RuntimeError unless the process is idle."""
        if self._state != IDLE:
            raise RuntimeError(f"cannot begin to think while {self._state}")
        self._state = THINKING
        self._thinking_id = id

    def end_thinking(self) -> None:
        """Note that its final reply has been given; raises RuntimeError if nothing was being thought about."""
        if self._state != THINKING:
            raise RuntimeError(f"cannot end thinking while {self._state}")
        self._state = IDLE
        self._thinking_id = None

    def finish(self) -> None:
        """Note that `quit` has come: no later line is answered."""
        self._finished = True

    def _refusal(self, name: str) -> str:
        if self._state == NEW:
            return f"{name} comes after the handshake: usp {VERSION}"
        return f"{name} has to wait until the thinking has ended; stop ends it"


def _unreadable(event: LineEvent) -> str:
    if event.kind == "too-long":
        text = f"a line holds at most {MAX_LINE} bytes"
        return format_error(event.id, event.kind, text, {"max": MAX_LINE})
    return format_error(event.id, event.kind, "a line is UTF-8 without control characters")


def _unknown(id: str | None, name: str) -> str:  # noqa: A002 - the protocol's word
    if is_private(name):
        # Shortened, because the name may be as long as a line and the reply adds to it.
        return format_reply(id, "ok", format_pair("ignored", clip(name, 100)))
    near = suggest(name.strip('"'), COMMANDS)
    extra = {} if near is None else {"suggest": near}
    return format_error(id, "unknown-command", f"{clip(name)}: no such command", extra)
