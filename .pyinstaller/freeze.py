"""Freeze the engine from its wheel into a folder and an archive: freeze WHEELS OUT.

WHEELS is a folder that holds one wheel of ours. A clean environment beside OUT gets that wheel and the pinned
PyInstaller and nothing else; the result is OUT/spades-engine/spades-engine, run once before it counts as built, and
OUT/spades-engine-VERSION-SYSTEM-MACHINE.tar.gz with its checksum. Two runs on one wheel give equal archives.
"""

import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("LICENSE", "SPEC.md")
EPOCH = 315532800  # 1980-01-01, the time stamp of every file in the archive: equal sources give equal archives


def freeze(wheel: Path, out: Path) -> Path:
    """Return the executable of a new folder build of the wheel, in `out`."""
    environment = out.with_name(out.name + "-venv")
    shutil.rmtree(environment, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    venv.create(environment, with_pip=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "-c", ROOT / ".ci" / "constraints.txt"]
    subprocess.run([*pip, "pyinstaller"], check=True)
    subprocess.run([*pip, "--no-deps", wheel], check=True)
    work = out.with_name(out.name + "-work")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    env = dict(os.environ, PYTHONHASHSEED="0", SOURCE_DATE_EPOCH=str(EPOCH), PYINSTALLER_CONFIG_DIR=str(work))
    env.pop("PYTHONPATH", None)
    log = work / "pyinstaller.log"
    spec = ROOT / ".pyinstaller" / "spades-engine.spec"
    # -P, -s and a current folder of its own: no module of the tree can be taken for one of the wheel. Not -I, which
    # would drop PYTHONHASHSEED.
    command: list[str | Path] = [python, "-P", "-s", "-m", "PyInstaller", "--noconfirm", "--clean"]
    command += ["--distpath", out, "--workpath", work, spec]
    with log.open("wb") as stream:
        done = subprocess.run(
            command, cwd=work, env=env, stdout=stream, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
    if done.returncode:
        raise SystemExit(f"{log.read_text(encoding='utf-8', errors='replace')}\nPyInstaller failed; log: {log}")
    for name in DOCUMENTS:
        shutil.copy(ROOT / name, out / "spades-engine")
    return out / "spades-engine" / ("spades-engine.exe" if os.name == "nt" else "spades-engine")


def run(executable: Path) -> str:
    """Return the final reply of the executable's handshake; SystemExit if it gives none."""
    done = subprocess.run([executable], input=b"usp 1\nquit\n", capture_output=True, env={}, timeout=60)
    lines = done.stdout.decode("utf-8").splitlines()
    replies = [line for line in lines if line.startswith("ok ")]
    if done.returncode or done.stderr or not replies:
        raise SystemExit(f"the frozen engine is dead: exit {done.returncode}\n{done.stdout!r}\n{done.stderr!r}")
    return replies[0]


def plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Take the owner and the time out of an archive entry."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = EPOCH
    info.mode = 0o755 if info.mode & 0o100 or info.isdir() else 0o644
    return info


def pack(folder: Path, version: str) -> Path:
    """Write the archive of the folder beside it, and SHA256SUMS; return the archive."""
    name = f"spades-engine-{version}-{platform.system().lower()}-{platform.machine().lower()}"
    archive = folder.with_name(name + ".tar.gz")
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in sorted(folder.rglob("*")):
            tar.add(path, Path(name) / path.relative_to(folder), recursive=False, filter=plain)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.with_name("SHA256SUMS").write_text(f"{digest}  {archive.name}\n", encoding="ascii")
    return archive


def main(wheels: Path, out: Path) -> None:
    """Freeze, run, pack."""
    (wheel,) = wheels.glob("spades_engine-*.whl")
    executable = freeze(wheel, out)
    print(f"frozen from {wheel.name}: {run(executable)}")
    archive = pack(executable.parent, wheel.name.split("-")[1])
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
