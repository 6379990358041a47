"""How many tricks a hand is worth, as a sum over its cards: a card counts by its place in its suit and by how many of
the cards that others may hold are above it.

The tables never value a card less for having fewer cards above it, so a higher card in place of a lower one of its suit
never lowers the estimate.
"""

from __future__ import annotations

from spades_engine.bidding.tables import NIL_TABLES, TRICK_TABLES

MILLI = 1000
"""Estimates are in thousandths of a trick."""

SIDE_LENGTHS, SIDE_PLACES, SIDE_ABOVE = 8, 4, 6
"""A side suit's rows: lengths 0 to 7 or more, its four highest cards, 0 to 5 or more cards above."""
SPADE_LENGTHS, SPADE_PLACES, SPADE_ABOVE = 8, 5, 7
"""The same for spades."""

NIL_PLACES, NIL_BELOW = 4, 12
"""For a nil: the four lowest cards of a suit, 0 to 11 or more cards below."""
SURE_LOSER = 20 * MILLI
"""Added to the danger of a nil that holds a spade nobody can beat."""

SPADE_GROUP = (0, 0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5)
"""By the number of spades, the row for what short side suits are worth."""


def trick_estimate(hand: int, others: int, form: int) -> int:
    """The tricks a hand of 13 cards should win, in thousandths.

    `others` are the cards that somebody else may hold; `form` is one of `search.terms.DRAFT`, PARTNERS, DUEL.
    """
    spade_base, spade_rows, side_base, side_rows = TRICK_TABLES[form]
    ranks = hand >> 39
    count = ranks.bit_count()
    total = spade_base[count]
    bases = side_base[SPADE_GROUP[count]]
    others_in_suit = others >> 39
    place = 0
    rows = spade_rows[count if count < SPADE_LENGTHS else SPADE_LENGTHS - 1]
    while ranks and place < SPADE_PLACES:
        top = ranks.bit_length() - 1
        above = (others_in_suit >> top).bit_count()
        total += rows[place][above if above < SPADE_ABOVE else SPADE_ABOVE - 1]
        ranks ^= 1 << top
        place += 1
    for shift in (0, 13, 26):
        ranks = hand >> shift & 0x1FFF
        count = ranks.bit_count()
        if count >= SIDE_LENGTHS:
            count = SIDE_LENGTHS - 1
        total += bases[count]
        rows = side_rows[count]
        others_in_suit = others >> shift & 0x1FFF
        place = 0
        while ranks and place < SIDE_PLACES:
            top = ranks.bit_length() - 1
            above = (others_in_suit >> top).bit_count()
            total += rows[place][above if above < SIDE_ABOVE else SIDE_ABOVE - 1]
            ranks ^= 1 << top
            place += 1
    return total


def nil_danger(hand: int, others: int, form: int) -> int:
    """How dangerous a nil on this hand is: the log-odds of its failing, in thousandths, 0 for an even chance.

    A suit counts by its lowest cards, each by how many cards that others may hold are below it; a spade that nobody can
    beat by far too much.
    """
    base, side_base, side_rows, spade_base, spade_rows = NIL_TABLES[form]
    total = base
    for shift in (0, 13, 26):
        ranks = hand >> shift & 0x1FFF
        others_in_suit = others >> shift & 0x1FFF
        total += side_base[ranks.bit_count()]
        place = 0
        while ranks and place < NIL_PLACES:
            low = ranks & -ranks
            below = (others_in_suit & (low - 1)).bit_count()
            total += side_rows[place][below if below < NIL_BELOW else NIL_BELOW - 1]
            ranks ^= low
            place += 1
    ranks = hand >> 39
    if ranks:
        others_in_suit = others >> 39
        total += spade_base[ranks.bit_count()]
        place = 0
        while ranks and place < NIL_PLACES:
            low = ranks & -ranks
            below = (others_in_suit & (low - 1)).bit_count()
            total += spade_rows[place][below if below < NIL_BELOW else NIL_BELOW - 1]
            ranks ^= low
            place += 1
        if not others_in_suit >> ((hand >> 39).bit_length() - 1):
            total += SURE_LOSER
    return total
