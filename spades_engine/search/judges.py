"""What the actions of a seat come to in one world: by playing it out with the rule policy, or by solving it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from spades_engine.game import Play
from spades_engine.search.candidates import Candidate
from spades_engine.search.evaluate import Payoff, Scorer
from spades_engine.search.exact import Exact
from spades_engine.search.playout import most_nodes, play_out
from spades_engine.search.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Outcome = tuple[Payoff, int]
"""The payoff for the searching seat, and the tricks it wins in the hand."""


class Judge:
    """Values all candidates in the same world. `nodes` counts the work of all worlds, `batch` is how many are valued at
    once.
    """

    __slots__ = ("batch", "nodes")

    least_worlds = 1
    """Below so many worlds the rule's action stands."""
    margin_squared = 0.0
    """A rival of the rule's action must be better by the root of so many standard errors."""
    most_worlds = 1024
    """More worlds tell nothing more."""

    def __init__(self) -> None:
        self.nodes = 0
        self.batch = 1

    def outcomes(
        self, world: Table, candidates: Sequence[Candidate], node_limit: int | None, should_stop: Callable[[], bool]
    ) -> list[Outcome]:
        """The outcome of each candidate in turn; fewer if the node limit or the stop cut it short."""
        raise NotImplementedError

    def outcomes_of(
        self,
        worlds: Sequence[Table],
        candidates: Sequence[Candidate],
        node_limit: int | None,
        should_stop: Callable[[], bool],
    ) -> list[list[Outcome]]:
        """`outcomes` for as many worlds as a batch has, those that were cut short as they are."""
        return [self.outcomes(world, candidates, node_limit, should_stop) for world in worlds]


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

    A node is one of the solver's; drawing a world counts as `WORLD_NODES`. With `threads` a batch has a world for each
    of them, and each has a solver of its own: which world goes to which does not depend on how fast they are.
    """

    __slots__ = ("_exacts", "_me", "_scorer")

    least_worlds = 4

    WORLD_NODES = 100

    def __init__(self, scorer: Scorer, me: int, threads: int = 1) -> None:
        super().__init__()
        self.batch = threads
        self._scorer, self._me = scorer, me
        self._exacts: list[Exact] = []  # made when there is something to solve: their tables take a millisecond

    def outcomes(
        self, world: Table, candidates: Sequence[Candidate], node_limit: int | None, should_stop: Callable[[], bool]
    ) -> list[Outcome]:
        """The outcome of each candidate, or of none if the node limit or the stop cut it short."""
        return self.outcomes_of((world,), candidates, node_limit, should_stop)[0]

    def outcomes_of(
        self,
        worlds: Sequence[Table],
        candidates: Sequence[Candidate],
        node_limit: int | None,
        should_stop: Callable[[], bool],
    ) -> list[list[Outcome]]:
        """The same for as many worlds as there are threads; of a node limit each has its share of what is left."""
        count = len(worlds)
        left = None if node_limit is None else (node_limit - self.nodes) // count - self.WORLD_NODES
        if should_stop() or (left is not None and left < 0):
            return [[] for _ in worlds]
        if not self._exacts:
            self._exacts = [Exact(self._scorer, self._me) for _ in range(self.batch)]
        solved: list[tuple[dict[int, Outcome] | None, int]]
        if count == 1:
            solved = [self._exacts[0].cards(worlds[0], left)]
        else:
            pool = pool_of(len(self._exacts))
            tasks = [pool.submit(self._exacts[place].cards, world, left) for place, world in enumerate(worlds)]
            solved = [task.result() for task in tasks]
        found: list[list[Outcome]] = []
        for cards, nodes in solved:
            self.nodes += nodes + self.WORLD_NODES
            found.append([])
            for candidate in candidates:
                action = candidate.actions[0]
                if cards is None or not isinstance(action, Play):
                    break
                found[-1].append(cards[action.card])
        return found


@cache
def pool_of(threads: int) -> ThreadPoolExecutor:
    """The threads that solve worlds, kept from one search to the next."""
    from concurrent.futures import ThreadPoolExecutor  # late: it is heavy, and most programs do without

    return ThreadPoolExecutor(threads, "solve")
