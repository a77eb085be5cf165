"""Which language a query is in."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmscope.queries.query_file import QueryFile

__all__ = ["SQL_WORDS", "language_of"]

_ENDINGS = {".sql": "sql", ".xq": "xquery", ".xquery": "xquery", ".xqy": "xquery", ".xp": "xpath"}
SQL_WORDS = frozenset(
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

_SHORTEST_SLIP = 4
_XQUERY_WORDS = frozenset(
    {
        "declare",
        "import",
        "module",
        "xquery",
        "some",
        "every",
        "switch",
        "typeswitch",
        "validate",
        "ordered",
        "unordered",
        "element",
        "attribute",
        "document",
        "text",
        "comment",
        "namespace",
        "function",
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
    >>> _is_sql("SELEC 1"), _is_sql("selct * from thread"), _is_sql("fro $m in $methods")
    (True, True, False)
    >>> _is_sql("for $m in $methods return $m"), _is_sql("(: a :) $methods"), _is_sql("1 + 1")
    (False, False, False)
    """
    bare = re.sub(r"--[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL).lstrip(" (\t\r\n;")
    if text.lstrip().startswith("(:"):
        return False
    word = re.match(r"[A-Za-z]+(?![\w:(-])", bare)
    return not bare or (word is not None and _is_sql_word(word[0], bare))


def _is_sql_word(word: str, text: str) -> bool:
    """Tells a word with which SQL begins, or nearly so: a slip is to be told as one of SQL.

    An XQuery may begin with a bare word that is near one of SQL, but then a variable follows.
    """
    if word.upper() in SQL_WORDS:
        return True
    if len(word) < _SHORTEST_SLIP or re.match(r"\w+\s*[$/{]|\w+$", text):
        return False
    if word.lower() in _XQUERY_WORDS:
        return False
    return bool(difflib.get_close_matches(word.upper(), SQL_WORDS, n=1, cutoff=0.75))
