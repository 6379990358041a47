"""Tricks: what may be played, who wins, when spades are broken, and how hands and games end."""

from random import Random

import pytest
from hypothesis import given, settings

from spades_engine.game import (
    CARDS,
    Card,
    Dealer,
    GameError,
    IllegalAction,
    Phase,
    Play,
    RuleSet,
    Side,
    State,
    Suit,
    WrongPhase,
    WrongSeat,
    advance,
    cards_of,
    count,
    deal,
    format_event,
    legal_actions,
    legal_cards,
    new_game,
    parse_card,
    seed_streams,
    winner_of,
)
from tests.game.hands import (
    S_LEADS_CLUBS,
    E,
    Moment,
    N,
    S,
    W,
    finish,
    hand,
    planned,
    played,
    random_moments,
    rule_sets,
    rules_of,
    seeds,
    told,
)

SPADES = Suit.SPADES
SOUTH = "C234567 H2345 SAKQ"


def duel(south: str, north: str, **options: str) -> State:
    """A dealt hand for two after the bids; S leads. Each hand is thirteen cards as in `hand`."""
    rules = rules_of("duel", removed="none", **options)
    return told(new_game(rules, S), f"deal hand.S={hand(south)} hand.N={hand(north)}", "bid 3", "bid 3")


def why(state: State, card: str) -> str:
    """Why a card is refused, or "accepted"."""
    try:
        told(state, f"play {card}")
    except IllegalAction as error:
        return error.why
    return "accepted"


# What may be played.


def test_suit_must_be_followed() -> None:
    """A trump, or any other card, from a hand that can follow is refused and the sentence says why."""
    state = played(duel(SOUTH, "C89 DAKQJ HAKQJ SJT9"), "2C")
    for card in ("JS", "AH"):
        with pytest.raises(IllegalAction, match=f"{card}: clubs were led and the hand holds clubs") as caught:
            told(state, f"play {card}")
        assert caught.value.why == "must-follow"
    assert str(cards_of(legal_cards(state))) == "(<8C>, <9C>)"


def test_a_void_seat_plays_what_it_likes() -> None:
    """A seat without the suit led may ruff or throw anything, on the first trick too."""
    state = played(duel(SOUTH, "D89TJQKA HAKQ SJT9"), "2C")
    assert legal_cards(state) == state.hands[N]
    assert why(state, "JS") == why(state, "AH") == "accepted"


def test_spades_are_not_led_before_they_are_broken() -> None:
    """A leader with another card cannot lead a spade until one has been played on another suit."""
    state = duel(SOUTH, "C89 D23456789TJ H7")
    assert why(state, "AS") == "spades-not-broken"
    state = played(state, "2C 8C")
    assert (state.turn, state.broken) == (N, False)
    state = played(state, "9C 3C 2D")
    assert (state.turn, state.broken) == (S, False)
    ruffed = played(state, "AS")
    assert (ruffed.broken, ruffed.turn) == (True, S)
    assert why(ruffed, "KS") == "accepted"
    sluffed = played(state, "2H")
    assert (sluffed.broken, sluffed.turn) == (False, N)


def test_a_hand_of_spades_may_lead_them_and_breaks_them() -> None:
    """A leader that holds nothing but spades leads one; that breaks them."""
    state = duel("S23456789TJQKA", "D23456789TJQKA")
    assert count(legal_cards(state)) == 13
    state = played(state, "2S")
    assert state.broken
    assert state.voids[S] == {Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS}


def test_following_a_spade_lead_breaks_nothing_more() -> None:
    """With lead_spades=anytime the lead itself breaks spades."""
    state = duel(SOUTH, "C89 D23456789T H7 S2", lead_spades="anytime")
    assert why(state, "AS") == "accepted"
    assert played(state, "AS").broken
    assert played(state, "AS").voids[S] == frozenset()


def test_no_ruff_on_the_first_trick_with_that_option() -> None:
    """first_trick_ruff=no: a void seat keeps its spades back on trick 1 unless it holds nothing else."""
    state = played(duel(SOUTH, "D23456789TJ S234", first_trick_ruff="no"), "2C")
    assert why(state, "2S") == "no-first-ruff"
    assert why(state, "2D") == "accepted"
    later = played(state, "2D 3C")
    assert why(later, "2S") == "accepted"
    only_spades = played(duel("C23456789TJQKA", "S23456789TJQKA", first_trick_ruff="no"), "2C")
    assert why(only_spades, "2S") == "accepted"
    assert played(only_spades, "2S").voids[N] == {Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS}


@pytest.mark.parametrize(
    ("card", "reason"),
    [("AD", "not-in-hand"), ("2D", "not-in-hand"), ("KH", "not-in-hand"), ("AS", "spades-not-broken")],
)
def test_only_cards_of_the_hand_are_played(card: str, reason: str) -> None:
    """A card of the other hand, of the rest of the deck, or played already is refused."""
    assert why(duel(SOUTH, "C89 D23456789TJ H7"), card) == reason


def test_a_card_is_played_once() -> None:
    """A card that has been played is no longer in the hand."""
    state = played(duel(SOUTH, "C8 D23456789TJQ H7"), "2C 8C 2D 2H")
    assert why(played(state, "3D 3H 4D"), "2H") == "not-in-hand"


def test_turns() -> None:
    """A card of a seat whose turn it is not, and anything but a card, is refused."""
    state = duel(SOUTH, "C8 D23456789TJQ H7")
    with pytest.raises(WrongSeat):
        told(state, "play N 8C")
    with pytest.raises(WrongPhase, match="waits for a card of S"):
        told(state, "bid 4")
    with pytest.raises(WrongPhase):
        told(played(state, "2C"), "deal 2 first=N")


# Who wins.


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("2C 3C 4C 5C", W), ("AC 3C 4C 5C", N), ("2C AD AH KD", N), ("2C AD 2S AH", S), ("2C 3S 2S KS", W),
        ("2S AC AD AH", N),
        ("2S 3S AC KD", E), ("2H 3H KD AD", E), ("3D 2D 2S AS", W), ("KS AS QS JS", E),
    ],
)  # fmt: skip
def test_who_wins_a_trick(cards: str, winner: object) -> None:
    """The highest spade wins, without one the highest card of the suit led; the highest of another suit never does."""
    trick = tuple(zip((N, E, S, W), map(parse_card, cards.split()), strict=True))
    assert winner_of(trick) is winner


def test_the_winner_leads() -> None:
    """The winner of a trick counts it and leads to the next; play goes clockwise."""
    hands = {N: "C23456789TJQKA", E: "D23456789TJQKA", S: "H23456789TJQKA", W: "S23456789TJQKA"}
    line = "deal " + " ".join(f"hand.{seat.name}={hand(cards)}" for seat, cards in hands.items())
    state = told(new_game(rules_of("partners", blind_nil="off"), N), line, *["bid 3"] * 4)
    turns = []
    for card in ["2C", "2D", "2H", "2S"]:
        turns.append(state.turn)
        state = played(state, card)
    assert turns == [N, E, S, W]
    assert (state.turn, state.leader, state.taken[W], state.trick_number) == (W, W, 1, 1)
    assert state.trick == ()
    assert [str(card) for _, card in state.last_trick] == ["2C", "2D", "2H", "2S"]


# What holds in every hand: compared with rules written down a second time, slowly.


def slow_broken(state: State) -> bool:
    """Whether spades are broken, from the cards played in this hand."""
    cards = [event.card for event in state.history if isinstance(event, Play)]
    size = len(state.rules.seats)
    for n, card in enumerate(cards):
        led = cards[n - n % size]
        if card.suit is SPADES and (n % size == 0 or led.suit is not SPADES):
            return True
    return False


def slow_objection(state: State, card: Card) -> str:
    """Why the seat to act may not play a card, "" if it may."""
    seat, rules = state.turn, state.rules
    assert seat is not None
    own = cards_of(state.hands[seat])
    others = [c for c in own if c.suit is not SPADES]
    if card not in own:
        return "not-in-hand"
    if not state.trick:
        early = card.suit is SPADES and bool(others) and not slow_broken(state)
        return "spades-not-broken" if early and rules.lead_spades == "broken" else ""
    led = state.trick[0][1].suit
    if card.suit is led:
        return ""
    if any(c.suit is led for c in own):
        return "must-follow"
    ruff = card.suit is SPADES and state.trick_number == 0 and bool(others)
    return "no-first-ruff" if ruff and not rules.first_trick_ruff else ""


@given(rule_sets(), seeds)
@settings(max_examples=25)
def test_random_hands_follow_the_rules(rules: RuleSet, seed: int) -> None:
    """At every card of random hands: the broken flag, the legal cards and every refusal are those of the slow rules."""
    for moment in random_moments(rules, seed, 2):
        state = moment.before
        if state.phase is not Phase.PLAY:
            continue
        assert state.broken == slow_broken(state)
        seat = state.turn
        assert seat is not None
        legal = set(cards_of(legal_cards(state)))
        assert legal
        assert [Play(seat, card) for card in sorted(legal)] == list(legal_actions(state))
        for card in Random(seed + state.played).sample(CARDS, 10):
            objection = slow_objection(state, card)
            assert (card in legal) == (objection == "")
            if objection:
                with pytest.raises(IllegalAction) as caught:
                    state.apply(Play(seat, card))
                assert caught.value.why == objection


@given(rule_sets(), seeds)
@settings(max_examples=25)
def test_a_hand_is_thirteen_tricks(rules: RuleSet, seed: int) -> None:
    """Every random hand ends after thirteen tricks, all counted, and its score explains the change of the totals."""
    for moment in random_moments(rules, seed, 3):
        before, state = moment.before, moment.after
        if before.phase is not Phase.PLAY or state.phase is Phase.PLAY:
            continue
        assert sum(state.taken) == state.trick_number == 13
        assert count(state.played) == 13 * len(rules.seats)
        assert state.last_score is not None
        for side in rules.sides:
            score = state.last_score[side]
            assert state.totals[side] - before.totals[side] == score.points
            assert state.bags[side] == score.bags_after
        assert state.turn is None
        assert legal_actions(state) == ()


@given(rule_sets(), seeds)
@settings(max_examples=25)
def test_somebody_can_always_act(rules: RuleSet, seed: int) -> None:
    """Every state of a random game waits for the dealer, is over, or has a legal action, each of which is accepted."""
    dealer = Dealer(rules, seed_streams(str(seed)))
    for moment in random_moments(rules, seed, 2):
        state = moment.after
        actions = legal_actions(state)
        assert bool(actions) == (state.phase not in (Phase.DEAL, Phase.OVER))
        for action in Random(seed).sample(actions, min(3, len(actions))):
            advance(dealer, state, action)


# Results and ends.


def lines(moments: list[Moment]) -> list[str]:
    """All events as text."""
    return [format_event(event, moment.after.rules) for moment in moments for event in moment.events]


def test_the_result_lines_of_a_hand() -> None:
    """A `trick` line follows every trick, a `score` line the last; the `end` line comes when the game is over."""
    moments = random_moments(rules_of("duel", hand_cap="2"), 3, 2)
    verbs = [line.split()[0] for line in lines(moments)]
    hand_verbs = ["deal", "bid", "bid", *["play", "play", "trick"] * 13, "score"]
    assert verbs == hand_verbs * 2 + ["end"]


def test_result_lines_are_checked() -> None:
    """A result line that the game agrees with changes nothing; one that it does not agree with is refused."""
    dealer = Dealer(rules_of("duel", hand_cap="1"), seed_streams("0"))
    state = told(new_game(dealer.rules, S), S_LEADS_CLUBS, "bid 13", "bid 3")
    for wrong in ("trick S", "score S=+0 N=+0 bags.S=0 bags.N=0 total.S=0 total.N=0",
    "end winner=S reason=cap total.S=0 total.N=0"):  # fmt: skip
        assert refused_result(state, wrong) == "wrong-result"
    assert refused_result(played(state, "3C"), "trick S") == "wrong-result"
    trick = played(state, "3C 3D")
    assert told(trick, "trick S", "trick S") is trick
    assert refused_result(trick, "trick N") == "wrong-result"
    over = finish(trick, {}, dealer)
    score = "score S=+130 N=-30 bags.S=0 bags.N=0 total.S=130 total.N=-30"
    end = "end winner=S reason=cap total.S=130 total.N=-30"
    assert told(over, "trick S", score, end) is over
    for wrong in (
        score.replace("+130", "+131"), score.replace("bags.S=0", "bags.S=1"), score.replace("total.N=-30", "total.N=0"),
        end.replace("=S", "=N"), end.replace("=S", "=draw"), end.replace("cap", "target"), end.replace("=130", "=13"),
    ):  # fmt: skip
        assert refused_result(over, wrong) == "wrong-result"


def refused_result(state: State, line: str) -> str:
    """The reason why a line is refused."""
    try:
        told(state, line)
    except IllegalAction as error:
        return error.why
    return "accepted"


def test_a_finished_game_takes_nothing_more() -> None:
    """After the end every action is out of phase."""
    state = random_moments(rules_of("duel", hand_cap="1"), 5)[-1].after
    assert state.phase is Phase.OVER
    for line in ("deal 2 first=N", "bid S 3", "play S AS", "look S"):
        with pytest.raises(WrongPhase, match="over"):
            told(state, line)


def test_the_end_is_decided_by_the_totals() -> None:
    """The target is compared with the total: a hand of 130 points from 370 reaches 500 exactly and ends the game."""
    rules = rules_of("duel")
    state = told(new_game(rules, S, totals=(370, 0)), S_LEADS_CLUBS)
    over = finish(state, {S: "13", N: "3"}, Dealer(rules, seed_streams("0")))
    assert (over.phase, over.totals, over.winner, over.reason) == (Phase.OVER, (500, -30), Side.FIRST, "target")
    state = told(new_game(rules, S, totals=(369, 0)), S_LEADS_CLUBS)
    assert finish(state, {S: "13", N: "3"}, Dealer(rules, seed_streams("0"))).phase is Phase.DEAL


@pytest.mark.parametrize("total_n", [500, 530, 470])
def test_a_tie_at_the_target_plays_on(total_n: int) -> None:
    """Equal totals at or above the target give nobody the game; another hand is played."""
    rules = rules_of("duel")
    start = (total_n - 30 - 130, total_n)
    state = told(new_game(rules, S, totals=start), S_LEADS_CLUBS)
    after = finish(state, {S: "13", N: "3"}, Dealer(rules, seed_streams("0")))
    assert after.totals == (total_n - 30, total_n - 30)
    assert (after.phase, after.winner) == (Phase.DEAL, None)


def test_two_overbidders_stop_at_the_cap() -> None:
    """Two players who always bid 13 never reach a target; hand_cap ends their game, and not one hand earlier."""
    rules = rules_of("draft300", hand_cap="30")
    dealer = Dealer(rules, seed_streams("0"))
    state = new_game(rules, S)
    hands = 0
    while state.phase is not Phase.OVER:
        assert hands < 30
        state = finish(state, {S: "13", N: "13"}, dealer)
        hands += 1
    assert (hands, state.hands_played, state.reason) == (30, 30, "cap")
    assert len(state.history) < 200


def test_a_draw_at_the_cap() -> None:
    """Equal totals at the cap are a draw: reason cap and no winner."""
    rules = rules_of("duel", hand_cap="1", removed="none")
    after = planned(rules, {S: "13", N: "13"}, seed="x")
    assert after.totals == (-130, -130)
    assert (after.phase, after.winner, after.reason) == (Phase.OVER, None, "cap")


def test_bags_carry_from_hand_to_hand() -> None:
    """Bids 4, 3, 4 with 7, 6, 9 tricks in three hands: 11 bags, one penalty, one bag carried."""
    rules = rules_of("duel")
    bags, points = (0, 0), []
    for bid, won in (("4", 7), ("3", 6), ("4", 9)):
        state = told(new_game(rules, S, bags=bags), split(won))
        after = finish(state, {S: bid, N: "1"}, Dealer(rules, seed_streams("0")))
        assert after.taken[S] == won
        bags = after.bags
        points.append(after.totals[0])
    assert points == [43, 33, 40 + 5 - 100]
    assert bags[0] == 1


def split(won: int) -> str:
    """A deal in which S leads and wins exactly so many tricks when both play their lowest legal card.

    S has so many clubs and then diamonds, N is void in both and has spades for the diamonds, hearts for the clubs.
    """
    clubs, diamonds = "KQJT9876543"[:won], "KQJT9876543"[: 13 - won]
    hearts, spades = "AKQJT98765432"[:won], "AKQJT98765432"[: 13 - won]
    return f"deal hand.S={hand(f'C{clubs} D{diamonds}')} hand.N={hand(f'H{hearts} S{spades}')}"


def test_objections_are_game_errors() -> None:
    """Whatever the rules object to is a GameError with a sentence, and a ValueError."""
    with pytest.raises(ValueError, match="waits for the next deal") as caught:
        told(new_game(rules_of("draft")), "play S AS")
    assert isinstance(caught.value, GameError)
    assert caught.value.text == str(caught.value)


def test_dealing_is_left_to_the_caller() -> None:
    """`advance` stops after a hand: the next deal is a decision of its own, and `deal` refuses in a hand."""
    rules = rules_of("duel")
    dealer = Dealer(rules, seed_streams("0"))
    state = planned(rules, {S: "3", N: "3"})
    assert state.phase is Phase.DEAL
    state, _ = deal(dealer, state)
    with pytest.raises(WrongPhase):
        deal(dealer, state)
