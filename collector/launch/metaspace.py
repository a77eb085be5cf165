"""The room for classes: more than the command asks for, since instrumented classes are larger.

The shim imports this module for every JVM: nothing but `os` at module level.
"""

from __future__ import annotations

from jvmscope.collector.launch.stacks import size_in_bytes

__all__ = ["metaspace_limits", "metaspace_options"]

_FLAG = "-XX:MaxMetaspaceSize="
_FACTOR = 2
"""Measured: instrumented classes take 1.4 times the room, and up to 1.7 times with probes."""
_MIB = 1024 * 1024
_ARCHIVED = 32 * _MIB
"""Classes that a bare VM has in its archive take no metaspace there: 10 MiB, instrumented 17."""
_LARGEST = 1024 * 1024 * _MIB


def metaspace_options(options: list[str]) -> list[str]:
    """The option that enlarges the user's own limit for classes; none if there is no such limit.

    >>> metaspace_options(["-XX:MaxMetaspaceSize=1g", "-XX:MaxMetaspaceSize=64m"])
    ['-XX:MaxMetaspaceSize=163840k']
    >>> metaspace_options(["-Xmx1g"]), metaspace_options(["-XX:MaxMetaspaceSize=lots"])
    ([], [])
    """
    size = next((size_in_bytes(limit[len(_FLAG) :]) for limit in _limits(options)[-1:]), None)
    if not size or size > _LARGEST:  # as good as none, or the VM will refuse it
        return []
    return [f"{_FLAG}{(_FACTOR * size + _ARCHIVED) // 1024}k"]


def metaspace_limits(options: list[str]) -> list[str]:
    """The options that ours has to take the place of: they must not be read after it."""
    return _limits(options) if metaspace_options(options) else []


def _limits(options: list[str]) -> list[str]:
    return [option for option in options if option.startswith(_FLAG)]
