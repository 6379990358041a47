"""The table of win probabilities of a two-player game: solved, packed, looked up."""

from __future__ import annotations

import os.path
from random import Random

import pytest

from spades_engine.equity import _sweep, chart, sweep
from spades_engine.equity.chart import PACKED, chart_of, checksum, solve, unpack
from spades_engine.equity.lattice import Hands, bid_of, cells_of
from spades_engine.equity.model import Equity
from spades_engine.game import OPTIONS, OptionError, RuleSet, game_end, score_side

FOLDER = os.path.dirname(chart.__file__)


def rules_of(preset: str, **options: str) -> RuleSet:
    """A preset with some options changed."""
    return RuleSet.preset_named(preset).with_options(options)


@pytest.mark.parametrize("options", [{}, {"bag_limit": "3"}, {"bag_limit": "none"}, {"nil": "off", "blind_nil": "off"}])
def test_the_compiled_sweep_gives_what_the_plain_one_gives(options: dict[str, str]) -> None:
    """Both twins solve a table to the last bit alike."""
    hands = Hands(rules_of("duel", target="50", floor="-30", bag_limit=options.pop("bag_limit", "2"), **options))
    assert solve(hands, sweep) == solve(hands, _sweep)


@pytest.mark.parametrize("preset", PACKED)
def test_the_tables_that_come_along_are_what_is_solved(preset: str) -> None:
    """Solving a preset anew gives what its file holds. The bytes may differ by the version of zlib."""
    hands = Hands(RuleSet.preset_named(preset))
    with open(os.path.join(FOLDER, preset + ".bin"), "rb") as file:
        assert file.read(4) == checksum(hands)
        assert unpack(file.read(), hands.lattice) == solve(hands)


def test_packing_loses_nothing() -> None:
    """A table unpacked from its file is the solved one."""
    hands = Hands(RuleSet.preset_named("draft300"))
    entries = solve(hands)
    assert unpack(chart.pack(entries, hands.lattice), hands.lattice) == entries
    assert len(checksum(hands)) == 4


def simulated(rules: RuleSet, totals: tuple[int, int], bags: tuple[int, int], first: int, games: int) -> float:
    """The share of games that the first side wins when hands are drawn from the same outcomes, scored by the rules."""
    rng = Random(f"{totals} {bags} {first}")
    cells = cells_of(rules)
    weights = [cell[3] for cell in cells]
    won = 0.0
    for _ in range(games):
        now, kept, bidder, hands = list(totals), list(bags), first, 0
        while True:
            first_bid, other_bid, tricks, _ = rng.choices(cells, weights)[0]
            for side, bid, taken in ((bidder, first_bid, tricks), (1 - bidder, other_bid, 13 - tricks)):
                score = score_side(rules, [bid_of(bid)], [taken], kept[side])
                now[side] += score.points
                kept[side] = score.bags_after
            hands += 1
            bidder = 1 - bidder
            ended, winner, _ = game_end(rules, (now[0], now[1]), hands)
            if ended:
                won += 0.5 if winner is None else 1.0 - winner
                break
    return won / games


@pytest.mark.parametrize(
    ("preset", "totals", "bags", "first"),
    [
        ("draft", (0, 0), (0, 0), 0),
        ("draft", (458, 403), (8, 3), 1),
        ("draft300", (199, 253), (9, 3), 0),
        ("duel", (-120, 50), (0, 0), 1),
        ("duel", (377, 377), (7, 7), 0),
    ],
)
def test_the_table_is_what_games_come_to(
    preset: str, totals: tuple[int, int], bags: tuple[int, int], first: int
) -> None:
    """Games drawn from the same outcomes and scored by the rules are won as often as the table says."""
    rules = RuleSet.preset_named(preset)
    games = 3000
    expected = Equity(rules).during(totals, bags, 3, first)
    error = (expected * (1 - expected) / games) ** 0.5
    assert abs(simulated(rules, totals, bags, first, games) - expected) < 4 * error + 1e-3


@pytest.mark.parametrize("preset", PACKED)
def test_exchanging_the_sides_exchanges_the_chances(preset: str) -> None:
    """The same score with sides and bidder exchanged gives the rest to one."""
    equity = Equity(RuleSet.preset_named(preset))
    for a in range(-150, 290, 37):
        for b in range(-150, 290, 41):
            bags = (a % 10, b % 10)
            here = equity.during((a, b), bags, 4, 0)
            there = equity.during((b, a), bags[::-1], 4, 1)
            assert abs(here + there - 1.0) < 1e-9


def test_a_ninth_bag_is_a_burden() -> None:
    """At 250-250 nine bags are worth much less than none, and less than a penalty's hundred points are at most."""
    equity = Equity(RuleSet.preset_named("draft"))
    none, nine = equity.during((250, 250), (0, 0), 5, 0), equity.during((259, 250), (9, 0), 5, 0)
    behind = equity.during((159, 250), (9, 0), 5, 0)
    assert behind < nine < none - 0.05


def random_rules(rng: Random) -> RuleSet | None:
    """A two-player rule set with some options at random; None for a combination that means nothing."""
    texts = {}
    for option in rng.sample(OPTIONS, 5):
        if option.kind == "number":
            low, high = {"target": (50, 5000), "floor": (-5000, -1)}.get(option.name, (0, 0))
            texts[option.name] = str(rng.randint(low, high)) if high or low else str(rng.randint(1, 4))
        elif option.kind != "cards":
            texts[option.name] = rng.choice(option.allowed.split(", "))
    try:
        return RuleSet.preset_named(rng.choice(["draft", "duel"])).with_options(texts)
    except OptionError:
        return None


def test_every_rule_set_has_a_table() -> None:
    """Whatever the options, a table is made and gives probabilities, rising with one's own total."""
    rng = Random("rule sets")
    made = 0
    while made < 12:
        rules = random_rules(rng)
        if rules is None:
            continue
        made += 1
        table = chart_of(rules)
        row = [table.wins(total, 0, 0, 0) for total in range(0, rules.target, max(1, rules.target // 12))]
        assert all(0.0 <= value <= 1.0 for value in row)
        assert row[0] <= row[-1] + 1e-6


def test_a_clock_does_not_wait_for_the_table() -> None:
    """Prepared without waiting, questions are answered by the race until the table is there, and then by the table."""
    rules = RuleSet.preset_named("draft").with_options({"target": "410"})
    impatient, patient = Equity(rules), Equity(rules)
    impatient.prepare(wait=False)
    early = impatient.during((100, 300), (0, 0), 4, 0)
    patient.prepare(wait=True)
    exact = patient.during((100, 300), (0, 0), 4, 0)
    assert impatient.during((100, 300), (0, 0), 4, 0) == early  # until it is prepared again
    loader = impatient._loader
    assert loader is not None
    loader.join(30)
    impatient.prepare(wait=False)
    assert impatient.during((100, 300), (0, 0), 4, 0) == exact != early
