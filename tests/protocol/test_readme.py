"""protocol/README.md: what it shows is so."""

import re
from pathlib import Path

import pytest

import spades_protocol

README = Path(__file__).parents[2] / "protocol" / "README.md"


@pytest.mark.parametrize(
    "code", re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
)
def test_its_examples_run(code: str) -> None:
    """Every Python example runs, and its assertions hold."""
    exec(compile(code, str(README), "exec"), {})


def test_its_modules_are_there() -> None:
    """The table of modules has every module of the package that holds more than texts."""
    named = set(re.findall(r"^\| `(\w+)` \|", README.read_text(encoding="utf-8"), flags=re.MULTILINE))
    there = {path.stem for path in Path(spades_protocol.__path__[0]).glob("*.py")}
    assert named == there - {"__init__", "help_texts"}


def test_its_links_lead_somewhere() -> None:
    """Every relative link leads to something in this repository."""
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
