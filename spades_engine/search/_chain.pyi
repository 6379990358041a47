"""Types of the compiled chain: those of chain.py, which it is compiled from."""

from spades_engine.search.chain import PLACES as PLACES
from spades_engine.search.chain import Chain as Chain
