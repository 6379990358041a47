"""The transcript file: what was said, in the format of the conformance suite, and playable again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from spades_client import ClientError, EngineRefused, EngineTimeout, Limit
from tests.client.driving import ROOT, SHORT, Popen, scripted


def replay(file: Path, command: list[str]) -> None:
    """Play a transcript again with the runner of the conformance suite."""
    example = file.with_suffix(".md")
    example.write_text(f"```usp\n{file.read_text()}```\n")
    runner = [
        sys.executable,
        str(ROOT / "protocol/conformance/run.py"),
        "--spec",
        str(example),
        "--timeout",
        "30",
        "--",
    ]
    done = subprocess.run([*runner, *command], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_file_can_be_played_again(popen: Popen, tmp_path: Path) -> None:
    """A whole conversation, with refusals and a search limited by time, passes as a transcript of the same engine."""
    file = tmp_path / "talk.txt"
    command = scripted("--reply", 'play=error illegal-action "no" why=must-follow')
    with popen(command, transcript=file) as engine:
        engine.configure({"movetime": 20})
        engine.newgame("duel", seed="7")
        engine.help()
        engine.go(Limit(nodes=5))
        engine.go(Limit(movetime=5))
        with pytest.raises(EngineRefused):
            engine.apply("play AS")
        with engine.analyse(Limit(infinite=True)):
            engine.ping()
        engine.state()
        engine.quit()
    lines = file.read_text().splitlines()
    assert lines[:3] == [
        "; A conversation with Scripted 1.0", "; level: core seat table analysis tools", "; covers: reply.2",
    ]  # fmt: skip
    assert "> #1 usp 1" in lines
    assert any(line.startswith('; < #1 id name="Scripted"') for line in lines)
    assert any(line.endswith('error illegal-action "..." why=must-follow ...') for line in lines)
    assert "; the engine has ended with exit code 0" in lines
    replay(file, command)


def test_a_transcript_of_a_failure_tells_what_failed(popen: Popen, tmp_path: Path) -> None:
    """Lines out of place and answers that were given up stand in the file as comments."""
    file = tmp_path / "talk.txt"
    with popen(scripted("--garbage", "--binary", "--mute-on", "legal"), transcript=file) as engine:
        with pytest.raises(EngineTimeout):
            engine.legal(timeout=SHORT)
        engine.ping()
    text = file.read_text()
    assert "; < DEBUG value=3" in text
    assert "; < \\xff\\xfe\\x80" in text
    assert "; the client no longer waits for the answer to #2: no answer to 'legal' within 0.25 s" in text


def test_a_failed_handshake_is_written_too(popen: Popen, tmp_path: Path) -> None:
    """Where there is no handshake the file still has what was said."""
    file = tmp_path / "talk.txt"
    with pytest.raises(ClientError):
        popen(scripted("--crash-on", "usp"), transcript=file)
    lines = file.read_text().splitlines()
    assert lines[0] == "; A conversation without a handshake"
    assert lines[-2:] == ["> #1 usp 1", "; the engine has ended with exit code 3"]


def test_a_file_that_cannot_be_written_starts_nothing(popen: Popen, tmp_path: Path) -> None:
    """A transcript that cannot be opened is an OSError before the engine is started."""
    with pytest.raises(OSError, match="missing"):
        popen(scripted(), transcript=tmp_path / "missing" / "talk.txt")
