"""``jvmscope query``: an answer to a question of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.options import RUN, console_options, limit_options, output_options

if TYPE_CHECKING:
    from jvmscope.console import Console
    from jvmscope.output import Output
    from jvmscope.queries import QueryFile

__all__ = ["command"]


@click.command("query")
@click.argument("run", type=RUN)
@click.argument("text", required=False)
@click.option("--sql", help="The query, in SQL.")
@click.option("-f", "--file", type=click.Path(path_type=Path), help="Read the query from a file.")
@click.option("--param", "assignments", multiple=True, metavar="NAME=VALUE", help="Bind $NAME.")
@limit_options
@output_options
@console_options
def command(
    *,
    run: Path,
    text: str | None,
    sql: str | None,
    file: Path | None,
    assignments: tuple[str, ...],
    limit: int | None,
    timeout: float | None,
    output: Output,
    console: Console,
) -> int:
    """Answer a query about RUN, whose tables are views; TEXT is SQL, or - for stdin.

    \b
    jvmscope query app.run --sql 'SELECT name, kind FROM thread'
    jvmscope query app.run -f sites.sql --param min_calls=10 --format json
    """
    from jvmscope.cli import DONE, LIMITED
    from jvmscope.queries import Engine, parse_assignments

    query = _query(text, sql, file)
    params = parse_assignments(assignments)
    with Engine(run) as engine:
        result = engine.query(query, params=params, limit=limit, timeout=timeout)
        output.write(result, console)
    return LIMITED if result.is_truncated else DONE


def _query(text: str | None, sql: str | None, file: Path | None) -> QueryFile:
    from jvmscope.errors import QueryError
    from jvmscope.queries import parse_query_file

    if sum(source is not None for source in (text, sql, file)) != 1:
        raise click.UsageError("give the query as TEXT, with --sql, or with -f FILE, one of them")
    if file is not None:
        try:
            return parse_query_file(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"cannot be read: {error}", path=str(file)) from None
    if text == "-":
        return parse_query_file(sys.stdin.read(), "<stdin>")
    return parse_query_file(sql or text or "", None)
