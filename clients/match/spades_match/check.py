"""`spades-match check`: the conformance suite against an engine, with a verdict for a person.

The suite is the one of `protocol/conformance/`: a copy of it comes with the installed package, and in a checkout it is
found where it lies. It is run as the program it is, in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from spades_match.outcomes import MatchError

_HERE = Path(__file__).resolve().parent
_PLACES = (_HERE / "conformance", _HERE.parents[2] / "protocol" / "conformance")
_SUMMARY = re.compile(r"(\d+) passed, (\d+) failed, (\d+) left out \(levels (\S*)\)")
_BROKEN = re.compile(r"  breaks \[(.+)\]$")


def find_suite() -> Path:
    """Return the suite's program. Raises MatchError where there is none."""
    for place in _PLACES:
        if (place / "run.py").is_file():
            return place / "run.py"
    raise MatchError("the conformance suite is missing from this installation: install spades-engine again")


def check_engine(command: Sequence[str], options: Sequence[str], say: Callable[[str], None]) -> int:
    """Run the suite, hand on what it reports line by line, and end with the verdict.

    `options` go to the suite as they are. Returns 0 if the engine conforms, 1 if it does not, 2 if the suite could not
    run.
    """
    words = [sys.executable, "-u", str(find_suite()), *options, "--", *command]
    broken: Counter[str] = Counter()
    summary: re.Match[str] | None = None
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8", errors="replace") as suite:
        assert suite.stdout is not None
        try:
            for line in suite.stdout:
                text = line.rstrip("\n")
                if found := _BROKEN.match(text):
                    broken[found[1]] += 1
                summary = _SUMMARY.match(text) or summary
                if not _SUMMARY.match(text):
                    say(text)
        except BaseException:
            suite.terminate()  # which has it end its engines
            raise
    for text in _verdict(summary, broken):
        say(text)
    return suite.returncode if suite.returncode in (0, 1, 2) else 2


def _verdict(summary: re.Match[str] | None, broken: Counter[str]) -> list[str]:
    if summary is None:
        if broken:
            return ["", "DOES NOT CONFORM: it cannot be started, greeted and ended as the protocol asks."]
        return ["", "NO VERDICT: the suite did not run to its end."]
    passed, failed, left, levels = int(summary[1]), int(summary[2]), int(summary[3]), summary[4]
    lines = [""]
    if failed:
        lines.append(f"DOES NOT CONFORM: {failed} of {passed + failed} checks failed (levels {levels}).")
        lines += [f"  [{label}] broken in {count}" for label, count in broken.most_common()]
        lines.append("What each label asks is the sentence of SPEC.md that ends in it.")
    else:
        lines.append(f"CONFORMS to USP 1, levels {levels}: all {passed} checks passed.")
    if left:
        lines.append(f"{left} checks were left out: they are of levels or capabilities that it does not claim.")
    return lines
