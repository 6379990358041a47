"""How long an engine may think, and how long the client waits for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a search; the first limit reached does. No limit at all means the engine's option `movetime`.

    `movetime`, `clock` and `inc` are milliseconds, `nodes` is a number of the engine's own nodes. An `infinite` search
    ends when it is stopped, and takes no other limit.
    """

    movetime: int | None = None
    nodes: int | None = None
    clock: int | None = None
    inc: int | None = None
    infinite: bool = False

    def __post_init__(self) -> None:
        if self.infinite and (self.movetime, self.nodes, self.clock, self.inc) != (None, None, None, None):
            raise ValueError("an infinite search takes no other limit")
        if self.inc is not None and self.clock is None:
            raise ValueError("inc= says what is added to a clock, and there is no clock=")

    def words(self) -> list[str]:
        """Return the words of `go` that say this limit."""
        pairs = [("movetime", self.movetime), ("nodes", self.nodes), ("clock", self.clock), ("inc", self.inc)]
        words = [f"{key}={value}" for key, value in pairs if value is not None]
        return [*words, "infinite"] if self.infinite else words

    def seconds(self, default_movetime: int | None) -> float | None:
        """Return the longest time the search may take by this limit alone, or None where it sets no time."""
        times: list[int] = []
        if self.movetime is not None:
            times.append(self.movetime)
        if self.clock is not None:
            times.append(self.clock + (self.inc or 0))
        if not times and self.nodes is None and not self.infinite and default_movetime is not None:
            times.append(default_movetime)
        return max(0, min(times)) / 1000 if times else None


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the client waits, in seconds; each is named in the error that tells it has run out.

    start: for the whole handshake, the start of the process included.
    request: for the answer to any command that is not named below.
    margin: for the answer to a search beyond the time its limit gives it.
    nodes: for a search or a tool limited by work alone, whose speed is the engine's own.
    tool: for `perft`, `bench`, `solve` and `selftest`.
    stop: for the answer to a search once it has been stopped.
    quit: for the process to end by itself, and again after it has been told to terminate, before it is killed.
    """

    start: float = 15.0
    request: float = 10.0
    margin: float = 5.0
    nodes: float = 120.0
    tool: float = 300.0
    stop: float = 5.0
    quit: float = 2.0

    def for_search(self, limit: Limit, default_movetime: int | None) -> tuple[float | None, str]:
        """Return how long to wait for the answer to `go`, and the limit's name; None for an infinite search."""
        if limit.infinite:
            return None, "infinite"
        seconds = limit.seconds(default_movetime)
        if seconds is None:
            return self.nodes, "Timeouts.nodes"
        return seconds + self.margin, "the search's own limit plus Timeouts.margin"
