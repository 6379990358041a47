"""Everything the rules can object to.

Every class is a `GameError` and carries `text`, one sentence for a person. `IllegalAction` also carries `why`, one
word of the closed set `WHYS`, for a program.
"""

from __future__ import annotations

WHYS: tuple[str, ...] = (
    "must-follow",  # the hand holds a card of the suit led
    "spades-not-broken",  # a spade led too early
    "no-first-ruff",  # a spade on trick 1 where the option first_trick_ruff=no forbids it
    "not-in-hand",  # the seat does not hold the card
    "duplicate-card",  # one card twice in a line
    "card-known-elsewhere",  # the card was played, is known to lie in another place, or is not in the deck
    "void-shown",  # the seat has shown that it cannot hold this
    "card-needed",  # ?? or no cards at all where this table must know them
    "hidden-card",  # a card, or a choice, that the seat of this table's view cannot see
    "wrong-count",  # too many or too few cards
    "bid-range",  # no such contract at this table
    "nil-off",  # the option nil or blind_nil is off
    "not-allowed",  # blind nil where it may not be called, and what does not exist in this form of the game
    "wrong-number",  # a deal with another number than the next
    "wrong-first",  # a deal with another first seat than the rules say
    "wrong-result",  # a result line that disagrees with the table
)


class GameError(ValueError):
    """Base of all objections of the rules. `text` is one sentence for a person."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return self.text


class UnreadableEvent(GameError):
    """The text is not a card, a bid or a record line at all."""


class WrongPhase(GameError):
    """The table waits for something of another kind."""


class WrongSeat(GameError):
    """The table waits for another seat."""


class Hidden(GameError):
    """The answer needs cards that this table does not know."""


class IllegalAction(GameError):
    """The rules forbid it; `why` is one of `WHYS`."""

    def __init__(self, why: str, text: str) -> None:
        assert why in WHYS, why
        ValueError.__init__(self, why, text)
        self.why = why
        self.text = text


class OptionError(GameError):
    """A rule option that cannot be set.

    `option` names it, `allowed` says what it takes ("" for an unknown name), `suggest` is the name or value that was
    most likely meant ("" if none is near), `limits` is (lowest, highest) for a number out of range, otherwise None.
    """

    def __init__(
        self,
        option: str,
        message: str,
        allowed: str = "",
        suggest: str = "",
        limits: tuple[int, int] | None = None,
    ) -> None:
        ValueError.__init__(self, option, message, allowed, suggest, limits)
        self.option = option
        self.message = message
        self.allowed = allowed
        self.suggest = suggest
        self.limits = limits
        self.text = f"{message}; did you mean {suggest}?" if suggest else message
