"""One question of a run: a query with everything that its answer depends on.

The command line, the prompt, the Python API, metrics, reports and query tests make questions; the
engine, the process of an untrusted query and XQuery answer them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jvmscope.queries.language import language_of
from jvmscope.queries.query_file import QueryFile, parse_query_file
from jvmscope.queries.scopes.scope import WHOLE_RUN, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jvmscope.queries.costs import CostModel
    from jvmscope.queries.locked import Limits

__all__ = ["Question"]

_LANGUAGES = ("sql", "xquery", "xpath")


@dataclass(frozen=True)
class Question:
    """A query and how it is to be answered.

    Attributes:
        query: the text, or a parsed query file.
        language: ``sql``, ``xquery`` or ``xpath``; None: by the file's ending, else the text.
        params: values for ``$name``.
        scope: the part of the run that the query sees.
        limit: deliver at most this many rows or items; the answer says if there were more.
        timeout: stop after this many seconds.
        cost_model: the user's own, for a query that uses costs; None: the one it names.
        allow_read: real paths of directories whose files an XQuery may read.
        limits: the query is untrusted: it is answered locked, in a process of its own. A limit and
            a timeout replace those of the limits.
        form: ``table``; ``items``: the items of an XQuery, serialized as its ``output:`` options
            say; None: ``items`` if it has such options or if all items are nodes, else ``table``.
        as_rows: of a table nothing but ``start_rows()`` and ``rows()`` is called, which need no
            Arrow then.

    Raises:
        ValueError: the limit is negative, or there is no such language.
    """

    query: str | QueryFile
    language: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    scope: Scope = WHOLE_RUN
    limit: int | None = None
    timeout: float | None = None
    cost_model: CostModel | None = None
    allow_read: Sequence[Path] = ()
    limits: Limits | None = None
    form: str | None = None
    as_rows: bool = False

    def __post_init__(self) -> None:
        """Checks the limit and the language."""
        if self.language not in (None, *_LANGUAGES):
            names = f"{', '.join(_LANGUAGES[:-1])} or {_LANGUAGES[-1]}"
            raise ValueError(f"a language is {names}, not {self.language!r}")
        if self.limit is not None and self.limit < 0:
            raise ValueError(f"a limit is a number of rows, not {self.limit}")

    @cached_property
    def file(self) -> QueryFile:
        """The query with what its header declares.

        Raises:
            QueryError: the header of the text is wrong.
        """
        if isinstance(self.query, QueryFile):
            return self.query
        return parse_query_file(self.query, None)

    @property
    def resolved_language(self) -> str:
        """The language, found out if it is not said."""
        return self.language or language_of(self.file)

    @property
    def resolved_limits(self) -> Limits | None:
        """The limits of an untrusted query, its own limit and timeout among them."""
        if self.limits is None:
            return None
        rows = self.limits.rows if self.limit is None else self.limit
        seconds = self.limits.seconds if self.timeout is None else self.timeout
        return replace(self.limits, rows=rows, seconds=seconds)
