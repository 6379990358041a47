"""Presets and options: values, texts, refusals."""

import dataclasses
import itertools
import pickle

import pytest
from hypothesis import given

from spades_engine.game import OPTIONS, PRESETS, Form, OptionError, OptionSpec, RuleSet, Seat, Side, UnreadableEvent
from tests.game.hands import VALUES, E, N, S, W, rule_sets, rules_of

TABLE = """
target            500       300    500       500
floor             none      none   none      -200
bag_limit         10        10     10        10
bag_penalty       100       100    100       100
bag_points        1         1      1         1
nil               100       100    100       100
blind_nil         200       off    200       off
blind_deficit     0         0      0         0
exchange          discards  none   partner   none
exchange_count    3         0      3         0
failed_nil_bags   no        no     yes       no
failed_nil_helps  no        no     no        no
peek              seen      seen   seen      seen
draft_choice      public    public public    public
first_bidder      second    first  first     first
leader            bidder    bidder bidder    bidder
lead_spades       broken    broken broken    broken
first_trick_ruff  yes       yes    yes       yes
removed           none      none   none      2C,2D
hand_cap          200       200    200       200
min_bid           0         0      0         0
nil_is_zero       yes       yes    yes       yes
"""
DEFAULTS = [line.split() for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("column", "preset"), [(1, "draft"), (2, "draft300"), (3, "partners"), (4, "duel")])
def test_the_defaults_in_force_are_the_documented_ones(column: int, preset: str) -> None:
    """Every preset's options, read back, are the table's, in the table's order."""
    expected = {row[0]: row[column] for row in DEFAULTS}
    rules = RuleSet.preset_named(preset)
    assert list(rules.options().items()) == list(expected.items())
    assert rules.overrides() == {}


def test_there_are_four_presets() -> None:
    """The presets are draft, draft300, partners and duel, each with its form."""
    assert PRESETS == ("draft", "draft300", "partners", "duel")
    assert [rules_of(name).form for name in PRESETS] == [Form.DRAFT, Form.DRAFT, Form.PARTNERS, Form.DUEL]


@pytest.mark.parametrize("spec", OPTIONS, ids=lambda spec: spec.name)
def test_every_value_reads_back(spec: OptionSpec) -> None:
    """What an option was set to is what it says, and setting the default is no override."""
    name = spec.name
    for preset, text in itertools.product(PRESETS, VALUES[name]):
        try:
            rules = rules_of(preset, **{name: text})
        except OptionError:
            continue
        assert rules.option_text(name) == text
        default = rules_of(preset).option_text(name)
        assert rules.overrides() == ({} if text == default else {name: text})
        assert rules.with_options({name: default}) == rules_of(preset)


@pytest.mark.parametrize(
    ("name", "below", "low", "high", "above"),
    [
        ("target", "49", "50", "5000", "5001"),
        ("floor", "-5001", "-5000", "-1", "0"),
        ("bag_limit", "0", "1", "20", "21"),
        ("bag_penalty", "-1", "0", "1000", "1001"),
        ("bag_points", "-1", "0", "1", "2"),
        ("nil", "-1", "0", "1000", "1001"),
        ("blind_nil", "-1", "0", "1000", "1001"),
        ("blind_deficit", "-1", "0", "5000", "5001"),
        ("exchange_count", "-1", "0", "4", "5"),
        ("hand_cap", "0", "1", "1000", "1001"),
        ("min_bid", "-1", "0", "4", "5"),
    ],
)
def test_the_ends_of_every_range(name: str, below: str, low: str, high: str, above: str) -> None:
    """The ends of a range are allowed; one beyond is refused with the range, and the option is named."""
    for text in (low, high):
        assert rules_of("draft", **{name: text}).option_text(name) == text
    for text in (below, above, "1" * 30):
        with pytest.raises(OptionError) as caught:
            rules_of("draft", **{name: text})
        assert caught.value.option == name
        assert caught.value.limits == (int(low), int(high))
        assert f"{low}..{high}" in caught.value.allowed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("target", "ten"), ("target", ""), ("target", "5_00"), ("target", "50.5"),
        ("target", "\u0665\u0660\u0660"), ("target", "none"), ("floor", "off"), ("floor", "NONE"),
        ("nil", "none"),
        ("nil", "no"), ("exchange", "partners"), ("exchange", "Discards"), ("peek", "yes"), ("draft_choice", "secret"),
        ("nil_is_zero", "true"), ("first_trick_ruff", "1"), ("first_bidder", "third"), ("leader", "first"),
        ("lead_spades", "always"), ("removed", ""), ("removed", "2X"), ("removed", "??"), ("removed", "2C,2C"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(name: str, text: str) -> None:
    """A text that is no value of the option is refused; the error names the option and what it takes."""
    with pytest.raises(OptionError) as caught:
        rules_of("duel", **{name: text})
    assert caught.value.option == name
    assert caught.value.allowed
    assert caught.value.limits is None
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        ("targe", "500", "target"), ("Target", "500", "target"), ("bag-limit", "5", "bag_limit"), ("nils", "50", "nil"),
        ("blindnil", "50", "blind_nil"), ("exchange", "discard", "discards"), ("peek", "SEEN", "seen"),
        ("floor", "off", "none"), ("nil", "none", "off"), ("colour", "red", ""),
    ],
)  # fmt: skip
def test_a_near_word_is_suggested(name: str, text: str, meant: str) -> None:
    """An unknown name or word that is close to a known one comes with that one as a suggestion."""
    with pytest.raises(OptionError) as caught:
        rules_of("draft", **{name: text})
    assert caught.value.suggest == meant


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    """The names of the presets are told when another one is asked for."""
    with pytest.raises(OptionError, match="draft300") as caught:
        RuleSet.preset_named("drafty")
    assert (caught.value.option, caught.value.suggest) == ("rules", "draft")


@pytest.mark.parametrize(
    ("preset", "option", "text"),
    [
        ("draft", "removed", "2C"), ("draft300", "removed", "2C"), ("partners", "removed", "2C"),
        ("duel", "removed", ",".join(rank + suit for rank in "2345678" for suit in "CDHS")[:-9]),
        ("partners", "exchange", "discards"), ("duel", "exchange", "discards"),
        ("draft", "exchange", "partner"), ("draft300", "exchange", "partner"), ("duel", "exchange", "partner"),
        ("draft", "failed_nil_helps", "yes"), ("draft300", "failed_nil_helps", "yes"), ("duel", "failed_nil_helps",
        "yes"),
        ("partners", "peek", "unseen"), ("duel", "peek", "unseen"),
        ("partners", "draft_choice", "hidden"), ("duel", "draft_choice", "hidden"),
    ],
)  # fmt: skip
def test_combinations_that_mean_nothing_are_refused(preset: str, option: str, text: str) -> None:
    """Each refused combination is refused under the name of its option."""
    with pytest.raises(OptionError) as caught:
        rules_of(preset, **{option: text})
    assert caught.value.option == option


def test_twenty_four_cards_can_be_removed() -> None:
    """A duel leaves out up to 24 cards; 25 are too many, and the order written does not matter."""
    cards = [rank + suit for rank in "2345678" for suit in "CDHS"]
    rules = rules_of("duel", removed=",".join(cards[:24]))
    assert len(rules.deck) == 28
    assert rules == rules_of("duel", removed=",".join(reversed(cards[:24])))
    with pytest.raises(OptionError, match="24"):
        rules_of("duel", removed=",".join(cards[:25]))


def test_the_order_of_options_does_not_matter() -> None:
    """Every order of setting the same options gives the same rules."""
    texts = {"target": "250", "nil": "off", "nil_is_zero": "no", "min_bid": "2"}
    results = {
        RuleSet.preset_named("duel").with_options(dict(order)) for order in itertools.permutations(texts.items())
    }
    assert len(results) == 1


@given(rule_sets())
def test_overrides_make_the_rules_again(rules: RuleSet) -> None:
    """Rules are their preset and their overrides."""
    assert RuleSet.preset_named(rules.preset).with_options(rules.overrides()) == rules
    assert RuleSet.preset_named(rules.preset).with_options(rules.options()) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_rules_never_change() -> None:
    """A rule set cannot be written to."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules_of("draft").target = 10  # type: ignore[misc]


def test_two_seats() -> None:
    """Two players: seats S and N, each its own side, no partner, taking turns."""
    rules = rules_of("duel")
    assert rules.seats == (S, N)
    assert [rules.side_of(seat) for seat in (S, N)] == [Side.FIRST, Side.SECOND]
    assert [rules.format_side(side) for side in rules.sides] == ["S", "N"]
    assert [rules.next_seat(seat) for seat in (S, N)] == [N, S]
    assert rules.partner(S) is None
    assert rules.seats_of(Side.FIRST) == (S,)


def test_four_seats() -> None:
    """Four players: N, E, S, W clockwise, NS against EW, partners opposite."""
    rules = rules_of("partners")
    assert rules.seats == (N, E, S, W)
    assert [rules.next_seat(seat) for seat in rules.seats] == [E, S, W, N]
    assert [rules.partner(seat) for seat in rules.seats] == [S, W, N, E]
    assert [rules.format_side(side) for side in rules.sides] == ["NS", "EW"]
    for side, seat in itertools.product(rules.sides, Seat):
        assert (seat in rules.seats_of(side)) == (rules.side_of(seat) is side)


@pytest.mark.parametrize(("preset", "good", "bad"), [("draft", "S", "NS"), ("partners", "EW", "E")])
def test_sides_read_back_at_their_own_table_only(preset: str, good: str, bad: str) -> None:
    """A side has one name at each table."""
    rules = rules_of(preset)
    assert rules.format_side(rules.parse_side(good)) == good
    with pytest.raises(UnreadableEvent):
        rules.parse_side(bad)
