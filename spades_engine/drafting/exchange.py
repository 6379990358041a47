"""The rule policy of the exchange after a blind nil: the caller throws danger, a partner gives back what cannot win."""

from __future__ import annotations

from spades_engine.bidding.hand_value import nil_danger


def dangerous_cards(hand: int, others: int, form: int, count: int) -> list[int]:
    """Up to `count` cards of the hand, each the one without which the rest is the safest nil."""
    found: list[int] = []
    rest = hand
    while rest and len(found) < count:
        best = -1
        least = 0
        left = rest
        while left:
            low = left & -left
            left ^= low
            danger = nil_danger(rest ^ low, others, form)
            if best < 0 or danger <= least:  # of equals the highest
                best = low.bit_length() - 1
                least = danger
        found.append(best)
        rest ^= 1 << best
    return found


def throws(hand: int, others: int, pool: int, form: int, most: int) -> int:
    """The cards, at most `most`, that a blind caller throws to take as many from the draft's discards at random.

    `pool` are the cards that may be drawn. A card goes if the average replacement leaves a safer nil.
    """
    thrown = 0
    rest = hand
    for card in dangerous_cards(hand, others, form, most):
        without = rest & ~(1 << card)
        now = nil_danger(rest, others, form)
        total = 0
        count = 0
        left = pool & ~rest
        while left:
            low = left & -left
            left ^= low
            total += min(nil_danger(without | low, others & ~low, form), 4000)
            count += 1
        if not count or total >= now * count:
            break
        thrown |= 1 << card
        rest = without
    return thrown


def gives_as_caller(hand: int, others: int, form: int, count: int) -> int:
    """The cards that a blind caller gives to its partner."""
    given = 0
    for card in dangerous_cards(hand, others, form, count):
        given |= 1 << card
    return given


def gives_as_partner(hand: int, count: int) -> int:
    """The cards that the partner gives back: the lowest of side suits, from the shorter suit among equals.

    Spades go last, and low ones first.
    """
    given = 0
    for _ in range(count):
        best = -1
        best_score = 0
        left = hand & ~given
        while left:
            low = left & -left
            left ^= low
            card = low.bit_length() - 1
            suit = card // 13
            length = (hand >> 13 * suit & 0x1FFF).bit_count()
            score = 20 * (card % 13) + length + (100 if suit == 3 else 0)
            if best < 0 or score < best_score:
                best = card
                best_score = score
        given |= 1 << best
    return given
