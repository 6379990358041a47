"""Random positions for the kernel's tests, in the kernel's integers and in the words of `brute`."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from spades_engine.search.kernel import Solver
from tests.search.brute import RANKS, SUITS, Brute


def name(card: int) -> str:
    """Return the name of a card, such as "AS" for 51."""
    return RANKS[card % 13] + SUITS[card // 13]


def number(card: str) -> int:
    """Return the int of a card's name."""
    return SUITS.index(card[1]) * 13 + RANKS.index(card[0])


def names(hand: int) -> frozenset[str]:
    """Return the names of the cards in a mask."""
    return frozenset(name(card) for card in range(52) if hand >> card & 1)


@dataclass(frozen=True)
class Position:
    """A position and what is asked about it, as `Solver.solve` takes it."""

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    payoff: tuple[int, ...]
    broken: bool
    anytime: bool
    no_first_ruff: bool

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments for the kernel."""
        return vars(self)

    def mover(self) -> int:
        """Return the seat to move."""
        return (self.leader + len(self.trick)) % len(self.hands)

    def after(self, card: int) -> "Position":
        """Return the position once `card` has been played, which must not fill the trick."""
        seat = self.mover()
        hands = tuple(hand ^ 1 << card if at == seat else hand for at, hand in enumerate(self.hands))
        return replace(self, hands=hands, trick=(*self.trick, card))

    def brute_value(self, brute: Brute) -> int:
        """Return the value by brute force."""
        return brute.value(*self._words(), self.no_first_ruff)

    def brute_values(self, brute: Brute) -> dict[int, int]:
        """Return, for every legal card, its value by brute force."""
        hands, leader, trick, broken = self._words()
        if not hands[self.mover()]:
            return {}
        legal = brute.legal(hands[self.mover()], trick, broken, self.no_first_ruff)
        return {number(card): brute.after(hands, leader, trick, broken, self.no_first_ruff, 0, card) for card in legal}

    def brute(self) -> Brute:
        """Return a brute force for the rules and the payoff of this position."""
        return Brute(len(self.hands), self.payoff, self.anytime)

    def _words(self) -> tuple[tuple[frozenset[str], ...], int, tuple[str, ...], bool]:
        trick = tuple(name(card) for card in self.trick)
        return tuple(names(hand) for hand in self.hands), self.leader, trick, self.broken or "S" in "".join(trick)


def random_payoff(rng: Random, tricks: int) -> tuple[int, ...]:
    """Return one of: trick count, a contract with bags, a nil, anything with many equal values, anything at all."""
    kind = rng.randrange(5)
    if kind == 0:
        return tuple(range(tricks + 1))
    if kind == 1:
        bid = rng.randint(0, tricks)
        return tuple(10 * bid + (t - bid) * rng.choice((1, -9)) if t >= bid else -10 * bid for t in range(tricks + 1))
    if kind == 2:
        return tuple(rng.choice((-1, 1)) * t if t else 100 for t in range(tricks + 1))
    if kind == 3:
        return tuple(rng.randint(-1, 1) for _ in range(tricks + 1))
    return tuple(rng.randint(-1000, 1000) for _ in range(tricks + 1))


def random_position(rng: Random, seats: int, tricks: int, played: int | None = None) -> Position:
    """Return a position with `tricks` tricks to play, the present one included, and any flags.

    `played` cards have been played to the present trick, any number that leaves it unfinished if it is None.
    """
    suits = rng.sample(range(4), rng.choice((1, 2, 3, 4, 4, 4))) if seats * tricks <= 13 else range(4)
    deck = [13 * suit + rank for suit in suits for rank in range(13)]
    if seats * tricks <= len(deck) - 13:
        deck = deck[rng.randrange(13) :]
    cards = rng.sample(deck, seats * tricks)
    hands = [sum(1 << card for card in cards[seat::seats]) for seat in range(seats)]
    leader = rng.randrange(seats)
    rules = Brute(seats, (), anytime=rng.random() < 0.2)
    broken = rng.random() < 0.4
    no_first_ruff = rng.random() < 0.3
    trick: list[str] = []
    if played is None:
        played = rng.randrange(seats) if tricks else 0
    for turn in range(played):
        seat = (leader + turn) % seats
        card = rng.choice(sorted(rules.legal(names(hands[seat]), trick, broken, no_first_ruff)))
        hands[seat] ^= 1 << number(card)
        trick.append(card)
    payoff = random_payoff(rng, tricks)
    cards_played = tuple(number(card) for card in trick)
    return Position(tuple(hands), leader, cards_played, payoff, broken, rules.anytime, no_first_ruff)


def check_position(position: Position, solvers: Iterable[Solver]) -> None:
    """Hold every solver's answers about a position against brute force."""
    brute = position.brute()
    value = position.brute_value(brute)
    values = sorted(position.brute_values(brute).items())
    for solver in solvers:
        status, found, card, _ = solver.solve(**position.arguments())
        assert (status, found) == (0, value), position
        assert (card, value) in values if values else card == -1, position
        status, each, _ = solver.solve_each(**position.arguments())
        assert (status, each) == (0, values), position
