"""Entries of the cache that nobody needs go; those of a recording that goes on stay."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from jvmscope.collector.launch.cache import _remove_unused, hold, let_go

if TYPE_CHECKING:
    from pathlib import Path

_HOUR_S = 3600
_N = 32


def _left(directory: Path) -> list[str]:
    _remove_unused(str(directory))
    return sorted(path.name for path in directory.iterdir())


def test_an_entry_that_is_held_is_not_removed(tmp_path: Path) -> None:
    now = time.time()
    names = [f"17-{number:02}" for number in range(_N)]
    for age, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - (age + 2) * _HOUR_S,) * 2)
    held = hold(str(tmp_path / names[-1]))
    again = hold(str(tmp_path / names[-1]))

    assert _left(tmp_path) == [*names[:24], names[-1]]
    let_go(held)
    assert _left(tmp_path) == [*names[:24], names[-1]]
    let_go(again)
    assert _left(tmp_path) == names[:24]


def test_what_is_gone_is_not_held(tmp_path: Path) -> None:
    held = hold(str(tmp_path / "17-gone"))
    assert held == -1
    let_go(held)
