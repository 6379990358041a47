"""The rule policy against itself on light positions: for measuring it and for fitting its tables."""

from __future__ import annotations

from collections.abc import Sequence

from spades_engine.bidding.blind import calls_blind
from spades_engine.equity.model import Equity
from spades_engine.search.playout import skip_blind_bidders
from spades_engine.search.rng import Rng
from spades_engine.search.table import BIDDING, DRAFTING, Table
from spades_engine.search.terms import DRAFT, HAND_SIZE, Terms


def new_hand(
    terms: Terms,
    rng: Rng,
    first: int,
    equity: Equity | None = None,
    totals: tuple[int, int] = (0, 0),
    bags: tuple[int, int] = (0, 0),
    hands_played: int = 0,
) -> Table:
    """A full table at the start of a hand, shuffled; `first` is the index of the hand's first seat.

    Without an `equity` no seat calls blind nil.
    """
    rules = terms.rules
    table = Table(terms)
    deck = [card for card in range(52) if terms.deck >> card & 1]
    rng.shuffle(deck)
    table.salt = rng.next64() >> 8
    players = terms.players
    bidder = first if rules.first_bidder == "first" else (first + 1) % players
    table.bidder = bidder
    table.opener = bidder if rules.leader == "bidder" else (bidder + 1) % players
    if equity is not None and terms.blind is not None:
        table.blind_calls = [
            calls_blind(rules, equity, side, totals, bags, hands_played, terms.form, bidder) for side in rules.sides
        ]
        table.looked = [False] * players
    if terms.form == DRAFT:
        table.stage = DRAFTING
        table.turn = first
        table.stock = deck
        return table
    for seat in range(players):
        for card in deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]:
            table.hands[seat] |= 1 << card
    start_bidding(table)
    return table


def start_bidding(table: Table) -> None:
    """Go to the first bid; bids that are set already stand."""
    table.stage = BIDDING
    table.turn = table.bidder
    skip_blind_bidders(table)


def set_bids(table: Table, kinds: Sequence[int], bids: Sequence[int]) -> None:
    """Give every seat a bid instead of letting it choose."""
    table.kinds = list(kinds)
    table.bids = list(bids)
