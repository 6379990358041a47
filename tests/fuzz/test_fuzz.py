"""A short run of the fuzzers, and Hypothesis on a live process (`make fuzz` runs for longer)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.lines import CARDS, VERBS, Lines, is_answered, is_ours_to_send
from tests.fuzz.session import Counts, Fault, Session
from tests.protocol.grammar import validate_reply


def check_line(line: str) -> None:
    """Hold a line of the process to the grammar."""
    validate_reply(line)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """One process for all tests of this file; at its end it must exit with 0 and have kept quiet."""
    session = Session(check=check_line)
    yield session
    session.close()


def test_commands_get_one_reply_and_errors_change_nothing(session: Session) -> None:
    """Every command, spoilt or not, has one final reply, under its id, and an error leaves `state` as it was."""
    session.fire_commands(Lines(11), 1500)
    for name in ("ok", "best", "error illegal-action", "error bad-argument", "error wrong-phase"):
        assert session.counts.replies.get(name), f"the fuzzer never got {name}"


def test_spoilt_bytes_get_as_many_replies_as_lines(session: Session) -> None:
    """Of lines of spoilt bytes, each that section 10 wants answered is answered once, and the process lives."""
    session.fire_bytes(Lines(12), 1500)
    assert session.counts.replies.get("error bad-encoding")
    assert session.counts.replies.get("error too-long")


WORDS = st.one_of(
    st.sampled_from(
        [*VERBS, *CARDS, "S", "N", "??", "none", "keep", "pass", "nil", ";", "rules=duel", "nodes=5", "#7"]
    ),
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12),
)


@settings(max_examples=150)
@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=6))
def test_any_text_is_answered_line_by_line(session: Session, lines: list[str]) -> None:
    """Whatever text comes, each line that wants an answer gets one final reply."""
    commands = [line.encode() for line in lines if is_ours_to_send(line.encode())]
    found = session.exchange([*[command + b"\n" for command in commands], b"stop\n"])
    finals = 0
    for line in found:
        words = line.split(" ")
        finals += words[1 if words[0].startswith("#") else 0] in ("ok", "error", "best")
    assert finals == 1 + sum(is_answered(command) for command in commands)


def test_the_fuzzer_can_fail() -> None:
    """The checks of the fuzzer are checks: a reply that is missing, doubled or without its id is a fault."""
    judge = Session._judge
    good = Session.__new__(Session)

    good.counts = Counts()
    assert judge(good, ["ping"], ["#c0 ok", "#s0 state {}", "#s0 ok"], "state {}\nok") == "state {}\nok"
    for found in (
        ["#s0 state {}", "#s0 ok"],
        ["#c0 ok", "#c0 ok", "#s0 state {}", "#s0 ok"],
        ["ok", "#s0 state {}", "#s0 ok"],
        ['#c0 error busy "x"', '#s0 state {"a":1}', "#s0 ok"],
    ):
        with pytest.raises(Fault):
            judge(good, ["ping"], found, "state {}\nok")
