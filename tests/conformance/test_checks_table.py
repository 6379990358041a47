"""Section 23 of SPEC.md: every requirement has a label, every label a check, and the table says which."""

from suite.sentences import labelled, unlabelled
from tests.conformance.checks_table import checks_by_label, faults, spec, table


def test_the_table_of_checks_is_complete_and_up_to_date() -> None:
    """No requirement without a label, no label without a check, no name that does not exist, no stale row."""
    assert faults() == []


def test_a_requirement_without_a_label_is_noticed() -> None:
    """A sentence with MUST in it that no label follows is found, in paragraphs and in lists."""
    text = "A program MUST sing. `[sing.1]` It MUST NOT dance.\n\n* A list MUST too,\n  over two lines. `[list.1]`\n"
    assert unlabelled(text) == ["It MUST NOT dance."]
    assert labelled(text) == {"sing.1": "A program MUST sing.", "list.1": "A list MUST too, over two lines."}


def test_every_label_of_the_specification_has_a_row() -> None:
    """The rows are the labels of the specification, in its order."""
    rows = [line.split("`")[1] for line in table().splitlines() if line.startswith("| `")]
    assert rows == list(labelled(spec()))
    assert rows == list(checks_by_label())
