"""Reads the files of positions described in README.md, and tells the oracle and the engine about a position."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from spades_engine.game import (
    Action,
    Dealer,
    RuleSet,
    SeedStream,
    State,
    advance,
    deal,
    new_game,
    parse_card,
    parse_event,
    parse_seat,
)
from tests.game.oracle import Game, Hand, Table

FOLDER = Path(__file__).resolve().parent


@dataclass
class Count:
    """One depth and the number of sequences expected there; heavy ones are left to `run_perft.py`."""

    depth: int
    sequences: int
    is_heavy: bool


@dataclass
class Position:
    """One position of a file, every word of it still text."""

    name: str
    preset: str = ""
    changes: dict[str, str] = field(default_factory=dict)
    start: dict[str, str] = field(default_factory=dict)
    deck: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)

    def numbers(self, prefix: str) -> dict[str, int]:
        """The numbers of the start line whose keys begin with `total.` or `bags.`, by side."""
        return {key[len(prefix) :]: int(value) for key, value in self.start.items() if key.startswith(prefix)}


def parse_positions(text: str) -> list[Position]:
    """The positions of a file in their order. A line that cannot be read is a ValueError."""
    positions: list[Position] = []
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        if word == "position":
            positions.append(Position(rest))
            continue
        position = positions[-1]
        if word == "rules":
            position.preset, *pairs = rest.split()
            position.changes = dict(pair.split("=", 1) for pair in pairs)
        elif word == "start":
            position.start = dict(pair.split("=", 1) for pair in rest.split())
        elif word == "deck":
            position.deck = rest.split(",")
        elif word == "do":
            position.actions += rest.split(" ; ")
        elif word in ("count", "heavy"):
            depth, sequences = rest.split()
            position.counts.append(Count(int(depth), int(sequences), word == "heavy"))
        else:
            raise ValueError(f"line {number}: {line!r}")
    return positions


def all_positions() -> list[Position]:
    """The positions of all files in this folder, named `<file>/<name>`."""
    found: list[Position] = []
    for path in sorted(FOLDER.glob("*.txt")):
        for position in parse_positions(path.read_text(encoding="utf-8")):
            position.name = f"{path.stem}/{position.name}"
            found.append(position)
    return found


def oracle_hand(position: Position) -> Hand:
    """The position as the oracle tells it."""
    game = Game(
        table=Table(position.preset, position.changes),
        first=position.start["first"],
        decks=[position.deck],
        actions=[position.actions],
        seed=position.start["seed"],
        totals=position.numbers("total."),
        bags=position.numbers("bags."),
    )
    return game.hands[0]


def engine_state(position: Position) -> tuple[State, Dealer]:
    """The position in the engine, and the dealer that turns up what comes next."""
    rules = RuleSet.preset_named(position.preset).with_options(position.changes)
    totals, bags = position.numbers("total."), position.numbers("bags.")
    sides = [rules.format_side(side) for side in rules.sides]
    state = new_game(
        rules,
        parse_seat(position.start["first"]),
        totals=(totals.get(sides[0], 0), totals.get(sides[1], 0)),
        bags=(bags.get(sides[0], 0), bags.get(sides[1], 0)),
    )
    dealer = Dealer(rules, lambda name: SeedStream(position.start["seed"], name))
    dealer = dealer.with_deck(1, tuple(parse_card(card) for card in position.deck))
    state, _events = deal(dealer, state)
    for text in position.actions:
        state, _events = advance(dealer, state, cast(Action, parse_event(text, rules, state.turn)))
    return state, dealer
