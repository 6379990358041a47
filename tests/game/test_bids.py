"""Bids: texts, and which ones a table takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_engine.game import (
    BLIND_NIL,
    CONTRACTS,
    NIL,
    Bid,
    BidKind,
    IllegalAction,
    RuleSet,
    UnreadableEvent,
    format_bid,
    legal_bids,
    new_game,
    parse_bid,
)
from tests.game.hands import S_LEADS_CLUBS, S, rule_sets, rules_of, told


def texts(**options: str) -> str:
    """The legal bids of `duel` with these options, as one text."""
    return " ".join(map(format_bid, legal_bids(rules_of("duel", **options))))


ONE_UP = "1 2 3 4 5 6 7 8 9 10 11 12 13"


@pytest.mark.parametrize(
    ("options", "bids"),
    [
        ({}, f"nil {ONE_UP}"),
        ({"nil_is_zero": "no"}, f"nil 0 {ONE_UP}"),
        ({"nil": "off"}, ONE_UP),
        ({"nil": "off", "nil_is_zero": "no"}, f"0 {ONE_UP}"),
        ({"min_bid": "3"}, f"nil {ONE_UP[4:]}"),
        ({"min_bid": "1", "nil_is_zero": "no"}, f"nil {ONE_UP}"),
        ({"min_bid": "4", "nil": "off"}, ONE_UP[6:]),
        ({"nil": "0"}, f"nil {ONE_UP}"),
    ],
)
def test_which_bids_there_are(options: dict[str, str], bids: str) -> None:
    """The options nil, nil_is_zero and min_bid decide together; nil comes first, contracts upwards."""
    assert texts(**options) == bids


@given(rule_sets(), st.one_of(st.sampled_from([NIL, BLIND_NIL, *CONTRACTS])))
def test_bids_read_back(rules: RuleSet, bid: Bid) -> None:
    """What is written reads back; only the contract of 0 becomes a nil where nil_is_zero says they are one."""
    read = parse_bid(format_bid(bid), rules)
    assert read == (NIL if bid == CONTRACTS[0] and rules.nil_is_zero else bid)


@given(rule_sets())
def test_a_state_takes_exactly_the_legal_bids(rules: RuleSet) -> None:
    """Asked for a bid, a table takes each legal bid and no other."""
    state = new_game(rules_of("duel").with_options({**_bid_options(rules), "blind_nil": "off"}), S)
    state = told(state, S_LEADS_CLUBS)
    for bid in [NIL, BLIND_NIL, *CONTRACTS, Bid(BidKind.CONTRACT, 14)]:
        line, read = f"bid {format_bid(bid)}", parse_bid(format_bid(bid), state.rules)
        if read in legal_bids(state.rules):
            told(state, line)
            continue
        with pytest.raises(IllegalAction) as caught:
            told(state, line)
        assert caught.value.why == ("nil-off" if read.is_nil else "bid-range")


def _bid_options(rules: RuleSet) -> dict[str, str]:
    return {name: rules.option_text(name) for name in ("nil", "min_bid", "nil_is_zero")}


@pytest.mark.parametrize("text", ["", "four", "Nil", "NIL", "+4", "-0", "04", "4.0", "blind", "pass", "double", "1 3"])
def test_other_texts_are_no_bids(text: str) -> None:
    """Anything but a number, nil and blindnil is unreadable."""
    with pytest.raises(UnreadableEvent):
        parse_bid(text, rules_of("draft"))


@pytest.mark.parametrize(
    ("options", "bid", "why", "words"),
    [
        ({}, "14", "bid-range", "nil and 1 to 13"),
        ({}, "999999999", "bid-range", "nil and 1 to 13"),
        ({}, "-1", "bid-range", "nil and 1 to 13"),
        ({"min_bid": "3"}, "2", "bid-range", "nil and 3 to 13"),
        ({"nil": "off"}, "nil", "nil-off", "1 to 13"),
        ({"nil": "off"}, "0", "nil-off", "1 to 13"),
        ({"min_bid": "1", "nil_is_zero": "no"}, "0", "bid-range", "nil and 1 to 13"),
        ({}, "blindnil", "nil-off", "no blind nil"),
        ({"blind_nil": "200", "blind_deficit": "1"}, "blindnil", "not-allowed", "before any card is seen"),
    ],
)
def test_bids_that_a_table_refuses(options: dict[str, str], bid: str, why: str, words: str) -> None:
    """A bid that the options do not allow is refused with its reason, and the text says what is allowed."""
    state = told(new_game(rules_of("duel", **options), S), S_LEADS_CLUBS)
    with pytest.raises(IllegalAction, match=words) as caught:
        told(state, f"bid {bid}")
    assert caught.value.why == why
