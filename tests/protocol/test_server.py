"""The engine's side: which line becomes a command, and how every other one is answered (SPEC.md, 11 and 12)."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spades_protocol
from spades_protocol import commands
from spades_protocol.commands import COMMANDS, IDLE, NEW, STATE_NAMES, STATES, THINKING
from spades_protocol.lines import MAX_LINE, LineEvent, encode_line
from spades_protocol.server import Command, Reject, ServerState
from spades_protocol.words import Word
from tests.protocol.grammar import sample, validate_reply
from tests.protocol.wire import line, read_whole

EVERY_CELL = [(state, name) for state in STATE_NAMES for name in COMMANDS]


def server(state: str) -> ServerState:
    """Return a process in this state; while thinking, `#t go` is what it thinks about."""
    machine = ServerState()
    if state != NEW:
        machine.agree()
    if state == THINKING:
        machine.begin_thinking("t")
    assert machine.state == state
    return machine


def answer(machine: ServerState, text: str) -> str:
    """Return the reply to a line that is answered at once."""
    reply = machine.receive(line(text))
    assert isinstance(reply, Reject)
    validate_reply(reply.line)
    return reply.line


def code(reply: str) -> str:
    """Return the code of an error line without id."""
    assert reply.startswith("error ")
    return reply.split()[1]


def test_the_table_is_whole() -> None:
    """There is a verdict for every state and every command, and for nothing else."""
    assert list(STATES) == [(state, name) for name in COMMANDS for state in STATE_NAMES]
    assert set(STATE_NAMES) == {NEW, IDLE, THINKING}
    assert set(STATES.values()) == {"yes", "wrong-phase", "busy"}


@pytest.mark.parametrize(("state", "name"), EVERY_CELL)
def test_every_cell(state: str, name: str) -> None:
    """In every state every command does what the table says, with an id and without, and the state stays."""
    machine = server(state)
    verdict = STATES[state, name]  # type: ignore[index]
    for start, id_ in (("", None), ("#7 ", "7")):
        found = machine.receive(line(f"{start}{name} a k=1"))
        if verdict == "yes":
            assert found == Command(id_, name, [Word("a"), Word("1", "k")])
        else:
            assert isinstance(found, Reject)
            assert found.line.startswith(f'{start}error {verdict} "')
            validate_reply(found.line, name)
    assert machine.state == state


@pytest.mark.parametrize("state", STATE_NAMES)
def test_unknown_commands(state: str) -> None:
    """An unknown command is unknown in every state, and a close one is suggested."""
    assert answer(server(state), "bib 4") == 'error unknown-command "bib: no such command" suggest=bid'
    assert answer(server(state), "#a BID 4").startswith("#a error unknown-command ")
    assert answer(server(state), "BID 4").endswith(" suggest=bid")
    assert "suggest" not in answer(server(state), "frobnicate")


@pytest.mark.parametrize("state", STATE_NAMES)
def test_private_commands(state: str) -> None:
    """An unknown command that starts with x- is ignored, and says so, in every state."""
    assert answer(server(state), "#a x-sparkle 3") == "#a ok ignored=x-sparkle"
    assert answer(server(state), "x-") == "ok ignored=x-"
    assert answer(server(state), "x-a=b") == "ok ignored=x-a=b"
    assert answer(server(state), 'x-a="b c"') == 'ok ignored="x-a=\\"b c\\""'


def test_a_command_is_a_bare_word() -> None:
    """A quoted word or a pair is no command, though it may look like one."""
    assert answer(server(IDLE), '"ping"') == 'error unknown-command "\\"ping\\": no such command" suggest=ping'
    assert code(answer(server(IDLE), "ping=1")) == "unknown-command"
    assert code(answer(server(IDLE), '""')) == "unknown-command"


@pytest.mark.parametrize("state", STATE_NAMES)
@pytest.mark.parametrize("text", ["", " ", "\t", "; #1 ping", ";"])
def test_ignored_lines(state: str, text: str) -> None:
    """Empty lines and comments are neither commands nor answered."""
    assert server(state).receive(line(text)) is None


def test_a_comment_after_an_id_is_answered() -> None:
    """With an id in front somebody waits for an answer, so a ; there is an unknown command."""
    assert answer(server(IDLE), "#1 ; x").startswith("#1 error unknown-command ")


@pytest.mark.parametrize(
    ("data", "reply"),
    [
        (b"\xff", "error bad-encoding "),
        (b"#1 \xff", "#1 error bad-encoding "),
        (b"; \xff", "error bad-encoding "),
        (b"x" * (MAX_LINE + 1), "error too-long "),
        (b"#1 " + b"\xff" * MAX_LINE, "#1 error too-long "),
        (b'frobnicate "', "error bad-syntax "),
        (b'#1 play "', "#1 error bad-syntax "),
        (b"#1", "#1 error bad-syntax "),
        (b"#1 ", "#1 error bad-syntax "),
        (b"#/ ping", "error bad-syntax "),
        (b"#1 frobnicate", "#1 error unknown-command "),
        (b"#1 play", "#1 error wrong-phase "),
    ],
)
def test_errors_in_their_order(data: bytes, reply: str) -> None:
    """Of several things that are wrong the first in the order of section 11 is told, with the id if it can be read."""
    (event,) = read_whole(data + b"\n")
    found = server(NEW).receive(event)
    assert isinstance(found, Reject)
    assert found.line.startswith(reply)
    validate_reply(found.line)


def test_too_long_tells_the_limit() -> None:
    """`too-long` comes with `max`."""
    found = server(IDLE).receive(LineEvent("too-long", ""))
    assert isinstance(found, Reject)
    assert found.line.endswith(f" max={MAX_LINE}")


def test_a_reply_fits_a_line() -> None:
    """What a reply repeats of a line is shortened, so that the reply is no longer than a line may be."""
    for text in ("x" * MAX_LINE, "x-" + "y" * (MAX_LINE - 2), f'"{"z" * (MAX_LINE - 2)}"', "é" * (MAX_LINE // 2)):
        assert len(encode_line(answer(server(IDLE), text))) < 1000


def test_the_handshake() -> None:
    """A new process becomes idle when a version has been agreed on; doing so again changes only the version."""
    machine = ServerState()
    assert (machine.state, machine.version) == (NEW, None)
    machine.agree(1)
    assert (machine.state, machine.version) == (IDLE, 1)
    machine.begin_thinking(None)
    machine.agree(1)
    assert machine.state == THINKING


def test_thinking() -> None:
    """Thinking begins from idle, remembers its id, and ends once."""
    machine = server(IDLE)
    assert not machine.is_thinking
    machine.begin_thinking("8")
    assert machine.is_thinking
    assert machine.thinking_id == "8"
    machine.end_thinking()
    assert (machine.state, machine.thinking_id) == (IDLE, None)


def test_thinking_out_of_turn() -> None:
    """To begin while new or thinking, or to end while not thinking, is a fault of the caller."""
    for state in (NEW, THINKING):
        with pytest.raises(RuntimeError, match="cannot begin"):
            server(state).begin_thinking("1")
    for state in (NEW, IDLE):
        with pytest.raises(RuntimeError, match="cannot end"):
            server(state).end_thinking()


def test_nothing_is_answered_after_quit() -> None:
    """Lines behind `quit` are neither carried out nor answered."""
    machine = server(IDLE)
    machine.finish()
    for event in read_whole(b"ping\n\xff\nfrobnicate\n"):
        assert machine.receive(event) is None


@given(st.lists(st.binary(max_size=30), max_size=6), st.sampled_from(STATE_NAMES))
def test_any_bytes(lines: list[bytes], state: str) -> None:
    """Whatever comes in, every line is ignored, becomes a command, or gets one reply that is in the grammar."""
    machine = server(state)
    for event in read_whole(b"\n".join(lines)):
        found = machine.receive(event)
        if isinstance(found, Reject):
            validate_reply(found.line)
            encode_line(found.line)
        elif found is None:
            assert event.text.lstrip(" \t")[:1] in ("", ";")


@given(st.integers(0, 10**9), st.binary(min_size=1, max_size=3), st.data())
def test_mutated_commands(number: int, noise: bytes, data: st.DataObject) -> None:
    """A good command with some bytes changed, taken out or put in is answered by one reply or carried out."""
    good = sample("command", random.Random(number)).encode()[:200]  # cut where it will, that is one more mutation
    place = data.draw(st.integers(0, len(good)))
    bad = good[:place] + noise + good[place + data.draw(st.integers(0, 3)) :]
    machine = server(IDLE)
    for event in read_whole(bad.replace(b"\n", b" ")):
        found = machine.receive(event)
        if isinstance(found, Reject):
            validate_reply(found.line)


@given(st.integers(0, 10**9))
def test_good_commands_are_never_refused(number: int) -> None:
    """Every command of the grammar is carried out while idle, or ignored because it is private."""
    text = sample("client-line", random.Random(number))
    for event in read_whole(text.encode() + b"\n"):
        found = server(IDLE).receive(event)
        if isinstance(found, Reject):
            assert " ignored=" in found.line
        elif found is None:
            assert text.lstrip(" \t")[:1] in ("", ";")


def test_the_handshake_needs_little() -> None:
    """Importing the engine's side loads no other module but the package's own; start-up is quick for that."""
    code_text = (
        "import sys; before = set(sys.modules); import spades_protocol.server; "
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('spades_protocol')))"
    )
    folder = spades_protocol.__path__[0].rpartition("spades_protocol")[0]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {folder!r}); {code_text}"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert run.stdout.split() == ["__future__"]


def test_what_commands_offers() -> None:
    """Every name in `__all__` of the commands is there."""
    assert all(hasattr(commands, name) for name in commands.__all__)


def test_values_of_what_comes_out() -> None:
    """Commands and rejects are equal by what they hold, and show it."""
    assert repr(Command("1", "bid", [])) == "Command('1', 'bid', [])"
    assert repr(Reject("ok")) == "Reject('ok')"
    assert {Reject("ok"), Reject("ok")} == {Reject("ok")}
    assert Reject("ok") != "ok"
    assert Command(None, "bid", []) != "bid"
