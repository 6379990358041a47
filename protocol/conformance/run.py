"""The USP conformance suite: runs every transcript and every built-in check against any engine's command line.

    python3 run.py [options] -- COMMAND ARGUMENTS

It needs Python 3.9 or later and nothing else. The exit code is 0 if everything passed, 1 if something failed and 2 if
the suite could not run at all.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import signal
import sys
import textwrap
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:  # when loaded other than as a program
    sys.path.insert(0, str(HERE))

from suite import checks_bytes, checks_deal, checks_game, checks_life, checks_search, checks_states  # noqa: E402
from suite.checks import CHECKS, Bench, Check  # noqa: E402
from suite.process import Engine, Entry, Fault, kill_all  # noqa: E402
from suite.sentences import load  # noqa: E402
from suite.transcript import (  # noqa: E402
    Failure,
    Transcript,
    TranscriptError,
    parse_examples,
    parse_transcript,
    play,
)

HANDSHAKE = "runner/handshake"
LEVELS = ("core", "seat", "table", "analysis", "tools")
BUILT_IN = (checks_bytes, checks_deal, checks_game, checks_life, checks_search, checks_states)  # they fill CHECKS
EXAMPLE_SENTENCE = "Every fenced `usp` example of SPEC.md holds as it stands."


@dataclass
class Outcome:
    """What became of one transcript or check: a label if it failed, and the report's text."""

    name: str
    label: str | None = None
    text: str = ""
    source: str = ""
    exchanges: list[list[Entry]] = field(default_factory=list)
    seconds: float = 0.0


def load_transcripts(folder: Path) -> list[Transcript]:
    """Every transcript under valid/ and invalid/, in order of their names."""
    found = []
    for path in sorted([*folder.glob("valid/*/*.txt"), *folder.glob("invalid/*/*.txt")]):
        text = path.read_bytes().decode("utf-8")
        transcript = parse_transcript(path.relative_to(folder).as_posix(), text)
        if not (transcript.title and transcript.levels and transcript.covers):
            raise TranscriptError(f"{transcript.name}: a title, `level:` and `covers:` are needed")
        found.append(transcript)
    return found


# Running.


def run_transcript(transcript: Transcript, command: Sequence[str], timeout: float) -> Outcome:
    """Play one transcript against a process of its own."""
    outcome = Outcome(transcript.name)
    started = time.monotonic()
    with Engine(command, timeout) as engine:
        try:
            play(transcript, engine)
        except Failure as failure:
            outcome.label = failure.label
            outcome.text = failure.text
            if failure.step is not None:
                outcome.source = f"line {failure.step.line} of the transcript"
        outcome.exchanges = [engine.log]
    if outcome.label and engine.stderr:
        outcome.text += "\nstandard error: " + engine.stderr.decode("utf-8", "backslashreplace").strip()
    outcome.seconds = time.monotonic() - started
    return outcome


def run_check(check: Check, bench: Bench) -> Outcome:
    """Do one built-in check."""
    outcome = Outcome(check.name)
    started = time.monotonic()
    try:
        check.work(bench)
    except Fault as fault:
        outcome.label = fault.label
        outcome.text = fault.text
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        outcome.label = check.covers[0]
        outcome.text = f"a reply makes no sense to the check ({type(error).__name__}: {error})"
    finally:
        bench.stop_all()
    outcome.exchanges = [engine.log for engine in bench.engines]
    outcome.seconds = time.monotonic() - started
    return outcome


def shake_hands(command: Sequence[str], timeout: float) -> tuple[list[str], list[str], Outcome]:
    """The levels and capabilities that the engine claims, and what became of the handshake itself."""
    outcome = Outcome(HANDSHAKE)
    levels: list[str] = []
    capabilities: list[str] = []
    with Engine(command, timeout) as engine:
        try:
            for key, value in re.findall(r" (levels|capabilities)=(\S+)", engine.expect_ok("usp 1")[-1]):
                (levels if key == "levels" else capabilities).extend(value.split(","))
            if "core" not in levels:
                raise Fault("level.1", "the last line of the handshake has to name level core")
            engine.quit()
        except Fault as fault:
            outcome.label = fault.label
            outcome.text = fault.text
        outcome.exchanges = [engine.log]
    if outcome.label and engine.stderr:
        outcome.text += "\nstandard error: " + engine.stderr.decode("utf-8", "backslashreplace").strip()
    return levels, capabilities, outcome


# Reporting.


def report_exchange(log: list[Entry], mark: str | None) -> list[str]:
    """The lines of an exchange, the last one marked where a fault was found."""
    lines = []
    start = log[0].time if log else 0.0
    for place, entry in enumerate(log):
        is_marked = mark is not None and place == len(log) - 1
        lines.append(f"{'=>' if is_marked else '  '} {entry.time - start:8.3f} {entry.direction} {entry.text}")
        if is_marked:
            lines.append(f"            ^ here: {mark}")
    if mark is not None and not log:
        lines = ["=> nothing was said", f"            ^ here: {mark}"]
    return lines


def report(outcome: Outcome, sentences: dict[str, str], titles: dict[str, str], is_verbose: bool) -> list[str]:
    """The report on one transcript or check."""
    if outcome.label is None:
        return [f"ok    {outcome.name} ({outcome.seconds:.2f} s)"] if is_verbose else []
    sentence = sentences.get(outcome.label, EXAMPLE_SENTENCE if outcome.label == "example" else "?")
    lines = [f"FAIL  {outcome.name}: {titles[outcome.name]}", f"  breaks [{outcome.label}]"]
    lines += textwrap.wrap(sentence, 110, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    lines += [f"  {line}" for line in outcome.text.splitlines()]
    if outcome.source:
        lines.append(f"  at {outcome.source}")
    for number, log in enumerate(outcome.exchanges, 1):
        is_last = number == len(outcome.exchanges)
        lines.append("  the whole exchange:" if len(outcome.exchanges) == 1 else f"  process {number}:")
        lines += [f"  {line}" for line in report_exchange(log, outcome.text.split("\n")[0] if is_last else None)]
    return lines


# The command line.


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """The options and the engine's command line."""
    parser = argparse.ArgumentParser(prog="run.py", usage="run.py [options] -- COMMAND ARGUMENTS", description=__doc__)
    parser.add_argument(
        "--level", metavar="LIST", help="levels to test, joined by commas (default: those the engine has)"
    )
    parser.add_argument("--filter", metavar="GLOB", action="append", help="only names like this; may be repeated")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="so many processes at once (default 1)")
    parser.add_argument(
        "--timeout", metavar="S", type=float, default=10.0, help="seconds for any one wait (default 10)"
    )
    parser.add_argument("--spec", metavar="FILE", type=Path, help="run the examples of this SPEC.md and nothing else")
    parser.add_argument("--list", action="store_true", help="list the names and what they cover, and stop")
    parser.add_argument("-v", "--verbose", action="store_true", help="name what passed, too")
    parser.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if not options.list and not options.command:
        parser.error("the engine's command line is missing")
    if options.level and not set(options.level.split(",")) <= set(LEVELS):
        parser.error(f"--level takes a list of {','.join(LEVELS)}")
    return options


def is_wanted(name: str, filters: list[str] | None) -> bool:
    """Whether a name fits one of the filters, if there are any; a filter also fits as a part of the name."""
    return not filters or any(fnmatch.fnmatchcase(name, part) or part in name for part in filters)


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments ask for and return the exit code."""
    options = parse_arguments(arguments)
    try:
        if options.spec is not None:
            transcripts = parse_examples(options.spec.read_text(encoding="utf-8"))
        else:
            transcripts = load_transcripts(HERE)
    except (TranscriptError, OSError) as error:
        sys.stderr.write(f"run.py: {error}\n")
        return 2
    checks = [] if options.spec is not None else CHECKS
    transcripts = [item for item in transcripts if is_wanted(item.name, options.filter)]
    checks = [item for item in checks if is_wanted(item.name, options.filter)]
    if options.list:
        for name, covers, title in [(i.name, i.covers, i.title) for i in transcripts] + [
            (i.name, i.covers, i.title) for i in checks
        ]:
            print(f"{name}  [{' '.join(covers)}]  {title}")
        return 0

    sentences = load(HERE)
    try:
        levels, capabilities, hello = shake_hands(options.command, options.timeout)
    except OSError as error:
        sys.stderr.write(f"run.py: {options.command[0]} cannot be run: {error}\n")
        return 2
    if hello.label:  # nothing else could pass, and every wait would be in vain
        print("\n".join(report(hello, sentences, {HANDSHAKE: "A program can be started, greeted and ended."}, True)))
        return 1
    chosen = [level for level in levels if not options.level or level in options.level.split(",")]
    can_run = [t for t in transcripts if set(t.levels) <= set(chosen) and set(t.requires) <= set(capabilities)]
    can_check = [c for c in checks if set(c.levels) <= set(chosen)]
    skipped = len(transcripts) + len(checks) - len(can_run) - len(can_check)
    titles = {t.name: t.title for t in can_run} | {c.name: c.title for c in can_check}

    def work(item: Transcript | Check) -> Outcome:
        if isinstance(item, Transcript):
            return run_transcript(item, options.command, options.timeout)
        return run_check(item, Bench(options.command, options.timeout, levels, capabilities))

    failed = 0
    started = time.monotonic()
    together = [*[c for c in can_check if not c.is_alone], *can_run]
    alone = [c for c in can_check if c.is_alone]
    for items, jobs in ((together, options.jobs), (alone, 1)):
        with ThreadPoolExecutor(max(1, jobs)) as pool:
            try:
                for outcome in pool.map(work, items):
                    failed += outcome.label is not None
                    for line in report(outcome, sentences, titles, options.verbose):
                        print(line)
                    sys.stdout.flush()
            except BrokenPipeError:  # nobody reads on
                pool.shutdown(wait=False, cancel_futures=True)
                kill_all()
                raise
    total = len(can_run) + len(can_check)
    print(
        f"{total - failed} passed, {failed} failed, {skipped} left out (levels {','.join(chosen)}), "
        f"{time.monotonic() - started:.1f} s"
    )
    if total == 0:
        sys.stderr.write("run.py: nothing was run\n")
        return 2
    return 1 if failed else 0


def end(number: int, _frame: object) -> None:
    """End at once, and leave no engine behind."""
    kill_all()
    os._exit(128 + number)


if __name__ == "__main__":
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on
        kill_all()
        os._exit(141)
    sys.exit(code)
