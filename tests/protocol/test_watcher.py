"""The watcher of tests/protocol/grammar.py: a conversation held against the grammar."""

import pytest

from tests.protocol.grammar import GrammarFault, Watcher, validate_conversation


def test_a_watcher_pairs_replies_with_commands() -> None:
    """A whole conversation passes: ids, comments, bad lines, and thinking that is overtaken."""
    validate_conversation(
        [
            (">", "usp 1"),
            ("<", "ok usp=1 levels=core"),
            (">", "; nothing"),
            (">", ""),
            (">", "#8 go infinite"),
            (">", "#9 bid 3"),
            ("<", '#9 error busy "thinking"'),
            (">", "ping"),
            ("<", "ok"),
            (">", "#11 stop"),
            ("<", '#8 info error "x"'),
            ("<", "#8 best bid nil"),
            ("<", "#11 ok"),
            (">", "go"),
            (">", "bid 3"),
            ("<", 'error busy "thinking"'),
            ("<", "best bid 3"),
            (">", "x-a 1"),
            ("<", "ok ignored=x-a"),
            (">", "bib"),
            ("<", 'error unknown-command "bib" suggest=bid'),
            (">", '"'),
            ("<", 'error bad-syntax "open"'),
        ]
    )


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (["ping"], ["ok", "ok"]),
        (["ping"], ["#1 ok"]),
        (["#1 ping"], ["ok"]),
        (["#1 ping"], ["#1 event trick S"]),
        (["#1 ping"], ["#1 ok phase=deal"]),
        (["ping"], ["best look"]),
        (["go"], ["ok"]),
        (["go"], ["best look", "info time=1"]),
        (["bib"], ["ok"]),
        ([], ["ok"]),
        ([], ["hello"]),
    ],
)
def test_a_watcher_finds_faults(sent: list[str], received: list[str]) -> None:
    """A second final reply, another id, a line of another command or an unknown line is found."""
    watcher = Watcher()
    for line in sent:
        watcher.sent(line)
    *good, bad = received
    for line in good:
        watcher.received(line)
    with pytest.raises(GrammarFault):
        watcher.received(bad)


def test_a_watcher_misses_replies() -> None:
    """A command without its final reply is found at the end."""
    watcher = Watcher()
    watcher.sent("#1 go", valid=True)
    watcher.received("#1 info time=1")
    with pytest.raises(GrammarFault):
        watcher.done()
    watcher.received("#1 best look")
    watcher.done()


def test_a_watcher_knows_good_commands() -> None:
    """It can be told that a command is good, or is not."""
    with pytest.raises(GrammarFault):
        Watcher().sent("bib", valid=True)
    with pytest.raises(GrammarFault):
        Watcher().sent("ping", valid=False)
