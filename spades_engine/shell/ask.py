"""Commands that ask and change nothing: `state`, `legal`, `score`, `record`."""

from __future__ import annotations

from spades_engine.game import BLIND_NIL, GameError, Seat, format_action, legal_bids, parse_bid, score_side
from spades_engine.shell.moves import move, parse_rules, parse_seat_of, translated
from spades_engine.shell.picture import picture
from spades_engine.shell.table import Table
from spades_protocol.commands import Arguments, parse_int, suggest
from spades_protocol.errors import ProtocolError
from spades_protocol.words import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spades_engine.game import Bid, RuleSet
    from spades_engine.shell.loop import Shell
    from spades_protocol.server import Command

CALCULATOR_KEYS = ("rules", "bid", "tricks", "bags", "total")


def need_table(shell: Shell, name: str) -> Table:
    """The game there is. Raises ProtocolError where there is none."""
    if shell.table is None:
        raise ProtocolError("no-game", f"{name}: there is no game; newgame begins one")
    return shell.table


def state(shell: Shell, command: Command) -> list[str]:
    """The whole picture as JSON."""
    Arguments(command.words)
    return ["state " + picture(need_table(shell, "state")), "ok"]


def legal(shell: Shell, command: Command) -> list[str]:
    """The actions of the seat to act."""
    Arguments(command.words)
    table = need_table(shell, "legal")
    try:
        actions = table.legal()
    except GameError as error:
        raise translated(error, table) from None
    return [*["legal " + format_action(action, table.rules) for action in actions], f"ok count={len(actions)}"]


def record(shell: Shell, command: Command) -> list[str]:
    """The game as a script."""
    arguments = Arguments(command.words, ("view",))
    text = arguments.value("view")
    table = need_table(shell, "record")
    view: Seat | None = table.view
    if text is not None:
        view = None if text == "all" else parse_seat_of(table.rules, text, "view")
    try:
        lines = table.record(view)
    except GameError as error:
        raise translated(error, table) from None
    return [*["record " + line for line in lines], f"ok lines={len(lines)}"]


def score(shell: Shell, command: Command) -> list[str]:
    """The totals, a calculator, or the check of a score line, by what stands on the line."""
    arguments = Arguments(command.words, keys=None)
    keys = [key for key in arguments.pairs if not key.startswith("x-")]
    if not keys:
        table = need_table(shell, "score")
        words = []
        for prefix, values in (("total", table.state.totals), ("bags", table.state.bags)):
            words += [f"{prefix}.{table.rules.format_side(side)}={values[side]}" for side in table.rules.sides]
        return ["ok " + " ".join(words) + f" hands={table.state.hands_played}"]
    if any(key in ("bid", "tricks", "rules") for key in keys):
        return [calculated(arguments)]
    return move(shell, command)


def calculated(arguments: Arguments) -> str:
    """The reply of the calculator. Raises ProtocolError."""
    for key in ("bid", "tricks"):
        if key not in arguments.pairs:
            raise ProtocolError("bad-syntax", f"score: {key}= is missing")
    rules = parse_rules(arguments, CALCULATOR_KEYS)
    size = len(rules.seats_of(rules.sides[0]))
    bids = [parse_one_bid(text, rules) for text in parts(arguments, "bid", size)]
    tricks = [arguments.number(text, 0, 13, "tricks") for text in parts(arguments, "tricks", size)]
    most_bags = 999 if rules.bag_limit is None else rules.bag_limit - 1
    bags = arguments.integer("bags", 0, most_bags) or 0
    total = arguments.integer("total", -10_000, 10_000) or 0
    arguments.done()
    if sum(tricks) > 13:
        raise ProtocolError("out-of-range", "tricks: a hand has thirteen", {"min": 0, "max": 13})
    result = score_side(rules, tuple(bids), tuple(tricks), bags)
    return (
        f"ok points={result.points:+d} contract={result.contract:+d} overtricks={result.overtricks:+d}"
        f" nil={result.nil:+d} blindnil={result.blindnil:+d} penalty={result.penalty:+d}"
        f" bags={result.bags_after} total={total + result.points}"
    )


def parts(arguments: Arguments, key: str, size: int) -> list[str]:
    """The values of a key, comma-separated, one per seat of a side. Raises ProtocolError."""
    values = arguments.pairs[key].split(",")
    if len(values) != size:
        many = "one value" if size == 1 else f"{size} values, partner by partner"
        raise ProtocolError("bad-argument", f"{key}: {many} with these rules, joined by a comma")
    return values


def parse_one_bid(text: str, rules: RuleSet) -> Bid:
    """A bid that may be made with these rules, or a blind nil where they have one. Raises ProtocolError."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        parse_int(text, 0, 13)
    try:
        bid = parse_bid(text, rules)
    except GameError as error:
        near = suggest(text, ("nil", "blindnil"))
        raise ProtocolError("bad-argument", f"bid: {error.text}", {"suggest": near} if near else {}) from None
    if bid not in legal_bids(rules) and (bid != BLIND_NIL or rules.blind_nil is None):
        raise ProtocolError("bad-argument", f"bid: {clip(text)} is no bid with these options")
    return bid
