"""How tests are shared out among workers."""

from __future__ import annotations

import pytest

_BY_PROGRAM = ("test_exact.py", "test_transparent.py")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests of one program on one worker, which records it once; else those of a file."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        is_case = callspec is not None and item.path.name in _BY_PROGRAM
        group = callspec.id if is_case else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
