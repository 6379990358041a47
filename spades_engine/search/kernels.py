"""Which search kernel runs: the compiled one, or its plain twin where somebody asks for it by name."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

KERNELS = {"compiled": "spades_engine.search._kernel", "plain": "spades_engine.search.kernel"}


class KernelMissing(Exception):
    """The kernel asked for is not installed; the text says what to do about it."""


def load_kernel(name: str = "compiled") -> ModuleType:
    """The kernel module of that name, `compiled` or `plain`; one never stands in for the other.

    Raises ValueError for another name, and KernelMissing with the remedy.
    """
    if name not in KERNELS:
        raise ValueError(f"{name}: the kernels are {' and '.join(KERNELS)}")
    try:
        return import_module(KERNELS[name])
    except ImportError as error:
        raise KernelMissing(
            f"the {name} search kernel cannot be loaded ({error}); install the package anew with a C compiler at hand"
            " (in a checkout: make build), or take a wheel built for this system"
        ) from error


def kernel_name() -> str:
    """The name of the kernel that the engine runs on."""
    return "compiled"
