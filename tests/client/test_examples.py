"""The examples run as they stand: the demonstration, the smallest client and the smallest bot."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from spades_client import Engine, EngineRefused, GameSetup, Limit, Seat, Table
from tests.client.driving import PATIENT, REAL, ROOT, Popen, scripted

EXAMPLES = ROOT / "clients/examples/python"
BOT = [sys.executable, str(EXAMPLES / "smallest_bot.py")]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run an example to its end."""
    command = [sys.executable, str(EXAMPLES / words[0]), *words[1:]]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT)


def test_the_demonstration_plays_a_game_to_its_end() -> None:
    """A drafted game is shown from the first card to the winner, the seed and the commitment verified."""
    done = run("demo.py", "--nodes", "5", "--seed", "11", "--option", "target=50", "--option", "hand_cap=9")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "\033" not in done.stdout
    assert any(re.fullmatch(r"  draft 13  N  .*     S  .*|  draft 13  S  .*     N  .*", line) for line in lines)
    assert any(line.startswith("  trick 13 ") for line in lines)
    assert re.match(r"(S|N) wins after \d hands?: S -?\d+, N -?\d+ \((target|cap)\)", lines[-3])
    assert lines[-2] == "seed 11"
    assert lines[-1].startswith("commitment verified")


def test_the_examples_of_the_readme_run(tmp_path: Path) -> None:
    """The Python of clients/README.md runs as it stands, but for the commands of the engines and a shorter game."""
    text = (ROOT / "clients/README.md").read_text("utf-8")
    examples = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    assert len(examples) == 2
    for example in examples:
        for name in ("spades-engine", "a-bot", "another"):
            example = example.replace(f'["{name}"]', repr(REAL))
        example = example.replace("movetime=50", "nodes=1").replace(
            '"draft300"', '"draft300", options={"hand_cap": "1"}'
        )
        command = [sys.executable, "-W", "error", "-c", example]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "None" not in done.stdout
    assert (tmp_path / "game.usp").read_text().startswith("newgame rules=draft300 dealer=host")


@pytest.mark.parametrize("rules", ["draft", "draft300", "duel"])
def test_the_smallest_bot_plays_without_a_fault(rules: str) -> None:
    """The bot's choices are taken by a table that holds it to the rules, and it agrees with the table on each trick."""
    with Engine.popen(REAL, timeouts=PATIENT) as referee, Engine.popen(BOT, timeouts=PATIENT) as bot:
        table = Table(referee, GameSetup(rules))
        table.newgame()
        seat = Seat(bot, "N", table.setup)
        seat.newgame()

        def choose(table: Table) -> str:
            if table.turn == "S":
                # The other seat calls every blind nil it may, which leads through the exchange.
                return "bid blindnil" if table.phase == "blind" else referee.go(Limit(nodes=5)).action
            assert (seat.phase, seat.turn) == (table.phase, table.turn)
            return seat.choose(Limit(nodes=1)).action

        for event in table.play(choose):
            seat.tell(event)
            if table.hands == 3:
                break


def test_the_smallest_bot_refuses_and_goes_on(popen: Popen) -> None:
    """What the bot does not have is refused by an error, changes nothing, and is followed by more answers."""
    engine = popen(BOT)
    assert engine.identity.levels == ("core", "seat")
    for command, code in (
        ("newgame rules=partners dealer=host view=S", "unsupported"),
        ("newgame rules=draft dealer=engine", "unsupported"),
        ("newgame rules=duel dealer=host view=S target=100", "unsupported"),
        ("undo", "unsupported"),
        ("play AS", "no-game"),
        ("set movetime=5", "bad-argument"),
    ):
        with pytest.raises(EngineRefused) as caught:
            engine.command(command)
        assert caught.value.code == code
    engine.command("newgame rules=duel dealer=host view=S first=S")
    with pytest.raises(EngineRefused):
        engine.command("deal one")
    hand = "3C,5C,9C,4D,TD,QD,2H,7H,KH,3S,8S,QS,AS"
    engine.command(f"deal 1 first=S hand.S={hand} hand.N={','.join(['??'] * 13)}")
    assert engine.go().action == "bid 4"
    assert engine.known("go")
    assert engine.quit() == 0


def test_a_failing_engine_fails_the_demonstration() -> None:
    """An engine that dies ends the demonstration with its error and exit code 1."""
    done = run("demo.py", "--command", " ".join(scripted("--crash-on", "deal")))
    assert done.returncode == 1
    assert "demo: the engine has ended with exit code 3" in done.stderr


def test_the_smallest_client_plays_a_game() -> None:
    """Forty lines without a library play a game to its end."""
    done = run("smallest_client.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("end winner=")
    assert run("smallest_client.py", *scripted("--reply", "usp=error internal")).returncode == 1


def test_a_seat_may_be_a_bot() -> None:
    """The helper for a seat asks no more of a program than the smallest bot has."""
    with Engine.popen(BOT, timeouts=PATIENT) as engine:
        seat = Seat(engine, "N", GameSetup("draft300", first="S"))
        seat.newgame()
        for line in ("deal 1 first=S", "draft S draw KD", "draft S keep 4C", "draft N draw AH"):
            seat.tell(line)
        assert seat.choose(Limit(nodes=1)).action == "draft keep"
        assert seat.recorder.lines[1:3] == ("draft S draw ??", "draft S keep ??")
