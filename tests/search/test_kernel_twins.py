"""The compiled kernel and the plain one: same answers, and the same nodes on the way."""

from random import Random
from types import ModuleType

import pytest

from spades_engine.search import _kernel, kernel
from spades_engine.search.kernels import load_kernel
from tests.search.positions import Position, random_position

COMPILED = load_kernel("compiled")
PLAIN = load_kernel("plain")


def mirrored(position: Position) -> Position:
    """Return the position seen from the next seat: side 0 becomes side 1, and what it won it loses."""
    seats = len(position.hands)
    payoff = tuple(-worth for worth in reversed(position.payoff))
    hands = tuple(position.hands[seat - 1] for seat in range(seats))
    return Position(
        hands, (position.leader + 1) % seats, position.trick, payoff, position.broken, position.anytime,
        position.no_first_ruff,
    )  # fmt: skip


def reordered(position: Position) -> Position:
    """Return the position with clubs, diamonds and hearts moved on by one suit."""

    def moved(card: int) -> int:
        return card if card >= 39 else (card + 13) % 39

    def hand(mask: int) -> int:
        return sum(1 << moved(card) for card in range(52) if mask >> card & 1)

    return Position(
        tuple(map(hand, position.hands)), position.leader, tuple(map(moved, position.trick)), position.payoff,
        position.broken, position.anytime, position.no_first_ruff,
    )  # fmt: skip


@pytest.mark.parametrize(("seats", "tricks", "count"), [(2, 7, 120), (2, 13, 6), (4, 4, 120), (4, 6, 6)])
@pytest.mark.parametrize("table_bits", [1, 10])
def test_twins_visit_the_same_nodes(seats: int, tricks: int, count: int, table_bits: int) -> None:
    """Status, value, best card, every card's value and node counts are equal, also on tables that were used before."""
    rng = Random(f"twins {seats} {tricks} {table_bits}")
    compiled = COMPILED.Solver(table_bits)
    plain = PLAIN.Solver(table_bits)
    for _ in range(count):
        arguments = random_position(rng, seats, tricks).arguments()
        limited = arguments | {"max_nodes": rng.choice((20, 500, 20_000))}
        assert compiled.solve(**limited) == plain.solve(**limited), limited
        assert compiled.solve_each(**limited) == plain.solve_each(**limited), limited


@pytest.mark.parametrize(("seats", "tricks", "count"), [(2, 13, 100), (4, 7, 100)])
def test_whole_hands_have_no_favoured_seat_or_suit(seats: int, tricks: int, count: int) -> None:
    """Too large for brute force: turning the table round or renaming the plain suits changes no value, nor does a used
    table, and the best card's value is the position's.
    """
    rng = Random(f"sides {seats}")
    used = COMPILED.Solver(12)
    for _ in range(count):
        position = random_position(rng, seats, tricks)
        status, value, card, _ = COMPILED.Solver().solve(**position.arguments())
        assert status == COMPILED.SOLVED
        assert used.solve(**mirrored(position).arguments())[1] == -value, position
        assert used.solve(**reordered(position).arguments())[1] == value, position
        values = used.solve_each(**position.arguments())[1]
        assert (card, value) in values
        assert value == (min if position.mover() % 2 else max)(worth for _, worth in values)


@pytest.mark.parametrize("module", [_kernel, kernel])
def test_constants_have_their_documented_values(module: ModuleType) -> None:
    """Both modules name the statuses alike."""
    assert (module.SOLVED, module.STOPPED, module.NODE_LIMIT, module.NO_LIMIT) == (0, 1, 2, 1 << 62)
