"""What this machine has to confine a process with, found out by confining one."""

from __future__ import annotations

import json
import subprocess
import sys

from jvmscope.confinement import Barriers
from jvmscope.confinement.landlock import ABI_OF_TRUNCATION

__all__ = ["available_barriers", "described"]

_PATIENCE_S = 60.0


def available_barriers() -> Barriers:
    """Returns what is in force in a process that uses all there is; nothing if it fails."""
    wanted = {"module": None, "readable": [], "barriers": ["landlock", "seccomp"]}
    command = [sys.executable, "-B", "-P", "-W", "ignore", "-m", "jvmscope.confinement"]
    ended = subprocess.run(
        command,
        input=json.dumps(wanted).encode() + b"\n",
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    return Barriers(**json.loads(ended.stdout)) if ended.returncode == 0 else Barriers()


def described(barriers: Barriers) -> str:
    """Returns what holds an untrusted query back, and what is missing.

    >>> described(Barriers(landlock=7, seccomp=True))
    'Landlock (version 7) and seccomp'
    >>> described(Barriers(landlock=2))
    'Landlock (version 2, too old to prevent writing: 3 is needed); no seccomp'
    >>> described(Barriers())
    'neither Landlock nor seccomp; only the rules for queries protect the run'
    """
    if not barriers.landlock and not barriers.seccomp:
        return "neither Landlock nor seccomp; only the rules for queries protect the run"
    version = f"version {barriers.landlock}"
    if barriers.landlock and barriers.landlock < ABI_OF_TRUNCATION:
        version += f", too old to prevent writing: {ABI_OF_TRUNCATION} is needed"
    if barriers.landlock and barriers.seccomp:
        return f"Landlock ({version}) and seccomp"
    if barriers.landlock:
        return f"Landlock ({version}); no seccomp"
    return "seccomp; no Landlock: only the rules for queries prevent reading files"
