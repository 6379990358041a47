"""What a solver promises besides right answers: limits, the stop flag, threads, refusals."""

import contextlib
import threading
from random import Random
from typing import Any

import pytest

from spades_engine.search.kernels import KERNELS, load_kernel
from tests.search.positions import number, random_position

HANDS = [0b0011 << 39, 0b1100 << 39]  # 2S 3S, 4S 5S


def whole_hand(seats: int) -> dict[str, Any]:
    """Return a whole hand, of two or of four, about to be led to."""
    arguments = random_position(Random(5), seats, 13, played=0).arguments()
    return arguments | {"payoff": None, "broken": False}


@pytest.fixture(params=KERNELS)
def solver(request: pytest.FixtureRequest) -> Any:
    """Return a new solver of each kernel."""
    return load_kernel(request.param).Solver(10)


def test_node_limit_is_exact_and_leaves_the_solver_sound(solver: Any) -> None:
    """A search is cut at the limit, never beyond; what it left in the table keeps later answers right."""
    arguments = whole_hand(2)
    status, value, card, nodes = load_kernel("compiled").Solver(10).solve(**arguments)
    for limit in (0, 1, 37, nodes - 1):
        solver.clear()
        assert solver.solve(**arguments, max_nodes=limit) == (2, 0, -1, limit)
    solver.clear()
    assert solver.solve(**arguments, max_nodes=nodes) == (status, value, card, nodes) == (0, value, card, nodes)
    assert solver.solve(**arguments, max_nodes=0)[0] == 2
    assert solver.solve(**arguments)[:2] == (0, value)


def test_cut_search_of_every_card_gives_those_it_finished(solver: Any) -> None:
    """The cards settled before the limit come with their exact values, the others not at all."""
    arguments = whole_hand(2)
    status, values, nodes = solver.solve_each(**arguments)
    assert status == 0
    solver.clear()
    status, some, _ = solver.solve_each(**arguments, max_nodes=nodes - 1)
    assert status == 2
    assert 0 < len(some) < len(values)
    assert some == values[: len(some)]


def test_clearing_forgets(solver: Any) -> None:
    """A used table saves nodes; a cleared one searches as a new one does."""
    arguments = whole_hand(2)
    new = solver.solve(**arguments)
    used = solver.solve(**arguments)
    assert new[:2] == used[:2]
    assert used[3] < new[3]
    solver.clear()
    assert solver.solve(**arguments) == new


def test_stop_flag_set_before_ends_at_once(solver: Any) -> None:
    """A flag that is set already stops the search before its first node."""
    assert solver.solve(**whole_hand(4), stop=bytearray(b"\1")) == (1, 0, -1, 0)
    assert solver.solve_each(**whole_hand(4), stop=bytearray(b"\1")) == (1, [], 0)


def test_stop_flag_ends_a_search_from_another_thread(solver: Any) -> None:
    """The search leaves other threads running, and ends when one of them sets the flag; the solver is busy till then
    and free thereafter.
    """
    stop = bytearray(1)
    started = threading.Event()
    results: list[tuple[int, int, int, int]] = []

    def search() -> None:
        payoff = [7 * tricks % 5 for tricks in range(14)]
        arguments = whole_hand(4) | {"payoff": payoff, "max_nodes": 400_000_000, "stop": stop}
        started.set()
        while not results:
            with contextlib.suppress(RuntimeError):  # the other thread was asking just then
                results.append(solver.solve(**arguments))

    thread = threading.Thread(target=search)
    thread.start()
    started.wait()
    while True:
        try:
            solver.solve([0, 0], 0, payoff=[0], max_nodes=0)
        except RuntimeError:
            break
    stop[0] = 1
    thread.join()
    assert results[0][:3] == (1, 0, -1)
    stop.append(0)  # the solver has let go of the flag
    assert solver.solve([0, 0], 0)[0] == 0


def test_nothing_left_to_play(solver: Any) -> None:
    """Empty hands are worth what no trick is worth, and there is no card."""
    assert solver.solve([0, 0], 1, payoff=[-3]) == (0, -3, -1, 0)
    assert solver.solve([0, 0, 0, 0], 3) == (0, 0, -1, 0)
    assert solver.solve_each([0, 0], 0) == (0, [], 0)


def test_lowest_of_equivalent_cards_is_named(solver: Any) -> None:
    """Cards with none between them that is still held are one move: the lowest is the answer, each gets its value."""
    jack, ace, ten, deuce = (number(card) for card in ("JC", "AC", "TC", "2D"))
    hands = [1 << jack | 1 << ace, 1 << ten | 1 << deuce]
    assert solver.solve(hands, 0)[:3] == (0, 2, jack)
    assert solver.solve_each(hands, 0)[1] == [(jack, 2), (ace, 2)]


def test_payoffs_reach_to_both_ends_of_64_bits(solver: Any) -> None:
    """The least and the greatest 64-bit number are payoffs like any other; one more is refused."""
    least, greatest = -(1 << 63), (1 << 63) - 1
    for payoff in ([least, greatest, least], [greatest, least, greatest], [0, greatest, least]):
        assert solver.solve(HANDS, 0, payoff=payoff)[:2] == (0, payoff[0])
    with pytest.raises(OverflowError):
        solver.solve(HANDS, 0, payoff=[0, greatest + 1, 0])
    assert solver.solve(HANDS, 0)[:2] == (0, 0)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"hands": [1, 2, 4]}, "two hands or four"),
        ({"hands": []}, "two hands or four"),
        ({"leader": 2}, "leader"),
        ({"leader": -1}, "leader"),
        ({"hands": [1 << 52, 1]}, "52 bits"),
        ({"hands": [-1, 1]}, "52 bits"),
        ({"hands": [3, 6]}, "two hands"),
        ({"hands": [1, 6]}, "equal length"),
        ({"hands": [0x3FFF, 0x3FFF << 20]}, "at most 13"),
        ({"trick": [0, 1]}, "full"),
        ({"trick": [52]}, "0..51"),
        ({"trick": [-1]}, "0..51"),
        ({"trick": [39]}, "still in a hand"),
        ({"trick": [0]}, "equal length"),
        ({"payoff": [0, 1]}, "payoff"),
        ({"payoff": [0, 1, 2, 3]}, "payoff"),
        ({"stop": bytearray()}, "stop"),
    ],
)
def test_positions_that_make_no_sense_are_refused(solver: Any, changes: dict[str, Any], text: str) -> None:
    """What cannot be a position is a ValueError that says why, and the solver goes on working."""
    for ask in (solver.solve, solver.solve_each):
        with pytest.raises(ValueError, match=text):
            ask(**{"hands": HANDS, "leader": 0} | changes)
    assert solver.solve(HANDS, 0)[:2] == (0, 0)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("table_bits", [-1, 25])
def test_tables_have_a_size(name: str, table_bits: int) -> None:
    """A table size out of range is refused."""
    with pytest.raises(ValueError, match="table_bits"):
        load_kernel(name).Solver(table_bits)
