"""Every option of the rules makes a difference: one outcome per option that changes when the option does."""

from collections.abc import Callable
from typing import Any

import pytest

from spades_engine.game import (
    OPTIONS,
    Choose,
    Dealer,
    IllegalAction,
    Phase,
    RuleSet,
    Side,
    State,
    Swap,
    cards_of,
    deal,
    legal_actions,
    legal_bids,
    legal_cards,
    new_game,
    parse_bid,
    seed_streams,
)
from tests.game.hands import E, N, S, W, deal_deck, finish, hand, planned, played, rules_of, told

S_HAND, N_HAND = "C3456789TJQKA SA", "D3456789TJQKA S2"
"""S leads clubs and then the ace: it wins every trick as both play their lowest card."""


def one_hand(
    rules: RuleSet, bid_s: str, bid_n: str, totals: tuple[int, int] = (0, 0), bags: tuple[int, int] = (0, 0)
) -> State:
    """A dealt hand in which S wins all thirteen tricks."""
    dealer = Dealer(rules, seed_streams("0")).with_deck(1, deal_deck(rules, S_HAND, N_HAND))
    after = planned(rules, {S: bid_s, N: bid_n}, first=S, totals=totals, bags=bags, dealer=dealer)
    assert (after.taken[S], after.taken[N]) == (13, 0)
    return after


def why_not(make: Callable[[], Any]) -> Any:
    """What is made, or the reason why the rules forbid it."""
    try:
        return make()
    except IllegalAction as error:
        return error.why


def end_from_400(rules: RuleSet) -> object:
    """Why the game ends when S goes from 400 to 530 and N from -160 to -210."""
    return one_hand(rules, "13", "5", (400, -160)).reason


def end_from_100(rules: RuleSet) -> object:
    """Why the game ends when S goes from 100 to 230 and N from -160 to -210."""
    return one_hand(rules, "13", "5", (100, -160)).reason


def penalty_and_bags(rules: RuleSet) -> object:
    """S starts with 9 bags, bids 1 and wins 13: penalty points and running bags."""
    after = one_hand(rules, "1", "1", bags=(9, 0))
    assert after.last_score is not None
    return after.last_score[Side.FIRST].penalty, after.bags[Side.FIRST]


def overtricks(rules: RuleSet) -> object:
    """What twelve overtricks are worth."""
    after = one_hand(rules, "1", "1")
    assert after.last_score is not None
    return after.last_score[Side.FIRST].overtricks


def made_nil(rules: RuleSet) -> object:
    """The points of N for a nil that is made, or why it cannot be bid."""
    return why_not(lambda: one_hand(rules, "13", "nil").totals[Side.SECOND])


def made_blind_nil(rules: RuleSet) -> object:
    """The points of N for a blind nil that is made, or why it cannot be bid."""
    return why_not(lambda: one_hand(rules, "13", "blindnil").totals[Side.SECOND])


def asked_at_60_behind(rules: RuleSet) -> object:
    """What the table waits for when the first bidder is 60 points behind."""
    return deal(Dealer(rules, seed_streams("0")), new_game(rules, S, totals=(-60, 0)))[0].phase


def after_draft(rules: RuleSet) -> State:
    """A drafted hand in which S called blind nil, at the first phase after the draft."""
    dealer = Dealer(rules, seed_streams("3"))
    return finish(new_game(rules, S), {S: "blindnil", N: "4"}, dealer, Phase.SWAP)


def exchange_or_play(rules: RuleSet) -> object:
    """Whether an exchange comes after the draft."""
    return after_draft(rules).phase is Phase.SWAP


def largest_exchange(rules: RuleSet) -> object:
    """The most cards that may be thrown."""
    return max(len(action.thrown) for action in legal_actions(after_draft(rules)) if isinstance(action, Swap))


def failed_nil(rules: RuleSet) -> tuple[bool, int]:
    """N's nil fails and S bids one trick more than it wins: whether that is made, and how many bags there are."""
    taken = planned(rules, dict.fromkeys(rules.seats, "1"), seed="j").taken
    assert (taken[N], taken[S]) == (4, 2)
    after = planned(rules, {N: "nil", S: "3", E: "1", W: "1"}, seed="j")
    assert after.taken == taken
    assert after.last_score is not None
    score = after.last_score[Side.FIRST]
    return score.contract > 0, score.bags


def seen_after_a_keep(rules: RuleSet) -> object:
    """How many of its discards S has seen after keeping the first card."""
    state = told(new_game(rules, S), "deal", "look", "draft draw AS", "draft keep 2C")
    return state.masked(S).discards[S].bit_count()


def keep_as_n_hears_it(rules: RuleSet) -> object:
    """The choice of S, as N is told."""
    event = told(new_game(rules, S), "deal", "look", "draft draw AS", "draft keep 2C").masked(N).history[-1]
    assert isinstance(event, Choose)
    return event.keep


def who_bids_and_leads(rules: RuleSet) -> tuple[object, object]:
    """The first bidder and the first leader of a hand whose first seat is S."""
    dealer = Dealer(rules, seed_streams("0")).with_deck(1, deal_deck(rules, S_HAND, N_HAND))
    bidding = finish(new_game(rules, S), {}, dealer, Phase.BID)
    return bidding.turn, finish(bidding, {S: "1", N: "1"}, dealer, Phase.PLAY).turn


def can_lead_the_ace(rules: RuleSet) -> object:
    """Whether S, with twelve clubs, may lead its spade to trick 1."""
    dealer = Dealer(rules, seed_streams("0")).with_deck(1, deal_deck(rules, S_HAND, N_HAND))
    state = finish(new_game(rules, S), {S: "1", N: "1"}, dealer, Phase.PLAY)
    return "AS" in map(str, cards_of(legal_cards(state)))


def can_ruff_at_once(rules: RuleSet) -> object:
    """Whether N, void in clubs, may play its spade to trick 1."""
    dealer = Dealer(rules, seed_streams("0")).with_deck(1, deal_deck(rules, S_HAND, N_HAND))
    state = played(finish(new_game(rules, S), {S: "1", N: "1"}, dealer, Phase.PLAY), "3C")
    return "2S" in map(str, cards_of(legal_cards(state)))


def hand_with_the_deuce(rules: RuleSet) -> object:
    """Whether a hand may hold the deuce of clubs."""
    lines = f"deal hand.S={hand('C23456789TJQKA')} hand.N={hand(N_HAND)}"
    return why_not(lambda: told(new_game(rules, S), lines).phase.value)


def after_one_hand(rules: RuleSet) -> object:
    """Why the game ends after one hand without a target in sight."""
    return one_hand(rules, "13", "5").reason


CASES: dict[str, tuple[str, Callable[[RuleSet], object], dict[str, object], dict[str, str]]] = {
    "target": ("duel", end_from_400, {"500": "target", "5000": "floor"}, {}),
    "floor": ("duel", end_from_100, {"-200": "floor", "none": None, "-211": None, "-210": "floor"}, {}),
    "bag_limit": ("duel", penalty_and_bags, {"10": (-200, 1), "none": (0, 21), "20": (-100, 1)}, {}),
    "bag_penalty": ("duel", penalty_and_bags, {"100": (-200, 1), "50": (-100, 1), "0": (0, 1)}, {}),
    "bag_points": ("duel", overtricks, {"1": 12, "0": 0}, {}),
    "nil": ("duel", made_nil, {"100": 100, "50": 50, "0": 0, "off": "nil-off"}, {}),
    "blind_nil": ("duel", made_blind_nil, {"200": 200, "70": 70, "off": "nil-off"}, {}),
    "blind_deficit": (
        "duel",
        asked_at_60_behind,
        {"0": Phase.BLIND, "60": Phase.BLIND, "61": Phase.BID},
        {"blind_nil": "200"},
    ),
    "exchange": ("draft", exchange_or_play, {"discards": True, "none": False}, {}),
    "exchange_count": ("draft", largest_exchange, {"3": 3, "1": 1, "4": 4}, {}),
    "failed_nil_bags": ("partners", failed_nil, {"yes": (False, 4), "no": (False, 0)}, {}),
    "failed_nil_helps": ("partners", failed_nil, {"yes": (True, 3), "no": (False, 4)}, {}),
    "peek": ("draft", seen_after_a_keep, {"seen": 1, "unseen": 0}, {}),
    "draft_choice": ("draft", keep_as_n_hears_it, {"public": True, "hidden": None}, {}),
    "first_bidder": ("duel", who_bids_and_leads, {"first": (S, S), "second": (N, N)}, {}),
    "leader": ("duel", who_bids_and_leads, {"bidder": (S, S), "other": (S, N)}, {}),
    "lead_spades": ("duel", can_lead_the_ace, {"broken": False, "anytime": True}, {}),
    "first_trick_ruff": ("duel", can_ruff_at_once, {"yes": True, "no": False}, {}),
    "removed": ("duel", hand_with_the_deuce, {"none": "bid", "2C,2D": "card-known-elsewhere"}, {}),
    "hand_cap": ("duel", after_one_hand, {"200": None, "1": "cap"}, {}),
    "min_bid": (
        "duel",
        lambda rules: [str(b) for b in legal_bids(rules)][:2],
        {"0": ["nil", "1"], "3": ["nil", "3"]},
        {},
    ),
    "nil_is_zero": ("duel", lambda rules: parse_bid("0", rules).is_nil, {"yes": True, "no": False}, {}),
}


def test_no_option_is_left_out() -> None:
    """The cases below are about every option there is."""
    assert list(CASES) == [spec.name for spec in OPTIONS]


@pytest.mark.parametrize("option", CASES)
def test_the_option_decides(option: str) -> None:
    """Each value of the option has the outcome written beside it, and they are not all the same."""
    preset, outcome, results, others = CASES[option]
    found = {value: outcome(rules_of(preset, **others, **{option: value})) for value in results}
    assert found == results
    assert len({repr(result) for result in results.values()}) > 1
