"""Confines this process as a line on stdin says, and goes on with a module's ``main``."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import asdict

from jvmscope.confinement import confine


def _main() -> None:
    """Reads ``{"module": …, "readable": […], "barriers": […]}``; the module reads what follows.

    Without a module it writes what is in force.
    """
    wanted = json.loads(sys.stdin.buffer.readline())
    barriers = confine(wanted["readable"], wanted["barriers"])
    if wanted["module"] is None:
        sys.stdout.write(json.dumps(asdict(barriers)))
        return
    importlib.import_module(wanted["module"]).main(barriers)


if __name__ == "__main__":
    _main()
