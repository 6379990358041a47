"""Files that somebody has edited: every command says what is wrong, in a line, and changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spades_match.cli import main
from spades_match.plan import Plan
from spades_match.store import timing_path
from tests.match.playing import instant, play

EDITS = int(os.environ.get("SPADES_EDITS", "60"))
"""So many edits are tried; a thousand take some minutes."""

VALUES: list[Any] = [None, True, -1, 0, 1e400, 10**30, "", "\x1b[2J", "x" * 5000, [], [[]], {}, {"a": 1}]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of single hands with figures of searches, and one board that was lost by a fault."""
    path = tmp_path_factory.mktemp("match") / "m.jsonl"
    play(Plan((instant("A"), instant("B")), "duel", pairs=3), path)
    return path


def places(raw: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place within an object, as the way to it."""
    found = [at] if at else []
    items = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    for key, value in items:
        found += places(value, (*at, key))
    return found


def edited(lines: list[bytes], rng: Random) -> bytes:
    """The file with one edit: a value replaced, a key dropped, a line torn, doubled, moved, or made noise."""
    lines = list(lines)
    number = rng.randrange(len(lines))
    kind = rng.randrange(8)
    if kind < 5:
        raw = json.loads(lines[number])
        *way, last = rng.choice(places(raw))
        inner = raw
        for key in way:
            inner = inner[key]
        if kind == 4 and isinstance(inner, dict):
            del inner[last]
        else:
            inner[last] = rng.choice(VALUES)
        lines[number] = json.dumps(raw).encode() + b"\n"
    elif kind == 5:
        lines[number] = lines[number][: rng.randrange(len(lines[number]))] + b"\n" * rng.randrange(2)
    elif kind == 6:
        lines.insert(rng.randrange(len(lines) + 1), lines[number])
    else:
        place = rng.randrange(len(lines[number]))
        lines[number] = lines[number][:place] + rng.randbytes(3) + lines[number][place:]
    return b"".join(lines)


def commands(path: Path) -> list[list[str]]:
    """What may be asked of a match."""
    return [
        ["report", str(path), "--format", "json"],
        ["report", str(path), "--format", "text"],
        ["show", str(path)],
        ["replay", str(path)],
        ["resume", str(path), "-q"],
    ]


@pytest.mark.parametrize("which", ["results", "timing"])
def test_an_edited_file_is_told_of_and_kept(
    match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], which: str
) -> None:
    """Whatever is edited, no command ends but with a documented code; what it refuses it leaves as it is."""
    rng = Random(f"edits of {which}")
    path = tmp_path / "m.jsonl"
    target: Callable[[Path], Path] = (lambda path: path) if which == "results" else timing_path
    for number in range(EDITS):
        for name in (match, timing_path(match)):
            (tmp_path / name.name).write_bytes(name.read_bytes())
        data = edited(target(match).read_bytes().splitlines(keepends=True), rng)
        target(path).write_bytes(data)
        before = path.read_bytes()
        for words in commands(path):
            code = main(words)
            out, err = capsys.readouterr()
            assert code in (0, 1, 2), (number, words)
            assert "Traceback" not in err
            assert "\x1b" not in out + err
            if code == 2:
                assert err.startswith("spades-match: ")
                assert err.count("\n") < 20
                assert path.read_bytes() == before, (number, words)
            if which == "timing":
                assert code == 0, (number, words, err)


@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "."])
@pytest.mark.parametrize("command", ["report", "show", "replay", "resume"])
def test_what_is_no_file_is_refused_at_once(command: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A device or a folder in place of a results file is refused, and never read to an end that it has not."""
    assert main([command, name]) == 2
    assert "is not a file" in capsys.readouterr().err


def test_a_link_to_a_device_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A results file that leads to a device is refused before an engine is started."""
    (tmp_path / "m.jsonl").symlink_to("/dev/full")
    assert main(["run", "-e", "false", "-e", "false", "--resume", "-o", str(tmp_path / "m.jsonl")]) == 2
    assert "is not a file" in capsys.readouterr().err


def test_a_folder_that_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Results and reports for a folder that is not there are refused, with its name and no number of the system's."""
    assert main(["run", "-e", "a", "-e", "b", "-o", str(tmp_path / "x" / "m.jsonl")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_system_error_is_told_in_words(match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the system refuses is told with the file, the reason and what to look at; no `[Errno 2]`."""
    assert main(["report", str(match), "-o", str(tmp_path / "x" / "r.txt")]) == 2
    err = capsys.readouterr().err
    assert "r.txt: no such file or directory; is the path right" in err
    assert "Errno" not in err


def test_a_report_of_an_unknown_ending_is_refused(
    match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report whose name does not say what it is written as is refused, with the endings; no file is made."""
    assert main(["report", str(match), "-o", str(tmp_path / "r.xyz")]) == 2
    assert "ends in .txt, .json, .html" in capsys.readouterr().err
    assert not (tmp_path / "r.xyz").exists()
