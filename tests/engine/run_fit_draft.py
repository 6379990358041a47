"""Fit the tables of `spades_engine.drafting.tables` on finished drafts, solved exactly, and write the module.

    python tests/engine/run_fit_draft.py [--drafts N] [--rounds N] [--pairs N] [--write]

Drafts are made by the policy, one choice in eight at random, and each is labelled with the tricks its seats win when
both hands are seen. For every number of cards held the tricks are fitted as a sum of the cells that `DraftValue` adds
up, all numbers at once, with weights that run straight between anchors; those that stand for fewer unseen cards above
are kept from being negative. The first round's drafts are the threshold rule's, later rounds draft by the fit before.
At the end the fit drafts against the threshold rule on the same stocks in both seats, and the shares of cards kept on
sight are told. Everything is seeded: the same run writes the same file. Needs numpy.
"""

from __future__ import annotations

import argparse
import math
import pprint
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from spades_engine.drafting.keep import keeps
from spades_engine.drafting.value import (
    ANCHORS,
    MILLI,
    SIDE_ABOVE,
    SIDE_GONE,
    SIDE_LENGTHS,
    SIDE_PLACES,
    SPADE_ABOVE,
    SPADE_GONE,
    SPADE_GROUPS,
    SPADE_LENGTHS,
    SPADE_PLACES,
    TOPS,
    DraftValue,
    Weights,
    suit_cards,
    suit_state,
)
from spades_engine.game import RuleSet, score_side
from spades_engine.search.evaluate import bid_of
from spades_engine.search.kernels import load_kernel
from spades_engine.search.playout import make_choice, play_out
from spades_engine.search.rng import Rng
from spades_engine.search.selfplay import new_hand
from spades_engine.search.table import DRAFTING, Table
from spades_engine.search.terms import HAND_SIZE, Terms

TARGET = Path(__file__).resolve().parents[2] / "spades_engine" / "drafting" / "tables.py"
HEAD = '''"""Fitted by tests/engine/run_fit_draft.py: thousandths of a trick."""

from __future__ import annotations

_Row = tuple[int, ...]
_Rows = tuple[_Row, ...]

'''
KIND = """tuple[
    tuple[_Rows, tuple[_Rows, ...], _Rows, _Rows, _Row, tuple[_Rows, ...], _Rows, _Rows], ...
]"""
NOTE = "By anchor, the tables of `drafting.value.Weights` in their order."

NOISE = 8
"""One choice in so many is made at random in the drafts that are fitted."""
RIDGE = 30.0
"""What keeps a weight near zero, in samples."""

Policy = Callable[[int, int, int], bool]
Matrix = np.ndarray[Any, np.dtype[np.float64]]
DECK = (1 << 52) - 1


def threshold(hand: int, out: int, card: int) -> bool:
    """The threshold rule."""
    return keeps(hand, out, card, DECK, False)


def fitted(value: DraftValue) -> Policy:
    """The policy of a fit."""
    return lambda hand, out, card: value.margin(hand, out, card) >= 0


class Cells:
    """Numbers of the cells that a suit's worth is the sum of."""

    def __init__(self) -> None:
        self.index: dict[tuple[object, ...], int] = {}
        self.positive: list[bool] = []
        self._known: dict[tuple[int, bool, int], list[int]] = {}
        for spades in (False, True):
            kind = "spade" if spades else "side"
            lengths, places, most, gone = (
                (SPADE_LENGTHS, SPADE_PLACES, SPADE_ABOVE, SPADE_GONE)
                if spades
                else (SIDE_LENGTHS, SIDE_PLACES, SIDE_ABOVE, SIDE_GONE)
            )
            for length in range(lengths):
                self._add((kind, "base", length), False)
                for group in range(0 if spades else SPADE_GROUPS):
                    self._add((kind, "base", length, group), False)
                for number in range(1, gone):
                    self._add((kind, "gone", length, number), False)
                for step in range(TOPS):
                    self._add((kind, "open", length, step), True)
                for place in range(min(places, length)):
                    for step in range(most - 1):
                        self._add((kind, "row", length, place, step), True)
            for step in range(TOPS):
                self._add((kind, "open", step), True)
            for number in range(1, gone):
                self._add((kind, "gone", number), False)
            for place in range(places):
                for step in range(most - 1):
                    self._add((kind, "row", place, step), True)

    def _add(self, name: tuple[object, ...], positive: bool) -> None:
        self.index[name] = len(self.index)
        self.positive.append(positive)

    def of_hand(self, hand: int, out: int) -> list[int]:
        """The cells of a hand, some of them several times."""
        group = min((hand >> 39).bit_count(), SPADE_GROUPS - 1)
        found: list[int] = []
        for suit in range(4):
            state = suit_state(hand >> 13 * suit & 0x1FFF, out >> 13 * suit & 0x1FFF)
            key = (0 if suit == 3 else group, suit == 3, state)
            cells = self._known.get(key)
            if cells is None:
                cells = self._known[key] = list(self._of_suit(*key))
            found += cells
        return found

    def _of_suit(self, group: int, spades: bool, state: int) -> Iterator[int]:
        ranks, unseen = suit_cards(state)
        kind = "spade" if spades else "side"
        lengths, places, most, most_gone = (
            (SPADE_LENGTHS, SPADE_PLACES, SPADE_ABOVE, SPADE_GONE)
            if spades
            else (SIDE_LENGTHS, SIDE_PLACES, SIDE_ABOVE, SIDE_GONE)
        )
        gone = min(13 - ranks.bit_count() - unseen.bit_count(), most_gone - 1)
        length = min(ranks.bit_count(), lengths - 1)
        yield self.index[kind, "base", length]
        if not spades:
            yield self.index[kind, "base", length, group]
        if gone:
            yield self.index[kind, "gone", gone]
            yield self.index[kind, "gone", length, gone]
        for step in range((unseen >> 13 - TOPS).bit_count(), TOPS):
            yield self.index[kind, "open", step]
            yield self.index[kind, "open", length, step]
        for place in range(places):
            if not ranks:
                break
            top = ranks.bit_length()
            ranks ^= 1 << top - 1
            for step in range((unseen >> top).bit_count(), most - 1):
                yield self.index[kind, "row", place, step]
                yield self.index[kind, "row", length, place, step]

    def weights(self, vector: Matrix) -> Weights:
        """The tables of one anchor."""

        def cell(*name: object) -> float:
            at = self.index.get(name)
            return 0.0 if at is None else float(vector[at])

        def opened(kind: str, length: int) -> tuple[int, ...]:
            return tuple(
                milli(sum(cell(kind, "open", step) + cell(kind, "open", length, step) for step in range(tops, TOPS)))
                for tops in range(TOPS + 1)
            )

        def rows(kind: str, length: int, places: int, most: int) -> tuple[tuple[int, ...], ...]:
            return tuple(
                tuple(
                    milli(
                        sum(
                            cell(kind, "row", place, step) + cell(kind, "row", length, place, step)
                            for step in range(above, most - 1)
                        )
                    )
                    for above in range(most)
                )
                for place in range(min(places, length))
            )

        def gone(kind: str, length: int, most: int) -> tuple[int, ...]:
            return tuple(milli(cell(kind, "gone", n) + cell(kind, "gone", length, n)) for n in range(most))

        side, spade = range(SIDE_LENGTHS), range(SPADE_LENGTHS)
        return Weights(
            tuple(
                tuple(milli(cell("side", "base", n) + cell("side", "base", n, group)) for n in side)
                for group in range(SPADE_GROUPS)
            ),
            tuple(rows("side", n, SIDE_PLACES, SIDE_ABOVE) for n in side),
            tuple(opened("side", n) for n in side),
            tuple(gone("side", n, SIDE_GONE) for n in side),
            tuple(milli(cell("spade", "base", n)) for n in spade),
            tuple(rows("spade", n, SPADE_PLACES, SPADE_ABOVE) for n in spade),
            tuple(opened("spade", n) for n in spade),
            tuple(gone("spade", n, SPADE_GONE) for n in spade),
        )


def milli(value: float) -> int:
    """Thousandths, rounded."""
    return round(value * MILLI)


class Fit:
    """Least squares of tricks over cells, gathered by the number of cards held."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        size = len(cells.index)
        self._grams = np.zeros((HAND_SIZE + 1, size, size))
        self._products = np.zeros((HAND_SIZE + 1, size))
        self._squares = np.zeros(HAND_SIZE + 1)
        self._counts = np.zeros(HAND_SIZE + 1)
        self._means = 0.0

    def add(self, count: int, rows: list[list[int]], results: list[float]) -> None:
        """Count in hands of `count` cards, by their cells, with the tricks they came to."""
        size = len(self._cells.index)
        matrix = np.zeros((len(rows), size), dtype=np.float32)
        places = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        flat = np.concatenate([np.array(row) for row in rows])
        np.add.at(matrix, (places, flat), 1.0)
        got = np.array(results, dtype=np.float32)
        self._grams[count] += matrix.T @ matrix
        self._products[count] += matrix.T @ got
        self._squares[count] += float((got * got).sum())
        self._counts[count] += len(rows)

    def solve(self, start: Matrix | None) -> Matrix:
        """The weights, by anchor and cell."""
        size = len(self._cells.index)
        anchors = len(ANCHORS)
        gram = np.zeros((anchors, size, anchors, size))
        product = np.zeros((anchors, size))
        for count in range(1, HAND_SIZE + 1):
            shares = anchor_shares(count)
            for one, share in shares:
                product[one] += share * self._products[count]
                for two, other in shares:
                    gram[one, :, two, :] += share * other * self._grams[count]
        square = gram.reshape(anchors * size, anchors * size)
        square[np.diag_indices_from(square)] += RIDGE
        positive = np.tile(np.array(self._cells.positive), anchors)
        weights = np.zeros(anchors * size) if start is None else start.reshape(-1).copy()
        descend(square, product.reshape(-1), positive, weights)
        return weights.reshape(anchors, size)

    def spreads(self, weights: Matrix) -> list[float]:
        """By cards held, 1 to 13: the standard deviation of the tricks about the fit."""
        found = []
        for count in range(1, HAND_SIZE + 1):
            vector = sum(share * weights[anchor] for anchor, share in anchor_shares(count))
            rest = self._squares[count] - 2 * vector @ self._products[count] + vector @ self._grams[count] @ vector
            found.append(math.sqrt(max(rest, 0.0) / self._counts[count]))
        return found


def anchor_shares(count: int) -> list[tuple[int, float]]:
    """The anchors about a number of cards held, and the share of each."""
    span = ANCHORS[1] - ANCHORS[0]
    at, part = divmod(count - ANCHORS[0], span)
    return [(at, 1.0)] if not part else [(at, 1 - part / span), (at + 1, part / span)]


def descend(gram: Matrix, product: Matrix, positive: Any, weights: Matrix, sweeps: int = 250) -> None:
    """Least squares by coordinates, some of which may not be negative. Changes `weights`."""
    slope = product - gram @ weights
    diagonal = gram.diagonal().copy()
    for _ in range(sweeps):
        most = 0.0
        for at in range(len(weights)):
            new = weights[at] + slope[at] / diagonal[at]
            if positive[at] and new < 0.0:
                new = 0.0
            move = new - weights[at]
            if abs(move) > 1e-5:
                slope -= move * gram[at]
                weights[at] = new
                most = max(most, abs(move))
        if most < 2e-4:
            break


def new_draft(terms: Terms, rng: Rng, number: int) -> Table:
    """A draft at its first turn."""
    table = new_hand(terms, rng, number % 2)
    assert table.stage == DRAFTING
    return table


def gather(fit: Fit, cells: Cells, policy: Policy, drafts: int, rng: Rng) -> None:
    """Drafts with noise, each hand in the making counted in with the tricks it came to."""
    terms = Terms(RuleSet.preset_named("draft"))
    solver = load_kernel("compiled").Solver(14)
    rows: list[list[list[int]]] = [[] for _ in range(HAND_SIZE + 1)]
    results: list[list[float]] = [[] for _ in range(HAND_SIZE + 1)]
    for number in range(drafts):
        table = new_draft(terms, rng, number)
        made: list[tuple[int, int, list[int]]] = []
        while table.stage == DRAFTING:
            seat = table.turn
            if rng.below(NOISE) == 0:
                keep = rng.below(2) == 0
            else:
                keep = policy(table.hands[seat], table.gone[seat], table.stock[-1])
            make_choice(table, keep)
            hand = table.hands[seat]
            made.append((seat, hand.bit_count(), cells.of_hand(hand, table.gone[seat])))
        tricks = solver.solve(table.hands, table.opener)[1]
        for seat, count, active in made:
            rows[count].append(active)
            results[count].append(float(HAND_SIZE - tricks if seat else tricks))
        if len(rows[1]) >= 8192 or number == drafts - 1:
            for count in range(1, HAND_SIZE + 1):
                fit.add(count, rows[count], results[count])
                rows[count].clear()
                results[count].clear()


def compare(one: Policy, other: Policy, pairs: int, rng: Rng, playouts: bool = True) -> str:
    """What the first policy wins against the second, on the same stocks in both seats: tricks, and points of play."""
    terms = Terms(RuleSet.preset_named("draft"))
    solver = load_kernel("compiled").Solver(14)
    tricks: list[float] = []
    points: list[float] = []
    for number in range(pairs):
        start = new_draft(terms, rng, number)
        won = score = 0.0
        for mine in (0, 1):
            table = start.copy()
            while table.stage == DRAFTING:
                seat = table.turn
                policy = one if seat == mine else other
                make_choice(table, policy(table.hands[seat], table.gone[seat], table.stock[-1]))
            value = solver.solve(table.hands, table.opener)[1]
            won += (value if mine == 0 else HAND_SIZE - value) - HAND_SIZE / 2
            if playouts:
                play_out(table)
                score += hand_points(terms, table, mine) - hand_points(terms, table, 1 - mine)
        tricks.append(won / 2)
        points.append(score / 2)
    told = f"{interval(tricks, 3)} tricks"
    return f"{told}, {interval(points, 1)} points a hand" if playouts else told


def hand_points(terms: Terms, table: Table, seat: int) -> float:
    """The points of a finished hand, a bag at what it costs in the long run."""
    score = score_side(terms.rules, [bid_of(table.kinds[seat], table.bids[seat])], [table.taken[seat]], 0)
    return score.contract + score.nil + score.blindnil + score.overtricks - (terms.bag_cost + 1) * score.bags


def interval(values: list[float], digits: int) -> str:
    """The mean with the half-width of its 95% interval."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return f"{mean:+.{digits}f} +- {1.96 * math.sqrt(variance / len(values)):.{digits}f}"


def kept_on_sight(policy: Policy, drafts: int, rng: Rng) -> list[list[float]]:
    """How often, per cent, a card is kept when looked at: by third of the draft, then by card, side suits first."""
    terms = Terms(RuleSet.preset_named("draft"))
    seen = [[0] * 26 for _ in range(3)]
    kept = [[0] * 26 for _ in range(3)]
    for number in range(drafts):
        table = new_draft(terms, rng, number)
        while table.stage == DRAFTING:
            seat, card = table.turn, table.stock[-1]
            held = table.hands[seat].bit_count()
            phase = 0 if held < 4 else 1 if held < 9 else 2
            keep = policy(table.hands[seat], table.gone[seat], card)
            at = card % 13 + (13 if card >= 39 else 0)
            seen[phase][at] += 1
            kept[phase][at] += keep
            make_choice(table, keep)
    return [[100 * k / s for k, s in zip(*row, strict=True)] for row in zip(kept, seen, strict=True)]


def write(anchors: tuple[Weights, ...]) -> None:
    """Write the module."""
    body = pprint.pformat(tuple(tuple(weights) for weights in anchors), width=116, compact=True).replace("\n", "\n ")
    text = f'{HEAD}DRAFT_TABLES: {KIND} = (\n {body}\n)  # fmt: skip\n"""{NOTE}"""\n'
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET.name} written")


def main() -> None:
    """Fit and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=30000, help="drafts of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=4000, help="pairs of hands of the comparisons")
    parser.add_argument("--write", action="store_true", help="write the module instead of only reporting")
    arguments = parser.parse_args()
    cells = Cells()
    policy: Policy = threshold
    vectors: Matrix | None = None
    anchors: tuple[Weights, ...] = ()
    for number in range(arguments.rounds):
        fit = Fit(cells)
        gather(fit, cells, policy, arguments.drafts, Rng(2000 + number))
        vectors = fit.solve(vectors)
        anchors = tuple(cells.weights(vectors[anchor]) for anchor in range(len(ANCHORS)))
        spreads = " ".join(f"{spread:.2f}" for spread in fit.spreads(vectors))
        print(f"round {number + 1}: {len(cells.index)} cells; tricks vary about the fit, by cards held: {spreads}")
        before, policy = policy, fitted(DraftValue(anchors))
        print("  against the round before:", compare(policy, before, arguments.pairs, Rng(77), False), flush=True)
    print("against the threshold rule:", compare(policy, threshold, arguments.pairs, Rng(99)))
    for phase, row in enumerate(kept_on_sight(policy, arguments.pairs, Rng(55))):
        print(f"kept on sight, part {phase + 1}: " + " ".join(f"{share:.0f}" for share in row))
    if arguments.write:
        write(anchors)


if __name__ == "__main__":
    main()
