"""What holds for every test: a docstring that states the fact, and property tests without a clock."""

import os

import hypothesis
import pytest

# Time limits would make tests fail on a busy machine, and CI must not find by luck what nobody can repeat.
hypothesis.settings.register_profile("house", deadline=None, print_blob=True)
hypothesis.settings.register_profile("ci", parent=hypothesis.settings.get_profile("house"), derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "house")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse to run while a test has no docstring."""
    silent = sorted(
        {
            item.nodeid.partition("[")[0]
            for item in items
            if isinstance(item, pytest.Function) and not (item.function.__doc__ or "").strip()
        }
    )
    if silent:
        raise pytest.UsageError("a test's docstring states the fact it holds; none in:\n  " + "\n  ".join(silent))
