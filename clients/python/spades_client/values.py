"""What an engine's answers are turned into.

Readers of these ignore what they do not know, as the protocol asks: every object keeps the pairs of its line in
`pairs`, and a figure that is missing or is no number is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spades_client.options import Options, parse_integer

SEATED_KINDS = frozenset({"look", "draft", "swap", "bid", "play", "trick"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game: one record or result line of SPEC.md, section 9."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def words(self) -> list[str]:
        """The words of the line."""
        return self.text.split()

    @property
    def kind(self) -> str:
        """The first word: `deal`, `look`, `draft`, `swap`, `bid`, `play`, `trick`, `score` or `end`."""
        return self.text.partition(" ")[0]

    @property
    def seat(self) -> str | None:
        """The seat it happened to, where the line names one."""
        words = self.words
        return words[1] if len(words) > 1 and words[0] in SEATED_KINDS else None

    @property
    def pairs(self) -> dict[str, str]:
        """The pairs of a `deal`, `score` or `end` line."""
        split = (word.partition("=") for word in self.words)
        return {key: value for key, equals, value in split if equals}


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the engine is and what it can do, as its handshake said."""

    name: str
    version: str
    author: str
    kernel: str
    protocol: int
    presets: tuple[str, ...]
    levels: tuple[str, ...]
    capabilities: tuple[str, ...]
    options: Options
    pairs: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name or 'an engine'} {self.version}".rstrip()


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game that has begun. `commit` is the dealing program's commitment to its seed; `first` may not be known yet."""

    rules: str
    seats: tuple[str, ...]
    first: str | None
    phase: str
    commit: str | None
    pairs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moved:
    """What a command that moved the game led to: the events it caused, the phase now, and the seat concerned."""

    phase: str
    turn: str | None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of an `info` or `best` line (section 18), from the point of view of the seat to act.

    `time` is in milliseconds; `equity` and `make` are probabilities; `points` are the expected points of the hand;
    `tricks` are the probabilities of winning 0, 1, … 13 tricks.
    """

    pairs: Mapping[str, str]

    @property
    def time(self) -> int | None:
        """Milliseconds since `go`."""
        return self.integer("time")

    @property
    def nodes(self) -> int | None:
        """Work done."""
        return self.integer("nodes")

    @property
    def worlds(self) -> int | None:
        """Full deals considered."""
        return self.integer("worlds")

    @property
    def equity(self) -> float | None:
        """Probability that the seat's side wins the game."""
        return self.number("equity")

    @property
    def points(self) -> float | None:
        """Expected points of the hand, own side's less the other's."""
        return self.number("points")

    @property
    def make(self) -> float | None:
        """Probability that the side makes its contract."""
        return self.number("make")

    @property
    def tricks(self) -> tuple[float, ...] | None:
        """Probabilities that the seat wins 0, 1, … tricks."""
        try:
            return tuple(float(value) for value in self.pairs["tricks"].split(","))
        except (KeyError, ValueError):
            return None

    def integer(self, key: str) -> int | None:
        """Return the value of a key as a whole number."""
        return parse_integer(self.pairs.get(key, ""))

    def number(self, key: str) -> float | None:
        """Return the value of a key as a number."""
        try:
            return float(self.pairs[key])
        except (KeyError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class Info(Figures):
    """An `info` line. `error` is the text of one that tells of a failure inside the engine."""

    error: str | None = None

    @property
    def multipv(self) -> int:
        """The rank of this line's action, from 1."""
        return self.integer("multipv") or 1

    @property
    def action(self) -> str | None:
        """The action it speaks of."""
        return self.pairs.get("action")

    @property
    def explain(self) -> str | None:
        """Why the action that follows was chosen, in plain words (capability `explain`)."""
        return self.pairs.get("explain")


@dataclass(frozen=True, slots=True)
class Best(Figures):
    """What the engine chose: `action` is the command that plays it at a table with `dealer=engine`."""

    action: str = ""

    def __str__(self) -> str:
        return self.action


@dataclass(frozen=True, slots=True)
class Score:
    """Totals and bags by side, and the number of hands scored."""

    totals: Mapping[str, int]
    bags: Mapping[str, int]
    hands: int


@dataclass(frozen=True, slots=True)
class HandScore:
    """What one side scores for one hand: the parts of section 7, the bags it has then, and its total."""

    points: int
    contract: int
    overtricks: int
    nil: int
    blindnil: int
    penalty: int
    bags: int
    total: int


@dataclass(frozen=True, slots=True)
class Record:
    """A game as a script for a table with `dealer=host`. `seed` and `commit` are there after the end (section 17)."""

    lines: tuple[str, ...]
    seed: str | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class Perft:
    """Sequences of decisions counted, by first action and in all."""

    counts: Mapping[str, int]
    nodes: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The double-dummy result: an action that keeps it, the tricks of each side, and the work it took."""

    action: str
    tricks: Mapping[str, int]
    nodes: int


@dataclass(frozen=True, slots=True)
class Bench:
    """What `bench` measured."""

    nodes: int
    time: int | None
    nps: int | None
    kernel: str


@dataclass(frozen=True, slots=True)
class GameState:
    """The answer to `state`: `raw` is the whole JSON object, the rest its keys as section 17 describes them."""

    raw: Mapping[str, Any]

    @property
    def phase(self) -> str:
        """The phase of the game."""
        return str(self.raw.get("phase", ""))

    @property
    def turn(self) -> str | None:
        """The seat concerned."""
        return _text(self.raw.get("turn"))

    @property
    def first(self) -> str | None:
        """The first seat of the hand."""
        return _text(self.raw.get("first"))

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in order."""
        return _texts(self.raw.get("seats"))

    @property
    def hands(self) -> dict[str, tuple[str, ...]]:
        """The cards of each seat, `??` for a hidden one."""
        return {seat: _texts(cards) for seat, cards in _object(self.raw.get("hands")).items()}

    @property
    def draw(self) -> str | None:
        """The card looked at in the draft."""
        return _text(self.raw.get("draw"))

    @property
    def bids(self) -> dict[str, str | None]:
        """The bid of each seat."""
        return {seat: _text(bid) for seat, bid in _object(self.raw.get("bids")).items()}

    @property
    def tricks(self) -> dict[str, int]:
        """The tricks each seat has won."""
        return _counts(self.raw.get("tricks"))

    @property
    def trick(self) -> tuple[tuple[str, str], ...]:
        """The trick on the table: seat and card of each play."""
        plays = self.raw.get("trick")
        pairs = [play for play in plays if isinstance(play, list) and len(play) == 2] if isinstance(plays, list) else []
        return tuple((str(seat), str(card)) for seat, card in pairs)

    @property
    def totals(self) -> dict[str, int]:
        """The totals of the sides."""
        return _counts(self.raw.get("totals"))

    @property
    def bags(self) -> dict[str, int]:
        """The bags of the sides."""
        return _counts(self.raw.get("bags"))

    @property
    def legal(self) -> tuple[str, ...] | None:
        """The actions of the seat to act, or None where they are hidden."""
        return None if self.raw.get("legal") is None else _texts(self.raw.get("legal"))

    @property
    def winner(self) -> str | None:
        """The side that has won, `draw`, or None."""
        return _text(self.raw.get("winner"))

    @property
    def reason(self) -> str | None:
        """Why the game has ended."""
        return _text(self.raw.get("reason"))


def by_side(pairs: Mapping[str, str], prefix: str) -> dict[str, int]:
    """Return the numbers of the pairs `<prefix>.<side>=<number>` by side."""
    found = {
        key[len(prefix) + 1 :]: parse_integer(value) for key, value in pairs.items() if key.startswith(f"{prefix}.")
    }
    return {side: number for side, number in found.items() if number is not None}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _object(value: object) -> dict[str, object]:
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def _counts(value: object) -> dict[str, int]:
    return {key: item for key, item in _object(value).items() if isinstance(item, int)}
