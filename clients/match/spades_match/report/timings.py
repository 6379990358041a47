"""The timing file of a match, read beside its results: a help, so what is damaged in it is told and left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spades_match.store import read_timings

_TOLD: Final = 5  # damaged lines that are told one by one


@dataclass(frozen=True, slots=True)
class Prediction:
    """What an engine foretold with an action: its figures as they stand, probabilities or not."""

    engine: str
    hand: int
    seat: str
    action: str
    make: object
    equity: object


@dataclass(frozen=True, slots=True)
class BoardTimings:
    """One board: milliseconds of each decision by engine, predictions, and the last words of an engine that failed."""

    times: Mapping[str, Sequence[float]]
    predictions: Sequence[Prediction]
    last_words: str


class Timings:
    """A timing file; there may be none, and pairs may be missing. `damage` says what was left out."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: Iterator[tuple[int, dict[str, Any] | None]] = read_timings(path) if path.is_file() else iter(())
        self._next: tuple[int, dict[str, Any]] | None = None
        self._left_out = 0
        self._told: list[str] = []
        self._step()

    @property
    def damage(self) -> tuple[str, ...]:
        """The lines that were left out, the first few one by one."""
        more = self._left_out - len(self._told)
        return (*self._told, f"{self._path}: {more} more lines were left out") if more else tuple(self._told)

    def of(self, pair: Mapping[str, Any]) -> tuple[BoardTimings, BoardTimings] | None:
        """Return both boards of a pair, the pairs being asked for in order; None if nothing is known of it."""
        while self._next is not None and self._next[1]["pair"] < pair["pair"]:
            self._step()
        if self._next is None or self._next[1]["pair"] != pair["pair"]:
            return None
        number, raw = self._next
        try:
            if raw["engines"] != pair["engines"] or len(raw["boards"]) != len(pair["boards"]):
                raise ValueError("it is of another match")
            first, second = (_board(board, pair["engines"]) for board in raw["boards"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._leave_out(number, f"{error} is missing" if isinstance(error, KeyError) else str(error))
            return None
        return first, second

    def _step(self) -> None:
        for number, raw in self._lines:
            if raw is not None:
                self._next = number, raw
                return
            self._leave_out(number, "it is no line about a later pair than those before")
        self._next = None

    def _leave_out(self, number: int, why: str) -> None:
        self._left_out += 1
        if len(self._told) < _TOLD:
            self._told.append(f"{self._path}: line {number} makes no sense and was left out: {why}")


def _board(raw: Mapping[str, Any], engines: Sequence[str]) -> BoardTimings:
    times = dict(raw["times"])
    if not set(times) <= set(engines):
        raise ValueError("times: an engine that does not play")
    for numbers in times.values():
        if not isinstance(numbers, list) or not all(_is_time(number) for number in numbers):
            raise ValueError("times: they are milliseconds")
    words = raw.get("stderr", "")
    if not isinstance(words, str):
        raise TypeError("stderr: it is a text")
    return BoardTimings(times, [_prediction(one, engines) for one in raw.get("predictions", [])], words)


def _is_time(number: object) -> bool:
    return type(number) in (int, float) and 0 <= number < 1e12 and math.isfinite(number)  # type: ignore[operator, arg-type]


def _prediction(raw: Mapping[str, Any], engines: Sequence[str]) -> Prediction:
    engine, hand, seat, action = raw["engine"], raw["hand"], raw["seat"], raw["action"]
    if engine not in engines or type(hand) is not int or not isinstance(seat, str) or not isinstance(action, str):
        raise ValueError("predictions: they have engine, hand, seat and action")
    return Prediction(engine, hand, seat, action, raw.get("make"), raw.get("equity"))
