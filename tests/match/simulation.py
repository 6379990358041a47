"""Matches with a known truth: how often intervals hold it, how often tests err, whether probabilities mean anything."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from spades_match.statistics import (
    ContractHand,
    Estimate,
    Moments,
    NilHand,
    Pentanomial,
    Results,
    SprtDesign,
    SprtState,
    SprtStatus,
    Trinomial,
    bid_calibration,
    deviations_of_nelo,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    log_likelihood_ratio,
    mean_estimate,
    nelo_of_deviations,
    nil_ledger,
    normalised_elo,
    normalised_elo_of_points,
    points_per_hand,
    score_rate,
    sprt_of_points,
    superiority_of_points,
    win_rate,
)

# Worlds ---------------------------------------------------------------------------------------------------------------

PAIR_WORLDS: dict[str, tuple[float, ...]] = {
    "equal": (0.25, 0.0, 0.5, 0.0, 0.25),
    "equal, many draws": (0.05, 0.2, 0.5, 0.2, 0.05),
    "stronger": (0.15, 0.05, 0.45, 0.05, 0.3),
    "much stronger": (0.02, 0.0, 0.3, 0.0, 0.68),
}
"""Probabilities of LL, LD, DD or WL, WD, WW."""


def pairs_of(counts: Sequence[int]) -> Pentanomial:
    """Counts of the five classes; the middle one counts as one win and one loss."""
    ll, ld, wl, wd, ww = counts
    return Pentanomial(ll=ll, ld=ld, wl=wl, wd=wd, ww=ww)


def drawn_counts(random: Random, chances: Sequence[float], units: int) -> list[int]:
    """How often each class occurs in `units` units."""
    classes = random.choices(range(len(chances)), chances, k=units)
    return [classes.count(i) for i in range(len(chances))]


def truth_of(chances: Sequence[float]) -> tuple[float, float, float]:
    """The true score, share of games won, and standard deviation of a pair's score."""
    scores = [i / 4 for i in range(5)]
    score = sum(p * s for p, s in zip(chances, scores, strict=True))
    deviation = math.sqrt(sum(p * (s - score) ** 2 for p, s in zip(chances, scores, strict=True)))
    return score, chances[4] + chances[3] / 2 + chances[2] / 2, deviation


def pair_chances(nelo: float, split: float = 0.5) -> tuple[float, float, float]:
    """Chances of LL, WL, WW at a normalised Elo, a share `split` of the pairs being split."""
    t = deviations_of_nelo(nelo, 2)
    difference = t * math.sqrt((1.0 - split) / (1.0 + t * t))
    return (1.0 - split - difference) / 2, split, (1.0 - split + difference) / 2


def hand_pair(random: Random, advantage: float) -> tuple[float, float]:
    """Differences in points of a deal played both ways: mostly small, now and then a nil, and the cards cancel."""
    cards = random.choice((-200, -60, -20, 0, 20, 60, 200))
    first, second = (random.choices((-110, -10, 0, 10, 30, 210), (8, 30, 30, 20, 8, 4))[0] for _ in range(2))
    return cards + first + advantage, -cards + second + advantage


HAND_MEAN = (-110 * 8 - 10 * 30 + 10 * 20 + 30 * 8 + 210 * 4) / 100
HAND_VARIANCE = (110**2 * 8 + 10**2 * 30 + 10**2 * 20 + 30**2 * 8 + 210**2 * 4) / 100 - HAND_MEAN**2
"""Of the part of `hand_pair` that does not cancel."""


# Coverage -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the intervals of a name held the truth."""

    name: str
    trials: int
    covered: int

    @property
    def rate(self) -> float:
        """Their share."""
        return self.covered / self.trials


def coverage(name: str, trials: int, truth: float, make: Callable[[], Estimate]) -> Coverage:
    """Make an interval again and again; one that does not exist, for want of spread, covers nothing."""
    covered = 0
    for _ in range(trials):
        estimate = make()
        covered += estimate.low is not None and estimate.contains(truth)
    return Coverage(name, trials, covered)


def game_coverages(random: Random, trials: int, pairs: int) -> Iterator[Coverage]:
    """Coverage of score, win rate, Elo and normalised Elo in matches of whole games."""
    for name, chances in PAIR_WORLDS.items():
        score, won, deviation = truth_of(chances)
        kinds: list[tuple[str, float, Callable[[Results], Estimate]]] = [
            ("score", score, score_rate),
            ("win rate", won, win_rate),
            ("Elo", elo_of_score(score), elo),
            ("normalised Elo", nelo_of_deviations((score - 0.5) / deviation, 2), normalised_elo),
        ]
        matches = [pairs_of(drawn_counts(random, chances, pairs)) for _ in range(trials)]
        for kind, truth, function in kinds:
            rest = iter(matches)
            # Called within this turn of the loop, so what it refers to is still the same.
            make = lambda function=function, rest=rest: function(next(rest))  # noqa: E731
            yield coverage(f"{kind}, {name}, {pairs} pairs", trials, truth, make)


def hand_coverages(random: Random, trials: int, pairs: int) -> Iterator[Coverage]:
    """Coverage of points per hand and its normalised Elo: single hands, and games of many lengths."""
    mean = HAND_MEAN + 5.0

    def single_hands() -> Estimate:
        return points_per_hand(hand_pair(random, 5.0) for _ in range(pairs))

    def pair_means() -> Estimate:
        return mean_estimate(sum(hand_pair(random, 5.0)) / 2 for _ in range(pairs))

    def whole_games() -> Estimate:
        return points_per_hand(
            [x for _ in range(random.randint(2, 8)) for x in hand_pair(random, 5.0)] for _ in range(pairs)
        )

    def strength() -> Estimate:
        return normalised_elo_of_points(Moments.of(sum(hand_pair(random, 5.0)) / 2 for _ in range(pairs)))

    yield coverage(f"points per hand, {pairs} pairs", trials, mean, single_hands)
    yield coverage(f"mean of pair means, {pairs} pairs", trials, mean, pair_means)
    yield coverage(f"points per hand of whole games, {pairs} pairs", trials // 4, mean, whole_games)
    nelo = nelo_of_deviations(mean / math.sqrt(HAND_VARIANCE / 2), 2)
    yield coverage(f"normalised Elo of points, {pairs} pairs", trials, nelo, strength)


def bid_coverages(random: Random, trials: int, pairs: int) -> Iterator[Coverage]:
    """Coverage of the rates of bids and nils: the luck of a pair is common to its hands, and there are 2 to 6."""

    def contracts() -> Iterator[list[ContractHand]]:
        for _ in range(pairs):
            even = random.choice((0.3, 0.5, 0.7))
            hands = random.randint(1, 3) * 2
            over = (random.choice((-1, 0, 0, 1, 2)) if random.random() < even else 1 for _ in range(hands))
            yield [ContractHand(5, 5 + x, x >= 0, max(x, 0)) for x in over]

    def nils() -> Iterator[list[NilHand]]:
        for _ in range(pairs):
            chance = random.choice((0.6, 0.8))
            hands = random.randint(1, 3) * 2
            made = [random.random() < chance for _ in range(hands) if random.random() < 0.3]
            yield [NilHand(False, x, 100 if x else -100) for x in made]

    # On average half the hands choose among five results: a fifth of those are set, and their mean is 2/5 over; a trick
    # short makes no bag, so that bags are tricks over and the tenth of all hands that were a trick short.
    truths = {"contracts made": 0.9, "tricks over": 0.7, "bags per hand": 0.8, "nils made": 0.7, "points per nil": 40.0}
    covered = dict.fromkeys(truths, 0)
    for _ in range(trials):
        row, nil = bid_calibration(contracts()).total, nil_ledger(nils()).nil
        estimates = (row.made_rate, row.tricks_over, row.bags_per_hand, nil.success, nil.points_per_nil)
        for (name, truth), estimate in zip(truths.items(), estimates, strict=True):
            covered[name] += estimate.low is not None and estimate.contains(truth)
    for name, count in covered.items():
        yield Coverage(f"{name}, {pairs} pairs", trials, count)


# Likelihood of superiority --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Claims:
    """Claims of superiority with a probability from `low` to `high`: their sum, how many, and how many were true."""

    low: float
    high: float
    claimed: float = 0.0
    count: int = 0
    true: int = 0

    @property
    def deviation(self) -> float:
        """How many standard errors more were true than claimed."""
        mean = self.claimed / self.count
        return (self.true - self.claimed) / math.sqrt(self.count * mean * (1.0 - mean))


def superiority_claims(random: Random, trials: int, pairs: int, of_points: bool) -> list[Claims]:
    """Engines of any strength play a match; count how often those that should be superior are.

    Strengths are drawn evenly from a range several times as wide as the error of a match, which is what having no
    opinion beforehand means.
    """
    edges = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
    bins = [Claims(low, high) for low, high in pairwise(edges)]
    for _ in range(trials):
        if of_points:
            strength = random.uniform(-60.0, 60.0)
            moments = Moments.of(random.gauss(strength, 50.0) for _ in range(pairs))
            claim = superiority_of_points(moments)
        else:
            strength = random.uniform(-0.25, 0.25)
            won = 0.5 + strength
            chances = ((1 - won) ** 2, 0.0, 2 * won * (1 - won), 0.0, won**2)
            claim = likelihood_of_superiority(pairs_of(drawn_counts(random, chances, pairs)))
        if claim is None:
            continue
        row = next(row for row in bins if claim <= row.high)
        row.claimed += claim
        row.count += 1
        row.true += strength > 0
    return bins


# The sequential test --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SequentialRuns:
    """Sequential tests at one true strength: how many accepted H1, and how many units they took on average."""

    name: str
    trials: int
    accepted: int
    mean_units: float

    @property
    def rate(self) -> float:
        """The share that accepted H1."""
        return self.accepted / self.trials


def repeat_test(name: str, trials: int, run: Callable[[], SprtStatus]) -> SequentialRuns:
    """Run tests to their decisions."""
    accepted = units = 0
    for _ in range(trials):
        status = run()
        accepted += status.state is SprtState.ACCEPT_H1
        units += status.units
    return SequentialRuns(name, trials, accepted, units / trials)


def pentanomial_runs(random: Random, trials: int, design: SprtDesign, nelo: float) -> SequentialRuns:
    """The test on pairs of games at a true normalised Elo."""
    chances = pair_chances(nelo)

    @cache  # matches pass through the same counts over and over
    def llr(ll: int, wl: int, ww: int) -> float:
        return log_likelihood_ratio(Pentanomial(ll=ll, wl=wl, ww=ww), design.nelo0, design.nelo1)

    def run() -> SprtStatus:
        counts = [0, 0, 0]
        while True:
            counts[random.choices((0, 1, 2), chances)[0]] += 1
            status = design.status(llr(*counts), sum(counts))
            if status.state is not SprtState.UNDECIDED:
                return status

    return repeat_test(f"pairs at {nelo:g}", trials, run)


def trinomial_runs(random: Random, trials: int, design: SprtDesign, nelo: float) -> SequentialRuns:
    """The test on single games at a true normalised Elo, one game in ten drawn."""
    t = deviations_of_nelo(nelo, 1)
    difference = t * math.sqrt(0.9 / (1.0 + t * t))
    chances = ((0.9 - difference) / 2, 0.1, (0.9 + difference) / 2)

    @cache
    def llr(losses: int, draws: int, wins: int) -> float:
        return log_likelihood_ratio(Trinomial(losses, draws, wins), design.nelo0, design.nelo1)

    def run() -> SprtStatus:
        counts = [0, 0, 0]
        while True:
            counts[random.choices((0, 1, 2), chances)[0]] += 1
            status = design.status(llr(*counts), sum(counts))
            if status.state is not SprtState.UNDECIDED:
                return status

    return repeat_test(f"single games at {nelo:g}", trials, run)


def points_runs(random: Random, trials: int, design: SprtDesign, nelo: float) -> SequentialRuns:
    """The test on points of single hands at a true normalised Elo, hands as in `hand_pair`."""
    advantage = deviations_of_nelo(nelo, 2) * math.sqrt(HAND_VARIANCE / 2) - HAND_MEAN

    def run() -> SprtStatus:
        moments = Moments()
        while True:
            moments = moments.plus(sum(hand_pair(random, advantage)) / 2)
            status = sprt_of_points(moments, design)
            if status.state is not SprtState.UNDECIDED:
                return status

    return repeat_test(f"points at {nelo:g}", trials, run)
