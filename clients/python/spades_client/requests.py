"""Every request that a client can make of an engine: the command, how long to wait, and how to read the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from spades_client import values as v
from spades_client.conversation import Answer, Malformed, Request
from spades_client.limits import Limit, Timeouts
from spades_client.options import Options, format_set, parse_integer, parse_option
from spades_client.recorder import Recorder
from spades_protocol.replies import (
    EventLine,
    HelpLine,
    IdLine,
    Info,
    LegalLine,
    Ok,
    OptionLine,
    PerftLine,
    RecordLine,
    RulesLine,
    StateLine,
    ValueLine,
)
from spades_protocol.words import format_pair, format_word, quote

T = TypeVar("T")

VERSION = 1
"""The version of the protocol that this client speaks."""


class Requests:
    """Makes requests with the time limits of one client."""

    def __init__(self, timeouts: Timeouts) -> None:
        self.timeouts = timeouts

    def raw(self, command: str) -> Request[Answer]:
        """Any command that ends in `ok`, or in `best`, with its answer as it is."""
        seconds, limit, is_search = self.timeouts.request, "Timeouts.request", False
        match command.split()[:1]:
            case ["go"]:
                seconds, limit, is_search = self.timeouts.nodes, "Timeouts.nodes", True
            case ["perft" | "bench" | "solve" | "selftest"]:
                seconds, limit, is_search = self.timeouts.tool, "Timeouts.tool", True
        return Request(command, _same, seconds, limit, is_search)

    # Core -------------------------------------------------------------------------------------------------------------

    def handshake(self) -> Request[v.Identity]:
        """`usp`: who the engine is."""
        return Request(f"usp {VERSION}", _parse_handshake, self.timeouts.start, "Timeouts.start")

    def ping(self) -> Request[None]:
        """`ping`."""
        return self._ask("ping", _nothing)

    def stop(self) -> Request[None]:
        """`stop`."""
        return Request("stop", _nothing, self.timeouts.stop, "Timeouts.stop")

    def quit(self) -> Request[None]:
        """`quit`."""
        return Request("quit", _nothing, self.timeouts.quit, "Timeouts.quit")

    def help(self, command: str) -> Request[tuple[str, ...]]:
        """`help`."""
        return self._ask(f"help {command}", _parse_help)

    def known(self, command: str) -> Request[bool]:
        """`known`."""
        return self._ask(f"known {format_word(command)}", lambda answer: answer.ok.pairs.get("known") == "yes")

    def set(self, options: Mapping[str, str]) -> Request[None]:
        """`set`, with values that are text already."""
        return self._ask(format_set(options), _nothing)

    def get(self, name: str) -> Request[str]:
        """`get <option>`."""
        return self._ask(f"get {name}", lambda answer: _needed(answer.ok, name))

    def get_all(self) -> Request[dict[str, str]]:
        """`get`."""
        return self._ask("get", _parse_values)

    def log(self, path: str | None) -> Request[None]:
        """`log`; None ends it."""
        return self._ask("log off" if path is None else f"log {quote(path)}", _nothing)

    # Table ------------------------------------------------------------------------------------------------------------

    def newgame(self, line: str) -> Request[v.NewGame]:
        """`newgame`, given as the whole command."""
        return self._ask(line, _parse_newgame)

    def position(self, script: str | Iterable[str]) -> Request[v.Moved]:
        """`position`, from a line with or without that word, from commands, or from a recorder."""
        if isinstance(script, str):
            line = script if script.split()[:1] == ["position"] else f"position {script}"
        else:
            line = "position " + " ; ".join(script.script() if isinstance(script, Recorder) else script)
        return self._ask(line, _parse_moved)

    def deal(self, deck: Iterable[str] | None) -> Request[v.Moved]:
        """`deal`."""
        return self.apply("deal" if deck is None else f"deal deck={','.join(deck)}")

    def apply(self, command: str) -> Request[v.Moved]:
        """A command that moves the game."""
        return self._ask(command, _parse_moved)

    def undo(self, count: int) -> Request[v.Moved]:
        """`undo`."""
        return self._ask(f"undo {count}", _parse_moved)

    # Questions --------------------------------------------------------------------------------------------------------

    def state(self) -> Request[v.GameState]:
        """`state`."""
        return self._ask("state", _parse_state)

    def legal(self) -> Request[tuple[str, ...]]:
        """`legal`."""
        return self._ask("legal", _parse_legal)

    def score(self) -> Request[v.Score]:
        """`score`, of the game."""
        return self._ask("score", _parse_score)

    def score_hand(
        self,
        rules: str,
        bids: Iterable[object],
        tricks: Iterable[int],
        bags: int,
        total: int,
        options: Mapping[str, str],
    ) -> Request[v.HandScore]:
        """`score` as a calculator; one bid and trick count a seat of the side."""
        words = ["score", format_pair("rules", rules)]
        words += [f"bid={','.join(map(str, bids))}", f"tricks={','.join(map(str, tricks))}"]
        words += [f"bags={bags}", f"total={total}", *(format_pair(key, value) for key, value in options.items())]
        return self._ask(" ".join(words), _parse_hand_score)

    def record(self, view: str | None) -> Request[v.Record]:
        """`record`."""
        return self._ask("record" if view is None else f"record view={view}", _parse_record)

    # Searches and tools -----------------------------------------------------------------------------------------------

    def go(self, limit: Limit, options: Options | None) -> Request[v.Best]:
        """`go`."""
        seconds, name = self.timeouts.for_search(limit, None if options is None else options.movetime)
        return Request(" ".join(["go", *limit.words()]), _parse_best, seconds, name, is_search=True)

    def perft(self, depth: int) -> Request[v.Perft]:
        """`perft`."""
        return self._tool(f"perft {depth}", _parse_perft)

    def solve(self, nodes: int | None) -> Request[v.Solution]:
        """`solve`."""
        return self._tool("solve" if nodes is None else f"solve nodes={nodes}", _parse_solution)

    def bench(self) -> Request[v.Bench]:
        """`bench`."""
        return self._tool("bench", _parse_bench)

    def selftest(self) -> Request[tuple[int, int]]:
        """`selftest`: how many checks passed and failed."""
        return self._tool(
            "selftest", lambda answer: (_needed_number(answer.ok, "passed"), _needed_number(answer.ok, "failed"))
        )

    def _ask(self, command: str, parse: Callable[[Answer], T]) -> Request[T]:
        return Request(command, parse, self.timeouts.request, "Timeouts.request")

    def _tool(self, command: str, parse: Callable[[Answer], T]) -> Request[T]:
        return Request(command, parse, self.timeouts.tool, "Timeouts.tool", is_search=True)


def finite(request: Request[T]) -> Request[T]:
    """Return the request. Raises ValueError for one that nobody but the caller could end, while it waits."""
    if request.seconds is None:
        raise ValueError("an infinite search has to be stopped; use analyse")
    return request


def info_of(reply: Info) -> v.Info:
    """Return an `info` line as the client's readers get it."""
    return v.Info(reply.pairs, reply.error)


# Reading answers ------------------------------------------------------------------------------------------------------


def _same(answer: Answer) -> Answer:
    return answer


def _nothing(answer: Answer) -> None:
    """An answer that says nothing but that it was done."""


def _needed(ok: Ok, key: str) -> str:
    try:
        return ok.pairs[key]
    except KeyError:
        raise Malformed(f"no {key}= in it") from None


def _needed_number(ok: Ok, key: str) -> int:
    number = parse_integer(_needed(ok, key))
    if number is None:
        raise Malformed(f"{key}= is no number")
    return number


def _list(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(",") if word)


def _parse_handshake(answer: Answer) -> v.Identity:
    version = _needed_number(answer.ok, "usp")
    if version != VERSION:
        raise Malformed(f"version {version} was never offered")
    who: Mapping[str, str] = {}
    presets: tuple[str, ...] = ()
    options = {}
    for reply in answer.replies:
        if isinstance(reply, IdLine):
            who = reply.pairs
        elif isinstance(reply, RulesLine):
            presets = reply.presets
        elif isinstance(reply, OptionLine):
            option = parse_option(reply.pairs)
            options[option.name] = option
    pairs = answer.ok.pairs
    return v.Identity(
        who.get("name", ""),
        who.get("version", ""),
        who.get("author", ""),
        who.get("kernel", ""),
        version,
        presets,
        _list(pairs.get("levels", "")),
        _list(pairs.get("capabilities", "")),
        Options(options),
        who,
    )


def _parse_help(answer: Answer) -> tuple[str, ...]:
    return tuple(reply.text for reply in answer.replies if isinstance(reply, HelpLine))


def _parse_values(answer: Answer) -> dict[str, str]:
    return {reply.name: reply.value for reply in answer.replies if isinstance(reply, ValueLine)}


def _parse_newgame(answer: Answer) -> v.NewGame:
    pairs = answer.ok.pairs
    seats = _list(_needed(answer.ok, "seats"))
    phase = _needed(answer.ok, "phase")
    return v.NewGame(pairs.get("rules", ""), seats, pairs.get("first"), phase, pairs.get("commit"), pairs)


def _parse_moved(answer: Answer) -> v.Moved:
    events = tuple(v.Event(reply.text) for reply in answer.replies if isinstance(reply, EventLine))
    return v.Moved(_needed(answer.ok, "phase"), answer.ok.pairs.get("turn"), events)


def _parse_state(answer: Answer) -> v.GameState:
    text = next((reply.text for reply in answer.replies if isinstance(reply, StateLine)), None)
    try:
        raw = json.loads(text or "")
    except (ValueError, RecursionError):
        raw = None
    if not isinstance(raw, dict):
        raise Malformed("no JSON object in it")
    return v.GameState(raw)


def _parse_legal(answer: Answer) -> tuple[str, ...]:
    return tuple(reply.action for reply in answer.replies if isinstance(reply, LegalLine))


def _parse_score(answer: Answer) -> v.Score:
    pairs = answer.ok.pairs
    return v.Score(v.by_side(pairs, "total"), v.by_side(pairs, "bags"), _needed_number(answer.ok, "hands"))


def _parse_hand_score(answer: Answer) -> v.HandScore:
    names = ("points", "contract", "overtricks", "nil", "blindnil", "penalty", "bags", "total")
    return v.HandScore(*(_needed_number(answer.ok, name) for name in names))


def _parse_record(answer: Answer) -> v.Record:
    lines = tuple(reply.text for reply in answer.replies if isinstance(reply, RecordLine))
    reveal = next((line for line in reversed(lines) if line.startswith(";") and "seed=" in line), "")
    pairs = dict(word.split("=", 1) for word in reveal.split() if "=" in word)
    return v.Record(lines, pairs.get("seed"), pairs.get("commit"))


def _parse_best(answer: Answer) -> v.Best:
    if answer.best is None:
        raise Malformed("it is no best")
    return v.Best(answer.best.pairs, answer.best.action)


def _parse_perft(answer: Answer) -> v.Perft:
    counts = {reply.action: reply.count for reply in answer.replies if isinstance(reply, PerftLine)}
    return v.Perft(counts, _needed_number(answer.ok, "nodes"))


def _parse_solution(answer: Answer) -> v.Solution:
    nodes = parse_integer(answer.ok.pairs.get("nodes", "")) or 0
    return v.Solution(_needed(answer.ok, "action"), v.by_side(answer.ok.pairs, "tricks"), nodes)


def _parse_bench(answer: Answer) -> v.Bench:
    pairs = answer.ok.pairs
    time, nps = parse_integer(pairs.get("time", "")), parse_integer(pairs.get("nps", ""))
    return v.Bench(_needed_number(answer.ok, "nodes"), time, nps, pairs.get("kernel", ""))
