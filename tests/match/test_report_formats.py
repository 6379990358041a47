"""The report as text, JSON and page: the same figures in each, safe to open, and the same bytes each time."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Never
from xml.etree import ElementTree as ET

import pytest

from spades_match.outcomes import MatchError, Outcome
from spades_match.report import MatchReport, format_json, format_page, format_text, gather, json_text, plots
from spades_match.report.hands import OTHER, PHASES
from spades_match.report.plots import DRAWN, draw
from tests.match.playing import TESTS
from tests.match.test_report import THREE, THREE_TIMED, board, hand, header, pair, write
from tests.match.test_report_games import GAMES

HOSTILE = '</td></svg><script>alert("1")</script><img src=x onerror="alert(1)">\x1b[31m$\\frac{a}{b$\u202e{{ 7*7 }}'


class Page(HTMLParser):
    """What a page holds: the words of each cell and paragraph, and every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note words."""
        if data.strip():
            self.words.append(data.strip())

    def count(self, tag: str) -> int:
        """Return how often a tag occurs."""
        return sum(name == tag for name, _ in self.tags)


def strict_json(text: str) -> dict[str, Any]:
    """Read JSON that must be JSON, without the NaN and Infinity that Python adds to it."""

    def refuse(token: str) -> Never:
        raise AssertionError(token)

    raw: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return raw


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results file of three pairs of single hands."""
    return write(tmp_path_factory.mktemp("report") / "m.jsonl", header(), THREE, THREE_TIMED)


def formats(report: MatchReport) -> tuple[str, dict[str, Any], Page]:
    """Return a report in its three formats."""
    return "\n".join(format_text(report)), strict_json(format_json(report)), Page(format_page(report))


# Agreement ------------------------------------------------------------------------------------------------------------


def test_all_formats_have_the_same_figures(three: Path) -> None:
    """The figures of the JSON stand, rounded, in the text and in the cells of the page."""
    text, raw, page = formats(gather(three))
    (encounter,) = raw["encounters"]
    first, second = raw["engines"]

    def shown(estimate: dict[str, float], digits: int, factor: float = 1.0, sign: str = "+") -> str:
        value, low, high = (f"{estimate[key] * factor:{sign}.{digits}f}" for key in ("value", "low", "high"))
        return f"{value} [{low}, {high}]"

    for words in (
        shown(encounter["points_per_hand"], 2),
        shown(encounter["normalised_elo"], 1),
        shown(first["bids"]["all"]["made_rate"], 1, 100, ""),
        shown(second["bids"]["by_bid"][-1]["made_rate"], 1, 100, ""),
        shown(first["nils"]["nil"]["success"], 1, 100, ""),
        shown(first["predictions"]["making"]["bias"], 1, 100),
        f"{encounter['superiority'] * 100:.2f}%",
        f"{first['predictions']['making']['brier']:.4f}",
        f"{second['times']['all']['mean']:.1f}",
        "3 of 5, not complete",
        "+51 and -80",
        "the process ended",
    ):
        assert words in text
        assert words in page.words


def test_json_has_the_keys_it_says(three: Path) -> None:
    """Every key of the JSON is in the description of the format."""
    known = set(re.findall(r"\w+", json_text.__doc__ or ""))
    names = {"A", "B", *PHASES, OTHER, *(outcome.value for outcome in Outcome)}

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                assert key in known | names
                if key not in ("limits", "options"):
                    walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(strict_json(format_json(gather(three))))


def test_an_infinite_elo_is_text_in_json(tmp_path: Path) -> None:
    """An engine that has won everything has an Elo of "inf", which JSON has no number for."""
    won = [board(winner="A"), board(winner="A", swapped=True)]
    path = write(tmp_path / "m.jsonl", header(mode="games", rules="duel"), [pair(0, won), pair(1, won)])
    text, raw, _ = formats(gather(path))
    assert raw["encounters"][0]["games"]["elo"]["value"] == "inf"
    assert raw["encounters"][0]["games"]["pairs_ratio"] == "inf"
    assert "A has won every game against B after 2 pairs" in text


def test_the_engine_ahead_is_named_first(tmp_path: Path) -> None:
    """The first sentence is about the engine that is ahead, and says so where that is not certain."""
    for points, words in (
        ((0, 30), "B is ahead of A by +15.00 (one only) points a hand after 1 pair; which of the two"),
        ((0, 0), "A and B are level after 1 pair; which of the two"),
    ):
        pairs = [pair(0, [board(points=points), board(swapped=True)])]
        text = "\n".join(format_text(gather(write(tmp_path / "m.jsonl", header(), pairs))))
        assert words in text.replace("\n", " ")


def test_a_forfeit_is_explained(three: Path) -> None:
    """Where a board was forfeited, the report says what it counts for."""
    words = (
        "Ended by an engine's fault: 1 board. Each counts in the points, as one hand, with -200 for that engine and 0 "
        "for the other; of bids, bags and nils it tells nothing."
    )
    text, _, page = formats(gather(three))
    assert words in text.replace("\n", " ")
    assert words in page.words


# Safety ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> MatchReport:
    """Return the report of a match in which everything that can be text is markup."""
    names = (HOSTILE, f"{HOSTILE}2")
    head = header(names)
    for engine in head["engines"]:
        engine["id"] = HOSTILE
        engine["command"] = [HOSTILE]
        engine["options"] = {HOSTILE: HOSTILE}
    detail = hand("nil 4", (0, 13), (100, 49), (0, 9), "AB")
    detail["by"] = {"S": names[0], "N": names[1]}
    boards = [board([detail], points=(100, 49)), board(swapped=True, fault=("crash", names[1], HOSTILE))]
    timed = {"times": {names[0]: [1.0]}, "predictions": [], "stderr": HOSTILE}
    times = {"pair": 0, "engines": list(names), "boards": [timed, timed]}
    path = tmp_path_factory.mktemp("report") / "m.jsonl"
    return gather(write(path, head, [pair(0, boards, names)], [times]))


def test_hostile_text_stays_text(hostile: MatchReport) -> None:
    """Names, options and messages never become tags, attributes or template code, and stand on the page as text."""
    source = format_page(hostile)
    page = Page(source)
    assert page.count("script") == page.count("img") == page.count("iframe") == 0
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert "<script>" not in source
    assert page.count("svg") == source.count("</svg>") == 5
    assert any('<script>alert("1")</script>' in words for words in page.words)
    assert any("{{ 7*7 }}" in words for words in page.words)


def test_control_characters_are_shown_not_sent(hostile: MatchReport) -> None:
    """Nothing that a terminal would obey, or that turns the direction of writing, is in the text or on the page."""
    for source in ("\n".join(format_text(hostile)), format_page(hostile)):
        assert "\x1b" not in source
        assert "\u202e" not in source
        assert "\\x1b[31m" in html.unescape(source)


def test_a_page_needs_nothing_from_elsewhere(three: Path) -> None:
    """A page has no scripts, loads nothing, and points nowhere but into itself; each of its ids is there once."""
    source = format_page(gather(three))
    page = Page(source)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        assert tag not in ("script", "link", "iframe", "object", "embed", "img", "image", "base", "form")
        assert "src" not in attributes
        for key in ("href", "xlink:href"):
            target = attributes.get(key)
            assert target is None or (target.startswith("#") and target[1:] in ids)
    assert not re.search(r"https?://|@import|//[a-z]", source)
    assert {target.strip("'\"") for target in re.findall(r"url\(([^)]*)\)", source)} <= {f"#{id_}" for id_ in ids}


# Plots ----------------------------------------------------------------------------------------------------------------


def test_every_plot_is_named_and_explained(tmp_path: Path) -> None:
    """Games with predictions have all six plots, each well-formed, with heading, caption, title and figures."""
    boards: list[dict[str, Any]] = [{"times": {"A": [1.0, 3.0], "B": [2.0]}, "predictions": []} for _ in range(2)]
    boards[0]["predictions"] = [
        {"engine": "A", "hand": 1, "seat": "S", "phase": "bid", "action": "bid 5", "make": 0.7, "equity": 0.5}
    ]
    nil = board([hand("nil 5", (0, 13), (100, 58), (0, 8), "AB")], points=(100, 58), winner="A")
    pairs = [*GAMES, pair(4, [nil, board(winner="B", swapped=True)])]
    timing = [{"pair": 0, "engines": ["A", "B"], "boards": boards}]
    report = gather(write(tmp_path / "m.jsonl", header(mode="games", rules="duel"), pairs, timing))
    drawn = draw(report)
    assert set(drawn) == {"lead-0", "running-0", "bids", "nils", "predictions", "times"}
    page = Page(format_page(report))
    for key, plot in drawn.items():
        root = ET.fromstring(plot.svg)
        assert root.attrib["role"] == "img"
        assert [child.tag for child in root[:2]] == ["title", "desc"]
        assert root.attrib["aria-labelledby"] == f"{key}-title {key}-desc"
        assert root[0].text == plot.heading
        assert re.search(r"\d", root[1].text or "")
        assert plot.heading in page.words
        assert plot.caption in page.words
        assert plot.caption.endswith(".")
        assert "var(--" in plot.svg
        assert not re.search(r"#0[0-9e][0-9a-f]{4}", plot.svg)  # every colour is one of the page's
    assert "A, nil: 1 made, 0 set, +100 points." in drawn["nils"].svg
    assert "After 9 hands A is 57 points behind B." in drawn["lead-0"].svg


def test_many_encounters_are_not_all_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first encounters have plots, and the page says so; all that there can be leave it below 1.5 million."""
    meetings = [("A", "B"), ("A", "C"), ("B", "C")]
    pairs = [
        pair(3 * round_ + place, [board(points=(round_ % 7, 3)), board(swapped=True)], meeting)
        for round_ in range(299)
        for place, meeting in enumerate(meetings)
    ]
    report = gather(write(tmp_path / "m.jsonl", header("ABC", pairs=299), pairs))
    monkeypatch.setattr(plots, "DRAWN", 1)
    source = format_page(report)
    page = Page(source)
    assert page.count("svg") == 2
    assert page.words.count("Plots are drawn for the first 1 encounters only.") == 2
    assert len(report.encounters[0].running) == 299  # no curve has more points
    assert DRAWN * len(source) < 1_500_000


# Odd matches ----------------------------------------------------------------------------------------------------------

_FORFEITED = [
    pair(number, [board(swapped=swapped, points=(0, -200), fault=("crash", "B", "")) for swapped in (False, True)])
    for number in range(3)
]


@pytest.mark.parametrize("mode", ["hands", "games"])
@pytest.mark.parametrize(("names", "sprt"), [("AB", False), ("AB", True), ("ABC", False)])
@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [pair(0, [board(winner="A"), board(winner="draw", swapped=True)])],
        _FORFEITED,
    ],
    ids=["no pairs", "one pair", "all forfeited"],
)
def test_odd_matches_have_a_report(
    tmp_path: Path, mode: str, names: str, sprt: bool, pairs: list[dict[str, Any]]
) -> None:
    """Whatever is missing, pairs, hands, nils, timing, a winner, each format tells what there is."""
    head = header(names, mode=mode, pairs=9)
    if sprt:
        head["sprt"] = {"nelo0": 0, "nelo1": 10, "alpha": 0.05, "beta": 0.05}
    for line in pairs:
        for part in line["boards"]:
            part["winner"] = (part["winner"] or "A") if mode == "games" else None
    text, raw, page = formats(gather(write(tmp_path / "m.jsonl", head, pairs)))
    assert raw["pairs"] == {"done": len(pairs), "planned": 9 if len(names) == 2 else 27}
    assert raw["engines"][0]["times"]["all"]["decisions"] == 0
    assert raw["encounters"][0]["superiority"] is None or 0 < raw["encounters"][0]["superiority"] < 1
    for words in ("There is no timing file, or no decision in it.", "No nil has been bid in a hand that was scored."):
        assert words in text
        assert words in page.words
    assert ("nothing has been played to the end yet" in text) is (not pairs or len(names) > 2)
    assert not re.search(r"\bnan\b|None", text)


# Bytes and libraries --------------------------------------------------------------------------------------------------

_ALL = """
import sys
from pathlib import Path
from spades_match.report import format_json, format_page, format_text, gather
report = gather(Path(sys.argv[1]))
sys.stdout.write("\\n".join(format_text(report)) + format_json(report) + format_page(report))
"""

_WITHOUT = """
import sys
from pathlib import Path
from spades_match.report import format_json, format_text, gather
report = gather(Path(sys.argv[1]))
assert list(format_text(report)) and format_json(report)
assert not {"matplotlib", "jinja2", "numpy"} & set(sys.modules)
"""


def _run(program: str, path: Path, **environment: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-c", program, str(path)],
        check=True,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        cwd=TESTS.parent,
    ).stdout


def test_the_same_file_gives_the_same_bytes(three: Path) -> None:
    """Two processes with other hash seeds, dates and settings of matplotlib write the same report."""
    settings = three.with_name("matplotlibrc")
    settings.write_text("font.size: 20\nsavefig.bbox: tight\nsvg.fonttype: path\n", "utf-8")
    first = _run(_ALL, three, PYTHONHASHSEED="1", SOURCE_DATE_EPOCH="1")
    second = _run(_ALL, three, PYTHONHASHSEED="2", SOURCE_DATE_EPOCH="99999999", MATPLOTLIBRC=str(settings))
    assert first == second
    assert len(first) > 10_000


def test_text_and_json_need_no_libraries(three: Path) -> None:
    """Text and JSON are written without loading what the page needs."""
    _run(_WITHOUT, three)


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_a_missing_library_is_named_with_the_remedy(three: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    """A page that cannot be written for want of a library says which it is and how to get it."""
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "spades_match.report.plots", raising=False)
    with pytest.raises(MatchError, match=rf"needs {library}, .*: pip install 'spades-engine\[match\]'"):
        format_page(gather(three))
