"""Verifying a results file: every record is dealt, played and scored again, by the rules and by any engine.

The rules are asked whether the cards are those of the seed, every action legal and every result line right, and
whether the figures of the results follow from it. An engine, if one is named, is told the record line by line, as a
table with `view=all`, and must take every line; the results that it announces must be those of the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spades_engine.game import (
    PENDING,
    Choose,
    Dealer,
    Event,
    GameEnd,
    GameError,
    HandScore,
    Look,
    Phase,
    RuleSet,
    State,
    Swap,
    TrickWon,
    derived_events,
    format_event,
    new_game,
    parse_event,
    parse_seat,
    seed_streams,
)
from spades_match.outcomes import Fault, MatchError, Outcome
from spades_match.plan import Plan
from spades_match.player import Player
from spades_match.referee import hand_detail
from spades_match.schedule import jobs

_BATCH = 200  # lines told before their answers are waited for: some hands, and less than a pipe holds


def states(plan: Plan, record: Sequence[str]) -> Iterator[tuple[State, Event, State]]:
    """Yield each event of a record, the state before it and after it. Raises GameError for what the rules forbid."""
    rules = plan.ruleset()
    state = start_of(plan, rules, record)
    for line in record[1:]:
        event = parse_event(line, rules)
        after = state.apply(event)
        yield state, event, after
        state = after


def start_of(plan: Plan, rules: RuleSet, record: Sequence[str]) -> State:
    """Return the state before the first hand of a record. Raises GameError where its first line is not the plan's."""
    words = dict(word.split("=", 1) for word in record[0].split() if "=" in word) if record else {}
    first = parse_seat(words.get("first", ""))
    if record[0] != plan.setup(rules, "0").game(first).newgame("host", "all"):
        raise MatchError(f"the record begins with {record[0]!r}, which is another game than the header's")
    return new_game(rules, first, totals=plan.totals, bags=plan.bags)


def check_pair(plan: Plan, pair: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a pair, by the plan and by the rules."""
    number = pair["pair"]
    job = next(jobs(len(plan.engines), plan.schedule, plan.pairs, plan.seed, number), None)
    problems = []
    if job is None or pair["seed"] != job.seed:
        problems.append(f"pair {number}: the seed {pair['seed']!r} is not the one it has in this match")
    if job is None or pair["engines"] != [plan.engines[job.first].name, plan.engines[job.second].name]:
        problems.append(f"pair {number}: {' and '.join(pair['engines'])} do not meet in it")
    if [board["swapped"] for board in pair["boards"]] != [False, True]:
        problems.append(f"pair {number}: its boards are not one of each kind")
    for place, board in enumerate(pair["boards"], 1):
        problems += [f"pair {number}, board {place}: {problem}" for problem in _check_board(plan, pair, board)]
    return problems


def _check_board(plan: Plan, pair: Mapping[str, Any], board: Mapping[str, Any]) -> Iterator[str]:
    record: list[str] = board["record"]
    if not record:
        if not Outcome(board["outcome"]).is_fault:
            yield "there is no record"
        return
    rules = plan.ruleset()
    dealer = Dealer(rules, seed_streams(pair["seed"]))
    points, details = [0, 0], []
    by_side = pair["engines"][::-1] if board["swapped"] else pair["engines"]
    by = {seat: by_side[rules.side_of(seat)] for seat in rules.seats}
    replayed = [record[0]]
    state: State | None = None
    try:
        if start_of(plan, rules, record).first is not dealer.first_seat():
            yield "the first seat is not the one of the seed"
        for before, event, after in states(plan, record):
            if not isinstance(event, TrickWon | HandScore | GameEnd) and not _is_dealt(dealer, before, event):
                yield f"{format_event(event, rules)}: these are not the cards of the seed"
            replayed.append(format_event(event, rules))
            state = after
            if isinstance(event, HandScore):
                points = [points[side] + event.points[side] for side in (0, 1)]
                details.append(hand_detail(after, by))
    except (GameError, MatchError) as error:
        yield f"line {len(replayed) + 1} of the record: {error}"
        return
    yield from _check_figures(board, points, details)
    yield from _check_end(plan, board, state, by_side)


def _is_dealt(dealer: Dealer, state: State, event: Event) -> bool:
    """Tell whether the dealer of the seed would have brought this about: its own event, or an action completed."""
    if state.phase in (Phase.DEAL, Phase.LOOK, Phase.DRAW):
        return dealer.next_event(state) == event
    match event:
        case Choose(seat, keep, _):
            return dealer.complete(state, Choose(seat, keep, PENDING)) == event
        case Look(seat, _):
            return dealer.complete(state, Look(seat)) == event
        case Swap(seat, thrown, _):
            return dealer.complete(state, Swap(seat, thrown)) == event
    return True


def _check_figures(board: Mapping[str, Any], points: list[int], details: list[dict[str, Any]]) -> Iterator[str]:
    """Compare the hands of the results with those of the record."""
    if len(details) != board["hands"] or len(details) != len(board["hands_detail"]):
        yield f"{len(details)} hands are scored in the record, and {board['hands']} in the results"
    for number, (found, told) in enumerate(zip(details, board["hands_detail"], strict=False), 1):
        if found != told:
            keys = ", ".join(key for key in found if found[key] != told.get(key)) or "something else"
            yield f"hand {number}: {keys} are not those of the record"
    by_engine = points[::-1] if board["swapped"] else points
    is_forfeit = Outcome(board["outcome"]).is_fault and board["winner"] is None
    if not is_forfeit and by_engine != board["points"]:
        yield f"the points are {by_engine} by the record, and {board['points']} in the results"


def _check_end(plan: Plan, board: Mapping[str, Any], state: State | None, by_side: Sequence[str]) -> Iterator[str]:
    """Compare how the board is said to have ended with what the record comes to."""
    outcome, culprit, winner = Outcome(board["outcome"]), board["culprit"], board["winner"]
    is_game = plan.mode == "games"
    expected: str | None = None
    if outcome.is_fault:
        if culprit not in by_side:
            yield f"{culprit!r} cannot be at fault: it does not play"
            return
        if is_game:
            expected = by_side[1 - by_side.index(culprit)]
        forfeited = [-plan.forfeit if name == culprit else 0 for name in by_side]
        if not is_game and board["points"] != (forfeited[::-1] if board["swapped"] else forfeited):
            yield f"a forfeit costs {plan.forfeit} points, and the points in the results are {board['points']}"
    else:
        if culprit is not None:
            yield f"{culprit!r} is named as culprit, and nothing went wrong"
        if state is None or state.phase not in ((Phase.OVER,) if is_game else (Phase.DEAL, Phase.OVER)):
            yield f"the record ends within a {'game' if is_game else 'hand'}, and no engine is at fault"
            return
        ended = Outcome.HAND_CAP if is_game and state.reason == "cap" else Outcome.NORMAL
        if outcome is not ended:
            yield f"the outcome is {ended.value} by the record, and {outcome.value} in the results"
        if is_game:
            expected = "draw" if state.winner is None else by_side[state.winner]
    if winner != expected:
        yield f"the winner is {expected} by the record, and {winner} in the results"


class Verifier:
    """An engine that is told records at a table with `view=all`. Raises Fault and MatchError where it cannot start."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def check_pair(self, plan: Plan, pair: Mapping[str, Any]) -> list[str]:
        """Return what the engine does not take of a pair's records. After that it may be of no more use."""
        problems = []
        for place, board in enumerate(pair["boards"]):
            try:
                if board["record"]:
                    self._tell(plan, board["record"])
            except Fault as fault:
                problems.append(f"pair {pair['pair']}, board {place + 1}: {self._player.spec.name}: {fault.detail}")
                break
        return problems

    def _tell(self, plan: Plan, record: Sequence[str]) -> None:
        rules = plan.ruleset()
        self._player.newgame(record[0])
        for told, (before, event, after) in enumerate(states(plan, record), 1):
            results = [format_event(result, rules) for result in _results(before, event, after)]
            self._player.tell(format_event(event, rules), results)
            if told % _BATCH == 0:
                self._player.sync()
        self._player.sync()


def _results(before: State, event: Event, after: State) -> Iterable[Event]:
    return () if isinstance(event, TrickWon | HandScore | GameEnd) else derived_events(before, event, after)
