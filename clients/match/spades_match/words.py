"""Text of engines and files made fit for people: nothing in it that a terminal or a page takes for more than text."""

from __future__ import annotations

from typing import Final

QUOTED: Final = 200
"""Characters of an engine's line that are quoted; a line may have 65,535."""
DETAILED: Final = 600
"""Characters of what is said of a fault in all."""


def plain(text: str) -> str:
    """Return the text with what cannot be printed escaped: control characters, line breaks, halves of surrogates."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def clip(text: str, length: int = QUOTED) -> str:
    """Return the text, or its beginning with a mark where it goes on."""
    return text if len(text) <= length else text[: length - 3] + "..."


def quoted(text: str) -> str:
    """Return an engine's line for a message: in quotation marks, clipped, and plain."""
    return f"'{plain(clip(text))}'"


def of_system(error: OSError) -> str:
    """Return what the system says has failed, with the file it was about, in one sentence."""
    name = plain(str(error.filename)) if error.filename is not None else ""
    reason = (error.strerror or str(error)).lower()
    remedy = _REMEDIES.get(type(error).__name__, "")
    return f"{name}: {reason}{remedy}" if name else f"{reason}{remedy}"


_REMEDIES: Final = {
    "FileNotFoundError": "; is the path right, and its folder there?",
    "PermissionError": "; may you read and write there?",
    "IsADirectoryError": "; name a file in it",
    "NotADirectoryError": "; a part of the path is a file",
}
