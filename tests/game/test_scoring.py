"""Scores, bags, penalties and the end of the game."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_engine.game import Bid, BidKind, Breakdown, RuleSet, Side, game_end, parse_bid, score_side
from tests.game.hands import rule_sets, rules_of


def scored(rules: RuleSet, bids: str, tricks: str, bags: int = 0) -> Breakdown:
    """The score of a side from comma lists."""
    return score_side(rules, [parse_bid(b, rules) for b in bids.split(",")], [int(t) for t in tricks.split(",")], bags)


def parts(score: Breakdown) -> tuple[int, int, int, int, int]:
    """The five parts in the order of the specification's table."""
    return (score.contract, score.overtricks, score.nil, score.blindnil, score.penalty)


DRAFT, PARTNERS, DUEL = rules_of("draft"), rules_of("partners"), rules_of("duel")


# The worked examples.


def test_bid_seven_take_eight() -> None:
    """Bid 7, won 8: 70 and one overtrick, 71."""
    assert parts(scored(DRAFT, "7", "8")) == (70, 1, 0, 0, 0)
    assert scored(DRAFT, "7", "8").points == 71


def test_eleven_bags_in_three_hands() -> None:
    """Bids 4, 3, 4 with 7, 6, 9 tricks are 3 + 3 + 5 = 11 bags: one penalty, one bag carried."""
    bags, gained, penalties = 0, 0, []
    for bid, tricks in (("4", "7"), ("3", "6"), ("4", "9")):
        score = scored(DRAFT, bid, tricks, bags)
        bags, gained = score.bags_after, gained + score.bags
        penalties.append(score.penalty)
    assert (gained, penalties, bags) == (11, [0, 0, -100], 1)


def test_partners_add_their_contracts() -> None:
    """Bids 3 and 2 with 4 and 3 tricks score 52, and so does any other split of seven tricks."""
    assert {scored(PARTNERS, "3,2", f"{n},{7 - n}").points for n in range(8)} == {52}


def test_the_tricks_of_a_nil_do_not_make_the_partners_contract() -> None:
    """Bids 4 and nil with 3 and 2 tricks: contract -40, nil -100, two bags, -138."""
    score = scored(PARTNERS, "4,nil", "3,2")
    assert parts(score) == (-40, 2, -100, 0, 0)
    assert (score.points, score.bags) == (-138, 2)


def test_the_partner_alone_makes_the_four() -> None:
    """Bids 4 and nil with 4 and 0 tricks: 40 and 100."""
    assert parts(scored(PARTNERS, "4,nil", "4,0")) == (40, 0, 100, 0, 0)


@pytest.mark.parametrize(("tricks", "points"), [("0,0", 200), ("1,0", 0), ("0,2", 0), ("1,1", -200)])
def test_two_nils_are_judged_one_by_one(tricks: str, points: int) -> None:
    """Both partners nil: +200, 0 or -200, and twice that when both are blind; there is no contract."""
    assert scored(PARTNERS, "nil,nil", tricks).nil == points
    assert scored(PARTNERS, "blindnil,blindnil", tricks).blindnil == 2 * points
    assert scored(PARTNERS, "nil,nil", tricks).contract == 0


# Bags and penalties.


@pytest.mark.parametrize(
    ("limit", "before", "gained", "penalties", "carried"),
    [
        (10, 9, 12, 2, 1), (10, 5, 12, 1, 7), (5, 4, 9, 2, 3), (10, 9, 1, 1, 0), (10, 9, 0, 0, 9), (10, 0, 10, 1, 0),
        (1, 0, 13, 13, 0), (2, 1, 13, 7, 0), (20, 19, 13, 1, 12),
    ],
)  # fmt: skip
def test_several_penalties_in_one_hand(limit: int, before: int, gained: int, penalties: int, carried: int) -> None:
    """Every time the count reaches the limit a penalty is due and the limit comes off the count."""
    rules = rules_of("duel", bag_limit=str(limit), nil_is_zero="no")
    score = scored(rules, "0", str(gained), before)
    assert (score.bags, score.penalty, score.bags_after) == (gained, -100 * penalties, carried)


def test_bags_without_a_limit_are_only_counted() -> None:
    """bag_limit=none: no penalty, and the count grows."""
    score = scored(rules_of("draft", bag_limit="none"), "1", "13", 95)
    assert (score.penalty, score.bags_after) == (0, 107)


def simple_score(bid: int, tricks: int, bags: int) -> tuple[int, int]:
    """Points and bags of one player under the rules of `duel`, by counting bags one at a time; bid 0 is a nil."""
    if bid == 0:
        return (100 if tricks == 0 else -100), bags
    if tricks < bid:
        return -10 * bid, bags
    points = 10 * bid
    for _ in range(tricks - bid):
        points += 1
        bags += 1
        if bags == 10:
            points -= 100
            bags = 0
    return points, bags


@pytest.mark.parametrize("bags", range(10))
def test_every_bid_and_result_from_every_score(bags: int) -> None:
    """Totals from -300 to 600, bags 0 to 9, every bid and every number of tricks: the simple scorer says the same.

    At a negative total bags stay what they were: they are a count of their own, not the last digit of the score.
    """
    for bid, tricks in itertools.product(range(14), repeat=2):
        expected, bags_after = simple_score(bid, tricks, bags)
        score = scored(DUEL, str(bid), str(tricks), bags)
        assert (score.points, score.bags_after) == (expected, bags_after)
        for total in range(-300, 601, 7):
            assert total + score.points == total + sum(parts(score))


def test_a_penalty_is_due_at_minus_fifty_one_too() -> None:
    """A side at -51 with nine bags that takes one more pays the penalty."""
    score = scored(DUEL, "3", "4", 9)
    assert (-51 + score.points, score.bags_after) == (-51 + 31 - 100, 0)


# Nil.


@pytest.mark.parametrize(("bid", "tricks", "bags"), list(itertools.product(range(1, 14), range(14), (0, 9))))
def test_only_a_nil_earns_the_bonus_of_a_nil(bid: int, tricks: int, bags: int) -> None:
    """A contract never scores under nil or blindnil."""
    score = scored(DRAFT, str(bid), str(tricks), bags)
    assert (score.nil, score.blindnil) == (0, 0)


def test_a_contract_of_zero_is_no_nil() -> None:
    """With nil_is_zero=no a bid of 0 is a contract that is always made; its tricks are bags."""
    rules = rules_of("duel", nil_is_zero="no")
    assert parts(scored(rules, "0", "3")) == (0, 3, 0, 0, 0)
    assert parts(scored(rules, "0", "0")) == (0, 0, 0, 0, 0)
    assert parts(scored(rules, "nil", "0")) == (0, 0, 100, 0, 0)


def test_a_failed_nil_alone_makes_no_bags_unless_the_option_says_so() -> None:
    """Without failed_nil_bags the tricks of a failed nil count for nothing, with it each is a bag."""
    assert parts(scored(DRAFT, "nil", "3")) == (0, 0, -100, 0, 0)
    assert parts(scored(rules_of("draft", failed_nil_bags="yes"), "nil", "3")) == (0, 3, -100, 0, 0)
    assert parts(scored(rules_of("draft", failed_nil_bags="yes"), "blindnil", "3")) == (0, 3, 0, -200, 0)


@pytest.mark.parametrize(
    ("bags_option", "helps", "tricks", "contract", "bags"),
    [
        ("no", "no", "4,2", 40, 0), ("no", "no", "3,2", -40, 0), ("no", "no", "6,2", 40, 2),
        ("yes", "no", "4,2", 40, 2), ("yes", "no", "3,2", -40, 2), ("yes", "no", "6,2", 40, 4),
        ("no", "yes", "4,2", 40, 0), ("no", "yes", "3,2", 40, 0), ("no", "yes", "1,2", -40, 0), ("no", "yes", "6,2",
        40, 2),
        ("yes", "yes", "4,2", 40, 2), ("yes", "yes", "3,2", 40, 1), ("yes", "yes", "2,2", 40, 0), ("yes", "yes",
        "1,2", -40, 0),
    ],
)  # fmt: skip
def test_what_a_failed_nil_does_for_the_partner(
    bags_option: str, helps: str, tricks: str, contract: int, bags: int
) -> None:
    """Bids 4 and nil: tricks of the failed nil that made the contract, or went into a set one, are no bags."""
    rules = rules_of("partners", failed_nil_bags=bags_option, failed_nil_helps=helps)
    score = scored(rules, "4,nil", tricks)
    assert (score.contract, score.bags, score.nil) == (contract, bags, -100)


# What holds for every hand.


@st.composite
def results(draw: st.DrawFn) -> tuple[RuleSet, list[Bid], list[int], int]:
    """Rules, one side's bids and tricks, and its bags before."""
    rules = draw(rule_sets())
    kinds = [BidKind.CONTRACT]
    kinds += [BidKind.NIL] if rules.nil is not None else []
    kinds += [BidKind.BLIND_NIL] if rules.blind_nil is not None else []
    bids, tricks, left = [], [], 13
    for _ in rules.seats_of(Side.FIRST):
        kind = draw(st.sampled_from(kinds))
        bids.append(Bid(kind, draw(st.integers(0, 13)) if kind is BidKind.CONTRACT else 0))
        tricks.append(draw(st.integers(0, left)))
        left -= tricks[-1]
    return rules, bids, tricks, draw(st.integers(0, (rules.bag_limit or 100) - 1))


@given(results())
def test_the_parts_sum_up_and_bags_are_conserved(result: tuple[RuleSet, list[Bid], list[int], int]) -> None:
    """The points are the sum of the five parts; bags gained are carried or were paid for; no trick is two bags."""
    rules, bids, tricks, before = result
    score = score_side(rules, bids, tricks, before)
    assert score.points == sum(parts(score))
    paid = 0
    if rules.bag_limit is not None:
        paid, rest = divmod(before + score.bags - score.bags_after, rules.bag_limit)
        assert rest == 0
        assert 0 <= score.bags_after < rules.bag_limit
    else:
        assert score.bags_after == before + score.bags
    assert score.penalty == -paid * rules.bag_penalty
    assert score.overtricks == score.bags * rules.bag_points
    assert 0 <= score.bags <= sum(tricks)
    assert (score.nil != 0) <= any(bid.kind is BidKind.NIL for bid in bids)
    assert (score.blindnil != 0) <= any(bid.kind is BidKind.BLIND_NIL for bid in bids)
    assert abs(score.contract) == 10 * sum(bid.tricks for bid in bids)


def test_a_nil_where_there_is_none_cannot_be_scored() -> None:
    """A nil in a game with nil=off is an error of the caller, not a score."""
    with pytest.raises(ValueError, match="nil"):
        score_side(rules_of("draft", nil="off"), [Bid(BidKind.NIL)], [0], 0)


# The end of the game.


@pytest.mark.parametrize(
    ("totals", "ending"),
    [
        ((500, 499), (True, Side.FIRST, "target")), ((499, 500), (True, Side.SECOND, "target")),
        ((501, 700), (True, Side.SECOND, "target")), ((500, 500), (False, None, None)), ((620, 620),
        (False, None, None)),
        ((499, 499), (False, None, None)), ((0, -200), (True, Side.FIRST, "floor")), ((-201, -200),
        (True, Side.SECOND, "floor")),
        ((-200, -200), (False, None, None)), ((-199, 0), (False, None, None)), ((500, -200),
        (True, Side.FIRST, "target")),
    ],
)  # fmt: skip
def test_when_the_game_ends(totals: tuple[int, int], ending: tuple[bool, Side | None, str | None]) -> None:
    """Reaching the target exactly is enough, ties play on, the target goes before the floor, the higher total wins."""
    assert game_end(DUEL, totals, 7) == ending


@pytest.mark.parametrize(
    ("totals", "ending"),
    [
        ((10, 3), (True, Side.FIRST, "cap")), ((3, 10), (True, Side.SECOND, "cap")), ((-5, -5), (True, None, "cap")),
        ((500, 500), (True, None, "cap")), ((500, 3), (True, Side.FIRST, "target")), ((-200, -200),
        (True, None, "cap")),
        ((-200, 3), (True, Side.SECOND, "floor")),
    ],
)  # fmt: skip
def test_the_hand_cap_ends_every_game(totals: tuple[int, int], ending: tuple[bool, Side | None, str | None]) -> None:
    """At the cap the game ends in any case: the higher total wins, equal totals are a draw; other ends go first."""
    assert game_end(DUEL, totals, 200) == ending
    assert game_end(rules_of("duel", hand_cap="7"), totals, 7) == ending
    assert game_end(rules_of("duel", hand_cap="8"), totals, 7) == game_end(DUEL, totals, 7)
