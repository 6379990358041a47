"""A line that tells how far a match is, for a person at a terminal; silent where there is none."""

from __future__ import annotations

import shutil
import sys
from typing import Any

from spades_match.pairs import PairResult

HINT = "spades-match: no progress line, since tqdm is not installed: pip install 'spades-engine[match]'\n"


class Progress:
    """Pairs done, pairs a second, time left, hands, and how many boards ended by a fault."""

    def __init__(self, total: int, done: int, *, is_quiet: bool = False) -> None:
        self._bar: Any = None
        self._hands = self._faults = 0
        if is_quiet or not sys.stderr.isatty():
            return
        try:
            from tqdm import tqdm  # late: the only part of the runner that needs it, and only at a terminal
        except ImportError:
            sys.stderr.write(HINT)
            return
        # Of its own tqdm writes nothing to a terminal that does not say how large it is.
        size = shutil.get_terminal_size()
        self._bar = tqdm(
            total=total, initial=done, unit="pair", smoothing=0.05, ncols=size.columns - 1, nrows=size.lines
        )

    def add(self, result: PairResult, note: str = "") -> None:
        """Take note of a pair that has been written; `note` ends the line."""
        self._hands += result.hands
        self._faults += len(result.culprits)
        if self._bar is not None:
            faults = f", {self._faults} lost by a fault" if self._faults else ""
            self._bar.set_postfix_str(f"{self._hands} hands{faults}" + (f", {note}" if note else ""), refresh=False)
            self._bar.update()

    def close(self) -> None:
        """End the line."""
        if self._bar is not None:
            self._bar.close()
