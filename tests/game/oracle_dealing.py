"""The seeded dealing once more, for the oracle: written from SPEC.md's text on fair dealing, with hashlib alone.

Like the oracle it shares no code with the engine and stays naive: a word of a stream is found by its number, from the
text that is hashed, every time anew.
"""

import hashlib


class Stream:
    """One named stream of 32-bit words: SHA-256 of "USP1:seed:name:0", "USP1:seed:name:1", … one after the other."""

    def __init__(self, seed: str, name: str) -> None:
        self.seed = seed
        self.name = name
        self.used = 0

    def word(self) -> int:
        """The next word, big-endian."""
        block, place = divmod(self.used, 8)
        text = "USP1:" + self.seed + ":" + self.name + ":" + str(block)
        digits = hashlib.sha256(text.encode("ascii")).hexdigest()
        self.used += 1
        return int(digits[8 * place : 8 * place + 8], 16)

    def below(self, n: int) -> int:
        """A number 0..n-1, every one as likely: words at or above the greatest multiple of n are skipped."""
        while True:
            word = self.word()
            if word < 2**32 - 2**32 % n:
                return word % n


def shuffled(cards: list[str], stream: Stream) -> list[str]:
    """The cards in the order of the shuffle; index 0 is the top."""
    deck = list(cards)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def commitment(seed: str) -> str:
    """What a dealer publishes before it deals."""
    return hashlib.sha256(("USP1:commit:" + seed).encode("ascii")).hexdigest()
