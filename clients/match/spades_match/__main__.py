"""`python -m spades_match` is `spades-match`."""

import sys

from spades_match.cli import main

if __name__ == "__main__":
    sys.exit(main())
