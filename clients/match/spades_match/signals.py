"""Signals that ask a program to end: each ends the command as an interrupt does, with every engine let go."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # SIGHUP is not known everywhere
BY_SIGNAL: Final = 128
"""Exit codes are so much more than the signal's number, as a shell has it."""
CLOSED_OUTPUT: Final = BY_SIGNAL + 13
"""The exit code where whoever read the output has gone: that of SIGPIPE."""


class Ended(KeyboardInterrupt):
    """A signal asked the program to end; `number` is which."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def number_of(interrupt: KeyboardInterrupt) -> int:
    """Return the signal behind an interrupt."""
    return interrupt.number if isinstance(interrupt, Ended) else int(signal.SIGINT)


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    raise Ended(number)


@contextmanager
def interruptible() -> Iterator[None]:
    """Have every signal that asks to end raise `Ended`, where this is the thread that gets signals.

    A signal that is ignored stays so: a program started with nohup outlives its terminal.
    """
    with _handled(_end):
        yield


@contextmanager
def uninterruptible() -> Iterator[None]:
    """Let such signals wait for nothing: engines are being ended, which takes no longer than their limit `quit`."""
    with _handled(signal.SIG_IGN):
        yield


@contextmanager
def _handled(handler: signal._HANDLER) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, former in before:
            signal.signal(number, former)
