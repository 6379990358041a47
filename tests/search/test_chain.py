"""The chain over the places of unseen cards: both twins, and what it comes to in the long run."""

from __future__ import annotations

from itertools import permutations
from random import Random
from types import ModuleType

import pytest

from spades_engine.search import _chain, chain

ALL = 0b11111


@pytest.mark.parametrize("seed", range(20))
def test_twins_take_the_same_steps(seed: int) -> None:
    """From one seed the compiled chain and the plain one have the same arrangement after any number of steps."""
    rng = Random(seed)
    cards = rng.sample(range(52), rng.randint(2, 39))
    cuts = sorted(rng.randint(0, len(cards)) for _ in range(4))
    sizes = [high - low for low, high in zip([0, *cuts], [*cuts, len(cards)], strict=True)]
    weights = [rng.randint(1, 65535) for _ in range(260)]
    pair = [module.Chain(cards, sizes, [ALL] * len(cards), weights, 77 + seed) for module in (chain, _chain)]
    for steps in (0, 1, 10, 500):
        for each in pair:
            each.run(steps)
        assert pair[0].masks() == pair[1].masks()
        assert [mask.bit_count() for mask in pair[0].masks()] == sizes


@pytest.mark.parametrize("module", [chain, _chain])
def test_arrangements_come_as_often_as_their_weights_say(module: ModuleType) -> None:
    """Over many worlds each arrangement's share is its weight's, by counting them all."""
    rng = Random(5)
    cards, places = [3, 17, 30, 51], [0, 2, 2, 3]
    allowed = [ALL, ALL, 0b11100, ALL]
    weights = [rng.randint(20, 100) for _ in range(260)]
    exact: dict[tuple[int, ...], float] = {}
    for order in set(permutations(places)):
        if all(allowed[at] >> place & 1 for at, place in enumerate(order)):
            weight = 1.0
            for card, place in zip(cards, order, strict=True):
                weight *= weights[place * 52 + card]
            exact[order] = weight
    total = sum(exact.values())
    walk = module.Chain(cards, [1, 0, 2, 1, 0], allowed, weights, 9)
    seen = dict.fromkeys(exact, 0)
    draws = 6000
    for _ in range(draws):
        walk.run(25)
        masks = walk.masks()
        seen[tuple(next(place for place in range(5) if masks[place] >> card & 1) for card in cards)] += 1
    square = sum((seen[order] - draws * exact[order] / total) ** 2 / (draws * exact[order] / total) for order in exact)
    assert square < 30  # 8 degrees of freedom: one in five thousand


def test_what_cannot_be_is_refused() -> None:
    """Sizes that do not add up, and cards without a place, raise ValueError."""
    for module in (chain, _chain):
        with pytest.raises(ValueError, match="do not fit"):
            module.Chain([1, 2], [1, 0, 0, 0, 0], [ALL, ALL], [1] * 260, 1)
        with pytest.raises(ValueError, match="no arrangement"):
            module.Chain([1, 2], [1, 1, 0, 0, 0], [0b00001, 0b00001], [1] * 260, 1)
