"""Words out of a line and back (SPEC.md, sections 10 and 11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.words import (
    Message,
    SyntaxFault,
    Word,
    clip,
    format_pair,
    format_reply,
    format_signed,
    format_word,
    is_ignored,
    is_key,
    parse_words,
    quote,
    split_commands,
)

CONTROLS = [*(chr(code) for code in range(32) if code != 9), "\x7f"]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters=CONTROLS), max_size=12)
KEY = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True)
ID = st.from_regex(r"[A-Za-z0-9._-]{1,32}", fullmatch=True)
BARE = st.text(st.characters(codec="utf-8", exclude_characters=[*CONTROLS, *' \t"']), min_size=1, max_size=12)
WORD = st.one_of(
    BARE.map(lambda text: parse_words(f"x {text}").words[1]),
    TEXT.map(lambda text: Word(text, quoted=True)),
    st.tuples(TEXT, KEY).map(lambda pair: Word(*pair, quoted=True)),
    st.tuples(st.one_of(BARE, st.just("")), KEY).map(lambda pair: Word(*pair)),
)
BLANKS = st.text(" \t", min_size=1, max_size=3)


def words(line: str) -> list[Word]:
    """Return the words of a line without id."""
    message = parse_words(line)
    assert message.id is None
    return message.words


def test_blanks_separate_words() -> None:
    """Runs of spaces and TABs separate; leading and trailing ones mean nothing."""
    assert words(" \t play  \t S\tAS ") == [Word("play"), Word("S"), Word("AS")]
    assert words(' \t log  \t "a b"\t') == [Word("log"), Word("a b", quoted=True)]


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u3000", "\u0085", "\u2028"])
def test_other_white_space_separates_nothing(blank: str) -> None:
    """Only space and TAB are blanks; what else Unicode calls white space is part of a word."""
    assert words(f"a{blank}b {blank}") == [Word(f"a{blank}b"), Word(blank)]
    assert words(f'a{blank}b {blank} "q"') == [Word(f"a{blank}b"), Word(blank), Word("q", quoted=True)]


def test_no_words() -> None:
    """A line of blanks holds no word."""
    assert words("") == words(" \t ") == []


def test_pairs() -> None:
    """What stands before the first = is the key if it can be one; the value is bare or quoted and may be empty."""
    assert words("set a=b=c d= e.S=+1") == [Word("set"), Word("b=c", "a"), Word("", "d"), Word("+1", "e.S")]
    assert words('set a="b c" d=""') == [Word("set"), Word("b c", "a", quoted=True), Word("", "d", quoted=True)]


@pytest.mark.parametrize("text", ["=", "=b", "1=2", "-a=1", "é=1", "a,b=1", "AS,KD", "??"])
def test_no_pairs(text: str) -> None:
    """A word with no key before its = is a bare word, and so is a list of cards."""
    assert words(f"x {text}") == [Word("x"), Word(text)]


def test_a_key_in_the_wrong_case_is_a_key() -> None:
    """So that the error about it can name the right one."""
    assert words("set Movetime=3") == [Word("set"), Word("3", "Movetime")]


def test_quotes() -> None:
    r"""Inside quotes `\"` and `\\` stand for `"` and `\`; blanks, `=`, `;` and `#` stand for themselves."""
    assert words(r'log "a \"b\" \\ c=d ;#"') == [Word("log"), Word('a "b" \\ c=d ;#', quoted=True)]
    assert words('""') == [Word("", quoted=True)]
    assert words('"a"\t"b"') == [Word("a", quoted=True), Word("b", quoted=True)]


def test_a_backslash_outside_quotes_is_a_character() -> None:
    """Only quoted words have escapes."""
    assert words(r"log C:\temp\x") == [Word("log"), Word(r"C:\temp\x")]


@pytest.mark.parametrize(
    "line",
    [
        *('"', 'a "b', 'a="', 'a="b', '"a\\"', '"a\\\\\\"', '"\\'),  # left open
        *('a"b"', 'a"', '"a"b', '"a"="b"', '"a""b"', 'a=b"c"', 'a="b"c', 'é="b"', '="b"'),  # inside a word
        *('"\\n"', '"C:\\temp"'),  # no such escape
    ],
)
def test_what_cannot_be_split(line: str) -> None:
    """An open quote, a quote inside a word, no blank behind one, or another escape is a fault of the whole line."""
    with pytest.raises(SyntaxFault) as caught:
        parse_words(f"x {line}")
    assert caught.value.code == "bad-syntax"
    assert caught.value.text


def test_ids() -> None:
    """An id comes first and is no word of the command."""
    assert parse_words("#17 play AS") == Message("17", [Word("play"), Word("AS")])
    assert parse_words(' \t#a.b_c-D\tlog "x"') == Message("a.b_c-D", [Word("log"), Word("x", quoted=True)])
    assert parse_words("play #17") == Message(None, [Word("play"), Word("#17")])
    assert parse_words('"#17" play') == Message(None, [Word("#17", quoted=True), Word("play")])


@pytest.mark.parametrize("line", ["#17", " #17 ", "#", "# ping", "#a/b ping", "#é ping", "##1 ping", "#1=2 ping"])
def test_no_ids(line: str) -> None:
    """An id without a command, and a first word that begins with # and is none, are faults."""
    with pytest.raises(SyntaxFault):
        parse_words(line)


def test_an_id_of_33_characters_is_none() -> None:
    """The limit is 32."""
    assert parse_words(f"#{'x' * 32} ping").id == "x" * 32
    with pytest.raises(SyntaxFault):
        parse_words(f"#{'x' * 33} ping")


@pytest.mark.parametrize("line", ["", " ", "\t", ";", "; x", " \t; #1 play", ';"'])
def test_ignored_lines(line: str) -> None:
    """Empty lines and lines whose first word starts with ; are passed over."""
    assert is_ignored(line)


@pytest.mark.parametrize("line", ["ping", "#1 ; x", "x ;", '";"'])
def test_lines_that_are_not_ignored(line: str) -> None:
    """A ; anywhere else ignores nothing."""
    assert not is_ignored(line)


@pytest.mark.parametrize("key", ["a", "movetime", "total.NS", "S", "x-a_b.c-9"])
def test_keys(key: str) -> None:
    """A key is a letter, then letters, digits, dots, underscores and hyphens."""
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "1", ".a", "-", "a b", "é", "a=", "à", "a٣"])
def test_no_keys(key: str) -> None:
    """Nothing else is a key."""
    assert not is_key(key)


@given(st.lists(WORD, min_size=1, max_size=6), st.one_of(st.none(), ID), st.data())
def test_words_read_back(items: list[Word], id_: str | None, data: st.DataObject) -> None:
    """Words written with any blanks between them are read as the same words."""
    if id_ is None and items[0].is_bare and items[0].text.startswith("#"):
        return  # would be read as an id
    parts = [str(item) for item in items] if id_ is None else [f"#{id_}", *map(str, items)]
    line = data.draw(st.sampled_from(["", " ", "\t"]))
    for part in parts:
        line += part + data.draw(BLANKS)
    assert parse_words(line) == Message(id_, items)
    assert parse_words(str(Message(id_, items))) == Message(id_, items)


@given(TEXT)
def test_quote_and_format_word_read_back(text: str) -> None:
    """`quote` and `format_word` give one word that reads back as the text, first on a line or not."""
    for written in (quote(text), format_word(text)):
        for line in (written, f"{written} x", f"x {written}"):
            found = parse_words(line).words[line.startswith("x ")]
            assert (found.key, found.text) == (None, text) or text == "x"
            assert not is_ignored(line)
    assert parse_words(f"x {quote(text)}").words[1].quoted


@given(KEY, TEXT, st.booleans())
def test_pairs_read_back(key: str, text: str, quoted: bool) -> None:
    """`format_pair` gives one pair that reads back as key and value."""
    (found,) = parse_words(format_pair(key, text, quoted=quoted)).words
    assert (found.key, found.text) == (key, text)
    assert found.quoted or not quoted


@given(st.text(st.sampled_from(' \t"\\=#;aZ1.é'), max_size=16))
def test_any_line_is_split_or_refused(line: str) -> None:
    """No line makes the parser fail otherwise, and what it accepts can be written and read again."""
    try:
        message = parse_words(line)
    except SyntaxFault:
        return
    assert parse_words(str(message)) == message


def test_quotes_only_where_needed() -> None:
    """Plain words stay bare; empty ones, and those with blanks, quotes or a special beginning, are quoted."""
    assert [format_word(text) for text in ("AS", "a\\b", "=", "", "a b", 'a"b', ";", "#1", "a=b")] == [
        "AS", "a\\b", "=", '""', '"a b"', '"a\\"b"', '";"', '"#1"', '"a=b"',
    ]  # fmt: skip
    assert format_pair("a", "b=c") == "a=b=c"
    assert format_pair("a", "") == 'a=""'
    assert format_pair("a", 5) == "a=5"
    assert format_pair("a", "b", quoted=True) == 'a="b"'


def test_replies_are_joined_by_single_blanks() -> None:
    """A reply is its words with one space between, the id in front where there is one."""
    assert format_reply(None, "ok") == "ok"
    assert format_reply("17", "ok", "phase=bid") == "#17 ok phase=bid"


def test_scores_carry_their_sign() -> None:
    """+42, -50 and +0."""
    assert [format_signed(number) for number in (42, -50, 0)] == ["+42", "-50", "+0"]


def test_long_texts_are_clipped() -> None:
    """What is shown inside an error text has an end."""
    assert clip("x" * 60) == "x" * 60
    assert clip("x" * 61) == "x" * 57 + "..."


def test_position_is_split_at_bare_semicolons() -> None:
    """Only a bare ; of its own separates commands."""
    found = split_commands(words('newgame ; deal x; ";" ; ; look'))
    assert found == [[Word("newgame")], [Word("deal"), Word("x;"), Word(";", quoted=True)], [], [Word("look")]]
    assert split_commands([]) == [[]]


def test_values_of_words_and_messages() -> None:
    """Words and messages are equal by what they hold, and show it; words can be keys of a dict."""
    assert len({Word("a"), Word("a"), Word("a", quoted=True), Word("a", "b")}) == 3
    assert repr(Word("a", "b")) == "Word('a', key='b', quoted=False)"
    assert repr(Message("1", [])) == "Message('1', [])"
    assert Word("a") != "a"
    assert Message(None, []) != "a"
