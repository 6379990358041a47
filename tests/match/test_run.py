"""Running a match: order, stopping, interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from spades_match.engines import EngineSpec
from spades_match.outcomes import Outcome
from spades_match.pairs import Worker
from spades_match.plan import Plan
from spades_match.schedule import Job
from tests.match.killing import command
from tests.match.playing import instant, play

DUEL = Plan((instant("A"), instant("B", "--style=1")), "duel", pairs=6)


class Backwards(Executor):
    """Plays what it is given in the opposite order, some pairs at a time."""

    def __init__(self, _count: int) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._held: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, fn: Any, /, *args: Any, **_kwargs: Any) -> Future[Any]:
        """Hold a call back until there are three, or the last one has come."""
        future: Future[Any] = Future()
        self._held.append((future, fn, args))
        if len(self._held) == 3:
            held, self._held = self._held[::-1], []
            for item in held:
                self._pool.submit(self._call, *item)
        return future

    @staticmethod
    def _call(future: Future[Any], fn: Any, args: Any) -> None:
        future.set_result(fn(*args))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def test_results_are_written_in_order_whatever_order_they_come_in(tmp_path: Path) -> None:
    """An executor that finishes the last pair first leaves the same file."""
    play(DUEL, tmp_path / "a.jsonl")
    play(DUEL, tmp_path / "b.jsonl", make_executor=Backwards)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_processes_are_kept_from_pair_to_pair() -> None:
    """A worker starts one process for each seat and plays all its pairs with them."""
    worker = Worker()
    try:
        pids = set()
        for number in range(3):
            worker.play(DUEL, Job(number, 0, 1, f"s.{number}"))
            pids.add(tuple(player.link.pid for player in worker._players.values()))
        assert len(pids) == 1
        assert len(next(iter(pids))) == 2
    finally:
        worker.close()


def test_partners_are_two_processes() -> None:
    """With four players each engine has two processes, one for each seat of its side."""
    worker = Worker()
    try:
        worker.play(Plan(DUEL.engines, "partners", pairs=1), Job(0, 0, 1, "s"))
        assert len({player.link.pid for player in worker._players.values()}) == 4
    finally:
        worker.close()


def test_only_the_process_at_fault_is_started_anew() -> None:
    """After a crash the culprit's process is replaced and the other one kept."""
    plan = Plan((instant("A"), instant("B", "--fault=crash", "--at=15")), "duel", pairs=2)
    worker = Worker()
    try:
        before: dict[EngineSpec | str, int] = {}
        for number in range(2):
            result = worker.play(plan, Job(number, 0, 1, "s"))
            now = {player.spec.name: player.link.pid for player in worker._players.values()}
            assert Outcome.CRASH in result.outcomes
            assert before.get("A") in (None, now["A"])
            before.update(now)
    finally:
        worker.close()


def test_an_interrupt_leaves_whole_pairs_and_no_process(tmp_path: Path) -> None:
    """An interrupted match exits with 143 within a bounded time, has whole pairs in its file, and can go on."""
    path = tmp_path / "m.jsonl"
    words = command(path, "--pairs=100000", "-c2")
    with subprocess.Popen(words, start_new_session=True) as runner:
        for _ in range(600):
            if path.exists() and path.read_bytes().count(b"\n") > 3:
                break
            time.sleep(0.05)
        os.kill(runner.pid, signal.SIGTERM)
        assert runner.wait(20) == 143
    lines = path.read_bytes().splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in lines)
    assert [json.loads(line)["pair"] for line in lines[1:]] == list(range(len(lines) - 1))
    assert b"interrupted" not in b"".join(lines)
