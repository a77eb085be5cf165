"""A directory that looks like a JDK, with a `java` that is a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.collector.launch.jdk import Jdk, jdk_of_home

if TYPE_CHECKING:
    from pathlib import Path

_PREPARES = """\
#!/bin/sh
# Stands for `java ... PrepareJdk ... --out DIRECTORY`: the directory is the last argument.
for last; do :; done
echo "$*" >> "$(dirname "$0")/calls"
test -f "$(dirname "$0")/slow" && sleep 0.3
if test -f "$(dirname "$0")/broken"; then echo "no way" >&2; exit 3; fi
mkdir -p "$last"
echo patch > "$last/java.base.jar"
echo -_min > "$last/intrinsics.txt"
"""


def make_jdk(
    home: Path,
    *,
    version: str = "17.0.9",
    modules: str = "java.base java.instrument jdk.unsupported",
) -> Jdk:
    (home / "bin").mkdir(parents=True)
    (home / "lib" / "server").mkdir(parents=True)
    (home / "lib" / "server" / "libjvm.so").write_text("vm")
    (home / "lib" / "modules").write_text("image")
    (home / "release").write_text(f'JAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    java = home / "bin" / "java"
    java.write_text(_PREPARES)
    java.chmod(0o755)
    return jdk_of_home(str(home))


def n_preparations(jdk: Jdk) -> int:
    from pathlib import Path

    calls = Path(jdk.home) / "bin" / "calls"
    return len(calls.read_text().splitlines()) if calls.exists() else 0
