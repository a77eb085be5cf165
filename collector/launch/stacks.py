"""The sizes of threads' stacks: larger than the command asks for, since instrumented frames are.

The shim imports this module for every JVM: nothing but `os` at module level.
"""

from __future__ import annotations

__all__ = ["FACTOR", "default_stack", "size_in_bytes", "stack_options"]

FACTOR = 4
"""Instrumented frames take up to 1.6 times the room in the interpreter, and more when a method is
compiled late or not inlined. `ThreadStack` multiplies the sizes that programs give by the same."""

_KIB = 1024
_USUAL = 1024 * _KIB
_LARGEST = 1024 * _USUAL
_REFUSED = 128 * _KIB
_FLAG = "-XX:ThreadStackSize="
_UNITS = {"k": _KIB, "m": _KIB**2, "g": _KIB**3, "t": _KIB**4}


def stack_options(launcher: list[str], machine: list[str]) -> list[str]:
    """The options that enlarge the stacks of main and of threads that name no size.

    Args:
        launcher: the user's options that the launcher reads, for the thread that runs `main`.
        machine: all that the VM reads before ours, for the others.

    >>> stack_options([], []), stack_options(["-Xss512k"], ["-Xss512k"])
    (['-Xss4096k'], ['-Xss2048k'])
    >>> stack_options(["-Xss1m"], ["-Xss1m", "-XX:ThreadStackSize=512"])
    ['-Xss4096k', '-XX:ThreadStackSize=2048']
    """
    main = _last_size([option for option in launcher if not option.startswith(_FLAG)], _USUAL)
    others = _last_size(machine, _USUAL)
    if main is None or others is None:
        return []
    options = [f"-Xss{_widened(main) // _KIB}k"]
    if others != main:
        options.append(f"{_FLAG}{_widened(others) // _KIB}")
    return options


def default_stack(after: list[str]) -> int:
    """The size for threads that name none, if options that the VM reads after ours set one; or 0.

    >>> default_stack(["-Xss256k"]), default_stack(["-Xmx1g"])
    (1048576, 0)
    """
    size = _last_size(after, 0)
    return _widened(size) if size else 0


def size_in_bytes(text: str) -> int | None:
    """A number of bytes as the VM reads it.

    >>> size_in_bytes("512k"), size_in_bytes("1M"), size_in_bytes("65536"), size_in_bytes("lots")
    (524288, 1048576, 65536, None)
    """
    unit = _UNITS.get(text[-1:].lower(), 1)
    digits = text if unit == 1 else text[:-1]
    return int(digits) * unit if digits.isdecimal() else None


def _last_size(options: list[str], usual: int) -> int | None:
    """The size in bytes; None if it is invalid, or so small that the VM will refuse it."""
    size: int | None = usual
    for option in options:
        if option.startswith(("-Xss", "-ss")):
            size = size_in_bytes(option.partition("ss")[2])
        elif option.startswith(_FLAG):
            kib = size_in_bytes(option[len(_FLAG) :])
            size = kib and kib * _KIB
    return None if size is None or 0 < size < _REFUSED else size or usual


def _widened(size: int) -> int:
    return max(size, min(FACTOR * size, _LARGEST))
