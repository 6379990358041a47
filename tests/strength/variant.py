"""The engine with parts of its play taken out, to measure what each of them is worth: `variant.py [--without PART]...`.

It is the whole program otherwise, and speaks the protocol on standard input and output. Parts:

    exact     cards are chosen by the rule policy's playouts, not by solving worlds
    beliefs   worlds are drawn evenly among the deals that agree with the voids shown
    plays     worlds do not heed the cards that the other has played
    bids      contracts by the rule policy and its playouts, not by equity over tricks and replies
    draft     cards are kept by the threshold rule
    chart     the game's equity by the race of two normal sums
    equity    a hand is worth its points, whatever the score of the game
    player    everything: a beginner's rules play instead (beginner.py)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # it is started by its path

from spades_engine import cli
from spades_engine.drafting.keep import keeps
from spades_engine.equity.model import Equity
from spades_engine.search import belief, choose, policy
from spades_engine.search.choose import Choice
from spades_engine.search.evaluate import Scorer
from spades_engine.search.evidence import EVEN
from spades_engine.search.judges import PlayoutJudge
from tests.strength.beginner import beginner


def without_exact() -> None:
    """Play out instead of solving."""
    vars(choose).update(_judge_of=lambda view, scorer, root: PlayoutJudge(scorer))


def without_beliefs() -> None:
    """Draw worlds evenly."""
    made: Callable[..., None] = belief.Belief.__init__

    def make(self: Any, *arguments: Any) -> None:
        made(self, *arguments)
        self._keeps = None

    without_plays()
    setattr(belief.Belief, "__init__", make)  # noqa: B010 - mypy lets no method be assigned to
    vars(belief).update(tilt_draft=lambda *arguments: None, bid_weight=lambda *arguments: 100)


def without_plays() -> None:
    """Take no card played for a sign."""
    vars(belief).update(odds_of=lambda *arguments: [EVEN] * 52)


def without_bids() -> None:
    """Bid by rule and playouts."""
    vars(choose).update(values_bids=lambda table: False)


def without_draft() -> None:
    """Keep by the threshold rule."""
    deck = (1 << 52) - 1
    vars(policy).update(keeps_for_tricks=lambda hand, out, card: keeps(hand, out, card, deck, False))


def without_chart() -> None:
    """Take the race for every score."""
    setattr(Equity, "_is_cap_near", lambda self, totals, hands_played: True)  # noqa: B010 - as above


def without_equity() -> None:
    """Value a hand by its points, a bag at its part of a penalty."""
    scored: Any = Scorer._score

    def score(self: Any, kinds: Any, bids: Any, taken: Any) -> Any:
        _, points, made = scored(self, kinds, bids, taken)
        return 0.5 + points / 2000, points, made

    setattr(Scorer, "_score", score)  # noqa: B010 - as above


def without_player() -> None:
    """Have the beginner play."""
    setattr(choose.Search, "run", lambda self: Choice(beginner(self._view), (), 0, 0))  # noqa: B010 - as above


PARTS: dict[str, Callable[[], None]] = {
    "exact": without_exact,
    "beliefs": without_beliefs,
    "plays": without_plays,
    "bids": without_bids,
    "draft": without_draft,
    "chart": without_chart,
    "equity": without_equity,
    "player": without_player,
}


def main() -> int:
    """Take out what is named and run the engine."""
    words = sys.argv[1:]
    while words:
        if len(words) < 2 or words[0] != "--without" or words[1] not in PARTS:
            sys.stderr.write(f"usage: variant.py [--without PART]..., PART one of {', '.join(PARTS)}\n")
            return 2
        PARTS[words[1]]()
        words = words[2:]
    sys.argv = sys.argv[:1]
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
