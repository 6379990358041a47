"""Counts where cards come to lie over many deals and says how likely such counts are with fair shuffles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import erfc, sqrt

CARDS = 52

Shuffler = Callable[[str, int], Sequence[int]]
"""From a seed and the number of a hand to the 52 cards as numbers 0 to 51, top first."""


@dataclass
class Counts:
    """What a number of deals added up to.

    `places[52 * card + position]` counts a card at a position, `tops[52 * first + second]` the two top cards,
    `ends[52 * first + last]` the top and the bottom card.
    """

    deals: int = 0
    places: list[int] = field(default_factory=lambda: [0] * CARDS**2)
    tops: list[int] = field(default_factory=lambda: [0] * CARDS**2)
    ends: list[int] = field(default_factory=lambda: [0] * CARDS**2)

    def add(self, deck: Sequence[int]) -> None:
        """Count one deck."""
        self.deals += 1
        places = self.places
        for position, card in enumerate(deck):
            places[CARDS * card + position] += 1
        self.tops[CARDS * deck[0] + deck[1]] += 1
        self.ends[CARDS * deck[0] + deck[-1]] += 1

    def add_counts(self, other: "Counts") -> None:
        """Count what another has counted."""
        self.deals += other.deals
        for mine, more in ((self.places, other.places), (self.tops, other.tops), (self.ends, other.ends)):
            for i, n in enumerate(more):
                mine[i] += n


@dataclass
class Fit:
    """A chi-square statistic, its degrees of freedom and the probability that chance alone makes it as large."""

    name: str
    statistic: float
    freedom: int

    @property
    def p_value(self) -> float:
        """By the approximation of Wilson and Hilferty (1931), good to a few digits at the freedoms used here."""
        return erfc(self._deviation / sqrt(2)) / 2

    @property
    def p_too_good(self) -> float:
        """The probability that chance alone makes it as small: dealing can also be more even than chance."""
        return erfc(-self._deviation / sqrt(2)) / 2

    @property
    def _deviation(self) -> float:
        spread = 2 / (9 * self.freedom)
        return float(((self.statistic / self.freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))

    def __str__(self) -> str:
        freedom = f"{self.freedom} degrees of freedom"
        return f"{self.name}: chi-square {self.statistic:.1f}, {freedom}, p = {self.p_value:.4g}"


def chi_square(counts: Sequence[int], expected: float) -> float:
    """The sum of (count - expected)^2 / expected."""
    return sum((count - expected) ** 2 for count in counts) / expected


def fits(counts: Counts) -> list[Fit]:
    """The tests: card against position, the first card alone, the first two together, the first and the last together.

    In every deal each card has one position and each position one card, so the 52 x 52 counts vary only in 51 x 51
    directions, and a little more in each than independent counts would: the covariance of a random permutation
    matrix is 1 / 51 there, against 1 / 52. The plain sum is therefore 52/51 times a chi-square and is scaled back.
    """
    firsts = [sum(counts.tops[CARDS * card : CARDS * (card + 1)]) for card in range(CARDS)]
    pairs = [i for i in range(CARDS**2) if i // CARDS != i % CARDS]
    even = counts.deals / CARDS
    even_pairs = counts.deals / len(pairs)
    return [
        Fit("card x position", chi_square(counts.places, even) * (CARDS - 1) / CARDS, (CARDS - 1) ** 2),
        Fit("first card", chi_square(firsts, even), CARDS - 1),
        Fit("first two cards", chi_square([counts.tops[i] for i in pairs], even_pairs), len(pairs) - 1),
        Fit("first and last card", chi_square([counts.ends[i] for i in pairs], even_pairs), len(pairs) - 1),
    ]


def count_deals(shuffle: Shuffler, seed: str, first_hand: int, deals: int) -> Counts:
    """Count `deals` hands of one seed, from hand number `first_hand` on."""
    counts = Counts()
    for number in range(first_hand, first_hand + deals):
        counts.add(shuffle(seed, number))
    return counts
