"""Texts with half a character, as Python makes of bytes that are not UTF-8: DuckDB takes none."""

from __future__ import annotations

from jvmscope.errors import QueryError

__all__ = ["refuse_surrogates"]


def refuse_surrogates(text: str, path: str | None) -> None:
    """Refuses a text with half a character.

    Args:
        text: a query, or part of one.
        path: what names it in errors, such as its file.

    Raises:
        QueryError: there is one; with its place.

    >>> refuse_surrogates("SELECT 'ü'", None)
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line_start = text.rfind("\n", 0, error.start) + 1
        raise QueryError(
            f"U+{ord(text[error.start]):04X} is not a character",
            path=path,
            line=text.count("\n", 0, error.start) + 1,
            column=error.start - line_start + 1,
        ) from None
