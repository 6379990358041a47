"""Worlds solved for the equity of the game: against brute force over the same payoffs."""

from __future__ import annotations

from random import Random

from spades_engine.equity.model import Equity
from spades_engine.game import Dealer, Phase, RuleSet, View, advance, deal, legal_actions, new_game, seed_streams
from spades_engine.search.choose import equity_of
from spades_engine.search.evaluate import POINT_WEIGHT, Scorer
from spades_engine.search.exact import Exact
from spades_engine.search.seat_table import seat_table
from tests.search.brute import RANKS, SUITS, Brute


def text(card: int) -> str:
    """A card as brute force writes it."""
    return RANKS[card % 13] + SUITS[card // 13]


def test_cards_are_worth_what_brute_force_finds() -> None:
    """In endings of games at all scores the solved value of every card is that of trying everything, for both seats."""
    rng = Random("exact endings")
    seats = set()
    for number in range(60):
        rules = RuleSet.preset_named(rng.choice(["draft", "duel", "draft300"]))
        dealer = Dealer(rules, seed_streams(f"exact {number}"))
        totals = (rng.randint(-150, 290), rng.randint(-150, 290))
        state = new_game(rules, dealer.first_seat(), totals=totals, bags=(totals[0] % 10, totals[1] % 10))
        state, _ = deal(dealer, state)
        until = rng.randint(8, 11)
        while state.phase is not Phase.PLAY or state.trick_number < until or (rng.random() < 0.5 and not state.trick):
            state, _ = advance(dealer, state, rng.choice(legal_actions(state)))
        assert state.turn is not None
        view = View.of(state, state.turn)
        table = seat_table(view, equity_of(rules))
        me = table.turn
        for at, seat in enumerate(rules.seats):
            table.hands[at] = int(state.hands[seat])
        scorer = Scorer(view, Equity(rules), me)
        found, nodes = Exact(scorer, me).cards(table, None)
        assert found is not None
        assert nodes > 0
        left = 13 - table.trick_number

        def worth(taken: int, table=table, left=left, scorer=scorer) -> float:  # type: ignore[no-untyped-def]
            won = [table.taken[0] + taken, table.taken[1] + left - taken]
            payoff = scorer.payoff_of(table.kinds, table.bids, won)
            return float(payoff[0] + payoff[1] * POINT_WEIGHT)

        sign = -1 if me else 1
        brute = Brute(
            2, [round(sign * worth(taken) * 10**12) for taken in range(left + 1)], rules.lead_spades == "anytime"
        )
        hands = [frozenset(text(card) for card in range(52) if mask >> card & 1) for mask in table.hands]
        trick = tuple(text(card) for card in table.trick)
        for card, (payoff, _) in found.items():
            after = [hand - {text(card)} if at == me else hand for at, hand in enumerate(hands)]
            if len(trick) == 0:
                value = brute.value(after, table.leader, (text(card),), table.broken)
            else:
                full = [*trick, text(card)]
                winner = (table.leader + brute.winner(full)) % 2
                broken = table.broken or any(other[1] == "S" for other in full)
                value = brute.value(after, winner, (), broken, taken=1 - winner)
            mine = sign * value / 10**12
            assert abs(mine - (payoff[0] + payoff[1] * POINT_WEIGHT)) < 1e-9
        seats.add(me)
    assert seats == {0, 1}
