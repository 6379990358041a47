"""The engine behind a facade: a view in, a choice out, with call-backs on the way; no text, no standard input.

Everything a choice may depend on is an argument: one seat's view, the seed of the engine's own randomness, the limits.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from spades_engine.game import Action, View, format_event
from spades_engine.search.choose import Choice, Search, draft_margin, equity_of, quick_choice
from spades_engine.search.evaluate import Figures
from spades_engine.search.skill import FULL

__all__ = [
    "Choice", "Figures", "Limits", "Report", "budget", "choose", "draft_margin", "prepare", "quick_choice",
    "search_seed",
]  # fmt: skip

Report = Callable[[tuple[Figures, ...], int, int], None]
"""Called while thinking with the ranked figures, the nodes and the worlds so far."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to answer. Times are milliseconds, None where there is no such limit; the first one reached counts."""

    movetime: int | None = None
    nodes: int | None = None
    clock: int | None = None
    increment: int = 0
    infinite: bool = False

    @property
    def is_reproducible(self) -> bool:
        """Whether the answer can depend on nothing but the view, the seed and the node limit."""
        return self.nodes is not None and self.movetime is None and self.clock is None


def budget(limits: Limits, view: View, overhead: int) -> float | None:
    """Seconds that a search may take, None for as long as it likes.

    A clock is shared out over the decisions still to come in this hand and as many again, since a game goes on.
    """
    times = []
    if limits.movetime is not None:
        times.append(float(limits.movetime - overhead))
    if limits.clock is not None:
        drafting = max(0, 13 - view.hand.bit_count()) if view.rules.is_drafted and view.trick_number == 0 else 0
        decisions = 2 * (drafting + 14 - view.trick_number)
        share = limits.clock / decisions + 0.8 * limits.increment
        times.append(min(share, 0.5 * limits.clock) - overhead)
    return max(0.0, min(times) / 1000) if times else None


def search_seed(seed: str, view: View) -> bytes:
    """32 bytes for the engine's own randomness: SHA-256 of the option `seed` and of all that the seat has seen.

    The deck's streams are never touched.
    """
    rules = view.rules
    words = [seed, rules.preset, str(rules.overrides()), view.seat.name, str(view.number)]
    words += [str(view.totals), str(view.bags)]
    words += [format_event(event, rules) for event in view.history]
    return hashlib.sha256(("USP1:search:" + "\n".join(words)).encode()).digest()


def prepare(view: View, limits: Limits) -> None:
    """Have ready what choices under the view's rules need: at once where no clock runs, else in the background."""
    equity_of(view.rules).prepare(wait=limits.movetime is None and limits.clock is None)


def choose(
    view: View,
    limits: Limits,
    *,
    seed: str,
    overhead: int,
    is_stopped: Callable[[], bool],
    report: Report | None = None,
    started: float | None = None,
    skill: int = FULL,
) -> Choice:
    """The best action of the view's seat within the limits. `started` is the monotonic time the clock began to run;
    `skill`, 0 to 20, is the level of play.
    """
    begun = time.monotonic() if started is None else started
    seconds = budget(limits, view, overhead)

    def should_stop() -> bool:
        return is_stopped() or (seconds is not None and time.monotonic() - begun >= seconds)

    return Search(view, search_seed(seed, view), limits.nodes, should_stop, report, skill).run()


def first_legal(view: View) -> Action:
    """An action that is legal whatever else may fail."""
    return view.legal[0]
