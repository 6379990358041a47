"""How well worlds agree with where the cards are: log loss of each part of the belief, by preset and by phase.

    python -m tests.strength.run_beliefs [--hands N] [--nodes N] [--draws N] [--rules LIST]

The engine plays hands against itself. At every decision worlds are drawn in three ways: evenly among the deals that
agree with the voids shown; from the draft alone; and as the engine draws them, with bids and cards played. For each
card that the seat cannot place, the share of worlds in which the opponent holds it is the predicted chance; its log
loss against the deal is averaged over cards, then over decisions. Lower is better, and 95 % intervals are over hands.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from spades_engine.game import Dealer, Phase, RuleSet, State, View, advance, deal, new_game, seed_streams
from spades_engine.search.belief import Belief
from spades_engine.search.choose import Search, equity_of
from spades_engine.search.rng import Rng
from spades_engine.search.seat_table import seat_table
from spades_match.statistics import format_estimate, mean_estimate

WAYS = ("even", "draft", "whole")
PHASES = ("draft", "bid", "tricks 1-3", "tricks 4-6", "tricks 7-9", "tricks 10-12")
"""Of the thirteenth trick nothing is left to guess."""


def phase_of(state: State) -> str | None:
    """The row of the table that a state belongs to."""
    if state.phase is Phase.PLAY:
        row = 2 + state.trick_number // 3
        return PHASES[row] if row < len(PHASES) else None
    return {Phase.DRAFT: "draft", Phase.BID: "bid"}.get(state.phase)


class EvenBelief(Belief):
    """Worlds drawn evenly."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._keeps = None

    def draw_evenly(self, rng: Rng) -> Any:
        """A deal that agrees with the voids, and no more."""
        world = self._root.copy()
        for seat, cards in zip(self._others, self._ways_to_deal(0).draw(rng), strict=False):
            world.hands[seat] |= cards
        return world


class DraftBelief(Belief):
    """Worlds from the draft alone."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._odds = []


def chances(belief: Belief, way: str, theirs: int, draws: int) -> list[float]:
    """By card, the share of worlds in which the other seat holds it."""
    rng = Rng(draws)
    counts = [0] * 52
    for _ in range(draws):
        world = belief.draw(rng)[0] if way == "whole" else belief.draw_evenly(rng)
        hand = world.hands[theirs]
        while hand:
            low = hand & -hand
            hand ^= low
            counts[low.bit_length() - 1] += 1
    return [(count + 0.5) / (draws + 1.0) for count in counts]


def losses(state: State, draws: int) -> list[float]:
    """The mean log loss of each way at one decision, in nats a card; empty where there is nothing to guess."""
    assert state.turn is not None
    view = View.of(state, state.turn)
    root = seat_table(view, equity_of(view.rules))
    theirs = 1 - root.turn
    seat = view.rules.seats[theirs]
    free = int(view.unseen & ~view.void_cards[seat])
    held = int(state.hands[seat])
    if not held or not free & ~held:
        return []
    found = []
    for way, kind in zip(WAYS, (EvenBelief, DraftBelief, Belief), strict=True):
        share = chances(kind(view, root), way, theirs, draws)
        total = sum(
            -math.log(share[card] if held >> card & 1 else 1.0 - share[card]) for card in range(52) if free >> card & 1
        )
        found.append(total / free.bit_count())
    return found


def states_of(rules: RuleSet, number: int, nodes: int) -> Iterator[State]:
    """The decisions of a hand that the engine plays against itself at 0-0, drafts by the learned value."""
    dealer = Dealer(rules, seed_streams(f"beliefs {number}"))
    state, _ = deal(dealer, new_game(rules, rules.seats[number % 2]))
    while state.phase not in (Phase.DEAL, Phase.OVER):
        assert state.turn is not None
        yield state
        limit = nodes if state.phase in (Phase.PLAY, Phase.BID) else 0
        state, _ = advance(dealer, state, Search(View.of(state, state.turn), number, limit, lambda: False).run().action)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes a decision of the hands")
    parser.add_argument("--draws", type=int, default=100, help="worlds for each chance")
    parser.add_argument("--rules", default="draft,duel")
    arguments = parser.parse_args()
    print("| rules | phase | even | draft | whole | gain |\n|---|---|---|---|---|---|")
    for name in arguments.rules.split(","):
        rules = RuleSet.preset_named(name)
        by_hand: dict[str, list[list[float]]] = defaultdict(list)
        for number in range(arguments.hands):
            rows: dict[str, list[list[float]]] = defaultdict(list)
            for state in states_of(rules, number, arguments.nodes):
                phase = phase_of(state)
                found = losses(state, arguments.draws) if phase else []
                if phase and found:
                    rows[phase].append(found)
            for phase, found_rows in rows.items():
                by_hand[phase].append([sum(column) / len(found_rows) for column in zip(*found_rows, strict=True)])
        for phase in PHASES:
            if not by_hand[phase]:
                continue
            even, draft, whole = ([hand[way] for hand in by_hand[phase]] for way in range(len(WAYS)))
            gain = mean_estimate([one - other for one, other in zip(even, whole, strict=True)])
            means = " | ".join(f"{sum(column) / len(column):.4f}" for column in (even, draft, whole))
            print(f"| {name} | {phase} | {means} | {format_estimate(gain, 4)} |", flush=True)


if __name__ == "__main__":
    main()
