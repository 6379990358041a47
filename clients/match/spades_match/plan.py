"""What a match is, apart from how it is run: the header of its results file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from spades_engine.game import GameError, RuleSet, game_end
from spades_match.engines import RESERVED, EngineSpec
from spades_match.outcomes import MatchError
from spades_match.referee import Setup
from spades_match.schedule import SCHEDULES, encounters, is_seed
from spades_match.statistics import SprtDesign
from spades_match.words import clip, plain

FORMAT: Final = 1
"""The version of the results file."""

MODES: Final = ("hands", "games")
_MAX_TOTAL: Final = 10_000
_MAX_BAGS: Final = 999
_MAX_PAIRS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A match. Everything that its results depend on is here, and in the header of its file.

    `options` are rule options that differ from the preset `rules`; `pairs` are played by each encounter; `totals` and
    `bags` by side are the score that each board starts from. `sprt` is a sequential test that ends a match of two
    engines as soon as it is decided. Raises MatchError for what cannot be played.
    """

    engines: tuple[EngineSpec, ...]
    rules: str = "draft"
    options: Mapping[str, str] = field(default_factory=dict)
    mode: str = "hands"
    pairs: int = 100
    seed: str = "0"
    schedule: str = "round-robin"
    totals: tuple[int, int] = (0, 0)
    bags: tuple[int, int] = (0, 0)
    forfeit: int = 200
    sprt: SprtDesign | None = None

    def __post_init__(self) -> None:
        if len(self.engines) < 2:
            raise MatchError("a match needs two engines; an engine may play against itself, named twice")
        if len({spec.name for spec in self.engines}) < len(self.engines):
            raise MatchError("two engines have the same name")
        if any(spec.name in RESERVED for spec in self.engines):
            raise MatchError(f"no engine can be called {' or '.join(RESERVED)}")
        if self.mode not in MODES or self.schedule not in SCHEDULES:
            raise MatchError(f"the mode is one of {', '.join(MODES)}, the schedule one of {', '.join(SCHEDULES)}")
        if not is_seed(self.seed):
            raise MatchError(f"{self.seed!r} is no seed: up to 48 letters, digits, '.', '_' and '-'")
        if not 1 <= self.pairs <= _MAX_PAIRS:
            raise MatchError(f"a match has from 1 to {_MAX_PAIRS} pairs")
        if not 0 <= self.forfeit <= _MAX_TOTAL:
            raise MatchError(f"a forfeit costs from 0 to {_MAX_TOTAL} points")
        if self.sprt is not None and len(self.engines) != 2:
            raise MatchError("a sequential test is of two engines")
        rules = self.ruleset()
        highest = _MAX_BAGS if rules.bag_limit is None else min(_MAX_BAGS, rules.bag_limit - 1)
        if any(not 0 <= bags <= highest for bags in self.bags):
            raise MatchError(f"the bags to start from are from 0 to {highest}")
        if any(abs(total) > _MAX_TOTAL for total in self.totals) or game_end(rules, self.totals, 0)[0]:
            raise MatchError(f"no game can start from the totals {self.totals[0]} and {self.totals[1]}")

    def ruleset(self) -> RuleSet:
        """Return the rules. Raises MatchError for a preset or an option that there is not."""
        try:
            return RuleSet.preset_named(self.rules).with_options(self.options)
        except GameError as error:
            raise MatchError(str(error)) from None

    def setup(self, rules: RuleSet, seed: str) -> Setup:
        """Return what is played with the cards of a seed; `rules` are those of `ruleset`."""
        return Setup(rules, self.mode == "games", seed, self.totals, self.bags, self.forfeit)

    @property
    def total(self) -> int:
        """How many pairs there are in all."""
        return self.pairs * len(encounters(len(self.engines), self.schedule))

    def header(self, ids: Mapping[str, str], version: str) -> dict[str, Any]:
        """Return the first line of the results file. `ids` say what each engine called itself."""
        test = {} if self.sprt is None else {"sprt": asdict(self.sprt)}
        return {
            "match": FORMAT,
            "version": version,
            "engines": [{**spec.as_json(), "id": ids[spec.name]} for spec in self.engines],
            "rules": self.rules,
            "options": dict(self.options),
            "mode": self.mode,
            "start": {"totals": list(self.totals), "bags": list(self.bags)},
            "forfeit": self.forfeit,
            "pairs": self.pairs,
            "seed": self.seed,
            "schedule": self.schedule,
            **test,
        }

    @classmethod
    def from_header(cls, raw: Mapping[str, Any]) -> Plan:
        """Read a header. Raises MatchError for what is none."""
        if raw.get("match") != FORMAT:
            raise MatchError("this is not a results file of this version of the runner")
        try:
            start = raw["start"]
            if not all(type(raw[key]) is int for key in ("pairs", "forfeit")):
                raise ValueError("pairs and forfeit are whole numbers")
            return cls(
                tuple(EngineSpec.from_json(engine) for engine in raw["engines"]),
                raw["rules"],
                dict(raw["options"]),
                raw["mode"],
                raw["pairs"],
                raw["seed"],
                raw["schedule"],
                _two(start["totals"]),
                _two(start["bags"]),
                raw["forfeit"],
                SprtDesign(**raw["sprt"]) if "sprt" in raw else None,
            )
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise MatchError(f"the header of the results file makes no sense: {plain(clip(why))}") from None


def _two(values: Any) -> tuple[int, int]:
    first, second = values
    return int(first), int(second)
