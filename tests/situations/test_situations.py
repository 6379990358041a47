"""Situations that users of other programs complained about: the oracle says what is right, and the engine does it."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from spades_engine.engine import Limits, choose, prepare
from spades_engine.game import Action, BidMade, Card, Choose, Phase, RuleSet, View, format_action
from tests.engine.driving import Driver, action_of
from tests.situations.oracle import MODELS, Contract, Score, cards, hand_score, solve_play, worth
from tests.situations.situations import HERE, Situation, read

SEEDS = int(os.environ.get("SPADES_SITUATION_SEEDS", "1"))
NODES = 30_000
ALL = [
    pytest.param(situation, id=f"{path.stem}-{number}")
    for path in sorted(HERE.glob("*.txt"))
    for number, situation in enumerate(read(path), 1)
]
ACE = Card(51)
CLEAR = 0.03
"""Probability of winning by which what is right is better at least."""
LUCKY = 0.2
"""A blind nil comes home less often than this: 22 of the 134 that were counted did."""


def matching(view: View, patterns: tuple[str, ...]) -> list[Action]:
    """The legal actions whose texts fit one of the patterns."""
    texts = [(action, format_action(action, view.rules)) for action in view.legal]
    return [action for action, text in texts if any(fnmatchcase(text, pattern) for pattern in patterns)]


@cache
def groups(situation: Situation) -> tuple[View, list[Action], list[Action]]:
    """The view, the right actions and the wrong ones; where only wrong ones are named, all others are right."""
    view = situation.view()
    wrong = matching(view, situation.wrong)
    right = matching(view, situation.right) or [action for action in view.legal if action not in wrong]
    return view, right, wrong


def test_there_are_enough_of_them_in_every_phase() -> None:
    """Sixty at least, of all phases, leads and answers, no two alike."""
    views = [groups(param.values[0])[0] for param in ALL]
    assert len(ALL) >= 60
    assert {view.phase for view in views} == {Phase.BLIND, Phase.DRAFT, Phase.SWAP, Phase.BID, Phase.PLAY}
    plays = [view for view in views if view.phase is Phase.PLAY]
    assert min(sum(not view.trick for view in plays), sum(bool(view.trick) for view in plays)) >= 10
    assert len({param.values[0].lines for param in ALL}) == len(ALL)  # type: ignore[union-attr]


@pytest.mark.parametrize("situation", ALL)
def test_the_oracle_agrees(situation: Situation) -> None:
    """What is said to be right is so, by means that owe nothing to the engine's search."""
    view, right, wrong = groups(situation)
    assert right
    assert wrong
    assert not set(right) & set(wrong)
    match situation.by:
        case "minimax":
            answer = solve_play(view)
            assert answer.margin(right, wrong) >= CLEAR
            assert min(answer.best_in[action] for action in right) >= 0.9
        case "ace":  # whoever holds it wins a trick: no nil comes home
            assert view.hand >> ACE & 1
            held = [action for action in wrong if not _throws(action, ACE)]
            assert held == wrong
            assert all(_is_nil(action) or view.phase is Phase.SWAP for action in wrong)
            assert view.phase is not Phase.SWAP or all(_throws(action, ACE) for action in right)
        case "sure":
            check_sure(view, right, wrong)
        case "best card":  # the highest spade that is not in the hand already
            above = [card for card in range(39, 52) if not view.hand >> card & 1]
            assert view.draw is not None
            assert int(view.draw) == above[-1]
            assert [isinstance(action, Choose) and action.keep for action in right] == [True]
        case "worst card":
            assert view.draw is not None
            assert int(view.draw) in (0, 13, 26)
            assert [isinstance(action, Choose) and action.keep for action in right] == [False]
        case "odds":
            check_odds(view, right, wrong)
        case other:
            pytest.fail(f"nothing proves a situation by {other!r}")


def _throws(action: Action, card: Card) -> bool:
    return card in getattr(action, "thrown", ())


def _is_nil(action: Action) -> bool:
    return isinstance(action, BidMade) and action.bid.is_nil


def check_sure(view: View, right: list[Action], wrong: list[Action]) -> None:
    """As many tricks as the top spades are certain; with them the right bids win the game now, and the wrong ones are
    not certain of it: they are higher, or leave the side short of the target.
    """
    rules, side = view.rules, view.side
    sure = 0
    while view.hand >> 51 - sure & 1:
        sure += 1
    assert view.totals[side.other] + 130 + 13 < rules.target
    for action in (*right, *wrong):
        assert isinstance(action, BidMade)
        tricks = action.bid.tricks
        wins = not action.bid.is_nil and 0 < tricks <= sure and view.totals[side] + 10 * tricks >= rules.target
        assert wins is (action in right)


def check_odds(view: View, right: list[Action], wrong: list[Action]) -> None:
    """Even at odds no blind nil has had, calling it wins less often than looking and bidding six, made four times in
    five, while the other side makes five.
    """
    rules, me = view.rules, view.side
    scores = [Score(view.totals[side], view.bags[side]) for side in (me, me.other)]
    five, six, blind = Contract(5), Contract(6), Contract(0, is_nil=True, is_blind=True)
    assert [format_action(action, rules) for action in (*right, *wrong)] == ["look", "bid blindnil"]
    for model in range(1, len(MODELS)):  # the steepest curve is for the end of a game
        made, failed = (worth(rules, scores, (blind, five), tricks, model) for tricks in (0, 3))
        kept, set_ = (worth(rules, scores, (six, five), tricks, model) for tricks in (7, 5))
        assert LUCKY * made + (1 - LUCKY) * failed < 0.8 * kept + 0.2 * set_ - CLEAR


@pytest.mark.parametrize("seed", [f"situation {number}" for number in range(SEEDS)])
@pytest.mark.parametrize("situation", ALL)
def test_the_engine_does_what_is_right(situation: Situation, seed: str) -> None:
    """At a node limit and whatever the seed, the engine's choice is one of the right ones."""
    view, right, _ = groups(situation)
    limits = Limits(nodes=NODES)
    prepare(view, limits)
    choice = choose(view, limits, seed=seed, overhead=0, is_stopped=lambda: False)
    assert choice.action in right, [format_action(choice.action, view.rules), situation.title, situation.why]


def test_the_process_does_so_too() -> None:
    """A few of them told over the protocol, line by line, as a host would."""
    with Driver() as engine:
        for param in ALL[::9]:
            situation = param.values[0]
            assert isinstance(situation, Situation)
            view, right, _ = groups(situation)
            for line in situation.lines:
                assert engine.final(line).startswith("ok"), line
            texts = [format_action(action, view.rules) for action in right]
            assert action_of(engine.final(f"go nodes={NODES}")) in texts


def test_the_oracle_scores_by_the_rules() -> None:
    """Its scoring, written apart from the engine's, gives the figures that everybody knows."""
    draft = RuleSet.preset_named("draft")
    assert hand_score(draft, Contract(5), 7, 3) == (50 + 2 * draft.bag_points, 5)
    assert hand_score(draft, Contract(5), 6, 9) == (50 + draft.bag_points - 100, 0)
    assert hand_score(draft, Contract(5), 4, 9) == (-50, 9)
    assert hand_score(draft, Contract(0, is_nil=True), 0, 0) == (draft.nil, 0)
    assert list(cards(0b101)) == [0, 2]
    assert Path(HERE, "other-phases.txt").is_file()
