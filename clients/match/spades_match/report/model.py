"""What a report holds: figures only, ready to be written as text, as JSON or as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spades_match.engines import EngineSpec
from spades_match.outcomes import Outcome
from spades_match.plan import Plan
from spades_match.report.sums import Sketch
from spades_match.statistics import (
    BidCalibration,
    Estimate,
    NilLedger,
    Pentanomial,
    Reliability,
    SprtDesign,
    SprtState,
    SprtStatus,
)


@dataclass(frozen=True, slots=True)
class SprtReport:
    """A sequential test: where it stands after the last pair, and the first decision it has come to, if any."""

    design: SprtDesign
    status: SprtStatus
    decision: SprtStatus | None

    @property
    def verdict(self) -> SprtState:
        """The first decision; a test is over with it, whatever comes after."""
        return SprtState.UNDECIDED if self.decision is None else self.decision.state


@dataclass(frozen=True, slots=True)
class GamesReport:
    """The games of an encounter, seen from its first engine."""

    results: Pentanomial
    score: Estimate
    win_rate: Estimate
    draw_rate: Estimate
    elo: Estimate


@dataclass(frozen=True, slots=True)
class EncounterReport:
    """Two engines against each other; everything is seen from `first`.

    `points` are both engines' sums. `points_per_hand` is the difference for each hand, `nelo` the normalised Elo and
    `superiority` the probability that `first` is the better: of points with single hands, of results with games, which
    `games` has. `lead` is the sum of the differences after so many hands, pair by pair; `running` is the estimate
    (of points per hand, or with games of the score) after so many pairs. Both are thinned out. `forfeits` counts boards
    that ended by a fault of either.
    """

    first: str
    second: str
    pairs: int
    planned: int
    hands: int
    points: tuple[int, int]
    points_per_hand: Estimate
    nelo: Estimate
    superiority: float | None
    games: GamesReport | None
    sprt: SprtReport | None
    lead: tuple[tuple[int, int], ...]
    running: tuple[tuple[int, Estimate], ...]
    forfeits: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One engine against all others. Intervals are over rounds, as the encounters of a round have the same cards.

    `wins`, `draws` and `losses` count games; `score` and `elo` are None with single hands.
    """

    pairs: int
    hands: int
    points_per_hand: Estimate
    wins: int
    draws: int
    losses: int
    score: Estimate | None
    elo: Estimate | None


@dataclass(frozen=True, slots=True)
class EngineReport:
    """One engine in all its encounters; the unit of its intervals is the round.

    `bags_per_hand` is over all hands, also those without a contract. `making` compares its figure `make` at each bid
    with what became of the bid, `winning` its `equity` with the winner of the game; `unusable` counts figures that are
    no probability. `times` has decisions by phase; "other" are those that no line of the record stands for. `forfeits`
    counts the boards it lost by its fault.
    """

    spec: EngineSpec
    id: str
    standing: Standing
    calibration: BidCalibration
    bags_per_hand: Estimate
    nils: NilLedger
    making: Reliability
    winning: Reliability
    unusable: int
    times: Mapping[str, Sketch]
    forfeits: int

    @property
    def name(self) -> str:
        """What it is called in the match."""
        return self.spec.name

    @property
    def time(self) -> Sketch:
        """All its decisions."""
        return Sketch.joined(self.times.values())


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """How many boards ended in one way, and by the fault of which engine how many."""

    outcome: Outcome
    boards: int
    by_engine: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FaultNote:
    """One board that was lost by a fault; `board` is 1 or 2, `last_words` the end of the standard error."""

    pair: int
    board: int
    outcome: Outcome
    engine: str
    detail: str
    last_words: str


@dataclass(frozen=True, slots=True)
class MatchReport:
    """A whole match, or what has been played of it.

    `hands` counts those scored. `faults` are the first few. `timed` counts the pairs of which the timing file tells,
    and `damage` says what of it makes no sense. `version` is the runner's that began the match.
    """

    plan: Plan
    version: str
    pairs: int
    boards: int
    hands: int
    timed: int
    encounters: tuple[EncounterReport, ...]
    engines: tuple[EngineReport, ...]
    outcomes: tuple[OutcomeRow, ...]
    faults: tuple[FaultNote, ...]
    damage: tuple[str, ...]

    @property
    def is_games(self) -> bool:
        """Whether whole games were played, not single hands."""
        return self.plan.mode == "games"

    @property
    def forfeits(self) -> int:
        """Boards that ended by a fault."""
        return sum(row.boards for row in self.outcomes if row.outcome.is_fault)
