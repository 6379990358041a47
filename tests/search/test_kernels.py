"""Which kernel runs is asked for by name and never decided silently."""

import sys

import pytest

from spades_engine.search import _kernel, kernel
from spades_engine.search.kernels import KERNELS, KernelMissing, kernel_name, load_kernel


def test_both_kernels_load_by_name() -> None:
    """Each name gives its own module."""
    assert [load_kernel(name) for name in KERNELS] == [_kernel, kernel]


def test_compiled_kernel_is_the_one_in_use() -> None:
    """Unless told otherwise, choosers run the compiled kernel."""
    assert kernel_name() == "compiled"


def test_missing_kernel_is_an_error_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extension module, asking for it fails and says what to do; the plain one does not take its place."""
    monkeypatch.setitem(sys.modules, "spades_engine.search._kernel", None)
    with pytest.raises(KernelMissing, match=r"compiled kernel cannot be loaded.*make build.*pip install"):
        load_kernel("compiled")
    assert load_kernel("plain") is kernel


def test_unknown_kernel_is_an_error() -> None:
    """A name that is none of the kernels' is refused with those that there are."""
    with pytest.raises(ValueError, match="compiled, plain"):
        load_kernel("fast")
