"""Which kernel runs. It is asked for by name, and one that is missing is an error: never the other one silently."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # what type checkers take for true; `typing` itself is too heavy for the start of the process
if TYPE_CHECKING:
    from typing import Any, Protocol

    from spades_engine.search.kernel import Solver

    class Kernel(Protocol):
        """What both modules offer."""

        SOLVED: int
        STOPPED: int
        NODE_LIMIT: int
        NO_LIMIT: int

        @property
        def Solver(self) -> type[Solver]:  # noqa: N802  a class of the module, under its own name
            """The class of solvers."""


KERNELS = ("compiled", "plain")
"""The kernels' names: the extension module, and the same source run as Python, some hundred times slower."""

_MODULES = {"compiled": "spades_engine.search._kernel", "plain": "spades_engine.search.kernel"}


class KernelMissing(Exception):
    """The kernel asked for cannot be loaded. The text tells why and what to do about it."""


def load_kernel(name: str) -> Kernel:
    """Return the kernel called `name`, one of KERNELS.

    Raises `KernelMissing` if it cannot be loaded, ValueError if there is none of that name.
    """
    if name not in _MODULES:
        raise ValueError(f"no kernel is called {name!r}: there are {', '.join(KERNELS)}")
    try:
        module: Any = import_module(_MODULES[name])
    except ImportError as error:
        raise KernelMissing(
            f"the {name} kernel cannot be loaded ({error}). In a source tree run 'make build', which needs a C "
            "compiler; an installed package is mended by 'pip install --force-reinstall spades-engine'."
        ) from error
    kernel: Kernel = module
    return kernel


def kernel_name() -> str:
    """Return the name of the kernel that choosers use unless they are told otherwise."""
    return KERNELS[0]
