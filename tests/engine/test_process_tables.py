"""Whole games on a live process: records that set up the same game, take-back, masked tables (SPEC.md, 15 to 21)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

import pytest

from tests.engine.driving import Driver, action_of

GAMES = {
    "draft": "rules=draft target=60 hand_cap=2",
    "draft300": "rules=draft300 target=60 hand_cap=2",
    "partners": "rules=partners target=60 hand_cap=2",
    "duel": "rules=duel target=60 hand_cap=2",
    "hidden": "rules=draft target=60 hand_cap=1 draft_choice=hidden peek=unseen",
}
SHARED = ("hands", "discards", "bids", "blind", "tricks", "trick", "totals", "bags", "phase", "turn", "broken", "draw")


def play_on(driver: Driver, rng: random.Random, stop_at: int = 10**9) -> int:
    """Play random legal actions, blind nils and exchanges among them, to the end or to a number of decisions."""
    decisions = 0
    while decisions < stop_at:
        state = driver.state()
        if state["phase"] == "over":
            break
        if state["phase"] == "deal":
            assert driver.final("deal").startswith("ok")
            continue
        assert driver.final(rng.choice(state["legal"])).startswith("ok")
        decisions += 1
    return decisions


def record_of(driver: Driver, view: str) -> list[str]:
    """The lines of the record for that view, comments among them."""
    lines = driver.ask(f"record view={view}")
    assert lines[-1] == f"ok lines={len(lines) - 1}"
    return [line.removeprefix("record ") for line in lines[:-1]]


@pytest.mark.parametrize("game", GAMES)
def test_a_record_sets_up_the_same_game(game: str) -> None:
    """At any moment the record of every view makes a host's table with the same picture, by lines and by position."""
    rng = random.Random(game)
    with Driver() as table, Driver() as copy:
        for length in (5, 40, 70, 10**9):
            table.ask(f"newgame {GAMES[game]} seed={game}-{length} first=S")
            play_on(table, rng, length)
            whole = table.state()
            for view in ["all", *whole["seats"]]:
                script = record_of(table, view)
                for line in script:
                    if not line.startswith(";"):
                        assert copy.final(line).startswith("ok"), line
                seen = copy.state()
                if view == "all":
                    assert {key: seen[key] for key in SHARED} == {key: whole[key] for key in SHARED}
                else:
                    assert seen["hands"][view] == whole["hands"][view]
                    assert seen["totals"] == whole["totals"]
                    for seat in seen["seats"]:
                        assert len(seen["hands"][seat]) == len(whole["hands"][seat])
                        if seat != view and game != "partners":
                            assert set(seen["hands"][seat]) <= {"??"}
                joined = " ; ".join(line for line in script if not line.startswith(";"))
                assert copy.final("newgame").startswith("ok")
                assert copy.final("position " + joined).startswith("ok")
                assert copy.state() == seen
                assert record_of(copy, view if view != "all" else "all")[1:] == [
                    line for line in script[1:] if not line.startswith("; seed=")
                ]


def test_the_record_reveals_the_seed_after_the_end_and_not_before() -> None:
    """The seed that `commit` spoke for stands in the record of a finished game, and in no line before that."""
    with Driver() as driver:
        commit = driver.final("newgame rules=duel hand_cap=1 first=N").split("commit=")[1]
        play_on(driver, random.Random(1), 20)
        assert not any("seed" in line for line in record_of(driver, "all"))
        play_on(driver, random.Random(1))
        last = record_of(driver, "all")[-1]
        seed = last.split("seed=")[1].split(" ")[0]
        assert hashlib.sha256(f"USP1:commit:{seed}".encode()).hexdigest() == commit
        assert last == f"; seed={seed} commit={commit}"


@pytest.mark.parametrize("game", GAMES)
def test_undo_goes_back_to_every_earlier_state(game: str) -> None:
    """Taking back any number of commands gives the state of that moment, and the same cards come again."""
    rng = random.Random(game)
    with Driver() as driver:
        driver.ask(f"newgame {GAMES[game]} seed=u first=S")
        states = [driver.state()]
        commands: list[str] = []
        for _ in range(90):
            state = states[-1]
            if state["phase"] == "over":
                break
            command = "deal" if state["phase"] == "deal" else rng.choice(state["legal"])
            assert driver.final(command).startswith("ok")
            commands.append(command)
            states.append(driver.state())
        for _ in range(12):
            back = rng.randrange(1, len(commands) + 1)
            assert driver.final(f"undo {back}").startswith("ok phase=")
            assert driver.state() == states[-1 - back]
            for command, wanted in zip(commands[-back:], states[-back:], strict=True):
                assert driver.final(command).startswith("ok")
                assert driver.state() == wanted
        assert driver.final(f"undo {len(commands) + 1}").startswith("error out-of-range")
        assert driver.state() == states[-1]


@pytest.mark.parametrize("game", GAMES)
def test_a_masked_table_shows_no_card_its_view_cannot_know(game: str) -> None:
    """A whole game at view=S where the program plays the others: no line names a card that S has not been shown."""
    with Driver() as driver:
        rng = random.Random(game)
        driver.ask("set multipv=3")
        driver.ask(f"newgame {GAMES[game]} seed=m view=S first=S")
        known: set[str] = set()
        decisions = 0
        while True:
            state = driver.state()
            if state["phase"] == "over":
                break
            if state["phase"] == "deal":
                known = set()
                shown = driver.ask("deal")
            elif state["turn"] == "S":
                driver.ask("go nodes=30")
                shown = driver.ask(rng.choice(state["legal"]))
            else:
                assert driver.final("legal").startswith("error hidden")
                lines = driver.ask("go nodes=30")
                assert len(lines) == 1, f"figures for a hidden seat: {lines}"
                # A card is named when it is about to be played, and when the partner gives it to S.
                if state["phase"] != "play" and not (state["phase"] == "swap" and state["turn"] == "N"):
                    assert not cards_in(lines[0]), lines
                again = driver.ask("go movetime=0")
                assert action_of(again[-1]) == action_of(lines[-1])
                if state["phase"] == "play":
                    other = next(card for card in ("2C", "3D", "4H", "5S") if f"play {card}" != action_of(lines[-1]))
                    assert driver.final(f"play {other}").startswith("error hidden")
                shown = driver.ask(action_of(lines[-1]))
            assert shown[-1].startswith("ok"), shown
            for line in shown:
                words = line.split(" ")
                cards = cards_in(line)
                open_to_s = words[0] == "event" and (words[1] in ("play", "deal", "swap") or words[2] == "S")
                if open_to_s:
                    known |= cards
                assert cards <= known, f"{line} shows {cards - known}"
            decisions += 1
            assert cards_in(driver.ask("record")[-2]) <= known | {"2C", "2D"}
        assert decisions > 20


def cards_in(line: str) -> set[str]:
    """The cards that a line names."""
    for mark in '",=[]{}:':
        line = line.replace(mark, " ")
    return {word for word in line.split() if len(word) == 2 and word[0] in "23456789TJQKA" and word[1] in "CDHS"}


def test_a_host_with_results_that_disagree_is_told() -> None:
    """Result lines of a host are checked: the right trick, score and end are ok, others are wrong-result."""
    with Driver() as table, Driver() as seat:
        table.ask("newgame rules=duel hand_cap=1 seed=r first=S")
        seat.ask("newgame rules=duel hand_cap=1 dealer=host view=S first=S")
        rng = random.Random(3)
        events = []
        while True:
            state = table.state()
            if state["phase"] == "over":
                break
            events += table.ask("deal" if state["phase"] == "deal" else rng.choice(state["legal"]))
        for line in events:
            words = line.removeprefix("event ").split(" ")
            if not line.startswith("event "):
                continue
            if words[0] == "deal":
                words[4] = "hand.N=" + ",".join(["??"] * 13)
            wrong = {
                "trick": ["trick", "N" if words[1] == "S" else "S"],
                "score": [word.replace("total.S=", "total.S=1") for word in words],
                "end": ["end", "winner=draw", *words[2:]],
            }.get(words[0])
            if wrong:
                assert "why=wrong-result" in seat.final(" ".join(wrong)), wrong
            assert seat.final(" ".join(words)).startswith("ok"), words


def test_a_position_that_fails_leaves_the_old_game(driver: Driver) -> None:
    """Each of thirty faulty positions is refused with the number of its line, and the game before is still there."""
    driver.ask("position newgame rules=draft seed=1 first=S ; deal ; look ; draft keep")
    before = driver.state()
    start = "newgame rules=duel seed=5 first=S ; deal"
    faults = {
        "deal": 1,
        "newgame rules=castle": 1,
        "newgame ; newgame": 2,
        "newgame ; ; deal": 2,
        "newgame ; quit": 2,
        "newgame ; go": 2,
        "newgame ; undo": 2,
        "newgame ; deal ; deal": 3,
        "newgame ; play AS": 2,
        "newgame target=1": 1,
        "newgame dealer=host seed=1": 1,
        "newgame view=E": 1,
        "newgame first=W": 1,
        "newgame total.S=900": 1,
        "newgame total.NS=9": 1,
        "newgame bags.S=10": 1,
        f"{start} ; bid 14": 3,
        f"{start} ; bid -1": 3,
        f"{start} ; bid": 3,
        f"{start} ; bid 3 4": 3,
        f"{start} ; bid N 3": 3,
        f"{start} ; bid blindnil": 3,
        f"{start} ; bid 3 ; bid 3 ; play S ??": 5,
        f"{start} ; bid 3 ; bid 3 ; play XX": 5,
        f"{start} ; bid 3 ; bid 3 ; play 2C": 5,
        f"{start} ; bid 3 ; bid 3 ; bid 3": 5,
        f"{start} ; look": 3,
        f"{start} ; draft keep": 3,
        f"{start} ; swap none": 3,
        f"{start} ; trick S": 3,
    }
    assert len(faults) == 30
    for text, line in faults.items():
        reply = driver.final("position " + text)
        assert reply.startswith("error "), (text, reply)
        assert f"line={line}" in reply.split(" "), (text, reply)
        assert driver.state() == before
    assert driver.final("draft S pass").startswith("error wrong-phase")


@pytest.fixture
def driver() -> Iterator[Driver]:
    """A process after its handshake."""
    with Driver() as process:
        yield process
