"""The table of section 23 of SPEC.md: for every labelled sentence, what holds a program to it.

    python -m tests.conformance.checks_table            # say what is out of date or missing
    python -m tests.conformance.checks_table --write    # write the table, and the suite's copy of the sentences

Its rows come from the `covers:` headers of the transcripts, from the labels of the runner's built-in checks, from
comments `# covers: label …` above tests anywhere under tests/, and from the list below.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = ROOT / "protocol" / "conformance"
if str(SUITE) not in sys.path:
    sys.path.insert(0, str(SUITE))

import run  # noqa: E402
from suite.checks import CHECKS  # noqa: E402
from suite.sentences import TABLE, labelled, unlabelled  # noqa: E402

BEGIN, END = "<!-- checks:begin -->", "<!-- checks:end -->"
MANY = 3  # so many transcripts of one folder are named, more are counted
# Tests that hold a sentence besides their own purpose. Each must exist.
ELSEWHERE = {
    "tests/protocol/test_client.py::test_unknown_lines_are_ignored": "reply.3",
    "tests/protocol/test_replies.py::test_what_is_unknown_is_kept_and_harmless": "reply.3",
    "tests/engine/test_process_search.py::test_a_fault_inside_still_gives_a_legal_answer": "go.6",
    "tests/engine/test_process_search.py::test_chance_options_and_clocks_never_play": "fair.3",
    "tests/engine/test_process_tables.py::test_a_masked_table_shows_no_card_its_view_cannot_know": "hidden.3",
    "tests/engine/test_process_tables.py::test_a_record_sets_up_the_same_game": "record.1",
}


def spec() -> str:
    """The text of SPEC.md."""
    return (ROOT / "SPEC.md").read_text(encoding="utf-8")


def marked_tests() -> dict[str, list[str]]:
    """Labels by test, from the comments above tests and from the list above."""
    marked: dict[str, list[str]] = {test: labels.split() for test, labels in ELSEWHERE.items()}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r"^# covers: (.+)\n(?:[@#)\s].*\n|    .*\n)*?def (test_\w+)", text, re.MULTILINE):
            name = f"{path.relative_to(ROOT).as_posix()}::{match.group(2)}"
            marked.setdefault(name, []).extend(match.group(1).split())
    return marked


def missing_tests() -> list[str]:
    """Tests of the list above that do not exist."""
    missing = []
    for test in ELSEWHERE:
        path, _, name = test.partition("::")
        if not (ROOT / path).is_file() or f"def {name}(" not in (ROOT / path).read_text(encoding="utf-8"):
            missing.append(test)
    return missing


def checks_by_label() -> dict[str, list[str]]:
    """The names of everything that holds each sentence."""
    found: dict[str, list[str]] = {label: [] for label in labelled(spec())}
    sources = [(check.name, check.covers) for check in CHECKS]
    sources += [(transcript.name, transcript.covers) for transcript in run.load_transcripts(SUITE)]
    sources += list(marked_tests().items())
    for name, labels in sources:
        for label in labels:
            found.setdefault(label, []).append(name)
    return found


def cell(names: list[str]) -> str:
    """The names as they stand in the table: many transcripts of one folder become a count."""
    folders: dict[str, list[str]] = {}
    shown = []
    for name in names:
        if name.endswith(".txt"):
            folders.setdefault(name.rsplit("/", 1)[0], []).append(name)
        elif name.startswith("runner/"):
            shown.append(f"*runner* {name.removeprefix('runner/')}")
        else:
            shown.append(f"`{name}`")
    for folder, inside in sorted(folders.items()):
        if len(inside) > MANY:
            shown.append(f"`{folder}/` ({len(inside)} transcripts)")
        else:
            shown += [f"`{name}`" for name in sorted(inside)]
    return ", ".join(shown)


def table() -> str:
    """The whole table, with its markers."""
    rows = [BEGIN, "| label | held by |", "|---|---|"]
    rows += [f"| `{label}` | {cell(names)} |" for label, names in checks_by_label().items()]
    return "\n".join([*rows, END])


def sentences_text() -> str:
    """The suite's own copy of the labelled sentences, for where SPEC.md is not at hand."""
    return "".join(f"{label} {sentence}\n" for label, sentence in labelled(spec()).items())


def faults() -> list[str]:
    """What is wrong: sentences without a label or a check, labels that do not exist, a table that is out of date."""
    known = labelled(spec())
    by_label = checks_by_label()
    found = [f"no label: {sentence}" for sentence in unlabelled(spec())]
    found += [f"no check: {label}" for label, names in by_label.items() if not names]
    found += [f"no such label: {label} in {names[0]}" for label, names in by_label.items() if label not in known]
    found += [f"no such test: {test}" for test in missing_tests()]
    if table() not in spec():
        found.append("the table of section 23 is out of date: python -m tests.conformance.checks_table --write")
    if not TABLE.is_file() or TABLE.read_text(encoding="utf-8") != sentences_text():
        found.append(f"{TABLE.relative_to(ROOT)} is out of date: python -m tests.conformance.checks_table --write")
    return found


def write() -> None:
    """Write the table into SPEC.md and the sentences into the suite."""
    text = spec()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    (ROOT / "SPEC.md").write_text(before + table() + after, encoding="utf-8")
    TABLE.write_text(sentences_text(), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Report, or write."""
    if "--write" in arguments:
        write()
    found = faults()
    sys.stdout.write("".join(f"{fault}\n" for fault in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
