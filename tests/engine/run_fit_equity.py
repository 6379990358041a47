"""Count how hands of two players come out and write `spades_engine.equity.outcomes` and the tables that rest on it.

    python tests/engine/run_fit_equity.py [--hands N] [--nodes N] [--cells N] [--only FORM] [--records FILE...]
        [--by NAME] [--write]
    python tests/engine/run_fit_equity.py --tables

A cell is (bid of the first bidder, bid of the other side, tricks of the first bidder) and how often it came up. Hands
are the engine's own at a node limit, seeded, at a score of 0-0: the same run, from the same tables, writes the same
file. With `--records` they are taken from results files of `spades-match` instead, those of the presets of each form;
`--by` keeps the hands that this engine played against itself. Rare cells are added to the most similar of those kept.
`--tables` solves the presets from the cells as they stand and writes the packed tables; `--write` does that too.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from spades_engine.equity.chart import PACKED, packed_chart
from spades_engine.equity.outcomes import OUTCOMES
from spades_engine.game import (
    Bid,
    BidKind,
    Dealer,
    Form,
    Phase,
    RuleSet,
    View,
    advance,
    deal,
    new_game,
    parse_bid,
    parse_seat,
    seed_streams,
)
from spades_engine.search.choose import Search
from spades_match.store import read_pairs

FOLDER = Path(__file__).resolve().parents[2] / "spades_engine" / "equity"
TARGET = FOLDER / "outcomes.py"
FORMS = (Form.DRAFT, Form.DUEL)
HEAD = '''"""How hands of two players come out; written by tests/engine/run_fit_equity.py.

Of {source}.
"""

from __future__ import annotations

NIL_BID, BLIND_BID = -1, -2
"""In place of a contract."""

_Cells = tuple[tuple[int, int, int, int], ...]

OUTCOMES: dict[str, _Cells] = {{
'''
FOOT = '''}  # fmt: skip
"""By form: bid of the first bidder, bid of the other side, tricks of the first bidder, times per hundred thousand."""
'''
NIL_BID, BLIND_BID = -1, -2
WHOLE = 100_000

Cell = tuple[int, int, int]


def own_hand(form: Form, number: int, nodes: int) -> Cell:
    """A hand of the engine against itself, the seats taking turns to be first."""
    rules = RuleSet.preset_named(form.value)
    dealer = Dealer(rules, seed_streams(f"equity {number}"))
    state, _ = deal(dealer, new_game(rules, rules.seats[number % 2]))
    first = rules.first_bidder_of(rules.seats[number % 2])
    while state.phase not in (Phase.DEAL, Phase.OVER):
        assert state.turn is not None
        view = View.of(state, state.turn)
        settled = len(view.legal) == 1 or view.phase in (Phase.DRAFT, Phase.BLIND)
        search = Search(view, number, 0 if settled else nodes, lambda: False)
        state, _ = advance(dealer, state, search.run().action)
    one, two = (state.bids[seat] for seat in (first, rules.next_seat(first)))
    assert one is not None
    assert two is not None
    return cell_bid(one), cell_bid(two), state.taken[first]


def cell_bid(bid: Bid) -> int:
    """A bid as cells have it."""
    return {BidKind.NIL: NIL_BID, BidKind.BLIND_NIL: BLIND_BID}.get(bid.kind, bid.tricks)


def own_hands(form: Form, hands: int, nodes: int) -> Iterator[Cell]:
    """Hands of the engine against itself, on all cores."""
    with ProcessPoolExecutor() as executor:
        yield from executor.map(partial(own_hand, form, nodes=nodes), range(hands), chunksize=10)


def recorded_hands(form: Form, files: Iterable[Path], by: str | None) -> Iterator[Cell]:
    """The hands of results files that were scored, those of other forms left out."""
    for path in files:
        for pair in read_pairs(path):
            rules = RuleSet.preset_named(pair["rules"]).with_options(pair["options"])
            if rules.form is form:
                for board in pair["boards"]:
                    yield from _hands_of(rules, board, by)


def _hands_of(rules: RuleSet, board: dict[str, Any], by: str | None) -> Iterator[Cell]:
    deals = [line.split() for line in board["record"] if line.startswith("deal ")]
    for words, detail in zip(deals, board["hands_detail"], strict=False):  # the last deal may not have been scored
        if by is not None and set(detail["by"].values()) != {by}:
            continue
        (name,) = (word.removeprefix("first=") for word in words if word.startswith("first="))
        bidder = rules.first_bidder_of(parse_seat(name))
        other = rules.next_seat(bidder)
        bids = []
        for seat in (bidder, other):
            bids.append(cell_bid(parse_bid(detail["bids"][seat.name], rules)))
        yield bids[0], bids[1], int(detail["tricks"][bidder.name])


def merged(counts: Counter[Cell], most: int) -> list[tuple[Cell, int]]:
    """The `most` frequent cells, every other one added to the most similar of them; counts per hundred thousand."""
    ranked = sorted(counts, key=lambda cell: (-counts[cell], cell))
    kept = dict.fromkeys(ranked[:most], 0)
    for cell in ranked:
        kept[cell if cell in kept else min(kept, key=lambda other: (_distance(cell, other), ranked.index(other)))] += (
            counts[cell]
        )
    total = sum(kept.values())
    shares = {cell: count * WHOLE // total for cell, count in kept.items()}
    for cell in ranked[: WHOLE - sum(shares.values())]:  # what rounding down has left over
        shares[cell] += 1
    return sorted(shares.items())


def _distance(left: Cell, right: Cell) -> int:
    return sum(abs(a - b) for a, b in zip(_worths(left), _worths(right), strict=True))


def _worths(cell: Cell) -> tuple[int, int]:
    first, other, tricks = cell
    return _worth(first, tricks), _worth(other, 13 - tricks)


def _worth(bid: int, tricks: int) -> int:
    """About what a side's hand is worth in points, bags at what they cost in the long run."""
    if bid < 0:
        return (100 if bid == NIL_BID else 200) * (-1 if tricks else 1)
    return -10 * bid if tricks < bid else 10 * bid - 9 * (tricks - bid)


def report(form: Form, counts: Counter[Cell], cells: Sequence[tuple[Cell, int]]) -> None:
    """What the hands were like, and what merging the cells did."""
    hands = sum(counts.values())
    print(f"{form.value}: {hands} hands, {len(counts)} cells, {len(cells)} kept")
    exact = sum(counts[cell] for cell, _ in cells)
    print(f"  hands in a cell of their own: {exact / hands:.4f}")
    for name, weighted in (("counted", list(counts.items())), ("kept", cells)):
        total = sum(count for _, count in weighted)
        first = sum(_worths(cell)[0] * count for cell, count in weighted) / total
        other = sum(_worths(cell)[1] * count for cell, count in weighted) / total
        square = sum((_worths(cell)[0] - _worths(cell)[1]) ** 2 * count for cell, count in weighted) / total
        spread = (square - (first - other) ** 2) ** 0.5
        print(f"  {name}: first bidder {first:.2f} points, other {other:.2f}, difference varies by {spread:.2f}")


def write(found: dict[str, Sequence[tuple[Cell, int]]], source: str) -> None:
    """Write the module."""
    text = HEAD.format(source=source)
    for form, cells in found.items():
        text += f'    "{form}": (\n'
        words = [f"({first}, {other}, {tricks}, {count})," for (first, other, tricks), count in cells]
        line = "       "
        for word in words:
            if len(line) + len(word) + 1 > 118:
                text += line + "\n"
                line = "       "
            line += " " + word
        text += f"{line}\n    ),\n"
    TARGET.write_text(text + FOOT, encoding="utf-8")
    print(f"{TARGET.name} written")


def write_tables() -> None:
    """Solve the presets and write the packed tables."""
    for preset in PACKED:
        data = packed_chart(RuleSet.preset_named(preset))
        (FOLDER / f"{preset}.bin").write_bytes(data)
        print(f"{preset}.bin: {len(data)} bytes")


def main() -> None:
    """Count and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=2500, help="hands by form")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes a decision")
    parser.add_argument("--cells", type=int, default=120, help="cells kept by form")
    parser.add_argument("--only", choices=[form.value for form in FORMS], help="count one form and keep the other")
    parser.add_argument("--records", type=Path, nargs="+", default=[], help="results files of spades-match")
    parser.add_argument("--by", help="only hands with this engine in every seat")
    parser.add_argument("--write", action="store_true", help="write the module and the tables")
    parser.add_argument("--tables", action="store_true", help="only write the tables")
    arguments = parser.parse_args()
    if arguments.tables:
        write_tables()
        return
    found: dict[str, Sequence[tuple[Cell, int]]] = {}
    for form in FORMS:
        if arguments.only not in (None, form.value):
            found[form.value] = [((first, other, tricks), n) for first, other, tricks, n in OUTCOMES[form.value]]
            continue
        hands = (
            recorded_hands(form, arguments.records, arguments.by)
            if arguments.records
            else own_hands(form, arguments.hands, arguments.nodes)
        )
        counts = Counter(hands)
        if not counts:
            raise SystemExit(f"{form.value}: no hands, use --only to keep what there is")
        cells = merged(counts, arguments.cells)
        report(form, counts, cells)
        found[form.value] = cells
    if arguments.write:
        source = (
            f"hands of {arguments.by or 'engines'} in matches"
            if arguments.records
            else f"{arguments.hands} hands by form of the engine against itself, {arguments.nodes} nodes a decision"
        )
        write(found, source)
        # By another process: this one has played with the module as it was.
        subprocess.run([sys.executable, __file__, "--tables"], check=True)


if __name__ == "__main__":
    main()
