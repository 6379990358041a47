"""Fit the tables of `spades_engine.bidding.tables` on the rule policy's own hands and write the module.

    python tests/engine/run_fit_hand_value.py [--hands N] [--passes N] [--only FORM] [--write]

Tricks: hands are played with both sides after every trick (contracts of one, bags free), and the tricks won are fitted
as a sum over the cards of `trick_estimate`'s cells, by stochastic gradient steps that keep the value of a card from
falling when fewer cards are above it. Nils: hands in which a seat is made to bid nil (three in four of its drafts are
for a nil), fitted as log-odds of its failing. Everything is seeded: the same run writes the same file.
"""

from __future__ import annotations

import argparse
import math
import pprint
from pathlib import Path

from spades_engine.bidding.hand_value import (
    NIL_BELOW,
    NIL_PLACES,
    SIDE_ABOVE,
    SIDE_LENGTHS,
    SIDE_PLACES,
    SPADE_ABOVE,
    SPADE_GROUP,
    SPADE_LENGTHS,
    SPADE_PLACES,
    nil_danger,
)
from spades_engine.bidding.tables import NIL_TABLES, TRICK_TABLES
from spades_engine.game import RuleSet
from spades_engine.search.playout import bid_turn, draft_turn, play_out
from spades_engine.search.policy import others_cards
from spades_engine.search.rng import Rng
from spades_engine.search.selfplay import new_hand, set_bids, start_bidding
from spades_engine.search.table import DRAFTING, Table
from spades_engine.search.terms import BLIND, CONTRACT, NIL, NO_BID, Terms

TARGET = Path(__file__).resolve().parents[2] / "spades_engine" / "bidding" / "tables.py"
HEAD = '''"""Fitted by tests/engine/run_fit_hand_value.py: thousandths of a trick, and of log-odds."""

from __future__ import annotations

_Row = tuple[int, ...]
_Rows = tuple[_Row, ...]

'''
TRICK_NOTE = """By form: worth of a number of spades; of a spade by number, place, cards above; of a side suit's
length by group of spades; of a side card by length, place, cards above."""
NIL_NOTE = "By form: log-odds of failing, then by length and by place and cards below, side suits first."

FORMS = ("draft", "partners", "duel")
MILLI = 1000

Sample = tuple[list[int], float]


class Cells:
    """Names of cells, numbered as they are met; `fixed_sign` tells which weights must not be negative."""

    def __init__(self) -> None:
        self.index: dict[tuple[object, ...], int] = {}
        self.positive: list[bool] = []

    def number(self, name: tuple[object, ...], positive: bool) -> int:
        """The number of a cell."""
        if name not in self.index:
            self.index[name] = len(self.index)
            self.positive.append(positive)
        return self.index[name]

    def weight(self, weights: list[float], name: tuple[object, ...]) -> float:
        """The fitted weight of a cell, 0 for one never met."""
        at = self.index.get(name)
        return 0.0 if at is None else weights[at]


def trick_cells(cells: Cells, hand: int, others: int) -> list[int]:
    """The cells of a hand: for each card one step per number of cards above that it does better than."""
    found = []
    spades = (hand >> 39).bit_count()
    found.append(cells.number(("spade base", min(spades, SPADE_LENGTHS - 1)), False))
    for suit in range(4):
        ranks = hand >> 13 * suit & 0x1FFF
        theirs = others >> 13 * suit & 0x1FFF
        kind, places, most, lengths = (
            ("spade", SPADE_PLACES, SPADE_ABOVE, SPADE_LENGTHS)
            if suit == 3
            else ("side", SIDE_PLACES, SIDE_ABOVE, SIDE_LENGTHS)
        )
        length = min(ranks.bit_count(), lengths - 1)
        if kind == "side":
            found.append(cells.number(("side base", SPADE_GROUP[spades], length), False))
            found.append(cells.number(("side base", length), False))
        for place in range(places):
            if not ranks:
                break
            top = ranks.bit_length() - 1
            above = min((theirs >> top).bit_count(), most - 1)
            for step in range(above, most - 1):
                found.append(cells.number((kind, place, step), True))
                found.append(cells.number((kind, length, place, step), True))
            ranks ^= 1 << top
    return found


def nil_cells(cells: Cells, hand: int, others: int) -> list[int]:
    """The same for a nil: steps for every card below that a card has, from the lowest card of a suit."""
    found = [cells.number(("base",), False)]
    for suit in range(4):
        ranks = hand >> 13 * suit & 0x1FFF
        theirs = others >> 13 * suit & 0x1FFF
        kind = "spade" if suit == 3 else "side"
        found.append(cells.number((kind, "base", ranks.bit_count()), False))
        for place in range(NIL_PLACES):
            if not ranks:
                break
            low = ranks & -ranks
            below = min((theirs & (low - 1)).bit_count(), NIL_BELOW - 1)
            found += [cells.number((kind, place, step), True) for step in range(below)]
            ranks ^= low
    return found


def fit(samples: list[Sample], cells: Cells, passes: int, rng: Rng, logistic: bool) -> list[float]:
    """Weights by gradient steps over the samples in random order, the last third of the passes averaged."""
    weights = [0.0] * len(cells.index)
    sums = [0.0] * len(weights)
    order = list(range(len(samples)))
    averaged = 0
    for number in range(passes):
        rate = (0.06 if logistic else 0.02) / (1 + 9 * number / passes)
        rng.shuffle(order)
        for at in order:
            active, result = samples[at]
            guess = sum([weights[cell] for cell in active])
            if logistic:
                guess = 1.0 / (1.0 + math.exp(-guess))
            step = rate * (result - guess) / math.sqrt(len(active))
            for cell in active:
                moved = weights[cell] * 0.99999 + step
                weights[cell] = 0.0 if moved < 0.0 and cells.positive[cell] else moved
        if number >= passes * 2 // 3:
            averaged += 1
            sums = [total + weight for total, weight in zip(sums, weights, strict=True)]
    return [total / averaged for total in sums]


def hand_of(terms: Terms, rng: Rng, number: int, low: int | None = None) -> Table:
    """A hand up to the first bid; seat `low`, if given, drafts for a nil."""
    table = new_hand(terms, rng, number % terms.players)
    if low is not None and table.stage == DRAFTING:
        table.kinds[low] = BLIND
    while table.stage == DRAFTING:
        draft_turn(table)
    if low is not None:
        table.kinds[low] = NO_BID
        table.swaps = []
        start_bidding(table)
    return table


def trick_samples(form: str, hands: int, rng: Rng, cells: Cells) -> list[Sample]:
    """Hands and the tricks they won with everybody after tricks."""
    terms = Terms(RuleSet.preset_named(form).with_options({"bag_limit": "none"}))
    players = terms.players
    samples = []
    for number in range(hands):
        table = hand_of(terms, rng, number)
        active = [trick_cells(cells, table.hands[seat], others_cards(table, seat)) for seat in range(players)]
        long = [float(many_spades(table.hands[seat])) for seat in range(players)]
        set_bids(table, [CONTRACT] * players, [1] * players)
        start_bidding(table)
        play_out(table)
        samples += [(active[seat], table.taken[seat] - long[seat]) for seat in range(players)]
    return samples


def many_spades(hand: int) -> int:
    """Spades beyond those that the tables tell apart: each is taken for a whole trick."""
    return max(0, (hand >> 39).bit_count() - SPADE_LENGTHS + 1)


def nil_samples(form: str, hands: int, rng: Rng, cells: Cells) -> list[Sample]:
    """Hands not hopeless for a nil, and whether it failed. The others bid by the policy."""
    terms = Terms(RuleSet.preset_named(form))
    samples: list[Sample] = []
    number = 0
    while len(samples) < hands:
        number += 1
        seat = rng.below(terms.players)
        table = hand_of(terms, rng, number, seat if number % 4 else None)
        hand, others = table.hands[seat], others_cards(table, seat)
        if not others >> 39 >> ((hand >> 39).bit_length() - 1 if hand >> 39 else 0) and hand >> 39:
            continue
        if number > hands and nil_danger(hand, others, terms.form) > 4000:
            continue
        active = nil_cells(cells, hand, others)
        table.kinds[seat] = NIL
        start_bidding(table)
        while any(kind == NO_BID for kind in table.kinds):
            bid_turn(table)
        play_out(table)
        samples.append((active, float(table.taken[seat] > 0)))
    return samples


def spread(samples: list[Sample], weights: list[float]) -> tuple[float, float]:
    """Standard deviation of the results, and about the fit."""
    mean = sum(result for _, result in samples) / len(samples)
    total = sum((result - mean) ** 2 for _, result in samples) / len(samples)
    about = sum((result - sum(weights[cell] for cell in active)) ** 2 for active, result in samples) / len(samples)
    return math.sqrt(total), math.sqrt(about)


def milli(value: float) -> int:
    """Thousandths, rounded."""
    return round(value * MILLI)


def trick_tables(cells: Cells, weights: list[float]) -> tuple[object, ...]:
    """The fit as the tables of one form."""

    def value(kind: str, length: int, place: int, above: int, most: int) -> float:
        steps = range(above, most - 1)
        return sum(
            cells.weight(weights, (kind, place, step)) + cells.weight(weights, (kind, length, place, step))
            for step in steps
        )

    spade_base = tuple(
        milli(cells.weight(weights, ("spade base", min(n, SPADE_LENGTHS - 1))) + max(0, n - SPADE_LENGTHS + 1))
        for n in range(14)
    )
    side_base = tuple(
        tuple(
            milli(cells.weight(weights, ("side base", group, n)) + cells.weight(weights, ("side base", n)))
            for n in range(SIDE_LENGTHS)
        )
        for group in range(max(SPADE_GROUP) + 1)
    )
    spade_rows = tuple(
        tuple(
            tuple(milli(value("spade", n, place, above, SPADE_ABOVE)) for above in range(SPADE_ABOVE))
            for place in range(SPADE_PLACES)
        )
        for n in range(SPADE_LENGTHS)
    )
    side_rows = tuple(
        tuple(
            tuple(milli(value("side", n, place, above, SIDE_ABOVE)) for above in range(SIDE_ABOVE))
            for place in range(SIDE_PLACES)
        )
        for n in range(SIDE_LENGTHS)
    )
    return spade_base, spade_rows, side_base, side_rows


def nil_tables(cells: Cells, weights: list[float]) -> tuple[object, ...]:
    """The fit of nils as the tables of one form."""

    def rows(kind: str) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(
                milli(sum(cells.weight(weights, (kind, place, step)) for step in range(below)))
                for below in range(NIL_BELOW)
            )
            for place in range(NIL_PLACES)
        )

    def base(kind: str) -> tuple[int, ...]:
        return tuple(milli(cells.weight(weights, (kind, "base", n))) for n in range(14))

    return milli(cells.weight(weights, ("base",))), base("side"), rows("side"), base("spade"), rows("spade")


def main() -> None:
    """Fit and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=24000, help="hands by form, half with partners")
    parser.add_argument("--nils", type=int, default=16000, help="nils fitted, by form")
    parser.add_argument("--passes", type=int, default=18)
    parser.add_argument("--only", choices=FORMS, help="fit one form and keep the others")
    parser.add_argument("--write", action="store_true", help="write the module instead of only reporting")
    arguments = parser.parse_args()
    tricks: list[object] = list(TRICK_TABLES)
    nils: list[object] = list(NIL_TABLES)
    for number, form in enumerate(FORMS):
        if arguments.only not in (None, form):
            continue
        rng = Rng(1000 + number)
        cells = Cells()
        samples = trick_samples(form, arguments.hands // (2 if form == "partners" else 1), rng, cells)
        weights = fit(samples, cells, arguments.passes, rng, logistic=False)
        tricks[number] = trick_tables(cells, weights)
        total, about = spread(samples, weights)
        print(f"{form}: tricks vary by {total:.3f}, about the estimate by {about:.3f}, {len(cells.index)} cells")
        cells = Cells()
        samples = nil_samples(form, arguments.nils, rng, cells)
        weights = fit(samples, cells, arguments.passes, rng, logistic=True)
        nils[number] = nil_tables(cells, weights)
        report_nils(form, samples, weights)
    if arguments.write:
        write(tuple(tricks), tuple(nils))


def report_nils(form: str, samples: list[Sample], weights: list[float]) -> None:
    """How often nils failed, by what the fit says."""
    groups: dict[int, list[float]] = {}
    for active, result in samples:
        guess = 1.0 / (1.0 + math.exp(-sum(weights[cell] for cell in active)))
        groups.setdefault(int(guess * 10), []).append(result)
    lines = [f"{10 * at}%: {100 * sum(got) / len(got):.0f}% of {len(got)}" for at, got in sorted(groups.items())]
    told = ", ".join(lines)
    print(f"{form}: nils failed, by prediction: {told}")


def write(tricks: tuple[object, ...], nils: tuple[object, ...]) -> None:
    """Write the module."""
    names = (
        ("TRICK_TABLES", "tuple[tuple[_Row, tuple[_Rows, ...], _Rows, tuple[_Rows, ...]], ...]", tricks, TRICK_NOTE),
        ("NIL_TABLES", "tuple[tuple[int, _Row, _Rows, _Row, _Rows], ...]", nils, NIL_NOTE),
    )
    text = HEAD
    for name, kind, value, note in names:
        body = pprint.pformat(value, width=116, compact=True).replace("\n", "\n ")
        text += f'{name}: {kind} = (\n {body}\n)  # fmt: skip\n"""{note}"""\n\n'
    TARGET.write_text(text.rstrip() + "\n", encoding="utf-8")
    print(f"{TARGET.name} written")


if __name__ == "__main__":
    main()
