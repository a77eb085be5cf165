"""What an untrusted query may use."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]

_MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of one locked query; the defaults are those of the command line.

    Attributes:
        seconds: until the query is stopped, from when its process is ready.
        memory_bytes: address space beside that of the started process.
        rows: rows or items of the answer; more are left out, and the answer says so.
        result_bytes: bytes of the answer as Arrow or as text; one that is larger is an error.
        text_bytes: bytes of the query's text.
        depth: how deep functions of an XQuery may call each other.
        threads: threads of DuckDB.
    """

    seconds: float = 10.0
    memory_bytes: int = 1024 * _MIB
    rows: int = 1000
    result_bytes: int = 64 * _MIB
    text_bytes: int = _MIB // 16
    depth: int = 1000
    threads: int = 2
