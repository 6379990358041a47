"""The tables of SPEC.md and those of the code are the same, cell by cell."""

import re

from spades_protocol.commands import (
    CAPABILITIES,
    COMMANDS,
    LEVELS,
    MAX_DIGITS,
    MAX_SEED,
    PHASES,
    STATE_NAMES,
    STATES,
    THINKING_COMMANDS,
    VERSION,
)
from spades_protocol.errors import ERRORS, WHYS
from spades_protocol.lines import MAX_ID, MAX_LINE
from tests.protocol.spec import SPEC, codes, sections, table


def test_states() -> None:
    """The state table (section 12) has the same commands in the same order, and the same verdict in every cell."""
    rows = table("12", "command")
    assert [codes(row[0]) for row in rows] == [[name] for name in COMMANDS]
    assert re.search(r"^\| command \| new \| idle \| thinking \|$", sections()["12"], re.MULTILINE)
    written = {
        (state, codes(name)[0]): cell for name, *cells in rows for state, cell in zip(STATE_NAMES, cells, strict=True)
    }
    assert written == STATES


def test_what_makes_a_process_think() -> None:
    """The sentence above the state table names the commands that think."""
    sentence = re.search(r"\*\*thinking\*\* from a (.*?) until", sections()["12"], re.DOTALL)
    assert sentence is not None
    assert tuple(codes(sentence[1])) == THINKING_COMMANDS


def test_phases() -> None:
    """The phases (section 12) are the same, in the same order."""
    assert [codes(row[0]) for row in table("12", "phase")] == [[phase] for phase in PHASES]


def test_errors() -> None:
    """The error table (section 24) has the same codes, the same reasons and the same keys."""
    rows = [(codes(code)[0], when, tuple(codes(keys))) for code, when, keys in table("24", "code")]
    assert rows == [(code, when, keys) for code, (when, keys) in ERRORS.items()]


def test_whys() -> None:
    """The list of `why` (section 16) is the same, in the same order."""
    assert [code for row in table("16", "why") for code in codes(row[0])] == list(WHYS)


def test_levels() -> None:
    """The level table (section 14) has the levels in order, and lists each command first where the code has it."""
    rows = table("14", "level")
    assert [codes(row[0])[0] for row in rows] == list(LEVELS)
    lowest: dict[str, str] = {}
    for level, commands, _ in rows:
        for word in " ".join(codes(commands)).split():
            if word in COMMANDS:
                lowest.setdefault(word, codes(level)[0])
    assert lowest == {name: info.level for name, info in COMMANDS.items()}


def test_capabilities() -> None:
    """The capability words (section 14) are the same."""
    sentence = re.search(r"Version 1 knows: (.*?)\. An unknown", sections()["14"], re.DOTALL)
    assert sentence is not None
    assert tuple(re.findall(r"`(\w+)` \(", sentence[1])) == CAPABILITIES


def test_limits() -> None:
    """The limits (section 25) are the same."""
    limits = {what: re.sub(r"\D", "", limit.split()[0]) for what, limit in table("25", "what")}
    assert limits["a line, both ways"] == str(MAX_LINE)
    assert limits["an id"] == str(MAX_ID)
    assert limits["a seed"] == str(MAX_SEED)
    assert limits["an integer"] == str(MAX_DIGITS)


def test_version() -> None:
    """The document's version is the one that is spoken."""
    assert SPEC.read_text(encoding="utf-8").startswith(f"# USP, the Universal Spades Protocol, version {VERSION}\n")


def test_every_command_is_explained() -> None:
    """Every command has a usage that begins with its name, and at least one line of help, in plain ASCII."""
    for name, info in COMMANDS.items():
        assert info.usage.split()[0] == name == info.name
        assert info.help
        for text in (info.usage, *info.help):
            assert text.isascii()
            assert text == text.strip()


def test_every_usage_is_in_the_specification() -> None:
    """What a usage says about keys stands in SPEC.md too: every `key=` of it is in the document."""
    text = SPEC.read_text(encoding="utf-8")
    for info in COMMANDS.values():
        for key in re.findall(r"([a-z_.]+(?:<side>|<seat>)?)=", info.usage):
            assert f"{key}=" in text or f"`{key}`" in text or f"{key.replace('<side>', 'S')}" in text, (info.name, key)
