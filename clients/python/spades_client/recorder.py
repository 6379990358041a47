"""A recorder of games: what was played, as a script for any table with `dealer=host` (SPEC.md, section 9)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from spades_client.views import GameSetup

RECORD_KINDS = frozenset({"deal", "look", "draft", "swap", "bid", "play"})
RESULT_KINDS = frozenset({"trick", "score", "end"})


class Recorder:
    """The record lines of one game, in order.

    Result lines are passed over, since they follow from the rest, and so are lines of kinds it does not know. With
    `view` every line is masked for that seat as it is added, and the record is what that seat saw.
    """

    def __init__(self, setup: GameSetup, view: str = "all") -> None:
        self.setup = setup
        self.view = view
        self.comments: list[str] = []
        self._lines: list[str] = []

    @classmethod
    def load(cls, path: str | os.PathLike[str], setup: GameSetup, view: str = "all") -> Recorder:
        """Read the record lines of a file that `save` wrote; `setup` and `view` are taken as given."""
        recorder = cls(setup, view)
        recorder.extend(Path(path).read_text("utf-8").splitlines())
        return recorder

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """The record lines so far, without the `newgame`."""
        return tuple(self._lines)

    def add(self, line: str) -> None:
        """Add what has happened: a record line, or an event's text."""
        if line.split(" ", 1)[0] in RECORD_KINDS:
            self._lines.append(line if self.view == "all" else self.setup.mask(line, self.view))

    def extend(self, lines: Iterable[str]) -> None:
        """Add several lines."""
        for line in lines:
            self.add(line)

    def truncate(self, length: int) -> None:
        """Forget all but the first `length` lines, after an `undo`."""
        del self._lines[length:]

    def script(self) -> list[str]:
        """Return the commands that set the game up at a table with `dealer=host`, `newgame` first."""
        return [self.setup.newgame("host", self.view), *self._lines]

    def position(self) -> str:
        """Return the same as the one line that the command `position` takes."""
        return "position " + " ; ".join(self.script())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, comments last; the file can be sent line by line to any engine."""
        lines = [*self.script(), *(f"; {comment}" for comment in self.comments)]
        Path(path).write_text("\n".join(lines) + "\n", "utf-8")
