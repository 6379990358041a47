"""The rules of a trick: which cards a hand may play, and which card wins."""

from __future__ import annotations

from spades_engine.game.cards import PLAIN_MASK, SUIT_MASK, Card, CardSet
from spades_engine.game.ruleset import RuleSet
from spades_engine.game.seats import Seat

Trick = tuple[tuple[Seat, Card], ...]
"""The cards on the table in the order played, each with its seat."""

_LOWEST_SPADE = 39
_SUIT_SIZE = 13


def legal_from(rules: RuleSet, hand: int, led: Card | None, broken: bool, trick_number: int) -> CardSet:
    """The cards of `hand` that may be played.

    `led` is the first card of the trick on the table, None for the leader; `trick_number` counts completed tricks.
    """
    if led is None:
        if not broken and rules.lead_spades == "broken":
            return CardSet(hand & PLAIN_MASK or hand)
    else:
        follow = hand & SUIT_MASK[led // _SUIT_SIZE]
        if follow:
            return CardSet(follow)
        if trick_number == 0 and not rules.first_trick_ruff:
            return CardSet(hand & PLAIN_MASK or hand)
    return CardSet(hand)


def winner_of(trick: Trick) -> Seat:
    """Who won a completed trick: the highest spade or, without one, the highest card of the suit led."""
    winner, best = trick[0]
    suit = best // _SUIT_SIZE
    for seat, card in trick[1:]:
        # A spade beats every plain card because spades come last in card order.
        if card > best and (card >= _LOWEST_SPADE or card // _SUIT_SIZE == suit):
            winner, best = seat, card
    return winner


def voids_shown(rules: RuleSet, card: Card, led: Card | None, broken: bool, trick_number: int) -> int:
    """The cards that a seat shows not to hold by playing `card`, as a set of whole suits.

    `broken` is as it was before the card. Not following shows the suit led; a spade that only a hand of spades could
    play shows all three plain suits.
    """
    if led is None:
        forced = not broken and rules.lead_spades == "broken"
        return PLAIN_MASK if forced and card >= _LOWEST_SPADE else 0
    suit = led // _SUIT_SIZE
    if card // _SUIT_SIZE == suit:
        return 0
    if card >= _LOWEST_SPADE and trick_number == 0 and not rules.first_trick_ruff:
        return PLAIN_MASK
    return SUIT_MASK[suit]


def is_spade(card: int) -> bool:
    """Whether the card is a trump."""
    return card >= _LOWEST_SPADE
