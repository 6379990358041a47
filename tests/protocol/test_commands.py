"""What checks the words of a command (SPEC.md, sections 10, 11 and 13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.commands import (
    COMMANDS,
    Arguments,
    ProtocolError,
    choose_version,
    help_lines,
    is_command,
    is_private,
    is_seed,
    parse_choice,
    parse_int,
    suggest,
)
from spades_protocol.words import Word, parse_words

OPTIONS = ("movetime", "move_overhead", "multipv", "seed", "chatter", "opponent")


def words(line: str) -> list[Word]:
    """Return the words of a line."""
    return parse_words(line).words


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("+5", 5), ("-5", -5), ("-0", 0), ("+0", 0), ("007", 7), ("9" * 18, 10**18 - 1)],
)
def test_integers(text: str, number: int) -> None:
    """Decimal digits with an optional sign are an integer, up to 18 of them."""
    assert parse_int(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "-",
        "1_0",
        " 1",
        "1 ",
        "1\n",
        "1.0",
        "1e3",
        "0x10",
        "++1",
        "+-1",
        "--1",
        "٣",
        "۱۲",
        "\uff11",
        "²",
        "one",
        "\u22121",
    ],
)
def test_no_integers(text: str) -> None:
    """Nothing else is: no underscores, no blanks, no fractions, no digits of other scripts, no other signs."""
    with pytest.raises(ProtocolError) as caught:
        parse_int(text)
    assert caught.value.code == "bad-argument"


@pytest.mark.parametrize("text", ["1" * 19, "-" + "1" * 19, "0" * 19, "9" * 5000])
def test_integers_of_more_than_18_digits_are_out_of_range(text: str) -> None:
    """Nineteen digits are too many, whatever they are, and thousands are refused as quickly."""
    with pytest.raises(ProtocolError) as caught:
        parse_int(text, 0, 10)
    assert (caught.value.code, caught.value.extra) == ("out-of-range", {"min": 0, "max": 10})
    assert len(caught.value.text) < 120


@pytest.mark.parametrize(
    ("least", "most", "extra"),
    [(0, 10, {"min": 0, "max": 10}), (0, None, {"min": 0}), (None, 10, {"max": 10})],
)
def test_ranges(least: int | None, most: int | None, extra: dict[str, int]) -> None:
    """The bounds belong to the range; what is beyond is refused with as much of the range as there is."""
    for bound in (least, most):
        if bound is not None:
            assert parse_int(str(bound), least, most) == bound
    with pytest.raises(ProtocolError) as caught:
        parse_int("-1" if least is not None else "11", least, most)
    assert (caught.value.code, caught.value.extra) == ("out-of-range", extra)
    # The text for people names every bound that there is, too.
    assert all(str(bound) in caught.value.text.partition(": ")[2] for bound in extra.values())


@given(st.integers(-(10**18) + 1, 10**18 - 1), st.sampled_from(["", "0", "000"]))
def test_written_integers_are_read(number: int, zeros: str) -> None:
    """Every integer of at most 18 digits is read as written, with leading zeros too where there is room."""
    digits = (zeros + str(abs(number)))[-18:] if len(str(abs(number))) + len(zeros) > 18 else zeros + str(abs(number))
    assert parse_int(f"-{digits}" if number < 0 else digits) == (-int(digits) if number < 0 else int(digits))


@given(st.text(max_size=8))
def test_whatever_python_calls_a_number(text: str) -> None:
    """`parse_int` accepts exactly what the grammar says, although int() accepts more."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if digits and set(digits) <= set("0123456789"):
        assert parse_int(text) == int(text)
    else:
        with pytest.raises(ProtocolError):
            parse_int(text)


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("Movetime", "movetime"),
        ("MOVETIME", "movetime"),
        ("MultiPV", "multipv"),
        ("move-overhead", "move_overhead"),
        ("movetim", "movetime"),
        ("mvoetime", "movetime"),
        ("movetimes", "movetime"),
        ("move_over", "move_overhead"),
        ("sed", "seed"),
        ("cha", "chatter"),
    ],
)
def test_did_you_mean_an_option(word: str, near: str) -> None:
    """A wrong case, a hyphen, a slip of the fingers or a beginning finds the option that was meant."""
    assert suggest(word, OPTIONS) == near


@pytest.mark.parametrize(
    ("word", "near"), [("bib", "bid"), ("plya", "play"), ("Draft", "draft"), ("newgam", "newgame")]
)
def test_did_you_mean_a_command(word: str, near: str) -> None:
    """The same for commands."""
    assert suggest(word, COMMANDS) == near


@pytest.mark.parametrize("word", ["", "x", "zz", "threads", "mo", "move", "m" * 100_000])
def test_nothing_is_close(word: str) -> None:
    """Where nothing is close, or several are equally well begun, nothing is suggested; long words cost nothing."""
    assert suggest(word, OPTIONS) is None


@pytest.mark.parametrize("name", [name for name in COMMANDS if len(name) >= 5])
def test_one_slip_in_a_command_is_recognised(name: str) -> None:
    """A command of five letters or more with one letter missing, or two exchanged, still finds itself."""
    for place in range(len(name)):
        assert suggest(name[:place] + name[place + 1 :], COMMANDS) == name
        assert suggest(name[:place] + name[place : place + 2][::-1] + name[place + 2 :], COMMANDS) == name


def test_private_names() -> None:
    """Names that start with x- are for private use."""
    assert is_private("x-")
    assert is_private("x-sparkle")
    assert not is_private("X-sparkle")
    assert not is_private("xray")


@pytest.mark.parametrize("text", ["7", "abc", "a.b_c-D", "-", "x" * 64])
def test_seeds(text: str) -> None:
    """A seed is 1 to 64 letters, digits, dots, underscores and hyphens."""
    assert is_seed(text)


@pytest.mark.parametrize("text", ["", "x" * 65, "a b", "é", "a,b", "٣", "a\n"])
def test_no_seeds(text: str) -> None:
    """Nothing else is a seed."""
    assert not is_seed(text)


def test_versions() -> None:
    """The version spoken here is found among those offered, in any order and however it is written."""
    for line in ("1", "2 1", "1 99999999999999999999999", "01", "+1", "1 x-a=b", "x-a 1"):
        assert choose_version(words(line)) == 1


@pytest.mark.parametrize(
    ("line", "code", "extra"),
    [
        ("", "bad-syntax", {}),
        ("one", "bad-argument", {}),
        ("1 one", "bad-argument", {}),
        ("-1", "bad-argument", {}),
        ("1_0", "bad-argument", {}),
        ("a=1", "bad-argument", {}),
        ("x-a=1", "unsupported", {"versions": 1}),
        ("2", "unsupported", {"versions": 1}),
        ("0", "unsupported", {"versions": 1}),
        ("7 9", "unsupported", {"versions": 1}),
    ],
)
def test_no_version(line: str, code: str, extra: dict[str, int]) -> None:
    """A handshake without a number, with something else, or with other versions only is refused."""
    with pytest.raises(ProtocolError) as caught:
        choose_version(words(line))
    assert (caught.value.code, caught.value.extra) == (code, extra)


def test_help() -> None:
    """`help` explains the command that follows it, and lists all commands after anything else."""
    assert help_lines() == help_lines([])
    assert help_lines(words("bid"))[0] == "bid [<seat>] <bid>"
    assert help_lines(words("bid 3 4"))[0] == "bid [<seat>] <bid>"
    for line in ("", "castle", "bid=3", "é", '""'):
        texts = help_lines(words(line))
        assert all(any(text == info.usage for text in texts) for info in COMMANDS.values())


def test_known_commands() -> None:
    """Every command of the table is a command, in this case only."""
    assert all(is_command(name) and not is_command(name.upper()) for name in COMMANDS)


def fault(line: str, **takes: object) -> tuple[str, dict[str, str | int]]:
    """Return the code and the pairs of the error that a line of words gives."""
    with pytest.raises(ProtocolError) as caught:
        Arguments(words(line), **takes)  # type: ignore[arg-type]  # whatever a test says it takes
    return caught.value.code, caught.value.extra


def test_words_and_pairs_are_told_apart() -> None:
    """Words and pairs may come in any order."""
    arguments = Arguments(words("a k=1 b"), ("k", "m"), (0, 2))
    assert [arguments.word(index) for index in range(3)] == ["a", "b", None]
    assert (arguments.value("k"), arguments.value("m")) == ("1", None)
    arguments.done()


def test_missing_and_surplus_words() -> None:
    """A word missing and a word too many are bad-syntax."""
    assert fault("", positional=(1, 2))[0] == "bad-syntax"
    assert fault("a b c", positional=(1, 2))[0] == "bad-syntax"
    assert fault("a")[0] == "bad-syntax"


def test_a_key_twice() -> None:
    """A key given twice is bad-syntax, with equal values too, and so is a flag."""
    assert fault("k=1 k=2", keys=("k",))[0] == "bad-syntax"
    assert fault("k=1 k=1", keys=("k",))[0] == "bad-syntax"
    assert fault("q=1 q=2", keys=("k",))[0] == "bad-syntax"
    assert fault("x-a=1 x-a=2", keys=("k",))[0] == "bad-syntax"
    assert fault("infinite infinite", flags=("infinite",))[0] == "bad-syntax"


def test_unknown_keys() -> None:
    """An unknown key is bad-argument, and a close one is suggested; so is a key where a flag was meant."""
    assert fault("Movetime=3", keys=("movetime",)) == ("bad-argument", {"suggest": "movetime"})
    assert fault("q=3", keys=("movetime",)) == ("bad-argument", {})
    assert fault("infinit=1", keys=("nodes",), flags=("infinite",)) == ("bad-argument", {"suggest": "infinite"})
    assert fault("nodes 5", keys=("nodes",), flags=("infinite",)) == ("bad-argument", {"suggest": "nodes"})


def test_the_form_comes_before_unknown_keys() -> None:
    """Where several things are wrong, bad-syntax is told first."""
    assert fault("q=1 k=1 k=1", keys=("k",))[0] == "bad-syntax"
    assert fault("q=1", keys=("k",), positional=(1, 1))[0] == "bad-syntax"
    assert fault("q=1 a b", keys=("k",), positional=(1, 1))[0] == "bad-syntax"


def test_private_keys_and_words_are_passed_over() -> None:
    """What starts with x- is ignored; a word that is a value is not."""
    arguments = Arguments(words("x-a=1 k=1 x-b=2 infinite x-b"), ("k",), flags=("infinite",))
    assert arguments.pairs == {"k": "1"}
    assert arguments.flags == {"infinite"}
    assert Arguments(words("x-b"), positional=(1, 1)).word(0) == "x-b"


def test_any_key() -> None:
    """Where any key is taken, private ones are taken too."""
    assert Arguments(words("a=1 x-b=2"), None).pairs == {"a": "1", "x-b": "2"}


def test_choices() -> None:
    """A value must be one of the choices; a close one is suggested."""
    arguments = Arguments(words("rules=drafty dealer=host"), ("rules", "dealer", "view"))
    assert arguments.choice("dealer", ("engine", "host")) == "host"
    assert arguments.choice("view", ("all",)) is None
    with pytest.raises(ProtocolError) as caught:
        arguments.choice("rules", ("draft", "draft300", "partners", "duel"))
    assert (caught.value.code, caught.value.extra) == ("bad-argument", {"suggest": "draft"})
    with pytest.raises(ProtocolError):
        parse_choice("", ("a", "b"))


def test_out_of_range_comes_last() -> None:
    """A number outside its range is told only when everything has been read, so that bad-argument comes before it."""
    arguments = Arguments(words("a=99 b=-5 c=x"), ("a", "b", "c", "d"))
    assert arguments.integer("a", 0, 10) == 0
    assert arguments.integer("b", None, -6) == -6
    assert arguments.integer("d") is None
    with pytest.raises(ProtocolError) as caught:
        arguments.integer("c")
    assert caught.value.code == "bad-argument"
    with pytest.raises(ProtocolError) as caught:
        arguments.done()
    assert (caught.value.code, caught.value.extra) == ("out-of-range", {"min": 0, "max": 10})


def test_errors_are_lines() -> None:
    """An error formats as its reply; what it quotes is escaped."""
    error = ProtocolError("bad-argument", 'no "such" \\ key', {"suggest": "movetime", "line": 3})
    assert error.format("7") == '#7 error bad-argument "no \\"such\\" \\\\ key" suggest=movetime line=3'
    assert str(ProtocolError("busy", "thinking")) == 'error busy "thinking"'
