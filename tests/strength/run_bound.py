"""How far the best honest play is from a player that sees the other hand: duplicate boards in one process.

    python -m tests.strength.run_bound [--rules LIST] [--pairs N] [--nodes N] [--sees play|bids+play]
        [--mode hands|games]

The seer exists here only. In play it solves the one true deal; with `bids` it also tries every contract, takes the
other's answer to it from the engine itself, and solves what follows. Everything else, and the other seat, is the engine
at the same node limit. Points are the seer's less the other's, 95 % intervals over pairs; raw, and with a bag counted
at what it costs in the long run.
"""

from __future__ import annotations

import argparse

from spades_engine.game import (
    Action,
    BidKind,
    BidMade,
    Dealer,
    Phase,
    Play,
    RuleSet,
    Seat,
    State,
    View,
    advance,
    deal,
    new_game,
    seed_streams,
)
from spades_engine.search.candidates import make_of
from spades_engine.search.choose import Search, equity_of
from spades_engine.search.evaluate import POINT_WEIGHT, Scorer
from spades_engine.search.exact import Exact
from spades_engine.search.playout import make_bid
from spades_engine.search.seat_table import kind_of, seat_table
from spades_engine.search.table import PLAYING, Table
from spades_match.statistics import format_estimate, mean_estimate, share_estimate


def honest(state: State, nodes: int, seed: int) -> Action:
    """The engine's choice."""
    assert state.turn is not None
    view = View.of(state, state.turn)
    settled = len(view.legal) == 1 or (view.phase is Phase.DRAFT and view.seat not in view.blind)
    return Search(view, seed, 0 if settled else nodes, lambda: False).run().action


def true_world(state: State) -> Table:
    """The position with both hands in it."""
    assert state.turn is not None
    table = seat_table(View.of(state, state.turn), equity_of(state.rules))
    table.hands = [int(state.hands[seat]) for seat in state.rules.seats]
    return table


def seen_play(state: State) -> Action:
    """The best card with both hands seen."""
    view = View.of(state, state.turn)  # type: ignore[arg-type]
    world = true_world(state)
    cards, _ = Exact(Scorer(view, equity_of(state.rules), world.turn), world.turn).cards(world, None)
    assert cards is not None

    def worth(action: Action) -> float:
        assert isinstance(action, Play)
        (equity, points, _), _ = cards[action.card]
        return equity + points * POINT_WEIGHT

    return max(view.legal, key=worth)


def seen_bid(state: State, nodes: int, seed: int) -> Action:
    """The best bid with both hands seen, the other's answer being the engine's."""
    view = View.of(state, state.turn)  # type: ignore[arg-type]
    scorer = Scorer(view, equity_of(state.rules), state.rules.seats.index(view.seat))
    best: tuple[float, Action] | None = None
    for action in view.legal:
        assert isinstance(action, BidMade)
        if action.bid.kind is not BidKind.CONTRACT:
            continue
        world = true_world(state)
        me = world.turn
        make_of(action)(world)
        if world.stage != PLAYING:
            answer = honest(state.apply(action), nodes, seed)
            assert isinstance(answer, BidMade)
            make_bid(world, kind_of(answer.bid), answer.bid.tricks)
        cards, _ = Exact(scorer, me).cards(world, None)
        assert cards is not None
        worths = [payoff[0] + payoff[1] * POINT_WEIGHT for payoff, _ in cards.values()]
        value = max(worths) if world.turn == me else min(worths)
        if best is None or value > best[0]:
            best = value, action
    assert best is not None
    return best[1]


def board(rules: RuleSet, seed: str, seer: Seat, sees: str, nodes: int, whole_game: bool) -> tuple[float, float, float]:
    """The seer's lead over a hand or game: raw points, points with bags at their cost, and its share of the game."""
    dealer = Dealer(rules, seed_streams(seed))
    state = new_game(rules, dealer.first_seat())
    side = rules.seats.index(seer)
    penalty = 0.0 if rules.bag_limit is None else rules.bag_penalty / rules.bag_limit
    raw = adjusted = 0.0
    while True:
        state, _ = deal(dealer, state)
        while state.phase not in (Phase.DEAL, Phase.OVER):
            if state.turn is seer and state.phase is Phase.PLAY:
                action = seen_play(state)
            elif state.turn is seer and state.phase is Phase.BID and "bids" in sees:
                action = seen_bid(state, nodes, len(state.history))
            else:
                action = honest(state, nodes, len(state.history))
            state, _ = advance(dealer, state, action)
        assert state.last_score is not None
        mine, theirs = state.last_score[side], state.last_score[1 - side]
        raw += mine.points - theirs.points
        bags = mine.bags - theirs.bags
        adjusted += mine.points - mine.penalty - (theirs.points - theirs.penalty) - penalty * bags
        if not whole_game or state.phase is Phase.OVER:
            share = 0.5 if state.winner is None else float(state.winner == side)
            return raw, adjusted, share


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="draft")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--sees", default="bids+play", choices=("play", "bids+play"))
    parser.add_argument("--mode", default="hands", choices=("hands", "games"))
    options = parser.parse_args()
    for name in options.rules.split(","):
        rules = RuleSet.preset_named(name)
        found = []
        for number in range(options.pairs):
            boards = [
                board(rules, f"bound {number}", seer, options.sees, options.nodes, options.mode == "games")
                for seer in rules.seats
            ]
            found.append([(one + two) / 2 for one, two in zip(*boards, strict=True)])
        raw, adjusted, share = zip(*found, strict=True)
        unit = "game" if options.mode == "games" else "hand"
        text = (
            f"{name}: sees {options.sees}, {options.pairs} pairs: {format_estimate(mean_estimate(raw), 1)} raw points "
            f"a {unit}, {format_estimate(mean_estimate(adjusted), 1)} with bags at their cost"
        )
        if options.mode == "games":
            text += f", {format_estimate(share_estimate([(2 * one, 2) for one in share]), 1, False, 100)} % of games"
        print(text, flush=True)


if __name__ == "__main__":
    main()
