"""What a line of a results file must look like before anything is made of it: a damaged file is told as such.

Whether a pair is what the rules and the seed make of it is another question (`replay`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from spades_match.outcomes import MatchError, Outcome

LONGEST: Final = 64 << 20
"""Bytes of a line; a game of the most hands that any rules allow has a hundredth of it."""
_GREATEST: Final = 10**9
"""No count, number of points or pair is greater."""
_OUTCOMES: Final = {outcome.value for outcome in Outcome} - {Outcome.INTERRUPTED.value}


def check_file(path: Path) -> None:
    """Raise MatchError for what is no file to be read: a folder, a pipe, a device, nothing at all."""
    if not path.is_file():
        raise MatchError(f"{path} is not a file" if path.exists() else f"{path}: there is no such file")


def parse_line(line: bytes) -> dict[str, Any] | None:
    """Return the object of a whole line, or None where it is none."""
    if not line.endswith(b"}\n"):
        return None
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None


def number_of(raw: Mapping[str, Any] | None) -> int | None:
    """Return the number of the pair that a line is about, or None where it is about none."""
    number = None if raw is None else raw.get("pair")
    return number if type(number) is int and 0 <= number <= _GREATEST else None


def fault_in_pair(raw: Mapping[str, Any]) -> str:
    """Return what is wrong with the form of a pair, "" if nothing is."""
    try:
        _check_pair(raw)
    except (KeyError, TypeError, ValueError) as error:
        return f"{error} is missing" if isinstance(error, KeyError) else str(error)
    return ""


def _check_pair(raw: Mapping[str, Any]) -> None:
    _texts(raw, "rules", "mode", "seed")
    if not _is_table(raw["options"], str):
        raise TypeError("options: they are texts by name")
    engines = raw["engines"]
    if not _is_list(engines, str) or len(engines) != 2:
        raise TypeError("engines: they are two names")
    if not _is_list(raw["boards"], dict) or [board.get("swapped") for board in raw["boards"]] != [False, True]:
        raise TypeError("boards: they are two, the second one swapped")
    for board in raw["boards"]:
        _check_board(board, engines)


def _check_board(board: Mapping[str, Any], engines: list[str]) -> None:
    _texts(board, "outcome", "detail")
    if board["outcome"] not in _OUTCOMES:
        raise ValueError(f"outcome: there is none called {board['outcome']!r}")
    nobody = () if Outcome(board["outcome"]).is_fault else (None,)
    if board["culprit"] not in (*engines, *nobody):
        raise ValueError(f"culprit: {board['culprit']!r} does not play")
    if board["winner"] not in (None, "draw", *engines):
        raise ValueError(f"winner: {board['winner']!r} does not play")
    if not _is_list(board["points"], int) or len(board["points"]) != 2:
        raise TypeError("points: they are two whole numbers")
    if type(board["hands"]) is not int or not 0 <= board["hands"] <= _GREATEST:
        raise TypeError("hands: it is a whole number")
    if not _is_list(board["record"], str):
        raise TypeError("record: it is a list of lines")
    details = board["hands_detail"]
    if not _is_list(details, dict):
        raise TypeError("hands_detail: it is a list of hands")
    for detail in details:
        if not all(_is_table(detail[key], str) for key in ("bids", "by")):
            raise TypeError("hands_detail: bids and by are texts by seat")
        if not all(_is_table(detail[key], int) for key in ("tricks", "points", "bags")):
            raise TypeError("hands_detail: tricks, points and bags are whole numbers by seat or side")
        if not set(detail["by"].values()) <= set(engines):
            raise ValueError("hands_detail: by names an engine that does not play")


def _texts(raw: Mapping[str, Any], *keys: str) -> None:
    for key in keys:
        if not isinstance(raw[key], str):
            raise TypeError(f"{key}: it is a text")


def _is_list(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(_is_kind(item, kind) for item in value)


def _is_table(value: object, kind: type) -> bool:
    return isinstance(value, dict) and all(_is_kind(item, kind) for item in value.values())


def _is_kind(value: object, kind: type) -> bool:
    if kind is int:
        return type(value) is int and abs(value) <= _GREATEST
    return isinstance(value, kind)
