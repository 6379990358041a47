"""The environment that `make` sets up: our packages and no other name of ours, the console script, a lean start."""

import importlib.metadata
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import spades_engine
import spades_protocol
from tests.packaging.handshake import shake

PACKAGES = {"spades_engine", "spades_protocol", "spades_client", "spades_match"}
ROOT = Path(__file__).parents[2]
# Each costs start-up time, or brings modules along that do.
NOT_FOR_A_HANDSHAKE = {"argparse", "dataclasses", "inspect", "json", "random", "re", "typing"}


def elsewhere(code: str, cwd: Path) -> str:
    """Run code with this interpreter away from the tree, where only installed names can be imported."""
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["protocol", "clients", "tests", "conformance", "setup"])
def test_no_generic_name_is_importable(name: str, tmp_path: Path) -> None:
    """The shelves `protocol` and `clients` and the tree's other folders are not importable from the environment."""
    code = f"import importlib.util; print(importlib.util.find_spec({name!r}))"
    assert elsewhere(code, tmp_path).strip() == "None"


def test_the_packages_are_importable(tmp_path: Path) -> None:
    """The one distribution installs spades_engine, spades_protocol, spades_client and spades_match."""
    code = f"import importlib.util as u; print([n for n in {sorted(PACKAGES)} if u.find_spec(n) is None])"
    assert elsewhere(code, tmp_path).strip() == "[]"


def test_top_level_names_are_ours() -> None:
    """The distribution claims no top-level name but its packages'."""
    owners = importlib.metadata.packages_distributions()
    provided = {name for name in owners if "spades-engine" in owners[name]}
    assert {name for name in provided if not name.startswith("__editable__")} <= PACKAGES


def test_version_is_in_one_place() -> None:
    """The distribution's version is the package's, and pyproject.toml has no other."""
    assert importlib.metadata.version("spades-engine") == spades_engine.__version__
    assert f'"{spades_engine.__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_nothing_is_required_at_run_time() -> None:
    """The distribution depends on no other; what extras add is for the match runner alone."""
    required = importlib.metadata.requires("spades-engine") or []
    assert not [name for name in required if "extra ==" not in name]


@pytest.mark.parametrize("program", ["engine", "match"])
def test_console_script_points_at_cli(program: str) -> None:
    """The command `spades-engine` is spades_engine.cli:main, and `spades-match` likewise."""
    (script,) = importlib.metadata.entry_points(group="console_scripts", name=f"spades-{program}")
    assert script.value == f"spades_{program}.cli:main"


def test_packages_are_typed() -> None:
    """Each package carries the marker that tells type checkers to read its annotations."""
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        assert (Path(spec.origin).parent / "py.typed").is_file(), name


@pytest.mark.parametrize("how", ["script", "module"])
def test_handshake(how: str, tmp_path: Path) -> None:
    """The console script and `python -m spades_engine` shake hands and quit, with nothing on stderr."""
    script = Path(sys.executable).with_name("spades-engine")
    shake([script] if how == "script" else [sys.executable, "-m", "spades_engine"], cwd=tmp_path)


def test_handshake_loads_no_heavy_module(tmp_path: Path) -> None:
    """The handshake does without the standard modules that cost start-up time."""
    # -S, since what the environment's own .pth files import must not count; so the packages' folders are named here.
    folders = sorted({str(Path(module.__file__ or "").parents[1]) for module in (spades_engine, spades_protocol)})
    code = f"import sys; sys.path[:0] = {folders!r}; from spades_engine.cli import main; sys.exit(main())"
    command = [sys.executable, "-I", "-S", "-X", "importtime", "-c", code]
    done = subprocess.run(command, input=b"usp 1\nquit\n", cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"\nok usp=1" in done.stdout, done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines() if "|" in line}
    assert "spades_engine.cli" in loaded
    assert loaded.isdisjoint(NOT_FOR_A_HANDSHAKE), sorted(loaded & NOT_FOR_A_HANDSHAKE)
