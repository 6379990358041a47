"""One pair: the same cards played twice, the engines' seats exchanged, by processes that are kept from pair to pair."""

from __future__ import annotations

import json
import threading
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from spades_engine.game import Seat, Side
from spades_match.engines import EngineSpec
from spades_match.outcomes import Exhausted, Fault, Interrupted, MatchError, Outcome
from spades_match.plan import Plan
from spades_match.player import Player
from spades_match.referee import Board, Setup, Table
from spades_match.schedule import Job

_dump = json.JSONEncoder(separators=(",", ":")).encode

_KEPT = 16  # processes that a worker keeps; those not used for the longest time go first


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair that has been played: its lines for the results file and for the timing file, and what a summary needs.

    `points` are by engine, summed over both boards; `outcomes` has the outcome of each board, `culprits` the engines at
    fault in them. `hands` and `decisions` count what was played.
    """

    number: int
    line: str
    timing: str
    points: tuple[int, int]
    outcomes: tuple[Outcome, ...]
    culprits: tuple[str, ...]
    hands: int
    decisions: int

    @property
    def is_interrupted(self) -> bool:
        """Whether the runner was stopped before the pair was complete."""
        return Outcome.INTERRUPTED in self.outcomes


class Worker:
    """The processes that one thread plays with."""

    def __init__(self) -> None:
        self._players: dict[Hashable, Player] = {}

    def play(self, plan: Plan, job: Job) -> PairResult:
        """Play a pair, whatever the engines do. Raises Exhausted where the machine has no more processes to give."""
        rules = plan.ruleset()
        setup = plan.setup(rules, job.seed)
        specs = (plan.engines[job.first], plan.engines[job.second])
        boards = []
        for is_swapped in (False, True):
            boards.append(self._play_board(setup, specs[::-1] if is_swapped else specs))
            if boards[-1].outcome is Outcome.INTERRUPTED:
                break
        return _result(plan, job, (specs[0].name, specs[1].name), boards)

    def _play_board(self, setup: Setup, specs: tuple[EngineSpec, EngineSpec]) -> Board:
        """Play one board; the first engine has the first side."""
        rules = setup.rules
        spec_of = {seat: specs[rules.side_of(seat)] for seat in rules.seats}
        players: dict[Seat, Player] = {}
        try:
            for seat, spec in spec_of.items():
                copy = sum(spec_of[other] is spec for other in players)  # a partner is another process
                try:
                    players[seat] = self._player(spec, copy)
                except Fault as fault:
                    return _not_started(setup, specs, spec, fault)
                except Exhausted:
                    raise
                except MatchError as error:  # it took part in this match before
                    changed = Fault(Outcome.PROTOCOL_VIOLATION, f"it is not as it was: {error}")
                    return _not_started(setup, specs, spec, changed)
        except Interrupted:
            return Board(Outcome.INTERRUPTED)
        table = Table(setup, players)
        board = table.play()
        for player in players.values():
            if player is table.faulty or player.is_lost or board.outcome is Outcome.INTERRUPTED:
                player.kill()
                self._forget(player)
            elif player.spec.fresh:
                player.close()
                self._forget(player)
        return board

    def _player(self, spec: EngineSpec, copy: int) -> Player:
        """Return a process of an engine: the one it has, or a new one."""
        key = (spec.name, spec.command, tuple(spec.options.items()), spec.limit, spec.steps, spec.fresh, copy)
        player = self._players.pop(key, None)
        if player is None:
            while len(self._players) >= _KEPT:
                self._players.pop(next(iter(self._players))).close()
            player = Player(spec)
        self._players[key] = player
        return player

    def _forget(self, player: Player) -> None:
        for key in [key for key, other in self._players.items() if other is player]:
            del self._players[key]

    def close(self) -> list[str]:
        """End all processes; return the names of the engines that had to be killed."""
        players, self._players = list(self._players.values()), {}
        return [player.spec.name for player in players if not player.close()]


def _not_started(setup: Setup, specs: tuple[EngineSpec, EngineSpec], spec: EngineSpec, fault: Fault) -> Board:
    """Return the board that an engine loses because it could not be started (again)."""
    board = Board(fault.outcome, spec.name, f"at its start: {fault.detail}")
    board.measured = {key: value for key, value in fault.measured.items() if value}
    side = Side.FIRST if spec is specs[0] else Side.SECOND
    if setup.is_game:
        board.winner = Side.SECOND if side is Side.FIRST else Side.FIRST
    else:
        board.points[side] = -setup.forfeit
    return board


def _result(plan: Plan, job: Job, names: tuple[str, str], boards: list[Board]) -> PairResult:
    about = {
        "pair": job.number,
        "rules": plan.rules,
        "options": dict(plan.options),
        "mode": plan.mode,
        "start": {"totals": list(plan.totals), "bags": list(plan.bags)},
        "seed": job.seed,
        "engines": list(names),
    }
    shown = [_board(board, bool(place), names) for place, board in enumerate(boards)]
    timings = [_timing(board, bool(place)) for place, board in enumerate(boards)]
    return PairResult(
        job.number,
        _dump({**about, "boards": shown}),
        _dump({"pair": job.number, "engines": list(names), "boards": timings}),
        (sum(board["points"][0] for board in shown), sum(board["points"][1] for board in shown)),
        tuple(board.outcome for board in boards),
        tuple(board.culprit for board in boards if board.culprit is not None),
        sum(board.hands for board in boards),
        sum(len(times) for board in boards for times in board.times.values()),
    )


def _board(board: Board, is_swapped: bool, names: tuple[str, str]) -> dict[str, Any]:
    by_side = names[::-1] if is_swapped else names
    winner = by_side[board.winner] if isinstance(board.winner, Side) else board.winner
    return {
        "swapped": is_swapped,
        "outcome": board.outcome.value,
        "culprit": board.culprit,
        "detail": board.detail,
        "points": board.points[::-1] if is_swapped else board.points,
        "winner": winner,
        "hands": board.hands,
        "record": board.record,
        "hands_detail": board.details,
    }


def _timing(board: Board, is_swapped: bool) -> dict[str, Any]:
    raw = {"swapped": is_swapped, "times": board.times, "predictions": board.predictions}
    return {**raw, **board.measured}


# One worker for each thread that plays pairs, here or on a machine of a cluster ---------------------------------------

_local = threading.local()
_workers: list[tuple[threading.Thread, Worker]] = []
_workers_lock = threading.Lock()


def play_pair(plan: Plan, job: Job) -> PairResult:
    """Play a pair with the processes of this thread. What an executor is given: it can be pickled."""
    worker: Worker | None = getattr(_local, "worker", None)
    if worker is None:
        worker = _local.worker = Worker()
        with _workers_lock:
            _workers.append((threading.current_thread(), worker))
    return worker.play(plan, job)


def close_workers() -> list[str]:
    """End the processes of all threads, none of which plays any more; return the names of engines that were killed."""
    with _workers_lock:
        workers = list(_workers)
        _workers[:] = [(thread, worker) for thread, worker in workers if thread.is_alive()]
    return sorted({name for _, worker in workers for name in worker.close()})
