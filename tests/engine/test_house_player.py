"""The house player over whole games."""

from random import Random

import pytest

from spades_engine.game import PRESETS, Dealer, Phase, RuleSet, Side, State, advance, deal, new_game, seed_streams
from tests.engine.house import house, random_rules
from tests.game.hands import random_action

GAMES = 24
"""Games against a random player, half of them on each side."""


def played_game(rules: RuleSet, seed: str, randoms: Side | None) -> State:
    """A whole game of the rule policy; the side `randoms` acts at random."""
    rng = Random(seed)
    dealer = Dealer(rules, seed_streams(seed))
    state = new_game(rules)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL:
            state, _ = deal(dealer, state)
            continue
        assert state.turn is not None
        is_random = rules.side_of(state.turn) is randoms
        state, _ = advance(dealer, state, random_action(state, rng) if is_random else house(state))
    return state


@pytest.mark.parametrize("preset", PRESETS)
def test_beats_a_random_player(preset: str) -> None:
    """It wins more than 95 games in a hundred against legal actions at random."""
    rules = RuleSet.preset_named(preset)
    won = 0
    for number in range(GAMES):
        side = Side(number % 2)
        won += played_game(rules, f"random {number}", side.other).winner is side
    assert won > 0.95 * GAMES


@pytest.mark.parametrize("preset", PRESETS)
def test_games_against_itself_end(preset: str) -> None:
    """Games of the policy against itself end by the rules long before the cap, at the target nearly always."""
    rules = RuleSet.preset_named(preset)
    for number in range(4):
        state = played_game(rules, f"itself {number}", None)
        assert state.hands_played < 60
        assert state.reason in ("target", "floor")


def test_games_under_any_options_end() -> None:
    """Whole short games under random options are played to their end."""
    rng = Random(12)
    for number in range(16):
        rules = random_rules(rng).with_options({"hand_cap": "3"})
        state = played_game(rules, f"any {number}", None)
        assert state.phase is Phase.OVER
        assert state.hands_played <= 3
