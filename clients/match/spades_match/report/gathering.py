"""Reading a match for its report: one pass over the results file, and over the timing file beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from spades_engine.game import GameError
from spades_match.engines import EngineSpec
from spades_match.outcomes import MatchError, Outcome
from spades_match.plan import Plan
from spades_match.report.hands import OTHER, PHASES, SideHand, decisions, side_hands
from spades_match.report.model import (
    EncounterReport,
    EngineReport,
    FaultNote,
    GamesReport,
    MatchReport,
    OutcomeRow,
    SprtReport,
    Standing,
)
from spades_match.report.sums import Contracts, Nils, Predictions, Sketch, Thinned
from spades_match.report.timings import BoardTimings, Timings
from spades_match.schedule import encounters
from spades_match.sequential import SequentialTest, game_result
from spades_match.statistics import (
    ContractHand,
    GameResult,
    Moments,
    NilHand,
    Pentanomial,
    Prediction,
    RatioSums,
    SprtStatus,
    draw_rate,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    normalised_elo,
    normalised_elo_of_points,
    ratio_estimate,
    score_rate,
    share_estimate,
    superiority_of_points,
    win_rate,
)
from spades_match.store import read_header, read_pairs, timing_path
from spades_match.words import clip, plain

_NOTED: Final = 10  # faults that are told one by one


_SENSELESS = (ArithmeticError, AttributeError, GameError, LookupError, TypeError, ValueError)
"""What comes of figures that no runner has written."""


def gather(path: Path) -> MatchReport:
    """Read the report of a match from its results file, finished or not, and from the timing file if it is there.

    Raises MatchError for a file that is no results file or is damaged, OSError where it cannot be read.
    """
    header = read_header(path)
    gathering = _Gathering(Plan.from_header(header), header)
    timings = Timings(timing_path(path))
    for pair in read_pairs(path):
        try:
            gathering.add(pair, timings.of(pair))
        except _SENSELESS as error:
            why = plain(clip(str(error))) or type(error).__name__
            raise MatchError(f"{path}: line {pair['pair'] + 2} makes no sense: {why}") from None
    return gathering.report(timings.damage)


class _Gathering:
    """Everything that is summed up while the files are read."""

    def __init__(self, plan: Plan, header: Mapping[str, Any]) -> None:
        self.plan = plan
        self.rules = plan.ruleset()
        self.version = str(header.get("version", ""))
        self.ids = {str(engine["name"]): str(engine.get("id", "")) for engine in header["engines"]}
        self.is_games = plan.mode == "games"
        names = [spec.name for spec in plan.engines]
        self.meetings = [(names[first], names[second]) for first, second in encounters(len(names), plan.schedule)]
        self.encounters = {meeting: _Encounter(plan) for meeting in self.meetings}
        self.engines = {name: _Engine() for name in names}
        self.outcomes: dict[Outcome, dict[str | None, int]] = {outcome: {} for outcome in Outcome}
        self.faults: list[FaultNote] = []
        self.pairs = self.boards = self.hands = self.timed = 0
        self.round = 0

    def add(self, pair: Mapping[str, Any], timing: Sequence[BoardTimings] | None) -> None:
        """Take the next pair and what the timing file says of it."""
        round_ = pair["pair"] // len(self.meetings)
        if round_ != self.round:
            self._end_round()
            self.round = round_
        first, second = pair["engines"]
        encounter = self.encounters[first, second]
        self.pairs += 1
        self.timed += timing is not None
        for place, board in enumerate(pair["boards"]):
            self._add_board(pair["pair"], place, board, "" if timing is None else timing[place].last_words)
            hands = [tuple(side_hands(self.rules, detail)) for detail in board["hands_detail"]]
            encounter.add_board(first, board, hands)
            for hand in hands:
                for side in hand:
                    self.engines[side.engine].add_hand(side)
            if timing is not None:
                self._add_times(board, timing[place], _names_by_side(pair, board))
                self._add_predictions(board, timing[place], hands)
        difference, size, results = encounter.end_pair(pair)
        self.engines[first].add_pair(difference, size, results)
        self.engines[second].add_pair(-difference, size, [result.reversed for result in results])

    def _add_board(self, pair: int, place: int, board: Mapping[str, Any], last_words: str) -> None:
        outcome, culprit = Outcome(board["outcome"]), board["culprit"]
        self.boards += 1
        self.hands += board["hands"]
        by_engine = self.outcomes[outcome]
        by_engine[culprit] = by_engine.get(culprit, 0) + 1
        if outcome.is_fault:
            self.engines[culprit].forfeits += 1
            if len(self.faults) < _NOTED:
                self.faults.append(FaultNote(pair, place + 1, outcome, culprit, board["detail"], last_words))

    def _add_times(self, board: Mapping[str, Any], timing: BoardTimings, by_side: Sequence[str]) -> None:
        """Give each decision of a board to its phase: the times of an engine are in the order of the record."""
        engine_of = {seat.name: by_side[self.rules.side_of(seat)] for seat in self.rules.seats}
        phases: dict[str, list[str]] = {name: [] for name in by_side}
        for seat, phase in decisions(board["record"]):
            phases[engine_of[seat]].append(phase)
        for name, times in timing.times.items():
            known = phases[name]
            if not 0 <= len(times) - len(known) <= 1:  # the last answer of all may not have been legal
                known = []
            sketches = self.engines[name].times
            for place, milliseconds in enumerate(times):
                sketches[known[place] if place < len(known) else OTHER].add(milliseconds)

    def _add_predictions(
        self, board: Mapping[str, Any], timing: BoardTimings, hands: Sequence[Sequence[SideHand]]
    ) -> None:
        """Compare what was foretold at each bid with what became of it; a hand or game broken off tells nothing."""
        winner = board["winner"] if self.is_games and not Outcome(board["outcome"]).is_fault else None
        for prediction in timing.predictions:
            if not prediction.action.startswith("bid"):
                continue
            engine = self.engines[prediction.engine]
            place = prediction.hand - 1
            sides = hands[place] if 0 <= place < len(hands) else ()
            for side in sides:
                if prediction.seat in side.made:
                    engine.add_prediction(engine.making, prediction.make, side.made[prediction.seat])
            if winner is not None and winner != "draw":
                engine.add_prediction(engine.winning, prediction.equity, winner == prediction.engine)

    def _end_round(self) -> None:
        for engine in self.engines.values():
            engine.end_round()

    def report(self, damage: tuple[str, ...]) -> MatchReport:
        """Return the report of what has been taken; `damage` is what was left out of the timing file."""
        self._end_round()
        return MatchReport(
            self.plan,
            self.version,
            self.pairs,
            self.boards,
            self.hands,
            self.timed,
            tuple(self.encounters[first, second].report(first, second) for first, second in self.meetings),
            tuple(
                self.engines[spec.name].report(spec, self.ids[spec.name], self.is_games) for spec in self.plan.engines
            ),
            tuple(
                OutcomeRow(
                    outcome,
                    sum(by_engine.values()),
                    {name: by_engine[name] for name in self.engines if name in by_engine},
                )
                for outcome, by_engine in self.outcomes.items()
            ),
            tuple(self.faults),
            damage,
        )


class _Encounter:
    """The sums of two engines against each other, seen from the first."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.is_games = plan.mode == "games"
        self.test = None if plan.sprt is None else SequentialTest(plan.sprt, is_games=self.is_games)
        self.decision: SprtStatus | None = None
        self.pairs = self.hands = self.ahead = self.forfeits = 0
        self.points = [0, 0]
        self.differences = RatioSums()
        self.means = Moments()
        self.results = Pentanomial()
        self.lead: Thinned[tuple[int, int]] = Thinned()
        self.running: Thinned[tuple[int, RatioSums | Pentanomial]] = Thinned()
        self._pair = [0, 0]  # difference and hands of the pair that is being read
        self._pair_results: list[GameResult] = []

    def add_board(self, first: str, board: Mapping[str, Any], hands: Sequence[Sequence[SideHand]]) -> None:
        """Take a board. In single hands a board is one hand, also where it was forfeited and counts as such."""
        points = [int(number) for number in board["points"]]
        self.forfeits += Outcome(board["outcome"]).is_fault
        self.points = [self.points[0] + points[0], self.points[1] + points[1]]
        if self.is_games:
            steps = [sum(side.points if side.engine == first else -side.points for side in hand) for hand in hands]
        else:
            steps = [points[0] - points[1]]
        self.hands += len(steps)
        self.ahead += sum(steps)
        self._pair[0] += sum(steps)
        self._pair[1] += len(steps)
        if self.is_games:
            self._pair_results.append(game_result(board, first))

    def end_pair(self, pair: Mapping[str, Any]) -> tuple[int, int, list[GameResult]]:
        """Close a pair; return its difference in points, its hands, and the results of its games."""
        (difference, size), results = self._pair, self._pair_results
        self._pair, self._pair_results = [0, 0], []
        self.pairs += 1
        self.differences = self.differences.plus(difference, size)
        if size:
            self.means = self.means.plus(difference / size)
        if len(results) == 2:
            self.results = self.results.plus(results[0], results[1])
        self.lead.add((self.hands, self.ahead))
        self.running.add((self.pairs, self.results if self.is_games else self.differences))
        if self.test is not None:
            self.test.add(pair)
            if self.decision is None and self.test.is_decided:
                self.decision = self.test.status
        return difference, size, results

    def report(self, first: str, second: str) -> EncounterReport:
        """Return what has come of it."""
        test = None
        if self.plan.sprt is not None and self.test is not None:
            test = SprtReport(self.plan.sprt, self.test.status, self.decision)
        results = self.results
        games = GamesReport(results, score_rate(results), win_rate(results), draw_rate(results), elo(results))
        return EncounterReport(
            first,
            second,
            self.pairs,
            self.plan.pairs,
            self.hands,
            (self.points[0], self.points[1]),
            ratio_estimate(self.differences),
            normalised_elo(results) if self.is_games else normalised_elo_of_points(self.means),
            likelihood_of_superiority(results) if self.is_games else superiority_of_points(self.means),
            games if self.is_games else None,
            test,
            self.lead.points(),
            tuple(
                (pairs, score_rate(sums) if isinstance(sums, Pentanomial) else ratio_estimate(sums))
                for pairs, sums in self.running.points()
            ),
            self.forfeits,
        )


class _Engine:
    """The sums of one engine in all its encounters. What belongs to a round waits until the round is complete."""

    def __init__(self) -> None:
        self.pairs = self.hands = self.unusable = self.forfeits = 0
        self.games = [0, 0, 0]  # lost, drawn, won
        self.times = {phase: Sketch() for phase in (*PHASES, OTHER)}
        self.making: list[Prediction] = []
        self.winning: list[Prediction] = []
        self._contracts: list[ContractHand] = []
        self._nils: list[NilHand] = []
        self._bags = [0, 0]  # bags and hands
        self._points = [0, 0]  # difference and hands
        self._score = [0, 0]  # half points and games
        self.all_contracts = Contracts()
        self.all_nils = Nils()
        self.all_making = Predictions()
        self.all_winning = Predictions()
        self.all_bags = RatioSums()
        self.all_points = RatioSums()
        self.all_scores = RatioSums()

    def add_hand(self, hand: SideHand) -> None:
        """Take its side of a hand that was scored."""
        if hand.contract is not None:
            self._contracts.append(hand.contract)
        self._nils += hand.nils
        self._bags[0] += hand.bags
        self._bags[1] += 1

    def add_pair(self, difference: int, size: int, results: Sequence[GameResult]) -> None:
        """Take what a pair came to, seen from this engine."""
        self.pairs += 1
        self.hands += size
        self._points[0] += difference
        self._points[1] += size
        for result in results:
            self.games[result] += 1
            self._score[0] += result
            self._score[1] += 1

    def add_prediction(self, predictions: list[Prediction], figure: object, happened: bool) -> None:
        """Take a figure of the engine's as the probability of what has happened or not; None is no figure at all."""
        if isinstance(figure, int | float) and 0.0 <= figure <= 1.0:
            predictions.append(Prediction(float(figure), happened))
        elif figure is not None:
            self.unusable += 1

    def end_round(self) -> None:
        """Close a round: its hands have the same cards, so together they are one unit of every interval."""
        self.all_contracts.add(self._contracts)
        self.all_nils.add(self._nils)
        self.all_making.add(self.making)
        self.all_winning.add(self.winning)
        self.all_bags = self.all_bags.plus(*self._bags)
        self.all_points = self.all_points.plus(*self._points)
        self.all_scores = self.all_scores.plus(self._score[0] / 2, self._score[1])
        self._contracts, self._nils, self.making, self.winning = [], [], [], []
        self._bags, self._points, self._score = [0, 0], [0, 0], [0, 0]

    def report(self, spec: EngineSpec, id_: str, is_games: bool) -> EngineReport:
        """Return what has come of it."""
        return EngineReport(
            spec,
            id_,
            self._standing(is_games),
            self.all_contracts.calibration(),
            ratio_estimate(self.all_bags),
            self.all_nils.ledger(),
            self.all_making.reliability(),
            self.all_winning.reliability(),
            self.unusable,
            {phase: sketch for phase, sketch in self.times.items() if sketch.count},
            self.forfeits,
        )

    def _standing(self, is_games: bool) -> Standing:
        score = share_estimate(self.all_scores)
        ends = [None if number is None else elo_of_score(number) for number in (score.value, score.low, score.high)]
        return Standing(
            self.pairs,
            self.hands,
            ratio_estimate(self.all_points),
            self.games[GameResult.WIN],
            self.games[GameResult.DRAW],
            self.games[GameResult.LOSS],
            score if is_games else None,
            score.mapped(*ends) if is_games else None,
        )


def _names_by_side(pair: Mapping[str, Any], board: Mapping[str, Any]) -> Sequence[str]:
    names: Sequence[str] = pair["engines"]
    return names[::-1] if board["swapped"] else names
