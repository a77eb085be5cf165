"""The mark that keeps other suites out of a place that has no locks.

It is a file that is renewed while a suite runs. Two that start together may both write it: each
waits until the other's has arrived, and looks again, and again before it renews its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.errors import SuiteError
from jvmscope.schema.json_text import parse_json
from jvmscope.suite.remote_places import reached

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["marked"]

_NAME = "suite.running.json"
_TYPES = {"id": str, "host": str, "pid": int, "beat": int | float}
_BEAT_S = 10.0
_DEAD_AFTER_S = 60.0
_ROUND_TRIPS = 3
"""How many times as long as reading and writing took, another suite may take to write its mark."""


@contextlib.contextmanager
def marked(url: str) -> Iterator[Future[None]]:
    """Keeps other suites out; lends what ends with an error once another one has come in.

    A suite that was killed on another machine holds the place for a minute.

    Raises:
        SuiteError: another one is running, or the place cannot be reached.
    """
    mark = _Mark(url)
    mark.take()
    lost: Future[None] = Future()
    is_over = threading.Event()

    def renew() -> None:
        while not (is_over.wait(_BEAT_S) or lost.done()):
            try:
                mark.renew()
            except _Held as error:
                lost.set_exception(error)
            except SuiteError:
                continue  # it is not reached now; the next time it may be

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield lost
    finally:
        is_over.set()
        thread.join()
        with contextlib.suppress(SuiteError):
            mark.remove()


class _Held(SuiteError):
    """The mark is another suite's."""


class _Mark:
    """The mark of this suite in a place."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._owner = {
            "id": uuid.uuid4().hex,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "start": _start_of(os.getpid()),
        }

    def take(self) -> None:
        """Writes the mark, and makes sure that no other suite has done so at the same time."""
        with reached(self._url) as (fs, root):
            fs.makedirs(root, exist_ok=True)
            begin = time.monotonic()
            other = self._other(fs, root)
            if other is not None and _may_live(other):
                raise self._held_by(other)
            self._put(fs, root)
            time.sleep(_ROUND_TRIPS * (time.monotonic() - begin))
            self._refuse_others(fs, root)

    def renew(self) -> None:
        """Writes the mark again.

        Raises:
            _Held: it is another suite's by now.
        """
        with reached(self._url) as (fs, root):
            self._refuse_others(fs, root)
            self._put(fs, root)

    def remove(self) -> None:
        """Removes the mark if it is still this suite's."""
        with reached(self._url) as (fs, root):
            self._refuse_others(fs, root)
            fs.rm_file(f"{root}/{_NAME}")

    def _put(self, fs: Any, root: str) -> None:
        document = {**self._owner, "beat": time.time()}
        fs.pipe_file(f"{root}/{_NAME}", json.dumps(document).encode())

    def _refuse_others(self, fs: Any, root: str) -> None:
        other = self._other(fs, root)
        if other is not None:
            raise self._held_by(other)

    def _other(self, fs: Any, root: str) -> dict[str, Any] | None:
        """Returns what another suite's mark says; None: there is none.

        Raises:
            _Held: nobody can say whose it is.
        """
        fs.invalidate_cache()
        try:
            found = parse_json(fs.cat_file(f"{root}/{_NAME}").decode(errors="replace"))
        except FileNotFoundError:
            return None
        except ValueError:
            found = None
        is_mark = isinstance(found, dict) and all(
            isinstance(found.get(key), kind) for key, kind in _TYPES.items()
        )
        if not is_mark:
            message = f"{self._url}: {_NAME} cannot be read; if no suite is recording, remove it"
            raise _Held(message)
        return None if found["id"] == self._owner["id"] else found

    def _held_by(self, other: dict[str, Any]) -> _Held:
        return _Held(
            f"{self._url}: another `jvmscope suite run` is recording there now, "
            f"process {other['pid']} on {other['host']}"
        )


def _may_live(owner: dict[str, Any]) -> bool:
    """Whether the suite that left a mark may still run."""
    if owner["host"] == socket.gethostname():
        start = _start_of(owner["pid"])
        return start is not None and start == owner.get("start")
    return bool(time.time() - owner["beat"] < _DEAD_AFTER_S)


def _start_of(pid: int) -> str | None:
    """Returns when a process of this machine was started, by the kernel's clock; None: never."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return stat.rpartition(")")[2].split()[19]
