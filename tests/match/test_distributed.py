"""A match on a Dask cluster: the same pairs, on real worker processes on the loopback, one of which dies."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.match.killing import command, unbroken

pytest.importorskip("distributed")

WORDS = ["--pairs=40", "--rules=duel"]


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and two workers of one thread each; give its address and the workers."""
    scheduler_file = folder / "scheduler.json"
    common = ["--no-dashboard", "--scheduler-file", str(scheduler_file)]
    dask = [sys.executable, "-m", "dask"]
    with contextlib.ExitStack() as stack:

        def start(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(
                [*dask, *words, *common], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder
            )
            stack.callback(process.wait, 20)
            stack.callback(process.kill)
            return process

        start("scheduler", "--host", "127.0.0.1", "--port", "0")
        for _ in range(600):
            with contextlib.suppress(OSError, ValueError):
                address = json.loads(scheduler_file.read_text("utf-8"))["address"]
                break
            time.sleep(0.1)
        workers = [start("worker", "--nthreads", "1", "--no-nanny", "--name", str(number)) for number in range(2)]
        wait = "import sys; from dask.distributed import Client; Client(sys.argv[1]).wait_for_workers(2, timeout=60)"
        subprocess.run([sys.executable, "-W", "ignore", "-c", wait, address], check=True, timeout=90)
        yield address, workers


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still live."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at processes through /proc")
def test_a_worker_that_dies_costs_nothing(tmp_path: Path) -> None:
    """With a worker killed in mid-match the file is that of an unbroken local run, and no engine is left behind."""
    whole = unbroken(tmp_path / "whole.jsonl", WORDS)
    path = tmp_path / "cluster.jsonl"
    with cluster(tmp_path) as (address, workers):
        words = [*WORDS, "--executor=dask", f"--scheduler={address}"]
        with subprocess.Popen(command(path, *words)) as runner:
            for _ in range(1200):
                if path.exists() and path.read_bytes().count(b"\n") > 5:
                    break
                time.sleep(0.05)
            assert runner.poll() is None
            assert children_of(workers[0].pid)  # it is playing
            workers[0].kill()
            assert runner.wait(120) == 0
        assert path.read_bytes() == whole
        assert not children_of(workers[1].pid)
        # What is left of the cluster plays another match.
        again = tmp_path / "again.jsonl"
        subprocess.run(command(again, *words), check=True, timeout=120)
        assert again.read_bytes() == whole
