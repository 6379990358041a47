"""Types of the compiled sweep: those of sweep.py, which it is compiled from."""

from spades_engine.equity.sweep import add_up as add_up
from spades_engine.equity.sweep import settle as settle
from spades_engine.equity.sweep import sweep as sweep
