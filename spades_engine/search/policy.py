"""The rule policy for every decision of a hand, on a light position: what the seat to act does.

It reads the seat's own cards and what is public, nothing else, whether the table is one seat's view or a world.
"""

from __future__ import annotations

from spades_engine.bidding.choose import NIL_BID, choose_bid
from spades_engine.drafting.exchange import gives_as_caller, gives_as_partner, throws
from spades_engine.drafting.keep import keeps
from spades_engine.drafting.value import keeps_for_tricks
from spades_engine.search.table import Table
from spades_engine.search.terms import BLIND, CONTRACT, NIL


def others_cards(table: Table, seat: int) -> int:
    """The cards that may be in other hands, as far as the seat can tell from its own cards and those played."""
    return table.terms.deck & ~(table.hands[seat] | table.gone[seat] | table.played)


def policy_blind(table: Table, seat: int) -> bool:
    """Whether the seat calls a blind nil. Of two partners one does: a second nil leaves nobody to cover or give."""
    if table.terms.partners and table.kinds[(seat + 2) & 3] > CONTRACT:
        return False
    return table.blind_calls[seat & 1]


def policy_keep(table: Table, seat: int, card: int) -> bool:
    """Whether the seat keeps the card it has drawn."""
    if table.kinds[seat] == BLIND:
        return keeps(table.hands[seat], table.gone[seat], card, table.terms.deck, True)
    return keeps_for_tricks(table.hands[seat], table.gone[seat], card)


def policy_bid(table: Table, seat: int) -> tuple[int, int]:
    """The seat's bid: kind and tricks."""
    terms = table.terms
    kinds = table.kinds
    opponent_bid = None
    opponent_nil = partner_nil = partner_gives = False
    if terms.players == 2:
        other = 1 - seat
        if kinds[other] == CONTRACT:
            opponent_bid = table.bids[other]
        opponent_nil = kinds[other] > CONTRACT
    else:
        partner_nil = kinds[(seat + 2) & 3] > CONTRACT
        partner_gives = terms.swap_partner and kinds[(seat + 2) & 3] == BLIND
    bid = choose_bid(
        table.hands[seat],
        others_cards(table, seat),
        terms.form,
        bag_cost=terms.bag_cost,
        lowest=terms.lowest_contract,
        nil=terms.nil,
        opponent_bid=opponent_bid,
        opponent_nil=opponent_nil,
        partner_nil=partner_nil,
        partner_gives=partner_gives,
    )
    return (NIL, 0) if bid == NIL_BID else (CONTRACT, bid)


def policy_swap(table: Table, seat: int) -> int:
    """The cards the seat throws or gives."""
    terms = table.terms
    hand = table.hands[seat]
    others = others_cards(table, seat)
    if terms.swap_discards:
        return throws(hand, others, terms.deck & ~(hand | table.played), terms.form, terms.swap_count)
    if table.kinds[seat] == BLIND:
        return gives_as_caller(hand, others, terms.form, terms.swap_count)
    return gives_as_partner(hand, terms.swap_count)
