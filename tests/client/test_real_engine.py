"""Both clients with the engine of this repository: every request, whole games, and games dealt again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from spades_client import (
    AsyncEngine,
    AsyncSeat,
    AsyncTable,
    CommitmentBroken,
    Engine,
    EngineRefused,
    GameSetup,
    Limit,
    ProtocolViolation,
    Record,
    Recorder,
    Seat,
    Table,
)
from tests.client.driving import PATIENT, REAL, Popen
from tests.client.test_transcript import replay

QUICK = Limit(nodes=5)


def test_every_request_has_its_answer(popen: Popen) -> None:
    """Each method brings back what the specification says its command answers."""
    with popen(REAL, options={"movetime": 20}) as engine:
        assert engine.identity.name == "Spades Engine"
        assert set(engine.identity.levels) >= {"core", "seat", "table", "analysis", "tools"}
        assert engine.identity.presets == ("draft", "draft300", "partners", "duel")
        assert engine.options["movetime"].maximum == 3_600_000
        assert (engine.get("movetime"), engine.get("chatter")) == (20, True)
        assert engine.get_all()["movetime"] == "20"
        assert engine.known("bid")
        assert any("bid" in line for line in engine.help("bid"))
        game = engine.newgame("draft", seed="7", first="S", target=100)
        assert (game.rules, game.seats, game.first, game.phase) == ("draft", ("S", "N"), "S", "deal")
        assert [event.kind for event in engine.deal().events] == ["deal"]
        moved = engine.apply("look")
        assert (moved.phase, moved.turn) == ("draft", "S")
        assert engine.legal() == ("draft keep", "draft pass")
        assert engine.go().action in engine.legal()
        state = engine.state()
        assert (state.phase, state.turn, state.legal, state.winner) == ("draft", "S", engine.legal(), None)
        assert state.draw == moved.events[-1].words[-1]
        assert engine.perft(2).nodes == sum(engine.perft(2).counts.values())
        assert engine.undo(2).phase == "deal"
        assert engine.score().totals == {"S": 0, "N": 0}
        scored = engine.score_hand("partners", [4, "nil"], [3, 2])
        assert (scored.points, scored.contract, scored.nil, scored.bags) == (-138, -40, -100, 2)
        assert engine.score_hand("draft", [7], [8], bags=3, nil=50).bags == 4
        assert engine.ping() < PATIENT.request
        with pytest.raises(EngineRefused) as caught:
            engine.apply("play AS")
        assert caught.value.code == "wrong-phase"
        assert engine.quit() == 0


def test_positions_are_set_searched_and_solved(popen: Popen) -> None:
    """`play` sets a position and searches it; `analyse` streams; `solve` gives the tricks of both sides."""
    engine = popen(REAL, options={"multipv": 2})
    script = ["newgame rules=duel dealer=engine seed=5 first=S", "deal", "bid 4", "bid 5"]
    best = engine.play(script, QUICK)
    assert best.action in engine.legal()
    assert best == engine.play(" ; ".join(script), QUICK)
    assert sum(engine.solve().tricks.values()) == 13
    with engine.analyse(Limit(infinite=True)) as analysis:
        assert next(analysis).action in engine.legal()
    list(analysis)
    assert analysis.best is not None
    assert analysis.lines[1].action == analysis.best.action
    assert len({analysis.lines[1].action, analysis.lines[2].action} & set(engine.legal())) == 2
    with pytest.raises(EngineRefused) as caught:
        engine.position([*script, "bid 3"])
    assert caught.value.extra["line"] == "5"
    lines = engine.record().lines
    recorder = Recorder(GameSetup("duel", first="S"))
    recorder.extend(lines)
    assert engine.position(recorder).phase == "play"


def any_action(engine: Engine, chance: random.Random) -> str:
    """Return a legal action; a contract that leaves the other side something, so that games come to an end."""
    actions = engine.legal()
    bids = [action for action in actions if action in ("bid 2", "bid 3", "bid 4", "bid nil")]
    return chance.choice(bids if bids and chance.random() < 0.9 else actions)


SETUPS = [
    GameSetup("draft", seed="4", options={"target": "100", "hand_cap": "2"}),
    GameSetup("draft300", options={"peek": "unseen", "draft_choice": "hidden", "hand_cap": "2"}),
    GameSetup("partners", seed="1", options={"hand_cap": "1", "blind_nil": "50"}, totals={"NS": 30}, bags={"EW": 7}),
    GameSetup("duel", seed="x", options={"hand_cap": "2", "removed": "2C,3C,4C,AS", "blind_nil": "100"}),
]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.rules)
def test_a_whole_game_at_a_table_of_engines(setup: GameSetup) -> None:
    """A game between engines in seats ends with a winner, cards that are those of the seed, and a record for each seat
    that is what the table's own engine says the seat may see.
    """
    chance = random.Random(1)
    with ExitStack() as stack:
        referee = stack.enter_context(Engine.popen(REAL, timeouts=PATIENT))
        table = Table(referee, setup)
        table.newgame()
        players = {seat: stack.enter_context(Engine.popen(REAL, timeouts=PATIENT)) for seat in table.seats}
        seats = {name: Seat(player, name, table.setup) for name, player in players.items()}
        for seat in seats.values():
            seat.newgame()
        chosen = []

        def choose(table: Table) -> str:
            seat = seats[table.turn or ""]
            assert (seat.phase, seat.turn) == (table.phase, table.turn)
            action = seat.choose(QUICK).action if chance.random() < 0.3 else any_action(seat.engine, chance)
            chosen.append(action)
            return action

        for event in table.play(choose):
            for seat in seats.values():
                seat.tell(event)
        result = table.result
        assert result is not None
        assert result.is_fair
        assert result.winner in ("draw", *result.totals)
        assert result.hands <= int(setup.options["hand_cap"])
        assert len(chosen) >= 28 * result.hands
        assert [line for line in result.record[1:] if not line.startswith(";")] == list(table.recorder.lines)
        for name, seat in seats.items():
            seen = [line for line in referee.record(name).lines[1:] if not line.startswith(";")]
            assert seen == list(seat.recorder.lines)
            assert seat.engine.score().totals == result.totals


def test_a_whole_game_on_asyncio() -> None:
    """The same on asyncio: two seats are told at the same time."""

    async def main() -> None:
        async with AsyncExitStack() as stack:
            opened = [stack.enter_async_context(AsyncEngine.popen(REAL, timeouts=PATIENT)) for _ in range(3)]
            referee, south, north = await asyncio.gather(*opened)
            table = AsyncTable(referee, GameSetup("draft300", seed="5", options={"hand_cap": "1"}))
            await table.newgame()
            seats = {name: AsyncSeat(player, name, table.setup) for name, player in (("S", south), ("N", north))}
            await asyncio.gather(*(seat.newgame() for seat in seats.values()))

            async def choose(table: AsyncTable) -> str:
                return (await seats[table.turn or ""].choose(QUICK)).action

            async for event in table.play(choose):
                await asyncio.gather(*(seat.tell(event) for seat in seats.values()))
            assert table.result is not None
            assert table.result.is_fair
            assert table.result.hands == 1

    asyncio.run(main())


def test_a_seat_that_counts_otherwise_is_a_violation() -> None:
    """A result of the table that the seat's engine did not announce the same way is found at once."""
    with Engine.popen(REAL, timeouts=PATIENT) as engine:
        seat = Seat(engine, "S", GameSetup("duel", first="S"))
        seat.newgame()
        hand = "3C,5C,9C,4D,TD,QD,2H,7H,KH,3S,8S,QS,AS"
        for line in (f"deal 1 first=S hand.S={hand} hand.N=2S,4S", "bid S 4", "bid N 5", "play S KH", "play N AH"):
            seat.tell(line if not line.startswith("deal") else line.replace("2S,4S", ",".join(["??"] * 13)))
        seat.tell("trick N")
        with pytest.raises(ProtocolViolation, match="the table says 'trick S'"):
            seat.tell("trick S")


Tamper = Callable[[Record], Record]
TAMPERED: dict[str, tuple[Tamper, str]] = {
    "another seed": (lambda record: replace(record, seed="2"), "not the one"),
    "no seed": (lambda record: replace(record, seed=None), "no seed revealed"),
    "a hidden card": (lambda record: replace(record, lines=(*record.lines, "draft S draw ??")), "hides cards"),
    "another card": (
        lambda record: replace(record, lines=tuple(line.replace("2H", "3H") for line in record.lines)),
        "not those of the seed",
    ),
}


def test_unfair_dealing_is_found() -> None:
    """A table that reveals another seed, none, or other cards than the seed gives breaks its commitment."""
    with Engine.popen(REAL, timeouts=PATIENT) as engine:
        chance = random.Random(2)
        table = Table(engine, GameSetup("duel", seed="1", options={"hand_cap": "1"}))
        for _ in table.play(lambda table: any_action(engine, chance)):
            pass
        record = engine.record("all")
        assert table.finished(record).is_fair
        for tamper, text in TAMPERED.values():
            with pytest.raises(CommitmentBroken, match=text):
                table.finished(tamper(record))


def test_a_conversation_can_be_played_again(tmp_path: Path) -> None:
    """The transcript of a seeded game passes as a test of the engine that it was written with."""
    file = tmp_path / "game.txt"
    chance = random.Random(3)
    with Engine.popen(REAL, timeouts=PATIENT, transcript=file) as engine:
        table = Table(engine, GameSetup("draft", seed="9", options={"hand_cap": "1"}))
        asked = iter(range(1000))
        for _ in table.play(lambda table: engine.go(QUICK).action if next(asked) < 5 else any_action(engine, chance)):
            pass
        with pytest.raises(EngineRefused):
            engine.deal()
        engine.state()
    replay(file, REAL)
