"""The tools: `perft`, `bench`, `solve`, `selftest`; each thinks on the search thread until it is done or stopped."""

from __future__ import annotations

from spades_engine import bench as benchmark
from spades_engine import perft as counting
from spades_engine.game import GameError, Phase, format_action, format_card
from spades_engine.search.double_dummy import Unsolved
from spades_engine.search.double_dummy import solve as solve_position
from spades_engine.selftest import run_checks
from spades_engine.shell.ask import need_table
from spades_engine.shell.loop import Reply, Shell, Task, report_fault
from spades_engine.shell.moves import translated
from spades_protocol.commands import Arguments
from spades_protocol.errors import ProtocolError
from spades_protocol.words import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from spades_protocol.server import Command

MAX_DEPTH = 60


def run(shell: Shell, command: Command, work: Callable[[Task], list[str]]) -> None:
    """Run a tool whose `work` answers its lines, the final reply last."""
    stopped = ProtocolError("stopped", f"{command.name}: ended before it had its answer").format(None)

    def guarded(task: Task) -> None:
        try:
            lines = work(task)
        except (benchmark.Stopped, counting.PerftStopped, Unsolved):
            lines = [stopped]
        except Exception as error:  # noqa: BLE001  # a fault of ours is an answer too
            report_fault(error)
            lines = [ProtocolError("internal", f"{command.name}: {type(error).__name__}").format(None)]
        task.finish(Reply(lines[-1]), *lines[:-1])

    shell.think(command, Reply(stopped), guarded)


def perft(shell: Shell, command: Command) -> None:
    """Count sequences of decisions."""
    arguments = Arguments(command.words, positional=(1, 1))
    depth = arguments.number(arguments.positional[0].text, 0, MAX_DEPTH, "depth")
    arguments.done()
    table = need_table(shell, "perft")
    if table.view is not None:
        raise ProtocolError("hidden", "perft needs a table with view=all, which knows every card still to come")
    state, dealer, rules = table.state, table.dealer, table.rules
    if depth > 0:
        try:
            counting.perft(state, dealer, 1)  # tells at once whether this table knows enough
        except GameError as error:
            raise translated(error, table) from None

    def work(task: Task) -> list[str]:
        counts = counting.divide(state, dealer, depth, task.stop.is_set)
        lines = [f"perft {quote(format_action(action, rules))} {count}" for action, count in counts]
        total = sum(count for _, count in counts) if counts else 1
        return [*lines, f"ok depth={depth} nodes={total}"]

    run(shell, command, work)


def bench(shell: Shell, command: Command) -> None:
    """Search the fixed positions."""
    Arguments(command.words)

    def work(task: Task) -> list[str]:
        result = benchmark.run(task.stop.is_set)
        milliseconds = max(1, round(result.seconds * 1000))
        speed = round(result.nodes * 1000 / milliseconds)
        return [f"ok nodes={result.nodes} time={milliseconds} nps={speed} kernel={result.kernel}"]

    run(shell, command, work)


def solve(shell: Shell, command: Command) -> None:
    """Solve the position with all hands open."""
    arguments = Arguments(command.words, ("nodes",))
    limit = arguments.integer("nodes", 1)
    arguments.done()
    table = need_table(shell, "solve")
    if table.state.phase is not Phase.PLAY:
        text = f"solve: a hand must be in play; {table.waiting_text()}"
        raise ProtocolError("wrong-phase", text, {"phase": table.state.phase.value})
    if table.view is not None:
        raise ProtocolError("hidden", "solve needs a table with view=all, which knows every hand")
    state, rules = table.state, table.rules
    try:
        solve_position(state, 0)  # tells at once whether this position can be solved
    except Unsolved:
        pass
    except GameError as error:
        raise translated(error, table) from None

    def work(task: Task) -> list[str]:
        solution = solve_position(state, limit, task.stop_flag)
        words = [f"tricks.{rules.format_side(side)}={solution.tricks[side]}" for side in rules.sides]
        action = quote(f"play {format_card(solution.card)}")
        return [f"ok action={action} {' '.join(words)} nodes={solution.nodes}"]

    run(shell, command, work)


def selftest(shell: Shell, command: Command) -> None:
    """Check the installation."""
    Arguments(command.words)

    def work(task: Task) -> list[str]:
        results = run_checks(task.stop.is_set)
        failed = [result for result in results if not result.passed]
        lines = [f"info error {quote(f'{result.name}: {result.text}')}" for result in failed]
        return [*lines, f"ok passed={len(results) - len(failed)} failed={len(failed)}"]

    run(shell, command, work)
