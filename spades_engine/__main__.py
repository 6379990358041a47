"""`python -m spades_engine`."""

import sys

from spades_engine.cli import main

if __name__ == "__main__":
    sys.exit(main())
