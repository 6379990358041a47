"""Lines of the protocol out of a stream of bytes, and back (SPEC.md, section 10).

`LineReader` takes bytes in pieces of any size and gives out one `LineEvent` per line. It holds no more than one line
of the greatest length, whatever it is fed, and finds its way back at the next LF after a line that cannot be read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, TypeAlias

    LineKind: TypeAlias = Literal["line", "too-long", "bad-encoding"]

MAX_LINE: Final = 65_535
"""Bytes of the longest line, without its LF (and without the byte order mark and the CR that a reader drops)."""

MAX_ID: Final = 32
"""Characters of the longest id, without its `#`."""

_BOM = b"\xef\xbb\xbf"
_ID_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
# Every byte that must not be in a line; LF has ended the line before anybody looks, TAB is a blank.
_CONTROLS = bytes(code for code in range(32) if code != 9) + b"\x7f"
_EXCERPT = 200  # bytes of an unreadable line that are kept for a transcript


class LineEvent:
    """One line that came in.

    `kind` is `line` for one that can be read, `too-long` or `bad-encoding` for one that cannot. `text` is the line
    without its end; of an unreadable line it is a printable excerpt. `id` is the id in front of the line without its
    `#`, where there is one and it can be read, also on an unreadable line.
    """

    __slots__ = ("id", "kind", "text")

    def __init__(self, kind: LineKind, text: str, id: str | None = None) -> None:  # noqa: A002 - the protocol's word
        self.kind: LineKind = kind
        self.text = text
        self.id = id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineEvent):
            return NotImplemented
        return (self.kind, self.text, self.id) == (other.kind, other.text, other.id)

    def __hash__(self) -> int:
        return hash((self.kind, self.text, self.id))

    def __repr__(self) -> str:
        return f"LineEvent({self.kind!r}, {self.text!r}, {self.id!r})"


def is_id(text: str) -> bool:
    """Tell whether `text`, given without its `#`, is an id: 1 to 32 letters, digits, `.`, `_` or `-`."""
    return 0 < len(text) <= MAX_ID and _ID_CHARACTERS.issuperset(text)


def read_id(line: bytes) -> str | None:
    """Return the id in front of `line` without its `#`, or None where there is none that can be read.

    Only the first word is looked at, so the rest of the line may be anything.
    """
    # An id longer than the limit is none, so its end need not be looked for beyond that.
    start = line.lstrip(b" \t")[: MAX_ID + 2]
    if not start.startswith(b"#"):
        return None
    words = start[1:].replace(b"\t", b" ").split(b" ", 1)
    text = words[0].decode("latin-1")
    return text if is_id(text) else None


class LineReader:
    """Cuts a stream of bytes into lines.

    A byte order mark at the very start and one CR directly before an LF are dropped. A line that is too long is
    reported as soon as that is certain, and everything up to the next LF is then thrown away.
    """

    __slots__ = ("_buffer", "_first", "_skipping")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._first = True
        self._skipping = False

    @property
    def held(self) -> int:
        """Bytes of an unfinished line that are being kept."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[LineEvent]:
        """Take the next bytes of the stream, as many as there happen to be, and return the lines they complete."""
        events: list[LineEvent] = []
        position = 0
        while True:
            end = data.find(b"\n", position)
            piece_end = len(data) if end < 0 else end
            if not self._skipping:
                self._take(data, position, piece_end, events)
            if end < 0:
                return events
            if self._skipping:
                self._skipping = False
            else:
                events.append(self._complete())
            position = end + 1

    def eof(self) -> list[LineEvent]:
        """Take the end of the stream: a last line without LF counts as if it had one."""
        if self._skipping or not self._buffer:
            return []
        return [self._complete()]

    def _take(self, data: bytes, start: int, end: int, events: list[LineEvent]) -> None:
        """Keep a piece of the current line, or report the line and begin to skip when it cannot fit."""
        # The one byte more is for a CR that the next LF may turn out to drop.
        limit = MAX_LINE + 1 + (len(_BOM) if self._first else 0)
        self._buffer += data[start : min(end, start + limit + 1 - len(self._buffer))]
        if len(self._buffer) > limit:
            line = self._strip_mark()
            events.append(_too_long(line))
            self._skipping = True

    def _complete(self) -> LineEvent:
        """Turn what is kept into the event of a whole line."""
        line = self._strip_mark()
        if line.endswith(b"\r"):
            line = line[:-1]
        if len(line) > MAX_LINE:
            return _too_long(line)
        # Deleting every control character is the quickest way to ask whether there is one.
        if len(line.translate(None, _CONTROLS)) == len(line):
            try:
                return LineEvent("line", line.decode("utf-8"), read_id(line))
            except UnicodeDecodeError:
                pass
        return LineEvent("bad-encoding", _excerpt(line), read_id(line))

    def _strip_mark(self) -> bytes:
        """Return the bytes kept, without the mark in front of the first line, and keep nothing any more."""
        line = bytes(self._buffer)
        self._buffer.clear()
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        return line


def _too_long(line: bytes) -> LineEvent:
    return LineEvent("too-long", _excerpt(line), read_id(line))


def _excerpt(line: bytes) -> str:
    """Return the start of an unreadable line as printable text."""
    text = line[:_EXCERPT].decode("utf-8", "backslashreplace")
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)


def encode_line(text: str) -> bytes:
    """Return `text` as the bytes of one line, with its LF; trailing blanks are dropped.

    Raises ValueError for a text that is no line: a control character other than TAB, half a surrogate pair, or more
    than `MAX_LINE` bytes.
    """
    line = text.rstrip(" \t").encode("utf-8")
    if len(line.translate(None, _CONTROLS + b"\n")) != len(line):
        raise ValueError(f"a line holds no control characters: {text[:_EXCERPT]!r}")
    if len(line) > MAX_LINE:
        raise ValueError(f"a line holds at most {MAX_LINE} bytes, not {len(line)}")
    return line + b"\n"
