"""The double-dummy result of a position: what both sides can win when every hand is open."""

from __future__ import annotations

from dataclasses import dataclass

from spades_engine.game import Card, Hidden, Phase, State, WrongPhase
from spades_engine.search.kernels import load_kernel

NO_LIMIT = 1 << 62
TABLE_BITS = 18  # 16 MiB: room for a whole four-handed deal


@dataclass(frozen=True, slots=True)
class Solution:
    """A card that is best for the side to act, the tricks of the hand by side, and the nodes it took."""

    card: Card
    tricks: tuple[int, int]
    nodes: int


class Unsolved(Exception):
    """The stop flag or the node limit ended the search. `nodes` tells how many there were."""

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self.nodes = nodes


def solve(
    state: State, max_nodes: int | None = None, stop: bytearray | None = None, kernel: str = "compiled"
) -> Solution:
    """Solve a position of the play in which every hand is known, each side taking as many tricks as it can.

    `stop` ends the search when its first byte is set. Raises `WrongPhase`, `Hidden`, or `Unsolved` when cut short.
    """
    rules = state.rules
    if state.phase is not Phase.PLAY or state.leader is None:
        raise WrongPhase("solve needs a hand that is being played")
    if any(state.hidden[seat] for seat in rules.seats):
        raise Hidden("solve needs a table that knows every hand")
    solver = load_kernel(kernel).Solver(TABLE_BITS)
    status, value, card, nodes = solver.solve(
        [int(state.hands[seat]) for seat in rules.seats],
        rules.seats.index(state.leader),
        [int(card) for _, card in state.trick],
        broken=state.broken,
        anytime=rules.lead_spades == "anytime",
        no_first_ruff=not rules.first_trick_ruff and state.trick_number == 0,
        max_nodes=NO_LIMIT if max_nodes is None else max_nodes,
        stop=stop,
    )
    if status != 0:
        raise Unsolved(nodes)
    won = sum(state.taken[seat] for seat in rules.seats_of(rules.sides[0])) + value
    return Solution(Card(card), (won, 13 - won), nodes)
