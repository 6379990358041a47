"""What a check built into the runner is, and what it is given to work with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from suite.process import Engine, split_id


@dataclass
class Bench:
    """What a check works with: the engine's command line, how long to wait, what the engine says it can do.

    Every engine started here is kept, so that the exchange can be reported and nothing is left running.
    """

    command: Sequence[str]
    timeout: float
    levels: list[str]
    capabilities: list[str]
    engines: list[Engine] = field(default_factory=list)

    def start(self) -> Engine:
        """A fresh process."""
        engine = Engine(self.command, self.timeout)
        self.engines.append(engine)
        return engine

    def start_ready(self) -> Engine:
        """A fresh process with the handshake done."""
        engine = self.start()
        engine.expect_ok("usp 1")
        return engine

    def stop_all(self) -> None:
        """Kill every process that was started here."""
        for engine in self.engines:
            engine.kill()


Work = Callable[[Bench], None]


@dataclass
class Check:
    """A check built into the runner. `is_alone`: it measures time, so nothing else runs beside it."""

    name: str
    title: str
    levels: list[str]
    covers: list[str]
    is_alone: bool
    work: Work


CHECKS: list[Check] = []


def check(name: str, levels: str, covers: str, is_alone: bool = False) -> Callable[[Work], Work]:
    """Enter a function into the list of checks; its docstring says what holds."""

    def enter(work: Work) -> Work:
        title = (work.__doc__ or "").strip().split("\n")[0]
        CHECKS.append(Check(f"runner/{name}", title, levels.split(), covers.split(), is_alone, work))
        return work

    return enter


def pairs(line: str) -> dict[str, str]:
    """The `key=value` words of a line without quoted values, as a dictionary."""
    found: dict[str, str] = {}
    for word in split_id(line)[1].split(" "):
        key, equals, value = word.partition("=")
        if equals:
            found[key] = value
    return found


def best_action(line: str) -> str:
    """The action on a `best` line: the words up to the first with a `=`."""
    words = split_id(line)[1].split(" ")[1:]
    for place, word in enumerate(words):
        if "=" in word:
            return " ".join(words[:place])
    return " ".join(words)
