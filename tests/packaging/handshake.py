"""Start an engine, shake hands, quit: the smallest proof that a build is alive. Used by the checks beside it."""

import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SIGNATURE = Path(__file__).parents[1] / "bench" / "signature.txt"


def shake(
    command: Sequence[str | Path], *, env: Mapping[str, str] | None = None, cwd: Path | None = None, limit: float = 30.0
) -> list[str]:
    """Send `usp 1` and `quit` to a fresh process and return its lines.

    `env` None means the caller's environment; `limit` is in seconds. Raise AssertionError with what was seen if the
    answer is not a handshake, or if the process writes to stderr or exits with another code than 0.
    """
    done = subprocess.run(command, input=b"usp 1\nquit\n", capture_output=True, env=env, cwd=cwd, timeout=limit)
    seen = f"{command}: exit {done.returncode}\nstdout: {done.stdout!r}\nstderr: {done.stderr!r}"
    lines = done.stdout.decode("utf-8").split("\n")
    assert done.returncode == 0, seen
    assert done.stderr == b"", seen
    assert lines[0].startswith("id name="), seen
    finals = [line for line in lines if line == "ok" or line.startswith("ok ")]
    assert len(finals) == 2, seen
    assert finals[0].startswith("ok usp=1"), seen
    assert lines[-2:] == [finals[1], ""], seen
    return lines[:-1]


def time_to_reply(command: Sequence[str | Path], *, env: Mapping[str, str] | None = None) -> float:
    """Return the seconds from starting the process to the final reply of its handshake, with stdin still open."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"usp 1\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith(b"ok "):
                break
        else:
            raise AssertionError(f"{command} ended without a final reply")
        elapsed = time.perf_counter() - start
        process.stdin.close()
        assert process.wait(timeout=10) == 0
    return elapsed


def bench_nodes(command: Sequence[str | Path], *, limit: float = 600.0) -> int:
    """Return the node count that `COMMAND bench` prints as `nodes=N` on its last line that has one."""
    done = subprocess.run([*command, "bench"], capture_output=True, text=True, check=True, timeout=limit)
    counts = [word.removeprefix("nodes=") for word in done.stdout.split() if word.startswith("nodes=")]
    assert counts, f"no nodes= in the output of bench:\n{done.stdout}"
    return int(counts[-1])


def signature() -> int | None:
    """Return the node count on record, or None while there is none."""
    if not SIGNATURE.exists():
        return None
    lines = [line for line in SIGNATURE.read_text(encoding="ascii").splitlines() if line and not line.startswith("#")]
    assert len(lines) == 1, f"{SIGNATURE} must hold one number"
    return int(lines[0])
