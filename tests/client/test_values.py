"""Limits, options and values: what is checked before it is sent, and how forgivingly answers are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_client import Best, Event, GameState, Info, Limit, Option, OptionError, Options, Timeouts
from spades_client.options import parse_integer, parse_option


@pytest.mark.parametrize(
    ("limit", "words", "seconds"),
    [
        (Limit(), [], 1.5),
        (Limit(movetime=250), ["movetime=250"], 0.25),
        (Limit(movetime=-5), ["movetime=-5"], 0.0),
        (Limit(nodes=10), ["nodes=10"], None),
        (Limit(nodes=10, movetime=100), ["movetime=100", "nodes=10"], 0.1),
        (Limit(clock=3000, inc=500), ["clock=3000", "inc=500"], 3.5),
        (Limit(clock=3000, movetime=100), ["movetime=100", "clock=3000"], 0.1),
        (Limit(infinite=True), ["infinite"], None),
    ],
)
def test_a_limit_says_its_words_and_its_time(limit: Limit, words: list[str], seconds: float | None) -> None:
    """Each limit is written as `go` takes it and bounds the time where it speaks of it; the first one reached ends."""
    assert limit.words() == words
    assert limit.seconds(1500) == seconds
    wait, _ = Timeouts(margin=2, nodes=60).for_search(limit, 1500)
    assert wait == (None if limit.infinite else 60 if seconds is None else seconds + 2)


def test_limits_that_mean_nothing_are_refused() -> None:
    """An infinite search with another limit, and an increment without a clock, are errors of the caller."""
    for wrong in ({"infinite": True, "nodes": 5}, {"inc": 5}):
        with pytest.raises(ValueError, match=r"."):
            Limit(**wrong)  # type: ignore[arg-type]  # the point of the test


SPIN = Option("movetime", "spin", "1000", 0, 3000)
COMBO = Option("style", "combo", "calm", values=("calm", "wild"))
CHECK = Option("chatter", "check", "yes")
STRING = Option("opponent")


def test_options_are_checked_before_they_are_sent() -> None:
    """What the engine said it takes becomes text; everything else is an OptionError that tells what would do."""
    options = Options({option.name: option for option in (SPIN, COMBO, CHECK, STRING)})
    given_: dict[str, bool | int | str] = {
        "movetime": 5,
        "style": "wild",
        "chatter": False,
        "opponent": "Jo Q",
        "x-own": 3,
    }
    assert options.format(given_) == {
        "movetime": "5", "style": "wild", "chatter": "no", "opponent": "Jo Q", "x-own": "3",
    }  # fmt: skip
    for name, value, text in (
        ("movetime", -1, "from 0 to 3000"),
        ("movetime", "1_0", "from 0 to 3000"),
        ("movetime", True, "from 0 to 3000"),
        ("style", "odd", "calm, wild"),
        ("chatter", "on", "yes or no"),
        ("Movetime", 5, "did you mean 'movetime'"),
        ("unheard-of", 5, "no option"),
    ):
        with pytest.raises(OptionError, match=text):
            options.format({name: value})


def test_options_know_what_they_are_set_to() -> None:
    """An option has its default until it is set; `movetime` is what a bare `go` takes."""
    options = Options({option.name: option for option in (SPIN, CHECK)})
    assert (options.movetime, options.current("chatter")) == (1000, True)
    options.accepted({"movetime": "50", "chatter": "no"})
    assert (options.movetime, options.current("chatter")) == (50, False)
    assert Options({}).movetime is None


def test_an_option_line_may_say_anything() -> None:
    """What an option line leaves out or gets wrong is left open: such an option takes what the engine will take."""
    assert parse_option({"name": "a", "type": "spin", "min": "low"}) == Option("a", "spin")
    assert parse_option({"name": "a", "type": "new", "values": "b,c"}).format("d") == "d"
    assert parse_option({"name": "a", "type": "spin", "default": "none"}).parse("none") == "none"


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_integers_are_read_back(number: int) -> None:
    """A number of at most 18 digits is read with or without its sign."""
    assert parse_integer(str(number)) == parse_integer(f"{number:+d}") == number


@given(st.text(max_size=10))
def test_what_is_no_integer_is_none(text: str) -> None:
    """Only plain decimal digits are a number; no text raises."""
    value = parse_integer(text)
    assert value is None or text.lstrip("+-").isascii()
    for wrong in ("", "+", "1_0", "--1", "+-1", "1.0", "\u0661", "9" * 19, " 1"):
        assert parse_integer(wrong) is None


def test_figures_that_make_no_sense_are_none() -> None:
    """A figure that is missing or garbled is None, never an error."""
    info = Info({"time": "x", "equity": "half", "tricks": "0.5,,1", "nodes": "7"})
    assert (info.time, info.equity, info.tricks, info.nodes, info.worlds, info.points) == (
        None,
        None,
        None,
        7,
        None,
        None,
    )
    assert (info.multipv, info.action, info.error) == (1, None, None)
    assert Best({}, "bid 4").make is None


def test_events_are_read_by_their_words() -> None:
    """An event tells its kind, its seat and its pairs."""
    assert (Event("draft S keep 4C").kind, Event("draft S keep 4C").seat) == ("draft", "S")
    assert (Event("deal 1 first=S").seat, Event("deal 1 first=S").pairs) == (None, {"first": "S"})
    assert Event("score S=+42 bags.S=2").pairs == {"S": "+42", "bags.S": "2"}
    assert Event("").kind == ""


def test_a_state_may_lack_anything() -> None:
    """A state without its keys, or with values of other types, reads as an empty one."""
    for raw in (
        {},
        {"hands": 3, "seats": "SN", "trick": [1], "legal": 5, "totals": {"S": "x"}, "bids": [], "turn": None},
    ):
        state = GameState(raw)
        assert (state.phase, state.turn, state.first, state.draw, state.winner, state.reason) == ("", *[None] * 5)
        assert (state.hands, state.seats, state.trick, state.totals, state.bids) == ({}, (), (), {}, {})
