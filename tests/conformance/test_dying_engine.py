"""An engine that dies while it is asked for an action fails a check; the suite does not wait for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "protocol" / "conformance" / "run.py"
DYING = """import sys
for line in sys.stdin:
    words = line.split()
    if "go" in words: sys.exit(1)
    print("ok usp=1 levels=core,seat" if "usp" in words else "ok", flush=True)
    if "quit" in words: break
"""


@pytest.mark.parametrize("name", ["stop-after-best", "infinite-when-forced", "stop-at-once"])
def test_an_engine_that_dies_at_go_fails_at_once(tmp_path: Path, name: str) -> None:
    """A check whose engine dies under `go` ends with a failure that names the end of the process."""
    engine = tmp_path / "dying.py"
    engine.write_text(DYING, "utf-8")
    words = [sys.executable, str(RUN), "--filter", f"runner/{name}", "--", sys.executable, str(engine)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert "the process ended by itself" in done.stdout
