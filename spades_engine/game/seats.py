"""Seats and sides. Which of them a game uses, and who sits with whom, is told by the `RuleSet`."""

from __future__ import annotations

from enum import IntEnum

from spades_engine.game.errors import UnreadableEvent


class Seat(IntEnum):
    """A place at the table, clockwise; two-player games use S and N only."""

    N = 0
    E = 1
    S = 2
    W = 3


class Side(IntEnum):
    """What keeps one score. Two players: S is FIRST, N is SECOND; four: NS is FIRST, EW is SECOND."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Side:
        """The opposing side."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


SEATS: tuple[Seat, ...] = tuple(Seat)
TWO_SEATS: tuple[Seat, ...] = (Seat.S, Seat.N)
FOUR_SEATS: tuple[Seat, ...] = SEATS

_SEAT_OF_TEXT = {seat.name: seat for seat in SEATS}


def parse_seat(text: str) -> Seat:
    """The seat with that letter; raises `UnreadableEvent`."""
    seat = _SEAT_OF_TEXT.get(text)
    if seat is None:
        raise UnreadableEvent(f"{text}: seats are N, E, S and W")
    return seat


def format_seat(seat: Seat) -> str:
    """The seat's letter."""
    return seat.name
