"""Exact values for two hands: the rest of the play solved in a world, for the payoff of the game.

What a hand is worth depends, once both have bid, on one number alone: the tricks of the first seat. So a world is
solved for that vector of payoffs, whatever its shape (contracts, bags, nils, the score of the game), by the kernel.
"""

from __future__ import annotations

from spades_engine.search.evaluate import POINT_WEIGHT, Payoff, Scorer
from spades_engine.search.kernels import kernel_name, load_kernel
from spades_engine.search.table import Table
from spades_engine.search.terms import HAND_SIZE

TABLE_BITS = 15
"""2 MiB: what the worlds of one decision need."""
_SCALE = float(1 << 40)
_NO_LIMIT = 1 << 62

Outcome = tuple[Payoff, int]
"""The payoff for the searching seat, and the tricks it wins in the hand."""


class Exact:
    """Solves worlds for the seat `me` of one search, which share what is learned about positions. Two hands only."""

    __slots__ = ("_known", "_me", "_scorer", "_solver")

    def __init__(self, scorer: Scorer, me: int) -> None:
        self._scorer = scorer
        self._me = me
        self._solver = load_kernel(kernel_name()).Solver(TABLE_BITS)
        self._known: dict[tuple[int, ...], tuple[list[Payoff], list[int]]] = {}

    def cards(self, world: Table, max_nodes: int | None) -> tuple[dict[int, Outcome] | None, int]:
        """The outcome of every legal card of the seat to act, None where the nodes do not suffice; and the nodes."""
        payoffs, worths = self._worths(world)
        terms = world.terms
        status, values, nodes = self._solver.solve_each(
            world.hands,
            world.leader,
            world.trick,
            worths,
            world.broken,
            terms.lead_anytime,
            not terms.first_trick_ruff and world.trick_number == 0,
            _NO_LIMIT if max_nodes is None else max_nodes,
        )
        if status:
            return None, nodes
        taken = world.taken[self._me]
        left = HAND_SIZE - world.trick_number
        found = {}
        for card, value in values:
            more = value & 15
            found[card] = payoffs[more], taken + (left - more if self._me else more)
        return found, nodes

    def _worths(self, world: Table) -> tuple[list[Payoff], list[int]]:
        """What each number of further tricks of the first seat is worth: to the searching seat, and to the solver."""
        left = HAND_SIZE - world.trick_number
        key = (*world.kinds, *world.bids, world.taken[0], left)
        found = self._known.get(key)
        if found is None:
            payoffs, worths = [], []
            for more in range(left + 1):
                taken = [world.taken[0] + more, world.taken[1] + left - more]
                payoff = self._scorer.payoff_of(world.kinds, world.bids, taken)
                worth = int((payoff[0] + payoff[1] * POINT_WEIGHT + 1.0) * _SCALE)
                payoffs.append(payoff)
                # The low bits tell the outcomes apart, so that a value gives the number of tricks away.
                worths.append(((-worth if self._me else worth) << 4) + more)
            found = self._known[key] = payoffs, worths
        return found
