"""protocol/grammar.abnf: it is ABNF, it is the grammar of this protocol, and garbage does not fit it."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.commands import COMMANDS, PHASES
from spades_protocol.errors import ERRORS, WHYS, format_error
from tests.protocol import grammar
from tests.protocol.grammar import (
    CORE,
    GRAMMAR,
    GrammarFault,
    Tree,
    expression,
    is_command,
    is_reply,
    parse_grammar,
    pattern,
    sample,
    validate_command,
    validate_read,
    validate_reply,
)
from tests.protocol.spec import examples, table

STARTS = ("client-line", "engine-line", "read-line")
HAND = ",".join(["??"] * 13)


def references(tree: Tree) -> set[str]:
    """Return the rules that a tree refers to."""
    if tree[0] == "ref":
        return {tree[1]}
    return {name for part in tree[1:] if isinstance(part, list) for name in references(part)}


def test_every_rule_is_defined_and_used() -> None:
    """Every rule that is used is defined, and every one that is defined is used, but for those to begin with."""
    rules = grammar.grammar()
    used = {name for tree in rules.values() for name in references(tree)}
    assert used <= set(rules)
    assert set(rules) - used - set(CORE) == {*STARTS, "reply"} - used


def test_the_grammar_is_regular() -> None:
    """No rule comes back to itself, so that each can be a regular expression."""
    for rule in grammar.grammar():
        assert expression(rule)


def test_letters_are_case_sensitive() -> None:
    """Every string with letters in it is marked %s: commands, keys and cards have one case."""

    def check(tree: Tree) -> None:
        if tree[0] == "text":
            assert tree[2] or not any(character.isalpha() for character in tree[1]), tree
        for part in tree[1:]:
            if isinstance(part, list):
                check(part)

    for tree in grammar.grammar().values():
        check(tree)


def test_lines_of_the_grammar_are_short() -> None:
    """The file is plain ASCII with lines of at most 120 characters and no blanks at their ends."""
    for line in GRAMMAR.read_text(encoding="ascii").splitlines():
        assert len(line) <= 120
        assert line == line.rstrip()


@pytest.mark.parametrize("text", ["a = ", "a", "= b", "a = b\n  c = (d", "a = %x", 'a = "b', "a = b\na = c", "a =/ b"])
def test_what_is_no_abnf(text: str) -> None:
    """A grammar with a fault in it is refused, also one that defines a rule twice or adds to none."""
    with pytest.raises(GrammarFault):
        parse_grammar(text)


def test_abnf_is_understood() -> None:
    """Every construct of RFC 5234 and RFC 7405 that the grammar uses is read as what it means."""
    rules = parse_grammar('a = 2( "x" / %s"y" ) *3b [ %x41-43 ] ; end\n\nb = 1*c / %d65.66\nb =/ d\nc="1"\nd=%x22')
    assert rules == {
        "a": [
            "cat",
            ["rep", 2, 2, ["alt", ["text", "x", False], ["text", "y", True]]],
            ["rep", 0, 3, ["ref", "b"]],
            ["rep", 0, 1, ["range", "A", "C"]],
        ],
        "b": ["alt", ["alt", ["rep", 1, None, ["ref", "c"]], ["text", "AB", True]], ["ref", "d"]],
        "c": ["text", "1", False],
        "d": ["text", '"', True],
    }


def test_every_command_has_its_rules() -> None:
    """Every command of the table can be sent, and has a rule for its replies; there are no other such rules."""
    source = random.Random(1)
    seen = {sample("command", source).split(" ")[0].split("\t")[0] for _ in range(2000)}
    assert {name for name in seen if not name.startswith("x-")} == set(COMMANDS)
    replies = {name.removeprefix("reply-") for name in grammar.grammar() if name.startswith("reply-")}
    assert replies == {*COMMANDS, "private"}


def test_every_error_has_its_rule() -> None:
    """Every code of the error table, with every key that it may have, can be printed, and no other code."""
    values: dict[str, str | int] = {
        "suggest": "bid",
        "line": 2,
        "min": -1,
        "max": 65535,
        "phase": "over",
        "turn": "N",
        "versions": 1,
    }
    for code, (_, keys) in ERRORS.items():
        for why in WHYS if "why" in keys else ("",):
            extra: dict[str, str | int] = {key: why if key == "why" else values[key] for key in keys}
            validate_reply(format_error("1", code, 'a "b" \\ ü', extra))
            if "line" not in keys:
                validate_reply(format_error(None, code, "", {**extra, "line": 1}))
            assert not is_reply(format_error(None, code, "", {**extra, "other": 1}))
    assert not is_reply(format_error(None, "no-such-code", ""))
    assert not is_reply(format_error(None, "illegal-action", "", {"why": "no-such-why"}))


def test_every_phase_has_its_reply() -> None:
    """Every phase can end a reply, with a seat except for those in which nobody is to act."""
    for phase in PHASES:
        assert is_reply(f"ok phase={phase}", "play") is (phase in ("deal", "over"))
        assert is_reply(f"ok phase={phase} turn=S", "play") is (phase not in ("deal", "over"))


def test_options_of_the_rules() -> None:
    """Every rule option of section 8 can be set, with the value of each preset, and with each value in its table."""
    for name, values, *presets, _ in table("8", "option"):
        option = name.strip("`")
        for value in [
            *presets,
            *(word for word in values.replace("`", " ").replace(",", " ").split() if ".." not in word),
        ]:
            if value not in ("list", "of", "cards"):
                validate_command(f"newgame {option}={value}")
                validate_command(f"score bid=3 tricks=3 {option}={value}")


def test_the_examples_fit() -> None:
    """In SPEC.md every example line that is printed in full fits, and every command but those that show an error."""
    lines = 0
    for example in examples():
        for index, (direction, text) in enumerate(example):
            if direction == ">":
                answer = example[index + 1][1]
                if not any(code in answer for code in ("unknown-command", "bad-argument")):
                    validate_command(text)
                    lines += 1
            elif "..." not in text:
                validate_reply(text)
                validate_read(text)
                lines += 1
    assert lines > 80


GOOD = [
    "",
    " \t ",
    "; anything \u00fc \"",
    "#17 ping",
    "\t#a.b_c-D \t play  S\tAS ",
    "usp 1 2 x-a=b",
    'help "\u00fc" a=b ;',
    "known",
    "get",
    "get movetime",
    'set opponent="" x-a=b seed=\u00fc',
    "log off",
    'log "C:\\\\temp\\\\a b.txt"',
    "log a.txt",
    "newgame rules=duel removed=2C,2D first=N nil=off floor=-200 total.S=-30 bags.N=+3 x-a=",
    "deal",
    "deal deck=AS,KS",
    f"deal 3 first=S hand.S={HAND} hand.N={HAND}",
    f"look S {HAND}",
    "draft keep",
    "draft N ?? ??",
    "draft ??",
    "swap ??,??,??",
    "draft S draw KD",
    "draft S pass 2C",
    "swap none",
    "swap S none none",
    "swap S AS,KD ??,??",
    "bid 13",
    "bid S nil",
    "play QS",
    "play S x-a=1 QS",
    "trick N",
    "end winner=draw reason=cap total.S=0 total.N=0",
    "score S=+42 N=-50 bags.S=2 bags.N=0 total.S=42 total.N=-50",
    "score rules=partners bid=4,nil tricks=3,2 bags=3 total=-20 nil=50",
    "undo 3",
    "position newgame rules=draft ; deal ; look S ; draft keep",
    "record view=N",
    "go movetime=-5 nodes=+3 clock=0 inc=5",
    "go infinite",
    "perft 3",
    "solve nodes=100",
    "x-",
    "x-sparkle 3 \"a b\" k=v",
]  # fmt: skip

BAD = [
    "#",
    "#17",
    "#a/b ping",
    f"#{'x' * 33} ping",
    "Ping",
    "ping pong",
    "ping\n",
    "ping\r",
    "\ufeffping",
    '"ping"',
    "ping=1",
    "usp",
    "usp one",
    "usp \u0661",
    "set",
    "set movetime",
    "set Movetime=3",
    "set a=1 a=1",
    'set a="b"c',
    'set a="\\n"',
    'log "',
    "newgame rules=drafty",
    "newgame rules=duel rules=duel",
    "newgame target=1_0",
    "newgame total.s=3",
    "newgame seed=",
    f"newgame seed={'x' * 65}",
    "newgame hand=3",
    "deal 1 2",
    "deal hand.S=AS",
    "deal deck=AS,,KS",
    "look SN",
    "draft",
    "draft take",
    "draft S draw",
    "swap",
    "swap AS,KD,QC,JH,TS",
    "swap AS KD QC",
    "bid",
    "bid 14",
    "bid 03",
    "bid +3",
    "bid blind nil",
    "play",
    "play 10S",
    "play as",
    "play SA",
    "play ??",
    "play AS KS",
    "trick",
    "undo -",
    "undo 1 2",
    "position",
    "position newgame ;",
    "position deal ; newgame",
    "position newgame ; go",
    "position newgame ; position newgame",
    "record S",
    "go infinite nodes=3",
    "go infinite infinite",
    "go nodes",
    "go nodes=1e3",
    "go nodes=" + "1" * 19,
    "perft",
    "frobnicate",
    "X-sparkle",
]


@pytest.mark.parametrize("line", GOOD)
def test_good_commands(line: str) -> None:
    """These may be sent."""
    validate_command(line)


@pytest.mark.parametrize("line", BAD)
def test_bad_commands(line: str) -> None:
    """These may not."""
    with pytest.raises(GrammarFault):
        validate_command(line)


STATE = (
    'state {"rules":"duel","options":{"target":"250","removed":"2C,2D","nil":"off"},"dealer":"host","view":"S",'
    '"seats":["S","N"],"hand":1,"hands_played":0,"phase":"play","turn":"S","first":"S","hands":{"S":["AS"],"N":["??"]},'
    '"draw":null,"discards":{"S":[],"N":[]},"bids":{"S":"4","N":null},"blind":[],"tricks":{"S":0,"N":12},'
    '"trick":[["S","AS"]],"last_trick":[],"broken":false,"totals":{"S":0,"N":-5},"bags":{"S":0,"N":0},"last_score":null,'
    '"legal":["play AS"],"winner":null,"reason":null}'
)

PRINTED = [
    ("usp", 'id name="Spades Engine" version=1.0.0 author="contributors" kernel=compiled'),
    ("usp", "option name=seed type=string default=0"),
    ("usp", 'option name=opponent type=string default=""'),
    ("usp", "option name=chatter type=check default=yes"),
    ("usp", "ok usp=1 levels=core,seat,table,analysis,tools capabilities=deck,scores"),
    ("help", 'help "log \\"<path>\\""'),
    ("get", 'value opponent=""'),
    ("get", "ok movetime=250"),
    ("newgame", "ok rules=draft seats=S,N first=S phase=deal commit=" + "0f" * 32),
    ("deal", f"event deal 1 first=S hand.S={HAND}"),
    ("play", "event score S=+42 N=+0 bags.S=2 bags.N=0 total.S=42 total.N=-50"),
    ("play", "event end winner=NS reason=target total.NS=510 total.EW=-3"),
    ("state", STATE),
    ("legal", "legal swap AS,KD,QC"),
    ("record", "record ; seed=7 commit=" + "0f" * 32),
    ("record", "record newgame rules=draft dealer=host view=all first=S target=250"),
    ("score", "ok total.NS=0 total.EW=-20 bags.NS=0 bags.EW=9 hands=3"),
    ("score", "ok points=-138 contract=-40 overtricks=+2 nil=-100 blindnil=+0 penalty=+0 bags=2 total=-138"),
    ("go", 'info multipv=1 action="draft keep" equity=0.513 points=+1.8 make=1.0 nodes=5'),
    ("go", "info tricks=" + ",".join(["0", "0.25", "0.750"] + ["0.000"] * 11)),
    ("go", 'info error "kernel: \\\\"'),
    ("go", "best draft keep equity=0.513 points=-1.8 time=196 nodes=81920"),
    ("go", "best swap ??,??,??"),
    ("go", "best draft ??"),
    ("perft", 'perft "bid nil" 1234'),
    ("bench", "ok nodes=1 time=2 nps=3 kernel=compiled"),
    ("solve", 'ok action="play AS" tricks.S=7 tricks.N=6 nodes=5'),
    ("selftest", "ok passed=5 failed=0"),
    ("x-sparkle", "ok ignored=x-sparkle"),
]

NEVER_PRINTED = [
    "",
    " ok",
    "ok ",
    "ok\t",
    "ok\r",
    "ok  phase=deal",
    "OK",
    "#17",
    "#17  ok",
    "# ok",
    "ok phase=deal phase=deal",
    "ok later",
    "later",
    "error",
    "error busy",
    "error busy thinking",
    'error busy "a',
    'error busy "a" ',
    'error illegal-action "a"',
    "event",
    "event play AS",
    "event draft S draw",
    "event deal 01 first=S",
    "event score S=42 N=-50 bags.S=2 bags.N=0 total.S=42 total.N=-50",
    "event score S=+42 N=-50 bags.S=2 total.S=42 bags.N=0 total.N=-50",
    "event score S=+42 N=-0 bags.S=2 bags.N=0 total.S=42 total.N=-50",
    "event score S=+42 EW=-50 bags.S=2 bags.N=0 total.S=42 total.N=-50",
    "best",
    "best play S AS",
    "best play ??",
    "best swap AS,??",
    "best draft keep later=1",
    "best draft keep equity=1.1",
    "best draft keep equity=0.5 equity=0.5",
    "best draft keep points=1.8",
    "info",
    "info equity=nan",
    "info points=1e-05",
    "info multipv=1 action=look",
    'info multipv=1 action="draft ??"',
    "legal draft ??",
    "info string hello",
    "help hello",
    "perft bid nil 3",
    "ok rules=duel seats=N,S phase=deal",
    "legal play AS,KS",
    "record ; ",
    "record go",
    "value a=1 b=2",
    "state {}",
    "state " + STATE[6:].replace('"hand":1', '"hand":1,"hand":1'),
    "state " + STATE[6:].replace('"hand":1', '"hand":"1"'),
    "state " + STATE[6:].replace('"AS"', '"as"'),
    "state " + STATE[6:].replace('"hand":1', '"secret":1'),
    STATE[:-1],
    "Traceback (most recent call last):",
]


@pytest.mark.parametrize(("command", "line"), PRINTED)
def test_lines_of_an_engine(command: str, line: str) -> None:
    """These are printed after these commands, with an id or without, and not after others."""
    for start in ("", "#17 "):
        validate_reply(start + line)
        validate_reply(start + line, command)
        validate_read(start + line)
    assert not is_reply(line, "ping")
    # Behind the ; of a record anything may follow.
    assert ";" in line or not is_reply(f"{line} later=1", command)


@pytest.mark.parametrize("line", NEVER_PRINTED)
def test_lines_that_no_engine_prints(line: str) -> None:
    """These are never printed."""
    with pytest.raises(GrammarFault):
        validate_reply(line)


def test_lines_over_the_limit() -> None:
    """A line over 65,535 bytes fits nothing."""
    for check in (validate_command, validate_read):
        check("; later " + "x" * 60_000)
        with pytest.raises(GrammarFault):
            check("; later " + "\u20ac" * 30_000)
    with pytest.raises(GrammarFault):
        validate_reply("record ;" + "x" * 65_535)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ok\t later=1 ",
        "later a=1",
        "#1 later",
        'ok "a b" c',
        "event later",
        'error later "a" b=1',
        "best look later=1",
    ],
)
def test_what_a_reader_makes_do_with(line: str) -> None:
    """Other blanks, unknown first words, words and keys are no fault to a reader."""
    validate_read(line)


@pytest.mark.parametrize("line", ['ok "', "error busy", "best", "event", "perft look 3", "#1", "# ok", "ok\x00"])
def test_what_a_reader_cannot_make_sense_of(line: str) -> None:
    """A known first word with nothing to know behind it is a fault, and so is what is no line."""
    with pytest.raises(GrammarFault):
        validate_read(line)


@given(st.integers(0, 10**9))
def test_samples_fit(number: int) -> None:
    """What is made up from a rule fits it, and what is printed makes sense to a reader."""
    source = random.Random(number)
    for rule in STARTS:
        assert pattern(rule).fullmatch(sample(rule, source))
    assert pattern("read-line").fullmatch(sample("engine-line", source))


@given(st.text(string.ascii_letters + string.digits + ' \t"\\=#;.,?+-{}', max_size=30))
def test_garbage_does_not_fit(text: str) -> None:
    """A line whose first word is no command and no comment is never a command."""
    words = text.replace("\t", " ").split(" ")
    words = [word for word in words if word]
    words = words[1:] if words and words[0].startswith("#") else words
    if words and words[0] not in COMMANDS and not words[0].startswith((";", "x-")):
        assert not is_command(text)


def test_long_lines_are_refused_in_the_end() -> None:
    """No line makes the expressions try for ever: long lines that nearly fit are refused too."""
    for start, middle, end in (
        ("newgame", " x-a=1", " x"),
        ("set", " x-a=1", ' "'),
        ("go", " x-a=1 nodes=1", " x"),
        ("help", ' "a"', '"'),
        ("help", " a", '"'),
        ("position newgame", " ; play AS", " ;"),
        ("", "\t", '"'),
        ("ok", " a=1", '"'),
        ("event", " x", "\x00"),
        ('help "', "\\\\", "\\"),
    ):
        line = start + middle * (60_000 // len(middle)) + end
        assert not is_command(line)
        assert not is_reply(line)


@pytest.mark.slow
def test_the_expressions_agree_with_the_library() -> None:
    """The library's own parsers accept and refuse the same lines as the regular expressions made from its tree."""
    from abnf import ParseError, Rule  # the import takes a second

    class Usp(Rule):
        """The grammar of the protocol."""

    Usp.load_grammar("\r\n".join(GRAMMAR.read_text(encoding="utf-8").splitlines()) + "\r\n", strict=True)

    def accepts(rule: str, line: str) -> bool:
        try:
            Usp(rule).parse_all(line)
        except ParseError:
            return False
        return True

    source = random.Random(7)
    agreed = {True: 0, False: 0}
    lines = [("client-line", line) for line in GOOD + BAD] + [("engine-line", line) for line in NEVER_PRINTED]
    for rule in ("client-line", "engine-line"):
        for _ in range(150):
            line = sample(rule, source)
            if len(line) > 300:
                continue
            lines.append((rule, line))
            place = source.randrange(len(line) + 1)
            lines.append((rule, line[:place] + source.choice(' "=;?\\x1A') + line[place + source.randrange(2) :]))
    for rule, line in lines:
        fits = pattern(rule).fullmatch(line) is not None
        assert accepts(rule, line) is fits, (rule, line)
        agreed[fits] += 1
    assert min(agreed.values()) > 50
