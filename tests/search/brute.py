"""Play of the cards by trying everything, written as plainly as can be: the kernel is held against it.

It shares no code and no form with the kernel. A card is a string such as "AS", a hand a set of them, a trick a list;
every legal card is tried at every turn, and nothing is cut off.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

RANKS = "23456789TJQKA"
SUITS = "CDHS"


@dataclass
class Brute:
    """Values of positions for one payoff and one set of rules.

    `payoff[t]` is what seat 0 (of two) or seats 0 and 2 (of four) get for t tricks taken from the start on.
    """

    seats: int
    payoff: Sequence[int]
    anytime: bool = False
    known: dict[object, int] = field(default_factory=dict)

    def legal(self, hand: Iterable[str], trick: Sequence[str], broken: bool, no_ruff: bool) -> set[str]:
        """Return the cards of `hand` that may be played to `trick`."""
        hand = set(hand)
        plain = {card for card in hand if card[1] != "S"}
        if not trick:
            return plain if plain and not broken and not self.anytime else hand
        follow = {card for card in hand if card[1] == trick[0][1]}
        if follow:
            return follow
        return plain if plain and no_ruff else hand

    def winner(self, trick: Sequence[str]) -> int:
        """Return which card of a full trick wins, counted from the lead."""
        spades = [card for card in trick if card[1] == "S"]
        contenders = spades or [card for card in trick if card[1] == trick[0][1]]
        return trick.index(max(contenders, key=lambda card: RANKS.index(card[0])))

    def value(
        self,
        hands: Sequence[frozenset[str]],
        leader: int,
        trick: tuple[str, ...] = (),
        broken: bool = False,
        no_ruff: bool = False,
        taken: int = 0,
    ) -> int:
        """Return what seat 0's side gets with best play by everybody, having taken `taken` tricks already.

        `trick` is what has been played to the present trick from `leader` on; `no_ruff` holds for this trick only.
        """
        if not trick and not any(hands):
            return self.payoff[taken]
        key = (tuple(hands), leader, trick, broken, no_ruff, taken)
        if key not in self.known:
            seat = (leader + len(trick)) % self.seats
            results = [
                self.after(hands, leader, trick, broken, no_ruff, taken, card)
                for card in self.legal(hands[seat], trick, broken, no_ruff)
            ]
            self.known[key] = max(results) if seat % 2 == 0 else min(results)
        return self.known[key]

    def after(
        self,
        hands: Sequence[frozenset[str]],
        leader: int,
        trick: tuple[str, ...],
        broken: bool,
        no_ruff: bool,
        taken: int,
        card: str,
    ) -> int:
        """Return the value once the seat to move has played `card`."""
        seat = (leader + len(trick)) % self.seats
        hands = [hand - {card} if at == seat else hand for at, hand in enumerate(hands)]
        trick = (*trick, card)
        broken = broken or card[1] == "S"
        if len(trick) < self.seats:
            return self.value(hands, leader, trick, broken, no_ruff, taken)
        winner = (leader + self.winner(trick)) % self.seats
        return self.value(hands, winner, (), broken, False, taken + (winner % 2 == 0))
