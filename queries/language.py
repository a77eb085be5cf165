"""Which language a query is in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.queries.query_file import QueryFile

__all__ = ["language_of"]

_ENDINGS = {".sql": "sql", ".xq": "xquery", ".xquery": "xquery", ".xqy": "xquery", ".xp": "xpath"}
_SQL_WORDS = frozenset(
    {
        "ALTER",
        "ANALYZE",
        "ATTACH",
        "CALL",
        "CHECKPOINT",
        "COMMENT",
        "COPY",
        "CREATE",
        "DELETE",
        "DESCRIBE",
        "DETACH",
        "DROP",
        "EXECUTE",
        "EXPLAIN",
        "EXPORT",
        "FROM",
        "INSERT",
        "INSTALL",
        "LOAD",
        "PIVOT",
        "PRAGMA",
        "PREPARE",
        "SELECT",
        "SET",
        "SHOW",
        "SUMMARIZE",
        "TABLE",
        "UNPIVOT",
        "UPDATE",
        "USE",
        "VACUUM",
        "VALUES",
        "WITH",
    }
)


def language_of(file: QueryFile) -> str:
    """Returns ``sql``, ``xquery`` or ``xpath``, by a file's ending or the text's first word."""
    ending = "." + (file.path or "").rpartition(".")[2]
    return _ENDINGS.get(ending) or ("sql" if _is_sql(file.text) else "xquery")


def _is_sql(text: str) -> bool:
    """Tells SQL by its first word; an empty text counts as SQL.

    >>> _is_sql("/** @id x */ SELECT 1"), _is_sql("(FROM context)"), _is_sql("")
    (True, True, True)
    >>> _is_sql("for $m in $methods return $m"), _is_sql("(: a :) $methods"), _is_sql("1 + 1")
    (False, False, False)
    """
    bare = re.sub(r"--[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL).lstrip(" (\t\r\n;")
    if text.lstrip().startswith("(:"):
        return False
    word = re.match(r"[A-Za-z]+(?![\w:(-])", bare)
    return not bare or (word is not None and word[0].upper() in _SQL_WORDS)
