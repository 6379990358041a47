"""The search's own random numbers: splitmix64, in plain integers, the same on every machine and version of Python."""

from __future__ import annotations

_MASK = 0xFFFFFFFFFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """A 64-bit number scrambled."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
    return value ^ value >> 31


class Rng:
    """A stream of random numbers from a seed of any length."""

    __slots__ = ("_state",)

    def __init__(self, seed: bytes | int) -> None:
        state = 0
        if isinstance(seed, int):
            while True:
                state = mix(state ^ seed & _MASK) + _GAMMA & _MASK
                seed >>= 64
                if seed in (0, -1):
                    break
        else:
            for at in range(0, len(seed), 8):
                state = mix(state ^ int.from_bytes(seed[at : at + 8], "big")) + _GAMMA & _MASK
            state = mix(state ^ len(seed))
        self._state = state

    def next64(self) -> int:
        """A number of 64 bits."""
        self._state = state = self._state + _GAMMA & _MASK
        value = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
        return value ^ value >> 31

    def below(self, n: int) -> int:
        """A number 0..n-1, for n far below 2**32."""
        return (self.next64() >> 32) * n >> 32

    def shuffle(self, items: list[int]) -> None:
        """Put a list into random order."""
        for i in range(len(items) - 1, 0, -1):
            j = (self.next64() >> 32) * (i + 1) >> 32
            items[i], items[j] = items[j], items[i]

    def big_below(self, n: int) -> int:
        """A number 0..n-1 for n of any size."""
        words = (n.bit_length() + 63) // 64 + 1
        value = 0
        for _ in range(words):
            value = value << 64 | self.next64()
        return value * n >> 64 * words
