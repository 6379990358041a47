"""Who meets whom, and with which cards: the pairs of a match, in order.

A match is played in rounds. In a round every encounter plays one pair, and all of them with the same cards, so that
engines that never meet are compared on equal ground, and a match that is broken off is a smaller one of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

SCHEDULES: Final = ("round-robin", "gauntlet")
_SEED = re.compile(r"[A-Za-z0-9._-]{1,48}")


@dataclass(frozen=True, slots=True)
class Job:
    """One pair to be played: its number from 0, the places of the two engines, and the seed of the cards."""

    number: int
    first: int
    second: int
    seed: str


def encounters(engines: int, schedule: str) -> list[tuple[int, int]]:
    """Return who meets whom, by place: all against all, or in a gauntlet the first against each of the others."""
    if schedule == "gauntlet":
        return [(0, other) for other in range(1, engines)]
    return list(combinations(range(engines), 2))


def jobs(engines: int, schedule: str, rounds: int, seed: str, start: int = 0) -> Iterator[Job]:
    """Yield the pairs of the match in order, from number `start` on."""
    meetings = encounters(engines, schedule)
    for number in range(start, rounds * len(meetings)):
        round_, place = divmod(number, len(meetings))
        yield Job(number, *meetings[place], f"{seed}.{round_}")


def is_seed(text: str) -> bool:
    """Tell whether a text can be the seed of a match, which becomes part of the seed of each pair."""
    return _SEED.fullmatch(text) is not None
