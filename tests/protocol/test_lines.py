"""Lines out of bytes and back (SPEC.md, section 10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_protocol.lines import MAX_LINE, LineEvent, LineReader, encode_line, is_id, read_id
from tests.protocol.wire import read_bytewise, read_lines, read_whole

BOM = b"\xef\xbb\xbf"

# Text that may stand on a line: anything but control characters and halves of surrogate pairs.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters=[*map(chr, range(32)), "\x7f"]))


def texts(data: bytes) -> list[str]:
    """Return the texts of lines all of which can be read."""
    events = read_lines(data)
    assert all(event.kind == "line" for event in events)
    return [event.text for event in events]


def kinds(data: bytes) -> list[str]:
    """Return the kinds of the lines."""
    return [event.kind for event in read_lines(data)]


def test_lines_end_in_lf() -> None:
    """LF ends a line, and an empty line is a line."""
    assert texts(b"usp 1\n\nping\n") == ["usp 1", "", "ping"]


def test_nothing_gives_nothing() -> None:
    """A stream without a byte holds no line."""
    assert read_whole(b"") == []


def test_last_line_without_lf_is_read() -> None:
    """A last line without LF counts as if it had one, and so does its CR."""
    assert texts(b"ping\nquit") == ["ping", "quit"]
    assert texts(b"ping\nquit\r") == ["ping", "quit"]


def test_one_cr_before_lf_is_dropped() -> None:
    """Lines may end in CR LF, some of them or all."""
    assert texts(b"usp 1\r\nping\nquit\r\n\r\n") == ["usp 1", "ping", "quit", ""]


@pytest.mark.parametrize("data", [b"ping\r\r\n", b"pi\rng\n", b"\rping\n", b"ping\r \n", b"ping\r\r"])
def test_any_other_cr_is_a_control_character(data: bytes) -> None:
    """A second CR before the LF, or one inside the line, makes the line unreadable."""
    assert kinds(data) == ["bad-encoding"]


def test_a_lone_cr_ends_no_line() -> None:
    """CR alone, as old systems ended their lines, does not split one."""
    assert kinds(b"usp 1\rping\rquit\r") == ["bad-encoding"]


def test_bom_at_the_start_is_dropped() -> None:
    """A byte order mark at the very start is no part of the first line."""
    assert texts(BOM + b"usp 1\nping\n") == ["usp 1", "ping"]
    assert texts(BOM) == [""]
    assert texts(BOM + b"\r\n") == [""]


def test_bom_elsewhere_is_a_character() -> None:
    """A byte order mark is dropped once, at the start, and nowhere else."""
    assert texts(BOM + BOM + b"ping\n" + BOM + b"ping\n") == ["\ufeffping", "\ufeffping"]
    assert texts(b"\n" + BOM + b"ping\n") == ["", "\ufeffping"]


@pytest.mark.parametrize("part", [BOM[:1], BOM[:2]])
def test_part_of_a_bom_is_bad_encoding(part: bytes) -> None:
    """The beginning of a byte order mark is not taken for one."""
    assert kinds(part + b"ping\n") == ["bad-encoding"]


@pytest.mark.parametrize("code", [*range(9), *range(11, 13), *range(14, 32), 127])
def test_control_characters_make_a_line_unreadable(code: int) -> None:
    """NUL and every other control character but TAB is bad-encoding, wherever it stands, and the next line is read."""
    for data in (b"%cping\n", b"pi%cng\n", b"ping%c\n"):
        assert kinds(data % code + b"ping\n") == ["bad-encoding", "line"]


def test_tab_is_no_control_character() -> None:
    """TAB may stand on a line."""
    assert texts(b"\tget\tseed\t\n") == ["\tget\tseed\t"]


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"\xc3", b"\xc3(", b"\xc0\xaf", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"a\xe9"],
)
def test_invalid_utf8_makes_a_line_unreadable(data: bytes) -> None:
    """What is no UTF-8 (cut off, too long a form, half a surrogate pair, beyond the last character) is bad-encoding."""
    assert kinds(data + b"\nping\n") == ["bad-encoding", "line"]


@pytest.mark.parametrize(
    ("start", "id_"),
    [
        (b"#17 ", "17"),
        (b" \t#17\t", "17"),
        (b"#a.b_c-D ", "a.b_c-D"),
        (b"#" + b"x" * 32 + b" ", "x" * 32),
        (b"#" + b"x" * 33 + b" ", None),
        (b"#17", None),
        (b"# ", None),
        (b"#\xff ", None),
        (b"17 ", None),
        (b"x #17 ", None),
    ],
)
def test_an_unreadable_line_keeps_its_id(start: bytes, id_: str | None) -> None:
    """The id in front of a line is told where it can be read, although the rest cannot be."""
    (event,) = read_lines(start + b"\xff\n")
    assert (event.kind, event.id) == ("bad-encoding", id_)
    (event,) = read_lines(start + b"x" * (MAX_LINE + 1) + b"\n")
    assert (event.kind, event.id) == ("too-long", id_)


def test_an_id_alone_on_an_unreadable_line_ends_at_a_blank() -> None:
    """A control character directly behind an id is part of the word, which is then no id."""
    (event,) = read_lines(b"#17\x00\n")
    assert (event.kind, event.id) == ("bad-encoding", None)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"", b"\r"])
@pytest.mark.parametrize("start", [b"", BOM])
def test_the_longest_line_is_read_and_one_byte_more_is_not(start: bytes, end: bytes) -> None:
    """65,535 bytes without mark, CR and LF are a line; 65,536 are too long; either way the next line is read."""
    rest = b"ping\n" if end.endswith(b"\n") else b""
    following = [LineEvent("line", "ping")] if rest else []
    assert read_lines(start + b"x" * MAX_LINE + end + rest) == [LineEvent("line", "x" * MAX_LINE), *following]
    events = read_lines(start + b"x" * (MAX_LINE + 1) + end + rest)
    assert events[0].kind == "too-long"
    assert events[1:] == following


def test_the_limit_counts_bytes() -> None:
    """A character of three bytes counts three."""
    assert kinds("€".encode() * (MAX_LINE // 3) + b"\n") == ["line"]
    assert kinds("€".encode() * (MAX_LINE // 3) + b"x\n") == ["too-long"]


def test_a_line_over_the_limit_is_reported_once() -> None:
    """However long a line is, it is one line, also when the stream ends in it."""
    assert kinds(b"x" * (3 * MAX_LINE) + b"\nping\n") == ["too-long", "line"]
    assert kinds(b"ping\n" + b"x" * (3 * MAX_LINE)) == ["line", "too-long"]


def test_too_long_comes_before_bad_encoding() -> None:
    """A line that is too long and has control characters is too long."""
    assert kinds(b"\x00" * (MAX_LINE + 1) + b"\n") == ["too-long"]


def test_memory_is_bounded() -> None:
    """A reader that is fed a line without end keeps no more than the longest line and a few bytes of it."""
    for start in (b"", BOM):
        reader = LineReader()
        reader.feed(start)
        held = 0
        for _ in range(200):
            reader.feed(b"x" * 4001)
            held = max(held, reader.held)
        assert held + 4001 >= MAX_LINE
        assert held <= MAX_LINE + 5
        assert reader.feed(b"\nping\n") == [LineEvent("line", "ping")]
        assert reader.held == 0


def test_one_great_piece_is_not_kept() -> None:
    """A piece far over the limit leaves nothing behind."""
    reader = LineReader()
    assert [event.kind for event in reader.feed(b"x" * 1_000_000)] == ["too-long"]
    assert reader.held == 0


@given(st.lists(st.binary(max_size=40), max_size=8), st.data())
def test_pieces_do_not_matter(lines: list[bytes], data: st.DataObject) -> None:
    """However a stream is cut into pieces, the same lines come out."""
    stream = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reader = LineReader()
    events = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        events += reader.feed(stream[start:end])
    assert events + reader.eof() == read_whole(stream) == read_bytewise(stream)


@given(st.binary(max_size=200))
def test_every_line_gives_one_event(stream: bytes) -> None:
    """As many lines come out as there are LFs, and one more for what stands behind the last."""
    assert len(read_lines(stream)) == stream.count(b"\n") + (not stream.endswith(b"\n") and stream != b"")


@given(TEXT)
def test_a_line_reads_back(text: str) -> None:
    """What `encode_line` writes is read as the same text, without trailing blanks."""
    data = encode_line(text)
    assert data.count(b"\n") == 1
    # The mark at the start of a stream is dropped, so the line stands second.
    assert read_lines(b"\n" + data)[1] == LineEvent("line", text.rstrip(" "), read_id(text.encode()))


@pytest.mark.parametrize("text", ["a\nb", "a\n", "\r", "a\x00", "\x7f", "\x1b[0m", "\ud800", "x" * (MAX_LINE + 1)])
def test_what_is_no_line_is_not_written(text: str) -> None:
    """Control characters, halves of surrogate pairs and lines over the limit are refused."""
    with pytest.raises(ValueError, match=r"a line holds|surrogates not allowed"):
        encode_line(text)


def test_the_longest_line_is_written() -> None:
    """The limit is the same in both directions."""
    assert len(encode_line("x" * MAX_LINE)) == MAX_LINE + 1


@pytest.mark.parametrize("text", ["1", "a", "Z", ".", "_", "-", "a.b_c-9", "x" * 32])
def test_ids(text: str) -> None:
    """Letters, digits, dots, underscores and hyphens make an id."""
    assert is_id(text)


@pytest.mark.parametrize("text", ["", "x" * 33, "a b", "#1", "é", "٣", "a/b", "1\n"])
def test_no_ids(text: str) -> None:
    """Nothing else does, least of all digits and letters of other scripts."""
    assert not is_id(text)


def test_events_have_values() -> None:
    """Events are equal by what they hold, and show it."""
    event = LineEvent("line", "#1 ping", "1")
    assert repr(event) == "LineEvent('line', '#1 ping', '1')"
    assert len({event, LineEvent("line", "#1 ping", "1"), LineEvent("line", "#1 ping")}) == 2
    assert event != "#1 ping"
