"""`python -m benchmarks.timed OUT COMMAND…`: runs COMMAND, writes its sample to OUT as JSON.

So a program is timed inside a recording, without what comes before and after it.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from benchmarks.measure import Sample, run

__all__ = ["read"]


def read(path: Path) -> Sample:
    """Returns the sample that a process of this module wrote."""
    return Sample(**json.loads(path.read_text(encoding="utf-8")))


def _main() -> int:
    sample = run(sys.argv[2:], timeout_seconds=3600)
    Path(sys.argv[1]).write_text(json.dumps(dataclasses.asdict(sample)), encoding="utf-8")
    return sample.status


if __name__ == "__main__":
    sys.exit(_main())
