"""The prompt of ``jvmscope query``: questions and answers, with history and completion."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, InMemoryHistory

from jvmscope.errors import JvmscopeError
from jvmscope.queries import library_entries, parse_query_file
from jvmscope.queries.functions.index import names as function_names
from jvmscope.schema import tables
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from prompt_toolkit.history import History

    from jvmscope.asking import Asking
    from jvmscope.queries import Engine

__all__ = ["completions", "converse"]

_ROWS_SHOWN = 100
_WORD = re.compile(r"[$@\w][\w:.$@-]*")
_PROLOG = re.compile(
    r"\s*(xquery\s+(version|encoding)|import\s+(module|schema)|declare\s+"
    r"(%|base-uri|boundary-space|construction|context|copy-namespaces|decimal-format|default"
    r"|function|namespace|option|ordering|variable))"
)
_KEYWORDS = (
    "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "JOIN", "USING", "COUNT", "SUM",
    "for", "let", "where", "group by", "order by", "return", "some", "every", "satisfies", "map",
    "descending", "if", "then", "else",
)  # fmt: skip


def converse(asking: Asking) -> int:
    """Answers queries until the end of input; returns the exit status.

    A query may have several lines: a line that ends in ``;`` ends it, unless that is the end of a
    declaration in XQuery's prolog, and so does an empty line.
    Ctrl-C drops the query that is written or stops the one that runs; Ctrl-D ends.
    """
    asking = replace(asking, limit=asking.limit or _ROWS_SHOWN)
    engine = asking.engine
    asking.console.say(
        f"{engine.run}: SQL, XQuery or XPath; an empty line or ; ends a query, Ctrl-D quits"
    )
    session: PromptSession[str] = PromptSession(
        history=_history(),
        auto_suggest=AutoSuggestFromHistory(),
        completer=WordCompleter(completions(engine), ignore_case=True, pattern=_WORD),
        complete_while_typing=False,
    )
    while True:
        try:
            text = _read(session)
        except EOFError:
            return 0
        except KeyboardInterrupt:
            continue
        if text.strip():
            _answer(asking, text)


def completions(engine: Engine) -> list[str]:
    """Returns the words that a query about the run may have: names of the run, functions."""
    recorded = [name for name in engine.recorded if name in tables()]
    columns = {column.name for name in recorded for column in tables()[name].columns}
    shown = [elements()[name] for name in recorded if name in elements()]
    tags = {f"dcg:{element.name}" for element in shown}
    tags |= {f"dcg:{name}" for element in shown for name, _ in element.counts}
    attributes = {f"@{attribute.name}" for element in shown for attribute in element.attributes}
    variables = {f"${name}" for name in engine.tree.variables}
    functions = {str(name) for name in function_names()}
    functions |= set(library_entries())
    return sorted(
        {*_KEYWORDS, *engine.recorded, *columns, *tags, *attributes, *variables, *functions}
    )


def _read(session: PromptSession[str]) -> str:
    lines: list[str] = []
    while True:
        line = session.prompt("... " if lines else "query> ")
        lines.append(line)
        text = "\n".join(lines).rstrip()
        if not line.strip() or (text.endswith(";") and not _ends_in_prolog(text)):
            return text.removesuffix(";")


def _ends_in_prolog(text: str) -> bool:
    """Tells whether the last ``;`` ends a declaration, after which an XQuery goes on.

    >>> [_ends_in_prolog(text) for text in ("import module 'a';", "import module 'a'; 1;")]
    [True, False]
    """
    return _PROLOG.match(text.removesuffix(";").rpartition(";")[2]) is not None


def _answer(asking: Asking, text: str) -> None:
    try:
        asking.ask(parse_query_file(text, None))
    except JvmscopeError as error:
        asking.console.warn(str(error))
    except KeyboardInterrupt:
        asking.console.warn("interrupted")


def _history() -> History:
    """Returns the history of earlier prompts, or one that is forgotten where none can be kept."""
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    try:
        (home / "jvmscope").mkdir(parents=True, exist_ok=True)
        path = home / "jvmscope" / "query_history"
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))
