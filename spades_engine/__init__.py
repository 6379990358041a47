"""Spades Engine: plays, deals, referees and scores Spades."""

__version__ = "0.1.0"
