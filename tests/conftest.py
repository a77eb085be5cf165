"""How tests are shared out among workers, and what they inherit."""

from __future__ import annotations

import gc
import signal
from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest
    from xdist.remote import Producer

_OBJECTS_BETWEEN_COLLECTIONS = 50_000  # as in our commands
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


def pytest_collection_finish() -> None:
    """Has the collector leave thousands of tests alone, and look rarely."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def pytest_unconfigure() -> None:
    """Has the end of the process find nothing that the collector has left alone."""
    gc.unfreeze()


class _ByProgram(LoadScopeScheduling):
    """Keeps the tests of one program on one worker, which records it once; else those of a file."""

    def _split_scope(self, nodeid: str) -> str:
        path, _, test = nodeid.partition("::")
        is_case = path.rpartition("/")[2] in _BY_PROGRAM and "[" in test
        return test[test.index("[") + 1 : -1] if is_case else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Shares tests out by program and file.

    Marks of groups do not do it: xdist 3.8 writes them into names that pytest 9.2 does not read.
    """
    return _ByProgram(config, log)
