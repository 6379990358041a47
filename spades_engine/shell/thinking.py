"""`go`: from a command to a search on its own thread, `info` lines on the way, one `best` at the end."""

from __future__ import annotations

import time

from spades_engine import engine
from spades_engine.engine import Figures, Limits
from spades_engine.game import Action, Hidden, View, format_action
from spades_engine.shell.explain import explained
from spades_engine.shell.loop import GRACE, Reply, Shell, Task
from spades_engine.shell.moves import translated
from spades_engine.shell.table import CHANCE, Table
from spades_protocol.commands import Arguments
from spades_protocol.errors import ProtocolError
from spades_protocol.words import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_protocol.server import Command

LIMIT_KEYS = ("movetime", "nodes", "clock", "inc")


def parse_limits(command: Command, movetime: int) -> Limits:
    """The limits that the words of `go` set. Raises ProtocolError."""
    for word in command.words:
        if word.key is None and word.text in LIMIT_KEYS:
            raise ProtocolError("bad-argument", f"{word.text} needs its value: {word.text}=<number>")
    arguments = Arguments(command.words, LIMIT_KEYS, flags=("infinite",))
    values = {key: arguments.integer(key) for key in LIMIT_KEYS}
    arguments.done()
    if arguments.flags:
        given = [key for key in LIMIT_KEYS if values[key] is not None]
        if given:
            raise ProtocolError("bad-syntax", f"infinite and {given[0]}= do not go together")
        return Limits(infinite=True)
    if values["inc"] is not None and values["clock"] is None:
        raise ProtocolError("bad-syntax", "inc= needs clock=")
    if values["movetime"] is None and values["nodes"] is None and values["clock"] is None:
        return Limits(movetime=movetime)
    nodes = values["nodes"]
    return Limits(
        movetime=values["movetime"],
        nodes=None if nodes is None else max(0, nodes),
        clock=values["clock"],
        increment=values["inc"] or 0,
    )


def go(shell: Shell, command: Command) -> list[str] | None:
    """Ask for the best action of the seat to act."""
    started = time.monotonic()
    limits = parse_limits(command, shell.options.number("movetime"))
    table = shell.table
    if table is None:
        raise ProtocolError("no-game", "go: there is no game; newgame begins one")
    seat = table.state.turn
    if table.state.phase in CHANCE or seat is None:
        raise ProtocolError(
            "wrong-phase", f"go: no seat is to act; {table.waiting_text()}", {"phase": table.state.phase.value}
        )
    foreign = table.is_foreign(seat)
    if foreign and table.dealer is None:
        raise translated(Hidden(f"go: {table.turn_text()}'s cards are not known at this table"), table)
    view = View.of(table.state, seat)
    overhead = shell.options.number("move_overhead")
    search = Thinking(shell, table, view, limits, overhead, started, silent=foreign)
    task = shell.think(command, search.reply(engine.first_legal(view)), search.run)
    seconds = engine.budget(limits, view, overhead)
    if seconds is not None:
        task.deadline = started + seconds + GRACE
    return None


class Thinking:
    """One search. `silent` is for a seat whose cards this side of the pipe may not see: no figures, one answer."""

    def __init__(
        self,
        shell: Shell,
        table: Table,
        view: View,
        limits: Limits,
        overhead: int,
        started: float,
        *,
        silent: bool,
    ) -> None:
        self._table = table
        self._view = view
        self._limits = limits
        self._overhead = overhead
        self._started = started
        self._silent = silent
        self._chatter = shell.options.values["chatter"] == "yes" and not silent
        self._explains = shell.options.values["explain"] == "yes" and not silent
        self._multipv = shell.options.number("multipv")
        self._seed = shell.options.values["seed"]
        self._skill = shell.options.number("skill")

    def run(self, task: Task) -> None:
        """Search, report, answer. Runs on the search thread."""
        bound = self._table.answer() if self._silent else None
        reply, lines = (self._search(task)) if bound is None else (Reply("best " + bound), [])
        if self._limits.infinite:
            task.stop.wait()
        elif self._silent:
            # How long a seat takes would tell whether it had a choice.
            seconds = engine.budget(self._limits, self._view, self._overhead)
            if seconds is not None:
                task.stop.wait(max(0.0, self._started + seconds - time.monotonic()))
        task.finish(reply, *lines)

    def reply(self, action: Action, figures: str = "") -> Reply:
        """The `best` line for the action; for a hidden seat masked, and binding once it is printed."""
        if not self._silent:
            return Reply(f"best {format_action(action, self._view.rules)}{figures}")
        table = self._table
        return Reply("best " + table.masked_text(action), lambda: table.bind(action))

    def _search(self, task: Task) -> tuple[Reply, list[str]]:
        """The final reply and the last `info` lines before it; failures inside are told and survived."""
        view, rules = self._view, self._view.rules
        action = engine.first_legal(view)
        try:
            engine.prepare(view, self._limits)
            action = engine.quick_choice(view)
            task.fallback = self.reply(action)
            choice = engine.choose(
                view,
                self._limits,
                seed=self._seed,
                overhead=self._overhead,
                is_stopped=task.stop.is_set,
                report=self._reporter(task) if self._chatter else None,
                started=self._started,
                skill=self._skill,
            )
            if choice.action not in view.legal:
                raise AssertionError(f"the search chose {format_action(choice.action, rules)}, which is not legal")
        except Exception as error:  # noqa: BLE001  # an answer always comes; what failed is told
            text = type(error).__name__ if self._silent else f"{type(error).__name__}: {error}"
            task.say("info error " + quote(printable(text)))
            return self.reply(action), []
        if self._silent:
            return self.reply(choice.action), []
        lines = []
        if self._chatter:
            work = self._work(choice.nodes, choice.worlds)
            lines = [
                f"info multipv={rank} action={quote(format_action(figures.action, rules))}{figure_words(figures)}{work}"
                for rank, figures in enumerate(choice.figures[: self._multipv], 1)
            ]
        if self._explains:
            lines.append("info explain=" + quote(printable(explained(view, choice))))
        figures = figure_words(choice.figures[0]) if choice.figures else ""
        return self.reply(choice.action, figures + self._work(choice.nodes, choice.worlds)), lines

    def _reporter(self, task: Task) -> engine.Report:
        """A call-back that prints progress whenever the worlds have doubled: the same lines on every machine."""
        due = 16

        def report(figures: tuple[Figures, ...], nodes: int, worlds: int) -> None:
            nonlocal due
            if worlds >= due:
                due = 2 * worlds
                best = figures[0]
                action = quote(format_action(best.action, self._view.rules))
                task.say(f"info{self._work(nodes, worlds)} action={action}{figure_words(best)}")

        return report

    def _work(self, nodes: int, worlds: int) -> str:
        """Nodes and worlds, and the time where it may be told."""
        words = f" nodes={nodes} worlds={worlds}"
        if not self._limits.is_reproducible:
            words += f" time={round((time.monotonic() - self._started) * 1000)}"
        return words


def figure_words(figures: Figures) -> str:
    """The figures as pairs, with a blank in front."""
    tricks = ",".join(f"{probability:.3f}" for probability in figures.tricks)
    return f" equity={figures.equity:.3f} points={figures.points:+.1f} make={figures.make:.3f} tricks={tricks}"


def printable(text: str) -> str:
    """The text fit for a line of the protocol."""
    return "".join(character if " " <= character <= "~" else "?" for character in text)[:500]
