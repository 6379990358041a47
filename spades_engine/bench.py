"""One node count over a fixed set of positions: it changes with the choices and the solver, and on no other account."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spades_engine.engine import Limits, choose, quick_choice
from spades_engine.game import PRESETS, Dealer, Phase, RuleSet, State, View, advance, deal, new_game, seed_streams
from spades_engine.search.double_dummy import Unsolved, solve
from spades_engine.search.kernels import kernel_name

NODES = 8000  # of every search
EVERY = 7  # decisions from one searched position to the next
SOLVE_FROM = 5  # tricks completed from which positions are solved as well


class Stopped(Exception):
    """The bench was stopped before its count was complete."""


@dataclass(frozen=True, slots=True)
class Result:
    """Nodes of all searches and solutions, the seconds they took, and which kernel ran."""

    nodes: int
    seconds: float
    kernel: str


def positions() -> Iterator[State]:
    """The positions: every seventh decision of a hand of each preset, played by the policy alone."""
    for preset in PRESETS:
        rules = RuleSet.preset_named(preset)
        dealer = Dealer(rules, seed_streams(f"bench-{preset}"))
        state, _ = deal(dealer, new_game(rules, dealer.first_seat()))
        decision = 0
        while state.phase is not Phase.DEAL:
            if decision % EVERY == 0:
                yield state
            decision += 1
            turn = state.turn
            if turn is None:
                raise AssertionError("a position in which nobody is to act")
            state, _ = advance(dealer, state, quick_choice(View.of(state, turn)))


def run(is_stopped: Callable[[], bool]) -> Result:
    """Search and solve the positions. Raises `Stopped`."""
    started = time.monotonic()
    nodes = 0
    flag = bytearray(1)
    for state in positions():
        if is_stopped():
            raise Stopped
        turn = state.turn
        if turn is None:
            raise AssertionError("a position in which nobody is to act")
        choice = choose(View.of(state, turn), Limits(nodes=NODES), seed="bench", overhead=0, is_stopped=is_stopped)
        nodes += choice.nodes
        if state.phase is Phase.PLAY and state.trick_number >= SOLVE_FROM:
            try:
                nodes += solve(state, None, flag).nodes
            except Unsolved:
                raise Stopped from None
    if is_stopped():
        raise Stopped
    return Result(nodes, time.monotonic() - started, kernel_name())
