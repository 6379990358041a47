"""The command `spades-match`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from spades_engine import __version__
from spades_engine.game import PRESETS, GameError
from spades_match.check import check_engine
from spades_match.distributed import ClusterExecutor
from spades_match.engines import EngineSpec, parse_engines
from spades_match.outcomes import Fault, MatchError, Outcome
from spades_match.plan import MODES, Plan
from spades_match.player import Player
from spades_match.replay import Verifier, check_pair
from spades_match.report import format_json, format_page, format_text, gather
from spades_match.report.document import headline, last_lines
from spades_match.run import Summary, run_match
from spades_match.schedule import SCHEDULES
from spades_match.sequential import parse_design
from spades_match.show import show_pair
from spades_match.signals import BY_SIGNAL, CLOSED_OUTPUT, interruptible, number_of
from spades_match.store import read_header, read_pairs, timing_path
from spades_match.words import clip, of_system, plain

FORMATS = {".txt": "text", ".json": "json", ".html": "html"}
"""What a report is written as, by the ending of its name."""

ENGINE_HELP = """an engine, as one quoted line: its command line, and any of
  name=A            what it is called in the results
  cmd='...'         the command line, where it has a '=' in it
  nodes=N movetime=MS clock=MS inc=MS    what ends each search; a clock is per seat and hand
  option.NAME=V     an option of the engine
  limit.STEP=S      seconds for a step: start, newgame, ping, move (a search that no time limits),
                    margin (by which an answer may be late), stall (an answer that is late is waited for), quit
  fresh=yes         new processes for every board"""

EXAMPLES = """examples:
  spades-match run --engine "spades-engine nodes=2000" --engine "python3 bot.py" --pairs 200 --out match.jsonl
  spades-match run --engine "name=new ./new" --engine "name=old ./old" --each movetime=50 \\
      --rules partners --mode games --pairs 100 --concurrency 2 --out games.jsonl
  spades-match resume match.jsonl
  spades-match report match.jsonl --out match.html
  spades-match show match.jsonl --pair 3
  spades-match replay match.jsonl -- spades-engine
  spades-match check -- python3 bot.py"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 for a negative verdict, 2 for what cannot be done; 128 and the
    number of the signal that ended it (130 for an interrupt), 141 where nobody reads the output any more.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    words, command = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the program began
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it lives as long as the program
    options = _parser().parse_args(words)
    with contextlib.suppress(AttributeError, ValueError):  # another stream than the usual one
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    with interruptible():
        try:
            code = int(options.work(options, command))
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what is left in the buffer goes nowhere
            return CLOSED_OUTPUT
        except MatchError as error:
            return _fail(str(error))
        except OSError as error:
            return _fail(of_system(error))
        except KeyboardInterrupt as interrupt:
            return BY_SIGNAL + number_of(interrupt)


def _fail(text: str) -> int:
    """Say why it cannot be done."""
    with contextlib.suppress(OSError):
        sys.stderr.write("spades-match: " + "\n".join(plain(line) for line in text.splitlines()) + "\n")
    return 2


def _put(text: str) -> None:
    """Print a line, whatever engines and files have put into it."""
    sys.stdout.write(f"{plain(text)}\n")


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(
        prog="spades-match",
        description="Plays many games of Spades between programs that speak USP, every deal twice with seats swapped.",
        epilog=EXAMPLES,
        formatter_class=raw,
    )
    parser.add_argument("--version", action="version", version=f"spades-match {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="play a match", formatter_class=raw)
    run.add_argument("--engine", "-e", action="append", default=[], metavar="TEXT", help=ENGINE_HELP)
    run.add_argument("--each", default="", metavar="KEYS", help="keys for every engine that does not say otherwise")
    run.add_argument("--rules", default="draft", metavar="NAME", help=f"{', '.join(PRESETS)} (default draft)")
    run.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="a rule option; may be repeated"
    )
    run.add_argument("--mode", default="hands", choices=MODES, help="single hands (default) or whole games")
    run.add_argument("--pairs", type=int, default=100, metavar="N", help="pairs for each two engines (default 100)")
    run.add_argument("--seed", default="0", metavar="TEXT", help="seed of the cards (default 0)")
    run.add_argument("--schedule", default="round-robin", choices=SCHEDULES, help="default round-robin")
    run.add_argument(
        "--totals",
        default="0,0",
        metavar="N,N",
        help="totals by side to start from (--totals=-50,30 where one begins with a minus)",
    )
    run.add_argument("--bags", default="0,0", metavar="N,N", help="bags by side to start from")
    run.add_argument("--forfeit", type=int, default=200, metavar="N", help="points lost with a hand that is forfeited")
    run.add_argument(
        "--sprt",
        metavar="N0,N1[,A,B]",
        help="stop as soon as a sequential test decides between a normalised Elo of N0 and of N1\n"
        "for the first of two engines, with error rates A and B (default 0.05,0.05);\n"
        "--sprt=-5,5 where it begins with a minus",
    )
    run.add_argument("--out", "-o", type=Path, default=Path("match.jsonl"), metavar="FILE", help="default match.jsonl")
    run.add_argument("--resume", action="store_true", help="go on with FILE if it is there")
    _add_running(run)
    run.set_defaults(work=_run)

    resume = commands.add_parser("resume", help="go on with a match from its results file")
    resume.add_argument("file", type=Path)
    resume.add_argument("--pairs", type=int, metavar="N", help="go on to so many pairs, more than it was begun with")
    _add_running(resume)
    resume.set_defaults(work=_resume)

    report = commands.add_parser("report", help="the figures of a match, finished or not")
    report.add_argument("file", type=Path)
    report.add_argument("--format", choices=tuple(FORMATS.values()), help="default: what the name of --out ends in")
    report.add_argument("--out", "-o", type=Path, metavar="PATH", help="write it to a file instead of showing it")
    report.set_defaults(work=_report)

    show = commands.add_parser("show", help="print what was played, for a reader")
    show.add_argument("file", type=Path)
    show.add_argument("--pair", type=int, metavar="N", help="only this pair")
    show.add_argument("--faults", action="store_true", help="only pairs with a board that was lost by a fault")
    show.add_argument("--draft", action="store_true", help="every turn of the draft, too")
    show.set_defaults(work=_show)

    replay = commands.add_parser(
        "replay", help="verify every record by the rules and, after --, by an engine", usage="%(prog)s FILE [-- ENGINE]"
    )
    replay.add_argument("file", type=Path)
    replay.add_argument("--pair", type=int, metavar="N", help="only this pair")
    replay.set_defaults(work=_replay)

    check = commands.add_parser(
        "check", help="run the conformance suite against an engine", usage="%(prog)s [options] -- COMMAND ARGUMENTS"
    )
    check.add_argument("words", nargs="*", metavar="COMMAND", help="the engine's command line, best after --")
    check.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes at once (default 1)")
    check.add_argument("--level", metavar="LIST", help="levels to test (default: those the engine claims)")
    check.add_argument("--filter", metavar="GLOB", action="append", default=[], help="only checks named like this")
    check.add_argument("--timeout", type=float, metavar="S", help="seconds for any one wait")
    check.set_defaults(work=_check)
    return parser


def _add_running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--concurrency", "-c", type=int, default=1, metavar="N", help="pairs played at once (default 1)"
    )
    parser.add_argument("--executor", default="threads", choices=("threads", "dask"), help="where pairs are played")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="the Dask scheduler, for --executor dask")
    parser.add_argument("--quiet", "-q", action="store_true", help="no progress line and no summary")


# The commands ---------------------------------------------------------------------------------------------------------


def _run(options: argparse.Namespace, _command: Sequence[str]) -> int:
    plan = Plan(
        parse_engines(options.engine, options.each),
        options.rules,
        dict(_option(text) for text in options.set),
        options.mode,
        options.pairs,
        options.seed,
        options.schedule,
        _two(options.totals),
        _two(options.bags),
        options.forfeit,
        None if options.sprt is None else parse_design(options.sprt),
    )
    return _play(plan, options, options.out, is_resumed=options.resume)


def _resume(options: argparse.Namespace, _command: Sequence[str]) -> int:
    plan = Plan.from_header(read_header(options.file))
    if options.pairs is not None:
        plan = replace(plan, pairs=options.pairs)
    return _play(plan, options, options.file, is_resumed=True)


def _play(plan: Plan, options: argparse.Namespace, path: Path, *, is_resumed: bool) -> int:
    concurrency: int = options.concurrency
    make: Callable[[int], Executor] = _threads
    if concurrency < 1:
        raise MatchError("--concurrency is at least 1")
    if options.executor == "dask":
        if not options.scheduler:
            raise MatchError("--executor dask needs --scheduler ADDRESS")
        cluster = ClusterExecutor(options.scheduler)
        concurrency, make = cluster.slots, lambda _count: cluster
    started = time.monotonic()
    summary = run_match(
        plan, path, concurrency=concurrency, is_resumed=is_resumed, is_quiet=options.quiet, make_executor=make
    )
    if not options.quiet:
        for line in _summary(plan, summary, path, time.monotonic() - started):
            _put(line)
    return BY_SIGNAL + summary.signal if summary.is_interrupted else 0


def _threads(count: int) -> Executor:
    return ThreadPoolExecutor(count, "pair")


def _summary(plan: Plan, summary: Summary, path: Path, seconds: float) -> Iterator[str]:
    yield f"{summary.pairs} pairs, {summary.hands} hands scored, {seconds:.1f} s; results in {path}"
    faults = {outcome: count for outcome, count in summary.outcomes.items() if outcome.is_fault}
    for outcome in Outcome:
        if outcome in faults:
            yield f"  {outcome.value}: {faults[outcome]} boards"
    for name, count in sorted(summary.faults.items()):
        yield f"  {name} lost {count} boards by its own fault: spades-match show {path} --faults"
    for name in summary.killed:
        limit = next(spec.steps.quit for spec in plan.engines if spec.name == name)
        yield f"  {name} did not end within {limit:g} s (limit quit) and was killed"
    report = gather(path)
    for name in sorted(summary.faults):
        note = next((note for note in report.faults if note.engine == name), None)
        if note is not None:
            yield f"  for one, pair {note.pair}, board {note.board}: {name}: {note.detail}"
            for text in last_lines(note.last_words):
                yield f"    {text}"
    for encounter in report.encounters:
        yield headline(encounter)
    if summary.is_interrupted:
        yield f"interrupted; spades-match resume {path} goes on"
        return
    if summary.stopped:
        yield f"stopped: {summary.stopped}"
    yield f"all figures: spades-match report {path}, or with plots: spades-match report {path} -o report.html"


def _report(options: argparse.Namespace, _command: Sequence[str]) -> int:
    if options.out is not None and options.out.exists():
        for own in (options.file, timing_path(options.file)):
            if own.exists() and options.out.samefile(own):
                raise MatchError(f"{options.out} is a file of the match itself: name another one for the report")
    kind = options.format or ("text" if options.out is None else FORMATS.get(options.out.suffix.lower()))
    if kind is None:
        raise MatchError(f"{options.out}: a report ends in {', '.join(FORMATS)}; --format takes any name")
    report = gather(options.file)
    for text in report.damage:
        sys.stderr.write(f"spades-match: {plain(text)}\n")
    if kind == "text":
        text = "".join(f"{line}\n" for line in format_text(report))
    else:
        text = format_page(report) if kind == "html" else format_json(report)
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.write_text(text, "utf-8")
    return 0


def _show(options: argparse.Namespace, _command: Sequence[str]) -> int:
    plan = Plan.from_header(read_header(options.file))
    for pair in _chosen(options):
        with _sensible(pair):
            is_fault = any(Outcome(board["outcome"]).is_fault for board in pair["boards"])
        if is_fault or not options.faults:
            with _sensible(pair):
                lines = list(show_pair(plan, pair, has_draft=options.draft))
            for line in lines:
                _put(line)
    return 0


def _replay(options: argparse.Namespace, command: Sequence[str]) -> int:
    plan = Plan.from_header(read_header(options.file))
    problems = pairs = 0
    with _verifier(command) as by_engine:
        for pair in _chosen(options):
            pairs += 1
            with _sensible(pair):
                found = [*check_pair(plan, pair), *by_engine(plan, pair)]
            for problem in found:
                problems += 1
                _put(problem)
    who = "the rules" + (f" and {' '.join(command)}" if command else "")
    verdict = f"{problems} problems" if problems else "all of it holds"
    _put(f"{pairs} pairs verified by {who}: {verdict}")
    return 1 if problems else 0


@contextlib.contextmanager
def _sensible(pair: Mapping[str, Any]) -> Iterator[None]:
    """Have a pair that no runner has written told as such."""
    try:
        yield
    except (ArithmeticError, AttributeError, GameError, LookupError, TypeError, ValueError) as error:
        why = plain(clip(str(error))) or type(error).__name__
        raise MatchError(f"pair {pair.get('pair')} makes no sense: {why}") from None


@contextlib.contextmanager
def _verifier(command: Sequence[str]) -> Iterator[Callable[[Plan, Mapping[str, Any]], list[str]]]:
    """Give what verifies a pair by an engine, if one is named; an engine that fails is started anew."""
    if not command:
        yield lambda _plan, _pair: []
        return
    spec = EngineSpec("engine", tuple(command))
    players: list[Player] = []

    def check(plan: Plan, pair: Mapping[str, Any]) -> list[str]:
        if not players:
            try:
                players.append(Player(spec))
            except Fault as fault:
                raise MatchError(f"{' '.join(command)}: {fault.detail}") from None
        problems = Verifier(players[-1]).check_pair(plan, pair)
        if problems:
            players.pop().kill()
        return problems

    try:
        yield check
    finally:
        for player in players:
            player.close()


def _check(options: argparse.Namespace, command: Sequence[str]) -> int:
    words = [*options.words, *command]
    if not words:
        raise MatchError("check: the engine's command line is missing")
    flags = [f"--jobs={options.jobs}", *(f"--filter={name}" for name in options.filter)]
    if options.level:
        flags.append(f"--level={options.level}")
    if options.timeout:
        flags.append(f"--timeout={options.timeout}")
    return check_engine(words, flags, _say)


def _say(text: str) -> None:
    _put(text)
    sys.stdout.flush()


def _chosen(options: argparse.Namespace) -> Iterable[dict[str, Any]]:
    pairs = read_pairs(options.file)
    if options.pair is None:
        return pairs
    found = [pair for pair in pairs if pair["pair"] == options.pair]
    if not found:
        raise MatchError(f"{options.file} has no pair {options.pair}")
    return found


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise MatchError(f"--set {text}: it is OPTION=VALUE")
    return name, value


def _two(text: str) -> tuple[int, int]:
    try:
        first, second = (int(part) for part in text.split(","))
    except ValueError:
        raise MatchError(f"{text}: two whole numbers, joined by a comma") from None
    return first, second
