"""One source, two modules: the readable kernel and the compiled one."""

import ast
import re
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

from spades_engine.search import _kernel, kernel

SOURCE = Path(kernel.__file__)


def public_names() -> set[str]:
    """Return the names that the readable kernel defines for others."""
    return {
        name
        for name, value in vars(kernel).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", kernel.__name__) == kernel.__name__
    }


def test_both_kernels_are_importable_side_by_side() -> None:
    """`kernel` is the plain Python file, `_kernel` an extension module."""
    assert SOURCE.name == "kernel.py"
    assert str(_kernel.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert _kernel.__name__ == "spades_engine.search._kernel"


def test_compiled_kernel_has_every_public_name() -> None:
    """The compiled kernel offers all that the readable one does, so that either can stand in for the other."""
    missing = sorted(name for name in public_names() if not hasattr(_kernel, name))
    assert not missing


def test_type_stub_has_every_public_name() -> None:
    """The stub that types the compiled kernel names all that the readable one offers, and nothing else."""
    stub = ast.parse(SOURCE.with_name("_kernel.pyi").read_text(encoding="utf-8"))
    named = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named == public_names()


@pytest.mark.skipif(not (SOURCE.parents[2] / "setup.py").exists(), reason="installed without the build files")
def test_checks_are_switched_in_one_place() -> None:
    """Neither kernel.py nor _kernel.pxd sets the directives that the checked build turns on: they would win over it."""
    setting = re.compile(r"(?m)^\s*#\s*cython:|cython\.(boundscheck|initializedcheck|overflowcheck)\b")
    for path in (SOURCE, SOURCE.with_name("_kernel.pxd")):
        assert not setting.search(path.read_text(encoding="utf-8")), path.name
