"""The report as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from spades_match.report.document import Section, Table, sections, title
from spades_match.report.model import MatchReport
from spades_match.words import plain

_WIDTH = 100


def format_text(report: MatchReport) -> Iterator[str]:
    """Yield the lines of the report. What engines have said is in them without control characters."""
    name = plain(title(report))
    yield name
    yield "=" * len(name)
    for section in sections(report):
        yield ""
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    name = plain(section.title)
    yield name
    yield "-" * len(name)
    for remark in section.remarks:
        yield from _wrapped(plain(remark))
    for table in section.tables:
        if section.remarks or table is not section.tables[0]:
            yield ""
        yield from _table(table)


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _table(table: Table) -> Iterator[str]:
    """Yield a table; words stand left in their columns, figures right."""
    if table.caption:
        yield plain(table.caption)
    rows = [[plain(cell) for cell in row] for row in (table.columns, *table.rows)]
    if not any(table.columns):
        del rows[0]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place < table.words else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()
