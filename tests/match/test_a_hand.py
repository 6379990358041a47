"""The conversation of a whole hand that the runner's README.md shows."""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path

from spades_engine.game import RuleSet, Seat
from spades_match.engines import EngineSpec
from spades_match.outcomes import Outcome
from spades_match.player import Player
from spades_match.referee import Setup, Table

HERE = Path(__file__).parent
HAND = HERE.parents[1] / "clients" / "match" / "a-hand.txt"


def test_the_least_a_bot_must_answer_is_enough() -> None:
    """A program that says the bot's half of the conversation, and nothing else, plays the hand to its score; and the
    runner says the host's half to the letter.
    """
    bot = Player(EngineSpec("bot", (sys.executable, str(HERE / "parrot.py"), str(HAND))))
    other = Player(EngineSpec("other", (sys.executable, str(HERE / "instant_bot.py"))))
    board = Table(Setup(RuleSet.preset_named("draft"), False, "hand.0"), {Seat.S: bot, Seat.N: other}).play()
    assert bot.close(), bot.link.last_words
    other.close()
    assert (board.outcome, board.detail) == (Outcome.NORMAL, "")
    assert board.hands == 1


def test_the_bot_says_no_more_than_it_must() -> None:
    """What is not asked by `go` is answered by a bare `ok`, and nowhere in the hand by anything else."""
    lines = HAND.read_text("utf-8").splitlines()
    answers = [(asked, said) for asked, said in itertools.pairwise(lines) if said.startswith("< ")]
    for asked, said in answers[2:]:
        assert said == "< ok" or (asked == "> go" and re.fullmatch(r"< best (look|draft \w+|bid \w+|play \w\w)", said))
    assert len([asked for asked, _ in answers if asked == "> go"]) == 1 + 13 + 1 + 13
