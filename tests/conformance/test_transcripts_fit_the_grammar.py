"""Every line of every transcript against protocol/grammar.abnf, in both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.grammar import validate_command, validate_reply

SUITE = Path(__file__).resolve().parents[2] / "protocol" / "conformance"
TRANSCRIPTS = sorted((SUITE / "valid").rglob("*.txt")) + sorted((SUITE / "invalid").rglob("*.txt"))
FINAL = ("ok", "error", "best")


def exchanges(text: str) -> list[tuple[str, list[str]]]:
    """Each command that is sent as a plain line, with the lines expected before the next command."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        elif line.startswith(">"):
            found.append(("", []))  # raw bytes and the like
        elif line.startswith("< ") and found:
            found[-1][1].append(line[2:])
    return found


def is_whole(line: str) -> bool:
    """Whether the line stands there as it is printed: no pattern, no variable."""
    return "..." not in line and ("{" not in line or line.startswith("state {"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[str(path.relative_to(SUITE)) for path in TRANSCRIPTS])
def test_every_line_fits_the_grammar(path: Path) -> None:
    """A command that is to succeed is one a client may send, and every expected line one an engine may print."""
    for command, expected in exchanges(path.read_text(encoding="utf-8")):
        refused = any(word == "error" for line in expected for word in line.split(" ")[:2])
        ignored = any("ignored=" in line for line in expected) or not expected
        if command and is_whole(command) and not refused and not ignored and not command.startswith(";"):
            validate_command(command)
        for line in expected:
            if is_whole(line) and not line.startswith("state "):
                validate_reply(line)
