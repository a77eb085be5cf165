"""The processor of this machine, by which a watch run and a calibration know each other."""

from __future__ import annotations

import platform
from pathlib import Path

__all__ = ["processor_name"]


def processor_name() -> str:
    """Returns the name of the processor's model, or of its architecture if that is not known."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
