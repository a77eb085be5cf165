"""``jvmscope query``: queries in SQL, XQuery and XPath."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import (
    RUN,
    answer_options,
    calibration_option,
    console_options,
    cost_model_option,
    given_options,
    limit_options,
    scope_option,
)
from jvmscope.output.standard_streams import echo

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmscope.output.console import Console
    from jvmscope.output.results import Output
    from jvmscope.queries import CostModel, Engine, QueryFile, Question, Scope
    from jvmscope.schema.calibration import Calibration

__all__ = ["command"]


@click.command("query")
@click.argument("run", type=RUN)
@click.argument("text", required=False)
@click.option("--sql", "language", flag_value="sql", help="The query is SQL.")
@click.option("--xquery", "language", flag_value="xquery", help="The query is XQuery 3.1.")
@click.option("--xpath", "language", flag_value="xpath", help="The query is XPath 3.1.")
@click.option("-f", "--file", type=click.Path(path_type=Path), help="Read the query from a file.")
@click.option(
    "--param", "assignments", multiple=True, metavar="NAME=VALUE", help="Set the parameter $NAME."
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show the SQL of an XQuery, and which parts run on trees and why.",
)
@click.option(
    "--locked",
    is_flag=True,
    help="The query is untrusted: it reaches nothing but the run, within limits of time, "
    "memory and rows.",
)
@click.option(
    "--allow-read",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Let an XQuery read the files in a directory: doc('x.xml'), unparsed-text().",
)
@click.option(
    "--with",
    "beside",
    type=RUN,
    metavar="RUN",
    help="Put a recorded run beside a watch run: its tables are in the schema recorded.",
)
@calibration_option
@scope_option("run")
@cost_model_option
@limit_options
@answer_options
@console_options
def command(
    *,
    run: Path,
    text: str | None,
    language: str | None,
    file: Path | None,
    assignments: tuple[str, ...],
    explain: bool,
    locked: bool,
    allow_read: tuple[Path, ...],
    beside: Path | None,
    calibration: Calibration | None,
    scope: Scope,
    cost_model: CostModel | None,
    limit: int | None,
    timeout: float | None,
    output: Output,
    console: Console,
) -> int:
    """Query a run in SQL, XQuery or XPath.

    The query is TEXT, or read from stdin if TEXT is -, or from a file with -f. Without a query,
    jvmscope starts a prompt.

    An option selects the language. Otherwise the ending of the file (.sql, .xq) does, or the
    first word of the text. In SQL, the run's tables are views. In XQuery, $classes and $cct are
    the run's documents, and $methods and $threads are elements in them. If an XQuery declares
    output: options, or if all its items are nodes, the answer is text; otherwise it is a table.

    \b
    jvmscope query app.run 'SELECT name, kind FROM thread'
    jvmscope query app.run --limit 10 'for $m in $methods
        order by xs:long($m/dcg:callCount) descending
        return map { "name": $m/@name, "calls": $m/dcg:callCount }'
    jvmscope query app.run -f sites.sql --param min_calls=10 --format json
    jvmscope query app.watch --with app.run 'FROM measured_method'
    jvmscope query app.run --locked --timeout 5s - < theirs.sql
    """
    from jvmscope.actions.lack_notice import lacks_of
    from jvmscope.actions.query_session import QuerySession
    from jvmscope.cli import DONE, LIMITED
    from jvmscope.queries import (
        Engine,
        Limits,
        Question,
        parse_assignments,
        refuse_two_models,
    )

    params = parse_assignments(assignments)
    refuse_two_models(params, cost_model)
    _refuse_useless(given_options())
    terms = Question(
        "",
        language=language,
        scope=scope,
        limit=limit,
        timeout=timeout,
        cost_model=cost_model,
        allow_read=_readable(allow_read),
        limits=Limits() if locked else None,
    )
    with Engine(run, beside=beside, calibration=calibration) as engine:
        if not locked:  # whose asker is not given the run's path
            for each in filter(None, (run, beside)):
                for lack in lacks_of(each):
                    console.warn(lack)
        asking = QuerySession(engine, output, console, terms)
        if text is None and file is None and sys.stdin.isatty() and sys.stdout.isatty():
            if params or explain:
                raise click.UsageError("--param and --explain are for one query: TEXT or -f FILE")
            from jvmscope.prompt.loop import converse

            return converse(asking)
        query = _query(text, file)
        if explain:
            echo(_explained(engine, replace(terms, query=query, params=params)))
            return DONE
        is_whole = asking.ask(query, params)
    return DONE if is_whole else LIMITED


def _refuse_useless(given: Collection[str]) -> None:
    """Raises an error for options that do not go together."""
    if {"--locked", "--allow-read"} <= {*given}:
        raise click.UsageError(
            "an untrusted query cannot read files; use --locked without --allow-read"
        )
    if {"--locked", "--with"} <= {*given}:
        raise click.UsageError(
            "an untrusted query reaches one run alone; use --locked without --with"
        )
    if "--explain" not in given:
        return
    if "--locked" in given:
        raise click.UsageError("--explain plans a query outside of its limits: leave out --locked")
    if not {"--format", "--output", "--limit", "--timeout"}.isdisjoint(given):
        raise click.UsageError("--explain runs nothing: leave out --format, -o, --limit, --timeout")


def _readable(allow_read: tuple[Path, ...]) -> tuple[Path, ...]:
    if not allow_read:
        return ()
    from jvmscope.queries import readable_directories

    return readable_directories(allow_read)


def _query(text: str | None, file: Path | None) -> QueryFile:
    from jvmscope.errors import QueryError
    from jvmscope.queries import parse_query_file

    if (text is None) == (file is None):
        raise click.UsageError("give the query either as TEXT or with -f FILE")
    if "-" in (text, str(file)):
        return parse_query_file(sys.stdin.read(), "<stdin>")
    if file is not None:
        try:
            return parse_query_file(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"cannot be read: {error}", path=str(file)) from None
    return parse_query_file(text or "", None)


def _explained(engine: Engine, question: Question) -> str:
    if question.resolved_language == "sql":
        raise click.UsageError("--explain is for XQuery; of SQL, write EXPLAIN before the SELECT")
    return engine.xquery(replace(question, timeout=None)).explain()
