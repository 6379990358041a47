"""How a board ends: a closed set, and the exception that ends one before its time."""

from __future__ import annotations

from enum import Enum
from typing import Final

from spades_match.words import DETAILED, clip


class Outcome(Enum):
    """How a board ended; the value is what the results file has."""

    NORMAL = "normal"
    """The hand was scored, or the game has ended by the rules."""
    HAND_CAP = "hand-cap"
    """The game has ended because `hand_cap` hands had been played."""
    TIME_LOSS = "time-loss"
    """An answer to `go` came later than its limit and margin."""
    CRASH = "crash"
    """The process died, closed its output, or could not be started again."""
    STALL = "stall"
    """No answer came at all within the limit of its step."""
    ILLEGAL_ACTION = "illegal-action"
    """`best` named what the rules forbid, or no action."""
    PROTOCOL_VIOLATION = "protocol-violation"
    """An answer that the protocol does not allow: an error to what is right, a final reply of the wrong kind."""
    INTERRUPTED = "interrupted"
    """The runner was stopped. Such a board is never written: it is played again when the match goes on."""

    @property
    def is_fault(self) -> bool:
        """Whether an engine has lost the board by its own fault."""
        return self in FAULTS


FAULTS: Final = frozenset(
    (Outcome.TIME_LOSS, Outcome.CRASH, Outcome.STALL, Outcome.ILLEGAL_ACTION, Outcome.PROTOCOL_VIOLATION)
)
"""The outcomes that have a culprit."""


class MatchError(Exception):
    """The match cannot be played as it was asked for; the text says why, for a person."""


class Exhausted(MatchError):
    """The machine has no more processes or file descriptors to give: no engine's fault."""


class Fault(Exception):
    """An engine has ended the board: the outcome, the engine's name, and what happened.

    `detail` is the same whenever the match is played again, as far as the engine does the same; what varies from run to
    run (the overrun in milliseconds, the last words on standard error) is in `measured`.
    """

    def __init__(self, outcome: Outcome, detail: str, **measured: object) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = clip(detail, DETAILED)
        self.measured = measured
        self.engine = ""
        """The culprit's name; whoever knows it fills it in."""


class Interrupted(Exception):
    """The runner is being stopped."""
