"""Choosing: always legal, always the same, within its limits, and with figures that agree with the choice."""

from itertools import islice, pairwise
from random import Random

import pytest

from spades_engine.game import (
    BLIND_NIL,
    PRESETS,
    Bid,
    BidKind,
    BidMade,
    Dealer,
    Phase,
    Play,
    RuleSet,
    Seat,
    State,
    deal,
    legal_actions,
    new_game,
    seed_streams,
)
from spades_engine.search.choose import Choice, Search, quick_choice
from spades_engine.search.evaluate import Figures
from tests.engine.house import (
    DECISIONS,
    hand_states,
    hidden_card_positions,
    mixed,
    random_rules,
    random_scores,
    searched,
    view_of,
)
from tests.game.hands import deal_deck, told


def some_positions(seed: int, number: int) -> list[State]:
    """Positions of every phase, preset and many options."""
    return [state for state, _, _ in islice(hidden_card_positions(seed), number)]


@pytest.mark.parametrize("preset", PRESETS)
def test_quick_choice_is_legal(preset: str) -> None:
    """In sensible and in random hands, under any options and scores, the rule policy's action is a legal one."""
    rng = Random(f"{preset} quick")
    for number in range(40):
        rules = random_rules(rng, preset)
        totals, bags = random_scores(rules, rng)
        act = mixed(rng, (0.0, 0.3, 1.0)[number % 3])
        for state in hand_states(rules, rng.randrange(10**6), act, totals, bags):
            if state.turn is not None:
                assert quick_choice(view_of(state)) in legal_actions(state)


def check_figures(choice: Choice, state: State) -> None:
    """The figures have every legal action once, the chosen one first, all of them sound."""
    legal = legal_actions(state)
    assert choice.action == choice.figures[0].action
    assert len(choice.figures) == len(legal)
    assert {figures.action for figures in choice.figures} == set(legal)
    for figures in choice.figures:
        assert 0.0 <= figures.equity <= 1.0
        assert 0.0 <= figures.make <= 1.0
        assert len(figures.tricks) == 14
        assert min(figures.tricks) >= 0.0
        assert abs(sum(figures.tricks) - 1.0) < 1e-9


def test_search_is_legal_and_keeps_its_limit() -> None:
    """In every phase a search chooses a legal action, has figures for all of them and never exceeds its nodes."""
    phases = set()
    for number, state in enumerate(some_positions(7, 60)):
        limit = (0, 1, 60, 400, 3000)[number % 5]
        choice = searched(view_of(state), limit, number)
        assert choice.nodes <= limit
        check_figures(choice, state)
        phases.add(state.phase)
    assert phases == set(DECISIONS)


def test_search_is_a_function_of_its_arguments() -> None:
    """The same view, seed and node limit give the same choice, figures, nodes and worlds; the seed matters."""
    differs = 0
    for state in some_positions(8, 20):
        view = view_of(state)
        assert searched(view, 1500, 5) == searched(view, 1500, 5)
        differs += searched(view, 1500, 5) != searched(view, 1500, 6)
    assert differs > 10


def test_more_nodes_mean_more_worlds() -> None:
    """A larger node limit is used: more worlds, never fewer."""
    for state in some_positions(9, 10):
        view = view_of(state)
        if len(view.legal) > 1:
            assert searched(view, 4000).worlds > searched(view, 400).worlds


def test_a_stop_is_obeyed_before_the_next_playout() -> None:
    """A search told to stop at once makes no playout and answers with the rule policy's action."""
    for state in some_positions(10, 25):
        view = view_of(state)
        choice = Search(view, 1, None, lambda: True).run()
        assert (choice.action, choice.nodes, choice.worlds) == (quick_choice(view), 0, 0)
        check_figures(choice, state)


def is_solved(state: State) -> bool:
    """Whether the search solves worlds of this position instead of playing them out."""
    return state.phase is Phase.PLAY and not state.rules.has_partners


def test_the_stop_is_asked_before_every_playout() -> None:
    """Between two questions whether to stop at most one playout is made, or one world solved."""
    for state in some_positions(11, 12):
        asked = 0

        def stop() -> bool:
            nonlocal asked
            asked += 1
            return asked > 40

        choice = Search(view_of(state), 1, None, stop).run()
        assert is_solved(state) or choice.nodes <= 40 * 140
        assert choice.worlds <= 40
        assert asked <= 41


def test_few_worlds_do_not_move_the_rule() -> None:
    """Below twenty worlds played out, or four solved, the rule policy's action stands."""
    for state in some_positions(12, 25):
        view = view_of(state)
        choice = searched(view, 500)
        if choice.worlds < (4 if is_solved(state) else 20) and state.phase is not Phase.BID:
            assert choice.action == quick_choice(view)


def test_figures_are_ranked() -> None:
    """After the chosen action come those played out by falling equity, then those that were not."""
    for state in some_positions(13, 15):
        choice = searched(view_of(state), 2500)
        rest = [figures.equity for figures in choice.figures[1:]]
        rises = sum(first < second - 1e-12 for first, second in pairwise(rest))
        assert rises <= 1  # where those begin that were not played out


def test_progress_tells_what_is_known_so_far() -> None:
    """Reports come with growing nodes and worlds, and each is ranked like the final figures."""
    state = some_positions(14, 1)[0]
    told_so_far: list[tuple[tuple[Figures, ...], int, int]] = []

    def report(figures: tuple[Figures, ...], nodes: int, worlds: int) -> None:
        told_so_far.append((figures, nodes, worlds))

    choice = Search(view_of(state), 1, 30000, lambda: False, report).run()
    assert [worlds for _, _, worlds in told_so_far][:3] == [8, 16, 32]
    assert [nodes for _, nodes, _ in told_so_far] == sorted(nodes for _, nodes, _ in told_so_far)
    assert all(len(figures) == len(choice.figures) for figures, _, _ in told_so_far)


def test_touching_cards_share_their_figures() -> None:
    """Cards that nobody can tell apart by tricks have the same figures, and the lowest or the rule's is chosen."""
    rules = RuleSet.preset_named("duel")
    deck = deal_deck(rules, "C456 D345 HTJQKA SAK", "C789 D678 H3456 S345")
    state, _ = deal(Dealer(rules, seed_streams("x")).with_deck(1, deck), new_game(rules, Seat.S))
    state = told(state, "bid 5", "bid 3")
    choice = searched(view_of(state), 4000)
    hearts = {str(f.action.card): f for f in choice.figures if isinstance(f.action, Play) and f.action.card.suit == 2}
    assert len({(f.equity, f.points, f.tricks) for f in hearts.values()}) == 1


def endings(rules: RuleSet, seed: int) -> list[State]:
    """The last two tricks of a hand."""
    states = [state for state in hand_states(rules, seed, mixed(Random(seed), 0.3)) if state.turn is not None]
    return [state for state in states if state.trick_number >= 11]


@pytest.mark.parametrize("preset", PRESETS)
def test_forced_and_last_cards(preset: str) -> None:
    """With one legal action, or one card left, both answers are that action, and the search is done in few nodes."""
    forced = 0
    for seed in range(12):
        for state in endings(RuleSet.preset_named(preset), seed):
            legal = legal_actions(state)
            if len(legal) == 1:
                forced += 1
                view = view_of(state)
                assert quick_choice(view) == legal[0]
                choice = Search(view, 1, None, lambda: False).run()  # ends by itself
                assert choice.action == legal[0]
                assert choice.worlds == 16
                assert choice.nodes <= 16 * (8 if state.rules.has_partners else 110)
    assert forced > 10


def test_all_trumps_and_void_everywhere() -> None:
    """A hand of spades only, against one with none, is bid and played without a fault by both."""
    rules = RuleSet.preset_named("duel")
    deck = deal_deck(rules, "S23456789TJQKA", "C3456789 D345678")
    state, _ = deal(Dealer(rules, seed_streams("x")).with_deck(1, deck), new_game(rules, Seat.S))
    bids = []
    dealer = Dealer(rules, seed_streams("x"))
    while state.phase is not Phase.DEAL:
        choice = searched(view_of(state), 1500)
        check_figures(choice, state)
        if isinstance(choice.action, BidMade):
            bids.append(choice.action.bid.tricks)
        state = state.apply(dealer.complete(state, choice.action))
    assert bids[0] >= 12
    assert state.taken[Seat.S] == 13


def test_the_smallest_duel_deck() -> None:
    """With 24 cards removed, so that every card is in a hand, hands are bid and played as any other."""
    rules = RuleSet.preset_named("duel").with_options(
        {"removed": ",".join(rank + suit for suit in "CDHS" for rank in "234567")}
    )
    for seed in range(5):
        for state in hand_states(rules, seed):
            if state.turn is not None:
                choice = searched(view_of(state), 800)
                check_figures(choice, state)


def test_search_never_calls_blind_nil_ahead() -> None:
    """However well its playouts make them, a search calls no blind nil when level or ahead."""
    for preset in ("draft", "partners"):
        rules = RuleSet.preset_named(preset)
        for seed in range(4):
            for totals in ((0, 0), (300, 250)):
                state = next(iter(hand_states(rules, seed, totals=totals)))
                assert state.phase is Phase.BLIND
                if state.rules.side_of(state.turn or Seat.S) == 0:
                    assert searched(view_of(state), 6000).action != BidMade(state.turn or Seat.S, BLIND_NIL)


def test_bids_are_values() -> None:
    """The bids a choice is made of are the rules' own: a nil, or a contract."""
    for state in some_positions(15, 40):
        action = quick_choice(view_of(state))
        if isinstance(action, BidMade) and action.bid.kind is BidKind.CONTRACT:
            assert action.bid == Bid(BidKind.CONTRACT, action.bid.tricks)
