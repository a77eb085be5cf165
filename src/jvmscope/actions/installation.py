"""What recording and untrusted queries need from this machine, and whether it is there."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

from jvmscope.collector import agent_jar
from jvmscope.collector.launch.injection import default_jdk
from jvmscope.collector.launch.jdk import unsuitable, untried
from jvmscope.collector.native_library import native_library
from jvmscope.confinement.availability import available_barriers, described
from jvmscope.errors import AgentError
from jvmscope.queries import Result, ResultColumn

__all__ = ["inspect_installation"]

_LIBRARIES = ("duckdb", "pyarrow", "numpy", "lxml")


def inspect_installation() -> tuple[Result, bool]:
    """Returns one row for each part (what, is_ready, found), and whether recording can work.

    The library that counts native code is a row, too, as is what untrusted queries are confined
    with; all other recording does without.
    """
    parts = [
        ("jvmscope", True, f"{version('jvmscope')}, Python {platform.python_version()}"),
        ("libraries", True, ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)),
        ("java", *_java()),
        ("agent", *_agent()),
    ]
    is_complete = all(is_ready for _, is_ready, _ in parts)
    parts.append(("native code", *_native_code()))
    barriers = available_barriers()
    parts.append(("untrusted queries", barriers.prevent_writing, described(barriers)))
    columns = [
        ResultColumn("what", "VARCHAR"),
        ResultColumn("is_ready", "BOOLEAN"),
        ResultColumn("found", "VARCHAR"),
    ]
    return Result.of_values(columns, parts), is_complete


def _java() -> tuple[bool, str]:
    jdk = default_jdk(os.environ)
    if jdk is None:
        return False, "no java in JAVA_HOME or PATH: install a JDK >= 17, or jvmscope[jdk]"
    problem = unsuitable(jdk)
    return problem is None, problem or untried(jdk.version) or f"Java {jdk.version} in {jdk.home}"


def _agent() -> tuple[bool, str]:
    try:
        return True, str(agent_jar())
    except AgentError as error:
        return False, str(error)


def _native_code() -> tuple[bool, str]:
    try:
        return True, str(native_library())
    except AgentError as error:
        return False, str(error)
