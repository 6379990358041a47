"""The errors of the protocol (SPEC.md, sections 11 and 24)."""

from __future__ import annotations

from spades_protocol.words import clip, format_pair, format_reply, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

ERRORS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "unknown-command": ("no such command", ("suggest",)),
    "bad-syntax": ("words missing, too many, or a key twice; a quote left open", ()),
    "bad-argument": ("a word, key or value that does not fit", ("suggest", "line")),
    "out-of-range": ("a number outside its range", ("min", "max")),
    "illegal-action": ("the rules of the game forbid it", ("why",)),
    "wrong-phase": ("not a command for this state or phase", ("phase",)),
    "wrong-seat": ("another seat is to act", ("turn",)),
    "no-game": ("there is no game", ()),
    "hidden": (
        (
            "the answer would show what this table may not see, or the action is not what `go` answered for the"
            " program's seat"
        ),
        (),
    ),
    "busy": ("thinking", ()),
    "stopped": ("`stop`, `quit` or a limit ended a tool before it had its answer", ()),
    "too-long": ("a line over the limit", ("max",)),
    "bad-encoding": ("invalid UTF-8 or a control character", ()),
    "unsupported": ("a version, level or combination that this program does not have", ("versions",)),
    "internal": ("a fault in the program; its state is as before", ()),
}
"""Every error code: when it is used, and the keys it may carry. Inside `position` each also carries `line`."""

WHYS: Final = (
    "must-follow",
    "spades-not-broken",
    "no-first-ruff",
    "not-in-hand",
    "duplicate-card",
    "card-known-elsewhere",
    "void-shown",
    "card-needed",
    "hidden-card",
    "wrong-count",
    "bid-range",
    "nil-off",
    "not-allowed",
    "wrong-number",
    "wrong-first",
    "wrong-result",
)
"""The values of `why` on an `illegal-action`."""


MAX_TEXT: Final = 300
"""Characters of the longest error text."""


class ProtocolError(Exception):
    """What an `error` reply says: a code of `ERRORS`, a text for people, and further pairs."""

    def __init__(self, code: str, text: str, extra: Mapping[str, str | int] | None = None) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.extra: dict[str, str | int] = dict(extra or {})

    def __str__(self) -> str:
        return self.format(None)

    def format(self, id: str | None) -> str:  # noqa: A002 - the protocol's word
        """Return the `error` line, with the id of the command it answers."""
        return format_error(id, self.code, self.text, self.extra)


def format_error(
    id: str | None,  # noqa: A002 - the protocol's word
    code: str,
    text: str,
    extra: Mapping[str, str | int] | None = None,
) -> str:
    """Return the line `error <code> "<text>" [key=value …]`, with the id in front where there is one.

    A text often quotes what came in: it is cut to `MAX_TEXT` characters, and whatever is not printable ASCII is shown
    as `?`, so that the reply is a line for every reader.
    """
    text = "".join([character if " " <= character <= "~" else "?" for character in clip(text, MAX_TEXT)])
    pairs = [format_pair(key, value) for key, value in (extra or {}).items()]
    return format_reply(id, "error", code, quote(text), *pairs)
