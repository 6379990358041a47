"""The result lines of a game: what they must say, and whether a line says it."""

from __future__ import annotations

from spades_engine.game.errors import IllegalAction
from spades_engine.game.events import GameEnd, HandScore, TrickWon
from spades_engine.game.fields import Fields, Phase


def check_result(s: Fields, event: TrickWon | HandScore | GameEnd) -> None:
    """Raise `IllegalAction` ("wrong-result") unless the result line says what has just happened at this table."""
    match event:
        case TrickWon(seat):
            if s.trick or not s.trick_number:
                raise IllegalAction("wrong-result", f"trick {seat.name}: no trick has just been completed")
            if seat is not s.leader:
                assert s.leader is not None
                raise IllegalAction("wrong-result", f"trick {seat.name}: {s.leader.name} won the trick")
        case HandScore():
            expected = hand_score(s)
            if expected is None:
                raise IllegalAction("wrong-result", "score: no hand has just been scored")
            if event != expected:
                points = " ".join(f"{s.rules.format_side(side)}={expected.points[side]:+d}" for side in s.rules.sides)
                raise IllegalAction("wrong-result", f"score: the table has {points} and other bags or totals")
        case GameEnd():
            expected_end = game_result(s)
            if expected_end is None:
                raise IllegalAction("wrong-result", "end: the game is not over")
            if event != expected_end:
                winner = "nobody" if s.winner is None else s.rules.format_side(s.winner)
                raise IllegalAction("wrong-result", f"end: {winner} won, reason {s.reason}, or the totals differ")


def hand_score(s: Fields) -> HandScore | None:
    """The score line of the hand just scored, None while a hand is in progress or before the first."""
    if s.last_score is None or s.phase not in (Phase.DEAL, Phase.OVER):
        return None
    first, second = s.last_score
    return HandScore((first.points, second.points), s.bags, s.totals)


def game_result(s: Fields) -> GameEnd | None:
    """The end line, None before the end."""
    return GameEnd(s.winner, s.reason, s.totals) if s.reason is not None else None
