"""The table of a two-player game's win probabilities: solved, packed into a file, looked up.

The table of a rule set is solved when it is first asked for; those of three presets come with the package. A packed
table starts with the checksum of what it was solved from, so one that no longer fits is never taken.
"""

from __future__ import annotations

import os.path
import sys
import zlib
from array import array
from functools import lru_cache
from types import ModuleType

from spades_engine.equity import _sweep
from spades_engine.equity.lattice import Hands, Lattice
from spades_engine.game import RuleSet

PACKED = ("draft", "draft300", "duel")
"""The presets whose tables come with the package."""

WHOLE = 1 << 15
"""Certainty in a table."""
_MASK = 0xFFFF
_SETTLED = 1e-5
"""The greatest change of a pass after which a table is taken to be right."""
_MOST_PASSES = 100
_FADED, _FADING = 0.75, 0.25
"""Of the points between the end of a table and the target: a leader who is so far from the target cannot use it at all,
and for the last such part of that way can use it more and more.
"""
_CHECKSUM_BYTES = 4


class Chart:
    """Win probabilities by the standings of both sides, in parts of `WHOLE`."""

    __slots__ = ("_entries", "_lattice")

    def __init__(self, lattice: Lattice, entries: array[int]) -> None:
        self._lattice = lattice
        self._entries = entries

    def wins(self, points: int, bags: int, other_points: int, other_bags: int) -> float:
        """The probability that the side which bids first in the next hand wins: by its total and bags, and the other's.

        The game must not have ended. Between two steps of the score the probability is drawn as a straight line.
        """
        lattice = self._lattice
        counts = lattice.bag_counts
        if bags >= counts:
            bags = counts - 1
        if other_bags >= counts:
            other_bags = counts - 1
        low, high, part = lattice.around(points, bags)
        other_low, other_high, other_part = lattice.around(other_points, other_bags)
        value = self._line(low, other_low, other_high, other_part, bags, other_bags)
        if high != low:
            value += part * (self._line(high, other_low, other_high, other_part, bags, other_bags) - value)
        return value / WHOLE

    def share(self, best: int) -> float:
        """How far the table is to be trusted where the higher total is `best`, from 0 to 1: not at all where a side
        that is behind by little would be below its end.
        """
        lattice = self._lattice
        if not lattice.is_short:
            return 1.0
        depth = lattice.target - lattice.low
        return min(max((best - lattice.target) / (_FADING * depth) + _FADED / _FADING, 0.0), 1.0)

    def _line(self, step: int, low: int, high: int, part: float, bags: int, other_bags: int) -> float:
        counts = self._lattice.bag_counts
        row = step * self._lattice.steps
        value = float(self._entries[((row + low) * counts + bags) * counts + other_bags])
        if high != low:
            value += part * (self._entries[((row + high) * counts + bags) * counts + other_bags] - value)
        return value


@lru_cache(maxsize=8)
def chart_of(rules: RuleSet) -> Chart:
    """The table of a rule set of two players; solved the first time unless it comes with the package."""
    hands = Hands(rules)
    mark = checksum(hands)
    entries = _solved.get(mark)
    if entries is None:
        packed = _packed(mark)
        entries = solve(hands) if packed is None else unpack(packed, hands.lattice)
        while len(_solved) >= _MOST_SOLVED:
            del _solved[next(iter(_solved))]
        _solved[mark] = entries
    return Chart(hands.lattice, entries)


_MOST_SOLVED = 8
_solved: dict[bytes, array[int]] = {}
"""Entries by checksum: many rule sets differ in options that a table does not depend on."""


def checksum(hands: Hands) -> bytes:
    """Four bytes that tell one problem from another."""
    lattice = hands.lattice
    shape = array("i", [lattice.bag_counts, lattice.target, lattice.floor])
    value = 0
    for part in (shape, lattice.totals, hands.first_follow, hands.other_follow, hands.patches, hands.weights):
        value = zlib.crc32(_little(part), value)
    return value.to_bytes(_CHECKSUM_BYTES, "little")


def solve(hands: Hands, module: ModuleType = _sweep) -> array[int]:
    """The entries of the table: passes of the compiled or the plain `sweep` until nothing moves."""
    lattice = hands.lattice
    counts = lattice.bag_counts
    values = array("f", [0.5]) * (len(lattice.totals) * len(lattice.totals))
    sums = array("d", [0.0]) * (counts * counts)
    module.settle(values, lattice.totals, counts, lattice.target, lattice.floor)
    for _ in range(_MOST_PASSES):
        change = module.sweep(
            values,
            sums,
            lattice.totals,
            counts,
            lattice.target,
            lattice.floor,
            hands.first_follow,
            hands.other_follow,
            hands.patches,
            hands.weights,
        )
        if change < _SETTLED:
            break
    return array("H", [int(value * WHOLE + 0.5) for value in values])


def packed_chart(rules: RuleSet) -> bytes:
    """The table of a rule set as it comes with the package."""
    hands = Hands(rules)
    return checksum(hands) + pack(solve(hands), hands.lattice)


def pack(entries: array[int], lattice: Lattice) -> bytes:
    """Entries compressed: what its neighbours a step below leave of an entry, low bytes and high bytes apart."""
    for lag in _lags(lattice):
        shifted = array("H", bytes(2 * lag)) + entries
        entries = array("H", [entry - before & _MASK for entry, before in zip(entries, shifted, strict=False)])
    data = _little(entries)
    return zlib.compress(data[::2] + data[1::2], 9)


def unpack(data: bytes, lattice: Lattice) -> array[int]:
    """The entries of `pack`."""
    halves = zlib.decompress(data)
    middle = len(halves) // 2
    joined = bytearray(len(halves))
    joined[::2] = halves[:middle]
    joined[1::2] = halves[middle:]
    entries = array("H", joined)
    if sys.byteorder == "big":
        entries.byteswap()
    for lag in _lags(lattice):
        _sweep.add_up(entries, lag)
    return entries


def _lags(lattice: Lattice) -> tuple[int, int]:
    """How far apart entries are whose scores differ by a step of the one side, and of the other."""
    block = lattice.bag_counts * lattice.bag_counts
    return block, block * lattice.steps


def _packed(mark: bytes) -> bytes | None:
    """The packed table with that checksum, None if none comes with the package."""
    folder = os.path.dirname(__file__)
    for preset in PACKED:
        with open(os.path.join(folder, preset + ".bin"), "rb") as file:
            if file.read(_CHECKSUM_BYTES) == mark:
                return file.read()
    return None


def _little(numbers: array[int] | array[float]) -> bytes:
    """The bytes of an array, least significant first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
