"""protocol/grammar.abnf as a check that other tests can run over whole conversations.

`validate_command(line)` and `validate_reply(line)` hold one line against the grammar and raise GrammarFault if it does
not fit; `Watcher` does so for a conversation and also pairs replies with commands. Lines are text without LF.

The library `abnf` reads the grammar. Its own parsers need milliseconds a line and the grammar is regular (no rule comes
back to itself, not even for the JSON of `state`, whose shape is fixed), so every rule becomes a regular expression, at
some microseconds a line. Reading the grammar takes the library seconds; the tree it finds is kept in `__pycache__`
until the grammar or this file changes.
"""

import functools
import hashlib
import itertools
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

GRAMMAR = Path(__file__).parents[2] / "protocol" / "grammar.abnf"

MAX_LINE = 65_535

Tree: TypeAlias = list[Any]
"""A kind and what it is made of: `alt` and `cat` and their trees; `rep`, the least count, the greatest or None, a tree;
`ref` and a rule's name; `text`, the text, whether case matters; `range`, the first character and the last."""

# The rules of RFC 5234, appendix B.1, that the grammar uses.
CORE: Mapping[str, Tree] = {
    "alpha": ["alt", ["range", "A", "Z"], ["range", "a", "z"]],
    "digit": ["range", "0", "9"],
    "dquote": ["text", '"', True],
    "htab": ["text", "\t", True],
    "sp": ["text", " ", True],
    "wsp": ["alt", ["text", " ", True], ["text", "\t", True]],
}

THINKING = frozenset(("go", "perft", "bench", "solve", "selftest"))
FINAL = frozenset(("ok", "error", "best"))

# A word, quotes and all; good enough for a line that the grammar has already accepted.
_WORD = re.compile(r'(?:[^ \t"]*")(?:[^"\\]|\\.)*"|[^ \t"]+')


class GrammarFault(AssertionError):
    """A line, or a conversation, that the protocol does not have."""


# --- Reading the grammar ----------------------------------------------------------------------------------------------


def parse_grammar(text: str) -> dict[str, Tree]:
    """Read ABNF and return the tree of every rule by its lower-case name; raises GrammarFault for what is no ABNF."""
    # Slow to import, and not needed while the tree of the grammar is at hand.
    from abnf.parser import ABNFGrammarRule, ParseError

    try:
        rulelist = ABNFGrammarRule("rulelist").parse_all("\r\n".join(text.splitlines()) + "\r\n")
    except ParseError as error:
        raise GrammarFault(f"no ABNF: {error}") from error
    rules: dict[str, Tree] = {}
    for node in rulelist.children:
        if node.name != "rule":
            continue
        name, defined_as, elements = node.children[:3]
        key = name.value.lower()
        tree = _convert(_child(elements, "alternation"))
        if "/" in defined_as.value:
            if key not in rules:
                raise GrammarFault(f"{key} is added to before it is defined")
            rules[key] = ["alt", rules[key], tree]
        elif key in rules:
            raise GrammarFault(f"{key} is defined twice")
        else:
            rules[key] = tree
    return rules


def _child(node: Any, name: str) -> Any:
    return next(child for child in node.children if child.name == name)


def _convert(node: Any) -> Tree:
    """Turn a node of the library, named as in RFC 5234, section 4, into a tree."""
    if node.name in ("alternation", "concatenation"):
        inner = "concatenation" if node.name == "alternation" else "repetition"
        parts = [_convert(child) for child in node.children if child.name == inner]
        return parts[0] if len(parts) == 1 else ["alt" if node.name == "alternation" else "cat", *parts]
    if node.name == "repetition":
        element = _convert(_child(node, "element").children[0])
        counts = [child.value for child in node.children if child.name == "repeat"]
        if not counts:
            return element
        least, star, most = counts[0].partition("*")
        return ["rep", int(least or 0), int(most) if most else (None if star else int(least)), element]
    if node.name in ("group", "option"):
        inside = _convert(_child(node, "alternation"))
        return ["rep", 0, 1, inside] if node.name == "option" else inside
    if node.name == "rulename":
        return ["ref", node.value.lower()]
    if node.name == "char-val":
        text = node.value
        return ["text", text[text.index('"') + 1 : -1], text.startswith("%s")]
    if node.name == "num-val":
        base = {"x": 16, "d": 10, "b": 2}[node.value[1].lower()]
        if "-" in node.value:
            low, _, high = node.value[2:].partition("-")
            return ["range", chr(int(low, base)), chr(int(high, base))]
        return ["text", "".join(chr(int(code, base)) for code in node.value[2:].split(".")), True]
    raise GrammarFault(f"{node.name} has no meaning here: {node.value}")


@functools.cache
def grammar() -> Mapping[str, Tree]:
    """Return the rules of protocol/grammar.abnf and the core rules that they use."""
    text = GRAMMAR.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode() + Path(__file__).read_bytes()).hexdigest()
    kept = Path(__file__).parent / "__pycache__" / f"grammar-{digest[:16]}.json"
    try:
        rules: dict[str, Tree] = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        rules = parse_grammar(text)
        try:
            kept.parent.mkdir(exist_ok=True)
            for old in kept.parent.glob("grammar-*.json"):
                old.unlink(missing_ok=True)
            kept.write_text(json.dumps(rules), encoding="utf-8")
        except OSError:
            pass  # a tree that cannot be written to is read again the next time
    return {**CORE, **rules}


# --- Rules as regular expressions -------------------------------------------------------------------------------------


@functools.cache
def expression(rule: str) -> str:
    """Return a rule of the grammar as the source of a regular expression."""
    return _expression(["ref", rule], ())


@functools.cache
def pattern(rule: str) -> re.Pattern[str]:
    """Return a rule of the grammar compiled."""
    return re.compile(expression(rule))


def _expression(tree: Tree, above: tuple[str, ...]) -> str:
    """Translate a tree; `above` are the rules that it is part of."""
    kind = tree[0]
    characters = _characters(tree)
    if characters is not None:
        return f"[{characters}]"
    if kind == "ref":
        name: str = tree[1]
        if name in above:
            raise GrammarFault(f"{name} comes back to itself: the grammar is not regular")
        if name not in grammar():
            raise GrammarFault(f"{name} is used and not defined")
        return _expression(grammar()[name], (*above, name))
    if kind == "text":
        text = re.escape(tree[1])
        return text if tree[2] or tree[1].lower() == tree[1].upper() else f"(?i:{text})"
    if kind == "rep":
        counts = "{%d,%s}" % (tree[1], "" if tree[2] is None else tree[2])  # noqa: UP031 - braces upon braces
        return f"(?:{_expression(tree[3], above)}){counts}"
    parts = [_expression(part, above) for part in tree[1:]]
    return "(?:" + ("|" if kind == "alt" else "").join(parts) + ")"


def _characters(tree: Tree) -> str | None:
    """Return the inside of a character class for a tree that stands for single characters, else None."""
    kind = tree[0]
    if kind == "range":
        return f"{_escape(tree[1])}-{_escape(tree[2])}"
    if kind == "text":
        single = len(tree[1]) == 1 and (tree[2] or not tree[1].isalpha())
        return _escape(tree[1]) if single else None
    if kind == "ref":
        # A rule that is missing, or comes back to itself, is not made of single characters; it is reported elsewhere.
        found = grammar().get(tree[1])
        return _characters(found) if found is not None and found[0] in ("range", "text", "alt") else None
    if kind == "alt":
        parts = [_characters(part) for part in tree[1:]]
        return None if None in parts else "".join(part for part in parts if part is not None)
    return None


def _escape(character: str) -> str:
    return f"\\U{ord(character):08x}"


# --- Lines ------------------------------------------------------------------------------------------------------------


def is_command(line: str) -> bool:
    """Tell whether a client may send the line."""
    return pattern("client-line").fullmatch(line) is not None and not _repeated(_commands(line))


def is_reply(line: str, command: str | None = None) -> bool:
    """Tell whether an engine may print the line, as a reply to the command of this name if one is given."""
    if _reply_pattern(command).fullmatch(line) is None:
        return False
    words = _words(line)
    if words[0] == "state" and len(words) > 1:
        return _is_object(line[line.index("{") :])
    return words[:2] == ["record", ";"] or not _repeated([words])


def validate_command(line: str) -> None:
    """Raise GrammarFault unless a client may send the line."""
    _check_length(line)
    if not is_command(line):
        raise GrammarFault(f"not what a client sends: {line!r}")


def validate_reply(line: str, command: str | None = None) -> None:
    """Raise GrammarFault unless an engine prints such lines, as a reply to the command of this name if one is given."""
    _check_length(line)
    if not is_reply(line, command):
        raise GrammarFault(f"not what an engine prints{f' after {command}' if command else ''}: {line!r}")


def validate_read(line: str) -> None:
    """Raise GrammarFault unless the line makes sense to a reader that ignores all that it does not know."""
    _check_length(line)
    words = _words(line)
    known = words[0] if words else ""
    rule = _READ.get(known)
    whole = pattern("read-line") if rule is None else re.compile(f"{_ID_BEFORE}{expression(rule)}[ \t]*")
    if whole.fullmatch(line) is None:
        raise GrammarFault(f"not what a reader can make sense of: {line!r}")


_ID_BEFORE = "[ \t]*(?:#[A-Za-z0-9._-]{1,32}[ \t]+)?"
_READ: Mapping[str, str] = {
    "error": "read-error",
    "best": "read-best",
    "perft": "read-perft",
    **dict.fromkeys(("event", "state", "legal", "record"), "read-text"),
    **dict.fromkeys(("ok", "info", "id", "rules", "option", "value", "help"), "read-words"),
}


@functools.cache
def _reply_pattern(command: str | None) -> re.Pattern[str]:
    if command is None:
        return pattern("engine-line")
    own = "private" if command.startswith("x-") else command
    rules = ["error", f"reply-{own}"] if f"reply-{own}" in grammar() else ["error"]
    return re.compile(f"(?:{expression('id')} )?(?:{'|'.join(map(expression, rules))})")


def _check_length(line: str) -> None:
    if len(line.encode("utf-8", "surrogatepass")) > MAX_LINE:
        raise GrammarFault(f"longer than a line: {line[:100]!r}…")


def _words(line: str) -> list[str]:
    """Return the words of a line without its id."""
    words = _WORD.findall(line)
    return words[1:] if words[:1] and words[0].startswith("#") else words


def _commands(line: str) -> list[list[str]]:
    """Return the words of each command on a line: one, or those of `position`; none where anything may follow."""
    words = _words(line)
    if not words or words[0][0] == ";" or words[0] in ("help", "known") or words[0].startswith("x-"):
        return []
    return [list(part) for separator, part in itertools.groupby(words, lambda word: word == ";") if not separator]


def _repeated(commands: Iterable[Sequence[str]]) -> bool:
    """Tell whether a key comes twice in one command."""
    for words in commands:
        keys = [word.partition("=")[0] for word in words if "=" in word and word[0] not in '"=']
        if len(keys) != len(set(keys)):
            return True
    return False


def _is_object(text: str) -> bool:
    """Tell whether the text is one JSON object in which no key comes twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError("a key comes twice")
        return dict(pairs)

    try:
        return isinstance(json.loads(text, object_pairs_hook=unique), dict)
    except ValueError:
        return False


# --- Conversations ----------------------------------------------------------------------------------------------------


class Watcher:
    """Holds a conversation against the grammar, line by line as it happens.

    Each reply has to be one that its command can have, with that command's id, and each command gets one final reply.
    Commands without an id are paired by what their replies can be; what thinks may be overtaken by what does not.
    """

    def __init__(self) -> None:
        self._pending: list[tuple[str | None, str]] = []

    def sent(self, line: str, *, valid: bool | None = None) -> None:
        """Take a line that has been sent. `valid` says that it has to be in the grammar, or, if false, must not be.

        A line over the limit or with an id that cannot be read counts as a command without an id.
        """
        if valid is not None and is_command(line) is not valid:
            raise GrammarFault(f"{'not ' if valid else ''}what a client sends: {line!r}")
        stripped = line.strip(" \t")
        if not stripped or stripped.startswith(";"):
            return
        words = stripped.replace("\t", " ").split(" ")
        id_ = words[0][1:] if pattern("id").fullmatch(words[0]) else None
        rest = [word for word in words[1 if id_ is not None else 0 :] if word]
        self._pending.append((id_, rest[0] if rest else ""))

    def received(self, line: str) -> None:
        """Take a line that has come back."""
        validate_reply(line)
        id_, _, rest = line[1:].partition(" ") if line.startswith("#") else (None, "", line)
        first = rest.partition(" ")[0]
        candidates = [index for index, (other, _) in enumerate(self._pending) if other == id_]
        fitting = [index for index in candidates if is_reply(line, self._pending[index][1])]
        if not fitting:
            names = [self._pending[index][1] for index in candidates]
            raise GrammarFault(f"no command waits for this ({', '.join(names) or 'none'} do): {line!r}")
        if first in FINAL:
            # An error is for what cannot think, if there is such a one: it was refused and the thinking goes on.
            quick = [index for index in fitting if self._pending[index][1] not in THINKING]
            del self._pending[(quick or fitting)[0]]

    def done(self) -> None:
        """Raise GrammarFault if a command has had no final reply."""
        if self._pending:
            raise GrammarFault(f"no final reply: {self._pending}")


def validate_conversation(lines: Iterable[tuple[Literal[">", "<"], str]]) -> None:
    """Raise GrammarFault unless the lines, sent (`>`) and received (`<`), make a whole conversation."""
    watcher = Watcher()
    for direction, line in lines:
        if direction == ">":
            watcher.sent(line)
        else:
            watcher.received(line)
    watcher.done()


# --- Lines made up from the grammar -----------------------------------------------------------------------------------


def sample(rule: str, source: random.Random) -> str:
    """Return some text that the rule stands for. Repetitions without an end are kept short; keys may come twice."""
    return _sample(["ref", rule], source)


def _sample(tree: Tree, source: random.Random) -> str:
    kind = tree[0]
    if kind == "ref":
        return _sample(grammar()[tree[1]], source)
    if kind == "alt":
        return _sample(source.choice(_alternatives(tree)), source)
    if kind == "cat":
        return "".join(_sample(part, source) for part in tree[1:])
    if kind == "rep":
        most = tree[1] + 4 if tree[2] is None else tree[2]
        return "".join(_sample(tree[3], source) for _ in range(source.randint(tree[1], most)))
    if kind == "range":
        low, high = ord(tree[1]), ord(tree[2])
        # The far end of a great range is as good as any other place in it, and rarer than its beginning.
        return chr(source.choice((source.randint(low, min(high, low + 200)), source.randint(low, high))))
    text: str = tree[1]
    return text


def _alternatives(tree: Tree) -> list[Tree]:
    """Return the alternatives of a tree, those added with `=/` on one level with the others."""
    return [inner for part in tree[1:] for inner in (_alternatives(part) if part[0] == "alt" else [part])]
