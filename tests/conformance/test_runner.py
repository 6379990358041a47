"""The runner against the scripted engine: one that behaves passes, and every fault is caught under its own label."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import run

ROOT = Path(__file__).resolve().parents[2]
SCRIPTED = [sys.executable, str(ROOT / "tests" / "engines" / "scripted.py")]


def outcome(flags: str, filters: str, capsys: pytest.CaptureFixture[str], timeout: str = "5") -> tuple[int, str]:
    """The exit code and the report of the suite, restricted by filters, on a scripted engine."""
    options = [word for part in filters.split() for word in ("--filter", part)]
    code = run.main([*options, "--jobs", "2", "--timeout", timeout, "--", *SCRIPTED, *flags.split()])
    return code, capsys.readouterr().out


# covers: level.2
def test_a_good_engine_passes_level_core(capsys: pytest.CaptureFixture[str]) -> None:
    """A program with level core only, and with a capability that nobody knows, passes everything that applies to it."""
    code, report = outcome("--levels core --capabilities sings,scores", "", capsys, "10")
    assert code == 0, report
    assert " 0 failed" in report


CORE_FAULTS = [
    ("--garbage", "ping", "line.5"),
    ("--blank-lines", "ping", "line.5"),
    ("--binary", "ping", "line.4"),
    ("--overlong", "ping", "line.4"),
    ("--trailing-blank", "ping", "line.4"),
    ("--crlf", "ping", "line.4"),
    ("--partial-line-on ping", "ping-in-time", "line.4"),
    ("--double-reply", "ping", "reply.2"),
    ("--silent", "ping", "reply.2"),
    ("--no-flush", "ping", "reply.2"),
    ("--mute-on ping", "core/blanks", "line.1"),
    ("--wrong-id", "core/ids", "reply.1"),
    ("--no-id", "core/ids", "reply.1"),
    ("--early-output", "silent-start", "line.5"),
    ("--crash-on ping", "core/blanks", "line.2"),
    ("--crash-on 3", "core/blanks", "line.2"),
    ("--die-on-nonsense", "core/unknown-command", "line.2"),
    ("--stall-on ping", "ping-in-time", "core.2"),
    ("--late ping:400", "ping-in-time", "core.2"),
    ("--forgetful", "option-orders", "core.4"),
    ("--ignore-eof", "end-of-input-idle", "life.1"),
    ("--ignore-quit", "ping", "core.3"),
    ("--exit-code 3", "ping", "core.3"),
    ("--exit-code 3", "core/end-of-input.txt", "core.3"),
    ("--die-on-interrupt", "interrupt-idle", "life.2"),
    ("--stderr-noise", "ping", "life.4"),
    ("--spin", "idle-costs", "life.4"),
]
SEARCH_FAULTS = [
    ("--best-twice", "stop-at-once", "go.5"),
    ("--info-after-best", "stop-at-once", "go.5"),
    ("--ignore-stop", "stop-at-once", "reply.2"),
    ("--early-best", "infinite-when-forced", "go.3"),
    ("--illegal", "infinite-when-forced", "go.2"),
    ("--crash-on go", "stop-at-once", "line.2"),
    ("--late go:600", "limits-in-time", "go.9"),
    ("--levels core,seat --crash-on stop", "stop-at-once", "line.2"),
]


@pytest.mark.parametrize(("flags", "filters", "label"), CORE_FAULTS)
def test_faults_of_core(flags: str, filters: str, label: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault is caught, reported under the sentence it breaks, with the sentence's text and the exchange marked."""
    code, report = outcome(f"--levels core {flags}", filters, capsys, "3")
    assert code == 1, report
    assert f"breaks [{label}]" in report, report
    assert "=> " in report
    assert "^ here: " in report


@pytest.mark.parametrize(("flags", "filters", "label"), SEARCH_FAULTS)
def test_faults_of_searching(flags: str, filters: str, label: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault of a search is caught and reported under the sentence it breaks."""
    code, report = outcome(f"--levels core,seat {flags}", filters, capsys, "3")
    assert code == 1, report
    assert f"breaks [{label}]" in report, report


def test_a_flood_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that prints `info` without end while thinking is borne: `stop` still ends it."""
    code, report = outcome("--levels core,seat --flood --action play_3C --think 100", "stop-at-once", capsys)
    assert code == 0, report


def test_levels_that_an_engine_does_not_have_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of a level that the engine does not claim is run."""
    code, report = outcome("--levels core", "tools/", capsys)
    assert code == 2
    assert "0 passed, 0 failed" in report


def test_a_missing_level_must_be_unsupported(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that claims less than it answers breaks the sentence on levels."""
    code, report = outcome("--levels core --reply newgame=ok", "missing-levels", capsys)
    assert code == 0, report
    code, report = outcome("--levels seat", "missing-levels", capsys)
    assert code == 1
    assert "breaks [level.1]" in report


def test_a_command_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that cannot be run is no failure of a program but exit code 2."""
    assert run.main(["--", "/no/such/program"]) == 2
    assert "cannot be run" in capsys.readouterr().err


def test_an_unpacked_copy_runs_alone(tmp_path: Path) -> None:
    """The folder alone, without SPEC.md and without our packages, runs under an isolated interpreter."""
    folder = tmp_path / "conformance kit"
    shutil.copytree(ROOT / "protocol" / "conformance", folder, ignore=shutil.ignore_patterns("__pycache__"))
    arguments = ["--filter", "core/ids", "--filter", "core/blanks", "--", *SCRIPTED, "--levels", "core", "--no-id"]
    done = subprocess.run(
        [sys.executable, "-I", str(folder / "run.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "MUST begin with the id of that command" in " ".join(done.stdout.split())


def test_every_transcript_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--list` names every transcript and check once, with what it covers, and runs nothing."""
    assert run.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split("  ")[0] for line in lines]
    assert len(names) == len(set(names))
    assert {"valid/core/handshake.txt", "invalid/play/must-follow.txt", "runner/nonsense"} <= set(names)
    assert all("  [" in line for line in lines)
