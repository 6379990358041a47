"""A report in words: sections of remarks and tables, the same for the text and for the page."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from spades_match.engines import EngineSpec, StepLimits
from spades_match.report.hands import OTHER, PHASES
from spades_match.report.model import (
    EncounterReport,
    EngineReport,
    FaultNote,
    GamesReport,
    MatchReport,
    SprtReport,
)
from spades_match.report.sums import Sketch
from spades_match.statistics import (
    BidRow,
    Estimate,
    NilRow,
    Reliability,
    Remark,
    SprtState,
    format_estimate,
)

NONE: Final = "-"
_LAST_LINES: Final = 12
_SHORT: Final = {
    Remark.NO_DATA: NONE,
    Remark.ONE_PAIR: "(one only)",
    Remark.NO_SPREAD: "(no spread)",
    Remark.AT_THE_EDGE: "",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table. The first `words` columns are words, the others figures; `caption` may be empty."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report. `plots` are the keys of what the page draws there."""

    key: str
    title: str
    remarks: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[str, ...] = ()


def sections(report: MatchReport) -> Iterator[Section]:
    """Yield the sections in order."""
    yield _match(report)
    yield _engines(report)
    if len(report.engines) > 2:
        yield _standings(report)
    for place, encounter in enumerate(report.encounters):
        yield _encounter(report, encounter, place)
    yield _outcomes(report)
    yield _bids(report)
    yield _nils(report)
    yield _predictions(report)
    yield _times(report)


def title(report: MatchReport) -> str:
    """Return the title: who played."""
    names = [engine.name for engine in report.engines]
    return f"Match of {', '.join(names[:-1])} and {names[-1]}"


def headline(encounter: EncounterReport) -> str:
    """Return in one sentence what an encounter has come to, seen from the engine that is ahead."""
    first, second = encounter.first, encounter.second
    after = f"after {_count(encounter.pairs, 'pair')}"
    value = encounter.points_per_hand if encounter.games is None else encounter.games.elo
    if value.value is None:
        return f"{first} against {second}: nothing has been played to the end yet."
    is_infinite, is_level = math.isinf(value.value), value.value == 0.0
    if value.value < 0.0:
        first, second, value = second, first, _reversed(value)
    doubt = "; which of the two is the better is not certain"
    if value.low is not None and value.low > 0.0:
        doubt = ""
    if is_level:
        return f"{first} and {second} are level {after}{doubt}."
    if is_infinite:
        return f"{first} has won every game against {second} {after}{doubt}."
    if encounter.games is None:
        return f"{first} is ahead of {second} by {estimate(value)} points a hand {after}{doubt}."
    return f"{first} is stronger than {second} by {estimate(value, 1)} Elo {after}{doubt}."


def estimate(value: Estimate, digits: int = 2, *, is_signed: bool = True, factor: float = 1.0) -> str:
    """Return an estimate as the tables have it: "+12.35 [+4.02, +20.68]", or a word in place of the interval."""
    if value.value is None:
        return NONE
    text = format_estimate(replace(value, remark=None), digits, is_signed, factor)
    return text if value.low is not None or value.remark is None else f"{text} {_SHORT[value.remark]}"


def per_cent(value: Estimate, *, is_signed: bool = False) -> str:
    """Return a share as per cent."""
    return estimate(value, 1, is_signed=is_signed, factor=100.0)


# The match ------------------------------------------------------------------------------------------------------------


def _match(report: MatchReport) -> Section:
    plan = report.plan
    changed = ", ".join(f"{name}={value}" for name, value in plan.options.items())
    rows = [
        ("rules", plan.rules + (f" with {changed}" if changed else "")),
        ("mode", "whole games" if report.is_games else "single hands"),
        ("schedule", f"{plan.schedule}, every deal played twice with the seats exchanged"),
        ("seed", plan.seed),
        ("pairs", f"{report.pairs} of {plan.total}{_why_not_all(report)}"),
        ("boards", f"{report.boards}, with {_count(report.hands, 'hand')} scored"),
    ]
    if any(plan.totals) or any(plan.bags):
        rows.append(("start", f"totals {plan.totals[0]} and {plan.totals[1]}, bags {plan.bags[0]} and {plan.bags[1]}"))
    if not report.is_games:
        rows.append(("forfeit", f"{plan.forfeit} points"))
    rows.append(("version", report.version or NONE))
    remarks = [headline(encounter) for encounter in report.encounters] if len(report.engines) == 2 else []
    remarks.append("Square brackets hold 95% intervals, from the spread between pairs; without spread there is none.")
    if len(report.engines) > 2:
        remarks.append(
            "The encounters of a round have the same cards, so the intervals of an engine against all others are from "
            "the spread between rounds."
        )
    return Section("match", "Match", tuple(remarks), (Table("", ("", ""), tuple(rows), 2),))


def _why_not_all(report: MatchReport) -> str:
    if report.pairs >= report.plan.total:
        return ""
    is_decided = any(encounter.sprt is not None and encounter.sprt.decision for encounter in report.encounters)
    return ", decided by the sequential test" if is_decided else ", not complete"


def _engines(report: MatchReport) -> Section:
    columns = ("engine", "calls itself", "command", "options", "go", "limits", "processes")
    rows = tuple(
        (
            engine.name,
            engine.id or NONE,
            shlex.join(engine.spec.command),
            " ".join(f"{name}={value}" for name, value in engine.spec.options.items()) or NONE,
            " ".join(engine.spec.limit.words()) or NONE,
            _steps(engine.spec),
            "new for every board" if engine.spec.fresh else "kept",
        )
        for engine in report.engines
    )
    return Section("engines", "Engines", (), (Table("", columns, rows, len(columns)),))


def _steps(spec: EngineSpec) -> str:
    """Return the step limits that are not the usual ones."""
    usual = asdict(StepLimits())
    changed = [f"{step}={seconds:g}s" for step, seconds in asdict(spec.steps).items() if seconds != usual[step]]
    return " ".join(changed) or "the usual"


# Results --------------------------------------------------------------------------------------------------------------


def _standings(report: MatchReport) -> Section:
    columns: tuple[str, ...] = ("engine", "pairs", "hands", "points a hand")
    if report.is_games:
        columns = (*columns, "won", "drawn", "lost", "score %", "Elo")
    engines = sorted(report.engines, key=_strength, reverse=True)
    rows = tuple(_standing(engine) for engine in engines)
    what = "score in per cent and games won-drawn-lost" if report.is_games else "points a hand"
    table = Table("Each engine against all it has met, best first", columns, rows)
    cross = Table(
        f"Row against column: {what}",
        ("", *(engine.name for engine in engines)),
        tuple((row.name, *(_cell(report, row.name, column.name) for column in engines)) for row in engines),
    )
    return Section("standings", "Standings", (), (table, cross))


def _strength(engine: EngineReport) -> float:
    standing = engine.standing
    value = (standing.score or standing.points_per_hand).value
    return float("-inf") if value is None else value


def _standing(engine: EngineReport) -> tuple[str, ...]:
    standing = engine.standing
    row = (engine.name, str(standing.pairs), str(standing.hands), estimate(standing.points_per_hand))
    if standing.score is None or standing.elo is None:
        return row
    games = (str(standing.wins), str(standing.draws), str(standing.losses))
    return (*row, *games, per_cent(standing.score), estimate(standing.elo, 1))


def _cell(report: MatchReport, row: str, column: str) -> str:
    for encounter in report.encounters:
        if {encounter.first, encounter.second} != {row, column} or row == column:
            continue
        is_first = encounter.first == row
        if encounter.games is not None:
            games = encounter.games.results if is_first else encounter.games.results.reversed
            score = encounter.games.score.value
            if score is None:
                return NONE
            return f"{(score if is_first else 1 - score) * 100:.1f} ({games.wins}-{games.draws}-{games.losses})"
        value = encounter.points_per_hand
        return estimate(value if is_first else _reversed(value))
    return ""


def _reversed(value: Estimate) -> Estimate:
    """The same difference seen from the other side."""
    number, low, high = (None if end is None else 0.0 - end for end in (value.value, value.low, value.high))
    return value.mapped(number, high, low)


def _encounter(report: MatchReport, encounter: EncounterReport, place: int) -> Section:
    first, second = encounter.first, encounter.second
    rows = [
        ("pairs", f"{encounter.pairs} of {encounter.planned}"),
        ("hands", f"{encounter.hands}{_with_forfeits(encounter)}"),
        ("points", f"{encounter.points[0]:+d} and {encounter.points[1]:+d}"),
        ("points a hand", estimate(encounter.points_per_hand)),
    ]
    tables = []
    if encounter.games is not None:
        rows += _games(encounter.games)
        tables.append(_pentanomial(encounter.games))
    rows.append(("normalised Elo", estimate(encounter.nelo, 1)))
    rows.append(("superiority", _probability(encounter.superiority)))
    remarks = [headline(encounter)]
    if encounter.sprt is not None:
        rows += _sprt_rows(encounter.sprt)
        remarks.append(_verdict(encounter.sprt))
    if encounter.forfeits:
        remarks.append(_forfeits(report, encounter.forfeits))
    figures = Table(f"All of it seen from {first}, with 95% intervals over pairs", ("", ""), tuple(rows), 2)
    plots = (f"lead-{place}", f"running-{place}") if encounter.pairs else ()
    return Section(f"encounter-{place}", f"{first} against {second}", tuple(remarks), (figures, *tables), plots)


def _with_forfeits(encounter: EncounterReport) -> str:
    if not encounter.forfeits or encounter.games is not None:
        return ""
    return f", {_count(encounter.forfeits, 'forfeited board')} among them"


def _games(games: GamesReport) -> list[tuple[str, str]]:
    results = games.results
    ratio = results.pairs_ratio
    return [
        ("games", f"won {results.wins}, drawn {results.draws}, lost {results.losses}"),
        ("score %", per_cent(games.score)),
        ("won %", per_cent(games.win_rate)),
        ("drawn %", per_cent(games.draw_rate)),
        ("pairs won by pairs lost", NONE if ratio is None else f"{ratio:.2f}"),
        ("Elo", estimate(games.elo, 1)),
    ]


def _pentanomial(games: GamesReport) -> Table:
    results = games.results
    counts = (results.ll, results.ld, results.dd, results.wl, results.wd, results.ww)
    columns = (
        "both lost",
        "lost and drawn",
        "both drawn",
        "won and lost",
        "won and drawn",
        "both won",
    )
    return Table("Pairs by the results of their two games", columns, (tuple(str(count) for count in counts),), 0)


def _sprt_rows(test: SprtReport) -> list[tuple[str, str]]:
    design, status = test.design, test.status
    return [
        ("sequential test", f"H0 normalised Elo {design.nelo0:g}, H1 {design.nelo1:g}"),
        ("error rates", f"alpha {design.alpha:g}, beta {design.beta:g}"),
        ("log-likelihood ratio", f"{status.llr:+.3f} within {status.lower:.3f} and {status.upper:.3f}"),
        ("verdict", test.verdict.value),
    ]


def _verdict(test: SprtReport) -> str:
    design = test.design
    if test.decision is None:
        return f"The sequential test has not decided yet: {test.status.progress * 100:.0f}% of the way to a bound."
    is_accepted = test.verdict is SprtState.ACCEPT_H1
    strength = design.nelo1 if is_accepted else design.nelo0
    kind = "H1" if is_accepted else "H0"
    after = f"after {_count(test.decision.units, 'pair')}"
    return f"The sequential test accepts {kind}, a normalised Elo of {strength:g}, {after}."


def _forfeits(report: MatchReport, count: int) -> str:
    if report.is_games:
        return (
            f"Ended by an engine's fault: {_count(count, 'game')}. Each counts as lost by that engine; in the points "
            "are only its hands that had been scored."
        )
    return (
        f"Ended by an engine's fault: {_count(count, 'board')}. Each counts in the points, as one hand, with "
        f"{-report.plan.forfeit} for that engine and 0 for the other; of bids, bags and nils it tells nothing."
    )


def _outcomes(report: MatchReport) -> Section:
    names = [engine.name for engine in report.engines]
    rows = tuple(
        (row.outcome.value, str(row.boards), *(_fault_count(row.by_engine, name) for name in names))
        for row in report.outcomes
    )
    tables = [Table("How boards ended", ("outcome", "boards", *(f"fault of {name}" for name in names)), rows)]
    remarks = []
    if report.forfeits:
        remarks.append(_forfeits(report, report.forfeits))
        notes = tuple(
            (str(note.pair), str(note.board), note.engine, note.outcome.value, note.detail) for note in report.faults
        )
        caption = "Faults" if len(notes) == report.forfeits else f"The first {len(notes)} faults"
        tables.append(Table(caption, ("pair", "board", "engine", "outcome", "what happened"), notes, 5))
        # A bot that fails tends to fail in the same way: what it said is shown once.
        first = {(note.engine, note.last_words): note for note in reversed(report.faults) if note.last_words}
        tables += [_last_words(note) for note in report.faults if note in first.values()]
    return Section("outcomes", "Outcomes", tuple(remarks), tuple(tables))


def _last_words(note: FaultNote) -> Table:
    lines = last_lines(note.last_words)
    caption = f"Pair {note.pair}, board {note.board}: the end of the standard error of {note.engine}"
    return Table(caption, ("",), tuple((line,) for line in lines), 1)


def last_lines(text: str) -> list[str]:
    """Return the last lines of what an engine has written, as many as a reader wants to see."""
    return text.splitlines()[-_LAST_LINES:]


def _fault_count(by_engine: Mapping[str, int], name: str) -> str:
    return str(by_engine.get(name, 0) or NONE)


# Bids -----------------------------------------------------------------------------------------------------------------


def _bids(report: MatchReport) -> Section:
    columns = ("bid", "hands", "made", "set", "made %", "tricks over", "bags a hand")
    tables = [
        Table(
            f"{engine.name}: contracts by bid",
            columns,
            tuple(_bid_row(row) for row in (*engine.calibration.by_bid, engine.calibration.total)),
        )
        for engine in report.engines
        if engine.calibration.total.hands
    ]
    bags = tuple((engine.name, estimate(engine.bags_per_hand, 3, is_signed=False)) for engine in report.engines)
    tables.append(Table("Bags for each hand, also those without a contract", ("engine", "bags a hand"), bags))
    if not any(engine.calibration.total.hands for engine in report.engines):
        return Section("bids", "Bids", ("No hand with a contract has been scored.",), tuple(tables))
    remark = "A contract is a side's: partners' bids are added. Tricks over: tricks that counted, less the bid."
    return Section("bids", "Bids", (remark,), tuple(tables), ("bids",))


def _bid_row(row: BidRow) -> tuple[str, ...]:
    return (
        "all" if row.bid is None else str(row.bid),
        str(row.hands),
        str(row.made),
        str(row.set),
        per_cent(row.made_rate),
        estimate(row.tricks_over),
        estimate(row.bags_per_hand, is_signed=False),
    )


def _nils(report: MatchReport) -> Section:
    columns = ("engine", "kind", "bid", "made", "set", "made %", "points", "points a nil")
    rows = tuple(
        row
        for engine in report.engines
        for row in (
            _nil_row(engine.name, "nil", engine.nils.nil),
            _nil_row(engine.name, "blind nil", engine.nils.blind_nil),
        )
    )
    has_nils = any(engine.nils.nil.bid or engine.nils.blind_nil.bid for engine in report.engines)
    remark = (
        "Points are those of the nils alone: what a nil costs or saves its partner's contract is not in them."
        if has_nils
        else "No nil has been bid in a hand that was scored."
    )
    table = Table("Nils and blind nils", columns, rows, 2)
    return Section("nils", "Nils", (remark,), (table,), ("nils",) if has_nils else ())


def _nil_row(name: str, kind: str, row: NilRow) -> tuple[str, ...]:
    return (
        name,
        kind,
        str(row.bid),
        str(row.made),
        str(row.set),
        per_cent(row.success),
        f"{row.points:+d}" if row.points else "0",
        estimate(row.points_per_nil, 1),
    )


# Predictions and times ------------------------------------------------------------------------------------------------


def _predictions(report: MatchReport) -> Section:
    if not report.timed:
        return Section("predictions", "Predictions", ("There is no timing file, which would hold them.",))
    kinds = [("making", "chance of making the bid"), ("winning", "chance of winning the game")]
    tables, summary = [], []
    for kind, words in kinds:
        for engine in report.engines:
            table: Reliability = getattr(engine, kind)
            if table.count:
                summary.append(_reliability(engine.name, words, table))
                tables.append(_reliability_rows(f"{engine.name}: {words}", table))
    remarks = [
        f"{engine.name} gave {_count(engine.unusable, 'figure')} outside 0 to 1, which are left out."
        for engine in report.engines
        if engine.unusable
    ]
    if not summary:
        return Section("predictions", "Predictions", (*remarks, "No engine has predicted anything at its bids."))
    remarks.append(
        "What the engines foretold when they bid, against what became of it; drawn games, and hands or games that were "
        "broken off, are left out. Bias: happened less predicted. Brier score: mean squared error, 0 at best; an "
        "engine above that of the base rate knows less than the average."
    )
    columns = (
        "engine",
        "prediction",
        "count",
        "bias %",
        "Brier score",
        "of the base rate",
        "calibration error %",
    )
    tables.insert(0, Table("How good the predictions are", columns, tuple(summary), 2))
    return Section("predictions", "Predictions", tuple(remarks), tuple(tables), ("predictions",))


def _reliability(name: str, words: str, table: Reliability) -> tuple[str, ...]:
    return (
        name,
        words,
        str(table.count),
        per_cent(table.bias, is_signed=True),
        _number(table.brier, 4),
        _number(table.brier_of_base_rate, 4),
        _number(None if table.calibration_error is None else table.calibration_error * 100, 1),
    )


def _reliability_rows(caption: str, table: Reliability) -> Table:
    return Table(
        caption,
        ("predicted %", "count", "happened", "mean predicted %", "happened %"),
        tuple(
            (
                f"{row.low * 100:.0f} to {row.high * 100:.0f}",
                str(row.count),
                str(row.happened),
                _number(None if row.mean_predicted is None else row.mean_predicted * 100, 1),
                per_cent(row.observed),
            )
            for row in table.rows
            if row.count
        ),
    )


def _times(report: MatchReport) -> Section:
    if not any(engine.times for engine in report.engines):
        return Section("times", "Times", ("There is no timing file, or no decision in it.",))
    rows = []
    for engine in report.engines:
        if engine.times:
            rows.append((engine.name, "all", *_time_row(engine.time)))
        rows += [(engine.name, phase, *_time_row(engine.times[phase])) for phase in PHASES if phase in engine.times]
        if OTHER in engine.times:
            rows.append((engine.name, OTHER, *_time_row(engine.times[OTHER])))
    columns = ("engine", "phase", "decisions", "median ms", "mean ms", "95% within ms", "most ms")
    remarks = ["From the question leaving to the answer arriving. Median and 95% are known to within 3 per cent."]
    if any(OTHER in engine.times for engine in report.engines):
        remarks.append("Other: answers that are not in the record, as they were not legal.")
    remarks += report.damage
    if report.timed < report.pairs:
        remarks.append(f"The timing file tells of {report.timed} of {report.pairs} pairs.")
    return Section(
        "times", "Times", tuple(remarks), (Table("Time for each decision", columns, tuple(rows), 2),), ("times",)
    )


def _time_row(sketch: Sketch) -> Sequence[str]:
    return (
        str(sketch.count),
        *(milliseconds(number) for number in (sketch.quantile(0.5), sketch.mean, sketch.quantile(0.95))),
        milliseconds(sketch.greatest),
    )


def milliseconds(number: float | None) -> str:
    """Return a time with about three digits."""
    return NONE if number is None else f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2}f}"


# Words ----------------------------------------------------------------------------------------------------------------


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _number(number: float | None, digits: int) -> str:
    return NONE if number is None else f"{number:.{digits}f}"


def _probability(number: float | None) -> str:
    return NONE if number is None else f"{number * 100:.2f}%"
