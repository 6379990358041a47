"""The referee: deals, asks, judges and scores one board, by the rules package."""

from spades_match.referee.table import Board, Setup, Table, hand_detail

__all__ = ["Board", "Setup", "Table", "hand_detail"]
