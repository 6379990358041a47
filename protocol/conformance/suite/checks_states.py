"""Checks on states, phases, levels, options and errors: the tables of SPEC.md, cell by cell."""

from __future__ import annotations

import itertools
import json
import random
import re

from suite.checks import Bench, best_action, check, pairs
from suite.process import Engine, Fault, split_id

# Section 12: the command as sent, then its cells for new, idle and thinking.
STATE_TABLE = """
usp 1                   yes         yes  busy
help                    yes         yes  yes
known bid               yes         yes  yes
ping                    yes         yes  yes
quit                    yes         yes  yes
stop                    yes         yes  yes
get                     wrong-phase yes  yes
set x-nothing=1         wrong-phase yes  busy
log off                 wrong-phase yes  busy
newgame rules=duel      wrong-phase yes  busy
position newgame        wrong-phase yes  busy
deal                    wrong-phase yes  busy
look                    wrong-phase yes  busy
draft keep              wrong-phase yes  busy
swap none               wrong-phase yes  busy
bid 3                   wrong-phase yes  busy
play 2S                 wrong-phase yes  busy
trick S                 wrong-phase yes  busy
end winner=S reason=cap total.S=1 total.N=0 wrong-phase yes busy
undo                    wrong-phase yes  busy
state                   wrong-phase yes  yes
record                  wrong-phase yes  yes
legal                   wrong-phase yes  yes
score                   wrong-phase yes  yes
go nodes=1              wrong-phase yes  busy
perft 1                 wrong-phase yes  busy
bench                   wrong-phase yes  busy
solve                   wrong-phase yes  busy
selftest                wrong-phase yes  busy
"""
LEVEL_COMMANDS = {
    "core": "usp help known set get ping log quit stop",
    "seat": "newgame deal look draft swap bid play trick end score position undo state legal record go",
    "tools": "perft bench solve selftest",
}
LEVEL_OF = {verb: level for level, verbs in LEVEL_COMMANDS.items() for verb in verbs.split(" ")}

HIDDEN_HAND = ",".join(["??"] * 13)
HAND = "3C,5C,9C,4D,TD,QD,2H,7H,KH,3S,8S,QS,AS"
THINKING = f"position newgame rules=duel dealer=host view=S first=S ; deal 1 first=S hand.S={HAND} hand.N={HIDDEN_HAND}"


def cells() -> list[tuple[str, list[str]]]:
    """The table as (command line, [new, idle, thinking])."""
    rows = [line.rsplit(maxsplit=3) for line in STATE_TABLE.strip().splitlines()]
    return [(command.strip(), found) for command, *found in rows]


def code_of(line: str) -> str:
    """The code of an error reply, or the first word of another."""
    words = split_id(line)[1].split(" ")
    return words[1] if words[0] == "error" and len(words) > 1 else words[0]


def ask_past_search(engine: Engine, name: str, command: str) -> str:
    """The final reply to a command with this id, whatever else is printed meanwhile."""
    engine.send(f"#{name} {command}")
    while True:
        line = engine.read()
        if line is None:
            engine.expect_alive()
            raise Fault("reply.2", "the output ended")
        if split_id(line)[0] == f"#{name}" and split_id(line)[1].split(" ")[0] in ("ok", "error", "best"):
            return line


@check("state-new", "core", "state.1")
def state_new(bench: Bench) -> None:
    """Before the handshake every command is answered as the column *new* of the state table says."""
    engine = bench.start()
    for command, (wanted, _idle, _thinking) in cells():
        verb = command.split()[0]
        if verb in ("usp", "quit"):
            continue
        found = code_of(engine.ask(command)[-1])
        expected = "ok" if wanted == "yes" else wanted
        if found != (expected if LEVEL_OF[verb] in bench.levels else "unsupported"):
            raise Fault("state.1", f"`{command}` before the handshake: {found} instead of {wanted}")
    engine.expect_ok("usp 1")
    engine.quit()
    bench.start().quit()


@check("state-idle", "core", "state.1")
def state_idle(bench: Bench) -> None:
    """While idle no command of the table is refused for the state: none is `busy`, the core ones are `ok`."""
    engine = bench.start_ready()
    for command, _cells in cells():
        verb = command.split()[0]
        if verb in ("bench", "selftest", "quit"):  # they may take long; `quit` ends every check
            continue
        found = code_of(engine.ask(command)[-1])
        if found == "busy" or (LEVEL_OF[verb] == "core" and found != "ok"):
            raise Fault("state.1", f"`{command}` while idle: {found}")
    engine.quit()


@check("state-thinking", "core seat", "state.1 go.5")
def state_thinking(bench: Bench) -> None:
    """While a search runs every command is answered as the column *thinking* of the state table says."""
    engine = bench.start_ready()
    engine.expect_ok(THINKING)
    engine.send("#think go infinite")
    for number, (command, (_new, _idle, wanted)) in enumerate(cells()):
        verb = command.split()[0]
        if verb in ("stop", "quit"):
            continue
        found = code_of(ask_past_search(engine, f"c{number}", command))
        expected = "ok" if wanted == "yes" else wanted
        if found != (expected if LEVEL_OF[verb] in bench.levels else "unsupported"):
            raise Fault("state.1", f"`{command}` while thinking: {found} instead of {wanted}")
    if "#think" not in engine.pending:
        raise Fault("go.3", "the search ended although nobody stopped it")
    if code_of(ask_past_search(engine, "end", "stop")) != "ok" or engine.pending:
        raise Fault("state.1", "`stop` should be answered by ok, after the `best` of the search")
    engine.quit()


# Phases.

DRAFT = "position newgame rules=draft dealer=engine seed=3 first=S"
POSITIONS = {
    "deal": (DRAFT, "seat table"),
    "blind": (f"{DRAFT} ; deal", "seat table"),
    "draft": (f"{DRAFT} ; deal ; look", "seat table"),
    "swap": (f"{DRAFT} ; deal ; bid blindnil ; draft keep ; look" + " ; draft keep" * 25, "seat table"),
    "bid": ("position newgame rules=draft300 dealer=engine seed=3 first=S ; deal" + " ; draft pass" * 26, "seat table"),
    "play": ("position newgame rules=duel dealer=engine seed=3 first=S ; deal ; bid 3 ; bid 4", "seat table"),
    "draw": ("position newgame rules=draft300 dealer=host view=S first=S ; deal 1 first=S", "seat"),
    "look": ("position newgame rules=partners dealer=host first=N ; deal 1 first=N ; bid N blindnil", "seat"),
}
FITTING = {
    "deal": ["deal"],
    "blind": ["look"],
    "draft": ["draft keep"],
    "swap": ["swap none"],
    "bid": ["bid 3"],
    "play": ["play 2S"],
    "draw": ["draft S draw AS"],
    "look": ["look"],
    "over": [],
}
PHASE_COMMANDS = ["deal", "look", "draft keep", "draft pass", "swap none", "bid 3", "play 2S"]


def expect_wrong_phase(engine: Engine, command: str, phase: str) -> None:
    """Fault unless the command is answered by wrong-phase, naming this phase."""
    line = engine.ask(command)[-1]
    if code_of(line) != "wrong-phase":
        raise Fault("state.2", f"`{command}` in phase {phase}: `{line}` instead of wrong-phase")
    if pairs(line).get("phase") != phase:
        raise Fault("state.2", f"`{command}` in phase {phase}: the error should carry phase={phase}: `{line}`")


def try_phase(engine: Engine, phase: str) -> None:
    """Send every command that does not fit the phase."""
    for command in PHASE_COMMANDS:
        is_host_draw = phase == "draw" and command.startswith("draft")
        if command.split()[0] not in [fitting.split()[0] for fitting in FITTING[phase]] or is_host_draw:
            expect_wrong_phase(engine, command, phase)
    if phase in ("deal", "draw", "look", "over"):
        expect_wrong_phase(engine, "go nodes=1", phase)


@check("phases-of-a-table", "core seat table", "state.2")
def phases_of_a_table(bench: Bench) -> None:
    """With dealer=engine, in every phase each command for another phase is wrong-phase, and so are trick and end."""
    engine = bench.start_ready()
    for phase, (position, levels) in POSITIONS.items():
        if "table" in levels:
            line = engine.expect_ok(position)[-1]
            if pairs(line).get("phase") != phase:
                raise Fault("state.2", f"this position is in phase {phase}: `{line}`")
            try_phase(engine, phase)
            expect_wrong_phase(engine, "trick S", phase)
            expect_wrong_phase(engine, "end winner=S reason=target total.S=1 total.N=0", phase)
    engine.expect_ok("newgame rules=duel dealer=engine seed=3 first=S hand_cap=1")
    play_out(engine)
    try_phase(engine, "over")
    engine.quit()


@check("phases-of-a-seat", "core seat", "state.2")
def phases_of_a_seat(bench: Bench) -> None:
    """With dealer=host, in the phases that wait for the dealer each command for another phase is wrong-phase."""
    engine = bench.start_ready()
    for phase in ("draw", "look"):
        line = engine.expect_ok(POSITIONS[phase][0])[-1]
        if pairs(line).get("phase") != phase:
            raise Fault("state.2", f"this position is in phase {phase}: `{line}`")
        try_phase(engine, phase)
    engine.quit()


def play_out(engine: Engine) -> list[str]:
    """Play a game at a dealer=engine, view=all table to its end by the first legal action; returns every line."""
    lines: list[str] = []
    for _step in range(100_000):
        legal = engine.expect_ok("legal")[:-1]
        command = split_id(legal[0])[1].split(" ", 1)[1] if legal else "deal"
        printed = engine.expect_ok(command)
        lines += printed
        if pairs(printed[-1]).get("phase") == "over":
            break
    return lines


# Levels.


@check("missing-levels", "core", "level.1")
def missing_levels(bench: Bench) -> None:
    """Core is among the levels, and the commands of a level that is not are answered by unsupported."""
    if "core" not in bench.levels:
        raise Fault("level.1", "core is not among the levels")
    engine = bench.start_ready()
    for command, _cells in cells():
        if LEVEL_OF[command.split()[0]] not in bench.levels:
            found = code_of(engine.ask(command)[-1])
            if found != "unsupported":
                raise Fault("level.1", f"`{command}`: {found}; its level is not one this program has")
    if "table" not in bench.levels and code_of(engine.ask("newgame dealer=engine")[-1]) != "unsupported":
        raise Fault("level.1", "newgame dealer=engine needs level table")
    if "seat" not in bench.levels and code_of(engine.ask("newgame dealer=host")[-1]) != "unsupported":
        raise Fault("level.1", "newgame dealer=host needs level seat")
    engine.quit()


# Options.


def read_options(engine: Engine) -> list[dict[str, str]]:
    """The option lines of the handshake, as dictionaries."""
    options = []
    for line in engine.expect_ok("usp 1"):
        if line.startswith("option "):
            found = re.findall(r'([a-z_.-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))', line)
            options.append({key: quoted or bare for key, quoted, bare in found})
    return options


def other_values(options: list[dict[str, str]]) -> list[tuple[str, str]]:
    """For each option with a closed set of values, one that is not its default."""
    chosen = []
    for option in options:
        default = option.get("default", "")
        if option["type"] == "check":
            chosen.append((option["name"], "no" if default == "yes" else "yes"))
        elif option["type"] == "spin":
            value = int(default) + 1 if int(default) < int(option["max"]) else int(default) - 1
            if int(option["min"]) <= value:
                chosen.append((option["name"], str(value)))
        elif option["type"] == "combo":
            chosen += [(option["name"], value) for value in option["values"].split(",") if value != default][:1]
    return chosen


@check("option-lines", "core", "core.4")
def option_lines(bench: Bench) -> None:
    """Every option line has a name, a type and a default, and `get` answers with the default in a fresh process."""
    engine = bench.start()
    for option in read_options(engine):
        if not {"name", "type", "default"} <= set(option) or option["type"] not in ("check", "spin", "combo", "string"):
            raise Fault("core.4", f"an option line without name, type or default: {option}")
        if option["type"] == "spin" and not int(option["min"]) <= int(option["default"]) <= int(option["max"]):
            raise Fault("core.4", f"the default is outside the range: {option}")
        if option["type"] != "string":
            line = engine.expect_ok(f"get {option['name']}")[-1]
            if line != f"ok {option['name']}={option['default']}":
                raise Fault("core.4", f"the default of {option['name']} is {option['default']}: `{line}`")
    engine.quit()


@check("option-orders", "core", "core.4")
def option_orders(bench: Bench) -> None:
    """Options set in any order, one by one or together, read back the same; setting a default changes nothing."""
    engine = bench.start()
    options = read_options(engine)
    fresh = engine.expect_ok("get")
    for option in options:
        if option["type"] != "string":
            engine.expect_ok(f"set {option['name']}={option['default']}")
    if engine.expect_ok("get") != fresh:
        raise Fault("core.4", "setting the defaults changed what `get` prints")
    values = other_values(options)
    orders = [values, values[::-1], *(random.Random(k).sample(values, len(values)) for k in range(4))]
    orders += [list(order) + values[3:] for order in itertools.permutations(values[:3])]
    results = []
    for order in orders:
        for is_joined in (False, True):
            words = [f"{name}={value}" for name, value in order]
            for text in [" ".join(words)] if is_joined else words:
                engine.expect_ok(f"set {text}")
            results.append(engine.expect_ok("get"))
            for name, value in values:
                line = engine.expect_ok(f"get {name}")[-1]
                if line != f"ok {name}={value}":
                    raise Fault("core.4", f"{name} was set to {value} and reads `{line}`")
            defaults = [f"{option['name']}={option['default']}" for option in options if option["type"] != "string"]
            engine.expect_ok("set " + " ".join(defaults))
            if engine.expect_ok("get") != fresh:
                raise Fault("core.4", "setting the defaults again does not restore them")
    if any(result != results[0] for result in results):
        raise Fault("core.4", "the result depends on the order in which the options are set")
    engine.quit()


@check("option-ranges", "core", "core.5 error.1")
def option_ranges(bench: Bench) -> None:
    """A value outside an option's range is refused with the range, the old value stays, and nothing else is set."""
    engine = bench.start()
    options = read_options(engine)
    before = engine.expect_ok("get")
    spins = [option for option in options if option["type"] == "spin"]
    for option in spins:
        for value in (int(option["min"]) - 1, int(option["max"]) + 1):
            line = engine.ask(f"set {option['name']}={value}")[-1]
            found = pairs(line)
            if code_of(line) != "out-of-range" or (found.get("min"), found.get("max")) != (
                option["min"],
                option["max"],
            ):
                raise Fault("core.5", f"{option['name']}={value} is out of range: `{line}`")
    values = other_values(options)
    for option in spins[:2]:
        rest = " ".join(f"{name}={value}" for name, value in values if name != option["name"])
        engine.ask(f"set {rest} {option['name']}={int(option['max']) + 1}")
    for option in options:
        if option["type"] in ("check", "combo"):
            line = engine.ask(f"set {option['name']}=x-neither")[-1]
            if code_of(line) not in ("bad-argument", "out-of-range"):
                raise Fault("core.5", f"{option['name']}=x-neither is no value: `{line}`")
    if engine.expect_ok("get") != before:
        raise Fault("core.5", "a refused `set` changed something")
    engine.quit()


# Errors change nothing.

BAD_COMMANDS = [
    "newgame rules=nothing", "newgame target=1", "newgame exchange=partner", "newgame rules=duel removed=AS,AS",
    "newgame rules=draft rules=duel", "newgame dealer=nobody", "newgame view=Q", "newgame total.S=999999",
    "position newgame rules=duel dealer=engine seed=1 first=S ; deal ; bid 14", "position bid 3", "position",
    "position newgame ; nonsense", "position newgame rules=duel dealer=engine seed=1 first=S ; deal ; play AS",
    "deal 7 first=N deck=AS", "deal deck=AS", "look Q", "draft", "draft maybe", "draft keep pass", "swap 1X", "swap",
    "bid 14", "bid -1", "bid three", "bid", "bid blindnil", "play 1S", "play ASS", "play", "play ??", "play AS KS",
    "undo 999", "undo 0", "undo x", "trick S", "end winner=S reason=target total.S=0 total.N=0", "record view=Q",
    "score rules=draft", "score rules=draft bid=3 tricks=14", "go nodes=x", "go nodes=5 nodes=5", "go infinite nodes=5",
    "nonsense", "set nothing=1", "play\x01", "bid 3 4", "legal now", "state now",
]  # fmt: skip


@check("errors-change-nothing", "core seat table", "error.1 play.3")
def errors_change_nothing(bench: Bench) -> None:
    """In every phase, commands that are refused leave state, record and options as they were."""
    engine = bench.start_ready()
    for phase, (position, _levels) in POSITIONS.items():
        engine.expect_ok(position)
        before = [engine.expect_ok(query) for query in ("state", "record", "get")]
        for command in BAD_COMMANDS:
            if phase == "blind" and command == "bid blindnil":
                continue
            line = engine.ask(command)[-1]
            if not line.startswith("error "):
                raise Fault("error.2", f"`{command}` in phase {phase} should be an error: `{line}`")
            if engine.expect_ok("state") != before[0]:
                raise Fault("error.1", f"`{command}` in phase {phase} was refused and changed the state")
        if [engine.expect_ok(query) for query in ("state", "record", "get")] != before:
            raise Fault("error.1", f"a refused command changed the record or the options in phase {phase}")
    engine.quit()


@check("state-agrees", "core seat table", "error.1 go.1")
def state_agrees(bench: Bench) -> None:
    """Asking changes nothing, and `state`, `legal`, `record` and the replies tell the same story all through a hand."""
    engine = bench.start_ready()
    engine.expect_ok("newgame rules=draft dealer=engine seed=11 first=N")
    reply = engine.expect_ok("deal")[-1]
    for number in range(60):
        legal = [line[6:] for line in engine.expect_ok("legal")[:-1]]
        states = [engine.expect_ok("state")[0] for _ in range(2)]
        state = json.loads(states[0][6:])
        if states[0] != states[1]:
            raise Fault("error.1", "two `state` in a row differ")
        if state["phase"] != pairs(reply).get("phase") or state["turn"] != pairs(reply).get("turn"):
            raise Fault(
                "state.2", f"`state` says phase {state['phase']}, turn {state['turn']}; the reply was `{reply}`"
            )
        if sorted(state["legal"] or []) != sorted(legal):
            raise Fault("go.2", "`state` and `legal` disagree")
        held = sum(len(cards) for cards in [*state["hands"].values(), *state["discards"].values()])
        if len({card for cards in state["hands"].values() for card in cards}) != sum(map(len, state["hands"].values())):
            raise Fault("rules.1", f"a card is held twice after {number} actions ({held} cards)")
        if not legal:
            break
        answer = engine.ask("go nodes=1")[-1]
        if best_action(answer) not in legal:
            raise Fault("go.2", f"`{answer}` is not among the legal actions")
        if engine.expect_ok("state")[0] != states[0]:
            raise Fault("error.1", "`go` changed the state")
        reply = engine.expect_ok(legal[number % len(legal)])[-1]
    if pairs(reply).get("phase") != "deal":
        raise Fault("rules.1", f"the hand should be over: `{reply}`")
    engine.quit()
