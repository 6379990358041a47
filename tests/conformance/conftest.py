"""The suite's own modules are importable in its tests, as they are for `run.py`."""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parents[2] / "protocol" / "conformance"
sys.path.insert(0, str(SUITE))
