"""What the actions of a seat come to in one world: by playing it out with the rule policy, or by solving it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spades_engine.game import Play
from spades_engine.search.candidates import Candidate
from spades_engine.search.evaluate import Payoff, Scorer
from spades_engine.search.exact import Exact
from spades_engine.search.playout import most_nodes, play_out
from spades_engine.search.table import Table

Outcome = tuple[Payoff, int]
"""The payoff for the searching seat, and the tricks it wins in the hand."""


class Judge:
    """Values all candidates in the same world. `nodes` counts the work of all worlds."""

    __slots__ = ("nodes",)

    least_worlds = 1
    """Below so many worlds the rule's action stands."""
    margin_squared = 0.0
    """A rival of the rule's action must be better by the root of so many standard errors."""
    most_worlds = 1024
    """More worlds tell nothing more."""

    def __init__(self) -> None:
        self.nodes = 0

    def outcomes(
        self, world: Table, candidates: Sequence[Candidate], node_limit: int | None, should_stop: Callable[[], bool]
    ) -> list[Outcome]:
        """The outcome of each candidate in turn; fewer if the node limit or the stop cut it short."""
        raise NotImplementedError


class PlayoutJudge(Judge):
    """Every candidate is played out to the end of the hand by the rule policy.

    A node is a card played, a card kept or passed, a bid or an exchange. Few playouts are noise, and a candidate that
    only looks best by chance costs more than it brings: so the rule's action stands unless another is clearly better.
    """

    __slots__ = ("_scorer",)

    least_worlds = 20
    margin_squared = 4.0

    def __init__(self, scorer: Scorer) -> None:
        super().__init__()
        self._scorer = scorer

    def outcomes(
        self, world: Table, candidates: Sequence[Candidate], node_limit: int | None, should_stop: Callable[[], bool]
    ) -> list[Outcome]:
        """The outcome of each candidate in turn; fewer if the node limit or the stop cut it short."""
        me = world.turn
        bound = most_nodes(world)
        found: list[Outcome] = []
        for candidate in candidates:
            if (node_limit is not None and self.nodes + bound > node_limit) or should_stop():
                break
            table = world.copy()
            candidate.make(table)
            play_out(table)
            self.nodes += table.nodes
            found.append((self._scorer.payoff(table), table.taken[me]))
        return found


class ExactJudge(Judge):
    """The rest of the play is solved with both hands seen, for the equity of the game. For two hands being played.

    A node is one of the solver's; drawing a world counts as `WORLD_NODES`.
    """

    __slots__ = ("_exact", "_me", "_scorer")

    least_worlds = 4

    WORLD_NODES = 100

    def __init__(self, scorer: Scorer, me: int) -> None:
        super().__init__()
        self._scorer, self._me = scorer, me
        self._exact: Exact | None = None  # made when there is something to solve: its table takes a millisecond

    def outcomes(
        self, world: Table, candidates: Sequence[Candidate], node_limit: int | None, should_stop: Callable[[], bool]
    ) -> list[Outcome]:
        """The outcome of each candidate, or of none if the node limit or the stop cut it short."""
        left = None if node_limit is None else node_limit - self.nodes - self.WORLD_NODES
        if should_stop() or (left is not None and left < 0):
            return []
        if self._exact is None:
            self._exact = Exact(self._scorer, self._me)
        cards, nodes = self._exact.cards(world, left)
        self.nodes += nodes + self.WORLD_NODES
        found = []
        for candidate in candidates:
            action = candidate.actions[0]
            if cards is None or not isinstance(action, Play):
                return []
            found.append(cards[action.card])
        return found
