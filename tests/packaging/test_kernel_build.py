"""One source, two modules: whatever is compiled has a readable twin beside it."""

import ast
import re
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

TWINS = [("spades_engine.search", "kernel"), ("spades_engine.search", "chain"), ("spades_engine.equity", "sweep")]
ROOT = Path(str(import_module("spades_engine").__file__)).parents[1]


def twins(package: str, name: str) -> tuple[ModuleType, ModuleType, Path]:
    """Return the readable module, the compiled one, and the source."""
    readable = import_module(f"{package}.{name}")
    return readable, import_module(f"{package}._{name}"), Path(str(readable.__file__))


def public_names(module: ModuleType) -> set[str]:
    """Return the names that a readable module defines for others."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", module.__name__) == module.__name__
        and name not in ("annotations", "cython")
    }


def test_all_twins_are_tested() -> None:
    """Every module with C types is one of those that are tested here."""
    found = {path.stem for path in (ROOT / "spades_engine").rglob("_*.pxd")}
    assert not found or found == {f"_{name}" for _, name in TWINS}


@pytest.mark.parametrize(("package", "name"), TWINS)
def test_both_twins_are_importable_side_by_side(package: str, name: str) -> None:
    """`name` is the plain Python file, `_name` an extension module."""
    _, compiled, source = twins(package, name)
    assert source.name == f"{name}.py"
    assert str(compiled.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert compiled.__name__ == f"{package}._{name}"


@pytest.mark.parametrize(("package", "name"), TWINS)
def test_the_compiled_twin_has_every_public_name(package: str, name: str) -> None:
    """The compiled twin offers all that the readable one does, so that either can stand in for the other."""
    readable, compiled, _ = twins(package, name)
    assert public_names(readable)
    assert not sorted(one for one in public_names(readable) if not hasattr(compiled, one))


@pytest.mark.parametrize(("package", "name"), TWINS)
def test_the_type_stub_has_every_public_name(package: str, name: str) -> None:
    """The stub that types the compiled twin names all that the readable one offers, and nothing else."""
    readable, _, source = twins(package, name)
    stub = ast.parse(source.with_name(f"_{name}.pyi").read_text(encoding="utf-8"))
    named = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named == public_names(readable)


@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="installed without the build files")
@pytest.mark.parametrize(("package", "name"), TWINS)
def test_checks_are_switched_in_one_place(package: str, name: str) -> None:
    """Neither source nor .pxd sets the directives that the checked build turns on: they would win over it."""
    setting = re.compile(r"(?m)^\s*#\s*cython:|cython\.(boundscheck|initializedcheck|overflowcheck)\b")
    source = twins(package, name)[2]
    for path in (source, source.with_name(f"_{name}.pxd")):
        assert not setting.search(path.read_text(encoding="utf-8")), path.name
