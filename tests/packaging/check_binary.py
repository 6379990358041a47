"""Check the frozen folder build as its users meet it: check_binary EXECUTABLE."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import PIPE

from tests.packaging.handshake import bench_nodes, shake, signature, time_to_reply

PARALLEL = 32
STARTS = 20


def check_surroundings(executable: Path) -> None:
    """Shake hands with an empty environment, in a read-only folder, and from an odd path."""
    shake([executable], env={})
    with tempfile.TemporaryDirectory(prefix="spades ") as name:
        locked = Path(name) / "read-only"
        locked.mkdir()
        locked.chmod(0o555)
        shake([executable], env={}, cwd=locked)
        assert not list(locked.iterdir()), "the engine wrote into its current folder"
        odd = Path(name) / "Pik-Aß mit Leerzeichen ♠"
        shutil.copytree(executable.parent, odd, symlinks=True)
        shake([odd / executable.name], env={}, cwd=locked)
    hostile = {"PYTHONHOME": "/nonexistent", "PYTHONPATH": "/nonexistent", "PYTHONUTF8": "0", "LC_ALL": "C"}
    shake([executable], env=hostile)
    print("binary: alive with an empty environment, in a read-only folder, on an odd path, among Python's variables")


def check_parallel(executable: Path) -> None:
    """Start many at once; each must answer, and none may leave anything behind in the folder for temporary files."""
    with tempfile.TemporaryDirectory(prefix="spades-") as name:
        processes = [
            subprocess.Popen([executable], stdin=PIPE, stdout=PIPE, stderr=PIPE, env={"TMPDIR": name})
            for _ in range(PARALLEL)
        ]
        for process in processes:
            out, err = process.communicate(b"usp 1\nquit\n", timeout=60)
            assert process.returncode == 0, (process.returncode, out, err)
            assert b"\nok usp=1" in out, (out, err)
            assert err == b"", err
        left = os.listdir(name)
        assert not left, f"left behind: {left}"
    print(f"binary: {PARALLEL} parallel starts, all answered, nothing left behind")


def report(executable: Path) -> None:
    """Print size and start-up, for the reader: neither is a pass or a fail here."""
    size = sum(path.lstat().st_size for path in executable.parent.rglob("*") if not path.is_dir())
    frozen = statistics.median(time_to_reply([executable], env={}) for _ in range(STARTS))
    plain = statistics.median(time_to_reply([sys.executable, "-m", "spades_engine"]) for _ in range(STARTS))
    print(
        f"binary: {size / 1e6:.1f} MB, {frozen * 1e3:.1f} ms to the handshake's reply, "
        f"{plain / frozen:.1f} times as fast as python -m spades_engine"
    )


def main(executable: Path) -> None:
    """Run every check."""
    executable = executable.resolve()
    for document in ("LICENSE", "SPEC.md"):
        assert (executable.parent / document).is_file(), f"{document} is not beside the executable"
    check_surroundings(executable)
    check_parallel(executable)
    expected = signature()
    if expected is not None:
        nodes = bench_nodes([executable])
        assert nodes == expected, f"bench of the binary: {nodes} nodes, on record {expected}"
        print(f"binary: bench {nodes} nodes, as on record")
    report(executable)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
