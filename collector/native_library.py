"""The library that counts native code: where it is."""

from __future__ import annotations

from pathlib import Path

from jvmscope.collector.native_build import (
    LIBRARY,
    digest_of_sources,
    is_built_from,
    other_machine,
)
from jvmscope.errors import AgentError

__all__ = ["native_library"]

_HERE = Path(__file__).resolve().parent


def native_library(folder: Path = _HERE) -> Path:
    """Returns the library beside the agent's jar.

    Args:
        folder: where the stage `collector` is.

    Raises:
        AgentError: it is not for this machine, was not built, or was built from other sources
            than those beside it.
    """
    machine = other_machine()
    if machine is not None:
        raise AgentError(
            f"--probes native: native code is counted on Linux on x86-64; this is {machine}. "
            "Leave the probe out: everything else is recorded"
        )
    library = folder / LIBRARY
    digest = digest_of_sources(folder / "native")
    if not library.exists():
        advice = "run `make agent`, which needs a C compiler and a JDK with include/jvmti.h"
        if digest is None:
            advice = "this installation was made without it; install a wheel for Linux on x86-64"
        raise AgentError(f"--probes native: {library}: the library was not built: {advice}")
    if digest is not None and not is_built_from(library, digest):
        raise AgentError(
            f"--probes native: {library}: the library is not that of this checkout's sources: "
            "run `make agent`"
        )
    return library
