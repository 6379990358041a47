"""Who may import whom, as far as the import linter cannot tell: standard library only, and the compiled kernel."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import spades_client
import spades_engine
import spades_match
import spades_protocol

CHOOSERS = ("bidding", "drafting", "equity", "search")
EXTRAS = {"dask", "jinja2", "matplotlib", "tqdm"}  # late imports, each with a message where it is missing
# Package -> what of ours it may import besides itself. `cython` is named by the kernel, which does without it.
ALLOWED = {
    "spades_protocol": set[str](),
    "spades_client": {"spades_protocol"},
    "spades_engine": {"spades_protocol", "cython"},
    "spades_match": {"spades_client", "spades_engine", "spades_protocol", *EXTRAS},
}
FOLDERS = {
    package.__name__: Path(package.__file__ or "").parent
    for package in (spades_client, spades_engine, spades_match, spades_protocol)
}
SOURCES = [
    pytest.param(name, path, id=f"{name}/{path.relative_to(folder)}")
    for name, folder in sorted(FOLDERS.items())
    for path in sorted(folder.rglob("*.py"))
]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that the file imports, late imports included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


@pytest.mark.parametrize(("package", "path"), SOURCES)
def test_standard_library_only(package: str, path: Path) -> None:
    """No package needs a library at run time: it imports the standard library, itself, and the packages below it; only
    the match runner has extras, and names them within functions.
    """
    allowed = sys.stdlib_module_names | ALLOWED[package] | {package}
    foreign = [f"line {line}: {name}" for line, name in imports(path) if name.partition(".")[0] not in allowed]
    assert not foreign


@pytest.mark.parametrize(("package", "path"), SOURCES)
def test_only_the_choosers_name_the_compiled_kernel(package: str, path: Path) -> None:
    """The compiled kernel is imported by bidding, drafting, equity and search alone."""
    if package == "spades_engine" and path.relative_to(FOLDERS[package]).parts[0] in CHOOSERS:
        return
    assert not [f"line {line}: {name}" for line, name in imports(path) if "_kernel" in name.split(".")]


def test_extras_are_imported_late() -> None:
    """The match runner starts, and writes reports as text and JSON, without loading any of its extras."""
    code = "import sys, spades_match.cli, spades_match.report; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "spades_match.cli" in loaded
    assert not {name.partition(".")[0] for name in loaded} & EXTRAS
