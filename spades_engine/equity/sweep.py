"""One pass over all scores of a two-player game: each probability of winning from those that one more hand leads to.

This file is one source for two modules. Imported as it stands it is the readable reference,
`spades_engine.equity.sweep`. Compiled with the C types of `_sweep.pxd` it becomes `spades_engine.equity._sweep`, which
gives the same figures to the last bit: doubles are added, subtracted and multiplied in the same order, nothing is
contracted, and what is kept is rounded to 32 bits by both.

**Standings.** A side stands at a step of the score and a number of running bags. `values` has the probability that the
side which bids first in the next hand wins, at `((its step * steps + other step) * bag_counts + its bags) * bag_counts
+ other bags`; `totals` has a side's points at `step * bag_counts + bags`. After a hand the other side bids first, so
what follows a hand is read with the sides exchanged.

**Patches.** What a hand does to one side is a move: `first_follow[step * first_moves + move]` is the step it leads to.
A patch is one kind of hand for a range of both sides' running bags: eight ints, `move, bags from, bags up to, change of
bags` of the first bidder and the same of the other side; its probability is in `weights`. For any running bags the
weights of the patches that cover them add up to one.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ModuleNotFoundError:  # not compiled, and no Cython about: the one word of it used here means nothing then
    from contextlib import nullcontext
    from types import SimpleNamespace

    cython = SimpleNamespace(nogil=nullcontext())


def settle(values: MutableSequence[float], totals: Sequence[int], bag_counts: int, target: int, floor: int) -> int:
    """Write 1 and 0 wherever the game has ended; the number of places where it goes on.

    It has ended with unequal totals of which one has reached the target, or the floor from above.
    """
    steps = len(totals) // bag_counts
    at = 0
    left = 0
    with cython.nogil:
        for first in range(steps):
            for other in range(steps):
                for first_bags in range(bag_counts):
                    mine = totals[first * bag_counts + first_bags]
                    for other_bags in range(bag_counts):
                        theirs = totals[other * bag_counts + other_bags]
                        if mine != theirs and (mine >= target or theirs >= target or mine <= floor or theirs <= floor):
                            values[at] = 1.0 if mine > theirs else 0.0
                        else:
                            left += 1
                        at += 1
    return left


def sweep(
    values: MutableSequence[float],
    sums: MutableSequence[float],
    totals: Sequence[int],
    bag_counts: int,
    target: int,
    floor: int,
    first_follow: Sequence[int],
    other_follow: Sequence[int],
    patches: Sequence[int],
    weights: Sequence[float],
) -> float:
    """Renew all values where the game goes on, from high scores down, each from the newest values; the greatest change.

    `sums` is room for `bag_counts` squared numbers. Where both sides are at the highest step nothing is renewed: it
    stands for all above it, so a hand would mostly lead back to it, and passes without end would tell what to make of
    ties that hardly ever come about.
    """
    steps = len(totals) // bag_counts
    block = bag_counts * bag_counts
    first_moves = len(first_follow) // steps
    other_moves = len(other_follow) // steps
    kinds = len(weights)
    greatest = 0.0
    with cython.nogil:
        for rank in range(1, 2 * steps - 1):
            both = 2 * steps - 2 - rank
            low = both - steps + 1 if both >= steps else 0
            high = both if both < steps else steps - 1
            for first in range(low, high + 1):
                other = both - first
                # Points of a side grow with its bags, so two corners tell whether the game goes on anywhere here.
                mine = totals[first * bag_counts]
                theirs = totals[other * bag_counts]
                if first != other and (mine >= target or theirs >= target):
                    continue
                mine = totals[first * bag_counts + bag_counts - 1]
                theirs = totals[other * bag_counts + bag_counts - 1]
                if first != other and (mine <= floor or theirs <= floor):
                    continue
                for place in range(block):
                    sums[place] = 0.0
                for kind in range(kinds):
                    patch = 8 * kind
                    chance = weights[kind]
                    start = other_follow[other * other_moves + patches[patch + 4]] * steps
                    start += first_follow[first * first_moves + patches[patch]]
                    place = patches[patch + 5] * bag_counts + patches[patch + 1]
                    start = start * block + place + patches[patch + 7] * bag_counts + patches[patch + 3]
                    width = patches[patch + 2] - patches[patch + 1]
                    height = patches[patch + 6] - patches[patch + 5]
                    for row in range(height):
                        for at in range(width):
                            sums[place + row * bag_counts + at] += chance * values[start + row * bag_counts + at]
                start = (first * steps + other) * block
                for first_bags in range(bag_counts):
                    mine = totals[first * bag_counts + first_bags]
                    for other_bags in range(bag_counts):
                        theirs = totals[other * bag_counts + other_bags]
                        if mine == theirs or not (
                            mine >= target or theirs >= target or mine <= floor or theirs <= floor
                        ):
                            change = values[start] - 1.0 + sums[other_bags * bag_counts + first_bags]
                            values[start] = 1.0 - sums[other_bags * bag_counts + first_bags]
                            if change < 0.0:
                                change = 0.0 - change
                            if change > greatest:
                                greatest = change
                        start += 1
    return greatest


def add_up(numbers: MutableSequence[int], lag: int) -> None:
    """Add to each number the one `lag` places before it, from the front on, within 16 bits."""
    end = len(numbers)
    with cython.nogil:
        for at in range(lag, end):
            numbers[at] = numbers[at] + numbers[at - lag] & 0xFFFF
