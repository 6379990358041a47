"""Blind nil and looking at one's cards."""

import pytest

from spades_engine.game import (
    BLIND_NIL,
    Dealer,
    IllegalAction,
    Phase,
    Side,
    State,
    WrongPhase,
    WrongSeat,
    advance,
    count,
    deal,
    format_event,
    legal_actions,
    new_game,
    seed_streams,
)
from spades_engine.game.record import format_action
from tests.game.hands import E, N, S, W, finish, hand, hidden, rules_of, told

HANDS = {N: hand("C23456789TJQKA"), E: hand("D23456789TJQKA"), S: hand("H23456789TJQKA"), W: hand("S23456789TJQKA")}


def actions(state: State) -> list[str]:
    """The legal actions as text."""
    return [format_action(action, state.rules) for action in legal_actions(state)]


def refused(state: State, line: str) -> str:
    """Why a line is refused: the reason of an illegal action or the name of another objection."""
    try:
        told(state, line)
    except IllegalAction as error:
        return error.why
    except (WrongPhase, WrongSeat) as error:
        return type(error).__name__
    return "accepted"


def test_in_a_draft_each_seat_is_asked_before_its_own_first_draw() -> None:
    """S is asked, draws and chooses; only then is N asked, whatever S has drawn."""
    state = told(new_game(rules_of("draft"), S), "deal")
    assert (state.phase, state.turn) == (Phase.BLIND, S)
    assert actions(state) == ["look", "bid blindnil"]
    state = told(state, "look")
    assert (state.phase, state.turn) == (Phase.DRAW, S)
    state = told(state, "draft draw AS", "draft keep KS")
    assert (state.phase, state.turn) == (Phase.BLIND, N)
    state = told(state, "bid blindnil")
    assert (state.phase, state.turn) == (Phase.DRAW, N)
    assert state.blind == {N}
    state = told(state, "draft draw QS", "draft keep JS")
    assert (state.phase, state.turn) == (Phase.DRAW, S)


def test_a_caller_in_a_draft_is_not_asked_again() -> None:
    """The bidding passes over a seat that has called; when both have, play begins."""
    rules = rules_of("draft", exchange="none")
    dealer = Dealer(rules, seed_streams("2"))
    state = finish(new_game(rules, S), {S: "blindnil", N: "blindnil"}, dealer, Phase.PLAY)
    assert state.phase is Phase.PLAY
    assert state.bids[S] == state.bids[N] == BLIND_NIL
    state = finish(new_game(rules, S), {S: "blindnil", N: "2"}, dealer, Phase.BID)
    assert state.turn is N
    assert told(state, "bid 2").phase is Phase.PLAY


def test_a_dealt_seat_is_asked_at_its_turn_to_bid() -> None:
    """Its cards come with `look`: before its bid when it declines, after its call otherwise. Earlier bids are known."""
    state = told(new_game(rules_of("partners"), N), "deal")
    assert (state.phase, state.turn) == (Phase.BLIND, N)
    state = told(state, f"look {HANDS[N]}")
    assert (state.phase, state.turn) == (Phase.BID, N)
    state = told(state, "bid 3")
    assert (state.phase, state.turn) == (Phase.BLIND, E)
    state = told(state, "bid blindnil")
    assert (state.phase, state.turn) == (Phase.LOOK, E)
    assert legal_actions(state) == ()
    assert state.bids[N] is not None
    state = told(state, f"look {HANDS[E]}")
    assert (state.phase, state.turn) == (Phase.BLIND, S)


def test_cards_are_unknown_to_everyone_until_a_look() -> None:
    """A seat that has not looked holds 13 cards that no state knows, not even a full one."""
    state = told(new_game(rules_of("partners"), N), "deal", f"look {HANDS[N]}")
    assert [count(state.hands[seat]) for seat in state.rules.seats] == [13, 0, 0, 0]
    assert [state.held(seat) for seat in state.rules.seats] == [13] * 4


def test_the_dealer_shows_a_caller_its_cards_at_once() -> None:
    """After a call in a dealt game the dealer's look follows by itself, before the next seat is asked."""
    rules = rules_of("partners")
    dealer = Dealer(rules, seed_streams("4"))
    state, _ = deal(dealer, new_game(rules, N))
    state, events = advance(dealer, state, legal_actions(state)[1])
    lines = [format_event(event, rules) for event in events]
    assert lines[0] == "bid N blindnil"
    assert lines[1].startswith("look N ")
    assert len(lines) == 2
    assert (state.phase, state.turn) == (Phase.BLIND, E)


@pytest.mark.parametrize(("totals", "asked"), [((0, 0), []), ((0, 99), []), ((0, 100), [N, S]), ((150, 50), [E, W])])
def test_only_the_side_that_is_behind_may_call(totals: tuple[int, int], asked: list[object]) -> None:
    """With blind_deficit=100 a seat is asked when its side is 100 points behind; the others see their cards dealt."""
    rules = rules_of("partners", blind_deficit="100")
    dealer = Dealer(rules, seed_streams("5"))
    state, events = deal(dealer, new_game(rules, N, totals=totals))
    line = format_event(events[0], rules)
    for seat in rules.seats:
        assert (f"hand.{seat.name}=" in line) != (seat in asked)
        assert (seat in state.looked) != (seat in asked)
    while state.phase is not Phase.PLAY:
        if state.phase is Phase.BLIND:
            assert state.turn in asked
            asked = [seat for seat in asked if seat is not state.turn]
        state, _ = advance(dealer, state, legal_actions(state)[0])
    assert asked == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("bid 3", "WrongPhase"),
        ("bid nil", "WrongPhase"),
        ("play AS", "WrongPhase"),
        (f"look E {HANDS[E]}", "WrongSeat"),
        ("bid E blindnil", "WrongSeat"),
        ("look", "card-needed"),
        (f"look {hidden()}", "card-needed"),
        ("look " + HANDS[N].replace("2C", "??"), "card-needed"),
        ("look " + HANDS[N].replace("2C", "3C"), "duplicate-card"),
        ("look " + HANDS[N].removeprefix("2C,"), "wrong-count"),
        ("look none", "wrong-count"),
        (f"look {HANDS[N]},2D", "wrong-count"),
    ],
)
def test_what_a_seat_that_is_asked_cannot_do(line: str, why: str) -> None:
    """Asked for blind nil a seat calls or looks; its thirteen different cards come with the look."""
    state = told(new_game(rules_of("partners"), N), "deal")
    assert refused(state, line) == why


def test_a_look_cannot_show_cards_of_another_hand() -> None:
    """The hands are disjoint."""
    state = told(new_game(rules_of("partners"), N), "deal", f"look {HANDS[N]}", "bid 3")
    assert refused(state, f"look {HANDS[N]}") == "card-known-elsewhere"


def test_a_deal_gives_no_cards_to_a_seat_that_may_call() -> None:
    """Cards in the deal for a seat that is still to be asked are refused, missing ones for another seat too."""
    state = new_game(rules_of("partners", blind_deficit="10"), N, totals=(0, 10))
    assert refused(state, f"deal hand.E={HANDS[E]} hand.W={HANDS[W]}") == "accepted"
    assert refused(state, f"deal hand.N={HANDS[N]} hand.E={HANDS[E]} hand.W={HANDS[W]}") == "not-allowed"
    assert refused(state, f"deal hand.E={HANDS[E]}") == "card-needed"


def test_blind_nil_cannot_be_called_after_looking() -> None:
    """Once the cards have been seen the call is refused as not allowed, and as nil-off where there is none."""
    state = told(new_game(rules_of("partners"), N), "deal", f"look {HANDS[N]}")
    assert refused(state, "bid blindnil") == "not-allowed"
    state = new_game(rules_of("partners", blind_nil="off"), N)
    state = told(state, "deal " + " ".join(f"hand.{seat.name}={cards}" for seat, cards in HANDS.items()))
    assert refused(state, "bid blindnil") == "nil-off"


def test_a_blind_nil_is_scored_as_one() -> None:
    """The call is that seat's bid: it scores under blindnil, not under nil."""
    rules = rules_of("draft", exchange="none")
    after = finish(new_game(rules, S), {S: "blindnil", N: "nil"}, Dealer(rules, seed_streams("8")))
    assert after.last_score is not None
    assert abs(after.last_score[Side.FIRST].blindnil) == 200
    assert after.last_score[Side.FIRST].nil == 0
    assert abs(after.last_score[Side.SECOND].nil) == 100
