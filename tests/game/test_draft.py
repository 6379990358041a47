"""The draft: who draws, what is kept, and that no card is ever lost or doubled."""

import pytest
from hypothesis import given, settings

from spades_engine.game import (
    CARDS,
    FULL,
    Choose,
    Dealer,
    Draw,
    IllegalAction,
    Phase,
    RuleSet,
    State,
    WrongPhase,
    WrongSeat,
    advance,
    card_set,
    cards_of,
    count,
    deal,
    new_game,
    seed_streams,
)
from tests.game.hands import N, S, finish, random_moments, rule_sets, rules_of, seeds, told

DRAFTS = ("draft", "draft300")


def started(preset: str = "draft300", **options: str) -> State:
    """A drafted hand that waits for the first draw of S."""
    return told(new_game(rules_of(preset, **options), S), "deal")


def places(state: State) -> list[int]:
    """The sets that a card of a drafted hand can be in, the stock aside."""
    sets: list[int] = [state.played]
    for seat in (S, N):
        sets += [state.hands[seat], state.discards[seat] & ~(state.picked[S] | state.picked[N]), state.thrown[seat]]
    return [*sets, 0 if state.draw is None else 1 << state.draw]


@given(rule_sets(DRAFTS), seeds)
@settings(max_examples=30)
def test_there_are_always_fifty_two_cards(rules: RuleSet, seed: int) -> None:
    """After every step of draft, exchange and play each card is in one place, and nobody holds more than 13."""
    for moment in random_moments(rules, seed):
        state = moment.after
        sets = places(state)
        union = card_set(cards_of(sum(sets)))
        assert sum(map(count, sets)) == count(union) == 52 - state.stock_left
        assert all(count(hand) <= 13 for hand in state.hands)
        if state.phase is not Phase.DRAFT and state.phase is not Phase.BLIND:
            assert union == FULL


@given(rule_sets(DRAFTS), seeds)
@settings(max_examples=20)
def test_a_draft_ends_with_13_13_and_26(rules: RuleSet, seed: int) -> None:
    """After 26 turns each seat holds 13 cards and has discarded 13; an exchange leaves 13 in each hand."""
    state = next(m.after for m in random_moments(rules, seed) if m.after.phase in (Phase.SWAP, Phase.BID, Phase.PLAY))
    assert [count(state.hands[seat]) for seat in (S, N)] == [13, 13]
    assert [count(state.discards[seat]) for seat in (S, N)] == [13, 13]
    state = next(m.after for m in random_moments(rules, seed) if m.after.phase is Phase.PLAY)
    assert [count(state.hands[seat]) for seat in (S, N)] == [13, 13]
    assert count(state.discards[S] | state.discards[N]) == 26


def test_keep_takes_the_first_card_and_pass_the_second() -> None:
    """A keep puts the drawn card into the hand and the next among the discards; a pass does the opposite."""
    kept = told(started(), "draft draw AS", "draft keep 2C")
    assert (list(map(str, cards_of(kept.hands[S]))), list(map(str, cards_of(kept.discards[S])))) == (["AS"], ["2C"])
    passed = told(started(), "draft draw AS", "draft pass 2C")
    assert (list(map(str, cards_of(passed.hands[S]))), list(map(str, cards_of(passed.discards[S])))) == (["2C"], ["AS"])


def test_the_stock_is_used_from_the_top_two_cards_a_turn() -> None:
    """The dealer turns up the deck in order: card 0 for the first draw, card 1 for its choice, and so on."""
    rules = rules_of("draft300")
    dealer = Dealer(rules, seed_streams("1")).with_deck(1, CARDS)
    state, events = deal(dealer, new_game(rules, N))
    turned = list(events)
    for turn in range(26):
        assert state.turn is (N, S)[turn % 2]
        state, events = advance(dealer, state, Choose((N, S)[turn % 2], turn % 3 == 0))
        turned += events
    assert [e.card for e in turned if isinstance(e, Draw | Choose)] == list(CARDS)
    assert state.phase is Phase.BID


@pytest.mark.parametrize(("preset", "bidder"), [("draft", N), ("draft300", S)])
def test_who_bids_and_leads_after_a_draft(preset: str, bidder: object) -> None:
    """In `draft` the second drawer bids and leads first, in `draft300` the first drawer."""
    rules = rules_of(preset)
    dealer = Dealer(rules, seed_streams("1"))
    state = finish(new_game(rules, S), {}, dealer, Phase.BID)
    assert state.turn is bidder
    assert finish(state, {S: "3", N: "3"}, dealer, Phase.PLAY).turn is bidder


@pytest.mark.parametrize("preset", ["draft", "partners", "duel"])
def test_the_first_seat_moves_on_every_hand(preset: str) -> None:
    """The first seat passes one seat clockwise every hand, and the deal says so."""
    rules = rules_of(preset, floor="none")
    dealer = Dealer(rules, seed_streams("1"))
    state = new_game(rules, rules.seats[0])
    firsts = []
    for _ in range(5):
        state, _ = deal(dealer, state)
        firsts.append(state.first)
        state = finish(state, dict.fromkeys(rules.seats, "3"), dealer)
    seats = rules.seats * 3
    assert firsts == list(seats[:5])


def test_seats_draw_in_turn() -> None:
    """Two draws in a row, a choice without a draw, and the other seat's draw are refused."""
    state = started()
    with pytest.raises(WrongSeat):
        told(state, "draft N draw AS")
    with pytest.raises(WrongPhase):
        told(state, "draft keep AS")
    drawn = told(state, "draft draw AS")
    with pytest.raises(WrongPhase):
        told(drawn, "draft draw KS")
    with pytest.raises(WrongSeat):
        told(drawn, "draft N keep KS")
    with pytest.raises(WrongPhase):
        told(drawn, "bid 4")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["draft draw ??"], "card-needed"),
        (["draft draw AS", "draft keep"], "card-needed"),
        (["draft draw AS", "draft keep ??"], "card-needed"),
        (["draft draw AS", "draft ?? 2C"], "card-needed"),
        (["draft draw AS", "draft keep AS"], "card-known-elsewhere"),
        (["draft draw AS", "draft pass AS"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft draw AS"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft draw 2C"], "card-known-elsewhere"),
        (["draft draw AS", "draft keep 2C", "draft draw 3C", "draft pass 2C"], "card-known-elsewhere"),
    ],
)
def test_a_stock_has_every_card_once(lines: list[str], why: str) -> None:
    """A host that knows all cards must name each of them, and none twice."""
    state = told(started(), *lines[:-1])
    with pytest.raises(IllegalAction) as caught:
        told(state, lines[-1])
    assert caught.value.why == why
    assert state == told(started(), *lines[:-1])


def test_no_hands_are_dealt_in_a_draft() -> None:
    """A deal line of a drafted game has no hands, and a look has no cards."""
    state = new_game(rules_of("draft"), S)
    hand = ",".join(map(str, CARDS[:13]))
    for lines in ([f"deal hand.S={hand}"], ["deal", f"look S {hand}"]):
        with pytest.raises(IllegalAction) as caught:
            told(state, *lines)
        assert caught.value.why == "not-allowed"


@pytest.mark.parametrize(
    ("line", "why"),
    [("deal 2", "wrong-number"), ("deal 0", "wrong-number"), ("deal 1 first=N", "wrong-first")],
)
def test_a_deal_is_the_next_one(line: str, why: str) -> None:
    """A deal of another number, or with another first seat than the rules say, is refused."""
    with pytest.raises(IllegalAction) as caught:
        told(new_game(rules_of("draft"), S), line)
    assert caught.value.why == why


def test_the_first_deal_names_the_first_seat() -> None:
    """A game set up without a first seat takes it from its first deal."""
    state = new_game(rules_of("draft"))
    assert state.first is None
    assert told(state, "deal 1 first=N").first is N


def test_a_hand_in_progress_takes_no_deal() -> None:
    """A deal in the middle of a hand is out of phase."""
    with pytest.raises(WrongPhase, match="top card"):
        told(started(), "deal 2 first=N")
