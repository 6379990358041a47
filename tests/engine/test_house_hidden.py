"""The house player cannot see hidden cards: with them exchanged it does the same."""

from collections import Counter
from itertools import islice

from spades_engine.game import Phase, View
from spades_engine.search.choose import quick_choice
from tests.engine.house import DECISIONS, hidden_card_positions, searched

NODES = 700
POSITIONS = 50


def compare(positions: int, seed: int, nodes: int = NODES) -> tuple[Counter[Phase], int]:
    """Compare choices in so many positions; how many there were of each phase, and how many really differed."""
    phases: Counter[Phase] = Counter()
    differing = 0
    for state, other, seat in islice(hidden_card_positions(seed), positions):
        view, same = View.of(state, seat), View.of(other, seat)
        assert view == same
        assert quick_choice(view) == quick_choice(same)
        assert searched(view, nodes, seed) == searched(same, nodes, seed)
        phases[state.phase] += 1
        differing += state != other
    return phases, differing


def test_choices_do_not_depend_on_hidden_cards() -> None:
    """With the cards that a seat cannot see exchanged among each other its choice and all its figures are the same."""
    phases, differing = compare(POSITIONS, 1)
    assert set(phases) == set(DECISIONS)
    assert differing > POSITIONS * 3 // 4  # late in a hand every card may be known
