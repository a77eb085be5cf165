"""How tests are shared out among workers, and what they inherit."""

from __future__ import annotations

import signal

import pytest

_BY_PROGRAM = ("test_exact.py", "test_opcodes.py", "test_transparent.py", "test_catalogue.py")


def pytest_configure() -> None:
    """Has the programs of the tests start with signals that act.

    What runs in the background or under ``nohup`` ignores SIGINT and SIGHUP, and so do all that it
    starts; tests that end a program by a signal would wait for ever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests of one program on one worker, which records it once; else those of a file."""
    for item in items:
        callspec = getattr(item, "callspec", None)
        is_case = callspec is not None and item.path.name in _BY_PROGRAM
        group = callspec.id if is_case else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
