"""JDKs of few modules: a quarter of the classes is prepared in a quarter of the time.

They are for tests of when and where a JDK is prepared, and for recordings of small programs with
options that no other test prepares a JDK for. In ``make test-long``, whole JDKs are taken.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from oracle.toolchain import BRIEF, Jdk, alone, digest, run_tool

from support.long import IS_LONG

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["brief_jdk", "small_jdk"]

_MODULES = "java.base,java.instrument,jdk.management,jdk.unsupported"
_TOOLS = ("jar", "javac", "jimage")
# A recording says that it prepares a JDK after 2 s, and no machine prepares a whole one faster.
_JAVA = """\
#!/bin/sh
case " $* " in *.PrepareJdk*) sleep 3 ;; esac
exec "${0%/*}/java-itself" "$@"
"""


def brief_jdk(jdk: Jdk, build: Path) -> Jdk:
    """A JDK of the same release and few classes, which is prepared in short time.

    It is the JDK itself in ``make test-long``, and where that cannot link another.
    """
    return jdk if IS_LONG else _linked(jdk, build)


def small_jdk(jdk: Jdk, build: Path) -> Jdk:
    """The same, but its preparation takes longer than 3 s."""
    linked = _linked(jdk, build)
    home = linked.home.with_name(f"{linked.home.name}-{digest([], _JAVA)}")
    if linked is jdk:
        return jdk
    with alone(home):
        if not home.exists():
            _slow_down(linked, home)
    return Jdk(jdk.version, home)


def _linked(jdk: Jdk, build: Path) -> Jdk:
    key = digest([jdk.home / "release"], str(jdk.home), _MODULES, "links", *_TOOLS)
    home = build / f"jdk-{jdk.version}-{key}"
    with alone(home):
        is_there = home.exists() or _link(jdk, home)
    return Jdk(jdk.version, home) if is_there else jdk


def _link(jdk: Jdk, home: Path) -> bool:
    made = home.with_suffix(f".{os.getpid()}")
    try:
        run_tool([jdk.tool("jlink"), *BRIEF, "--add-modules", _MODULES, "--output", str(made)])
    except (OSError, RuntimeError):
        shutil.rmtree(made, ignore_errors=True)
        return False
    for name in _TOOLS:  # those of the whole JDK, which need their modules
        (made / "bin" / name).symlink_to(jdk.tool(name))
    made.rename(home)
    return True


def _slow_down(jdk: Jdk, home: Path) -> None:
    made = home.with_suffix(f".{os.getpid()}")
    shutil.copytree(jdk.home, made, symlinks=True, copy_function=os.link)
    java = made / "bin" / "java"
    java.rename(java.with_name("java-itself"))
    java.write_text(_JAVA)
    java.chmod(0o755)
    made.rename(home)
