"""The text of situations, and back: a title, a position in the protocol's words, what is right and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spades_engine.game import State, View, parse_event
from spades_engine.shell.moves import parse_newgame
from spades_protocol.words import parse_words

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Situation:
    """One situation: `lines` set it up, as a host would tell a seat of it; `by` says what proves the answer."""

    title: str
    why: str
    lines: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    by: str = "minimax"

    def state(self) -> State:
        """The position as its seat knows it."""
        newgame, *events = self.lines
        table = parse_newgame(parse_words(newgame.removeprefix("newgame ")).words)
        state = table.opening
        for line in events:
            state = state.apply(parse_event(line, state.rules, state.turn, state.number + 1, state.first))
        return state

    def view(self) -> View:
        """The view of the seat to act."""
        state = self.state()
        assert state.turn is not None
        return View.of(state, state.turn)


def read(path: Path) -> Iterator[Situation]:
    """The situations of a file, which are apart by empty lines."""
    for block in path.read_text("utf-8").strip().split("\n\n"):
        fields: dict[str, str] = {}
        lines: list[str] = []
        for line in block.splitlines():
            if line.startswith("> "):
                lines.append(line[2:])
            elif not line.startswith(";"):
                key, _, value = line.partition(": ")
                fields[key] = value
        right, wrong = (tuple(fields[key].split(", ")) if fields.get(key) else () for key in ("right", "wrong"))
        yield Situation(fields["title"], fields["why"], tuple(lines), right, wrong, fields.get("by", "minimax"))


def written(situation: Situation) -> str:
    """The text of a situation."""
    position = "\n".join(f"> {line}" for line in situation.lines)
    answers = f"right: {', '.join(situation.right)}\nwrong: {', '.join(situation.wrong)}"
    return f"title: {situation.title}\n{position}\n{answers}\nby: {situation.by}\nwhy: {situation.why}\n"
