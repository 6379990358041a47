"""The rule policy of the draft: keep the drawn card if it is worth more to this hand than the next card will be."""

from __future__ import annotations

from functools import lru_cache

# What a card adds to the tricks of a finished hand, in thousandths, deuce to ace (fitted on the policy's own drafts;
# only differences matter).
_SIDE_WORTH = (-200, -190, -170, -160, -145, -140, -135, -110, -95, -30, 150, 480, 700)
_SPADE_WORTH = (520, 520, 525, 535, 575, 605, 625, 655, 775, 1020, 1330, 1500, 1560)

# What the n-th further card of a side suit changes in a finished hand: voids and long suits are worth something.
_LENGTH_WORTH = (-540, -156, -10, -16, -137, -200, -250, -250, -250, -250, -250, -250, -250)
_FULL = 13 * 13

# How much a card hurts a nil, deuce to ace, and what each card already held in its suit changes.
_SIDE_DANGER = (0, 10, 30, 70, 130, 210, 300, 400, 500, 600, 700, 790, 870)
_SPADE_DANGER = (350, 400, 460, 540, 640, 760, 900, 1050, 1250, 1500, 1900, 2600, 9000)
_LENGTH_DANGER = (120, 60, 0, -20, -20, 0, 20, 40, 60, 80, 100, 120, 140)


_LOW_RANKS = 7


@lru_cache(maxsize=4)
def _sums(worth: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For every set of the seven low ranks, and of the six high ones, the sum of their worths."""
    return _sums_of(worth[:_LOW_RANKS]), _sums_of(worth[_LOW_RANKS:])


def _sums_of(worth: tuple[int, ...]) -> tuple[int, ...]:
    sums = [0]
    for value in worth:
        sums += [value + total for total in sums]
    return tuple(sums)


def keep_margin(hand: int, out: int, card: int, deck: int, low: bool) -> int:
    """By how much keeping `card` beats passing it, in thousandths of a trick (or of danger, with `low`).

    `out` are the cards the seat knows to be in nobody's hand; `low` means to collect losers for a nil.
    """
    side, spade, length = (
        (_SIDE_DANGER, _SPADE_DANGER, _LENGTH_DANGER) if low else (_SIDE_WORTH, _SPADE_WORTH, _LENGTH_WORTH)
    )
    low_sums, high_sums = _sums(side)
    low_spades, high_spades = _sums(spade)
    unseen = deck & ~(hand | out | 1 << card)
    ranks = unseen >> 39
    total = low_spades[ranks & 0x7F] + high_spades[ranks >> 7]
    count = unseen.bit_count()
    held = hand.bit_count()
    firm = held * held  # a suit that is short now need not stay so
    value = spade[card - 39] if card >= 39 else side[card % 13]
    for suit in range(3):
        ranks = unseen >> 13 * suit & 0x1FFF
        extra = length[(hand >> 13 * suit & 0x1FFF).bit_count()] * firm // _FULL
        total += low_sums[ranks & 0x7F] + high_sums[ranks >> 7] + extra * ranks.bit_count()
        if card // 13 == suit:
            value += extra
    mean = total // count if count else 0
    return mean - value if low else value - mean


def keeps(hand: int, out: int, card: int, deck: int, low: bool) -> bool:
    """Whether the policy keeps the drawn card; arguments as for `keep_margin`."""
    return keep_margin(hand, out, card, deck, low) >= 0
