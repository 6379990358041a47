"""Fair dealing checked: what a seed decides, re-dealt independently of any engine (SPEC.md, section 20)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

RANKS = "23456789TJQKA"
SUITS = "CDHS"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in card order."""

FOUR_SEATS = ("N", "E", "S", "W")
TWO_SEATS = ("S", "N")


def commitment(seed: str) -> str:
    """Return the `commit` that a table shows before the first card of a game with this seed."""
    return hashlib.sha256(f"USP1:commit:{seed}".encode("ascii")).hexdigest()


class Stream:
    """A named stream of chance: 32-bit numbers out of SHA-256 digests."""

    def __init__(self, seed: str, name: str) -> None:
        self._prefix = f"USP1:{seed}:{name}:"
        self._numbers = self._read()

    def below(self, count: int) -> int:
        """Draw a number from 0 to `count` - 1, all equally likely."""
        limit = 2**32 - 2**32 % count
        return next(number for number in self._numbers if number < limit) % count

    def _read(self) -> Iterator[int]:
        block = 0
        while True:
            digest = hashlib.sha256(f"{self._prefix}{block}".encode("ascii")).digest()
            for start in range(0, len(digest), 4):
                yield int.from_bytes(digest[start : start + 4], "big")
            block += 1


def first_seat(seed: str, seats: Sequence[str]) -> str:
    """Return the first seat of the first hand; `seats` in the order S, N or N, E, S, W."""
    return seats[Stream(seed, "first").below(len(seats))]


def shuffled(seed: str, hand: int, deck: Iterable[str] = DECK) -> list[str]:
    """Return the deck of hand number `hand`, top card first; `deck` gives its cards in card order."""
    cards = list(deck)
    stream = Stream(seed, f"deal.{hand}")
    for last in range(len(cards) - 1, 0, -1):
        other = stream.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def dealt(cards: Sequence[str], first: str, seats: Sequence[str]) -> dict[str, list[str]]:
    """Deal a shuffled deck one by one, thirteen to each seat; `seats` in clockwise order. Hands are in card order."""
    start = seats.index(first)
    hands: dict[str, list[str]] = {seat: [] for seat in seats}
    for turn, card in enumerate(cards[: 13 * len(seats)]):
        hands[seats[(start + turn) % len(seats)]].append(card)
    return {seat: sorted(hand, key=DECK.index) for seat, hand in hands.items()}


def taken(seed: str, hand: int, seat: str, pool: Iterable[str], count: int) -> list[str]:
    """Return what a blind caller draws from the discards of the draft, in the order it is drawn."""
    rest = sorted(pool, key=DECK.index)
    stream = Stream(seed, f"swap.{hand}.{seat}")
    return [rest.pop(stream.below(len(rest))) for _ in range(count)]


def faults_of_deal(record: Iterable[str], seed: str, seats: Sequence[str], removed: Iterable[str] = ()) -> list[str]:
    """Deal a whole game again and return what differs from its record; nothing differs in a fair game.

    `record` holds the record lines of section 9 with every card shown; lines it does not know are passed over. A hand
    that was cut short is checked as far as it goes.
    """
    gone = frozenset(removed)
    deck = [card for card in DECK if card not in gone]
    faults: list[str] = []
    hand = _HandCheck(seed, 0, seats[0], seats, deck)
    for line in record:
        words = line.split()
        if words[:1] == ["deal"]:
            first = next((word[6:] for word in words if word.startswith("first=")), seats[0])
            hand = _HandCheck(seed, int(words[1]), first, seats, deck)
        faults += [f"hand {hand.number}: {fault}" for fault in hand.check(words)]
    return faults


class _HandCheck:
    """The cards of one hand as the seed gives them, compared line by line with a record."""

    def __init__(self, seed: str, number: int, first: str, seats: Sequence[str], deck: Sequence[str]) -> None:
        self.number = number
        self._seed = seed
        self._first = first
        self._seats = seats
        self._stock = shuffled(seed, number, deck) if number else []
        self._next = 0
        self._drawn = ""
        self._pool: set[str] = set()

    def check(self, words: list[str]) -> Iterator[str]:
        """Yield what is wrong with one record line, given as its words."""
        match words:
            case ["deal", _, *pairs]:
                for pair in pairs:
                    key, _, value = pair.partition("=")
                    if key.startswith("hand."):
                        yield from self._compare_hand(key[5:], value)
            case ["look", seat, cards]:
                yield from self._compare_hand(seat, cards)
            case ["draft", _, "draw", card]:
                self._drawn = card
                yield from self._compare_stock(card)
            case ["draft", _, ("keep" | "pass") as choice, card]:
                self._pool.add(card if choice == "keep" else self._drawn)
                yield from self._compare_stock(card)
            case ["swap", seat, thrown, got] if got != "none":
                due = taken(self._seed, self.number, seat, self._pool, len(thrown.split(",")))
                self._pool -= set(due)
                if set(got.split(",")) != set(due):
                    yield f"{seat} took {got} from the discards, the seed gives {','.join(due)}"

    def _compare_hand(self, seat: str, cards: str) -> Iterator[str]:
        due = dealt(self._stock, self._first, self._seats).get(seat, [])
        if set(cards.split(",")) != set(due):
            yield f"{seat} was dealt {cards}, the seed gives {','.join(due)}"

    def _compare_stock(self, card: str) -> Iterator[str]:
        due = self._stock[self._next] if self._next < len(self._stock) else "none"
        self._next += 1
        if card != due:
            yield f"card {self._next} of the stock was {card}, the seed gives {due}"
