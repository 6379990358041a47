"""Reading transcripts and matching lines, as FORMAT.md says."""

import pytest

from suite.transcript import TranscriptError, fill_in, matches, parse_examples, parse_transcript, unescape

HEAD = "; A title.\n; level: core\n; covers: reply.2\n"


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("ok", "ok"),
        ("ok ...", "ok"),
        ("ok ...", "ok a=1 b=2"),
        ("ok ... b=2", "ok b=2"),
        ("ok ... b=2", "ok a=1 b=2"),
        ("ok ... b=2 ...", "ok a=1 b=2 c=3"),
        ("ok...", "ok phase=play"),
        ("... ok", "ok"),
        ("... ok", "#7 ok"),
        ('error bad-syntax "..." ...', 'error bad-syntax "a word too many"'),
        ('error bad-... "..." ...', 'error bad-argument "what?" suggest=that line=3'),
        ("ok commit=...", "ok commit=00ff"),
        ("best {action+} ...", "best draft keep equity=0.5"),
        ("best {action+} ...", "best draft keep"),
        ("id {all*}", 'id name="a b" version=1'),
        ('state {"a":1}', 'state {"b": 2, "a": 1}'),
        ('#3 state {"a":{"b":[1,"x"]}}', '#3 state {"a": {"c": null, "b": [1, "x"]}}'),
        ('state {"a":"..."}', 'state {"a":[1,2]}'),
        ('state {"legal":["x","y"]}', 'state {"legal":["y","x"]}'),
    ],
)
def test_lines_that_match(pattern: str, line: str) -> None:
    """A pattern matches what FORMAT.md says it matches."""
    assert matches(pattern, line, {})


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("ok", "ok "),
        ("ok", "okay"),
        ("ok", "#1 ok"),
        ("ok ...", "okay"),
        ("ok ... b=2", "ok a=1 b=22"),
        ("ok a.c", "ok abc"),
        ("best {action+} equity=...", "best draft keep"),
        ("ok {word}", "ok two words"),
        ("ok key={value}", "ok key="),
        ('state {"a":1}', 'state {"a":true}'),
        ('state {"a":1}', 'state {"a":2}'),
        ('state {"a":1}', 'state {"b":1}'),
        ('state {"a":1}', 'state {"a":1'),
        ('state {"a":1}', '#1 state {"a":1}'),
        ('state {"hand":["x","y"]}', 'state {"hand":["y","x"]}'),
        ('state {"legal":["x"]}', 'state {"legal":["x","y"]}'),
    ],
)
def test_lines_that_do_not_match(pattern: str, line: str) -> None:
    """A pattern matches the whole line and nothing but what it says."""
    assert not matches(pattern, line, {})


def test_names_keep_what_they_stood_for() -> None:
    """A name takes a text the first time, then stands for that text, within a line and in sent ones."""
    values: dict[str, str] = {}
    assert matches("best {choice+} points={p}", "best draft keep points=+1.5", values)
    assert values == {"choice": "draft keep", "p": "+1.5"}
    assert matches("best {choice} ...", "best draft keep equity=0.5", values)
    assert not matches("best {choice} ...", "best draft pass equity=0.5", values)
    assert fill_in("play S {choice} {other}", values) == "play S draft keep {other}"
    assert matches("pair {x}-{x}", "pair 7-7", {})
    assert not matches("pair {x}-{x}", "pair 7-8", {})


def test_failed_matches_keep_nothing() -> None:
    """A line that does not match leaves no name behind."""
    values: dict[str, str] = {}
    assert not matches("ok {a} end", "ok 7 start", values)
    assert values == {}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("ping\\n", b"ping\n"),
        ("\\x00\\xff\\r\\t\\\\", b"\x00\xff\r\t\\"),
        ("a\\(xy*3)b", b"axyxyxyb"),
        ("\\( *4)", b"    "),
        ("é", b"\xc3\xa9"),
    ],
)
def test_escapes(text: str, data: bytes) -> None:
    """A raw line stands for these bytes."""
    assert unescape(text) == data


@pytest.mark.parametrize(
    "body",
    ["> ping \n", "? what\n", ">ping\n", "<\\ ok\n", "! dance\n", "! wait\n", "! wait soon\n", "> go\n< ...\n> stop\n"],
)
def test_transcripts_that_cannot_be_read(body: str) -> None:
    """A line that FORMAT.md does not know is refused with its number."""
    with pytest.raises(TranscriptError, match=r"t\.txt:[0-9]"):
        parse_transcript("t.txt", HEAD + body)


def test_headers_and_labels() -> None:
    """Headers are read before the first step, the first comment is the title, and a label holds until the next one."""
    text = "; requires: deck\n; timeout: 2.5\n; strict:\n> a\n< 1\n; [go.5] from here on\n< 2\n; level: seat\n"
    transcript = parse_transcript("t.txt", HEAD + text)
    assert transcript.title == "A title."
    assert (transcript.levels, transcript.covers, transcript.requires) == (["core"], ["reply.2"], ["deck"])
    assert (transcript.timeout, transcript.is_strict) == (2.5, True)
    assert [(step.kind, step.label, step.line) for step in transcript.steps] == [
        ("send", "reply.2", 7),
        ("expect", "reply.2", 8),
        ("expect", "go.5", 10),
    ]


def test_examples_of_a_specification() -> None:
    """Fenced `usp` blocks are transcripts of their own, numbered by their lines; other blocks are not."""
    spec = "# USP\n\n```usp\n> ping\n< ok\n```\n\n```text\n> no\n```\n```usp\n> a\n```\n"
    examples = parse_examples(spec)
    assert [example.name for example in examples] == ["SPEC.md:4", "SPEC.md:12"]
    assert [step.line for step in examples[0].steps] == [4, 5]
