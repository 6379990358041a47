"""Choosing a card: exact solvers, and what is built on them."""
