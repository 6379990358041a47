"""Fit the odds of `spades_engine.search.odds`: what the cards played by the engine tell of the cards it still holds.

    python tests/engine/run_fit_evidence.py [--hands N] [--nodes N] [--draws N] [--rounds N] [--write]

The engine plays hands against itself at a node limit, half of them drafted and half dealt. At every card that it is to
play, for each card that it cannot place, the worlds it would draw say how likely the opponent holds it, and the deal
says whether he does. The logarithm of the odds is fitted as the worlds' own plus a sum over the signs that there were
for the card (a logistic regression with that offset, by Newton's method, with a little pull to zero), and the new odds
are put in place of the old ones; later rounds correct what the worlds, now drawn with them, still get wrong.
Everything is seeded: the same run writes the same file. Needs numpy.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from spades_engine.game import Dealer, Phase, Play, RuleSet, State, View, advance, deal, new_game, seed_streams
from spades_engine.search import evidence
from spades_engine.search.belief import Belief
from spades_engine.search.choose import Search, equity_of
from spades_engine.search.evidence import CELLS, EVEN, SIGNS, signs
from spades_engine.search.rng import Rng
from spades_engine.search.seat_table import seat_table

TARGET = Path(__file__).resolve().parents[2] / "spades_engine" / "search" / "odds.py"
PULL = 4.0
"""The weight of the pull to zero: so many cards seen at even odds."""
FORMS = ("draft", "duel")


def played_hands(hands: int, nodes: int) -> Iterator[State]:
    """Every state in which a card is to be played, of hands that the engine plays against itself at 0-0."""
    for number in range(hands):
        rules = RuleSet.preset_named(FORMS[number % len(FORMS)])
        dealer = Dealer(rules, seed_streams(f"evidence {number}"))
        state, _ = deal(dealer, new_game(rules, rules.seats[number // 2 % 2]))
        while state.phase not in (Phase.DEAL, Phase.OVER):
            assert state.turn is not None
            view = View.of(state, state.turn)
            limit = nodes if state.phase in (Phase.PLAY, Phase.BID) else 0
            if state.phase is Phase.PLAY:
                yield state
            state, _ = advance(dealer, state, Search(view, number, limit, lambda: False).run().action)


def cards_of_state(state: State, draws: int) -> Iterator[tuple[list[int], float, bool]]:
    """For every card that the seat to act cannot place: its signs by cell, the worlds' chance, whether it is held."""
    assert state.turn is not None
    view = View.of(state, state.turn)
    root = seat_table(view, equity_of(view.rules))
    theirs = 1 - root.turn
    seats = view.rules.seats
    plays = [(seats.index(step.seat), int(step.card)) for step in view.history if isinstance(step, Play)]
    found = list(signs(plays, theirs, root.kinds[theirs], root.bids[theirs]))
    if not found:
        return
    belief = Belief(view, root)
    rng = Rng(len(plays))
    counts = [0] * 52
    for _ in range(draws):
        hand = belief.draw(rng)[0].hands[theirs]
        while hand:
            low = hand & -hand
            hand ^= low
            counts[low.bit_length() - 1] += 1
    held = state.hands[seats[theirs]]
    free = int(view.unseen & ~view.void_cards[seats[theirs]])
    for card in range(52):
        if not free >> card & 1:
            continue
        cells = [cell for cell, cards in found if cards >> card & 1]
        if cells:
            yield cells, (counts[card] + 0.5) / (draws + 1.0), bool(held & 1 << card)


def fitted(rows: list[tuple[list[int], float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """The logarithms of the factors by cell, and how many cards each rests on."""
    design = np.zeros((len(rows), CELLS))
    for at, (cells, _, _) in enumerate(rows):
        for cell in cells:
            design[at, cell] += 1.0
    offset = np.array([math.log(chance / (1.0 - chance)) for _, chance, _ in rows])
    truth = np.array([float(is_held) for _, _, is_held in rows])
    theta = np.zeros(CELLS)
    for _ in range(30):
        chance = 1.0 / (1.0 + np.exp(-(offset + design @ theta)))
        slope = design.T @ (truth - chance) - PULL / 4 * theta
        curve = (design * (chance * (1.0 - chance))[:, None]).T @ design + PULL / 4 * np.eye(CELLS)
        step = np.linalg.solve(curve, slope)
        theta += step
        if np.abs(step).max() < 1e-6:
            break
    return theta, design.sum(axis=0)


def log_loss(rows: list[tuple[list[int], float, bool]]) -> float:
    """The mean surprise at where the cards with signs were, in nats."""
    return -sum(math.log(chance if is_held else 1.0 - chance) for _, chance, is_held in rows) / len(rows)


def write(odds: tuple[int, ...], source: str) -> None:
    """Write the module."""
    lines = ["    " + " ".join(f"{value}," for value in odds[at : at + 4]) for at in range(0, CELLS, 4)]
    lines = [f"{line}  # {sign}" for line, sign in zip(lines, SIGNS, strict=True)]
    head = f'"""Odds in percent, written by tests/engine/run_fit_evidence.py: {source}."""\n\n'
    foot = '"""A line for each sign: does not want tricks, or does; in each, other suits and spades."""\n'
    start = "from __future__ import annotations\n\nODDS: tuple[int, ...] = (\n"
    TARGET.write_text(head + start + "\n".join(lines) + "\n)  # fmt: skip\n" + foot, encoding="utf-8")


def main() -> None:
    """Play, fit and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=600, help="hands, half of them drafted")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes a decision")
    parser.add_argument("--draws", type=int, default=60, help="worlds for the chances")
    parser.add_argument("--rounds", type=int, default=3, help="times the odds are corrected")
    parser.add_argument("--write", action="store_true", help="write the module")
    arguments = parser.parse_args()
    states = list(played_hands(arguments.hands, arguments.nodes))
    theta = np.zeros(CELLS)
    vars(evidence).update(ODDS=(EVEN,) * CELLS)
    for number in range(arguments.rounds):
        rows = [row for state in states for row in cards_of_state(state, arguments.draws)]
        step, counts = fitted(rows)
        print(f"round {number + 1}: {len(rows)} cards, log loss {log_loss(rows):.4f}, step {np.abs(step).max():.3f}")
        theta += step if number == 0 else 0.5 * step
        odds = tuple(max(1, round(EVEN * math.exp(value))) for value in theta)
        vars(evidence).update(ODDS=odds)
    rows = [row for state in states for row in cards_of_state(state, arguments.draws)]
    print(f"in the end: log loss {log_loss(rows):.4f}")
    for number, sign in enumerate(SIGNS):
        cells = range(4 * number, 4 * number + 4)
        print(f"  {sign:40s}", *(f"{odds[cell]:5d} ({int(counts[cell])})" for cell in cells))
    if arguments.write:
        write(odds, f"{arguments.hands} hands at {arguments.nodes} nodes a decision")


if __name__ == "__main__":
    main()
