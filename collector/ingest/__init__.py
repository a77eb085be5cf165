"""From the raw files of a recorded VM to the tables of a run.

``java`` reads the raw files and writes frames (``schema/dump-frames.md``); this package makes
Parquet of them while they come.
"""

from __future__ import annotations

from jvmscope.collector.ingest.recording import IngestOptions, IngestResult, ingest

__all__ = ["IngestOptions", "IngestResult", "ingest"]
