"""The frozen program's first module: what the console script `spades-engine` does."""

import sys

from spades_engine.cli import main

sys.exit(main())
