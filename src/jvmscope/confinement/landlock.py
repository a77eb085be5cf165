"""Landlock: a process of Linux gives up files and networks, by rules that it makes itself.

Python has no module for it, and a C library is not needed: three system calls with small
structures, as ``linux/landlock.h`` and the kernel's manual (``userspace-api/landlock``) have them.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ABI_OF_TRUNCATION", "abi", "restrict"]

ABI_OF_TRUNCATION = 3
"""From this version on no file can be emptied; before, only opening for writing was refused."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # on every architecture
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38

_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
# Version by version: the rights on files that it knows, each a bit from 0 on.
_N_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_TCP = 0b11  # bind and connect, from version 4
_SCOPES = 0b11  # abstract sockets of Unix and signals, from version 6


class _Ruleset(ctypes.Structure):
    """``struct landlock_ruleset_attr``: what is given up unless a rule allows it."""

    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    """``struct landlock_path_beneath_attr``: rights on a file, or on all below a directory."""

    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def abi() -> int:
    """Returns the version of Landlock that the kernel has; 0 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, _call(_CREATE_RULESET, None, 0, _ASK_VERSION))


def restrict(readable: Iterable[str]) -> int:
    """Has this thread, and those that it starts, read the given files and touch no other.

    Nothing can be written, made, removed, renamed or executed, not even what can be read; from
    version 4 on no TCP connection is made, and from 6 on no process outside gets a signal. Files
    and directories whose names lead nowhere are left out; links are followed.

    Args:
        readable: files, and directories with all below them.

    Returns:
        The version in force; 0 where Landlock cannot be used, and then nothing has changed.
    """
    version = abi()
    if not version:
        return 0
    known = 16 if version > 5 else _N_FILE_RIGHTS[version]
    wanted = _Ruleset((1 << known) - 1, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _call(_CREATE_RULESET, ctypes.byref(wanted), size, 0)
    if ruleset < 0:
        return 0
    try:
        for path in readable:
            _allow(ruleset, path)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or _call(_RESTRICT_SELF, ruleset, 0):
            return 0
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: str) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        is_directory = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rights = _READ_FILE | _READ_DIRECTORY if is_directory else _READ_FILE
        rule = _PathBeneath(rights, descriptor)
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        if not path.startswith("/proc/"):  # made anew by the kernel when nobody has it open
            os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    """Returns what a system call returns; negative where it fails or does not exist."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return int(libc.syscall(ctypes.c_long(number), *converted))
