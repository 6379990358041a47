"""Writes the transcripts that are too long to write by hand: `python -m tests.conformance.generate_transcripts`.

They come from the oracle of tests/game and from SPEC.md's section 20, never from an engine. With `--check` nothing is
written, and the exit code is 1 if a file on disk is not what would be written.
"""

import sys
from pathlib import Path

from tests.conformance import scenes_games, scenes_rules, scenes_scoring, scenes_tools

FOLDER = Path(__file__).resolve().parents[2] / "protocol" / "conformance"


def all_scenes() -> dict[str, str]:
    """Every generated transcript by its path below protocol/conformance/."""
    scenes: dict[str, str] = {}
    for module in (scenes_games, scenes_rules, scenes_scoring, scenes_tools):
        scenes.update(module.all_scenes())
    return scenes


def outdated() -> list[str]:
    """The paths whose files are missing or differ from what would be written."""
    return [path for path, text in all_scenes().items() if not _holds(FOLDER / path, text)]


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def main(arguments: list[str]) -> int:
    """Write the transcripts, or check them."""
    if "--check" in arguments:
        paths = outdated()
        sys.stdout.write("".join(f"out of date: {path}\n" for path in paths))
        return 1 if paths else 0
    for path, text in all_scenes().items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
