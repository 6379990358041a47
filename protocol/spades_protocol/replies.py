"""What an engine prints, as objects (SPEC.md, sections 9 to 19).

`parse_reply` reads one line into one of the classes below. It is as forgiving as section 11 asks of a reader: pairs
and first words that it does not know are kept and mean nothing. `ClientState` says which command a reply belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spades_protocol.words import SyntaxFault, Word, parse_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Ok:
    """`ok …`: the command has been carried out. `words` are those that are no pairs."""

    id: str | None
    pairs: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Error:
    """`error <code> "<text>" …`: nothing has changed, and why. `code` is empty on a line that names none."""

    id: str | None
    code: str
    text: str
    pairs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Best:
    """`best <action> …`: what `go` chose; `action` is the command that plays it, `pairs` are the figures."""

    id: str | None
    action: str
    pairs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Info:
    """`info …`: figures of a search that is going on, or, as `error`, the text of `info error "<text>"`."""

    id: str | None
    pairs: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class EventLine:
    """`event <record line>`: something happened in the game; `text` is the record line."""

    id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class IdLine:
    """`id …`: who the program is: `name`, `version`, `author`, `kernel`."""

    id: str | None
    pairs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RulesLine:
    """`rules <preset> …`: the presets that the program has."""

    id: str | None
    presets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionLine:
    """`option name=… type=… default=… …`: one option of the program."""

    id: str | None
    pairs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ValueLine:
    """`value <option>=<value>`: what an option is set to."""

    id: str | None
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class HelpLine:
    """`help "<text>"`: a line for people."""

    id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class StateLine:
    """`state <json>`: the game as one JSON object, still as text."""

    id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class LegalLine:
    """`legal <action>`: something that the seat to act may do."""

    id: str | None
    action: str


@dataclass(frozen=True, slots=True)
class RecordLine:
    """`record <line>`: one line of the script that sets the game up again."""

    id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class PerftLine:
    """`perft "<action>" <count>`: how many sequences begin with the action."""

    id: str | None
    action: str
    count: int


@dataclass(frozen=True, slots=True)
class UnknownLine:
    """A line whose first word means nothing here, or an empty one; a reader ignores it."""

    id: str | None
    text: str


Reply: TypeAlias = (
    Ok | Error | Best | Info | EventLine | IdLine | RulesLine | OptionLine | ValueLine | HelpLine | StateLine
    | LegalLine | RecordLine | PerftLine | UnknownLine
)  # fmt: skip
"""Anything that `parse_reply` returns."""

FINAL: Final = frozenset(("ok", "error", "best"))
"""The first words of the lines that end a command."""


def split_reply(line: str) -> tuple[str | None, str, str]:
    """Split a line into its id without `#`, or None, its first word, and the rest; the last two may be empty.

    Nothing is unquoted. Raises SyntaxFault for a line that begins with `#` and has no proper id.
    """
    head, _, rest = line.replace("\t", " ").strip(" ").partition(" ")
    if not head.startswith("#"):
        return None, head, _strip(line, head)
    # Checks the id with the one rule for it; a stand-in follows, because an id alone is a fault of another kind.
    name = parse_words(f"{head} _").id
    head_of_rest = rest.lstrip(" ").partition(" ")[0]
    return name, head_of_rest, _strip(_strip(line, head), head_of_rest)


def _strip(line: str, word: str) -> str:
    """Take a word and the blanks around it off the front of a line, whose other blanks stay as they are."""
    return line.strip(" \t")[len(word) :].strip(" \t")


def parse_reply(line: str) -> Reply:
    """Read one line that an engine printed, given without its LF.

    Raises SyntaxFault for a line that cannot be split into words, or whose first word is known and whose other words do
    not make sense after it. Of a key that comes twice the first value counts.
    """
    id_, first, rest = split_reply(line)
    reader = _READERS.get(first)
    if reader is not None:
        return reader(id_, rest)
    return UnknownLine(id_, f"{first} {rest}".rstrip(" "))


def _words(rest: str) -> list[Word]:
    # Something in front keeps a word that starts with # from being read as an id.
    return parse_words(f"_ {rest}").words[1:]


def _pairs(words: Iterable[Word]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        if word.key is not None:
            pairs.setdefault(word.key, word.text)
    return pairs


def _plain(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words if word.key is None)


def _ok(id_: str | None, rest: str) -> Ok:
    words = _words(rest)
    return Ok(id_, _pairs(words), _plain(words))


def _error(id_: str | None, rest: str) -> Error:
    words = _words(rest)
    plain = (*_plain(words), "", "")
    return Error(id_, plain[0], plain[1], _pairs(words))


def _best(id_: str | None, rest: str) -> Best:
    words = _words(rest)
    count = 0
    while count < len(words) and words[count].key is None and "=" not in words[count].text:
        count += 1
    if not count:
        raise SyntaxFault("best names no action")
    return Best(id_, " ".join(str(word) for word in words[:count]), _pairs(words))


def _info(id_: str | None, rest: str) -> Info:
    words = _words(rest)
    plain = _plain(words)
    error = (*plain, "")[1] if plain[:1] == ("error",) else None
    return Info(id_, _pairs(words), error)


def _id(id_: str | None, rest: str) -> IdLine:
    return IdLine(id_, _pairs(_words(rest)))


def _rules(id_: str | None, rest: str) -> RulesLine:
    return RulesLine(id_, _plain(_words(rest)))


def _option(id_: str | None, rest: str) -> OptionLine:
    pairs = _pairs(_words(rest))
    if "name" not in pairs:
        raise SyntaxFault("option names no option")
    return OptionLine(id_, pairs)


def _value(id_: str | None, rest: str) -> ValueLine:
    pairs = _pairs(_words(rest))
    if len(pairs) != 1:
        raise SyntaxFault("value gives one option")
    ((name, value),) = pairs.items()
    return ValueLine(id_, name, value)


def _help(id_: str | None, rest: str) -> HelpLine:
    return HelpLine(id_, " ".join(word.text if word.key is None else str(word) for word in _words(rest)))


def _perft(id_: str | None, rest: str) -> PerftLine:
    plain = _plain(_words(rest))
    if len(plain) != 2 or not (plain[1].isascii() and plain[1].isdigit()):
        raise SyntaxFault("perft gives an action and a count")
    return PerftLine(id_, plain[0], int(plain[1]))


_READERS: Final[Mapping[str, Callable[[str | None, str], Reply]]] = {
    "ok": _ok,
    "error": _error,
    "best": _best,
    "info": _info,
    "event": EventLine,
    "id": _id,
    "rules": _rules,
    "option": _option,
    "value": _value,
    "help": _help,
    "state": StateLine,
    "legal": LegalLine,
    "record": RecordLine,
    "perft": _perft,
}

KNOWN_LINES: Final = frozenset(_READERS)
"""The first words of all lines that an engine prints."""
