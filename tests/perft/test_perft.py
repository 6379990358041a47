"""The counts of the position files, counted by the engine and by the oracle."""

import itertools

import pytest

from spades_engine.game import format_action
from spades_engine.perft import PerftStopped, divide, perft
from tests.game import oracle
from tests.perft.positions import Position, all_positions, engine_state, oracle_hand, parse_positions

POSITIONS = {position.name: position for position in all_positions()}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_engine_counts_what_the_file_says(position: Position) -> None:
    """The engine counts the sequences of every depth that is not heavy as the file has them."""
    state, dealer = engine_state(position)
    counted = {count.depth: perft(state, dealer, count.depth) for count in position.counts if not count.is_heavy}
    assert counted == {count.depth: count.sequences for count in position.counts if not count.is_heavy}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_oracle_counts_what_the_file_says(position: Position) -> None:
    """The oracle, which shares no code with the engine, counts the same."""
    hand = oracle_hand(position)
    counted = {count.depth: oracle.perft(hand, count.depth) for count in position.counts if not count.is_heavy}
    assert counted == {count.depth: count.sequences for count in position.counts if not count.is_heavy}


def test_a_sequence_of_no_decisions_is_one() -> None:
    """Depth 0 counts one sequence everywhere."""
    for position in POSITIONS.values():
        state, dealer = engine_state(position)
        assert perft(state, dealer, 0) == oracle.perft(oracle_hand(position), 0) == 1


@pytest.mark.parametrize("name", ["blind/partners", "draft/last-five", "swap/discards-2", "bid/duel", "play/partners"])
def test_the_counts_of_the_first_actions_add_up(name: str) -> None:
    """`divide` names every legal action once, and its counts sum to the count of the position."""
    state, dealer = engine_state(POSITIONS[name])
    divided = divide(state, dealer, 3)
    texts = [format_action(action, state.rules) for action, _count in divided]
    assert sorted(texts) == sorted(oracle_hand(POSITIONS[name]).legal())
    assert sum(count for _action, count in divided) == perft(state, dealer, 3)


def test_the_counting_can_be_stopped() -> None:
    """A count whose `stop` says so at its fifth question ends there, with the error that says it was stopped."""
    state, dealer = engine_state(POSITIONS["play/duel"])
    questions = itertools.count(1)
    with pytest.raises(PerftStopped):
        perft(state, dealer, 4, lambda: next(questions) == 5)
    assert next(questions) == 6


def test_every_phase_and_preset_has_a_position() -> None:
    """Each of the phases in which a seat decides, and each preset, begins at least three positions."""
    phases = [oracle_hand(position).phase for position in POSITIONS.values()]
    presets = [position.preset for position in POSITIONS.values()]
    for phase in ("blind", "draft", "swap", "bid", "play"):
        assert phases.count(phase) >= 3, phase
    for preset in oracle.PRESET_NAMES:
        assert presets.count(preset) >= 3, preset


@pytest.mark.parametrize(
    ("option", "values"),
    {
        "nil": "off",
        "blind_nil": "off",
        "blind_deficit": "100",
        "exchange": "none",
        "exchange_count": "0 1 2 4",
        "peek": "unseen",
        "draft_choice": "hidden",
        "first_bidder": "first second",
        "leader": "other",
        "lead_spades": "anytime",
        "first_trick_ruff": "no",
        "min_bid": "2 3 4",
        "nil_is_zero": "no",
        "hand_cap": "1",
    }.items(),
)
def test_every_option_that_changes_what_is_legal_is_changed_somewhere(option: str, values: str) -> None:
    """Some position sets the option to each of these values."""
    used = {position.changes.get(option) for position in POSITIONS.values()}
    assert used >= set(values.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("play/duel-spades-not-broken", "play/duel-lead-spades-anytime"),
        ("play/partners-spades-not-broken", "play/partners-lead-spades-anytime"),
        ("play/duel-first-trick-ruff", "play/duel-no-first-trick-ruff"),
        ("play/partners-first-trick-ruff", "play/partners-no-first-trick-ruff"),
        ("play/draft-first-trick-ruff", "play/draft-no-first-trick-ruff"),
        ("bid/duel", "bid/min-bid-4"),
        ("bid/duel", "bid/zero-is-a-contract"),
        ("bid/duel", "bid/nil-off"),
        ("bid/nil-off", "bid/nil-off-zero-is-a-contract"),
        ("bid/duel", "bid/first-bidder-second"),
        ("bid/duel", "bid/leader-other"),
        ("swap/discards-3", "swap/discards-4"),
        ("blind/deficit-at-the-limit", "blind/deficit-one-short"),
    ],
)
def test_the_option_changes_the_count(one: str, other: str) -> None:
    """Two positions that differ in one option or one point of the score differ in what is legal before long.

    They have the same deck and decisions and a different count at some depth, or (where both count two actions each
    time) ask for different decisions.
    """
    first, second = POSITIONS[one], POSITIONS[other]
    assert (first.deck, first.actions) == (second.deck, second.actions)
    same_counts = [(count.depth, count.sequences) for count in first.counts] == [
        (count.depth, count.sequences) for count in second.counts
    ]
    assert not same_counts or oracle_hand(first).legal() != oracle_hand(second).legal()


def test_a_line_of_another_kind_is_refused() -> None:
    """A misspelt line in a file of positions is an error, not something passed over."""
    with pytest.raises(ValueError, match="line 2"):
        parse_positions("position x\nconut 1 2\n")
