"""Bytes into lines, three ways: whole, byte by byte, and with something behind."""

from spades_protocol.lines import LineEvent, LineReader


def read_whole(data: bytes) -> list[LineEvent]:
    """Return the lines of a stream that comes in one piece and ends."""
    reader = LineReader()
    return reader.feed(data) + reader.eof()


def read_bytewise(data: bytes) -> list[LineEvent]:
    """Return the lines of a stream that comes byte by byte and ends."""
    reader = LineReader()
    events = [event for index in range(len(data)) for event in reader.feed(data[index : index + 1])]
    return events + reader.eof()


def read_lines(data: bytes) -> list[LineEvent]:
    """Return the lines of a stream, after checking that all three ways give the same ones."""
    events = read_whole(data)
    assert read_bytewise(data) == events
    ended = data if data.endswith(b"\n") or not data else data + b"\n"
    # In front of an empty stream there is no line for the LF to end.
    assert read_whole(ended + b"#last ping\nrest") == [
        *events,
        LineEvent("line", "#last ping", "last"),
        LineEvent("line", "rest"),
    ]
    return events


def line(text: str) -> LineEvent:
    """Return the event of a line that can be read."""
    (event,) = read_whole(text.encode() + b"\n")
    assert event.kind == "line"
    return event
