"""Rule sets: a preset, and a value for every option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from spades_engine.game.cards import CARDS, Card
from spades_engine.game.errors import OptionError, UnreadableEvent
from spades_engine.game.options import OPTION_OF_NAME, OPTIONS, OptionSpec, nearest
from spades_engine.game.seats import FOUR_SEATS, TWO_SEATS, Seat, Side

__all__ = ["OPTIONS", "PRESETS", "Form", "OptionSpec", "RuleSet"]


class Form(Enum):
    """How a preset seats its players and forms its hands; no option changes it."""

    DRAFT = "draft"  # two players draft from the stock
    PARTNERS = "partners"  # four players, 13 dealt each
    DUEL = "duel"  # two players, 13 dealt each


_HAND_SIZE: Final = 13
_NEXT_OF_TWO = (Seat.S, Seat.S, Seat.N, Seat.N)
_NEXT_OF_FOUR = (Seat.E, Seat.S, Seat.W, Seat.N)
_PARTNER = (Seat.S, Seat.W, Seat.N, Seat.E)
_SIDE_OF_TWO = (Side.SECOND, Side.SECOND, Side.FIRST, Side.FIRST)
_SIDE_OF_FOUR = (Side.FIRST, Side.SECOND, Side.FIRST, Side.SECOND)
_SEATS_OF_TWO = ((Seat.S,), (Seat.N,))
_SEATS_OF_FOUR = ((Seat.N, Seat.S), (Seat.E, Seat.W))


@lru_cache(maxsize=64)
def _deck_without(removed: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in CARDS if card not in removed)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Immutable. One attribute per option, in the order of the specification's table.

    Make one with `RuleSet.preset_named("draft").with_options({"target": "300"})`; both raise `OptionError`, and so does
    any construction of a combination that means nothing.
    """

    preset: str
    form: Form
    target: int
    floor: int | None
    bag_limit: int | None
    bag_penalty: int
    bag_points: int
    nil: int | None
    blind_nil: int | None
    blind_deficit: int
    exchange: str
    exchange_count: int
    failed_nil_bags: bool
    failed_nil_helps: bool
    peek: str
    draft_choice: str
    first_bidder: str
    leader: str
    lead_spades: str
    first_trick_ruff: bool
    removed: tuple[Card, ...]
    hand_cap: int
    min_bid: int
    nil_is_zero: bool

    def __post_init__(self) -> None:
        if self.exchange == "discards" and not self.is_drafted:
            self._refuse("exchange", "only a drafted game has discards to exchange with", "none, partner")
        if self.exchange == "partner" and not self.has_partners:
            self._refuse("exchange", "with two players there is no partner", "none, discards")
        if self.failed_nil_helps and not self.has_partners:
            self._refuse("failed_nil_helps", "with two players there is no partner to help", "no")
        if self.peek == "unseen" and not self.is_drafted:
            self._refuse("peek", "only a drafted game has a second card to look at", "seen")
        if self.draft_choice == "hidden" and not self.is_drafted:
            self._refuse("draft_choice", "only a drafted game has keep and pass", "public")
        if self.removed:
            if self.form is not Form.DUEL:
                self._refuse("removed", f"the hands of {self.preset} use all 52 cards", "none")
            if len(set(self.removed)) != len(self.removed):
                self._refuse("removed", "one card is named twice", "none, list of cards")
            if len(self.removed) > 24:
                self._refuse("removed", "at most 24 cards can be taken out", "none, list of up to 24 cards")

    def _refuse(self, name: str, reason: str, allowed: str) -> None:
        raise OptionError(name, f"{name}={self.option_text(name)}: {reason}", allowed)

    @staticmethod
    def preset_named(name: str) -> RuleSet:
        """The preset of that name (one of `PRESETS`); raises `OptionError` for the option "rules"."""
        rules = _PRESET_OF_NAME.get(name)
        if rules is None:
            allowed = ", ".join(PRESETS)
            message = f"{name}: no rules of that name, there are {allowed}"
            raise OptionError("rules", message, allowed, nearest(name.lower(), PRESETS))
        return rules

    def with_options(self, texts: Mapping[str, str]) -> RuleSet:
        """A copy with the options named set to the values written; raises `OptionError`. Order does not matter."""
        values: dict[str, Any] = {name: _spec(name).parse(text) for name, text in texts.items()}
        return replace(self, **values) if values else self

    def option_text(self, name: str) -> str:
        """The value of one option as it is written; raises `OptionError` for an unknown name."""
        spec = _spec(name)
        return spec.format(getattr(self, name))

    def options(self) -> dict[str, str]:
        """Every option and its value as written, in table order."""
        return {spec.name: spec.format(getattr(self, spec.name)) for spec in OPTIONS}

    def overrides(self) -> dict[str, str]:
        """The options whose value differs from the preset's, in table order."""
        usual = _PRESET_OF_NAME[self.preset]
        return {
            spec.name: spec.format(getattr(self, spec.name))
            for spec in OPTIONS
            if getattr(self, spec.name) != getattr(usual, spec.name)
        }

    @property
    def is_drafted(self) -> bool:
        """Whether hands form by the draft (otherwise they are dealt)."""
        return self.form is Form.DRAFT

    @property
    def has_partners(self) -> bool:
        """Whether four seats play in two partnerships (otherwise two seats play each other)."""
        return self.form is Form.PARTNERS

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in use: S, N or N, E, S, W."""
        return FOUR_SEATS if self.form is Form.PARTNERS else TWO_SEATS

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides, in the order in which scores are printed."""
        return (Side.FIRST, Side.SECOND)

    def next_seat(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return _NEXT_OF_FOUR[seat] if self.form is Form.PARTNERS else _NEXT_OF_TWO[seat]

    def partner(self, seat: Seat) -> Seat | None:
        """The seat opposite, None with two players."""
        return _PARTNER[seat] if self.form is Form.PARTNERS else None

    def side_of(self, seat: Seat) -> Side:
        """The side a seat plays for."""
        return _SIDE_OF_FOUR[seat] if self.form is Form.PARTNERS else _SIDE_OF_TWO[seat]

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        """The seats that play for a side."""
        return _SEATS_OF_FOUR[side] if self.form is Form.PARTNERS else _SEATS_OF_TWO[side]

    def format_side(self, side: Side) -> str:
        """S or N with two players, NS or EW with four."""
        return "".join(seat.name for seat in self.seats_of(side))

    def parse_side(self, text: str) -> Side:
        """The side of that name at this table; raises `UnreadableEvent`."""
        for side in self.sides:
            if self.format_side(side) == text:
                return side
        names = " and ".join(self.format_side(side) for side in self.sides)
        raise UnreadableEvent(f"{text}: the sides of this game are {names}")

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards in use, in card order."""
        return _deck_without(self.removed)

    def first_bidder_of(self, first: Seat) -> Seat:
        """Who bids first in a hand whose first seat is `first`."""
        return first if self.first_bidder == "first" else self.next_seat(first)

    def leader_of(self, first: Seat) -> Seat:
        """Who leads to trick 1 in a hand whose first seat is `first`."""
        bidder = self.first_bidder_of(first)
        return bidder if self.leader == "bidder" else self.next_seat(bidder)


def _spec(name: str) -> OptionSpec:
    spec = OPTION_OF_NAME.get(name)
    if spec is None:
        near = nearest(name.lower().replace("-", "_"), OPTION_OF_NAME)
        raise OptionError(name, f"{name}: the rules have no option of that name", "", near)
    return spec


_DRAFT = RuleSet(
    preset="draft",
    form=Form.DRAFT,
    target=500,
    floor=None,
    bag_limit=10,
    bag_penalty=100,
    bag_points=1,
    nil=100,
    blind_nil=200,
    blind_deficit=0,
    exchange="discards",
    exchange_count=3,
    failed_nil_bags=False,
    failed_nil_helps=False,
    peek="seen",
    draft_choice="public",
    first_bidder="second",
    leader="bidder",
    lead_spades="broken",
    first_trick_ruff=True,
    removed=(),
    hand_cap=200,
    min_bid=0,
    nil_is_zero=True,
)
_DRAFT300 = replace(
    _DRAFT, preset="draft300", target=300, blind_nil=None, exchange="none", exchange_count=0, first_bidder="first"
)
_PARTNERS = replace(
    _DRAFT, preset="partners", form=Form.PARTNERS, exchange="partner", failed_nil_bags=True, first_bidder="first"
)
_DUEL = replace(_DRAFT300, preset="duel", form=Form.DUEL, target=500, floor=-200, removed=(CARDS[0], CARDS[13]))
_PRESET_OF_NAME: dict[str, RuleSet] = {rules.preset: rules for rules in (_DRAFT, _DRAFT300, _PARTNERS, _DUEL)}

PRESETS: tuple[str, ...] = tuple(_PRESET_OF_NAME)
