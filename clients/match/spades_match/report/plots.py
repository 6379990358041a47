"""The plots of the page. Needs matplotlib, so it is loaded only when a page is written."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator, PercentFormatter

from spades_match.report.document import estimate, milliseconds, per_cent
from spades_match.report.model import EncounterReport, EngineReport, MatchReport
from spades_match.report.sums import STEPS_PER_DECADE, Sketch
from spades_match.report.svg import GRID, INK, MUTED, engine_colour, inline
from spades_match.statistics import Estimate, NilRow, Reliability
from spades_match.words import plain

DRAWN: Final = 15
"""So many encounters have plots of their own; a page of more would be large and no clearer."""

_LEVEL: Final = 20  # points; less than this is no difference to see
_MERGED: Final = 8  # steps of a sketch to a step of the plot
_WIDTH: Final = 7.2  # inches, of 72 units of the page
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9.0,
    "axes.formatter.useoffset": False,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "path.simplify": False,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing for the page; `caption` says how to read it."""

    heading: str
    caption: str
    svg: str


def draw(report: MatchReport) -> dict[str, Plot]:
    """Return all plots that there is something to draw for, by the keys that the sections have."""
    plots = {}
    places = {engine.name: place for place, engine in enumerate(report.engines)}
    for number, encounter in enumerate(report.encounters[:DRAWN]):
        colours = (engine_colour(places[encounter.first]), engine_colour(places[encounter.second]))
        if encounter.lead:
            plots[f"lead-{number}"] = _lead(encounter, colours, f"lead-{number}")
        if any(value.value is not None for _, value in encounter.running):
            plots[f"running-{number}"] = _running(encounter, colours[0], f"running-{number}")
    if any(engine.calibration.total.hands for engine in report.engines):
        plots["bids"] = _bids(report.engines)
    if any(engine.nils.nil.bid or engine.nils.blind_nil.bid for engine in report.engines):
        plots["nils"] = _nils(report.engines)
    if any(engine.making.count or engine.winning.count for engine in report.engines):
        plots["predictions"] = _predictions(report.engines)
    if any(engine.times for engine in report.engines):
        plots["times"] = _times(report.engines)
    return plots


# Encounters -----------------------------------------------------------------------------------------------------------


def _lead(encounter: EncounterReport, colours: tuple[str, str], key: str) -> Plot:
    first, second = _name(encounter.first), _name(encounter.second)
    hands = [0, *(point[0] for point in encounter.lead)]
    ahead = [0, *(point[1] for point in encounter.lead)]
    place = "behind" if ahead[-1] < 0 else "ahead of"

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        above, below = [max(number, 0) for number in ahead], [min(number, 0) for number in ahead]
        axes.fill_between(hands, above, color=colours[0], alpha=0.2, linewidth=0)
        axes.fill_between(hands, below, color=colours[1], alpha=0.2, linewidth=0)
        axes.plot(hands, ahead, color=INK, linewidth=1.3)
        axes.axhline(0, color=MUTED, linewidth=0.8)
        axes.set(xlabel="hands", ylabel="points ahead", xlim=(0, max(*hands, 1)))
        if max(ahead) - min(ahead) < _LEVEL:  # a level match would be drawn in parts of a point
            axes.set_ylim(min(ahead) - _LEVEL / 2, max(ahead) + _LEVEL / 2)
        _whole_numbers(axes)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:+,.0f}" if number else "0"))

    return _plot(
        key,
        f"Points of {first} less points of {second}",
        f"The sum over all hands after each pair: rising while {first} gains on {second}, falling otherwise.",
        f"After {hands[-1]} hands {first} is {abs(ahead[-1])} points {place} {second}.",
        2.7,
        paint,
    )


def _running(encounter: EncounterReport, colour: str, key: str) -> Plot:
    first, second = _name(encounter.first), _name(encounter.second)
    is_games = encounter.games is not None
    factor, even = (100.0, 50.0) if is_games else (1.0, 0.0)
    points = [(pairs, _scaled(value, factor)) for pairs, value in encounter.running]
    points = [(pairs, ends) for pairs, ends in points if not math.isnan(ends[0])]
    pairs = [pairs for pairs, _ in points]
    values, lows, highs = ([ends[end] for _, ends in points] for end in range(3))

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.fill_between(pairs, lows, highs, color=colour, alpha=0.2, linewidth=0)
        axes.plot(pairs, values, color=colour, marker="o" if len(pairs) < 3 else "", markersize=4)
        axes.axhline(even, color=MUTED, linewidth=0.8)
        if is_games:
            axes.set_ylim(0, 100)
            axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
        else:
            # The first intervals are so wide that the later ones would be lines beside them.
            late = len(points) // 5
            shown = [even, *values, *(number for number in (*lows[late:], *highs[late:]) if not math.isnan(number))]
            space = (max(shown) - min(shown)) * 0.05 or 1.0
            axes.set_ylim(min(shown) - space, max(shown) + space)
        axes.set(xlabel="pairs", ylabel="score" if is_games else "points a hand")
        if len(pairs) > 1:
            axes.set_xlim(pairs[0], pairs[-1])
        _whole_numbers(axes)

    last = encounter.running[-1][1]
    what = "score" if is_games else "points a hand"
    return _plot(
        key,
        f"{'Score' if is_games else 'Points a hand'} of {first} against {second}",
        f"The estimate after so many pairs, with its 95% interval; {first} is the better for certain only where the "
        f"whole band is {'above one half' if is_games else 'above 0'}.",
        f"After {_pairs(encounter.pairs)} the {what} of {first} is {per_cent(last) if is_games else estimate(last)}.",
        2.7,
        paint,
    )


def _pairs(count: int) -> str:
    return f"{count} pair{'' if count == 1 else 's'}"


# Engines --------------------------------------------------------------------------------------------------------------


def _bids(engines: Sequence[EngineReport]) -> Plot:
    def paint(figure: Figure) -> None:
        upper, lower = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 1.2)})
        width = 0.7 / len(engines)
        for place, engine in enumerate(engines):
            rows = engine.calibration.by_bid
            if not rows:
                continue
            shift = (place - (len(engines) - 1) / 2) * width
            x = [row.bid + shift for row in rows if row.bid is not None]
            _points(upper, x, [row.made_rate for row in rows], place, _name(engine.name))
            lower.bar(x, [row.hands for row in rows], width=width, color=engine_colour(place), alpha=0.55, linewidth=0)
        _per_cent_axis(upper)
        upper.set_ylabel("made")
        lower.set(xlabel="bid", ylabel="hands")
        _whole_numbers(lower)
        _legend(figure, upper)

    parts = []
    for engine in engines:
        total = engine.calibration.total
        if total.hands:
            parts.append(f"{_name(engine.name)} made {total.made} of {total.hands} contracts")
    return _plot(
        "bids",
        "Contracts made, by bid",
        "The share of contracts of each size that were made, with 95% intervals; below, how many hands had that bid.",
        "; ".join(parts) + ".",
        3.6,
        paint,
    )


def _nils(engines: Sequence[EngineReport]) -> Plot:
    rows: list[tuple[int, str, NilRow]] = []
    for place, engine in enumerate(engines):
        for kind, row in (("nil", engine.nils.nil), ("blind nil", engine.nils.blind_nil)):
            if row.bid:
                rows.append((place, f"{_name(engine.name)}, {kind}", row))

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        right, left = max(row.made for _, _, row in rows), max(row.set for _, _, row in rows)
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
        for y, (place, _, row) in enumerate(rows):
            colour = engine_colour(place)
            axes.barh(y, row.made, color=colour, height=0.6, linewidth=0)
            axes.barh(y, -row.set, color=colour, height=0.6, linewidth=0, alpha=0.35)
            axes.annotate(str(row.made), (row.made, y), (4, 0), ha="left", **beside)
            axes.annotate(str(row.set), (-row.set, y), (-4, 0), ha="right", **beside)
            axes.annotate(f"{row.points:+,d}", (1.0, y), xycoords=("axes fraction", "data"), va="center", ha="right")
        axes.axvline(0, color=MUTED, linewidth=0.8)
        axes.set_yticks(range(len(rows)), [label for _, label, _ in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(-left - 0.1 * (left + right), right + 0.3 * (left + right))
        axes.set_xlabel("set (left) and made (right); points at the edge")
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{abs(number):.0f}"))

    return _plot(
        "nils",
        "Nils made and set",
        "To the right how many nils were made, to the left and paler how many set; at the edge their points.",
        "; ".join(f"{label}: {row.made} made, {row.set} set, {row.points:+d} points" for _, label, row in rows) + ".",
        0.9 + 0.36 * len(rows),
        paint,
    )


def _predictions(engines: Sequence[EngineReport]) -> Plot:
    kinds: list[tuple[str, list[Reliability]]] = [
        ("making the bid", [engine.making for engine in engines]),
        ("winning the game", [engine.winning for engine in engines]),
    ]
    kinds = [(words, tables) for words, tables in kinds if any(table.count for table in tables)]

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, len(kinds), squeeze=False)[0]
        for axes, (words, tables) in zip(panels, kinds, strict=True):
            axes.plot([0, 100], [0, 100], color=MUTED, linewidth=0.8, linestyle="--")
            for place, table in enumerate(tables):
                rows = [row for row in table.rows if row.mean_predicted is not None]
                if rows:
                    x = [(row.mean_predicted or 0.0) * 100 for row in rows]
                    _points(axes, x, [row.observed for row in rows], place, _name(engines[place].name), is_line=True)
            axes.set(xlabel="predicted", title=f"Chance of {words}", xlim=(-3, 103), ylabel="happened")
            axes.xaxis.set_major_formatter(PercentFormatter(decimals=0))
            _per_cent_axis(axes)
        _legend(figure, *panels)

    parts = [
        f"{_name(engines[place].name)}, chance of {words}: {table.count} predictions, "
        f"bias {per_cent(table.bias, is_signed=True)} per cent"
        for words, tables in kinds
        for place, table in enumerate(tables)
        if table.count
    ]
    return _plot(
        "predictions",
        "Predicted and actual chances",
        "How often it happened against the predicted chance, with 95% intervals: on the dashed line an engine is "
        "right, above it expects too little, below too much.",
        "; ".join(parts) + ".",
        3.4,
        paint,
    )


def _times(engines: Sequence[EngineReport]) -> Plot:
    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        lowest, highest = math.inf, -math.inf
        for place, engine in enumerate(engines):
            sketch = engine.time
            median = sketch.quantile(0.5)
            if median is None:
                continue
            edges, shares = _histogram(sketch)
            lowest, highest = min(lowest, edges[0]), max(highest, edges[-1])
            colour = engine_colour(place)
            axes.stairs(shares, edges, color=colour, fill=True, alpha=0.15)
            axes.stairs(shares, edges, color=colour, linewidth=1.4, label=_name(engine.name))
            axes.axvline(median, color=colour, linewidth=1.2, linestyle="--")
        axes.set_xscale("log")
        axes.set_xlim(lowest, highest)
        subs = (1.0,) if highest / lowest > 1e4 else (1.0, 2.0, 5.0)
        axes.xaxis.set_major_locator(LogLocator(subs=subs))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
        axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
        axes.set_ylim(bottom=0)
        axes.set(xlabel="milliseconds for a decision", ylabel="decisions")
        _legend(figure, axes)

    parts = [
        f"{_name(engine.name)}: median {milliseconds(engine.time.quantile(0.5))} ms, "
        f"95% within {milliseconds(engine.time.quantile(0.95))} ms"
        for engine in engines
        if engine.times
    ]
    return _plot(
        "times",
        "Time for a decision",
        "How the times of each engine's decisions are spread on a logarithmic scale; the dashed line is its median.",
        "; ".join(parts) + ".",
        2.8,
        paint,
    )


def _histogram(sketch: Sketch) -> tuple[list[float], list[float]]:
    """Return the edges of coarser steps in milliseconds, and what share of the decisions is in each, in per cent."""
    counts: dict[int, int] = {}
    for step, count in sketch.steps.items():
        counts[step // _MERGED] = counts.get(step // _MERGED, 0) + count
    first, last = min(counts), max(counts)
    edges = [10 ** (step * _MERGED / STEPS_PER_DECADE) for step in range(first, last + 2)]
    return edges, [100 * counts.get(step, 0) / sketch.count for step in range(first, last + 1)]


# What they share ------------------------------------------------------------------------------------------------------


def _plot(
    key: str, heading: str, caption: str, description: str, height: float, paint: Callable[[Figure], None]
) -> Plot:
    """Draw a plot; `paint` fills an empty figure."""
    target = io.StringIO()
    # The reader's fonts are used, so it does not matter which signs the ones here have.
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update({**_SETTINGS, "svg.hashsalt": key})
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        figure.patch.set_visible(False)
        paint(figure)
        # Said to be nobody's and of no date, a drawing is the same whenever it is made.
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(target, format="svg", metadata=nothing)
    return Plot(heading, caption, inline(target.getvalue(), key, heading, description))


def _points(
    axes: Axes, x: Sequence[float], shares: Sequence[Estimate], place: int, label: str, *, is_line: bool = False
) -> None:
    """Draw shares as points in per cent, each with its interval as far as it has one."""
    colour = engine_colour(place)
    scaled = [_scaled(share, 100.0) for share in shares]
    y = [ends[0] for ends in scaled]
    for at, (_, low, high) in zip(x, scaled, strict=True):
        axes.plot([at, at], [low, high], color=colour, linewidth=1.2, alpha=0.7)
    style = "-" if is_line else ""
    axes.plot(x, y, color=colour, marker="o", markersize=4.5, linestyle=style, linewidth=0.9, label=label)


def _scaled(value: Estimate, factor: float) -> tuple[float, float, float]:
    """Return value and interval as numbers to draw; what is missing is not drawn."""
    value_, low, high = (math.nan if end is None else end * factor for end in (value.value, value.low, value.high))
    return value_, low, high


def _per_cent_axis(axes: Axes) -> None:
    axes.set_ylim(-3, 103)
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))


def _whole_numbers(axes: Axes) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def _legend(figure: Figure, *panels: Axes) -> None:
    """Name each engine once, above the plot."""
    named: dict[str, Artist] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    figure.legend(named.values(), named.keys(), loc="outside upper left", ncols=min(len(named), 4))


def _name(text: str) -> str:
    """Return an engine's name as there is room for it."""
    text = plain(text)
    return text if len(text) <= 24 else f"{text[:23]}…"
