r"""Words of a line, and back (SPEC.md, sections 10 and 11).

A line is a list of words: bare (`AS,KD`), quoted (`"Spades Engine"`, with `\"` and `\\`), or a pair `key=value` whose
value is bare or quoted. The first word may be an id (`#17`).
"""

from __future__ import annotations

from spades_protocol.lines import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

KEY_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
"""What a key is made of. Keys are lower case but for a seat or a side (`total.NS`, `S`); a key in the wrong case is a
key all the same, so that the error about it can name the right one."""


class SyntaxFault(Exception):
    """A line that cannot be split into words, or that has an id and no command; `text` says what is wrong, for people.

    The reply to it is `bad-syntax`.
    """

    code: Final = "bad-syntax"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Word:
    """One word: its value without quotes, its key where it is a pair, and whether the value was quoted."""

    __slots__ = ("key", "quoted", "text")

    def __init__(self, text: str, key: str | None = None, quoted: bool = False) -> None:
        self.text = text
        self.key = key
        self.quoted = quoted

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Word):
            return NotImplemented
        return (self.text, self.key, self.quoted) == (other.text, other.key, other.quoted)

    def __hash__(self) -> int:
        return hash((self.text, self.key, self.quoted))

    def __repr__(self) -> str:
        return f"Word({self.text!r}, key={self.key!r}, quoted={self.quoted!r})"

    def __str__(self) -> str:
        """Return the word as it is written on a line."""
        value = quote(self.text) if self.quoted else self.text
        return value if self.key is None else f"{self.key}={value}"

    @property
    def is_bare(self) -> bool:
        """Whether the word is neither quoted nor a pair."""
        return self.key is None and not self.quoted


class Message:
    """One line taken apart: the id without its `#`, or None, and the words after it."""

    __slots__ = ("id", "words")

    def __init__(self, id: str | None, words: list[Word]) -> None:  # noqa: A002 - the protocol's word
        self.id = id
        self.words = words

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.id, self.words) == (other.id, other.words)

    __hash__ = None  # type: ignore[assignment]  # holds a list

    def __repr__(self) -> str:
        return f"Message({self.id!r}, {self.words!r})"

    def __str__(self) -> str:
        return format_reply(self.id, *map(str, self.words))


def is_key(text: str) -> bool:
    """Tell whether `text` can stand before the `=` of a pair: a letter, then letters, digits, `_`, `.` and `-`."""
    return bool(text) and KEY_CHARACTERS.issuperset(text) and text[0].isalpha()


def is_ignored(text: str) -> bool:
    """Tell whether a line is passed over without an answer: it is empty, or its first word starts with `;`."""
    start = text.lstrip(" \t")
    return not start or start[0] == ";"


def parse_words(text: str) -> Message:
    r"""Split a line into its id and its words.

    A line without words gives an empty list. Raises SyntaxFault for a quote that is left open or stands inside a bare
    word, for a backslash in a quoted word before anything but `"` and `\\`, for a first word that begins with `#` and
    is no id, and for an id alone.
    """
    text = text.replace("\t", " ") if '"' not in text else text
    words = _scan(text) if '"' in text else [_bare(piece) for piece in text.split(" ") if piece]
    if not words or not words[0].text.startswith("#") or not words[0].is_bare:
        # A pair cannot start with `#`: what stands before its `=` is no key.
        return Message(None, words)
    name = words[0].text[1:]
    if not is_id(name):
        raise SyntaxFault("an id is # and 1 to 32 letters, digits, dots, underscores or hyphens")
    if len(words) == 1:
        raise SyntaxFault("an id and no command")
    return Message(name, words[1:])


def _bare(piece: str) -> Word:
    """Make a word of a piece of the line that holds no quotes."""
    key, equals, value = piece.partition("=")
    if equals and is_key(key):
        return Word(value, key)
    return Word(piece)


def _scan(text: str) -> list[Word]:
    """Split a line in which something is quoted."""
    words: list[Word] = []
    position, length = 0, len(text)
    while True:
        while position < length and text[position] in " \t":
            position += 1
        if position == length:
            return words
        start = position
        while position < length and text[position] not in ' \t"':
            position += 1
        piece = text[start:position]
        if position == length or text[position] != '"':
            words.append(_bare(piece))
            continue
        key = piece[:-1]
        if piece and not (piece.endswith("=") and is_key(key)):
            raise SyntaxFault("a quote inside a word; quotes go around a whole word or a whole value")
        value, position = _quoted(text, position + 1)
        if position < length and text[position] not in " \t":
            raise SyntaxFault("a blank is missing after the closing quote")
        words.append(Word(value, key or None, quoted=True))


def _quoted(text: str, position: int) -> tuple[str, int]:
    """Read the inside of a quoted word from `position`; return its value and where the line goes on."""
    parts: list[str] = []
    while True:
        end = text.find('"', position)
        if end < 0:
            raise SyntaxFault("a quote is left open")
        slash = text.find("\\", position, end)
        if slash < 0:
            parts.append(text[position:end])
            return "".join(parts), end + 1
        escaped = text[slash + 1 : slash + 2]
        if escaped not in ('"', "\\"):
            raise SyntaxFault('inside quotes a backslash stands before " or another backslash')
        parts.append(text[position:slash] + escaped)
        position = slash + 2


def split_commands(words: list[Word]) -> list[list[Word]]:
    """Split the words of `position` at each bare word `;`; an empty command is an empty list."""
    commands: list[list[Word]] = [[]]
    for word in words:
        if word.is_bare and word.text == ";":
            commands.append([])
        else:
            commands[-1].append(word)
    return commands


def quote(text: str) -> str:
    """Return `text` in quotes, whether it needs them or not."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def clip(text: str, length: int = 60) -> str:
    """Return `text`, cut to at most `length` characters with a `...` at the end, to be shown inside an error text."""
    return text if len(text) <= length else text[: length - 3] + "..."


def format_word(text: str) -> str:
    """Return `text` as one word: bare where it reads back as the same bare word in any place, quoted otherwise."""
    if not text or text[0] in "#;" or any(character in ' \t"' for character in text):
        return quote(text)
    key, equals, _ = text.partition("=")
    return quote(text) if equals and is_key(key) else text


def format_value(text: str) -> str:
    """Return `text` as the value of a pair: bare where it can be, quoted if it is empty or holds blanks or quotes."""
    return quote(text) if not text or any(character in ' \t"' for character in text) else text


def format_pair(key: str, value: str | int, *, quoted: bool = False) -> str:
    """Return `key=value`, the value quoted where it needs to be, or always if `quoted`."""
    text = str(value)
    return f"{key}={quote(text) if quoted else format_value(text)}"


def format_signed(number: int) -> str:
    """Return a score as the protocol writes it, with its sign: `+42`, `-50`, `+0`."""
    return f"{number:+d}"


def format_reply(id: str | None, *words: str) -> str:  # noqa: A002 - the protocol's word
    """Join words that are already formatted to a line, with the id in front where there is one."""
    return " ".join(words if id is None else (f"#{id}", *words))
