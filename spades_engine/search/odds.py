"""Odds in percent, written by tests/engine/run_fit_evidence.py: 600 hands at 20000 nodes a decision."""

from __future__ import annotations

ODDS: tuple[int, ...] = (
    130, 63, 67, 119,  # led, a higher card of the suit
    84, 83, 95, 77,  # led, a lower one
    47, 122, 9, 21,  # won, a cheaper winner
    77, 129, 77, 119,  # won, a higher winner
    114, 352, 124, 163,  # won, a loser
    41, 94, 11, 68,  # lost, a winner
    26, 202, 95, 132,  # lost, a higher loser
    184, 59, 24, 61,  # lost, a lower card
    100, 109, 100, 76,  # ruffed, a lower spade
    100, 151, 100, 126,  # ruffed, a higher spade
    100, 58, 100, 111,  # did not ruff, a spade
    92, 100, 128, 100,  # threw off, a higher card of the suit
    133, 100, 49, 100,  # threw off, a lower one
)  # fmt: skip
"""A line for each sign: does not want tricks, or does; in each, other suits and spades."""
