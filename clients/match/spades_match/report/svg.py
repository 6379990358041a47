"""Making a drawing of matplotlib's part of a page: names of its own, the page's colours, and no more than is needed."""

from __future__ import annotations

import html
import re
from typing import Final

INK: Final = "#010203"
MUTED: Final = "#020304"
GRID: Final = "#030405"
PALETTE: Final = 8
"""How many colours there are for engines; they come round again."""

_DIGITS: Final = re.compile(r"-?\d+\.\d{2,}")
_ID: Final = re.compile(r' id="([^"]*)"')
_REFERENCE: Final = re.compile(r'(?:href="#|url\(#)([^")]*)')


def engine_colour(place: int) -> str:
    """Return the colour to draw an engine with; like the others it stands for one of the page's."""
    return f"#0e0e{place % PALETTE:02x}"


_VARIABLES: Final = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)"} | {
    engine_colour(place): f"var(--engine-{place})" for place in range(PALETTE)
}


def inline(svg: str, key: str, title: str, description: str) -> str:
    """Return a drawing as an element of a page; `key` keeps its ids apart from those of others."""
    svg = svg[svg.index("<svg") :]
    # What it declares and describes: a page needs none of it, and the style would hold for the whole page.
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href")
    names = set(_REFERENCE.findall(svg))
    svg = _ID.sub(lambda found: f' id="{key}-{found[1]}"' if found[1] in names else "", svg)
    svg = _REFERENCE.sub(lambda found: found[0].replace(found[1], f"{key}-{found[1]}"), svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r' (?:d|x|y|transform)="[^"]*"', lambda found: _DIGITS.sub(_rounded, found[0]), svg)
    svg = re.sub(r"\s*\n\s*", "\n", re.sub(r"<defs>\s*</defs>", "", svg)).strip()
    body = svg[svg.index(">") + 1 :]
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None
    return (
        f'<svg {box[0]} role="img" aria-labelledby="{key}-title {key}-desc">'
        f'<title id="{key}-title">{html.escape(title)}</title>'
        f'<desc id="{key}-desc">{html.escape(description)}</desc>{body}'
    )


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
