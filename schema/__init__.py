"""The run: table definitions, manifest, files, XML view.

This stage imports no other; every other stage meets the run through it.
"""

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
from jvmscope.schema.parquet import TableFacts, TableWriter, file_sha256
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
    "read_manifest",
    "tables",
    "verify_run",
    "word_sets",
    "write_manifest",
]
