"""Running a match: pairs go to an executor, and their results are written in order, whatever order they come in.

An executor is anything with the interface of `concurrent.futures`. The default one is a pool of threads, since a pair
is played by processes and its thread does little but wait; a cluster's comes from `spades_match.distributed`.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from spades_engine import __version__
from spades_match import link
from spades_match.engines import EngineSpec
from spades_match.outcomes import Fault, MatchError, Outcome
from spades_match.pairs import PairResult, close_workers, play_pair
from spades_match.plan import Plan
from spades_match.player import Player
from spades_match.progress import Progress
from spades_match.schedule import Job, jobs
from spades_match.sequential import SequentialTest
from spades_match.signals import interruptible, number_of, uninterruptible
from spades_match.store import Store, check_place, read_pairs
from spades_match.words import plain

_LAST_WORDS = 12  # lines of standard error that are shown of an engine that cannot take part
_AHEAD = 4  # pairs under way for each worker: one slow pair must not make the others wait for its turn to be written


@dataclass(slots=True)
class Summary:
    """What has been played in this run: counts of outcomes, points by engine, names of engines that did not end by
    themselves. `stopped` says why a match ended before its last pair, "" for one that did not.
    """

    pairs: int = 0
    hands: int = 0
    decisions: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    killed: list[str] = field(default_factory=list)
    stopped: str = ""
    signal: int = 0
    """The signal that ended it, 0 for none."""

    @property
    def is_interrupted(self) -> bool:
        """Whether a signal ended it."""
        return self.signal != 0

    def add(self, result: PairResult) -> None:
        """Take note of a pair."""
        self.pairs += 1
        self.hands += result.hands
        self.decisions += result.decisions
        self.outcomes.update(result.outcomes)
        self.faults.update(result.culprits)


def identify(plan: Plan) -> dict[str, str]:
    """Start every engine once and return what each calls itself. Raises MatchError for one that cannot take part."""
    return {spec.name: _identify(spec, plan) for spec in plan.engines}


def _identify(spec: EngineSpec, plan: Plan) -> str:
    try:
        player = Player(spec)
    except Fault as fault:
        words = str(fault.measured.get("stderr") or "")
        said = "".join(f"\n    {plain(line)}" for line in words.splitlines()[-_LAST_WORDS:])
        raise MatchError(f"{spec.name}: {fault.detail}{said}") from None
    try:
        who = player.identity
        if "seat" not in who.levels:
            raise MatchError(f"{spec.name} has no level seat: it says it has {', '.join(who.levels) or 'none'}")
        if who.presets and plan.rules not in who.presets:
            raise MatchError(f"{spec.name} does not play {plan.rules}: it plays {', '.join(who.presets)}")
        if (any(plan.totals) or any(plan.bags)) and "scores" not in who.capabilities:
            raise MatchError(f"{spec.name} cannot start from a score: it lacks the capability scores")
        return str(who)
    finally:
        player.close()


def run_match(
    plan: Plan,
    path: Path,
    *,
    concurrency: int = 1,
    is_resumed: bool = False,
    is_quiet: bool = False,
    make_executor: Callable[[int], Executor] = ThreadPoolExecutor,
) -> Summary:
    """Play a match, or what is left of it, into a results file: to its last pair, or until its sequential test is over.

    A signal that asks to end (SIGINT, SIGTERM, SIGHUP) ends it at once; every pair that is complete in order is in the
    file. Raises MatchError and OSError for what cannot be done at all.
    """
    link.stopping.clear()
    check_place(path, is_resumed=is_resumed)
    with interruptible():
        ids = identify(plan)
    with Store(path, plan.header(ids, __version__), is_resumed=is_resumed) as store:
        summary = Summary()
        test = _test_so_far(plan, path)
        progress = Progress(plan.total, store.done, is_quiet=is_quiet)
        with interruptible():
            executor = make_executor(concurrency)
            is_whole = False
            try:
                _play(plan, store, executor, concurrency * _AHEAD, summary, progress, test)
                is_whole = not summary.stopped
            except KeyboardInterrupt as interrupt:
                summary.signal = number_of(interrupt)
            finally:
                with uninterruptible():
                    summary.killed = _end(executor, is_whole=is_whole)
                    progress.close()
        return summary


def _test_so_far(plan: Plan, path: Path) -> SequentialTest | None:
    """Return the match's test, if it has one, told of the pairs that are in the file already."""
    if plan.sprt is None:
        return None
    test = SequentialTest(plan.sprt, is_games=plan.mode == "games")
    for pair in read_pairs(path):
        if test.is_decided:
            raise MatchError(f"{path} goes on after its test was decided: {test}")
        test.add(pair)
    return test


def _play(
    plan: Plan,
    store: Store,
    executor: Executor,
    ahead: int,
    summary: Summary,
    progress: Progress,
    test: SequentialTest | None,
) -> None:
    """Keep the executor busy, and write what comes back in order."""
    if test is not None and test.is_decided:
        summary.stopped = str(test)
        return
    left: Iterator[Job] = jobs(len(plan.engines), plan.schedule, plan.pairs, plan.seed, store.done)
    under_way: deque[Future[PairResult]] = deque()
    while True:
        while len(under_way) < ahead and (job := next(left, None)) is not None:
            under_way.append(executor.submit(play_pair, plan, job))
        if not under_way:
            return
        result = under_way.popleft().result()
        if result.is_interrupted:
            raise KeyboardInterrupt
        store.append(result.number, result.line, result.timing)
        summary.add(result)
        if test is None:
            progress.add(result)
            continue
        test.add(json.loads(result.line))
        progress.add(result, f"LLR {test.status.llr:+.2f}")
        if test.is_decided:
            summary.stopped = str(test)
            for future in under_way:
                future.cancel()
            return


def _end(executor: Executor, *, is_whole: bool) -> list[str]:
    """Let go of the executor and of every process; return the engines that had to be killed.

    Unless the match is whole, what is still being played is of no use any more, and is ended at once.
    """
    if not is_whole:
        link.stopping.set()
        link.kill_all()
    executor.shutdown(wait=True, cancel_futures=True)
    killed = close_workers()
    link.stopping.clear()
    return killed if is_whole else []
