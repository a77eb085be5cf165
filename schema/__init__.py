"""The run: table definitions, manifest, files, XML view.

This stage imports no other; every other stage meets the run through it. Reading a run's facts
does not import Arrow, which takes as long as the rest of a short query.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jvmscope.schema.definitions import ALWAYS, Column, Table, WordSet, tables, word_sets
from jvmscope.schema.manifest import (
    MANIFEST_NAME,
    SCHEMA_VERSION,
    ExitFacts,
    FileFacts,
    MainFacts,
    Manifest,
    read_manifest,
    write_manifest,
)
from jvmscope.schema.native_alone import native_tables
from jvmscope.schema.studied import study_tables
from jvmscope.schema.table_facts import TableFacts, file_sha256
from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from jvmscope.schema.parquet import TableWriter
    from jvmscope.schema.verify import verify_run

__all__ = [
    "ALWAYS",
    "MANIFEST_NAME",
    "SCHEMA_VERSION",
    "Column",
    "ExitFacts",
    "FileFacts",
    "MainFacts",
    "Manifest",
    "Table",
    "TableFacts",
    "TableWriter",
    "WordSet",
    "file_sha256",
    "native_tables",
    "read_manifest",
    "study_tables",
    "tables",
    "verify_run",
    "watch_tables",
    "word_sets",
    "write_manifest",
]

_WITH_ARROW = {"TableWriter": "parquet", "verify_run": "verify"}


def __getattr__(name: str) -> Any:
    """Returns what needs Arrow, imported when it is asked for."""
    if name not in _WITH_ARROW:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WITH_ARROW[name]}"), name)
