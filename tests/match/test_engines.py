"""Engines as they are written on the command line."""

import pytest

from spades_client.limits import Limit
from spades_match.engines import STEPS, EngineSpec, parse_engine, parse_engines
from spades_match.outcomes import MatchError


def test_a_plain_command_line_is_an_engine() -> None:
    """A command line alone is an engine, named after its program or script."""
    spec = parse_engine("python3 -u bots/my-bot.py --deep")
    assert spec.command == ("python3", "-u", "bots/my-bot.py", "--deep")
    assert spec.name == "my-bot"
    assert parse_engine("/usr/bin/spades-engine").name == "spades-engine"


def test_every_key_is_read() -> None:
    """Name, command, limits of search, options, limits of steps and `fresh` are read from one line."""
    spec = parse_engine(
        "name=A cmd='run --x=1' nodes=5 option.multipv=2 option.x-y='a b' limit.start=30 limit.quit=0.5 fresh=yes"
    )
    assert (spec.name, spec.command, spec.limit) == ("A", ("run", "--x=1"), Limit(nodes=5))
    assert spec.options == {"multipv": "2", "x-y": "a b"}
    assert (spec.steps.start, spec.steps.quit, spec.steps.ping, spec.fresh) == (30, 0.5, 10, True)


def test_each_step_has_a_limit_of_its_own() -> None:
    """Every step limit can be set by its name and changes nothing else."""
    usual = parse_engine("e").steps
    for step in STEPS:
        steps = parse_engine(f"e limit.{step}=77").steps
        assert {name for name in STEPS if getattr(steps, name) != getattr(usual, name)} == {step}


def test_what_holds_for_each_engine_gives_way_to_its_own() -> None:
    """An engine's own keys win over those for each, and its own limit of search replaces the common one whole."""
    each = "movetime=50 option.multipv=3 limit.start=20"
    assert parse_engine("e", each).limit == Limit(movetime=50)
    spec = parse_engine("e nodes=9 option.multipv=1", each)
    assert (spec.limit, spec.options["multipv"], spec.steps.start) == (Limit(nodes=9), "1", 20)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name=A",
        "e nodes=x",
        "e nodes=-1",
        "e nodes=1 nodes=2",
        "e inc=5",
        "e limit.think=3",
        "e limit.move=soon",
        "e colour=red",
        "e option.=1",
        "e fresh=maybe",
        "e cmd=f",
        "name='two words' e",
        "e 'open",
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    """A line that makes no sense raises MatchError, which says what is wrong."""
    with pytest.raises(MatchError, match=r".{10}"):
        parse_engine(text)


def test_an_engine_named_twice_is_two_engines() -> None:
    """Equal names are told apart by a number, so an engine can play against itself."""
    assert [spec.name for spec in parse_engines(["e", "e", "e"])] == ["e", "e-2", "e-3"]


def test_a_name_that_was_given_is_kept_or_refused() -> None:
    """A program's own name gives way to one that `name=` gives; the same name given twice is an error."""
    assert [spec.name for spec in parse_engines(["e", "name=e other", "e"])] == ["e-2", "e", "e-3"]
    with pytest.raises(MatchError, match="two engines are called A"):
        parse_engines(["name=A x", "name=A y"])


def test_the_header_keeps_all_of_an_engine() -> None:
    """What goes into the header of a results file comes back as the same engine."""
    spec = parse_engine("name=A e clock=1000 inc=10 option.b=c limit.move=3 fresh=yes")
    assert EngineSpec.from_json(spec.as_json()) == spec
