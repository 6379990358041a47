"""Playing on more than one machine: a Dask cluster behind the interface of `concurrent.futures`.

Pairs are independent jobs, so a cluster needs to know nothing of matches. A worker that dies has its pairs played again
by another, and a pair is written once, when its result comes; so nothing is lost or counted twice. The engines' command
lines must work on every worker. Needs the extra `distributed`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from spades_match import link
from spades_match.outcomes import MatchError
from spades_match.pairs import close_workers

P = ParamSpec("P")
T = TypeVar("T")

CONNECTING = "10s"
REMEDY = "a cluster needs Dask: pip install 'spades-engine[distributed]'"


class ClusterExecutor(Executor):
    """The workers of a cluster. Raises MatchError where there is no Dask, no scheduler or no worker."""

    def __init__(self, scheduler: str) -> None:
        try:
            from dask.distributed import Client  # late: an extra, and half a second to load
        except ImportError:
            raise MatchError(REMEDY) from None
        try:
            self._client: Any = Client(scheduler, timeout=CONNECTING, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise MatchError(f"no scheduler answers at {scheduler}: {error}") from None
        self.slots = sum(self._client.nthreads().values())
        """How many pairs the cluster plays at once."""
        if not self.slots:
            self._client.close()
            raise MatchError(f"the scheduler at {scheduler} has no workers")
        self._executor: Any = self._client.get_executor(pure=False)
        self._futures: set[Future[Any]] = set()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a function called by some worker."""
        future: Future[T] = self._executor.submit(fn, *args, **kwargs)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, without engines on it; what is still under way is ended there if it is to be cancelled."""
        if cancel_futures:
            under_way = [future for future in list(self._futures) if not future.done()]
            for future in under_way:
                future.cancel()
            if under_way:
                self._client.run(stop_worker)
        self._executor.shutdown(wait=wait)
        self._client.run(end_worker)
        self._client.close()


def stop_worker() -> None:
    """On a worker: end every board that is being played."""
    link.stopping.set()
    link.kill_all()


def end_worker() -> None:
    """On a worker: end the engines, and be ready for the next match."""
    close_workers()
    link.stopping.clear()
