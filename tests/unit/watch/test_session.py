"""What a watch refuses before it touches the VM."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from support.watched_rows import write_watched

from jvmscope.errors import AgentError
from jvmscope.watch import JavaVm, WatchOptions, is_watch_run, watch

if TYPE_CHECKING:
    from pathlib import Path


def test_only_a_watch_run_is_replaced(tmp_path: Path) -> None:
    me = os.getpid()
    vm = JavaVm(me, me, os.geteuid(), "17", "Main", None, None, None)
    (tmp_path / "kept").touch()

    with pytest.raises(AgentError, match="exists already, and is not a watch run"):
        watch(vm, WatchOptions(tmp_path))
    with pytest.raises(AgentError, match="exists already, and is not a watch run"):
        watch(vm, WatchOptions(tmp_path / "kept"))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_watch_run_is_known(tmp_path: Path) -> None:
    write_watched(run := tmp_path / "a.watch")
    assert (is_watch_run(run), is_watch_run(tmp_path)) == (True, False)
