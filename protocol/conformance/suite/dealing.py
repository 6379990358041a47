"""Section 20 of SPEC.md once more: what chance decides, from the seed alone."""

from __future__ import annotations

import hashlib

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ALL_CARDS = [rank + suit for suit in SUITS for rank in RANKS]  # card order


class Stream:
    """A named stream of 32-bit numbers."""

    def __init__(self, seed: str, name: str) -> None:
        self._prefix = f"USP1:{seed}:{name}:"
        self._used = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, every one as likely."""
        while True:
            block, place = divmod(self._used, 8)
            self._used += 1
            digest = hashlib.sha256(f"{self._prefix}{block}".encode("ascii")).digest()
            number = int.from_bytes(digest[4 * place : 4 * place + 4], "big")
            if number < 2**32 - 2**32 % n:
                return number % n


def deck_cards(rules: str) -> list[str]:
    """The cards of a preset's deck in card order."""
    return [card for card in ALL_CARDS if rules != "duel" or card not in ("2C", "2D")]


def shuffle(seed: str, hand: int, rules: str) -> list[str]:
    """The deck of a hand, top card first."""
    deck = deck_cards(rules)
    stream = Stream(seed, f"deal.{hand}")
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def seats_of(rules: str) -> list[str]:
    """The seats of a preset in the order of the protocol."""
    return ["N", "E", "S", "W"] if rules == "partners" else ["S", "N"]


def first_seat(seed: str, rules: str) -> str:
    """The first seat of the first hand."""
    seats = seats_of(rules)
    return seats[Stream(seed, "first").below(len(seats))]


def hands_of(deck: list[str], rules: str, first: str) -> dict[str, list[str]]:
    """What each seat of a dealt game gets, in card order."""
    seats = seats_of(rules)
    start = seats.index(first)
    order = seats[start:] + seats[:start]
    return {
        seat: sorted(deck[place : 13 * len(seats) : len(seats)], key=ALL_CARDS.index)
        for place, seat in enumerate(order)
    }


def draw_from_discards(seed: str, hand: int, seat: str, pool: list[str], count: int) -> list[str]:
    """The cards drawn in an exchange with the discards; the pool loses them."""
    stream = Stream(seed, f"swap.{hand}.{seat}")
    pool.sort(key=ALL_CARDS.index)
    return [pool.pop(stream.below(len(pool))) for _ in range(count)]


def commitment(seed: str) -> str:
    """What `commit=` shows."""
    return hashlib.sha256(f"USP1:commit:{seed}".encode("ascii")).hexdigest()
