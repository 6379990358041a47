"""The results file: JSON Lines, a header and then one line for each pair, in order, each written whole or not at all.

A line is appended by one write, and what a kill or a power cut leaves of it is cut off when the match goes on, so the
file of a match that was broken off any number of times is, byte for byte, that of one that was not. What depends on
timing (milliseconds, overruns, last words, figures of searches) is kept apart, in `<name>.timing.jsonl`.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from spades_match.outcomes import MatchError
from spades_match.reading import LONGEST, check_file, fault_in_pair, number_of, parse_line
from spades_match.words import clip, plain

_SYNC_EVERY: Final = 1.0  # seconds between flushes to the disk; only a power cut can cost what lies between


_SUFFIX: Final = ".jsonl"
_TIMING: Final = ".timing.jsonl"


def timing_path(path: Path) -> Path:
    """Return the name of the timing file that belongs to a results file."""
    return path.with_name(path.name.removesuffix(_SUFFIX) + _TIMING)


class Store:
    """A results file that is being written; nobody else can write it meanwhile.

    `header` is the match. A file that is there is gone on with if `is_resumed` and its header is the same. Raises
    MatchError for a file that is in the way, in use, or damaged, and OSError where it cannot be written.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], *, is_resumed: bool = False) -> None:
        self.path = path
        line = _encode(header)
        check_place(path, is_resumed=is_resumed)
        if not path.exists():
            _create(path, line)
        self._file = os.open(path, os.O_RDWR)
        self._timing: int | None = None
        try:
            self._lock()
            if _has_more_pairs(path, line):
                self._put_header(line)
            _check_header(path, line)
            self.done = self._cut_tail()
            """How many pairs the file holds."""
            self._timing = self._open_timing()
        except BaseException:
            self.close()
            raise
        self._synced = time.monotonic()

    def append(self, number: int, line: str, timing: str) -> None:
        """Add the pair that comes next. Raises ValueError for another one."""
        if number != self.done:
            raise ValueError(f"pair {number} was given where pair {self.done} comes next")
        _write(self._file, line.encode("utf-8") + b"\n")
        self.done += 1
        if self._timing is not None:
            _write(self._timing, timing.encode("utf-8") + b"\n")
        if time.monotonic() - self._synced > _SYNC_EVERY:
            os.fsync(self._file)
            self._synced = time.monotonic()

    def close(self) -> None:
        """Have everything on the disk, and let go of the files."""
        if self._file >= 0:
            with suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1
        if self._timing is not None:
            os.close(self._timing)
            self._timing = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _put_header(self, line: bytes) -> None:
        """Replace the file by one with this header and the same pairs: it is there as it was, or whole."""
        part = _part_of(self.path)
        try:
            with self.path.open("rb") as old, part.open("wb") as new:
                old.readline(LONGEST)
                new.write(line)
                shutil.copyfileobj(old, new)
                new.flush()
                os.fsync(new.fileno())
            file = os.open(part, os.O_RDWR)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.rename(self.path)
        finally:
            part.unlink(missing_ok=True)
        os.close(self._file)
        self._file = file

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MatchError(f"{self.path} is being written by another match runner") from None

    def _cut_tail(self) -> int:
        """Cut off half a line at the end of the file, and count the pairs. Raises MatchError for a damaged line."""
        end = count = 0
        with self.path.open("rb") as file:
            for place, line in enumerate(file):
                if place and not line.endswith(b"\n"):
                    break
                if place:
                    _pair_of(self.path, place, line, count)
                end += len(line)
                count += place > 0
                if not place and not line.endswith(b"\n"):  # the header is whole, as it has been compared
                    os.pwrite(self._file, b"\n", end)
                    end += 1
                    break
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)
        return count

    def _open_timing(self) -> int:
        """Open the timing file, without lines that belong to no pair of the results; one that is damaged stays."""
        path = timing_path(self.path)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        end = 0
        with path.open("rb") as lines:
            for line in lines:
                number = number_of(parse_line(line))
                if not line.endswith(b"\n") or (number is not None and number >= self.done):
                    break
                end += len(line)
        os.ftruncate(file, end)
        os.lseek(file, end, os.SEEK_SET)
        return file


def check_place(path: Path, *, is_resumed: bool) -> None:
    """Raise MatchError where no results file can be, or one is that is not to be gone on with."""
    if not path.name.endswith(_SUFFIX) or path.name.endswith(_TIMING):
        raise MatchError(f"{path}: the name of a results file ends in {_SUFFIX}, and not in {_TIMING}")
    if not path.parent.is_dir():
        raise MatchError(f"{path}: there is no folder {path.parent}; make it first")
    if path.exists():
        check_file(path)
        if not is_resumed:
            raise MatchError(f"{path} is there already: go on with it by --resume, or name another file")


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a results file. Raises MatchError for another file, OSError where it cannot be read."""
    check_file(path)
    with path.open("rb") as file:
        line = file.readline(LONGEST)
    if not _is_header(line):
        raise MatchError(f"{path} is not a results file: its first line is no header")
    header: dict[str, Any] = json.loads(line)
    return header


def read_pairs(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pairs of a results file in order; half a line at the end is left out.

    Raises MatchError for a whole line that is damaged, and for a pair out of order.
    """
    check_file(path)
    with path.open("rb") as file:
        for place, line in enumerate(file):
            if place and line.endswith(b"\n"):
                yield _pair_of(path, place, line, place - 1)
            elif not place and not _is_header(line):
                raise MatchError(f"{path} is not a results file: its first line is no header")


def _pair_of(path: Path, place: int, line: bytes, number: int) -> dict[str, Any]:
    """Return the pair of a line, which must be the one of that number."""
    raw = parse_line(line)
    if raw is None or number_of(raw) is None:
        raise MatchError(f"{path}: line {place + 1} is damaged: it is no pair")
    if number_of(raw) != number:
        raise MatchError(f"{path}: line {place + 1} is damaged: it is pair {number_of(raw)}, and {number} comes next")
    fault = fault_in_pair(raw)
    if fault:
        raise MatchError(f"{path}: line {place + 1} is damaged: {plain(clip(fault))}")
    return raw


def _has_more_pairs(path: Path, line: bytes) -> bool:
    """Tell whether the match of this header is the file's, only longer. Raises MatchError where it is shorter."""
    old, new = read_header(path), json.loads(line)
    if old == new or {**old, "pairs": new["pairs"]} != new or type(old.get("pairs")) is not int:
        return False
    if new["pairs"] < old["pairs"]:
        raise MatchError(f"{path} is a match of {old['pairs']} pairs: it can get more of them, and not fewer")
    return True


def _check_header(path: Path, line: bytes) -> None:
    """Compare the file's header with that of the match that is to go on."""
    old, new = read_header(path), json.loads(line)
    if old == new:
        return
    keys = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    shown = "; ".join(f"{key}: {_short(old.get(key))} there, {_short(new.get(key))} here" for key in keys)
    raise MatchError(f"{path} is of another match, which cannot be gone on with like this: {shown}")


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 300 else text[:297] + "..."


def _create(path: Path, line: bytes) -> None:
    """Make the file with its header: it is there whole or not at all."""
    part = _part_of(path)
    try:
        with part.open("wb") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(part, path)  # unlike a renaming it never takes the place of another runner's file
        except FileExistsError:
            raise MatchError(f"{path} is being made by another match runner") from None
        except OSError:  # a file system without links
            part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with suppress(OSError):
        timing_path(path).unlink(missing_ok=True)  # of a match whose results are gone


def _part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _encode(header: Mapping[str, Any]) -> bytes:
    return json.dumps(header, separators=(",", ":")).encode("utf-8") + b"\n"


def read_timings(path: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield the lines of a timing file by their numbers from 1, each an object about a later pair than those before.

    None stands for a line that is damaged. Half a line at the end is left out.
    """
    last = -1
    with path.open("rb") as file:
        for place, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            raw = parse_line(line)
            number = number_of(raw)
            if number is None or number <= last:
                yield place, None
            else:
                last = number
                yield place, raw


def _is_header(line: bytes) -> bool:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and "match" in raw


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
