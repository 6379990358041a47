"""The other side: what may be sent, and whose line it is that comes back (SPEC.md, section 11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.client import VIOLATIONS, ClientState, LocalFault, Pending, Received
from spades_protocol.commands import COMMANDS, STATE_NAMES, STATES
from spades_protocol.lines import MAX_LINE, LineEvent
from spades_protocol.replies import Best, Error, EventLine, Info, Ok, UnknownLine


def shaken() -> ClientState:
    """Return a client after the handshake."""
    client = ClientState()
    client.send("usp 1", "usp")
    assert client.receive("#usp ok usp=1 levels=core").is_final
    return client


def client_in(state: str) -> ClientState:
    """Return a client whose engine is in this state; while thinking `#t go` is pending."""
    client = ClientState() if state == "new" else shaken()
    if state == "thinking":
        client.send("go", "t")
    assert client.state == state
    return client


def play(*script: str) -> tuple[ClientState, list[Received]]:
    """Run a script after the handshake: `> #id command` is sent, `< line` comes back. Return what came of the lines."""
    client = shaken()
    received = []
    for entry in script:
        direction, _, text = entry.partition(" ")
        if direction == ">":
            id_, _, command = text[1:].partition(" ")
            client.send(command, id_)
        else:
            received.append(client.receive(text))
    return client, received


def test_a_command_goes_out_with_its_id() -> None:
    """What is sent is one line with the id in front and an LF behind."""
    client = shaken()
    assert client.send("  play \t AS ", "7") == b"#7 play \t AS\n"
    (pending,) = client.pending
    assert pending == Pending("7", "play", "#7 play \t AS")
    assert not pending.is_done
    client.receive("#7 ok phase=play turn=N")
    assert pending.is_done


def test_ids_are_made_up() -> None:
    """Without an id a new one is taken, and never one in use or used before."""
    client = shaken()
    client.send("ping", "1")
    assert client.send("ping") == b"#2 ping\n"
    assert client.new_id() == "3"
    assert client.receive("#1 ok").is_final
    assert [client.send("ping") for _ in range(2)] == [b"#4 ping\n", b"#5 ping\n"]


@pytest.mark.parametrize(
    "command",
    [
        "",
        " ",
        "; x",
        "#1 ping",
        "ping\n",
        "ping\nquit",
        "ping\r",
        "a\x00",
        'play "',
        "x" * MAX_LINE,
        "frob",
        '"ping"',
        "a=b",
    ],
)
def test_what_is_no_command_is_not_sent(command: str) -> None:
    """Nothing that is no line, more than a line, no command, or has an id already goes out, and nothing is pending."""
    client = shaken()
    with pytest.raises(LocalFault):
        client.send(command)
    assert client.pending == []


@pytest.mark.parametrize("id_", ["", "a b", "#1", "é", "x" * 33, "t"])
def test_ids_are_checked(id_: str) -> None:
    """What is no id, or the id of a command without its final reply, is refused."""
    client = client_in("thinking")
    with pytest.raises(LocalFault):
        client.send("ping", id_)


def test_an_id_may_be_used_again() -> None:
    """Once its command has had its final reply, an id is free."""
    client, received = play("> #1 ping", "< #1 ok", "> #1 ping", "< #1 ok", "< #1 ok")
    assert [one.violation for one in received] == [None, None, "second-final"]
    assert client.pending == []


@pytest.mark.parametrize("state", STATE_NAMES)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_cell(state: str, name: str) -> None:
    """A command that the state table does not allow is not sent, unless the check is waived."""
    client = client_in(state)
    if STATES[state, name] == "yes":  # type: ignore[index]
        client.send(name)
    else:
        with pytest.raises(LocalFault, match=STATES[state, name]):  # type: ignore[index]
            client.send(name)
        client.send(name, check=False)
    assert client.pending[-1].name == name


def test_a_handshake_under_way_counts() -> None:
    """Commands may be sent right behind `usp`, before its reply."""
    client = ClientState()
    with pytest.raises(LocalFault):
        client.send("newgame")
    client.send("usp 1")
    client.send("newgame")
    assert client.state == "new"


def test_a_refused_handshake_is_none() -> None:
    """After `error unsupported` the engine is as new as before."""
    client = ClientState()
    client.send("usp 7", "1")
    assert client.receive('#1 error unsupported "no" versions=1').is_final
    assert client.state == "new"


def test_unknown_and_private_commands() -> None:
    """A private command goes out; any other unknown one only without the check, and may cause what it likes."""
    client, received = play("> #1 x-sparkle 3", "< #1 ok ignored=x-sparkle")
    assert received[0].violation is None
    client.send("frob", "2", check=False)
    assert client.receive("#2 best look").violation is None


def test_a_whole_turn() -> None:
    """Lines are told whose they are, what they say, and which of them is the last."""
    client, received = play(
        "> #3 look", "< #3 event look S", "< #3 event draft S draw KD", "< #3 ok phase=draft turn=S",
        "> #4 go movetime=200", "< #4 info time=120", "< #4 best draft keep equity=0.5",
    )  # fmt: skip
    assert [one.reply for one in received] == [
        EventLine("3", "look S"), EventLine("3", "draft S draw KD"), Ok("3", {"phase": "draft", "turn": "S"}),
        Info("4", {"time": "120"}), Best("4", "draft keep", {"equity": "0.5"}),
    ]  # fmt: skip
    assert [one.is_final for one in received] == [False, False, True, False, True]
    assert [one.pending.name for one in received if one.pending] == ["look"] * 3 + ["go"] * 2
    assert not any(one.violation for one in received)
    assert client.pending == []
    assert client.state == "idle"


def test_thinking_is_overtaken() -> None:
    """`ping` is answered while `go` thinks, and `stop` after it has ended."""
    client, received = play(
        "> #8 go infinite", "> #10 ping", "< #10 ok", "> #11 stop", "< #8 best bid 4", "< #11 ok"
    )  # fmt: skip
    assert not any(one.violation for one in received)
    assert client.state == "idle"


GAME = ("> #1 play AS", "< #1 ok phase=play turn=N")


@pytest.mark.parametrize(
    ("script", "violation", "final"),
    [
        ((*GAME, "< #1 ok phase=play turn=N"), "second-final", False),
        ((*GAME, '< #1 error busy "x"'), "second-final", False),
        ((*GAME, "< #1 event trick S"), "after-final", False),
        (("> #1 go", "< #1 best look", "< #1 info time=1"), "after-final", False),
        (("> #1 go", "< #1 best look", "< #1 best look"), "second-final", False),
        (("< #1 ok",), "no-pending", False),
        (("< #1 event trick S",), "no-pending", False),
        (("> #1 ping", "< ok"), "no-id", False),
        (("> #1 ping", "< event trick S"), "no-id", False),
        (("> #1 ping", "< #/ ok"), "malformed", False),
        (("> #1 ping", '< #1 ok "'), "malformed", True),
        (("> #1 go", "< #1 best"), "malformed", True),
        (("> #1 get", "< #1 value x"), "malformed", False),
        (("> #1 ping", "< #1 event trick S"), "wrong-line", False),
        (("> #1 newgame", "< #1 event deal 1 first=S"), "wrong-line", False),
        (("> #1 go", "< #1 event play S AS"), "wrong-line", False),
        (("> #1 go", "< #1 ok"), "wrong-final", True),
        (("> #1 ping", "< #1 best look"), "wrong-final", True),
        (("> #1 perft 1", "< #1 best look"), "wrong-final", True),
        (("> #1 go infinite", "< #1 best look"), "early-best", True),
        (("> #1 go infinite", "> #2 ping", "< #1 best look"), "early-best", True),
        (("> #1 go", "> #2 stop", "< #2 ok"), "early-stop", True),
        (("> #1 bench", "> #2 quit", "< #2 ok"), "early-stop", True),
    ],
)
def test_broken_promises(script: tuple[str, ...], violation: str, final: bool) -> None:
    """What breaks a promise is named, ends its command only where it is its final reply, and raises nothing."""
    _, received = play(*script)
    assert [one.violation for one in received[:-1]] == [None] * (len(received) - 1)
    assert received[-1].violation == violation
    assert received[-1].is_final is final


@pytest.mark.parametrize(
    "script",
    [
        ("> #1 go infinite", "> #2 quit", "< #1 best look", "< #2 ok"),
        ("> #1 go infinite", '< #1 error no-game "there is none"'),
        ("> #1 go", '< #1 error internal "x"'),
        ("> #1 stop", "> #2 go", "< #1 ok", "< #2 best look"),
        ("> #1 perft 2", "> #2 stop", '< #1 error stopped "x"', "< #2 ok"),
        ("> #1 get", "< #1 value a=1", "< #1 ok"),
        ("> #1 bench", '< #1 info error "x"', "< #1 ok nodes=1"),
    ],
)
def test_kept_promises(script: tuple[str, ...]) -> None:
    """None of these breaks a promise."""
    client, received = play(*script)
    assert not any(one.violation for one in received)
    assert client.pending == []


@pytest.mark.parametrize("line", ["", " ", "\t", "later a=1", "#1 later", "#9 later", "Ok", "éa"])
def test_unknown_lines_are_ignored(line: str) -> None:
    """A first word that is not known, or none, means nothing, whoever it is for."""
    client, received = play("> #1 ping", f"< {line}", "< #1 ok")
    assert isinstance(received[0].reply, UnknownLine)
    assert received[0].violation is None
    assert not received[0].is_final
    assert received[1].is_final
    assert client.pending == []


def test_unreadable_lines() -> None:
    """A line that is too long or no text is reported, with its command where the id can be read, and ends nothing."""
    client = shaken()
    client.send("ping", "1")
    received = client.feed(b"\xff\n#1 \x00\n" + b"x" * (MAX_LINE + 1) + b"\n#1 ok\n")
    assert [one.violation for one in received] == ["unreadable"] * 3 + [None]
    assert [one.pending is not None for one in received] == [False, True, False, True]
    assert received[3].is_final


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_bytes_in_any_pieces(step: int) -> None:
    """A conversation comes out the same whole, byte by byte, and in pieces, with CR LF too."""
    data = b"#1 event trick S\r\n#1 ok phase=play turn=S\n#2 o"
    client = shaken()
    client.send("play AS", "1")
    client.send("ping", "2")
    received = [one for start in range(0, len(data), step) for one in client.feed(data[start : start + step])]
    assert [one.line for one in received] == ["#1 event trick S", "#1 ok phase=play turn=S"]
    assert [one.line for one in client.feed(b"k\nmore")] == ["#2 ok"]


def test_the_end() -> None:
    """At the end of the output a last line is read, and every command without final reply is given up once."""
    client = shaken()
    client.send("go", "1")
    client.send("ping", "2")
    client.send("quit", "3")
    assert client.feed(b"#2 ok") == []
    received = client.eof()
    assert [(one.pending.id, one.violation) for one in received if one.pending] == [
        ("2", None), ("1", "early-end"), ("3", "early-end"),
    ]  # fmt: skip
    assert client.is_closed
    assert client.pending == []
    assert client.eof() == []
    with pytest.raises(LocalFault):
        client.send("ping")


def test_a_late_reply_does_no_harm() -> None:
    """A `best` that comes when nobody waits for it any more is told apart, and the next command gets its own."""
    client, received = play(
        "> #1 go", '< #1 error internal "gave up"', "> #2 go", "< #1 best look", "< #2 best draft keep"
    )  # fmt: skip
    assert [one.violation for one in received] == [None, "second-final", None]
    assert received[2].reply == Best("2", "draft keep")
    assert client.pending == []


def test_memory_is_bounded() -> None:
    """A conversation of many commands keeps only the last thousand ids."""
    client = shaken()
    for _ in range(2500):
        sent = client.send("ping").decode()
        assert client.receive(sent.replace("ping\n", "ok")).is_final
    assert client.receive("#1 ok").violation == "no-pending"
    assert client.receive("#2500 ok").violation == "second-final"


def test_an_error_reply_is_no_violation() -> None:
    """Any command may be answered by any error."""
    for name in COMMANDS:
        if STATES["idle", name] == "yes":
            _, received = play(f"> #1 {name}", '< #1 error internal "x"')
            assert received[0].reply == Error("1", "internal", "x")
            assert received[0].is_final
            assert received[0].violation is None


SENT = st.sampled_from(["ping", "go", "go infinite", "stop", "play AS", "get", "bench"])
CAME = st.one_of(
    st.tuples(
        st.sampled_from(["", "#1 ", "#2 ", "#3 ", "#77 ", "#/ "]),
        st.sampled_from(["ok", "best look", 'error busy "x"', "event x", "info time=1", "x", "", 'ok "', "best", "#"]),
    ).map("".join),
    st.text(st.characters(codec="utf-8"), max_size=12),
)  # fmt: skip


@given(st.lists(st.one_of(st.tuples(st.just(">"), SENT), st.tuples(st.just("<"), CAME)), max_size=20))
def test_any_conversation(script: list[tuple[str, str]]) -> None:
    """Whatever an engine prints, nothing is raised, and every command ends at most once, by a line of its own."""
    client = shaken()
    ended: list[str] = []
    for direction, text in script:
        if direction == ">":
            try:
                client.send(text)
            except LocalFault:
                continue
        else:
            before = {pending.id for pending in client.pending}
            one = client.receive(text)
            assert one.violation is None or one.violation in VIOLATIONS
            if one.is_final:
                assert one.pending is not None
                assert one.pending.is_done
                assert one.pending.id in before
                ended.append(one.pending.id)
            assert before - {pending.id for pending in client.pending} == ({ended[-1]} if one.is_final else set())
    assert len(ended) == len(set(ended))
    assert client.receive(LineEvent("too-long", "")).violation == "unreadable"
