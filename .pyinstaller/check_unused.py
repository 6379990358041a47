"""Prove that the engine can do without the modules that the frozen program leaves out: check_unused NAME...

Run with the Python of the environment that gets frozen. Every module of ours, and every other module that one of ours
imports anywhere, late imports included, is imported while the names given are refused. A module that guards its import
of a refused one (try ... except ImportError) passes; one that needs it fails, with the chain that led to it.
"""

import sys

AT_START = frozenset(sys.modules)  # before this script brings in modules of its own

import ast
import importlib
import importlib.util
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path

PACKAGES = ("spades_engine", "spades_protocol")


class RefusedError(ImportError):
    """A module that is left out was asked for."""


class Refuser(MetaPathFinder):
    """Refuses the given modules and all that is in them."""

    def __init__(self, names: list[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Raise RefusedError for a refused module, else leave it to the other finders."""
        if fullname in self.names or fullname.partition(".")[0] in self.names:
            raise RefusedError(f"{fullname} is left out", name=fullname)
        return None


def modules(package: str) -> Iterator[tuple[str, Path]]:
    """Yield name and file of every module in the package, without importing any."""
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"{package} is not installed"
    assert spec.origin is not None
    root = Path(spec.origin).parent
    for path in sorted(root.rglob("*")):
        name = path.name.partition(".")[0]
        if name != "__main__" and path.name.endswith((".py", *EXTENSION_SUFFIXES)):  # __main__ would run the engine
            parts = [package, *path.parent.relative_to(root).parts]
            yield ".".join(parts if name == "__init__" else [*parts, name]), path


def imported(source: str) -> set[str]:
    """Return the names of all modules imported anywhere in the source."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)  # some of them are modules
    return names


def main(refused: list[str]) -> None:
    """Refuse the names, import all the rest."""
    ours = [pair for package in PACKAGES for pair in modules(package)]
    for name in set(sys.modules) - AT_START - {"__main__"}:  # what this script brought in must be asked for again
        del sys.modules[name]
    sys.meta_path.insert(0, Refuser(refused))
    for name, path in ours:
        importlib.import_module(name)
        if path.suffix != ".py":
            continue
        for other in sorted(imported(path.read_text(encoding="utf-8"))):
            try:
                importlib.import_module(other)
            except RefusedError as error:
                raise SystemExit(f"{name} imports {other}, which cannot do without {error.name}") from error
            except ModuleNotFoundError:
                pass  # of another system, or optional, or no module but a name in one


if __name__ == "__main__":
    main(sys.argv[1:])
