"""Playing a world out: every decision still to come in the hand, made by the rule policy."""

from __future__ import annotations

from spades_engine.search.card_play import choose_card
from spades_engine.search.policy import policy_bid, policy_blind, policy_keep, policy_swap
from spades_engine.search.rng import mix
from spades_engine.search.table import BIDDING, DONE, DRAFTING, PLAYING, SWAPPING, Table
from spades_engine.search.terms import BLIND, HAND_SIZE, NO_BID


def play_out(table: Table) -> None:
    """Bring a world to the end of its hand. Changes the table; `table.nodes` grows by the decisions made."""
    while table.stage != PLAYING:
        if table.stage == DRAFTING:
            draft_turn(table)
        elif table.stage == SWAPPING:
            make_swap(table, policy_swap(table, table.turn))
        elif table.stage == BIDDING:
            bid_turn(table)
        else:
            return
    while table.stage != DONE:
        table.play(choose_card(table, table.turn))


def most_nodes(table: Table) -> int:
    """A bound on the decisions a playout of this table makes."""
    nodes = sum(hand.bit_count() for hand in table.hands)
    if table.stage == DRAFTING:
        nodes = 2 * HAND_SIZE + len(table.stock) // 2
    if table.stage != PLAYING:
        nodes += 4 * table.terms.players
    return nodes


def draft_turn(table: Table) -> None:
    """The seat to draw answers the question about a blind nil, if it has not been asked, and takes its turn."""
    seat = table.turn
    if not table.looked[seat]:
        answer_blind(table, policy_blind(table, seat))
    make_choice(table, policy_keep(table, seat, table.stock[-1]))


def answer_blind(table: Table, call: bool) -> None:
    """The seat to act calls blind nil, or looks."""
    table.nodes += 1
    table.looked[table.turn] = True
    if call:
        table.kinds[table.turn] = BLIND
        table.bids[table.turn] = 0
        if table.stage == BIDDING:
            next_bidder(table)


def make_choice(table: Table, keep: bool) -> None:
    """The seat to act keeps the top card of the stock or passes it; the next card goes the other way."""
    seat = table.turn
    table.nodes += 1
    kept = table.stock.pop()
    gone = table.stock.pop()
    if not keep:
        kept, gone = gone, kept
    table.hands[seat] |= 1 << kept
    table.pool |= 1 << gone
    if not (keep and table.terms.unseen_discard):
        table.gone[seat] |= 1 << gone
    table.turn = 1 - seat
    if not table.stock:
        bidder = table.bidder
        table.swaps = []
        if table.terms.swap_discards:
            table.swaps = [(caller, -1) for caller in (bidder, 1 - bidder) if table.kinds[caller] == BLIND]
        next_swap(table)


def next_swap(table: Table) -> None:
    """Go on to the exchange that is due next, or to what follows the exchanges."""
    if table.swaps:
        table.stage = SWAPPING
        table.turn = table.swaps[0][0]
    elif table.terms.form == 0:
        table.stage = BIDDING
        table.turn = table.bidder
        skip_blind_bidders(table)
    else:
        start_play(table)


def make_swap(table: Table, cards: int) -> None:
    """The exchange that is due: `cards` are thrown to take as many of the discards, or given to the partner."""
    table.nodes += 1
    seat, receiver = table.swaps.pop(0)
    table.hands[seat] &= ~cards
    if receiver >= 0:
        table.hands[receiver] |= cards
    else:
        table.gone[seat] |= cards
        pool = [card for card in range(52) if table.pool >> card & 1]
        taken = 0
        for n in range(cards.bit_count()):
            taken |= 1 << pool.pop(mix(table.salt + 7919 * seat + n) % len(pool))
        table.pool &= ~taken
        table.hands[seat] |= taken
        table.gone[seat] &= ~taken  # the other seat is not told which of its discards came back
    next_swap(table)


def skip_blind_bidders(table: Table) -> None:
    """Pass the turn over seats whose bid is made; start what follows when all are."""
    players = table.terms.players
    for _ in range(players):
        if table.kinds[table.turn] == NO_BID:
            return
        table.turn = table.turn + 1 if table.turn + 1 < players else 0
    after_bids(table)


def next_bidder(table: Table) -> None:
    """The turn passes to the next seat that has not bid."""
    table.turn = table.turn + 1 if table.turn + 1 < table.terms.players else 0
    skip_blind_bidders(table)


def bid_turn(table: Table) -> None:
    """The seat to bid answers the question about a blind nil, if that is still open, or bids."""
    seat = table.turn
    if not table.looked[seat]:
        answer_blind(table, policy_blind(table, seat))
        return
    kind, tricks = policy_bid(table, seat)
    make_bid(table, kind, tricks)


def make_bid(table: Table, kind: int, tricks: int) -> None:
    """The seat to act bids."""
    table.nodes += 1
    table.kinds[table.turn] = kind
    table.bids[table.turn] = tricks
    next_bidder(table)


def after_bids(table: Table) -> None:
    """All bids are made: the exchange with the partner, where one is due, and then play."""
    table.swaps = []
    if table.terms.swap_partner:
        for offset in range(4):
            caller = (table.bidder + offset) & 3
            partner = (caller + 2) & 3
            if table.kinds[caller] == BLIND and table.kinds[partner] != BLIND:
                table.swaps += [(caller, partner), (partner, caller)]
    if table.swaps:
        next_swap(table)
    else:
        start_play(table)


def start_play(table: Table) -> None:
    """The opening lead is next."""
    table.stage = PLAYING
    table.leader = table.turn = table.opener
    table.count_contracts()
