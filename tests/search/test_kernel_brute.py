"""The kernel against trying everything. `run_kernel_fuzz.py` does the same for as long as one likes."""

from random import Random

import pytest

from spades_engine.search.kernels import load_kernel
from tests.search.positions import Position, check_position, names, number, random_position

TABLE_BITS = (0, 3, 12)  # from two entries, where nothing stays, to room for everything


@pytest.mark.parametrize(
    ("kernel", "seats", "tricks", "count"),
    [("compiled", 2, 5, 400), ("compiled", 4, 3, 400), ("plain", 2, 5, 100), ("plain", 4, 3, 100)],
)
def test_solver_agrees_with_trying_everything(kernel: str, seats: int, tricks: int, count: int) -> None:
    """Value, best card and every card's value are those of brute force, with a new table and with a used one, in
    every place of a trick, for any payoff and every rule.
    """
    rng = Random(f"{kernel} {seats}")
    make = load_kernel(kernel).Solver
    used = [make(bits) for bits in TABLE_BITS]
    for _ in range(count):
        position = random_position(rng, seats, rng.randint(0, tricks))
        check_position(position, [make(rng.choice(TABLE_BITS)), *used])


@pytest.mark.parametrize(("seats", "tricks", "count"), [(2, 4, 40), (4, 3, 6)])
def test_every_way_through_a_trick_agrees_with_trying_everything(seats: int, tricks: int, count: int) -> None:
    """After every lead, every reply and every later card of the first trick the answers are those of brute force."""
    rng = Random(f"trick {seats}")
    solver = load_kernel("compiled").Solver(8)
    for _ in range(count):
        start = random_position(rng, seats, tricks, played=0)
        pending = [start]
        while pending:
            position = pending.pop()
            check_position(position, [solver])
            if len(position.trick) + 1 < seats:
                pending += [position.after(card) for card in position.brute_values(position.brute())]


def hand(*cards: str) -> int:
    """Return the mask of some cards."""
    return sum(1 << number(card) for card in cards)


def solved(position: Position) -> tuple[int, set[str]]:
    """Return the value of a position and the names of the cards that reach it."""
    solver = load_kernel("compiled").Solver(0)
    value = solver.solve(**position.arguments())[1]
    values = solver.solve_each(**position.arguments())[1]
    return value, set(names(sum(1 << card for card, worth in values if worth == value)))


def two(south: int, north: int, payoff: tuple[int, ...], **flags: bool) -> Position:
    """Return a position of two hands, seat 0 to lead."""
    rules = {"broken": False, "anytime": False, "no_first_ruff": False} | flags
    return Position((south, north), 0, (), payoff, **rules)


def test_unbroken_spades_cannot_be_led() -> None:
    """With spades unbroken the low club must be led and ruffed; led first, the ace would draw the spade."""
    south, north = hand("AS", "2C"), hand("2S", "2H")
    assert solved(two(south, north, (0, 1, 2))) == (1, {"2C"})
    assert solved(two(south, north, (0, 1, 2), broken=True)) == (2, {"AS"})
    assert solved(two(south, north, (0, 1, 2), anytime=True)) == (2, {"AS"})


def test_hand_of_spades_may_lead_them() -> None:
    """A hand of spades only leads one although they are unbroken: the four draws the three, and the deuce is good."""
    south, north = hand("2S", "4S"), hand("3S", "2C")
    assert solved(two(south, north, (0, 1, 2))) == (2, {"4S"})


def test_ruff_on_the_first_trick_can_be_forbidden() -> None:
    """A void seat ruffs the first lead and takes both tricks; forbidden to, it waits; with spades only it still may."""
    south, north = hand("2C", "2D"), hand("2S", "2H")
    assert solved(two(south, north, (0, 1, 2))) == (0, {"2C", "2D"})
    assert solved(two(south, north, (0, 1, 2), no_first_ruff=True)) == (1, {"2C", "2D"})
    assert solved(two(hand("2C"), hand("2S"), (0, 1), no_first_ruff=True)) == (0, {"2C"})


def test_payoff_need_not_rise() -> None:
    """The diamond makes one trick: the club left is beaten. Where none or two are wanted, the club makes either."""
    south, north = hand("3C", "3D"), hand("2C", "4C")
    assert solved(two(south, north, (0, 1, 2))) == (1, {"3D"})
    assert solved(two(south, north, (1, 0, 1))) == (1, {"3C"})


def test_trump_of_a_partner_counts_for_the_side() -> None:
    """The leader's partner ruffs the club, or overruffs the heart, and takes the second trick with the other spade."""
    hands = (hand("2C", "2H"), hand("3C", "3S"), hand("2S", "AS"), hand("4C", "3D"))
    rules = {"broken": False, "anytime": False, "no_first_ruff": False}
    assert solved(Position(hands, 0, (), (0, 1, 2), **rules)) == (2, {"2C", "2H"})
