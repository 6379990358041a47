"""Where unseen cards may lie after a draft: a Metropolis chain over their places.

This file is one source for two modules. Imported as it stands it is the readable reference,
`spades_engine.search.chain`. Compiled with the C types of `_chain.pxd` it becomes `spades_engine.search._chain`, which
takes the same steps.

**Places.** Every turn of a draft puts two cards in two places: a card that was looked at and kept, with the next one
discarded unjudged; or a card that was looked at and passed, with the next one taken unjudged. Keep and pass are public,
so the number of cards in each place is known, and `weights[place * 52 + card]` says how well a card fits there.

A step proposes to exchange two cards and accepts by the ratio of the weights (N. Metropolis et al., J. Chem. Phys. 21,
1953), so that in the long run each arrangement comes as often as the product of its weights says.

Written so that both modules agree: no intermediate value is negative or passes 64 bits, nothing is divided.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ModuleNotFoundError:  # not compiled, and no Cython about: the one word of it used here means nothing then
    from contextlib import nullcontext
    from types import SimpleNamespace

    cython = SimpleNamespace(nogil=nullcontext())

PLACES = 5
_ONE = [1 << card for card in range(52)]
_LOW32 = 0xFFFFFFFF
_LOW51 = (1 << 51) - 1
_LOW47 = (1 << 47) - 1


class Chain:
    """An arrangement of cards that changes by steps. Raises ValueError where there is none.

    `cards` lists them; `sizes` has the number of cards of each place; `allowed[i]` is the set of places, as a mask, for
    the i-th card. `weights` are from 1 to 65535. The first arrangement is found card by card, those with the fewest
    choices first.
    """

    def __init__(
        self, cards: Sequence[int], sizes: Sequence[int], allowed: Sequence[int], weights: Sequence[int], seed: int
    ) -> None:
        self.count = len(cards)
        self.card = array("q", cards)
        self.allowed = array("q", allowed)
        self.weights = array("q", weights)
        self.place = array("q", [0] * len(cards))
        self.random = seed or 1
        room = list(sizes)
        if sum(room) != len(cards) or len(room) != PLACES or len(allowed) != len(cards) or len(weights) != 52 * PLACES:
            raise ValueError("sizes, cards, allowed and weights do not fit")
        for at in sorted(range(len(cards)), key=lambda at: allowed[at].bit_count()):
            choices = [place for place in range(PLACES) if allowed[at] >> place & 1 and room[place]]
            if not choices:
                raise ValueError("no arrangement agrees with what is known")
            # The place with the most room for its size keeps the others open.
            self.place[at] = max(choices, key=lambda place: room[place])
            room[self.place[at]] -= 1

    def run(self, steps: int) -> None:
        """Take so many steps."""
        with cython.nogil:
            self._run(steps)

    def _run(self, steps: int) -> int:
        x = self.random
        for step in range(steps):  # noqa: B007 - typed for C
            x ^= (x & _LOW51) << 13
            x ^= x >> 7
            x ^= (x & _LOW47) << 17
            i = (x >> 32) * self.count >> 32
            j = (x & _LOW32) * self.count >> 32
            a = self.place[i]
            b = self.place[j]
            if a == b or self.allowed[i] >> b & 1 == 0 or self.allowed[j] >> a & 1 == 0:
                continue
            new = self.weights[b * 52 + self.card[i]] * self.weights[a * 52 + self.card[j]]
            old = self.weights[a * 52 + self.card[i]] * self.weights[b * 52 + self.card[j]]
            if new < old:
                x ^= (x & _LOW51) << 13
                x ^= x >> 7
                x ^= (x & _LOW47) << 17
                if (x >> 32) * old >> 32 >= new:
                    continue
            self.place[i] = b
            self.place[j] = a
        self.random = x
        return 0

    def masks(self) -> list[int]:
        """The cards of each place."""
        found = [0] * PLACES
        for at in range(self.count):
            found[self.place[at]] |= _ONE[self.card[at]]
        return found
