"""The tables and examples of SPEC.md, read out of the document."""

import functools
import re
from pathlib import Path

SPEC = Path(__file__).parents[2] / "SPEC.md"


@functools.cache
def sections() -> dict[str, str]:
    """Return the text of every section by its number, those of the third level included in theirs."""
    parts = re.split(r"^## (\d+)\. .*$", SPEC.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def table(section: str, first: str) -> list[list[str]]:
    """Return the rows, without the head, of the table of a section whose first column is headed `first`."""
    lines = sections()[section].splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        # A bar inside backticks is written \| in the document.
        rows.append([cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def codes(cell: str) -> list[str]:
    """Return what stands in backticks in a cell."""
    return re.findall(r"`([^`]*)`", cell)


def examples() -> list[list[tuple[str, str]]]:
    """Return the `usp` examples: of each its lines as direction (`>` or `<`) and text."""
    blocks = re.findall(r"^```usp\n(.*?)^```", SPEC.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [[(line[0], line[2:]) for line in block.splitlines() if line] for block in blocks]
