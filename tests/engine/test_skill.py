"""Levels of skill: weaker play that is still play."""

from __future__ import annotations

from random import Random

import pytest

from spades_engine.game import PRESETS, BidMade, Phase, Play, RuleSet, View
from spades_engine.search.choose import Choice, Search
from spades_engine.search.skill import FULL, Errors, level_of
from tests.engine.house import DECISIONS, hand_states, hidden_card_positions, mixed, view_of

LEVELS = range(FULL + 1)


def at_level(view: View, skill: int, seed: int = 1, nodes: int = 1500) -> Choice:
    """A search at a level."""
    return Search(view, seed, nodes, lambda: False, None, skill).run()


def test_every_step_up_does_something_better_and_nothing_worse() -> None:
    """From each level to the next no allowance shrinks and no error grows, and something changes."""
    for low in range(FULL):
        worse, better = level_of(low), level_of(low + 1)
        assert worse != better
        assert worse.worlds <= better.worlds
        assert worse.reads <= better.reads
        assert worse.counts <= better.counts
        assert worse.bid_error >= better.bid_error
        assert worse.keep_error >= better.keep_error
        assert worse.habit >= better.habit


@pytest.mark.parametrize("skill", [-1, 21])
def test_other_levels_are_refused(skill: int) -> None:
    """There are levels 0 to 20."""
    with pytest.raises(ValueError, match="from 0 to 20"):
        level_of(skill)


def test_errors_are_as_large_as_they_are_said_to_be() -> None:
    """Over many seeds the errors have the mean 0 and the standard deviation of the level, but for their bounds."""
    level = level_of(14)
    keeps = [Errors(level, seed).of_keep() for seed in range(4000)]
    assert abs(sum(keeps) / len(keeps)) < 10
    deviation = (sum(error * error for error in keeps) / len(keeps)) ** 0.5
    assert level.keep_error * 0.95 < deviation < level.keep_error * 1.05
    assert {Errors(level_of(0), seed).of_bid() for seed in range(500)} == {-2, -1, 0, 1, 2}
    assert {Errors(level_of(FULL), seed).of_bid() for seed in range(50)} == {0}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_level_plays_whole_hands_and_the_highest_is_the_engine(preset: str) -> None:
    """At every decision each level has a legal action, the same one twice; level 20 is what there is without levels."""
    rules = RuleSet.preset_named(preset)
    for state in list(hand_states(rules, 7, mixed(Random(preset), 0.1)))[:-1:5]:
        view = view_of(state)
        assert at_level(view, FULL, nodes=600) == Search(view, 1, 600, lambda: False).run()
        for skill in (0, 7, 13, 19):
            choice = at_level(view, skill, nodes=600)
            assert choice.action in view.legal
            assert choice == at_level(view, skill, nodes=600)
            assert sorted(map(repr, (one.action for one in choice.figures))) == sorted(map(repr, view.legal))
            assert choice.figures[0].action == choice.action


def test_no_level_sees_a_hidden_card() -> None:
    """Other cards where the seat cannot see them change nothing at any level."""
    positions = hidden_card_positions(99)
    for number in range(60):
        state, other, seat = next(positions)
        skill = number % FULL
        assert at_level(View.of(state, seat), skill, nodes=400) == at_level(View.of(other, seat), skill, nodes=400)


@pytest.mark.parametrize("preset", ["draft", "duel"])
def test_no_level_bids_far_from_the_best(preset: str) -> None:
    """A contract is at most two tricks from the one that the engine finds best, and low levels are often off by one."""
    rules = RuleSet.preset_named(preset)
    off = []
    for seed in range(30):
        for state in hand_states(rules, seed):
            if state.phase is not Phase.BID:
                continue
            view = view_of(state)
            best, low = (at_level(view, skill, seed).action for skill in (FULL, 0))
            assert isinstance(best, BidMade)
            assert isinstance(low, BidMade)
            if not best.bid.is_nil:
                off.append(abs(best.bid.tricks - low.bid.tricks))
    assert max(off) <= 2
    assert len([error for error in off if error]) > len(off) // 3


def decisive_positions(seed: int) -> list[tuple[View, set[Play]]]:
    """Last seats to play of two players whose contract needs every trick that is left, or who set the other by one
    trick more, with their own contract made: the cards that win the trick, where not all of them do.
    """
    found = []
    for number in range(seed, seed + 400):
        rules = RuleSet.preset_named("duel" if number % 2 else "draft")
        for state in list(hand_states(rules, number, mixed(Random(number), 0.3)))[:-1]:
            if state.phase is not Phase.PLAY or not state.trick:
                continue
            view = view_of(state)
            mine, theirs = view.bids[view.seat], view.bids[rules.next_seat(view.seat)]
            if mine is None or theirs is None or mine.is_nil or theirs.is_nil:
                continue
            left = 13 - view.trick_number
            need = mine.tricks - view.taken[view.seat]
            other = theirs.tricks - view.taken[rules.next_seat(view.seat)]
            (_, led), *_ = view.trick
            wins = {
                action
                for action in view.legal
                if isinstance(action, Play)
                and (action.card > led if action.card.suit is led.suit else int(action.card) >= 39)
            }
            if wins and len(wins) < len(view.legal) and (need == left or (need <= 0 < other == left)):
                found.append((view, wins))
    return found


def test_no_level_wastes_a_trick_that_decides() -> None:
    """Every level wins the trick that its contract cannot do without, and takes a set that is free."""
    positions = decisive_positions(100)
    assert len(positions) > 40
    assert {view.phase for view, _ in positions} <= set(DECISIONS)
    for number, (view, wins) in enumerate(positions[:80]):
        for skill in LEVELS:
            assert at_level(view, skill, number, 400).action in wins, (number, skill)
