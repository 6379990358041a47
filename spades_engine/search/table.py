"""A light position: one hand of the game in plain ints and lists, made to be copied and played out quickly.

A `Table` may be *full* (a world: every hand known) or hold one seat's cards only; the policy reads nothing of a seat
but what that seat knows, so it runs on both.
"""

from __future__ import annotations

from spades_engine.search.terms import CONTRACT, FIRST_SPADE, HAND_SIZE, NO_BID, PLAIN, SPADES, SUITS, Terms

DRAFTING, SWAPPING, BIDDING, PLAYING, DONE = range(5)
"""Stages of a hand in order. In a dealt game the exchange follows the bidding: SWAPPING is then entered from there."""


class Table:
    """One hand in progress. All per-seat lists are indexed by seat 0..players-1 clockwise, all per-side by seat & 1.

    * `hands`, `gone`: card masks; `gone` is what that seat itself knows to be out of play (its discards, its throws).
    * `pool`: card mask of the draft discards that an exchange may draw from (worlds only).
    * `stock`: cards still to be drawn, next one last (worlds only).
    * `voids`: card masks of whole suits a seat has shown not to hold.
    * `bids`: contract tricks (0 for a nil), `kinds`: CONTRACT, NIL, BLIND or NO_BID.
    * `looked`: whether a seat has been asked for a blind nil and answered.
    * `needs`: by side, tricks its contract still lacks (negative: bags); set by `start_play`.
    * `contracts`: by side, the sum of its contracts, -1 where every seat bid nil.
    * `swaps`: exchanges still due in order; in a draft a seat, with partners (giver, receiver).
    * `blind_calls`: by side, whether the policy calls a blind nil at this score.
    * `bidder`, `opener`: who bids first, who leads to the first trick.
    * `salt`: what chance still decides in this world (the replacements of an exchange with the discards).
    * `nodes`: decisions made on this table.
    """

    __slots__ = (
        "bidder", "bids", "blind_calls", "broken", "contracts", "gone", "hands", "kinds", "leader", "looked", "needs",
        "nodes", "opener", "played", "pool", "salt", "stage", "stock", "swaps", "taken", "terms", "trick",
        "trick_number", "turn", "voids",
    )  # fmt: skip

    def __init__(self, terms: Terms) -> None:
        players = terms.players
        self.terms = terms
        self.stage = PLAYING
        self.turn = 0
        self.hands = [0] * players
        self.gone = [0] * players
        self.pool = 0
        self.stock: list[int] = []
        self.voids = [0] * players
        self.bids = [0] * players
        self.kinds = [NO_BID] * players
        self.looked = [True] * players
        self.taken = [0] * players
        self.needs = [0, 0]
        self.contracts = [-1, -1]
        self.swaps: list[tuple[int, int]] = []
        self.blind_calls = [False, False]
        self.trick: list[int] = []
        self.bidder = 0
        self.opener = 0
        self.leader = 0
        self.trick_number = 0
        self.broken = False
        self.played = 0
        self.salt = 0
        self.nodes = 0

    def copy(self) -> Table:
        """An independent copy with its node count at zero."""
        other = Table.__new__(Table)
        other.terms = self.terms
        other.stage = self.stage
        other.turn = self.turn
        other.hands = self.hands[:]
        other.gone = self.gone[:]
        other.pool = self.pool
        other.stock = self.stock[:]
        other.voids = self.voids[:]
        other.bids = self.bids[:]
        other.kinds = self.kinds[:]
        other.looked = self.looked[:]
        other.taken = self.taken[:]
        other.needs = self.needs[:]
        other.contracts = self.contracts[:]
        other.swaps = self.swaps[:]
        other.blind_calls = self.blind_calls
        other.trick = self.trick[:]
        other.leader = self.leader
        other.trick_number = self.trick_number
        other.broken = self.broken
        other.bidder = self.bidder
        other.opener = self.opener
        other.played = self.played
        other.salt = self.salt
        other.nodes = 0
        return other

    def count_contracts(self) -> None:
        """Set `contracts` and `needs` from the bids and the tricks taken so far."""
        for side in (0, 1):
            contract = -1
            won = 0
            for seat in range(side, self.terms.players, 2):
                if self.kinds[seat] == CONTRACT:
                    contract = max(contract, 0) + self.bids[seat]
                    won += self.taken[seat]
                elif self.terms.helps:
                    won += self.taken[seat]
            self.contracts[side] = contract
            self.needs[side] = contract - won if contract >= 0 else 0

    def legal(self, seat: int) -> int:
        """The cards the seat, whose turn it is, may play."""
        hand = self.hands[seat]
        if self.trick:
            follow = hand & SUITS[self.trick[0] // 13]
            if follow:
                return follow
            if self.trick_number == 0 and not self.terms.first_trick_ruff:
                return hand & PLAIN or hand
            return hand
        if self.broken or self.terms.lead_anytime:
            return hand
        return hand & PLAIN or hand

    def play(self, card: int) -> None:
        """The seat to act plays a card. Legality is the caller's affair; shown voids are noted as a host would."""
        seat = self.turn
        trick = self.trick
        self.nodes += 1
        bit = 1 << card
        self.hands[seat] &= ~bit
        self.played |= bit
        if trick:
            led = trick[0]
            if card // 13 != led // 13:
                self.voids[seat] |= SUITS[led // 13]
                if card >= FIRST_SPADE:
                    if self.trick_number == 0 and not self.terms.first_trick_ruff:
                        self.voids[seat] |= PLAIN
                    self.broken = True
        elif card >= FIRST_SPADE:
            if not self.broken and not self.terms.lead_anytime:
                self.voids[seat] |= PLAIN
            self.broken = True
        trick.append(card)
        if len(trick) < self.terms.players:
            self.turn = seat + 1 if seat + 1 < self.terms.players else 0
            return
        best = trick[0]
        winner = at = self.leader
        for other in trick:
            if other > best and (other >= FIRST_SPADE or other // 13 == best // 13):
                best = other
                winner = at
            at = at + 1 if at + 1 < self.terms.players else 0
        self.trick = []
        self.taken[winner] += 1
        if self.kinds[winner] == CONTRACT or self.terms.helps:
            self.needs[winner & 1] -= 1
        self.leader = self.turn = winner
        self.trick_number += 1
        if self.trick_number == HAND_SIZE:
            self.stage = DONE


def winning_card(trick: list[int]) -> int:
    """The card that wins a trick as it lies."""
    best = trick[0]
    for card in trick:
        if card > best and (card >= FIRST_SPADE or card // 13 == best // 13):
            best = card
    return best


def beats(hand: int, best: int) -> int:
    """The cards of `hand` that beat `best`, the card that wins the trick so far (led suit or spade)."""
    above = -1 << (best + 1)
    if best >= FIRST_SPADE:
        return hand & SPADES & above
    return hand & (SUITS[best // 13] & above | SPADES)
