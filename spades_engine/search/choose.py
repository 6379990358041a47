"""The chooser: the rule policy's action at once, or a search that compares actions over worlds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from spades_engine.drafting.value import DRAFT_VALUE, MILLI
from spades_engine.equity.model import Equity
from spades_engine.game import Action, BidMade, Choose, Phase, RuleSet, View
from spades_engine.search.belief import Belief
from spades_engine.search.bid_values import bid_figures, values_bids
from spades_engine.search.candidates import candidates, rule_action
from spades_engine.search.evaluate import POINT_WEIGHT, Figures, Scorer, Tally
from spades_engine.search.judges import ExactJudge, Judge, Outcome, PlayoutJudge
from spades_engine.search.outlook import Outlook
from spades_engine.search.rng import Rng
from spades_engine.search.seat_table import seat_table
from spades_engine.search.skill import FULL, Errors, level_of
from spades_engine.search.table import Table
from spades_engine.search.terms import BLIND

_FEW_WORLDS = 16
"""Worlds spent on the figures where they decide nothing."""
_FIRST_PROGRESS, _LAST_PROGRESS = 8, 512
"""Progress is reported at this many worlds, then at every doubling, and at last every so many."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice and what it rests on. `figures` has every legal action, the chosen one first, the others by equity."""

    action: Action
    figures: tuple[Figures, ...]
    nodes: int
    """Decisions made in playouts."""
    worlds: int
    """Worlds in which all candidates were played out."""


@lru_cache(maxsize=16)
def equity_of(rules: RuleSet) -> Equity:
    """The equity model of a rule set."""
    return Equity(rules)


def quick_choice(view: View) -> Action:
    """The rule policy's action for the seat of the view, which must be to act: legal, and always the same."""
    return rule_action(view, seat_table(view, equity_of(view.rules)))


def draft_margin(view: View) -> float | None:
    """By how many tricks keeping the card drawn beats passing it, by the learned value; None where a seat that called
    blind nil drafts for none.
    """
    root = seat_table(view, equity_of(view.rules))
    if root.kinds[root.turn] == BLIND:
        return None
    return _margin(root) / MILLI


def _margin(root: Table) -> int:
    """The same in thousandths of a trick."""
    me = root.turn
    return DRAFT_VALUE.margin(root.hands[me], root.gone[me], root.stock[-1])


Progress = Callable[[tuple[Figures, ...], int, int], None]
"""Called with the figures ranked as they stand, nodes, worlds."""


class Search:
    """One search for the seat of a view, which must be to act. With a node limit alone it is a function of its
    arguments; the view is all that it knows of the game.

    `skill` is a level of `skill`: below the highest one the choice is a weaker player's, and so are its figures.

    Nodes are counted by the judge of the phase. `should_stop` is asked every millisecond or so; the search ends when it
    says so, when the next step might exceed `node_limit`, when more worlds would tell nothing more, or after a few
    worlds where they decide nothing.
    """

    def __init__(
        self,
        view: View,
        seed: bytes | int,
        node_limit: int | None,
        should_stop: Callable[[], bool],
        on_progress: Progress | None = None,
        skill: int = FULL,
    ) -> None:
        self._view = view
        self._rng = Rng(seed)
        self._node_limit = node_limit
        self._should_stop = should_stop
        self._on_progress = on_progress
        equity = equity_of(view.rules)
        self._root = seat_table(view, equity)
        self._level = level_of(skill)
        self._errors = Errors(self._level, seed)
        self._rule = rule_action(view, self._root)
        self._scorer = Scorer(view, equity, self._root.turn, heeds_score=self._level.counts)
        self._judge = _judge_of(view, self._scorer, self._root)
        self._outlook = Outlook(view, self._root, equity)
        self._worlds = 0
        self._active, self._aside = candidates(view, self._root, self._rule)
        self._by_habit = view.phase is Phase.PLAY and self._errors.by_habit()
        if view.phase is Phase.DRAFT and self._is_settled():
            self._misjudge_card()
        self._tallies = [Tally() for _ in self._active]
        self._gains = [0.0] * len(self._active)
        self._squares = [0.0] * len(self._active)

    def run(self) -> Choice:
        """Search until the limit or the stop; the choice."""
        if self._view.phase is Phase.BID and values_bids(self._root) and self._has_nodes(len(self._view.legal)):
            bids = self._misjudge_bid(tuple(bid_figures(self._view, self._root, self._scorer)))
            return Choice(bids[0].action, bids, len(bids), 0)
        if self._should_stop():  # no time for a single world: what is drawn and solved costs more than all the rest
            return self._choice()
        belief = Belief(self._view, self._root, reads=self._level.reads)
        progress = _FIRST_PROGRESS
        most_worlds = _FEW_WORLDS if self._is_settled() else min(self._judge.most_worlds, self._level.worlds)
        while self._worlds < most_worlds:
            world, _ = belief.draw(self._rng)
            if not self._round(world):
                break
            self._worlds += 1
            if self._worlds == progress:
                progress += min(progress, _LAST_PROGRESS)
                if self._on_progress is not None:
                    self._on_progress(self._figures(self._best()), self._judge.nodes, self._worlds)
        return self._choice()

    def _choice(self) -> Choice:
        """The choice as it stands."""
        figures = self._misjudge_bid(self._figures(self._best()))
        return Choice(figures[0].action, figures, self._judge.nodes, self._worlds)

    def _misjudge_card(self) -> None:
        """Put first what a player of this level does with the card it has drawn."""
        error = self._errors.of_keep()
        if not error:
            return
        keep = _margin(self._root) + error >= 0
        self._active.sort(key=lambda one: isinstance(one.actions[0], Choose) and one.actions[0].keep is not keep)

    def _misjudge_bid(self, figures: tuple[Figures, ...]) -> tuple[Figures, ...]:
        """Put first the contract that a player of this level bids, if it is a contract that was found best."""
        best = figures[0].action
        if not isinstance(best, BidMade) or best.bid.is_nil or not (error := self._errors.of_bid()):
            return figures
        wanted = best.bid.tricks + error
        contracts = [
            (abs(one.action.bid.tricks - wanted), place)
            for place, one in enumerate(figures)
            if isinstance(one.action, BidMade) and not one.action.bid.is_nil
        ]
        _, place = min(contracts)
        return figures[place], *figures[:place], *figures[place + 1 :]

    def _is_settled(self) -> bool:
        """Whether worlds decide nothing: there is one action, or a learned value of the cards held knows better than
        playouts, as in a draft for tricks.
        """
        if self._view.phase is Phase.DRAFT:
            return self._root.kinds[self._root.turn] != BLIND
        return len(self._active) == 1 and not self._aside

    def _has_nodes(self, nodes: int) -> bool:
        """Whether there is time, and so many nodes."""
        return (self._node_limit is None or nodes <= self._node_limit) and not self._should_stop()

    def _round(self, world: Table) -> bool:
        """Play one world out for every candidate. False, and nothing counted but nodes, if the search has to stop.

        Of the very first world what was reached counts, so that there are figures at the smallest limit.
        """
        results = self._judge.outcomes(world, self._active, self._node_limit, self._should_stop)
        if len(results) < len(self._active):
            if not self._worlds:
                self._count(results)
            return False
        self._count(results)
        base, base_points, _ = results[0][0]
        for index, ((equity, points, _), _) in enumerate(results):
            gain = equity - base + (points - base_points) * POINT_WEIGHT
            self._gains[index] += gain
            self._squares[index] += gain * gain
        return True

    def _count(self, results: list[Outcome]) -> None:
        for tally, (payoff, tricks) in zip(self._tallies, results, strict=False):
            tally.add(payoff, tricks)

    def _best(self) -> int:
        """The candidate to choose: the rule's, unless others are clearly better; then the best of those."""
        worlds = self._worlds
        best = 0
        if worlds < self._judge.least_worlds or self._by_habit or self._is_settled():
            return best
        for index in range(1, len(self._active)):
            gain = self._gains[index]
            if gain <= self._gains[best] or not self._active[index].can_win:
                continue
            # The square of the sum of gains against its variance: no square root, no division.
            variance = self._squares[index] - gain * gain / worlds
            if gain * gain > self._judge.margin_squared * variance:
                best = index
        return best

    def _figures(self, best: int) -> tuple[Figures, ...]:
        """The figures of all legal actions: those of candidate `best` first, then by equity, the rough ones last."""
        found: list[tuple[tuple[float, float, int], Figures]] = []
        aside: list[Figures] = []
        order = 0
        for candidate, tally in zip(self._active, self._tallies, strict=True):
            for action in candidate.actions:
                if not tally.worlds:
                    aside.append(Figures(action, *self._outlook.of(action)))
                    continue
                figures = tally_figures(action, tally)
                found.append(((-figures.equity, -figures.points, order), figures))
                order += 1
        chosen = self._active[best].actions[0]
        found.sort(key=lambda item: item[0])
        aside += [Figures(action, *self._outlook.of(action)) for action in self._aside]
        ranked = [figures for _, figures in found] + aside
        ranked.sort(key=lambda figures: figures.action != chosen)  # stable: the chosen one first, the rest as they are
        return tuple(ranked)


def _judge_of(view: View, scorer: Scorer, root: Table) -> Judge:
    if view.phase is Phase.PLAY and root.terms.players == 2:
        return ExactJudge(scorer, root.turn)
    return PlayoutJudge(scorer)


def tally_figures(action: Action, tally: Tally) -> Figures:
    """The averages of a tally that has worlds."""
    worlds = tally.worlds
    return Figures(
        action,
        tally.equity / worlds,
        tally.points / worlds,
        tally.made / worlds,
        tuple(count / worlds for count in tally.tricks),
    )
