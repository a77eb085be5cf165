"""JDKs of few modules, for tests of when and where a JDK is prepared, not of what becomes of it.

A small program needs no others, and a quarter of the classes is prepared in a quarter of the time.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from oracle.toolchain import BRIEF, Jdk, alone, digest, run_tool

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["small_jdk"]

_MODULES = "java.base,java.instrument,jdk.unsupported"
# A recording says that it prepares a JDK after 2 s, and no machine prepares a whole one faster.
_JAVA = """\
#!/bin/sh
case " $* " in *.PrepareJdk*) sleep 3 ;; esac
exec "${0%/*}/java-itself" "$@"
"""


def small_jdk(jdk: Jdk, build: Path) -> Jdk:
    """A JDK of the same release without compiler, whose preparation takes longer than 3 s.

    It is the JDK itself where that cannot link another.
    """
    home = build / f"jdk-{jdk.version}-{digest([jdk.home / 'release'], str(jdk.home), _JAVA)}"
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
    java = made / "bin" / "java"
    java.rename(java.with_name("java-itself"))
    java.write_text(_JAVA)
    java.chmod(0o755)
    made.rename(home)
    return True
