"""Types of the compiled kernel: those of kernel.py, which it is compiled from."""

from spades_engine.search.kernel import NO_LIMIT as NO_LIMIT
from spades_engine.search.kernel import NODE_LIMIT as NODE_LIMIT
from spades_engine.search.kernel import SOLVED as SOLVED
from spades_engine.search.kernel import STOPPED as STOPPED
from spades_engine.search.kernel import Solver as Solver
