"""Rough figures without a playout, for actions that were not played out: from the estimate of tricks alone."""

from __future__ import annotations

from math import sqrt

from spades_engine.bidding.choose import nil_chance
from spades_engine.bidding.contract import spread_of, trick_chances
from spades_engine.bidding.hand_value import MILLI, nil_danger, trick_estimate
from spades_engine.equity.model import Equity
from spades_engine.game import Action, BidKind, BidMade, Phase, View
from spades_engine.search.policy import others_cards
from spades_engine.search.table import Table
from spades_engine.search.terms import CONTRACT, HAND_SIZE, NO_BID

Rough = tuple[float, float, float, tuple[float, ...]]
"""Equity, points, probability of making the bid, probabilities of 0 to 13 tricks."""


class Outlook:
    """The rough figures of one position."""

    __slots__ = ("_chances", "_equity", "_nil", "_table")

    def __init__(self, view: View, table: Table, equity: Equity) -> None:
        me = table.turn
        form = table.terms.form
        value = equity.during(view.totals, view.bags, view.hands_played, table.bidder)
        self._equity = 1.0 - value if me & 1 else value
        self._table = table
        fair = HAND_SIZE / table.terms.players
        self._nil = 0.5
        mean = fair
        if view.phase is Phase.BID:
            others = others_cards(table, me)
            mean = trick_estimate(table.hands[me], others, form) / MILLI
            self._nil = nil_chance(nil_danger(table.hands[me], others, form))
        elif view.phase is Phase.PLAY:
            left = HAND_SIZE - table.trick_number
            mean = table.taken[me] + fair * left / HAND_SIZE
            if table.kinds[me] == CONTRACT:
                mean = min(max(float(table.bids[me]), float(table.taken[me])), float(table.taken[me] + left))
        self._chances = self._possible(mean, spread_of(form))

    def _possible(self, mean: float, spread: float) -> tuple[float, ...]:
        """Trick probabilities that keep to the tricks already taken and those left."""
        table = self._table
        taken = table.taken[table.turn]
        left = HAND_SIZE - table.trick_number
        chances = trick_chances(mean, spread * sqrt(max(left, 1) / HAND_SIZE))
        kept = [chance if taken <= tricks <= taken + left else 0.0 for tricks, chance in enumerate(chances)]
        total = sum(kept)
        if total <= 0.0:
            kept[taken] = total = 1.0
        return tuple(chance / total for chance in kept)

    def of(self, action: Action) -> Rough:
        """The rough figures of an action."""
        table = self._table
        kind, tricks = table.kinds[table.turn], table.bids[table.turn]
        if isinstance(action, BidMade):
            kind = CONTRACT if action.bid.kind is BidKind.CONTRACT else 1
            tricks = action.bid.tricks
        if kind == NO_BID:
            make = 0.5
        elif kind == CONTRACT:
            make = sum(self._chances[tricks:])
        else:
            make = self._nil if table.trick_number == 0 else self._chances[0]
        return self._equity, 0.0, make, self._chances
