"""The bids of a two-player game by equity: over the tricks that the hand may win and the bids of the other."""

from __future__ import annotations

from spades_engine.bidding.choose import nil_chance
from spades_engine.bidding.hand_value import nil_danger, trick_estimate
from spades_engine.bidding.prospects import believed, replies, replies_to_nil, tricks_of_contract, tricks_of_nil
from spades_engine.game import BidMade, View
from spades_engine.search.evaluate import POINT_WEIGHT, Figures, Scorer
from spades_engine.search.policy import others_cards, policy_bid
from spades_engine.search.seat_table import kind_of
from spades_engine.search.table import Table
from spades_engine.search.terms import CONTRACT, HAND_SIZE, NO_BID


def values_bids(table: Table) -> bool:
    """Whether the bids of the seat to act can be valued so: of two players, the other has bid a contract or not yet."""
    return table.terms.players == 2 and table.kinds[1 - table.turn] in (CONTRACT, NO_BID)


def bid_figures(view: View, table: Table, scorer: Scorer) -> list[Figures]:
    """The figures of every legal bid, the best one first; `table` is the view's `seat_table`."""
    me = table.turn
    other = 1 - me
    form = table.terms.form
    hand = table.hands[me]
    others = others_cards(table, me)
    theirs = table.bids[other] if table.kinds[other] == CONTRACT else None
    of_contract = tricks_of_contract(trick_estimate(hand, others, form), form, theirs)
    of_nil = tricks_of_nil(nil_chance(nil_danger(hand, others, form)))
    found = []
    kind, usual = policy_bid(table, me)
    if kind != CONTRACT:
        usual = round(sum(tricks * chance for tricks, chance in enumerate(of_contract)))
    for action in view.legal:
        assert isinstance(action, BidMade)
        kind, bid = kind_of(action.bid), action.bid.tricks
        chances = of_contract if kind == CONTRACT else of_nil
        equity = points = make = 0.0
        for tricks, chance in enumerate(chances):
            if not chance:
                continue
            if theirs is not None:
                answers: tuple[tuple[int, float], ...] = ((theirs, 1.0),)
            elif kind == CONTRACT:
                answers = replies(believed(bid, usual), tricks, form, table.terms.lowest_contract)
            else:
                answers = replies_to_nil()
            kinds, bids, taken = [CONTRACT, CONTRACT], [0, 0], [HAND_SIZE - tricks, HAND_SIZE - tricks]
            kinds[me], bids[me], taken[me] = kind, bid, tricks
            for answer, weight in answers:
                bids[other] = answer
                payoff = scorer.payoff_of(kinds, bids, taken)
                equity += chance * weight * payoff[0]
                points += chance * weight * payoff[1]
                make += chance * weight * payoff[2]
        found.append(Figures(action, min(equity, 1.0), points, min(make, 1.0), tuple(chances)))
    found.sort(key=lambda figures: -(figures.equity + figures.points * POINT_WEIGHT))
    return found
