"""The results file: whole lines in order, whatever happens to the runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spades_match.outcomes import MatchError
from spades_match.plan import Plan
from spades_match.store import Store, read_header, read_pairs, read_timings, timing_path
from tests.match.killing import killed_and_resumed, unbroken
from tests.match.playing import instant, play
from tests.match.test_report import board, pair

HEADER = {"match": 1, "pairs": 5, "seed": "s"}


def line(number: int) -> str:
    """Return the line of a pair."""
    return json.dumps(pair(number, [board(), board(swapped=True)]))


def fill(path: Path, count: int) -> bytes:
    """Write so many pairs and return the file."""
    with Store(path, HEADER) as store:
        for number in range(count):
            store.append(number, line(number), line(number))
    return path.read_bytes()


def test_pairs_are_written_in_order_only(tmp_path: Path) -> None:
    """A pair that is not the next one is refused."""
    with Store(tmp_path / "m.jsonl", HEADER) as store:
        store.append(0, line(0), line(0))
        with pytest.raises(ValueError, match="pair 2"):
            store.append(2, line(2), line(2))


def test_half_a_line_at_the_end_is_cut(tmp_path: Path) -> None:
    """Wherever the last line has been torn, the match goes on with that pair, and both files are as if never torn."""
    path = tmp_path / "m.jsonl"
    whole = fill(path, 3)
    timing = timing_path(path).read_bytes()
    start = len(whole) - len(line(2)) - 1
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        with Store(path, HEADER, is_resumed=True) as store:
            assert store.done == 2
            store.append(2, line(2), line(2))
        assert path.read_bytes() == whole
        assert timing_path(path).read_bytes() == timing


def test_zeros_at_the_end_are_cut(tmp_path: Path) -> None:
    """What a power cut leaves of a line, zeros in its place, is cut like half a line."""
    path = tmp_path / "m.jsonl"
    whole = fill(path, 2)
    path.write_bytes(whole + b"\0" * 500)
    with Store(path, HEADER, is_resumed=True) as store:
        assert store.done == 2
    assert path.read_bytes() == whole


def test_damage_in_the_middle_is_not_mended_silently(tmp_path: Path) -> None:
    """A file with a damaged line before others is refused, and stays as it is."""
    path = tmp_path / "m.jsonl"
    damaged = fill(path, 3).replace(b'"pair": 1', b'"pear": 1')
    path.write_bytes(damaged)
    with pytest.raises(MatchError, match="line 3"):
        Store(path, HEADER, is_resumed=True)
    assert path.read_bytes() == damaged


def test_another_match_is_not_gone_on_with(tmp_path: Path) -> None:
    """A file of another match is refused, with what differs; one that is there is never overwritten."""
    path = tmp_path / "m.jsonl"
    whole = fill(path, 2)
    with pytest.raises(MatchError, match=r'seed: "s" there, "t" here'):
        Store(path, {**HEADER, "seed": "t"}, is_resumed=True)
    with pytest.raises(MatchError, match="--resume"):
        Store(path, HEADER)
    assert path.read_bytes() == whole


def test_two_runners_cannot_write_one_file(tmp_path: Path) -> None:
    """While one runner writes a file another is refused."""
    path = tmp_path / "m.jsonl"
    with Store(path, HEADER), pytest.raises(MatchError, match="another match runner"):
        Store(path, HEADER, is_resumed=True)


def test_a_file_being_written_can_be_read(tmp_path: Path) -> None:
    """Readers see the header and every whole line, and leave half a line out."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(fill(path, 3)[:-5])
    assert read_header(path) == HEADER
    assert [pair["pair"] for pair in read_pairs(path)] == [0, 1]
    assert [raw is not None for _, raw in read_timings(timing_path(path))] == [True] * 3


def test_another_file_is_no_results_file(tmp_path: Path) -> None:
    """A file without a header is refused by name."""
    path = tmp_path / "other.txt"
    path.write_text("hello\n", "utf-8")
    with pytest.raises(MatchError, match=r"other\.txt"):
        read_header(path)


def test_a_match_that_is_done_is_left_alone(tmp_path: Path) -> None:
    """Going on with a match that has come to its end plays nothing and changes nothing."""
    plan = Plan((instant("A"), instant("B")), "duel", pairs=1)
    play(plan, tmp_path / "m.jsonl")
    before = (tmp_path / "m.jsonl").read_bytes()
    summary, _ = play(plan, tmp_path / "m.jsonl", is_resumed=True)
    assert summary.pairs == 0
    assert (tmp_path / "m.jsonl").read_bytes() == before


@pytest.mark.parametrize("words", [["--pairs=40", "-c1"], ["--pairs=40", "-c2", "--rules=partners"]])
def test_a_killed_match_ends_as_an_unbroken_one(tmp_path: Path, words: list[str]) -> None:
    """A match killed at random moments and gone on with leaves, byte for byte, the file of an unbroken one."""
    whole = unbroken(tmp_path / "whole.jsonl", words)
    broken, met = killed_and_resumed(tmp_path / "broken.jsonl", words, 4, 0.15, 1)
    assert met > 0
    assert broken == whole
