"""The prompt of ``jvmscope query``: questions and answers, with history and completion."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, InMemoryHistory

from jvmscope.errors import JvmscopeError
from jvmscope.output.results import PagedOutput
from jvmscope.prompt.dot_commands import COMMANDS, Conversation, Quit, is_dot_command
from jvmscope.prompt.statements import is_complete
from jvmscope.queries import (
    QueryFile,
    function_names,
    language_of,
    library_entries,
    parse_query_file,
)
from jvmscope.schema.xml.vocabulary import elements
from jvmscope.signals import heard

if TYPE_CHECKING:
    from prompt_toolkit.history import History

    from jvmscope.actions.query_session import QuerySession
    from jvmscope.queries import Engine
    from jvmscope.schema import Table
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["completions", "converse"]

_ROWS_SHOWN = 100
_WORD = re.compile(r"[$@.\w][\w:.$@-]*")
_KEYWORDS = (
    "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "JOIN", "USING", "COUNT", "SUM",
    "for", "let", "where", "group by", "order by", "return", "some", "every", "satisfies", "map",
    "descending", "if", "then", "else",
)  # fmt: skip


def converse(asking: QuerySession) -> int:
    """Answers queries until the end of input; returns the exit status.

    A query may have several lines: a line that ends in ``;`` ends it, and so does an empty line,
    unless a string, a comment, a bracket or XQuery's prolog goes on; two empty lines always end
    it. A line that begins with a dot and a letter is a command of the prompt. Ctrl-C drops the
    query that is written or stops the one that runs; Ctrl-D ends.
    """
    output = PagedOutput(asking.output.format)
    terms = replace(asking.terms, limit=asking.terms.limit or _ROWS_SHOWN)
    asking = replace(asking, terms=terms, output=output)
    conversation = Conversation(asking)
    engine = asking.engine
    asking.console.say(
        f"{engine.run}: SQL, XQuery or XPath; an empty line or ; ends a query, .help lists "
        "commands, Ctrl-D quits"
    )
    session: PromptSession[str] = PromptSession(
        history=_history(),
        auto_suggest=AutoSuggestFromHistory(),
        completer=WordCompleter(completions(engine), ignore_case=True, pattern=_WORD),
        complete_while_typing=False,
    )
    while True:
        try:
            text = _read(session, terms.language)
            if text.strip():
                _answer(conversation, text)
        except (EOFError, Quit):
            return 0
        except KeyboardInterrupt:
            heard()


def completions(engine: Engine) -> list[str]:
    """Returns the words that a query about the run may have: names of the run, functions."""
    definitions = engine.manifest.definitions
    recorded = [name for name in engine.recorded if name in definitions]
    described: list[Table | OwnTable] = [
        *(definitions[name] for name in recorded),
        *engine.own_tables,
    ]
    columns = {column.name for table in described for column in table.columns}
    shown = [elements()[name] for name in recorded if name in elements()]
    tags = {f"dcg:{element.name}" for element in shown}
    tags |= {f"dcg:{name}" for element in shown for name, _ in element.counts}
    attributes = {f"@{attribute.name}" for element in shown for attribute in element.attributes}
    is_recorded = engine.manifest.kind == "recorded"
    variables = {f"${name}" for name in engine.tree.variables} if is_recorded else set()
    functions = function_names() | set(library_entries())
    return sorted(
        {
            *_KEYWORDS,
            *COMMANDS,
            *engine.named,
            *columns,
            *tags,
            *attributes,
            *variables,
            *functions,
        }
    )


def _read(session: PromptSession[str], language: str | None) -> str:
    lines: list[str] = []
    while True:
        line = session.prompt("... " if lines else "query> ")
        lines.append(line)
        if len(lines) == 1 and is_dot_command(line):
            return line
        text = "\n".join(lines).rstrip(" \t")
        is_end = not line.strip() or text.endswith(";")
        if is_end and is_complete(text, language or language_of(QueryFile(None, text))):
            return text.rstrip().removesuffix(";")


def _answer(conversation: Conversation, text: str) -> None:
    console = conversation.asking.console
    started = time.monotonic()
    try:
        if is_dot_command(text):
            conversation.obey(text)
            return
        conversation.asking.ask(parse_query_file(text, None))
    except JvmscopeError as error:
        console.error(str(error))
    except KeyboardInterrupt:
        heard()
        console.warn("interrupted")
    if conversation.has_timer:
        console.say(f"took {time.monotonic() - started:.3f} s")


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
