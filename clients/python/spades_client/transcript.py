"""The transcript of a conversation: its tail for error messages, all of it in a file.

The file is a transcript in the format of the conformance suite (protocol/conformance/FORMAT.md), so a conversation
that went wrong can be played again, by hand or as a test. What cannot be the same a second time is written as a
pattern, with the line as it came in a comment before it: times, the choices of a search that was limited by time, the
texts of errors, and the handshake. Give games a `seed` and searches `nodes` to make the rest repeatable too.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from spades_protocol.client import Received
from spades_protocol.replies import Best, Error, Ok, UnknownLine

KEPT = 40  # lines of the tail
_WIDTH = 500  # characters of a line in the tail
_VOLATILE = re.compile(r" (time|nps)=[^ ]*")
_SEEDED = re.compile(r" seed=")


class Transcript:
    """What was said, in order. Entries are `> sent`, `< received` and `; remark`; lines out of place are remarks.

    `path`: a file to write to, overwritten if it is there; each line is in it before the next is read. Raises OSError
    where the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._tail: deque[str] = deque(maxlen=KEPT)
        self._file: TextIO | None = None
        self._held: list[str] | None = None  # lines before the header, which names the engine's levels
        if path is not None:
            self._file = Path(path).open("w", encoding="utf-8", newline="\n", buffering=1)  # noqa: SIM115 - closed below
            self._held = []

    def tail(self) -> tuple[str, ...]:
        """Return the last entries, oldest first, long ones cut."""
        return tuple(self._tail)

    def sent(self, line: str) -> None:
        """Take note of a line that was sent, given with its id."""
        self._keep(f"> {line}")
        self._write(f"> {line}")

    def received(self, item: Received) -> None:
        """Take note of a line that came."""
        self._keep(f"< {item.line}" if item.violation is None else f"< {item.line}  ; {item.violation}")
        if self._file is None:
            return
        pattern = _pattern(item)
        if pattern != item.line:
            self._write(f"; < {_printable(item.line)}")
        if pattern is not None:
            self._write(f"< {pattern}")

    def remark(self, text: str) -> None:
        """Add a remark of the client's own."""
        self._keep(f"; {text}")
        self._write(f"; {_printable(text)}")

    def begin(self, title: str, levels: Sequence[str]) -> None:
        """Write the header, now that the engine is known, and what was held back for it."""
        held, self._held = self._held, None
        for line in (f"; {_printable(title)}", f"; level: {' '.join(levels) or 'core'}", "; covers: reply.2", ""):
            self._write(line)
        for line in held or ():
            self._write(line)

    def close(self) -> None:
        """End the file."""
        if self._held is not None:
            self.begin("A conversation without a handshake", ())
        if self._file is not None:
            self._file.close()
            self._file = None

    def _keep(self, entry: str) -> None:
        self._tail.append(entry if len(entry) <= _WIDTH else entry[:_WIDTH] + "...")

    def _write(self, line: str) -> None:
        if self._held is not None:
            self._held.append(line)
        elif self._file is not None:
            # A full disk must not end the conversation.
            try:
                self._file.write(line.rstrip() + "\n")
            except OSError:
                self._file = None


def _pattern(item: Received) -> str | None:
    """Return what a second playing has to bring in place of this line; None: nothing."""
    reply, pending = item.reply, item.pending
    if pending is None or reply is None or item.violation is not None or isinstance(reply, UnknownLine):
        return None
    name = pending.name
    mark = f"#{pending.id}"
    if name == "usp" and isinstance(reply, Ok):
        return f"...\n< {mark} ok usp={reply.pairs.get('usp', '')} ..."
    if name in ("usp", "help") and not item.is_final:
        return None
    if isinstance(reply, Error):
        extra = "".join(f" {key}={value}" for key, value in reply.pairs.items() if key == "why")
        return f'{mark} error {reply.code} "..."{extra} ...'
    if isinstance(reply, Best):
        words = pending.line.split()
        repeatable = any(word.startswith("nodes=") for word in words) and len(words) == 3
        return f"{mark} best {reply.action} ..." if repeatable else f"{mark} best ..."
    if name == "help":
        return f"...\n< {item.line}"
    if not item.is_final and item.line.split()[1] == "info":
        return None
    if name == "newgame" and not _SEEDED.search(pending.line):
        return re.sub(r" (first|commit)=[^ ]*", r" \1=...", item.line)
    return _VOLATILE.sub(r" \1=...", item.line)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in text)
