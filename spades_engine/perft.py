"""Counting what can be decided from a position: a figure that two programs agree on only if their rules agree.

A sequence of decisions is as long as the depth asked for, or shorter where the hand ends; what chance decides comes
from the dealer as it will come in the game.
"""

from __future__ import annotations

from collections.abc import Callable

from spades_engine.game import (
    Action,
    Dealer,
    Hidden,
    Phase,
    State,
    advance,
    legal_actions,
)


class PerftStopped(Exception):
    """The `stop` function said so before the count was complete."""


Stop = Callable[[], bool]


def perft(state: State, dealer: Dealer | None, depth: int, stop: Stop | None = None) -> int:
    """How many sequences of `depth` decisions there are from here; a sequence that ends with the hand counts as one.

    Without a dealer everything that chance still decides must be behind. Raises `Hidden` where a hand, or a card to
    come, is not known, and `PerftStopped` when `stop`, asked at every inner node, answers True.
    """
    if depth <= 0 or state.phase in (Phase.DEAL, Phase.OVER):
        return 1
    if stop is not None and stop():
        raise PerftStopped
    actions = _decisions(state, dealer)
    if depth == 1:
        return len(actions)
    return sum(perft(_after(state, dealer, action), dealer, depth - 1, stop) for action in actions)


def divide(state: State, dealer: Dealer | None, depth: int, stop: Stop | None = None) -> tuple[tuple[Action, int], ...]:
    """The same count for each first action, in the order of `legal_actions`; empty at depth 0 and between hands."""
    if depth <= 0:
        return ()
    actions = _decisions(state, dealer)
    return tuple((action, perft(_after(state, dealer, action), dealer, depth - 1, stop)) for action in actions)


def _decisions(state: State, dealer: Dealer | None) -> tuple[Action, ...]:
    if state.viewer is not None:
        raise Hidden("counting needs a table that knows every card")
    if dealer is None and _has_chance_ahead(state):
        raise Hidden("counting needs the cards still to come")
    return legal_actions(state)


def _has_chance_ahead(state: State) -> bool:
    """Whether the dealer still has to turn up cards in this hand."""
    if state.rules.is_drafted:
        return state.stock_left > 0 or state.phase is Phase.SWAP
    return any(state.hidden)


def _after(state: State, dealer: Dealer | None, action: Action) -> State:
    return state.apply(action) if dealer is None else advance(dealer, state, action)[0]
