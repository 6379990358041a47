"""The sequential test on normalised Elo, against published figures and independent maximisation."""

import math
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spades_match.statistics import (
    GameResult,
    Moments,
    Pentanomial,
    SprtDesign,
    SprtState,
    Trinomial,
    acceptance_probability,
    deviations_of_nelo,
    expected_units,
    first_decision,
    log_likelihood_ratio,
    nelo_of_deviations,
    sprt,
    sprt_of_points,
)
from spades_match.statistics.fit import MAX_DEVIATIONS, log_ratios
from tests.match.simulation import pairs_of

COUNTS = st.tuples(*[st.integers(0, 300)] * 5).filter(any)

# Published figures ----------------------------------------------------------------------------------------------------

PUBLISHED = [
    # (LL, LD, WL+DD, WD, WW), the two hypotheses, the LLR.
    # Tests of Stockfish: https://tests.stockfishchess.org/tests/view/ and the id given
    ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94),  # 69675ab9d5a3b5895b50fb44
    ((103, 3851, 8316, 3728, 98), 0.0, 2.0, -2.03),  # 6984bbe6473df9d1d24a937b
    ((291, 10353, 21899, 10175, 306), 0.0, 2.0, -3.08),  # 6983867b473df9d1d24a9148
    ((99, 3323, 8399, 3606, 109), 0.0, 2.0, 2.98),  # 698432f5473df9d1d24a926d
    ((2, 40, 72, 14, 0), 0.0, 2.0, -0.36),  # 6984bb68473df9d1d24a9378
    ((326, 12015, 26044, 12357, 362), 0.0, 2.0, 2.93),  # 69839ed7473df9d1d24a91ae
    ((59, 6427, 15570, 6693, 91), 0.0, 2.0, 2.94),  # 6982cf46eb87369ff4d0c888
    ((328, 12094, 26412, 11964, 338), 0.0, 2.0, -2.93),  # 69840701473df9d1d24a924f
    ((900, 30596, 67292, 30899, 809), 0.0, 2.0, -2.96),  # 697e32ae5f56030af97b59c9
    ((45, 8506, 25934, 8883, 57), 0.5, 2.5, 2.94),  # 6983946d473df9d1d24a916d
    ((14, 6935, 20257, 7273, 30), 0.5, 2.5, 2.95),  # 69843133473df9d1d24a9269
    ((105, 19880, 51075, 20005, 108), 0.5, 2.5, -2.94),  # 697f19db5f56030af97b5b01
    ((68, 15448, 39104, 15441, 94), 0.5, 2.5, -2.94),  # 698154f56362aee5c8a5544d
    ((41, 5118, 12924, 5334, 31), -1.75, 0.25, 2.94),  # 69827c6beb87369ff4d0c7d5
    ((36, 5804, 14811, 5986, 39), -1.75, 0.25, 2.94),  # 6980e5846362aee5c8a55396
    ((556, 22775, 50607, 23242, 596), 0.0, 2.0, 2.95),  # 64a050b33ee09aa549c4e4c8
    ((119, 25173, 66426, 25887, 121), 0.5, 2.5, 2.94),  # 64a127bd3ee09aa549c4f60c
    # fastchess: app/tests/sprt_test.cpp, "normalized pentanomial" 1 and 2; pull request 783
    ((365, 16618, 36229, 16974, 390), 0.0, 2.0, 2.25),
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01),
    ((379, 10170, 21828, 10640, 343), 0.0, 2.0, 2.946),
    # fastchess reports: https://ijccrl.com/sprt-test-of-revolution-1-0-1-dev-vs-revolution-1-0, https://ijccrl.com/?p=5923
    ((3, 75, 149, 83, 4), 0.0, 2.0, 0.10),
    ((5, 109, 748, 134, 4), 0.0, 2.5, 0.39),
    # OpenBench: https://openbench.nocturn9x.space/test/4812/, https://rektdie.pythonanywhere.com/test/5036/
    ((19, 120, 346, 223, 28), -5.0, 0.0, 3.00),
    ((1400, 4234, 7874, 4238, 1373), -5.0, 0.0, 2.95),
]


@pytest.mark.parametrize(("counts", "nelo0", "nelo1", "llr"), PUBLISHED)
def test_published_tests(counts: tuple[int, ...], nelo0: float, nelo1: float, llr: float) -> None:
    """The LLR of tests by fishtest, fastchess and OpenBench is reproduced, to every digit given."""
    assert log_likelihood_ratio(pairs_of(counts), nelo0, nelo1) == pytest.approx(llr, abs=0.006)


def test_published_to_five_digits() -> None:
    """The LLR of a fishtest raw statistics page is reproduced to five digits: "Normalized (exact)" -0.54912.

    https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712
    """
    assert log_likelihood_ratio(pairs_of((13, 37, 50, 25, 3)), 0.0, 4.0) == pytest.approx(-0.54912, abs=6e-6)


@pytest.mark.parametrize(
    ("counts", "llr"),
    [
        ((0, 0, 0, 0, 3), 0.02),
        ((3, 0, 0, 0, 0), -0.02),
        ((0, 0, 0, 0, 10), 0.08),
        ((10, 0, 0, 0, 0), -0.08),
        ((0, 2, 4, 6, 10), 0.13),
        ((10, 6, 4, 2, 0), -0.13),
        ((10, 5, 2, 5, 10), 0.00),
    ],
)
def test_published_short_matches(counts: tuple[int, ...], llr: float) -> None:
    """With few pairs and classes not seen the LLR is that of fishtest's calculator, hypotheses -1.75 and 0.25.

    Figures: the unit test of "game/sprt" in Electron Shogi (ShogiHome), made with fishtest.
    """
    assert log_likelihood_ratio(pairs_of(counts), -1.75, 0.25) == pytest.approx(llr, abs=0.006)


def test_published_one_sided() -> None:
    """When everything was won the LLR is fastchess's, app/tests/sprt_test.cpp, third normalised cases of both kinds."""
    assert log_likelihood_ratio(Pentanomial(ww=5550), 0.0, 5.0) == pytest.approx(111.82, rel=1e-3)
    assert log_likelihood_ratio(Trinomial(wins=4250), 0.0, 10.0) == pytest.approx(120.56, rel=1e-3)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "nelo0", "nelo1", "llr"),
    [(36433, 36027, 68692, 0.0, 2.0, 0.92), (10871, 10650, 20431, -1.75, 0.25, 2.30)],
)
def test_published_single_games(wins: int, losses: int, draws: int, nelo0: float, nelo1: float, llr: float) -> None:
    """Single games agree with fastchess, app/tests/sprt_test.cpp, "normalized trinomial" 1 and 2."""
    results = Trinomial(losses=losses, draws=draws, wins=wins)
    assert log_likelihood_ratio(results, nelo0, nelo1) == pytest.approx(llr, abs=0.006)


def test_bounds() -> None:
    """The bounds are plus and minus 2.944 at 5% and 5%, and 4.60 at 1% and 1% (cutechess, tst_sprt.cpp)."""
    design = SprtDesign(0.0, 10.0)
    assert design.lower == pytest.approx(-math.log(19))
    assert f"{design.upper:.3f}" == "2.944"
    strict = SprtDesign(0.0, 10.0, 0.01, 0.01)
    assert strict.lower == pytest.approx(-4.6, abs=0.01)
    assert strict.upper == pytest.approx(4.6, abs=0.01)
    lopsided = SprtDesign(0.0, 10.0, alpha=0.01, beta=0.2)
    assert lopsided.lower == pytest.approx(math.log(0.2 / 0.99))
    assert lopsided.upper == pytest.approx(math.log(0.8 / 0.01))


# The fit --------------------------------------------------------------------------------------------------------------


@given(COUNTS, st.floats(-MAX_DEVIATIONS, MAX_DEVIATIONS))
@example((1, 0, 0, 0, 0), -2.0)
@example((144, 3, 1, 0, 0), -2.0)
@example((0, 0, 300, 0, 0), 1e-3)
@example((0, 0, 0, 0, 300), -2.1)
@example((300, 0, 0, 0, 300), 1e-12)
def test_fit_meets_its_condition(counts: tuple[int, ...], deviations: float) -> None:
    """Whatever the results and the strength, the fitted distribution is one, and has that strength.

    The one-sided examples are those that hung fastchess or gave it a not-a-number (issues 877 and 879).
    """
    total = sum(count or 1e-3 for count in counts)
    frequencies = [(count or 1e-3) / total for count in counts]
    logs = log_ratios(frequencies, deviations)
    fitted = [q * math.exp(-g) for q, g in zip(frequencies, logs, strict=True)]
    assert math.fsum(fitted) == pytest.approx(1.0, abs=1e-7)
    mean = math.fsum(p * i / 4 for i, p in enumerate(fitted))
    variance = math.fsum(p * (i / 4 - mean) ** 2 for i, p in enumerate(fitted))
    assert mean - 0.5 == pytest.approx(deviations * math.sqrt(variance), abs=1e-7)


@pytest.mark.parametrize("counts", [(20, 15, 30), (3, 0, 50), (50, 1, 2), (0, 40, 0), (0, 0, 9), (30, 0, 31)])
@pytest.mark.parametrize("deviations", [-1.2, -0.3, 0.02, 0.3, 1.0, 2.0])
def test_fit_is_the_most_likely(counts: tuple[int, ...], deviations: float) -> None:
    """With three classes the admissible distributions are a curve; none on it is likelier than the fit.

    A distribution with a share `d` of draws and a score of 1/2 + m has variance (1 - d)/4 - m^2, so strength t means
    m^2 = t^2 (1 - d) / 4 / (1 + t^2), and that is possible while 2|m| does not exceed 1 - d.
    """
    frequencies = [(count or 1e-3) / sum(x or 1e-3 for x in counts) for count in counts]
    found = math.fsum(q * g for q, g in zip(frequencies, log_ratios(frequencies, deviations), strict=True))
    t2 = deviations * deviations
    least = t2 / (1 + t2)  # of decided games
    best = math.inf
    for i in range(6001):
        decided = least + (1 - least) / (1 + math.exp(15 - i / 200))
        m = math.copysign(math.sqrt(t2 * decided / 4 / (1 + t2)), deviations)
        fitted = (decided / 2 - m, 1 - decided, decided / 2 + m)
        best = min(best, math.fsum(q * math.log(q / p) for q, p in zip(frequencies, fitted, strict=True)))
    assert found == pytest.approx(best, abs=1e-5)
    assert found <= best + 1e-9


@pytest.mark.parametrize(
    ("counts", "rival"),
    [
        ((3, 1, 5, 1, 0), (0.0130369, 0.00935865, 0.16362771, 0.81392373, 5.3e-05)),
        ((0, 0, 50, 0, 0), (4.81e-06, 8.55e-06, 0.96148079, 7.679e-05, 0.03842906)),
        ((0, 822, 7, 171, 0), (5e-08, 0.08329627, 0.00232432, 0.91437865, 7.2e-07)),
        ((3, 0, 995, 2, 0), (0.00024862, 1.9e-07, 0.73306338, 0.26668706, 7.5e-07)),
    ],
)
def test_fit_with_several_maxima(counts: tuple[int, ...], rival: tuple[float, ...]) -> None:
    """Where the likelihood has several maxima the greatest is found: no rival of the same strength is likelier."""
    frequencies = [(count or 1e-3) / sum(x or 1e-3 for x in counts) for count in counts]
    rival = tuple(p / math.fsum(rival) for p in rival)
    mean = math.fsum(p * i / 4 for i, p in enumerate(rival))
    deviation = math.sqrt(math.fsum(p * (i / 4 - mean) ** 2 for i, p in enumerate(rival)))
    logs = log_ratios(frequencies, (mean - 0.5) / deviation)
    found = math.fsum(q * g for q, g in zip(frequencies, logs, strict=True))
    assert found <= math.fsum(q * math.log(q / p) for q, p in zip(frequencies, rival, strict=True)) + 1e-9


def test_fit_too_far() -> None:
    """A strength at which the fit may be ambiguous is refused, by the design as well."""
    with pytest.raises(ValueError, match="standard deviations"):
        log_ratios([0.2] * 5, 2.2)
    with pytest.raises(ValueError, match="500"):
        SprtDesign(-1500.0, -500.0)
    assert deviations_of_nelo(500.0, 2) < MAX_DEVIATIONS


# The test -------------------------------------------------------------------------------------------------------------


@given(COUNTS, st.floats(-400, 400), st.floats(1, 100))
def test_both_sides_see_the_same(counts: tuple[int, ...], nelo0: float, width: float) -> None:
    """Seen from the other side, with the hypotheses mirrored, the LLR is the opposite; and it is finite."""
    results = pairs_of(counts)
    llr = log_likelihood_ratio(results, nelo0, nelo0 + width)
    assert math.isfinite(llr)
    assert log_likelihood_ratio(results.reversed, -nelo0 - width, -nelo0) == pytest.approx(-llr, rel=1e-6, abs=1e-6)


@settings(max_examples=40)
@given(COUNTS, st.lists(st.integers(-400, 400), min_size=3, max_size=3, unique=True))
def test_ratios_add(counts: tuple[int, ...], nelos: list[int]) -> None:
    """The LLR of c against a is that of b against a and of c against b together, as logarithms of ratios are."""
    a, b, c = nelos
    results = pairs_of(counts)
    parts = log_likelihood_ratio(results, a, b) + log_likelihood_ratio(results, b, c)
    assert log_likelihood_ratio(results, a, c) == pytest.approx(parts, rel=1e-6, abs=1e-6)


def test_the_observed_strength_is_the_likeliest() -> None:
    """No strength beats the observed one, and the LLR falls off on both sides of it."""
    results = pairs_of((20, 5, 60, 8, 35))
    score = (5 / 4 + 60 / 2 + 8 * 3 / 4 + 35) / 128
    second = (5 / 16 + 60 / 4 + 8 * 9 / 16 + 35) / 128
    observed = nelo_of_deviations((score - 0.5) / math.sqrt(second - score * score), 2)
    ratios = [log_likelihood_ratio(results, observed, observed + step) for step in range(0, 200, 20)]
    assert ratios[0] == pytest.approx(0.0, abs=1e-9)
    assert all(later < earlier for earlier, later in pairwise(ratios))


@pytest.mark.parametrize("nothing", [Pentanomial(), Trinomial()])
def test_no_results(nothing: Pentanomial | Trinomial) -> None:
    """Before the first result the LLR is 0 and nothing is decided."""
    status = sprt(nothing, SprtDesign(0.0, 5.0))
    assert (status.llr, status.state, status.units, status.progress) == (0.0, SprtState.UNDECIDED, 0, 0.0)
    assert sprt_of_points(Moments(), SprtDesign(0.0, 5.0)).llr == 0.0


def test_one_pair_decides_nothing() -> None:
    """One pair won or lost decides nothing, not even between far hypotheses.

    fastchess came to an LLR of -111 after one lost pair (pull request 881).
    """
    for results in (Pentanomial(ww=1), Pentanomial(ll=1), Pentanomial(wl=1)):
        for design in (SprtDesign(0.0, 5.0), SprtDesign(-500.0, -200.0), SprtDesign(200.0, 500.0)):
            assert sprt(results, design).state is SprtState.UNDECIDED


def test_identical_engines_accept_h0() -> None:
    """Identical deterministic engines are found not to be stronger, in games and in points, if slowly."""
    design = SprtDesign(0.0, 20.0)
    assert sprt(Pentanomial(wl=600), design).state is SprtState.ACCEPT_H0
    assert sprt_of_points(Moments.of([0.0] * 1000), design).state is SprtState.ACCEPT_H0
    assert sprt(Pentanomial(wl=100), design).state is SprtState.UNDECIDED


def test_decisions() -> None:
    """Beyond a bound, or on it, the hypothesis on its side is accepted; progress is counted towards that bound."""
    design = SprtDesign(0.0, 30.0, alpha=0.05, beta=0.1)
    assert design.status(design.upper, 9).state is SprtState.ACCEPT_H1
    assert design.status(design.lower, 9).state is SprtState.ACCEPT_H0
    assert design.status(0.0, 9).state is SprtState.UNDECIDED
    assert design.status(design.lower / 2, 9).progress == pytest.approx(0.5)
    assert design.status(design.upper / 4, 9).progress == pytest.approx(0.25)
    assert sprt(Pentanomial(ll=50, wl=100, ww=150), design).state is SprtState.ACCEPT_H1
    assert sprt(Pentanomial(ll=150, wl=100, ww=50), design).state is SprtState.ACCEPT_H0


@pytest.mark.parametrize("points", [[30.0, -10.0, 55.0, 20.0], [0.5, 0.5, -1.0], [-90.0, -100.0, -110.0], [4.0, 5.0]])
def test_points_by_maximisation(points: list[float]) -> None:
    """The LLR of points is that of normal distributions whose deviations are searched for, not computed."""
    design = SprtDesign(-30.0, 60.0)

    def greatest(nelo: float) -> float:
        t = deviations_of_nelo(nelo, 2)
        deviations = (math.exp(i / 2000) for i in range(-4000, 14000))
        return max(math.fsum(-math.log(s) - (x / s - t) ** 2 / 2 for x in points) for s in deviations)

    found = sprt_of_points(Moments.of(points), design).llr
    assert found == pytest.approx(greatest(60.0) - greatest(-30.0), abs=1e-5)


def test_points_agree_with_games() -> None:
    """Points that are results of games in disguise have nearly the games' LLR where the engines are nearly equal."""
    counts = (305, 0, 590, 0, 330)
    games = log_likelihood_ratio(pairs_of(counts), 0.0, 10.0)
    points = sprt_of_points(Moments.of_counts([-2, -1, 0, 1, 2], counts), SprtDesign(0.0, 10.0)).llr
    assert points == pytest.approx(games, rel=0.01)


def test_equal_points_on_every_pair() -> None:
    """Points without spread speak for the side that makes them, and more pairs say it louder."""
    design = SprtDesign(0.0, 20.0)
    llrs = [sprt_of_points(Moments.of([10.0] * n), design).llr for n in (1, 10, 100)]
    assert 0.0 < llrs[0] < llrs[1] < design.upper < llrs[2]
    assert sprt_of_points(Moments.of([-10.0] * 100), design).state is SprtState.ACCEPT_H0


def test_first_decision() -> None:
    """Over pairs in order the test stops at the first decision and looks no further."""
    design = SprtDesign(0.0, 100.0)
    won, split = (GameResult.WIN, GameResult.WIN), (GameResult.WIN, GameResult.LOSS)
    pairs = [won, split] * 40
    status = first_decision(iter(pairs), design)
    assert status.state is SprtState.ACCEPT_H1
    assert sprt(Pentanomial.of(pairs[: status.units]), design) == status
    assert sprt(Pentanomial.of(pairs[: status.units - 1]), design).state is SprtState.UNDECIDED
    rest = iter(pairs)
    first_decision(rest, design)
    assert len(list(rest)) == len(pairs) - status.units
    assert first_decision([], design).units == 0


@pytest.mark.parametrize(
    "arguments",
    [(5.0, 5.0), (5.0, 0.0), (0.0, math.nan), (0.0, 5.0, 0.0, 0.05), (0.0, 5.0, 0.05, -0.1), (0.0, 5.0, 0.5, 0.5)],
)
def test_designs_that_make_no_sense(arguments: tuple[float, ...]) -> None:
    """Hypotheses that do not rise, and error rates that are none, are refused."""
    with pytest.raises(ValueError, match=r"must rise|together"):
        SprtDesign(*arguments)


# Planning -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bayeselo", "accepted", "games"),
    [
        (-1, 0.0128, 28982),
        (0, 0.0515, 40145),
        (1, 0.1888, 55858),
        (2, 0.5031, 65163),
        (3, 0.8149, 55612),
        (4, 0.9506, 39821),
        (5, 0.9875, 28835),
    ],
)
def test_published_operating_characteristics(bayeselo: float, accepted: float, games: float) -> None:
    """How often a test accepts and how long it takes agree with a published simulation of 20,000 tests at each point.

    https://github.com/lucasart/sprt, README: single games, drawelo 250, hypotheses of 0 and 4 BayesElo.
    """

    def nelo(difference: float) -> float:
        win = 1 / (1 + 10 ** ((250 - difference) / 400))
        loss = 1 / (1 + 10 ** ((250 + difference) / 400))
        mean = (win - loss) / 2
        return nelo_of_deviations(mean / math.sqrt((win + loss) / 4 - mean * mean), 1)

    design = SprtDesign(nelo(0), nelo(4))
    assert acceptance_probability(design, nelo(bayeselo), 1) == pytest.approx(accepted, abs=0.01)
    assert expected_units(design, nelo(bayeselo), 1) == pytest.approx(games, rel=0.02)


def test_planning_at_the_hypotheses() -> None:
    """The error rates are those asked for, and a test takes longest between the hypotheses."""
    design = SprtDesign(-5.0, 15.0, alpha=0.02, beta=0.1)
    assert acceptance_probability(design, -5.0) == pytest.approx(0.02)
    assert acceptance_probability(design, 15.0) == pytest.approx(0.9)
    lengths = [expected_units(design, nelo) for nelo in (-40.0, -5.0, 5.0, 15.0, 60.0)]
    assert max(lengths) == lengths[2]
    assert expected_units(design, 5.0 + 1e-7) == pytest.approx(expected_units(design, 5.0), rel=1e-5)
