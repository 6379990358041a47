"""Counts of pairs, Elo, normalised Elo and the likelihood of superiority, against published figures."""

import math
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_match.statistics import (
    GameResult,
    Moments,
    Pentanomial,
    Remark,
    Trinomial,
    draw_rate,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    normalised_elo,
    normalised_elo_of_points,
    score_moments,
    score_of_elo,
    score_rate,
    superiority_of_points,
    t_quantile,
    win_rate,
)
from tests.match.simulation import pairs_of

NORMAL_95 = 1.959963984540054
COUNTS = st.builds(Pentanomial, *[st.integers(0, 40)] * 6)


# Counts ---------------------------------------------------------------------------------------------------------------


def test_counts_of_every_pair() -> None:
    """Each of the nine pairs of results is counted in its class, in either order, and its points are the class's."""
    for first, second in product(GameResult, repeat=2):
        pair = Pentanomial.of([(first, second)])
        points = pair.counts.index(1)
        assert points == first + second
        assert pair.units == 1
        assert (pair.losses, pair.draws, pair.wins) == tuple((first, second).count(x) for x in GameResult)
        assert Pentanomial.of([(first.reversed, second.reversed)]) == pair.reversed


@given(COUNTS, COUNTS)
def test_counts_add(first: Pentanomial, second: Pentanomial) -> None:
    """Counts of parts of a match add to those of the whole."""
    whole = first + second
    assert whole.units == first.units + second.units
    assert whole.wins + whole.draws + whole.losses == 2 * whole.units
    assert whole.reversed == first.reversed + second.reversed


def test_counts_of_single_games() -> None:
    """Single games are counted by result."""
    games = [GameResult.WIN, GameResult.LOSS, GameResult.WIN, GameResult.DRAW]
    assert Trinomial.of(games) == Trinomial(losses=1, draws=1, wins=2)
    assert Trinomial.of(games) + Trinomial(1, 0, 0) == Trinomial(2, 1, 2)
    assert Trinomial(3, 2, 1).reversed == Trinomial(1, 2, 3)


def test_counts_are_not_negative() -> None:
    """A negative count is refused by name."""
    with pytest.raises(ValueError, match="wd=-1"):
        Pentanomial(wd=-1)
    with pytest.raises(ValueError, match="draws=-2"):
        Trinomial(draws=-2)


def test_pairs_ratio() -> None:
    """Pairs won by pairs lost: infinite when none was lost, nothing when all were split."""
    assert pairs_of((3, 75, 149, 83, 4)).pairs_ratio == pytest.approx(87 / 78)
    assert Pentanomial(ww=2, wl=1).pairs_ratio == math.inf
    assert Pentanomial(wl=5).pairs_ratio is None


def test_rates_and_draws() -> None:
    """The score counts a draw half, the win rate not at all; the three rates agree with the games."""
    results = Pentanomial(ll=10, ld=5, dd=4, wl=30, wd=6, ww=25)
    games = 2 * results.units
    assert score_rate(results).value == pytest.approx((results.wins + results.draws / 2) / games)
    assert win_rate(results).value == pytest.approx(results.wins / games)
    assert draw_rate(results).value == pytest.approx(results.draws / games)
    single = Trinomial(losses=20, draws=10, wins=30)
    assert score_rate(single).value == pytest.approx(35 / 60)
    assert win_rate(single).value == pytest.approx(0.5)
    assert draw_rate(single).value == pytest.approx(1 / 6)


def test_pairing_narrows_the_interval() -> None:
    """Split pairs are luck of the cards that pairing takes out: the interval is narrower than that of the games."""
    paired = score_rate(Pentanomial(ll=10, wl=80, ww=10)).half_width
    single = score_rate(Trinomial(losses=100, draws=0, wins=100)).half_width
    assert paired is not None
    assert single is not None
    assert paired < 0.7 * single


# Published figures ----------------------------------------------------------------------------------------------------

PUBLISHED = [
    # (LL, LD, WL+DD, WD, WW), Elo and its error, normalised Elo and its error as fastchess makes it, LOS in per cent
    # fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "3"
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.0),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
    # fastchess reports: https://ijccrl.com/sprt-test-of-revolution-1-0-1-dev-vs-revolution-1-0, https://ijccrl.com/?p=5923
    ((3, 75, 149, 83, 4), 5.53, 14.79, 10.17, 27.17, 76.85),
    ((5, 109, 748, 134, 4), 4.00, 5.68, 10.71, 15.23, 91.59),
    # https://github.com/DSTGU/Dual/releases/tag/v0.3.2
    ((16, 82, 222, 150, 61), 52.08, 14.57, 75.87, 20.90, 100.0),
    ((49, 48, 154, 49, 60), 11.10, 21.86, 12.92, 25.38, 84.08),
    # https://chess.stackexchange.com/questions/45881
    ((4, 3, 34, 42, 117), 277.00, 40.90, 345.17, 34.05, 100.0),
    # https://github.com/codedeliveryservice/Reckless/wiki/Progress-Tracking
    ((59, 1751, 4800, 3267, 169), 30.09, 2.56, 56.71, 4.80, None),
]


@pytest.mark.parametrize(("counts", "value", "error", "nelo", "nelo_error", "los"), PUBLISHED)
def test_published_reports(
    counts: tuple[int, ...], value: float, error: float, nelo: float, nelo_error: float, los: float | None
) -> None:
    """Elo, normalised Elo and the likelihood of superiority are those of published reports, to every digit given.

    The error of Elo in them is made with the normal quantile, and n for n - 1; with both put back, Student's interval
    of the score has their ends. The interval used here is another but close: within 3% at these sizes.
    """
    results = pairs_of(counts)
    n = results.units
    assert elo(results).value == pytest.approx(value, abs=0.006)
    assert elo(results).half_width == pytest.approx(error, rel=0.03)
    moments = score_moments(results)
    reach = NORMAL_95 * math.sqrt(moments.variance / n)
    ends = [elo_of_score(moments.mean + sign * reach) for sign in (-1, 1)]
    assert (ends[1] - ends[0]) / 2 == pytest.approx(error, abs=0.006)

    strength = normalised_elo(results).value
    assert strength == pytest.approx(nelo, abs=0.006)
    assert NORMAL_95 * 800 / math.log(10) / math.sqrt(2 * n) == pytest.approx(nelo_error, abs=0.006)
    if los is not None:
        assert strength is not None
        assert 100 * NormalDist().cdf(strength * math.sqrt(2 * n) * math.log(10) / 800) == pytest.approx(los, abs=0.006)
        assert likelihood_of_superiority(results) == pytest.approx(los / 100, abs=0.001)


@pytest.mark.parametrize(
    ("counts", "value", "error", "nelo", "nelo_error"),
    [
        ((18, 1850, 25507, 2580, 45), 4.54, 0.8, 16.29, 2.8),
        ((5, 803, 18029, 1154, 9), 3.12, 0.8, 13.92, 3.4),
        ((96, 6835, 16121, 6851, 97), 0.10, 1.4, 0.21, 2.8),
        ((30, 5872, 17820, 6261, 17), 2.10, 1.3, 4.64, 2.8),
    ],
)
def test_published_regression_tests(
    counts: tuple[int, ...], value: float, error: float, nelo: float, nelo_error: float
) -> None:
    """The figures and error bars of fishtest's long matches are reproduced: Stockfish wiki, Regression Tests."""
    results = pairs_of(counts)
    assert elo(results).value == pytest.approx(value, abs=0.006)
    assert elo(results).half_width == pytest.approx(error, abs=0.051)
    assert normalised_elo(results).value == pytest.approx(nelo, abs=0.006)
    assert normalised_elo(results).half_width == pytest.approx(nelo_error, abs=0.051)


def test_published_raw_statistics() -> None:
    """Variance, skewness, kurtosis and normalised Elo of a fishtest raw statistics page are reproduced.

    https://montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712: mean 0.43750, variance 0.05762, skewness
    -0.01324, excess kurtosis -0.50187, normalised Elo -63.97.
    """
    results = pairs_of((13, 37, 50, 25, 3))
    moments = score_moments(results)
    assert moments.mean == 0.4375
    assert moments.variance == pytest.approx(0.05762, abs=6e-6)
    assert moments.skewness == pytest.approx(-0.01324, abs=6e-6)
    assert moments.excess_kurtosis == pytest.approx(-0.50187, abs=6e-6)
    assert normalised_elo(results).value == pytest.approx(-63.97, abs=0.006)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "nelo", "los"),
    [(76, 89, 123, -20.76, 15.53), (136, 96, 111, 49.77, 99.60), (34, 356, 0, -508.44, 0.0)],
)
def test_published_single_games(wins: int, losses: int, draws: int, nelo: float, los: float) -> None:
    """Single games agree with fastchess, app/tests/elo_test.cpp, "EloWDL 1" to "3" (the third LOS is not given)."""
    results = Trinomial(losses=losses, draws=draws, wins=wins)
    assert normalised_elo(results).value == pytest.approx(nelo, abs=0.006)
    assert likelihood_of_superiority(results) == pytest.approx(los / 100, abs=0.001)
    if wins == 136:
        assert elo(results).value == pytest.approx(40.70, abs=0.006)
        assert elo(results).half_width == pytest.approx(30.43, rel=0.01)


@pytest.mark.parametrize(("lost", "won"), [(30, 70), (3, 97), (450, 550)])
def test_normalised_interval_of_two_classes(lost: int, won: int) -> None:
    """With two classes the interval is what an error of the share p of pairs won makes of (p - 1/2)/sqrt(p(1 - p))."""
    n, p = lost + won, won / (lost + won)
    slope = 1 / math.sqrt(p * (1 - p)) - (p - 0.5) * (0.5 - p) / (p * (1 - p)) ** 1.5
    reach = t_quantile(0.95, n - 1) * slope * math.sqrt(p * (1 - p) / n)
    half_width = normalised_elo(Pentanomial(ll=lost, ww=won)).half_width
    assert half_width == pytest.approx(reach / math.sqrt(2) * 800 / math.log(10))


def test_superiority_of_two_pairs() -> None:
    """After one pair split and one won the mean is one standard error above even: 3/4, by Cauchy's distribution."""
    assert likelihood_of_superiority(Pentanomial(wl=1, ww=1)) == pytest.approx(0.75)
    assert superiority_of_points(Moments.of([0.0, 60.0])) == pytest.approx(0.75)


# Scales ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "score"), [(0, 0.5), (100, 0.640), (200, 0.760), (400, 10 / 11), (-400, 1 / 11)]
)
def test_elo_of_known_scores(difference: float, score: float) -> None:
    """100 Elo is a score of 64%, 200 of 76%, 400 of ten to one (A. Elo, The Rating of Chessplayers, 1978)."""
    assert score_of_elo(difference) == pytest.approx(score, abs=5e-4)
    assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference, abs=1e-9)


def test_elo_at_the_ends() -> None:
    """A score of 0 or 1 is an infinite difference, an even one exactly 0; a score outside is refused."""
    assert (elo_of_score(0.0), elo_of_score(0.5), elo_of_score(1.0)) == (-math.inf, 0.0, math.inf)
    assert (score_of_elo(-math.inf), score_of_elo(1e300), score_of_elo(0.0)) == (0.0, 1.0, 0.5)
    with pytest.raises(ValueError, match="score"):
        elo_of_score(1.01)


def test_normalised_elo_of_equal_scale() -> None:
    """For nearly equal engines without draws, single games have the same Elo and normalised Elo."""
    results = Trinomial(losses=4975, draws=0, wins=5025)
    assert normalised_elo(results).value == pytest.approx(elo(results).value, rel=1e-3)


def test_points_and_games_on_one_scale() -> None:
    """Points that are games in disguise (1 for a pair won, -1 for one lost) have the games' normalised Elo."""
    results = Pentanomial(ll=20, wl=50, ww=35)
    points = Moments.of_counts([-1, 0, 1], [20, 50, 35])
    expected, found = normalised_elo(results), normalised_elo_of_points(points)
    assert found.value == pytest.approx(expected.value)
    assert found.half_width == pytest.approx(expected.half_width)
    assert superiority_of_points(points) == pytest.approx(likelihood_of_superiority(results))


@given(COUNTS)
def test_both_sides_see_the_same(results: Pentanomial) -> None:
    """Seen from the other side every figure is mirrored."""
    for function in (elo, normalised_elo):
        ours, theirs = function(results), function(results.reversed)
        assert (ours.remark, ours.pairs) == (theirs.remark, theirs.pairs)
        for mine, other in ((ours.value, theirs.value), (ours.low, theirs.high), (ours.high, theirs.low)):
            assert (mine is None) == (other is None)
            if mine is not None and other is not None:
                assert mine == pytest.approx(-other, rel=1e-6, abs=1e-6)
    los, other_los = likelihood_of_superiority(results), likelihood_of_superiority(results.reversed)
    assert (los is None) == (other_los is None)
    if los is not None and other_los is not None:
        assert los + other_los == pytest.approx(1.0)


@given(COUNTS)
def test_superiority_agrees_with_the_interval(results: Pentanomial) -> None:
    """The likelihood of superiority exceeds 97.5% exactly when Student's 95% interval of the score is above a half."""
    moments = score_moments(results)
    if moments.count < 2 or moments.second == 0.0:
        return
    low = moments.mean - t_quantile(0.95, moments.count - 1) * math.sqrt(
        moments.second / moments.count / (moments.count - 1)
    )
    los = likelihood_of_superiority(results)
    assert los is not None
    if abs(los - 0.975) > 1e-9:
        assert (los > 0.975) == (low > 0.5)


# The edges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [Pentanomial(), Trinomial()])
def test_no_games(nothing: Pentanomial | Trinomial) -> None:
    """Without games there is no figure, and none is made up."""
    for function in (elo, normalised_elo, score_rate, win_rate, draw_rate):
        estimate = function(nothing)
        assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
        assert estimate.remark is Remark.NO_DATA
    assert likelihood_of_superiority(nothing) is None


def test_one_split_pair() -> None:
    """One split pair is an Elo of 0 about which nothing is certain."""
    for function in (elo, normalised_elo):
        estimate = function(Pentanomial(wl=1))
        assert (estimate.value, estimate.low, estimate.remark) == (0.0, None, Remark.ONE_PAIR)
    assert likelihood_of_superiority(Pentanomial(wl=1)) is None


def test_identical_engines_in_games() -> None:
    """Identical deterministic engines split every pair: exactly 0, no interval claimed, and no superiority."""
    results = Pentanomial(wl=180, dd=20)
    for function in (elo, normalised_elo):
        estimate = function(results)
        assert (estimate.value, estimate.low, estimate.high, estimate.remark) == (0.0, None, None, Remark.NO_SPREAD)
    assert likelihood_of_superiority(results) is None


def test_all_won() -> None:
    """An engine that wins everything has an infinite Elo with a finite lower end, and no normalised Elo."""
    for n in (1, 5, 200):
        estimate = elo(Pentanomial(ww=n))
        assert estimate.low is not None
        assert (estimate.value, estimate.high, estimate.remark) == (math.inf, math.inf, Remark.AT_THE_EDGE)
        assert math.isfinite(estimate.low)
        assert normalised_elo(Pentanomial(ww=n)).value is None
        assert likelihood_of_superiority(Pentanomial(ww=n)) == 1.0 - 0.5 ** (n + 1)
        assert likelihood_of_superiority(Pentanomial(ll=n)) == 0.5 ** (n + 1)
    low = elo(Pentanomial(ww=200)).low
    assert low is not None
    assert low > 600


def test_points_without_spread() -> None:
    """Equal points on every pair have no deviation to be measured in, unless they are all 0."""
    assert normalised_elo_of_points(Moments.of([0, 0, 0])).value == 0.0
    assert normalised_elo_of_points(Moments.of([30, 30, 30])).value is None
    assert superiority_of_points(Moments.of([0, 0, 0])) is None
    assert superiority_of_points(Moments()) is None
