"""Commands that set up, move and take back a game: from words to events, from objections of the rules to errors."""

from __future__ import annotations

import secrets

from spades_engine.game import (
    Event,
    GameError,
    Hidden,
    IllegalAction,
    OptionError,
    Phase,
    RuleSet,
    Seat,
    UnreadableEvent,
    WrongPhase,
    WrongSeat,
    commitment,
    format_seat,
    parse_cards,
    parse_event,
)
from spades_engine.shell.table import Table
from spades_protocol.commands import (
    COMMANDS,
    GAME_COMMANDS,
    Arguments,
    is_private,
    is_seed,
    parse_choice,
    parse_int,
    suggest,
)
from spades_protocol.errors import ProtocolError
from spades_protocol.words import clip, split_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_engine.shell.loop import Shell
    from spades_protocol.server import Command
    from spades_protocol.words import Word

OWN_KEYS = ("rules", "dealer", "view", "first", "seed")
POSITIONALS = {  # words after a seat that may be left out, at a table where this process deals and where the host does
    "look": ((0, 0), (0, 1)),
    "draft": ((1, 1), (1, 2)),
    "swap": ((1, 1), (1, 2)),
    "bid": ((1, 1), (1, 1)),
    "play": ((1, 1), (1, 1)),
}
SUGGESTED = {"bid": ("nil", "blindnil"), "draft": ("keep", "pass", "draw"), "swap": ("none",)}
FITTING = {  # the phases in which each command may come; in another it is refused, whatever its words
    "deal": (Phase.DEAL,),
    "look": (Phase.BLIND, Phase.LOOK),
    "draft": (Phase.DRAFT, Phase.DRAW),
    "swap": (Phase.SWAP,),
    "bid": (Phase.BID, Phase.BLIND),
    "play": (Phase.PLAY,),
}


# Errors -----------------------------------------------------------------------------------------------------------


def translated(error: GameError, table: Table | None) -> ProtocolError:
    """The protocol's error for an objection of the rules."""
    if isinstance(error, IllegalAction):
        return ProtocolError("illegal-action", error.text, {"why": error.why})
    if isinstance(error, WrongPhase):
        return ProtocolError("wrong-phase", error.text, {} if table is None else {"phase": table.state.phase.value})
    if isinstance(error, WrongSeat):
        return ProtocolError("wrong-seat", error.text, {} if table is None else {"turn": table.turn_text()})
    if isinstance(error, Hidden):
        return ProtocolError("hidden", error.text)
    if isinstance(error, OptionError):
        bounds = error.limits
        if bounds is not None:
            return ProtocolError("out-of-range", error.text, {"min": bounds[0], "max": bounds[1]})
        return ProtocolError("bad-argument", error.text, {"suggest": error.suggest} if error.suggest else {})
    return ProtocolError("bad-argument", error.text)


# Setting the table --------------------------------------------------------------------------------------------------


def parse_rules(arguments: Arguments, own_keys: tuple[str, ...], prefixes: tuple[str, ...] = ()) -> RuleSet:
    """The rule set that `rules=` and the rule options among the pairs make.

    Keys in `own_keys`, and those that start with one of `prefixes`, are the command's own. Raises ProtocolError.
    """
    try:
        preset = RuleSet.preset_named(arguments.pairs.get("rules", "draft"))
        options = {}
        for key, text in arguments.pairs.items():
            if key not in own_keys and not key.startswith(prefixes) and not is_private(key):
                if key not in preset.options():
                    near = suggest(key, (*own_keys, *preset.options()))
                    hint = f"; did you mean {near}?" if near else ""
                    raise ProtocolError(
                        "bad-argument", f"{clip(key)}: no such key{hint}", {"suggest": near} if near else {}
                    )
                options[key] = text
        return preset.with_options(options)
    except GameError as error:
        raise translated(error, None) from None


def parse_seat_of(rules: RuleSet, text: str, what: str) -> Seat:
    """The seat of that name at a table with these rules. Raises ProtocolError."""
    names = [format_seat(seat) for seat in rules.seats]
    return rules.seats[names.index(parse_choice(text, names, what))]


def parse_pair_by_side(
    arguments: Arguments, rules: RuleSet, prefix: str, minimum: int, maximum: int
) -> tuple[int, int]:
    """`total.` or `bags.` for both sides, 0 where not given. Raises ProtocolError."""
    values = [0, 0]
    names = [prefix + rules.format_side(side) for side in rules.sides]
    for key in arguments.pairs:
        if key.startswith(prefix):
            number = arguments.integer(key, minimum, maximum)
            values[names.index(parse_choice(key, names))] = number or 0
    return values[0], values[1]


def parse_newgame(words: list[Word]) -> Table:
    """The table that a `newgame` asks for. Raises ProtocolError."""
    arguments = Arguments(words, keys=None)
    rules = parse_rules(arguments, OWN_KEYS, ("total.", "bags."))
    dealer = arguments.choice("dealer", ("engine", "host")) or "engine"
    view_text = arguments.value("view")
    view = None if view_text in (None, "all") else parse_view(rules, view_text or "")
    first_text = arguments.value("first")
    first = None if first_text is None else parse_seat_of(rules, first_text, "first")
    seed = arguments.value("seed")
    if seed is not None and not is_seed(seed):
        raise ProtocolError("bad-argument", "a seed is 1 to 64 letters, digits, dots, underscores or hyphens")
    if seed is not None and dealer == "host":
        raise ProtocolError("bad-argument", "seed: the host deals at this table")
    totals = parse_pair_by_side(arguments, rules, "total.", -10_000, 10_000)
    most_bags = 999 if rules.bag_limit is None else rules.bag_limit - 1
    bags = parse_pair_by_side(arguments, rules, "bags.", 0, most_bags)
    arguments.done()
    if dealer == "engine" and seed is None:
        seed = secrets.token_hex(16)
    try:
        return Table(rules, seed=seed, view=view, first=first, totals=totals, bags=bags)
    except ValueError as error:
        raise ProtocolError("out-of-range", f"total: {error}") from None


def parse_view(rules: RuleSet, text: str) -> Seat:
    """The seat named by `view=`. Raises ProtocolError."""
    names = [format_seat(seat) for seat in rules.seats]
    parse_choice(text, ["all", *names], "view")
    return rules.seats[names.index(text)]


def newgame(shell: Shell, command: Command) -> list[str]:
    """Begin a new game."""
    table = parse_newgame(command.words)
    shell.table = table
    seats = ",".join(format_seat(seat) for seat in table.rules.seats)
    words = [f"ok rules={table.rules.preset} seats={seats}"]
    if table.opening.first is not None:
        words.append(f"first={format_seat(table.opening.first)}")
    words.append("phase=deal")
    if table.seed is not None:
        words.append(f"commit={commitment(table.seed)}")
    return [" ".join(words)]


# Moving -------------------------------------------------------------------------------------------------------------


def check_shape(name: str, words: list[Word], hosted: bool) -> None:
    """Refuse a line with words missing or too many. Raises ProtocolError."""
    plain = [word for word in words if word.key is None]
    seat = 1 if plain and len(plain[0].text) == 1 and plain[0].text.isalpha() else 0
    least, most = POSITIONALS[name][1 if hosted else 0]
    if len(plain) - seat < least:
        raise ProtocolError("bad-syntax", f"{name}: a word is missing; {COMMANDS[name].usage}")
    if len(plain) - seat > most:
        if not hosted and len(plain) - seat <= POSITIONALS[name][1][1]:
            raise ProtocolError("bad-syntax", f"{name}: this process deals and turns the cards up itself")
        raise ProtocolError("bad-syntax", f"{name}: a word too many")


def read_step(table: Table | None, name: str, words: list[Word]) -> Event:
    """The event that the words of a record line say; for `deal` only at a table where the host deals.

    Raises ProtocolError for words that do not fit, GameError where the rules object to the words themselves.
    """
    rules = RuleSet.preset_named("draft") if table is None else table.rules
    hosted = table is None or table.dealer is None
    keys = None if name in ("deal", "score", "end") else ()
    if name in POSITIONALS:
        Arguments(words, keys, (0, len(words)))
        check_shape(name, words, hosted)
    else:
        Arguments(words, keys, {"trick": (1, 1), "deal": (0, 1)}.get(name, (0, 0)))
    for word in words:
        if word.quoted:
            raise ProtocolError("bad-argument", f"{clip(word.text)}: no quotes are needed here")
    if name == "bid":
        digits = words[-1].text.removeprefix("-")
        if digits.isascii() and digits.isdigit():
            parse_int(words[-1].text, 0, 13)
    text = " ".join([name, *[str(word) for word in words if word.key is None or not is_private(word.key)]])
    state = None if table is None else table.state
    turn = rules.seats[0] if state is None or state.turn is None else state.turn
    number = 1 if state is None else state.number + 1
    first = rules.seats[0] if state is None else state.first
    return parse_event(text, rules, turn, number, first)


def run_step(table: Table | None, name: str, words: list[Word]) -> tuple[Event, ...]:
    """Carry out a command that moves the game; answers what happened. Raises ProtocolError and then changes nothing."""
    try:
        if name == "deal" and (table is None or table.dealer is not None):
            return deal_here(table, words)
        late: IllegalAction | None = None
        event: Event | None = None
        try:
            event = read_step(table, name, words)
        except IllegalAction as error:
            late = error  # other errors come first
        if table is None:
            raise ProtocolError("no-game", f"{name}: there is no game; newgame begins one")
        if name in ("trick", "end") and table.dealer is not None:
            raise WrongPhase(f"{name}: this process keeps the results itself")
        if name in FITTING and table.state.phase not in FITTING[name]:
            raise WrongPhase(f"{name}: {table.waiting_text()}")
        if late is not None or event is None:
            raise late or AssertionError
        if name == "score":
            table.state.apply(event)  # only looks whether it agrees
            return ()
        if table.dealer is not None:
            return table.act(event)  # type: ignore[arg-type]  # act refuses what is no action
        return table.tell(event)
    except UnreadableEvent as error:
        near = suggest(words[-1].text, SUGGESTED.get(name, ())) if words else None
        hint = f"; did you mean {near}?" if near else ""
        raise ProtocolError("bad-argument", error.text + hint, {"suggest": near} if near else {}) from None
    except GameError as error:
        raise translated(error, table) from None


def deal_here(table: Table | None, words: list[Word]) -> tuple[Event, ...]:
    """`deal` at a table where this process deals. Raises ProtocolError or GameError."""
    arguments = Arguments(words, ("deck",) if table is not None else None, (0, 0 if table is not None else 1))
    text = arguments.value("deck")
    deck = None
    if text is not None:
        cards = parse_cards(text)
        if None in cards:
            raise ProtocolError("bad-argument", "deck: every card is named, none is hidden")
        deck = tuple(card for card in cards if card is not None)
    if table is None:
        raise ProtocolError("no-game", "deal: there is no game; newgame begins one")
    return table.deal(deck)


def move(shell: Shell, command: Command) -> list[str]:
    """`deal`, `look`, `draft`, `swap`, `bid`, `play`, `trick`, `end`, and `score` as a check."""
    events = run_step(shell.table, command.name, command.words)
    table = shell.table
    if table is None:
        raise AssertionError("a step without a table")
    if command.name in ("trick", "score", "end"):
        return ["ok"]
    return [*table.event_lines(events), "ok " + table.phase_words()]


def undo(shell: Shell, command: Command) -> list[str]:
    """Take back commands."""
    arguments = Arguments(command.words, positional=(0, 1))
    word = arguments.word(0)
    count = 1 if word is None else arguments.number(word, 1, None, "undo")
    arguments.done()
    table = shell.table
    if table is None:
        raise ProtocolError("no-game", "undo: there is no game")
    if table.dealer is not None and table.view is not None:
        raise ProtocolError("hidden", "undo: what has been seen cannot be unseen; a table with view=all takes back")
    if count > table.undoable:
        most = table.undoable
        raise ProtocolError("out-of-range", f"only {most} commands can be taken back", {"min": 1, "max": most})
    table.undo(count)
    return ["ok " + table.phase_words()]


def position(shell: Shell, command: Command) -> list[str]:
    """Set up a game from one line, all of it or nothing."""
    commands = split_commands(command.words)
    if not command.words:
        raise ProtocolError("bad-syntax", "position: newgame and what follows it are missing")
    table: Table | None = None
    for number, words in enumerate(commands, 1):
        try:
            table = run_line(table, words)
        except ProtocolError as error:
            error.extra["line"] = number
            raise
    shell.table = table
    return ["ok " + table.phase_words()] if table is not None else ["ok"]


def run_line(table: Table | None, words: list[Word]) -> Table:
    """One command of `position`; answers the table after it. Raises ProtocolError."""
    if not words:
        raise ProtocolError("bad-syntax", "position: a command is missing between two ;")
    name = words[0].text
    if table is not None and words[0].is_bare and is_private(name):
        return table
    if not words[0].is_bare or name not in GAME_COMMANDS:
        near = suggest(name, GAME_COMMANDS)
        code = "bad-argument"
        raise ProtocolError(code, f"{clip(name)}: not a command of a game", {"suggest": near} if near else {})
    if name == "newgame":
        if table is not None:
            raise ProtocolError("bad-argument", "position: newgame stands at the beginning only")
        return parse_newgame(words[1:])
    if table is None:
        raise ProtocolError("bad-argument", "position: newgame comes first")
    run_step(table, name, words[1:])
    return table
