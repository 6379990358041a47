"""Prove that the engine can do without the modules that the frozen program leaves out: check_unused NAME...

Run with the Python of the environment that gets frozen. Every module of ours, and every other module that one of ours
imports anywhere, late imports included, is imported while the names given are refused. A module that guards its import
of a refused one (try ... except ImportError) passes; one that needs it fails, with the chain that led to it.
"""

import ast
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
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


def modules(package: str) -> Iterator[str]:
    """Yield the names of the package and of every module in it."""
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"{package} is not installed"
    assert spec.submodule_search_locations is not None
    yield package
    for info in pkgutil.walk_packages(spec.submodule_search_locations, package + "."):
        if not info.name.endswith(".__main__"):  # would run the engine
            yield info.name


def imported(source: str) -> set[str]:
    """Return the names of all modules imported anywhere in the source."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
    return names


def main(refused: list[str]) -> None:
    """Refuse the names, import all the rest."""
    for name in list(sys.modules):  # what this script itself brought in must be asked for again
        if name in refused or name.partition(".")[0] in refused:
            del sys.modules[name]
    sys.meta_path.insert(0, Refuser(refused))
    for package in PACKAGES:
        for name in list(modules(package)):
            importlib.import_module(name)
            spec = importlib.util.find_spec(name)
            assert spec is not None
            if spec.origin is None or not spec.origin.endswith(".py"):
                continue
            for other in sorted(imported(Path(spec.origin).read_text(encoding="utf-8"))):
                try:
                    importlib.import_module(other)
                except RefusedError as error:
                    raise SystemExit(f"{name} imports {other}, which cannot do without {error.name}") from error
                except ModuleNotFoundError:
                    pass  # a module of another system, or of a tool that is optional


if __name__ == "__main__":
    main(sys.argv[1:])
