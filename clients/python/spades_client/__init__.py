"""The reference client of the Universal Spades Protocol: engines as objects, blocking or on asyncio.

    from spades_client import Engine, Limit

    with Engine.popen(["spades-engine"]) as engine:
        engine.newgame("draft", seed="7", first="S")
        engine.deal()
        engine.apply("look")
        best = engine.go(Limit(movetime=200))
        print(best.action, best.equity)

`AsyncEngine` is the same with `await`. `Table` has an engine deal, referee and score a whole game; `Seat` has one play
a seat of a game that somebody else deals. Nothing here needs more than the standard library and `spades_protocol`.
"""

from spades_client.asynchronous import AsyncEngine
from spades_client.blocking import Analysis
from spades_client.conversation import Answer
from spades_client.engine import Engine
from spades_client.errors import (
    ClientError,
    CommitmentBroken,
    EngineRefused,
    EngineTerminated,
    EngineTimeout,
    ProtocolViolation,
)
from spades_client.limits import Limit, Timeouts
from spades_client.options import Option, OptionError, Options
from spades_client.recorder import Recorder
from spades_client.seat import AsyncSeat, Seat
from spades_client.table import AsyncTable, GameResult, Table
from spades_client.values import (
    Bench,
    Best,
    Event,
    GameState,
    HandScore,
    Identity,
    Info,
    Moved,
    NewGame,
    Perft,
    Record,
    Score,
    Solution,
)
from spades_client.views import GameSetup
from spades_client.waiting import AsyncAnalysis

__all__ = [
    "Analysis",
    "Answer",
    "AsyncAnalysis",
    "AsyncEngine",
    "AsyncSeat",
    "AsyncTable",
    "Bench",
    "Best",
    "ClientError",
    "CommitmentBroken",
    "Engine",
    "EngineRefused",
    "EngineTerminated",
    "EngineTimeout",
    "Event",
    "GameResult",
    "GameSetup",
    "GameState",
    "HandScore",
    "Identity",
    "Info",
    "Limit",
    "Moved",
    "NewGame",
    "Option",
    "OptionError",
    "Options",
    "Perft",
    "ProtocolViolation",
    "Record",
    "Recorder",
    "Score",
    "Seat",
    "Solution",
    "Table",
    "Timeouts",
]
