"""The commands of the protocol: which there are, when each may come, and what may follow it (SPEC.md, 11 to 19)."""

from __future__ import annotations

from spades_protocol.errors import ERRORS, WHYS, ProtocolError
from spades_protocol.help_texts import HELP
from spades_protocol.words import Word, clip, is_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Final, Literal, TypeAlias

    State: TypeAlias = Literal["new", "idle", "thinking"]
    Verdict: TypeAlias = Literal["yes", "wrong-phase", "busy"]

__all__ = [
    "CAPABILITIES",
    "COMMANDS",
    "ERRORS",
    "GAME_COMMANDS",
    "IDLE",
    "LEVELS",
    "MAX_DIGITS",
    "MAX_SEED",
    "NEW",
    "PHASES",
    "STATES",
    "STATE_NAMES",
    "THINKING",
    "THINKING_COMMANDS",
    "VERSION",
    "WHYS",
    "Arguments",
    "CommandInfo",
    "ProtocolError",
    "choose_version",
    "help_lines",
    "is_command",
    "is_private",
    "is_seed",
    "parse_int",
    "suggest",
]

VERSION: Final = 1
"""The version of the protocol that this package speaks."""

LEVELS: Final = ("core", "seat", "table", "analysis", "tools")
"""The levels, in the order of the handshake (section 14)."""

CAPABILITIES: Final = ("deck", "scores", "explain")
"""The capability words that version 1 knows (section 14)."""

MAX_DIGITS: Final = 18
"""Digits of the longest integer (section 25)."""

MAX_SEED: Final = 64
"""Characters of the longest seed (section 25)."""

NEW: Final = "new"
IDLE: Final = "idle"
THINKING: Final = "thinking"
STATE_NAMES: Final[tuple[State, ...]] = (NEW, IDLE, THINKING)
"""The states of a process (section 12)."""

PHASES: Final = ("deal", "blind", "look", "draw", "draft", "swap", "bid", "play", "over")
"""The phases of a game (section 12)."""


class CommandInfo:
    """One command: its name, the lowest level that has it, its usage in one line, and the lines that explain it."""

    __slots__ = ("help", "level", "name", "usage")

    def __init__(self, name: str, level: str, usage: str, help: tuple[str, ...]) -> None:  # noqa: A002 - as the command
        self.name = name
        self.level = level
        self.usage = usage
        self.help = help

    def __repr__(self) -> str:
        return f"CommandInfo({self.name!r}, {self.level!r}, {self.usage!r})"


# The rows of section 12: name, level (section 14), and what the command gives while new and while thinking. While idle
# every command may come.
_ROWS: Final[tuple[tuple[str, str, Verdict, Verdict], ...]] = (
    ("usp", "core", "yes", "busy"),
    ("help", "core", "yes", "yes"),
    ("known", "core", "yes", "yes"),
    ("ping", "core", "yes", "yes"),
    ("quit", "core", "yes", "yes"),
    ("stop", "core", "yes", "yes"),
    ("get", "core", "wrong-phase", "yes"),
    ("set", "core", "wrong-phase", "busy"),
    ("log", "core", "wrong-phase", "busy"),
    ("newgame", "seat", "wrong-phase", "busy"),
    ("position", "seat", "wrong-phase", "busy"),
    ("deal", "seat", "wrong-phase", "busy"),
    ("look", "seat", "wrong-phase", "busy"),
    ("draft", "seat", "wrong-phase", "busy"),
    ("swap", "seat", "wrong-phase", "busy"),
    ("bid", "seat", "wrong-phase", "busy"),
    ("play", "seat", "wrong-phase", "busy"),
    ("trick", "seat", "wrong-phase", "busy"),
    ("end", "seat", "wrong-phase", "busy"),
    ("undo", "seat", "wrong-phase", "busy"),
    ("state", "seat", "wrong-phase", "yes"),
    ("record", "seat", "wrong-phase", "yes"),
    ("legal", "seat", "wrong-phase", "yes"),
    ("score", "seat", "wrong-phase", "yes"),
    ("go", "seat", "wrong-phase", "busy"),
    ("perft", "tools", "wrong-phase", "busy"),
    ("bench", "tools", "wrong-phase", "busy"),
    ("solve", "tools", "wrong-phase", "busy"),
    ("selftest", "tools", "wrong-phase", "busy"),
)

COMMANDS: Final[dict[str, CommandInfo]] = {
    name: CommandInfo(name, level, HELP[name][0], HELP[name][1:]) for name, level, _, _ in _ROWS
}
"""Every command by its name, in the order of section 12."""

STATES: Final[dict[tuple[State, str], Verdict]] = {}
"""The table of section 12: what a (state, command) gives, `yes` or the error code."""

for _name, _, _new, _thinking in _ROWS:
    STATES[NEW, _name] = _new
    STATES[IDLE, _name] = "yes"
    STATES[THINKING, _name] = _thinking

THINKING_COMMANDS: Final = ("go", "perft", "bench", "solve", "selftest")
"""The commands that make a process think until their final reply."""

GAME_COMMANDS: Final = (
    "newgame", "deal", "look", "draft", "swap", "bid", "play", "trick", "score", "end",
)  # fmt: skip
"""The commands that `position` may hold: the lines of a record."""


def is_command(name: str) -> bool:
    """Tell whether `name` is a command of this version."""
    return name in COMMANDS


def is_private(name: str) -> bool:
    """Tell whether a command, key or option name is one of those kept for private use: it starts with `x-`."""
    return name.startswith("x-")


def help_lines(words: Iterable[Word] = ()) -> list[str]:
    """Return the texts that `help` prints, each for one `help "<text>"` line; whatever follows `help`, it never fails.

    For a command: its usage, then what it does. For anything else: the usage of every command.
    """
    first = next(iter(words), None)
    info = COMMANDS.get(first.text) if first is not None and first.key is None else None
    if info is not None:
        return [info.usage, *info.help]
    lines = [] if first is None else [f"There is no command {clip(first.text)}. These are the commands:"]
    lines += [other.usage for other in COMMANDS.values()]
    lines.append("help <command> tells more about one of them.")
    return lines


def choose_version(words: list[Word]) -> int:
    """Return the version that `usp` and these words agree on.

    Raises ProtocolError: `bad-syntax` without a version, `bad-argument` for a word that is no number, `unsupported`,
    with `versions`, when none of those offered is spoken here.
    """
    if not words:
        raise ProtocolError("bad-syntax", "usp needs the versions that the client speaks: usp 1")
    offered = []
    for word in words:
        if word.key is not None:
            if is_private(word.key):
                continue
            raise ProtocolError("bad-argument", f"usp takes versions only, not {clip(word.key)}=")
        if is_private(word.text):
            continue
        # A number of any length is a version that somebody may speak; none but ours is spoken here.
        digits = word.text.removeprefix("+")
        if not _is_digits(digits):
            raise ProtocolError("bad-argument", f"{clip(word.text)}: a version is a number")
        offered.append(digits.lstrip("0"))
    if str(VERSION) not in offered:
        raise ProtocolError("unsupported", f"this program speaks version {VERSION}", {"versions": VERSION})
    return VERSION


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def is_seed(text: str) -> bool:
    """Tell whether `text` is a seed of the deck: 1 to 64 letters, digits, `.`, `_` or `-`."""
    # A key may not begin with a digit; a seed may.
    return len(text) <= MAX_SEED and is_key("k" + text) and bool(text)


def parse_int(text: str, minimum: int | None = None, maximum: int | None = None) -> int:
    """Return the integer that `text` is: ASCII digits, at most 18, with an optional `+` or `-` in front.

    Raises ProtocolError: `bad-argument` for anything else, `out-of-range`, with `min` and `max` as far as they are
    given, for a number outside them or of too many digits.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not _is_digits(digits):
        raise ProtocolError("bad-argument", f"{clip(text) or 'nothing'}: an integer is expected")
    if len(digits) <= MAX_DIGITS:
        number = int(text)
        if (minimum is None or number >= minimum) and (maximum is None or number <= maximum):
            return number
    extra = {}
    if minimum is not None:
        extra["min"] = minimum
    if maximum is not None:
        extra["max"] = maximum
    bounds = " to ".join(map(str, extra.values())) if len(extra) == 2 else f"at most {MAX_DIGITS} digits"
    if len(extra) == 1:
        bounds = f"at least {minimum}" if minimum is not None else f"at most {maximum}"
    raise ProtocolError("out-of-range", f"{clip(text)}: the range is {bounds}", extra)


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `word` was probably meant to be, or None where none is close.

    Close is: the same but for upper and lower case, or for `-` instead of `_`; a few letters wrong, missing, too many
    or exchanged (one in a short word, two from six letters on); or the beginning, at least three letters long, of one
    candidate only. Of several the closest is taken; of equally close ones the one that begins alike for longest, and
    then the first.
    """
    names = list(candidates)
    if not word or len(word) > 40:
        return None
    plain = _fold(word)
    for name in names:
        if _fold(name) == plain:
            return name
    allowed = 2 if len(plain) >= 6 else 1
    close = []
    for place, name in enumerate(names):
        distance = _distance(plain, _fold(name), allowed)
        # Two one-letter words are never alike, nor is a word of which nothing is left.
        if distance <= allowed and distance < min(len(plain), len(name)):
            close.append((distance, -_alike(plain, _fold(name)), place))
    if close:
        return names[min(close)[2]]
    longer = [name for name in names if len(plain) >= 3 and _fold(name).startswith(plain)]
    return longer[0] if len(longer) == 1 else None


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_")


def _alike(left: str, right: str) -> int:
    """Return how many letters two words have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _distance(left: str, right: str, limit: int) -> int:
    """Return how many letters must be changed, added, removed or exchanged with a neighbour; `limit` + 1 if more."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return min(row[-1], limit + 1)


class Arguments:
    """The words after a command, checked against what the command takes, in the order that section 11 demands.

    Making one checks the form: a word missing, a word too many, a key or a flag given twice (`bad-syntax`), then a key
    or word that the command does not know (`bad-argument`, with `suggest`). The methods then read single values; each
    raises ProtocolError `bad-argument`. A number outside its range is kept until `done`, because a `bad-argument`
    anywhere on the line comes before it: call `done` when everything has been read.

    `keys` are the keys taken, or None for any; `positional` is the least and the greatest number of words that are no
    pairs; `flags` are words that may stand anywhere, each once (`infinite`). Unknown keys that start with `x-`, and
    such words where there are flags, are passed over; but a key twice is a fault of form, whatever the key.
    """

    __slots__ = ("_late", "flags", "pairs", "positional")

    def __init__(
        self,
        words: list[Word],
        keys: Collection[str] | None = (),
        positional: tuple[int, int] = (0, 0),
        flags: Collection[str] = (),
    ) -> None:
        self._late: ProtocolError | None = None
        self.pairs: dict[str, str] = {}
        self.flags: set[str] = set()
        self.positional: list[Word] = []
        fault: ProtocolError | None = None
        seen: set[str] = set()
        for word in words:
            if word.key is not None:
                if word.key in seen:
                    raise ProtocolError("bad-syntax", f"{clip(word.key)}= is given twice")
                seen.add(word.key)
                if keys is None or word.key in keys:
                    self.pairs[word.key] = word.text
                elif not is_private(word.key):
                    fault = fault or _unknown(word.key, (*(keys or ()), *flags), "key")
            elif flags and word.text in flags:
                if word.text in self.flags:
                    raise ProtocolError("bad-syntax", f"{clip(word.text)} is given twice")
                self.flags.add(word.text)
            elif flags and positional[1] == 0:
                if not is_private(word.text):
                    fault = fault or _unknown(word.text, (*flags, *(keys or ())), "word")
            else:
                self.positional.append(word)
        count = len(self.positional)
        if count < positional[0]:
            raise ProtocolError("bad-syntax", "a word is missing")
        if count > positional[1]:
            surplus = self.positional[positional[1]].text
            raise ProtocolError("bad-syntax", f"{clip(surplus) or 'an empty word'}: a word too many")
        if fault is not None:
            raise fault

    def word(self, index: int) -> str | None:
        """Return the value of a word that is no pair, counted from 0, or None where there are not so many."""
        return self.positional[index].text if index < len(self.positional) else None

    def value(self, key: str) -> str | None:
        """Return the value of a key, or None where it is not given."""
        return self.pairs.get(key)

    def choice(self, key: str, choices: Collection[str]) -> str | None:
        """Return the value of a key, which must be one of `choices`, or None where it is not given."""
        text = self.pairs.get(key)
        return None if text is None else parse_choice(text, choices, key)

    def integer(self, key: str, minimum: int | None = None, maximum: int | None = None) -> int | None:
        """Return the integer value of a key, or None where it is not given.

        A number outside the range is remembered for `done`, and the nearest bound that there is stands in for it.
        """
        text = self.pairs.get(key)
        return None if text is None else self.number(text, minimum, maximum, key)

    def number(self, text: str, minimum: int | None = None, maximum: int | None = None, what: str = "") -> int:
        """Return the integer that `text` is, as `integer` does for a key; `what` names it in the error text."""
        try:
            return parse_int(text, minimum, maximum)
        except ProtocolError as error:
            named = ProtocolError(error.code, f"{what}: {error.text}" if what else error.text, error.extra)
            if error.code != "out-of-range":
                raise named from None
            self._late = self._late or named
            return next((bound for bound in (minimum, maximum) if bound is not None), 0)

    def done(self) -> None:
        """Raise the `out-of-range` that was found first, if any."""
        if self._late is not None:
            raise self._late


def parse_choice(text: str, choices: Collection[str], what: str = "") -> str:
    """Return `text`, which must be one of `choices`; raises ProtocolError `bad-argument`, with `suggest`, if not."""
    if text in choices:
        return text
    near = suggest(text, choices)
    head = f"{what}: " if what else ""
    tail = "" if len(choices) > 12 else f": one of {', '.join(choices)} is expected"
    raise ProtocolError("bad-argument", f"{head}{clip(text) or 'nothing'} does not fit{tail}", _near(near))


def _unknown(name: str, candidates: Collection[str], what: str) -> ProtocolError:
    return ProtocolError("bad-argument", f"{clip(name) or 'empty'}: no such {what}", _near(suggest(name, candidates)))


def _near(near: str | None) -> dict[str, str | int]:
    return {} if near is None else {"suggest": near}
