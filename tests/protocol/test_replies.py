"""What an engine prints, as objects (SPEC.md, sections 9 to 19)."""

import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.errors import MAX_TEXT, format_error
from spades_protocol.replies import (
    KNOWN_LINES,
    Best,
    Error,
    EventLine,
    HelpLine,
    IdLine,
    Info,
    LegalLine,
    Ok,
    OptionLine,
    PerftLine,
    RecordLine,
    Reply,
    RulesLine,
    StateLine,
    UnknownLine,
    ValueLine,
    parse_reply,
    split_reply,
)
from spades_protocol.words import SyntaxFault, is_key
from tests.protocol.grammar import is_reply, sample

CONTROLS = [*map(chr, range(32)), "\x7f"]

LINES: list[tuple[str, Reply]] = [
    ("ok", Ok(None)),
    ("ok phase=bid turn=S", Ok(None, {"phase": "bid", "turn": "S"})),
    ('ok opponent=""', Ok(None, {"opponent": ""})),
    ("ok done k=1", Ok(None, {"k": "1"}, ("done",))),
    ('error busy "thinking"', Error(None, "busy", "thinking")),
    (
        'error illegal-action "2H: \\"no\\"" why=must-follow line=3',
        Error(None, "illegal-action", '2H: "no"', {"why": "must-follow", "line": "3"}),
    ),
    ("best draft keep equity=0.513 points=+1.8", Best(None, "draft keep", {"equity": "0.513", "points": "+1.8"})),
    ("best swap AS,KD", Best(None, "swap AS,KD")),
    ("best look", Best(None, "look")),
    ('info multipv=1 action="draft keep"', Info(None, {"multipv": "1", "action": "draft keep"})),
    ('info error "no \\\\ luck"', Info(None, {}, "no \\ luck")),
    ("event draft N draw ??", EventLine(None, "draft N draw ??")),
    ('id name="Spades Engine" version=1.0.0', IdLine(None, {"name": "Spades Engine", "version": "1.0.0"})),
    ("rules draft duel", RulesLine(None, ("draft", "duel"))),
    ("option name=seed type=string default=0", OptionLine(None, {"name": "seed", "type": "string", "default": "0"})),
    ('value opponent=""', ValueLine(None, "opponent", "")),
    ('help "bid [<seat>] <bid>"', HelpLine(None, "bid [<seat>] <bid>")),
    ('state {"phase": "bid", "x":"a  b"}', StateLine(None, '{"phase": "bid", "x":"a  b"}')),
    ("legal draft keep", LegalLine(None, "draft keep")),
    ("record ; seed=7 commit=00", RecordLine(None, "; seed=7 commit=00")),
    ("record deal 1 first=S", RecordLine(None, "deal 1 first=S")),
    ('perft "draft keep" 12', PerftLine(None, "draft keep", 12)),
    ("later a=1", UnknownLine(None, "later a=1")),
    ("", UnknownLine(None, "")),
]


@pytest.mark.parametrize(("line", "reply"), LINES)
def test_lines(line: str, reply: Reply) -> None:
    """Every kind of line gives its object, with an id and without, and whatever blanks stand around its words."""
    assert parse_reply(line) == reply
    assert parse_reply(f" \t{line}\t ") == reply
    if line:
        first, _, rest = line.partition(" ")
        tagged = parse_reply(f"#a.1\t {first} \t{rest}")
        assert tagged.id == "a.1"
        assert type(tagged) is type(reply)
        # All but the id is the same.
        assert repr(tagged).replace("id='a.1'", "id=None") == repr(reply)


@pytest.mark.parametrize(("line", "reply"), LINES)
def test_replies_are_values(line: str, reply: Reply) -> None:
    """What has been read cannot be changed."""
    with pytest.raises(AttributeError):
        reply.id = "2"  # type: ignore[misc]  # that is the point
    assert parse_reply(line) == reply


def test_every_kind_is_tried() -> None:
    """The list above has every line that is known."""
    assert {line.split(" ")[0] for line, _ in LINES if line} - {"later"} == KNOWN_LINES


@pytest.mark.parametrize(
    "line",
    [
        'ok name="open',
        'ok a"b"',
        "best",
        "best equity=1",
        "option type=spin",
        "value",
        "value movetime",
        "value a=1 b=2",
        "perft",
        'perft "bid 3"',
        'perft "bid 3" x',
        'perft "bid 3" \u0661',
        "# ok",
        "#a/b ok",
        f"#{'x' * 33} ok",
    ],
)
def test_lines_without_sense(line: str) -> None:
    """What cannot be split, lacks what it is there for, or has an id that is none is a fault."""
    with pytest.raises(SyntaxFault):
        parse_reply(line)


def test_what_is_unknown_is_kept_and_harmless() -> None:
    """Unknown pairs and words on a known line change nothing of what is known."""
    assert parse_reply('best play AS later later=1 x-y="a b" more') == Best(
        None, "play AS later", {"later": "1", "x-y": "a b"}
    )
    assert parse_reply('error busy "thinking" later more=1') == Error(None, "busy", "thinking", {"more": "1"})
    assert parse_reply('perft "look" 5 nps=3') == PerftLine(None, "look", 5)
    assert parse_reply("info later") == Info(None)


def test_an_error_is_an_error_whatever_it_lacks() -> None:
    """Without a text, or a code, an error line is still an error."""
    assert parse_reply("error") == Error(None, "", "")
    assert parse_reply("error busy") == Error(None, "busy", "")
    assert parse_reply("error busy why=x") == Error(None, "busy", "", {"why": "x"})


def test_of_a_key_twice_the_first_counts() -> None:
    """A reader makes do with what should not be."""
    assert parse_reply("ok a=1 a=2") == Ok(None, {"a": "1"})


def test_the_action_of_best_ends_at_the_first_equals_sign() -> None:
    """Also at one in a word that is no pair."""
    assert parse_reply("best bid 3 1=2 equity=0.5") == Best(None, "bid 3", {"equity": "0.5"})


def test_splitting() -> None:
    """Id, first word and rest, unquoted nothing, blanks inside the rest as they were."""
    assert split_reply('#1 state {"a":  "b"} ') == ("1", "state", '{"a":  "b"}')
    assert split_reply("\t#1\t\tok\t a \tb") == ("1", "ok", "a \tb")
    assert split_reply("ok") == (None, "ok", "")
    assert split_reply("#1") == ("1", "", "")
    assert split_reply(" ") == (None, "", "")


@given(
    st.sampled_from(["busy", "out-of-range"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=MAX_TEXT),
    st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True).filter(is_key), st.text('a "\\='), max_size=3),
)
def test_errors_read_back(code: str, text: str, pairs: dict[str, str]) -> None:
    """What `format_error` writes is read as the same error."""
    assert parse_reply(format_error("1", code, text, pairs)) == Error("1", code, text, pairs)


@given(st.text(max_size=2 * MAX_TEXT))
def test_error_texts_are_printable(text: str) -> None:
    """Whatever an error text quotes, its line is printable ASCII of a bounded length, and can be read."""
    line = format_error(None, "busy", text)
    assert line.isascii()
    assert line.isprintable()
    reply = parse_reply(line)
    assert isinstance(reply, Error)
    assert len(reply.text) <= MAX_TEXT
    assert is_reply(line)


@given(st.integers(0, 10**9))
def test_every_line_of_the_grammar_is_read(number: int) -> None:
    """No line that an engine may print is without sense, or unknown."""
    line = sample("engine-line", random.Random(number))
    if is_reply(line):
        assert not isinstance(parse_reply(line), UnknownLine)


@given(st.text(st.characters(codec="utf-8", exclude_characters=CONTROLS)))
def test_any_line_is_read_or_refused(line: str) -> None:
    """No line makes the parser fail otherwise."""
    with contextlib.suppress(SyntaxFault):
        parse_reply(line)
