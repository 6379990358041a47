"""The core of both clients, without a process: whatever comes in, requests end as they should and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_client.conversation import Conversation, Exchange
from spades_client.errors import ClientError, EngineTerminated, ProtocolViolation
from spades_client.limits import Limit, Timeouts
from spades_client.requests import Requests
from spades_client.transcript import Transcript
from spades_client.values import Best

MAKE = Requests(Timeouts())


def talk() -> tuple[Conversation, Exchange[tuple[str, ...]], Exchange[Best]]:
    """Return a conversation in which `legal` (id 1) and then `go` (id 2) have been asked."""
    conversation = Conversation(Transcript())
    legal, _ = conversation.begin(MAKE.legal())
    go, data = conversation.begin(MAKE.go(Limit(nodes=5), None))
    assert data == b"#2 go nodes=5\n"
    return conversation, legal, go


def results(conversation: Conversation, legal: Exchange[tuple[str, ...]], go: Exchange[Best]) -> None:
    """Check that both have been answered."""
    tail = conversation.transcript.tail
    assert legal.result(tail) == ("play AS", "play 2C")
    assert go.result(tail).action == "play AS"
    assert go.result(tail).nodes == 5


ANSWER = [b"#1 legal play AS", b"#1 legal play 2C", b"#1 ok count=2", b"#2 info nodes=3", b"#2 best play AS nodes=5"]
# Lines that mean nothing wherever they stand: nobody's, unknown, unreadable, or not what `legal` and `go` may cause.
JUNK = st.one_of(
    st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"").replace(b"#1", b"").replace(b"#2", b"")),
    st.sampled_from(
        [
            b"", b" \t", b"ok", b"best play 2C", b"error", b"#", b"#9 ok", b"#1", b"#1 event play S 2C", b"#1 hello",
            b"#1 state {}", b"#2 record x", b"#1\x00legal play 2C", b"#2 info\xff", b"x" * 70_000,
            b"#1 " + b"x" * 70_000, b'#1 legal_ "', b"event end", b"\xef\xbb\xbf",
        ]
    ),
)  # fmt: skip


@given(st.lists(st.lists(JUNK, max_size=4), min_size=6, max_size=6), st.integers(1, 200))
def test_junk_between_any_two_lines_changes_nothing(junk: list[list[bytes]], piece: int) -> None:
    """Whatever stands between the lines of an answer, and however the bytes are cut, the answer is the same."""
    conversation, legal, go = talk()
    lines = list(junk[0])
    for line, more in zip(ANSWER, junk[1:], strict=True):
        lines += [line, *more]
    data = b"".join(line + b"\n" for line in lines)
    for start in range(0, len(data), piece if len(data) < 5000 else 4096):
        conversation.receive(data[start : start + (piece if len(data) < 5000 else 4096)])
    results(conversation, legal, go)


@given(st.lists(st.binary(max_size=100), max_size=20))
def test_no_bytes_raise(pieces: list[bytes]) -> None:
    """Any bytes at all, and then the end, raise nothing; what was asked ends in an error of the client's."""
    conversation, legal, go = talk()
    for piece in pieces:
        conversation.receive(piece)
    conversation.ended(1, ["the last words"])
    for exchange in (legal, go):
        assert exchange.is_done
        with pytest.raises(ClientError):
            exchange.result(conversation.transcript.tail)


def test_answers_in_any_order_find_their_requests() -> None:
    """Ids, not order, say which request is answered."""
    conversation, legal, go = talk()
    conversation.receive(b"\n".join([ANSWER[3], ANSWER[0], ANSWER[4], ANSWER[1], ANSWER[2], b""]))
    results(conversation, legal, go)


def test_an_abandoned_request_takes_no_answer() -> None:
    """After a request has been abandoned its late answer is passed over; a search is sent a `stop`."""
    conversation, legal, go = talk()
    assert conversation.abandon(legal, conversation.time_out(legal, 1.0, "a limit")) is None
    assert conversation.abandon(go, conversation.time_out(go, 1.0, "a limit")) == b"#3 stop\n"
    assert conversation.abandon(go, conversation.time_out(go, 1.0, "a limit")) is None
    conversation.receive(b"\n".join([*ANSWER, *ANSWER, b"#3 ok", b""]))
    for exchange in (legal, go):
        with pytest.raises(ClientError, match="a limit"):
            exchange.result(conversation.transcript.tail)
    again, data = conversation.begin(MAKE.ping())
    conversation.receive(data.replace(b"ping", b"ok"))
    assert again.is_done


def test_the_last_line_needs_no_line_feed() -> None:
    """An answer whose LF never came counts when the output ends there."""
    conversation, legal, go = talk()
    conversation.receive(b"\n".join(ANSWER))
    assert not go.is_done
    conversation.ended(0, [])
    results(conversation, legal, go)
    with pytest.raises(EngineTerminated):
        conversation.begin(MAKE.ping())


def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that never comes to its final reply fills no memory: after so many lines it is a violation."""
    monkeypatch.setattr("spades_client.conversation.MAX_REPLIES", 100)
    conversation, legal, _ = talk()
    conversation.receive(b"#1 legal play AS\n" * 1000)
    with pytest.raises(ProtocolViolation, match="without an end"):
        legal.result(conversation.transcript.tail)


def test_the_tail_is_short() -> None:
    """What errors carry is the end of the conversation, long lines cut."""
    conversation, _, _ = talk()
    conversation.receive(b"".join(b"line %d %s\n" % (number, b"x" * 1000) for number in range(1000)))
    tail = conversation.transcript.tail()
    assert len(tail) == 40
    assert tail[-1].startswith("< line 999 ")
    assert max(map(len, tail)) < 600
