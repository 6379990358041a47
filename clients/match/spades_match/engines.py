"""The engines of a match: how each is started, set up and limited, read from a line of text.

    name=house cmd="spades-engine" nodes=2000 option.multipv=1
    python3 bot.py movetime=50 limit.start=30

Words that are no `key=value` are the command, unless `cmd=` gives it (needed where the command itself has a `=`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import PurePath
from typing import Any, Final

from spades_client.limits import Limit
from spades_match.outcomes import MatchError
from spades_protocol.lines import encode_line

BARE: Final = Limit()
"""No limit: the engine's option `movetime`."""

_GO_KEYS: Final = ("nodes", "movetime", "clock", "inc")
_LONGEST: Final = 1e6  # seconds
RESERVED: Final = ("draw",)
"""Names that no engine can have."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
# Programs that say nothing about what they run: the name is sought in the next word.
_INTERPRETERS = re.compile(r"(python|pypy|node|java|ruby|perl|bash|sh)[0-9.]*(\.exe)?")


@dataclass(frozen=True, slots=True)
class StepLimits:
    """How long the runner waits for each step of a conversation, in seconds; messages name the limit that ran out.

    start: from the start of the process to the end of the handshake, and for the options set then.
    newgame: for the answer to `newgame`.
    ping: for the answer to `ping`, and to a line that only tells what has happened.
    move: for the answer to a `go` that no time limits (nodes alone, or nothing).
    margin: what an answer to `go` may be late by, beyond its time; more is a time loss.
    stall: how long an answer that is late already is waited for; what never comes is a stall.
    quit: for the process to end by itself; then it is killed.
    """

    start: float = 15.0
    newgame: float = 10.0
    ping: float = 10.0
    move: float = 120.0
    margin: float = 0.5
    stall: float = 10.0
    quit: float = 2.0


STEPS: Final = tuple(step.name for step in fields(StepLimits))
"""The names of the step limits."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """One engine of a match.

    `command` are the words of its command line; `options` go to `set`; `limit` is what `go` says; `clock` and `inc` are
    per seat and hand. `fresh`: new processes for every board, for an engine that remembers what it should not.
    """

    name: str
    command: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    limit: Limit = BARE
    steps: StepLimits = field(default_factory=StepLimits)
    fresh: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return it as the header of a results file has it."""
        limits: dict[str, Any] = {key: getattr(self.limit, key) for key in _GO_KEYS}
        limits = {key: value for key, value in limits.items() if value is not None}
        limits["steps"] = asdict(self.steps)
        return {
            "name": self.name,
            "command": list(self.command),
            "options": dict(self.options),
            "limits": limits,
            "fresh": self.fresh,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> EngineSpec:
        """Read what `as_json` gave. Raises KeyError, TypeError or ValueError for anything else."""
        limits = dict(raw["limits"])
        steps = StepLimits(**{step: float(seconds) for step, seconds in limits.pop("steps").items()})
        command, options = tuple(raw["command"]), dict(raw["options"])
        texts = [raw["name"], *command, *options, *options.values()]
        if not raw["name"] or not command:
            raise ValueError("an engine has a name and a command")
        if not all(0 <= seconds <= _LONGEST for seconds in asdict(steps).values()):
            raise ValueError("the limits of steps are numbers of seconds")
        if type(raw["fresh"]) is not bool:
            raise TypeError("fresh is true or false")
        if isinstance(raw["command"], str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("an engine's name, command and options are texts")
        return cls(raw["name"], command, options, Limit(**limits), steps, bool(raw["fresh"]))


def parse_engine(text: str, each: str = "") -> EngineSpec:
    """Read an engine from its line; `each` is a line of keys for every engine, which the engine's own come before.

    Raises MatchError for what makes no sense.
    """
    common, extra = _split(each)
    if extra or "cmd" in common or "name" in common:
        raise MatchError(f"{each}: what holds for each engine has no command and no name")
    pairs, words = _split(text)
    if "cmd" in pairs:
        if words:
            raise MatchError(f"{text}: {words[0]!r} is no key=value, and cmd= gives the command already")
        words = _shell_words(pairs.pop("cmd"))
    if not words:
        raise MatchError(f"{text}: no command: say cmd=... or just the words of the command line")
    name = pairs.pop("name", None) or _name_of(words)
    if name in RESERVED:
        raise MatchError(
            f"{name!r} is no name for an engine: it is what the results call a draw; give it another by name="
        )
    if not _NAME.fullmatch(name):
        raise MatchError(f"{name!r} is no name for an engine: up to 40 letters, digits, '.', '_', '+' and '-'")
    if any(key in pairs for key in _GO_KEYS):  # its own limit takes the place of the common one, not part of it
        common = {key: value for key, value in common.items() if key not in _GO_KEYS}
    pairs = common | pairs
    options = {key[7:]: pairs.pop(key) for key in list(pairs) if key.startswith("option.")}
    for key, value in options.items():
        try:
            encode_line(f"set {key}={value}")
        except ValueError as error:
            raise MatchError(f"option.{key}: its value cannot be sent: {error}") from None
    steps = {key[6:]: _seconds(key, pairs.pop(key)) for key in list(pairs) if key.startswith("limit.")}
    fresh = pairs.pop("fresh", "no")
    if fresh not in ("yes", "no"):
        raise MatchError(f"fresh={fresh}: it is yes or no")
    try:
        numbers = {key: _whole(key, value) for key, value in pairs.items()}
        limit = Limit(numbers.get("movetime"), numbers.get("nodes"), numbers.get("clock"), numbers.get("inc"))
    except ValueError as error:
        raise MatchError(f"{text}: {error}") from None
    return EngineSpec(name, tuple(words), options, limit, StepLimits(**steps), fresh == "yes")


def parse_engines(texts: Sequence[str], each: str = "") -> tuple[EngineSpec, ...]:
    """Read the engines of a match; where programs have the same name the later ones get a number (`bot`, `bot-2`).

    A name that `name=` gives is kept. Raises MatchError for what makes no sense, and for one given twice.
    """
    specs = [parse_engine(text, each) for text in texts]
    given = [_split(text)[0].get("name") for text in texts]
    for name in given:
        if name is not None and given.count(name) > 1:
            raise MatchError(f"two engines are called {name}: give each a name of its own by name=")
    taken = {name for name in given if name is not None}
    named = []
    for spec, own in zip(specs, given, strict=True):
        if own is not None:
            named.append(spec)
            continue
        name, number = spec.name, 1
        while name in taken:
            number += 1
            name = f"{spec.name}-{number}"
        taken.add(name)
        named.append(EngineSpec(name, spec.command, spec.options, spec.limit, spec.steps, spec.fresh))
    return tuple(named)


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """Split a line into its pairs and its other words."""
    pairs: dict[str, str] = {}
    words: list[str] = []
    for word in _shell_words(text):
        key, equals, value = word.partition("=")
        if not equals:
            words.append(word)
            continue
        _check_key(text, key)
        if key in pairs:
            raise MatchError(f"{text}: {key}= is given twice")
        pairs[key] = value
    return pairs, words


def _check_key(text: str, key: str) -> None:
    if key in ("name", "cmd", "fresh", *_GO_KEYS) or (key.startswith("option.") and len(key) > 7):
        return
    if key.startswith("limit."):
        if key[6:] in STEPS:
            return
        raise MatchError(f"{key}: the steps with a limit are {', '.join(STEPS)}")
    raise MatchError(
        f"{text}: {key}= is not known here; there are name, cmd, {', '.join(_GO_KEYS)}, fresh, option.<name> and "
        "limit.<step>. A command with a '=' in it is given as cmd='...'"
    )


def _shell_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise MatchError(f"{text}: {error}") from None


def _name_of(words: Sequence[str]) -> str:
    """Name an engine after its program, or after the script that an interpreter runs."""
    stems = [re.sub(r"[^A-Za-z0-9._+-]", "-", PurePath(word).stem) for word in words if not word.startswith("-")]
    named = [stem for stem in stems if not _INTERPRETERS.fullmatch(stem)]
    return (named or stems or ["engine"])[0].strip("-._+")[:40] or "engine"


def _whole(key: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise MatchError(f"{key}={text}: it is a whole number")
    return int(text)


def _seconds(key: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST:
        raise MatchError(f"{key}={text}: it is a number of seconds")
    return seconds
