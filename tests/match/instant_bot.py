"""A bot that knows the rules and answers at once: what it does follows from what its seat sees and from `--style`.

    python instant_bot.py [--style S] [--figures] [--fault NAME --at N] [--ms MS]

It plays every preset with every option. `--fault` has it misbehave at its N-th `go`: `crash`, `late` (by --ms), `hang`,
`illegal`, `other-seat`, `error`, `twice`, `garbage`; `stay` lives on after `quit`. With `--wrong-score` it announces
another score than the table's. `--ms` without a fault is how long it thinks.
"""

import argparse
import os
import sys
import time
from zlib import crc32

from spades_engine.game import (
    RuleSet,
    State,
    derived_events,
    format_action,
    format_event,
    legal_actions,
    new_game,
    parse_event,
    parse_seat,
)

parser = argparse.ArgumentParser()
parser.add_argument("--style", default="0")
parser.add_argument("--figures", action="store_true")
parser.add_argument("--wrong-score", action="store_true")
parser.add_argument("--fault", default="")
parser.add_argument("--at", type=int, default=0)
parser.add_argument("--ms", type=int, default=0)
arguments = parser.parse_args()
state: State | None = None
asked = 0


def newgame(words: list[str]) -> State:
    """Return the game that a `newgame` line sets up."""
    said = dict(word.split("=", 1) for word in words)
    rules = RuleSet.preset_named(said.pop("rules"))
    said.pop("dealer")
    view, first = parse_seat(said.pop("view")), said.pop("first", None)
    names = [rules.format_side(side) for side in rules.sides]
    totals = [int(said.pop(f"total.{name}", "0")) for name in names]
    bags = [int(said.pop(f"bags.{name}", "0")) for name in names]
    seat = None if first is None else parse_seat(first)
    return new_game(rules.with_options(said), seat, view, (totals[0], totals[1]), (bags[0], bags[1]))


def choose(game: State) -> str:
    """Return an action that follows from what the seat sees."""
    actions = legal_actions(game)
    texts = [format_action(action, game.rules) for action in actions]
    if game.phase == "blind" and crc32(f"{arguments.style} {game.first} {game.number}".encode()) % 8:
        return "look"  # a blind nil now and then: all of them would make every hand the same
    if texts[0].startswith("bid"):
        texts = texts[1:6] or texts
    return texts[crc32(f"{arguments.style} {game.hands[game.turn or 0]} {game.played}".encode()) % len(texts)]


def go(game: State) -> list[str]:
    """Return the lines that answer `go`."""
    global asked
    asked += 1
    best = choose(game)
    if arguments.figures:
        best += " equity=0.5125 points=+3.5 make=0.640"
    if asked != arguments.at:
        if arguments.ms and not arguments.fault:
            time.sleep(arguments.ms / 1000)
        return [f"best {best}"]
    match arguments.fault:
        case "crash":
            sys.stderr.write("out of luck\n")
            os._exit(3)
        case "late":
            time.sleep(arguments.ms / 1000)
        case "hang":
            time.sleep(3600)
        case "illegal":
            return ["best play 2C equity=0.5" if game.phase != "play" else "best bid 4"]
        case "other-seat":
            return [f"best bid {'N' if game.viewer and game.viewer.name != 'N' else 'S'} 3"]
        case "error":
            return ['error internal "no idea"']
        case "twice":
            return [f"best {best}", f"best {best}"]
        case "garbage":
            return ["\x01\x02", f"best {best}"]
    return [f"best {best}"]


def tell(game: State, line: str) -> tuple[State, list[str]]:
    """Return the game after a record line and the lines that answer it."""
    event = parse_event(line, game.rules, game.turn, game.number + 1, game.first)
    after = game.apply(event)
    events = [format_event(result, game.rules) for result in derived_events(game, event, after)]
    if arguments.wrong_score:
        events = [text.replace("score S=", "score S=+1") for text in events]
    turn = "" if after.turn is None else f" turn={after.turn.name}"
    return after, [*(f"event {text}" for text in events), f"ok phase={after.phase}{turn}"]


for line in sys.stdin:
    verb, *words = line.split()
    if verb == "usp":
        lines = ['id name="Instant Bot" version=1', "ok usp=1 levels=core,seat capabilities=scores"]
    elif verb == "newgame":
        state = newgame(words)
        lines = [f"ok rules={state.rules.preset} phase=deal"]
    elif verb == "go" and state is not None:
        lines = go(state)
    elif verb in ("ping", "quit", "set", "stop"):
        lines = ["ok"]
    elif state is not None:
        state, lines = tell(state, line.strip())
    sys.stdout.write("".join(f"{text}\n" for text in lines))
    sys.stdout.flush()
    if verb == "quit":
        time.sleep(3600 if arguments.fault == "stay" else 0)
        break
