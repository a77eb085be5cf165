"""A confined process: what the operating system refuses, whatever the process tries."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope.confinement.availability import available_barriers
from jvmscope.queries.locked.reach import readable_files

if TYPE_CHECKING:
    from collections.abc import Sequence

_TESTS = Path(__file__).parents[3]
_SETS = [("landlock", "seccomp"), ("landlock",), ("seccomp",)]

# What one barrier does not see; the other one does.
_UNSEEN = {
    # Landlock looks at files and TCP, not at attributes, packets and children
    ("landlock",): {
        "chmod", "fchmod", "chown", "utime", "setxattr", "send a datagram", "fork",
        "connect by a path",
    },
    # the filter sees numbers, and no path
    ("seccomp",): {
        "read another file", "list another directory", "read the environment of others",
    },
}  # fmt: skip


@cache
def _lacks(barrier: str) -> bool:
    found = available_barriers()
    return not found.seccomp if barrier == "seccomp" else found.landlock < 6


@pytest.fixture(params=_SETS, ids="+".join)
def barriers(request: pytest.FixtureRequest) -> Sequence[str]:
    """The barriers in force; a kernel that lacks one cannot try it."""
    if missing := [name for name in request.param if _lacks(name)]:
        pytest.skip(f"this kernel has no {' and no '.join(missing)}")
    return tuple(request.param)


def _snapshot(folder: Path) -> dict[str, Any]:
    """Returns what there is below a folder: names, contents, attributes that can be set."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        found[str(path)] = (content, status.st_mode, status.st_mtime_ns, os.listxattr(path))
    return found


def _tried(folder: Path, barriers: Sequence[str]) -> dict[str, Any]:
    """Returns what came of the attempts in a process that is confined to ``folder/readable``."""
    victim = subprocess.Popen(["sleep", "60"])
    environment = {**os.environ, "PYTHONPATH": os.fspath(_TESTS)}
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(os.fspath(folder / "socket"))
        local.listen()
        confinement = {
            "module": "support.confined_attempts",
            "readable": [*readable_files([folder / "readable"]), os.fspath(_TESTS)],
            "barriers": barriers,
        }
        asked = {
            "folder": os.fspath(folder),
            "victim": victim.pid,
            "port": server.getsockname()[1],
        }
        ended = subprocess.run(
            [sys.executable, "-B", "-P", "-m", "jvmscope.confinement"],
            input=f"{json.dumps(confinement)}\n{json.dumps(asked)}\n".encode(),
            capture_output=True,
            env=environment,
            timeout=60,
            check=False,
        )
    was_alive = victim.poll() is None
    victim.kill()
    victim.wait()
    assert was_alive or not barriers
    assert ended.returncode == 0, ended.stderr.decode()
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    readable = tmp_path / "readable"
    (readable / "empty").mkdir(parents=True)
    for name in "ab":
        (readable / name).write_text(name, encoding="utf-8")
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    return tmp_path


def test_what_is_given_up_is_refused(folder: Path, barriers: Sequence[str]) -> None:
    before = _snapshot(folder / "readable")

    tried = _tried(folder, barriers)

    done = {name for name, outcome in tried["found"].items() if outcome.startswith("done")}
    assert done <= _UNSEEN.get(tuple(barriers), set()), tried["found"]
    assert tried["reads"] == "done: a"
    after = _snapshot(folder / "readable")
    assert {path: kept[0] for path, kept in after.items()} == {
        path: kept[0] for path, kept in before.items()
    }
    if "seccomp" in barriers:
        assert after == before


def test_threads_are_confined_too(folder: Path, barriers: Sequence[str]) -> None:
    assert _tried(folder, barriers)["thread"] == "PermissionError"


def test_an_unconfined_process_could_do_it_all(folder: Path) -> None:
    """The attempts are such that they succeed where nothing is given up."""
    tried = _tried(folder, ())["found"]

    done = {name for name, outcome in tried.items() if outcome.startswith("done")}
    assert done >= {"truncate", "chmod", "utime", "read another file", "connect", "fork", "execute"}


def test_a_process_with_threads_is_told_that_it_is_not_confined(tmp_path: Path) -> None:
    code = (
        "import threading, time\n"
        "from jvmscope.confinement import confine\n"
        "threading.Thread(target=time.sleep, args=(1,), daemon=True).start()\n"
        "print(confine([]))"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "Barriers(landlock=0, seccomp=False)"


def test_links_lead_to_what_they_name(folder: Path, barriers: Sequence[str]) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "readable").rename(folder / "elsewhere" / "readable")
    (folder / "readable").symlink_to(folder / "elsewhere" / "readable")

    assert _tried(folder, barriers)["reads"] == "done: a"
