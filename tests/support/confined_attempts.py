"""Run in a confined process: tries what it may not do, and says what came of each attempt."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.confinement import Barriers

__all__ = ["main"]


def main(barriers: Barriers) -> None:
    """Reads ``{"folder": …, "victim": …, "port": …}``, writes what each attempt did."""
    asked = json.loads(sys.stdin.buffer.readline())
    folder, victim, port = Path(asked["folder"]), asked["victim"], asked["port"]
    attempts = {**_on_files(folder), **_on_others(folder, victim, port)}
    found = {name: _outcome(attempt) for name, attempt in attempts.items()}
    in_thread: list[str] = []
    thread = threading.Thread(target=lambda: in_thread.append(_outcome(attempts["truncate"])))
    thread.start()
    thread.join()
    readable = _outcome(lambda: (folder / "readable" / "a").read_text(encoding="utf-8"))
    json.dump(
        {"barriers": vars(barriers), "found": found, "thread": in_thread[0], "reads": readable},
        sys.stdout,
    )


def _outcome(attempt: Callable[[], Any]) -> str:
    try:
        done = attempt()
    except OSError as error:
        return type(error).__name__
    return f"done: {done}"


def _on_files(folder: Path) -> dict[str, Callable[[], Any]]:
    kept = folder / "readable" / "a"
    named = folder / "readable" / "new"
    return {
        "open for writing": lambda: kept.open("r+b"),
        "open for appending": lambda: kept.open("ab"),
        "open, truncating": lambda: os.open(kept, os.O_RDONLY | os.O_TRUNC),
        "truncate": lambda: os.truncate(kept, 0),
        "create": lambda: named.open("xb"),
        "create, reading": lambda: os.open(named, os.O_RDONLY | os.O_CREAT, 0o600),
        "create without a name": lambda: os.open(named.parent, os.O_TMPFILE | os.O_RDWR),
        "creat": lambda: _raw("creat", os.fsencode(named), 0o600),
        "unlink": kept.unlink,
        "rename": lambda: kept.rename(named),
        "replace": lambda: (folder / "readable" / "b").replace(kept),
        "link": lambda: os.link(kept, named),
        "symlink": lambda: named.symlink_to(kept),
        "mkdir": named.mkdir,
        "rmdir": (folder / "readable" / "empty").rmdir,
        "mkfifo": lambda: os.mkfifo(named),
        "read another file": lambda: (folder / "secret").read_text(encoding="utf-8"),
        "list another directory": lambda: os.listdir(folder),  # noqa: PTH208
        "read the environment of others": lambda: Path("/proc/1/environ").read_bytes(),
        "chmod": lambda: kept.chmod(0o777),
        "fchmod": lambda: os.fchmod(os.open(kept, os.O_RDONLY), 0o777),
        "chown": lambda: os.chown(kept, os.getuid(), os.getgid()),
        "utime": lambda: os.utime(kept, (1, 1)),
        "setxattr": lambda: os.setxattr(kept, "user.a", b"1"),
    }


def _on_others(folder: Path, victim: int, port: int) -> dict[str, Callable[[], Any]]:
    return {
        "connect": lambda: socket.create_connection(("127.0.0.1", port), 1),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)),
        "send a datagram": lambda: _datagram(port),
        "connect by a path": lambda: _local(os.fspath(folder / "socket")),
        "signal": lambda: os.kill(victim, signal.SIGTERM),
        "execute": _executed,
        "fork": _forked,
        "trace": lambda: _raw("ptrace", 16, victim, 0, 0),
    }


def _datagram(port: int) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"!", ("127.0.0.1", port))


def _local(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)


def _forked() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return os.waitpid(child, 0)[1]


def _executed() -> int:
    child = os.posix_spawn("/bin/true", ["true"], {})
    return os.waitpid(child, 0)[1]


def _raw(name: str, *arguments: Any) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    status: int = getattr(libc, name)(*arguments)
    if status < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return status
