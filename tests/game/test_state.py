"""The state itself: it never changes, compares by content, can be copied and sent, and counts what follows from it."""

import copy
import pickle

import pytest
from hypothesis import given, settings

from spades_engine.game import (
    PRESETS,
    WHYS,
    Dealer,
    GameError,
    Hidden,
    IllegalAction,
    Phase,
    Play,
    RuleSet,
    State,
    derived_events,
    legal_actions,
    new_game,
    parse_event,
    seed_streams,
)
from spades_engine.game.fields import Fields, Scratch
from spades_engine.perft import PerftStopped, divide, perft
from tests.game.hands import S_LEADS_CLUBS, E, N, S, W, finish, random_moments, rule_sets, rules_of, seeds, told


def contents(state: State) -> bytes:
    """Everything a state holds, as bytes."""
    return pickle.dumps([getattr(state, name) for name in Fields.__slots__])


def test_a_state_cannot_be_written_to() -> None:
    """No attribute can be set, added or deleted."""
    state = told(new_game(rules_of("duel"), S), S_LEADS_CLUBS)
    for name in (*Fields.__slots__, "anything"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(AttributeError):
        del state.turn
    assert not hasattr(state, "__dict__")


@given(rule_sets(), seeds)
@settings(max_examples=15)
def test_a_step_leaves_the_state_before_it_alone(rules: RuleSet, seed: int) -> None:
    """Every state of a random hand is the same after the rest of the hand has been played from it."""
    moments = random_moments(rules, seed)
    before = [contents(moment.after) for moment in moments]
    for moment in moments:
        for action in legal_actions(moment.after)[:3]:
            try:
                moment.after.apply(action)
            except GameError:
                continue
    assert [contents(moment.after) for moment in moments] == before


@pytest.mark.parametrize("preset", PRESETS)
def test_an_illegal_action_of_any_kind_changes_nothing(preset: str) -> None:
    """In every phase each of many lines is accepted or refused with a reason, and the state stays as it was."""
    lines = (
        "deal 1 first=S", "deal 7 first=N", "look S", "look N", "draft S draw AS", "draft N keep AS", "draft S pass ??",
        "swap S none none", "swap N AS KS", "bid S 3", "bid N nil", "bid S blindnil", "bid N 14", "play S AS",
        "play N 2S",
        "play S 7H", "trick S", "trick N", "end winner=draw reason=cap total.S=0 total.N=0",
        "score S=+0 N=+0 bags.S=0 bags.N=0 total.S=0 total.N=0",
    )  # fmt: skip
    refused: list[GameError] = []
    for moment in random_moments(rules_of(preset), 9):
        state, before = moment.after, contents(moment.after)
        for line in lines:
            try:
                state.apply(parse_event(line, state.rules))
            except GameError as error:
                refused.append(error)
            assert contents(state) == before
    assert len(refused) > 100
    assert all(error.text for error in refused)
    assert all(error.why in WHYS for error in refused if isinstance(error, IllegalAction))


@given(rule_sets(), seeds)
@settings(max_examples=15)
def test_states_compare_by_content(rules: RuleSet, seed: int) -> None:
    """Two ways to one state give equal states with equal hashes; every step gives another one."""
    one, two = random_moments(rules, seed), random_moments(rules, seed)
    assert [moment.after for moment in one] == [moment.after for moment in two]
    assert [hash(moment.after) for moment in one] == [hash(moment.after) for moment in two]
    for moment in one:
        assert moment.before != moment.after
        assert moment.after != "a state"
        if moment.after.turn is not None:
            assert moment.after != moment.after.masked(moment.after.turn)


@given(rule_sets(), seeds)
@settings(max_examples=10)
def test_states_can_be_copied_and_sent(rules: RuleSet, seed: int) -> None:
    """A copy is the state itself, and a pickled state comes back equal and just as closed."""
    for moment in random_moments(rules, seed)[::7]:
        state = moment.after
        assert copy.copy(state) is copy.deepcopy(state) is state
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        with pytest.raises(AttributeError):
            again.turn = None


def test_every_field_takes_part() -> None:
    """A scratch copy takes over every field, and equality looks at each of them."""
    state = random_moments(rules_of("partners"), 2)[40].after
    scratch = Scratch(state)
    for name in Fields.__slots__:
        assert getattr(scratch, name) == getattr(state, name)
        changed = pickle.loads(pickle.dumps(state))
        object.__setattr__(changed, name, "something else")
        assert changed != state


def test_where_a_game_can_start() -> None:
    """A game starts from totals and bags, and only with seats that are in it."""
    state = new_game(rules_of("draft"), S, None, (120, -30), (4, 9))
    assert (state.phase, state.totals, state.bags, state.number) == (Phase.DEAL, (120, -30), (4, 9), 0)
    for first, viewer in ((E, None), (S, W)):
        with pytest.raises(ValueError, match="no seat of this game"):
            new_game(rules_of("draft"), first, viewer)


def test_what_is_not_an_event_is_a_mistake_of_the_caller() -> None:
    """Something else than an event is a TypeError, not an objection of the rules."""
    with pytest.raises(TypeError):
        new_game(rules_of("draft"), S).apply("deal 1 first=S")  # type: ignore[arg-type]


def test_check_is_apply_without_the_outcome() -> None:
    """`check` accepts what could be completed and raises what `apply` would."""
    asked = told(new_game(rules_of("partners"), N), "deal")
    asked.check(legal_actions(asked)[0])
    for line in ("look E", "bid N 3", "play N AS"):
        with pytest.raises(GameError):
            asked.check(parse_event(line, asked.rules))  # type: ignore[arg-type]
    drawn = told(new_game(rules_of("draft300"), S), "deal", "draft draw AS")
    for action in legal_actions(drawn):
        drawn.check(action)
    for line in ("draft N keep", "draft S ??", "bid S 3"):
        with pytest.raises(GameError):
            drawn.check(parse_event(line, drawn.rules))  # type: ignore[arg-type]


def test_results_follow_a_card_only() -> None:
    """Only a card that completes a trick has results."""
    state = told(new_game(rules_of("duel"), S), S_LEADS_CLUBS, "bid 3", "bid 3")
    one = parse_event("play S 3C", state.rules)
    middle = state.apply(one)
    assert derived_events(state, one, middle) == ()
    two = parse_event("play N 3D", state.rules)
    assert len(derived_events(middle, two, middle.apply(two))) == 1
    trick = parse_event("trick S", state.rules)
    after = middle.apply(two)
    assert derived_events(after, trick, after.apply(trick)) == ()


def test_what_can_be_asked_between_hands() -> None:
    """After a hand its bids, tricks and cards can still be read; the next deal clears them."""
    rules = rules_of("draft")
    dealer = Dealer(rules, seed_streams("0"))
    state = finish(new_game(rules, S), {S: "3", N: "4"}, dealer)
    assert (state.phase, state.number, state.first, state.turn) == (Phase.DEAL, 1, N, None)
    assert sum(state.taken) == 13
    assert state.bids[N] is not None
    assert state.discards[S]
    assert state.bidding_order == (S, N)
    following = told(state, "deal 2 first=N")
    assert (following.taken, following.bids, following.discards[S]) == ((0,) * 4, (None,) * 4, 0)
    assert len(following.history) == 1
    assert following.last_score == state.last_score


def test_repr_tells_where_the_game_is() -> None:
    """The text of a state names the rules, the hand, the phase and the turn, and no card."""
    state = told(new_game(rules_of("duel"), S), S_LEADS_CLUBS)
    assert repr(state) == "<State: duel hand 1, phase bid, turn S>"
    assert repr(state.masked(N)) == "<State: duel hand 1 as N sees it, phase bid, turn S>"


# Counting.


@pytest.mark.parametrize("preset", PRESETS)
def test_the_parts_of_a_count_sum_up(preset: str) -> None:
    """Split by first action, a count is the sum of its parts; depth 1 counts the legal actions."""
    rules = rules_of(preset, exchange_count="1")
    dealer = Dealer(rules, seed_streams("0"))
    for moment in random_moments(rules, 0)[::9]:
        state = moment.after
        if state.phase in (Phase.DEAL, Phase.OVER):
            continue
        parts = divide(state, dealer, 2)
        assert [action for action, _ in parts] == list(legal_actions(state))
        assert sum(size for _, size in parts) == perft(state, dealer, 2)
        assert perft(state, dealer, 1) == len(parts)
    assert divide(state, dealer, 0) == ()


def test_a_sequence_ends_with_its_hand() -> None:
    """Two cards from the end of a hand every depth counts the same, and after the end there is one sequence."""
    rules = rules_of("duel")
    dealer = Dealer(rules, seed_streams("0"))
    moments = random_moments(rules, 4)
    last = next(moment.before for moment in moments if moment.after.phase is Phase.DEAL)
    assert isinstance(legal_actions(last)[0], Play)
    assert [perft(last, dealer, depth) for depth in (0, 1, 2, 9)] == [1, 1, 1, 1]
    assert perft(moments[-1].after, dealer, 3) == 1


def test_counting_needs_the_cards_to_come() -> None:
    """Without a dealer a count begins after the last chance event; a masked table never knows enough."""
    drawn = told(new_game(rules_of("draft300"), S), "deal", "draft draw AS")
    bidding = told(new_game(rules_of("duel"), S), S_LEADS_CLUBS)
    with pytest.raises(Hidden):
        perft(drawn, None, 1)
    with pytest.raises(Hidden):
        perft(told(new_game(rules_of("partners"), N), "deal"), None, 1)
    with pytest.raises(Hidden):
        perft(bidding.masked(S), None, 1)
    assert perft(bidding, None, 2) == 14 * 14


def test_a_count_can_be_stopped() -> None:
    """A `stop` that says so ends the count without a result."""
    state = told(new_game(rules_of("duel"), S), S_LEADS_CLUBS)
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 5

    with pytest.raises(PerftStopped):
        perft(state, None, 3, stop)
    assert len(asked) == 6
