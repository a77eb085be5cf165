"""Turns DuckDB's errors into errors with the query's line, column and a similar name."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError, did_you_mean
from jvmscope.queries.language import SQL_WORDS
from jvmscope.queries.modules import called_words, macros, modules
from jvmscope.queries.scopes.scope import WHOLE_RUN
from jvmscope.queries.scopes.scope_folding import MIXED_CALLERS
from jvmscope.queries.scopes.scope_parts import refused_relation
from jvmscope.queries.sql_error_positions import place_of
from jvmscope.schema import ALWAYS, native_tables, tables, watch_tables

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.queries.modules import Macro
    from jvmscope.queries.scopes.scope import Scope

__all__ = ["absence_error", "is_out_of_memory", "message_of", "parameter_error", "query_error"]

_NO_TABLE = re.compile(r'Table with name (?:"(.+)" does not exist because|(.+) does not exist!)')
_NO_FUNCTION = re.compile(r"(Scalar|Table|Aggregate) Function with name \S+ does not exist")
_CANDIDATE = re.compile(r'"([^"]+)"')
_MOST_CANDIDATES = 4
_NO_OPERATOR = re.compile(
    r"(?:No function matches the given name and argument types '|"
    r'Could not choose a best candidate function for the function call ")([^\w\s(]+)\((.*)\)'
)
_NO_SIGNATURE = re.compile(r"No function matches|Could not choose a best candidate")
_CAST_ADVICE = re.compile(r"\. (You might need to|In order to select one, please) add explicit .*")
_NEAR_WORD = re.compile(r'syntax error at or near "([A-Za-z]+)"')
_SETTINGS = re.compile(r"\b(SET|PRAGMA|INSTALL|LOAD|RESET)\s+\w|\bSET\b|Possible solutions")
_NO_FILE = re.compile(r'No files found that match the pattern "(.*)"')
_TOO_DEEP = re.compile(r"Max expression depth limit of (\d+) exceeded")
_ADVICE = re.compile(r" (Use TRY\(|Use \"?SET |You might need to add explicit type casts).*")
_MEMORY_ADVICE = re.compile(r"\n+(?:Possible solutions|Database is launched)")
_EXTENSION = re.compile(
    r"""required extension '(\w+):|it exists in the (\w+) extension|"""
    r"""Extension "(?:[^"\n]*/)?(\w+)\.duckdb_extension" not found|"""
    r"""Failed to download extension "(\w+)\""""
)
_FAILED_ALLOCATION = "Memory allocation failure"  # of reservoir_quantile
_KINDS = re.compile(r"^(Python exception occurred .*?: |(\w+ )*\w*Error: )+")
_LEXICAL = r"""'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|(?P<found>PLACES)|(?:"(?:[^"]|"")*")"""


def query_error(
    error: Exception,
    *,
    text: str,
    path: str | None,
    offset: int,
    recorded: Collection[str],
    statement: tuple[int, str] | None = None,
    scope: Scope = WHOLE_RUN,
) -> QueryError:
    """Returns an error of DuckDB as a query error.

    Args:
        error: what DuckDB raised, with ``errors_as_json`` set.
        text: the whole query text.
        path: its file's name, or None.
        offset: the character of the text from which DuckDB's positions count.
        recorded: the tables that the run has.
        statement: the statement that failed, after the character at which it begins; None: all
            that follows the offset.
        scope: the part of the run that the query sees.
    """
    statement = statement or (offset, text[offset:])
    facts = _facts(error)
    message, _, rest = _plain(facts).partition("\n")
    found = _of_types(message, rest) or _of_extension(message)
    message, hint = found or (message, _hint(facts, rest))
    if (gone := _NO_FILE.search(message)) and gone[1] not in text:  # the query names none: a view
        message = "files of the run are gone since it was opened"
        hint = "open it again: the files of a watch run are replaced when the watch ends"
    if deep := _TOO_DEEP.match(message):
        message = f"an expression is nested deeper than {int(deep[1]):,} levels"
        hint = "compute parts of it as columns of a subquery: WITH t AS (SELECT ... AS part)"
    if near := _NEAR_WORD.match(message):
        hint = did_you_mean(near[1], SQL_WORDS) if near[1].upper() not in SQL_WORDS else hint
    if hint is not None and _SETTINGS.search(hint):
        hint = None  # a query cannot change a setting for itself
    if missing := _NO_TABLE.match(message):
        name = missing[1] or missing[2]
        if refused := refused_relation(name):
            return absence_error(refused, scope, text=text, path=path)
        message, hint = _missing_table(name, recorded, hint)
    if _NO_FUNCTION.match(message) and "position" in facts:
        misused = _missing_macro(message, text[offset:], int(facts["position"]), recorded, scope)
        message, hint = misused or (message, hint)
    place = _place(facts, message, text[offset:].encode(), statement[1])
    line = column = None
    length = 1
    if place is not None:
        begin, length = place
        start = (offset if "position" in facts else statement[0]) + begin
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
    return QueryError(
        message.rstrip("!"),
        path=path,
        line=line,
        column=column,
        source=text,
        length=length,
        hint=hint,
    )


def absence_error(relation: str, scope: Scope, *, text: str, path: str | None) -> QueryError:
    """Returns the error about a relation that has no meaning in a scope, where SQL names it."""
    absence, hint = scope.absence(relation), scope.others_with(relation)
    if absence is None:  # a table of the user's probe, which every scope defines of other runs
        absence = f"undefined in the scope {scope}: {MIXED_CALLERS}"
        hint = "record again with --recursion keep and more --max-memory"
    return _error_about(
        rf'(?<![.\w]){relation}\b|"{relation}"',
        f'"{relation}" is {absence}',
        text=text,
        path=path,
        hint=f"{hint}; run.{relation} is that of the whole run",
    )


def parameter_error(
    message: str, name: str, *, text: str, path: str | None, hint: str
) -> QueryError:
    """Returns an error about a parameter, at the first place that reads it."""
    places = rf"\${re.escape(name)}\b" if not name.isdigit() else rf"\${name}\b|\?"
    return _error_about(places, message, text=text, path=path, hint=hint)


def _error_about(
    places: str, message: str, *, text: str, path: str | None, hint: str
) -> QueryError:
    """Returns an error at the first place of SQL that a pattern matches, without one if none is."""
    pattern = re.compile(_LEXICAL.replace("PLACES", places), re.DOTALL)
    found = next((m.span("found") for m in pattern.finditer(text) if m["found"]), None)
    if found is None:
        return QueryError(message, path=path, hint=hint)
    at, end = found
    return QueryError(
        message,
        path=path,
        line=text.count("\n", 0, at) + 1,
        column=at - text.rfind("\n", 0, at),
        source=text,
        length=end - at,
        hint=hint,
    )


def _of_extension(message: str) -> tuple[str, str] | None:
    """Returns which extension of DuckDB a query lacks, and what helps; None for other errors."""
    extension = _EXTENSION.search(message)
    if extension is None:
        return None
    name = next(filter(None, extension.groups()))
    return (
        f'the query needs the extension "{name}" of DuckDB, which is not installed',
        "queries can use what DuckDB has built in, such as CSV, JSON and Parquet files",
    )


def _of_types(message: str, rest: str) -> tuple[str, str | None] | None:
    """Returns what is wrong with the types of arguments, and what helps; None for other errors."""
    if not _NO_SIGNATURE.match(message):
        return None
    message = message.replace("STRING_LITERAL", "VARCHAR").replace("_LITERAL", "")
    if operator := _NO_OPERATOR.match(message):
        shown = " and ".join(operator[2].split(", "))
        advice = "convert an operand: CAST(... AS BIGINT)"
        return f"{operator[1]} is not defined for {shown}", advice
    signatures = [line.strip().replace(",  /)", ")") for line in rest.splitlines() if "->" in line]
    message = _CAST_ADVICE.sub("", message)
    return message, _listed(signatures) if signatures else None


def _listed(candidates: list[str]) -> str:
    """Returns candidates, of many the first few."""
    shown = candidates[:_MOST_CANDIDATES]
    more = len(candidates) - len(shown)
    return f"candidates: {', '.join(shown)}{f' and {more} more' if more else ''}"


def _facts(error: Exception) -> dict[str, Any]:
    text = str(error)
    brace = text.find("{")
    if brace >= 0:
        try:  # behind the facts of an internal error there is advice
            facts, _ = json.JSONDecoder().raw_decode(text, brace)
        except ValueError:
            facts = None
        if isinstance(facts, dict) and "exception_message" in facts:
            return facts
    return {"exception_message": text}


def _plain(facts: dict[str, Any]) -> str:
    """Returns a message without the kinds of error inside it, and without what is forbidden."""
    message = _ADVICE.sub("", _KINDS.sub("", facts["exception_message"])).replace('""', '"')
    is_internal = facts.get("exception_type") == "INTERNAL"
    return f"an internal error of DuckDB: {message}" if is_internal else message


def _place(
    facts: dict[str, Any], message: str, text: bytes, statement: str
) -> tuple[int, int] | None:
    """Returns where an error is, and how long that is: as DuckDB says, or as its words mean.

    Args:
        facts: what DuckDB says.
        message: the message that is shown.
        text: what DuckDB's positions count in.
        statement: what the place of words is counted in.
    """
    if "position" not in facts:
        return place_of(message, statement)
    begin = len(text[: int(facts["position"])].decode(errors="ignore"))
    return begin, _length(facts, text) or len(facts.get("name", "")) or 1


def _length(facts: dict[str, Any], text: bytes) -> int:
    """Returns how many characters the error is about, 0 if DuckDB does not say."""
    location = re.fullmatch(r"\[(\d+),(\d+)\]", str(facts.get("location", "")))
    if location is None:
        return 0
    start, size = int(location[1]), int(location[2])
    return len(text[start : start + size].decode(errors="ignore"))


def _hint(facts: dict[str, Any], rest: str) -> str | None:
    candidates = [str(name) for name in str(facts.get("candidates", "")).split(",") if name]
    candidates = candidates or _CANDIDATE.findall(rest)
    if not candidates:
        return rest.strip() or None
    near = did_you_mean(str(facts.get("name", "")), candidates)
    return near or _listed(list(dict.fromkeys(candidate.strip() for candidate in candidates)))


def _missing_macro(
    message: str, text: str, position: int, recorded: Collection[str], scope: Scope
) -> tuple[str, str | None] | None:
    """Returns what is wrong with the call of a module's macro at a place, None if none is there."""
    rest = text.encode()[position:].decode(errors="ignore")
    named = re.match(r"(\w+)\.(\w+)", rest)
    if named is None or named[1].lower() not in modules():
        return None
    if macro := macros().get(named[0].lower()):
        return _macro_misused(macro, recorded, scope, is_table=message.startswith("Table"))
    public = [name for name, macro in macros().items() if not macro.is_private]
    near = did_you_mean(named[0], [name for name in public if name.startswith(f"{named[1]}.")])
    hint = f"{near or ''}  All macros: jvmscope list modules".lstrip()
    return f"there is no macro {named[0]}", hint


def _macro_misused(
    macro: Macro, recorded: Collection[str], scope: Scope, *, is_table: bool
) -> tuple[str, str]:
    """Returns why DuckDB does not find a macro that there is, and what helps."""
    words = called_words(macro.qualified) if is_table is bool(macro.columns) else ()
    for name, table in tables().items():
        if name in words and name not in recorded and table.recorded != ALWAYS:
            _, remedy = _missing_table(name, recorded, None)
            message = (
                f'the macro {macro.qualified} reads the table "{name}", which was not recorded'
            )
            return message, remedy or ""
    for name in scope.absent:
        if name in words:
            message = f'the macro {macro.qualified} reads "{name}", {scope.absence(name)}'
            return message, scope.others_with(name)
    if is_table and not macro.columns:
        return f"the macro {macro.qualified} is a value", f"write SELECT {macro.signature}"
    hint = "unless you dropped what it reads, the run is damaged: jvmscope check RUN says more"
    return f"the macro {macro.qualified} cannot be made in this run", hint


def _missing_table(
    name: str, recorded: Collection[str], hint: str | None
) -> tuple[str, str | None]:
    is_watched = bool(recorded) and set(recorded) <= watch_tables().keys()
    definition = None if is_watched else tables().get(name)
    if definition is None:
        known = did_you_mean(name, watch_tables() if is_watched else tables()) or hint
        listing = "All tables: jvmscope list tables"
        return f'there is no table "{name}"', f"{known}  {listing}" if known else listing
    if name in recorded:
        return f'there is no table "{name}"', hint
    if name not in native_tables() and recorded and set(recorded) <= native_tables().keys():
        remedy = "record the program again without --no-tree"
        return f'the table "{name}" was not recorded in this run', remedy
    if not recorded:
        return "the recording failed, so the run has no tables", "run.json says what happened"
    remedy = "the run is damaged: jvmscope check RUN says more"
    if definition.recorded != ALWAYS:
        remedy = f"record the program again with {definition.recorded}"
        others = {tables()[other].recorded for other in recorded if other in tables()}
        if definition.recorded in others:
            remedy = "record the program again: what recorded the run did not have this table"
            if definition.needs is not None:
                remedy = f"recording it needs {definition.needs}"
    return f'the table "{name}" was not recorded in this run', remedy


def message_of(error: Exception) -> str:
    """Returns DuckDB's own words of an error, in one line."""
    words = _MEMORY_ADVICE.split(str(_facts(error)["exception_message"]))[0]
    return " ".join(line for line in words.splitlines() if not _SETTINGS.search(line))


def is_out_of_memory(error: Exception) -> bool:
    """Tells whether DuckDB, or Arrow on its behalf, gave up for want of memory."""
    facts = _facts(error)
    kind, message = facts.get("exception_type"), facts["exception_message"]
    return kind == "Out of Memory" or (kind == "INTERNAL" and message == _FAILED_ALLOCATION)
