"""Check an sdist and the wheel built from it, installed clean and outside the tree: check_dist FOLDER."""

import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from tests.packaging.handshake import bench_nodes, shake, signature

PACKAGES = ("spades_client", "spades_engine", "spades_match", "spades_protocol")

COMPILED = ("spades_engine/equity/_sweep", "spades_engine/search/_chain", "spades_engine/search/_kernel")
SUITE = Path(__file__).parents[2] / "protocol" / "conformance"


def the_one(folder: Path, pattern: str) -> Path:
    """Return the only file of that pattern in the folder."""
    found = sorted(folder.glob(pattern))
    assert len(found) == 1, f"{pattern} in {folder}: {[path.name for path in found]}"
    return found[0]


def check_sdist(path: Path) -> None:
    """Hold the sdist to the kernel's sources, and to nothing that was built."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in (
        "LICENSE",
        "pyproject.toml",
        "setup.py",
        "spades_engine/search/_kernel.pxd",
        "spades_engine/search/kernel.py",
        "spades_engine/equity/_sweep.pxd",
        "spades_engine/equity/draft.bin",
        "protocol/conformance/run.py",
    ):
        assert needed in names, f"{path.name} lacks {needed}"
    built = sorted(name for name in names if name.endswith((".c", ".so", ".pyc", ".pyd")))
    assert not built, f"{path.name} holds {built}"
    print(f"{path.name}: {len(names)} entries, kernel source in, nothing built in")


def check_wheel(path: Path) -> None:
    """Hold the wheel to our packages, both twins of the kernel, the type markers, and no requirements."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        (metadata_name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(metadata_name).decode("utf-8").partition("\n\n")[0].splitlines()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES), f"{path.name} installs {tops}"
    assert "spades_engine/search/kernel.py" in names, f"{path.name} lacks the readable kernel"
    compiled = sorted(name.partition(".")[0] for name in names if name.endswith((".so", ".pyd")))
    assert compiled == sorted(COMPILED), f"{path.name}: compiled modules {compiled}"
    for package in PACKAGES:
        assert f"{package}/py.typed" in names, f"{path.name} lacks {package}/py.typed"
    unwanted = [name for name in names if name.endswith((".c", ".pxd", ".pyx", ".pyc")) or "/test" in name]
    assert not unwanted, f"{path.name} holds {unwanted}"
    suite = {path.relative_to(SUITE).as_posix() for path in SUITE.rglob("*") if path.is_file()}
    suite = {name for name in suite if "__pycache__" not in name}
    missing = sorted(name for name in suite if f"spades_match/conformance/{name}" not in names)
    assert suite, f"no conformance suite in {SUITE}"
    assert not missing, f"{path.name} lacks {missing} of the conformance suite"
    requirements = [line for line in metadata if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert not requirements, f"{path.name} requires {requirements}"
    print(f"{path.name}: {len(names)} files, all twins in, no requirements")


def check_installed(wheel: Path) -> None:
    """Install the wheel alone, away from the tree, and run it."""
    with tempfile.TemporaryDirectory(prefix="spades clean ") as name:
        here = Path(name)
        venv.create(here / "venv", with_pip=True)
        bin_folder = here / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = bin_folder / "python"
        ask = "import sysconfig; print(sysconfig.get_path('platlib'))"
        site = Path(subprocess.check_output([python, "-I", "-c", ask], text=True).strip())
        before = set(os.listdir(site))
        install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel.resolve())]
        subprocess.run([python, *install], check=True, cwd=here)
        new = {entry for entry in set(os.listdir(site)) - before if not entry.endswith(".dist-info")}
        assert new - {"__pycache__"} == set(PACKAGES), f"installed top-level names: {sorted(new)}"
        look = "import importlib.util as u; print([n for n in ('protocol', 'clients', 'tests') if u.find_spec(n)])"
        found = subprocess.check_output([python, "-c", look], text=True, cwd=here).strip()
        assert found == "[]", f"importable, though they must never be: {found}"
        for words in ("spades-engine", "python -m spades_engine"):
            program, *arguments = words.split()
            lines = shake([bin_folder / program, *arguments], cwd=here)
            print(f"{words}: {lines[-2]}")
        check_runner(bin_folder, here)
        expected = signature()
        if expected is not None:
            nodes = bench_nodes([bin_folder / "spades-engine"])
            assert nodes == expected, f"bench of the installed wheel: {nodes} nodes, on record {expected}"
    print(f"{wheel.name}: installed clean, names {sorted(new)}")


def check_runner(bin_folder: Path, here: Path) -> None:
    """Play one pair, and part of the conformance suite, by the installed match runner without its extras."""
    runner, engine = bin_folder / "spades-match", bin_folder / "spades-engine"
    spec = f"nodes=10 cmd={shlex.quote(shlex.quote(str(engine)))}"
    words = ["run", "--engine", spec, "--engine", spec, "--pairs", "1", "--out", "pair.jsonl"]
    subprocess.run([runner, *words], check=True, cwd=here, timeout=120)
    subprocess.run([runner, "replay", "pair.jsonl", "--", engine], check=True, cwd=here, timeout=120)
    subprocess.run([runner, "report", "pair.jsonl"], check=True, cwd=here, timeout=120, stdout=subprocess.DEVNULL)
    check: list[str | Path] = [runner, "check", "--filter", "valid/core/*", "--", engine]
    lines = subprocess.check_output(check, cwd=here, timeout=300, text=True).splitlines()
    assert any(line.startswith("CONFORMS") for line in lines), lines
    print(f"spades-match check: {lines[-2]}")


def main(folder: Path) -> None:
    """Check the one sdist and the one wheel of the folder."""
    check_sdist(the_one(folder, "*.tar.gz"))
    wheel = the_one(folder, "*.whl")
    check_wheel(wheel)
    check_installed(wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
