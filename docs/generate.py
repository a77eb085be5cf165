"""Writes the generated parts of the documentation; a test says whether they are current.

    python docs/generate.py

Between the marks ``<!-- generated: NAME -->`` and ``<!-- end -->`` of a page stands what the
code says of itself: the tables, the metrics, the commands, the keys of suite files. The XML Schema
has such parts, too: what lies in contexts and threads, and in classes and code.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli import program
from jvmscope.metrics.catalogue import catalogue, implementations
from jvmscope.reports.exports.formats import EXPORT_FORMATS
from jvmscope.reports.watched import METRIC_FUNCTIONS
from jvmscope.schema import study_tables, tables, watch_tables, word_sets
from jvmscope.schema.watched import BINNED, WatchTable
from jvmscope.schema.xml.declarations import fact_declarations, part_declarations
from jvmscope.schema.xml.vocabulary import CLASSES_ROOT, elements
from jvmscope.suite.keys import BENCHMARK, EXPECT, JVM, TOP
from jvmscope.suite.record_keys import RECORD_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmscope.queries import QueryFile, QueryParam
    from jvmscope.schema import Table
    from jvmscope.schema.xml.vocabulary import Element
    from jvmscope.suite.keys import Key

_FOLDER = Path(__file__).parent
_SCHEMAS = _FOLDER.parent / "schema" / "xml" / "xsd"
_HOLDERS = ("class", "method", "basic_block")  # whose types the XML Schema has by hand
_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generate() -> dict[Path, str]:
    """Returns the text of every page with generated parts, as it should be."""
    parts = {
        "tables": _tables(),
        "watch_tables": _watch_tables(),
        "study_tables": "\n".join(map(_table, study_tables().values())),
        "metric_functions": _metric_functions(),
        "metrics": _metrics(),
        "commands": _commands(),
        "suite_keys": _suite_keys(),
        "export_formats": _export_formats(),
        "elements": _elements(),
        "thread_facts": fact_declarations("thread"),
        "context_facts": fact_declarations("context"),
        **{f"{holder}_parts": part_declarations(holder) for holder in (CLASSES_ROOT, *_HOLDERS)},
    }
    pages = {}
    for path in sorted([*_FOLDER.glob("*.md"), *_SCHEMAS.glob("*.xsd")]):
        text = path.read_text(encoding="utf-8")
        if _PART.search(text):
            pages[path] = _PART.sub(lambda part: part[1] + parts[part[2]] + part[3], text)
    return pages


def _tables() -> str:
    words = "\n".join(
        f"- `{name}`: {', '.join(words.words) if len(words.words) < 10 else 'the 202 mnemonics'}"
        for name, words in word_sets().items()
    )
    return "\n".join(map(_table, tables().values())) + f"\nClosed sets of words:\n\n{words}\n"


def _metric_functions() -> str:
    head = "| metric function | unit | is | from the table | not charged to |\n"
    rows = [
        f"| `{each.name}` | {each.unit} | {each.meaning} | `{each.source}` | "
        f"{', '.join(f'`/{hierarchy}`' for hierarchy in each.absent)} |\n"
        for each in METRIC_FUNCTIONS.values()
    ]
    return head + "| --- | --- | --- | --- | --- |\n" + "".join(rows)


def _watch_tables() -> str:
    return "\n".join(
        _table(table) + _bins_of(table)
        for name, table in watch_tables().items()
        if not name.endswith(BINNED)
    )


def _bins_of(table: WatchTable) -> str:
    """Returns what becomes of the rows of a table that are too many."""
    if table.binning is None:
        return ""
    if table.binning.is_here:
        return "\nOf a long watch, older rows of one time and kind are put together.\n"
    name = f"{table.name}{BINNED}"
    columns = ", ".join(f"`{column.name}`" for column in watch_tables()[name].columns)
    return f"\nOf a long watch, older rows become `{name}`: {columns}.\n"


def _table(table: Table) -> str:
    rows = [
        f"| `{column.name}` | {column.sql_type} | {column.unit or ''} | "
        f"{_escaped(column.meaning)} | {_escaped(column.null_meaning or 'never')} | "
        f"{f'`{column.references}`' if column.references else ''} |"
        for column in table.columns
    ]
    origin = _origin_of(table)
    return (
        f"### `{table.name}`\n\n{_escaped(table.description)}{origin}\n\n"
        "| column | type | unit | meaning | null means | refers to |\n"
        "| --- | --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


def _origin_of(table: Table) -> str:
    """Returns a sentence of the events that a table is made of, or of how it is recorded."""
    if isinstance(table, WatchTable):
        events = ", ".join(f"`{event}`" for event in table.events)
        return f" Made of {events}." if events else ""
    recorded = "" if table.recorded == "always" else f" Recorded with `{table.recorded}`."
    return f"{recorded} Rows are in the order of {table.order}."


def _export_formats() -> str:
    head = "| format | contains | opened by |\n| --- | --- | --- |\n"
    return head + "".join(
        f"| `{form.name}` | {form.contains} | {form.opened_by} |\n"
        for form in EXPORT_FORMATS.values()
    )


def _elements() -> str:
    head = (
        "| table | element | attributes (? may be absent) | counts |\n| --- | --- | --- | --- |\n"
    )
    return head + "".join(map(_element, elements().values()))


def _element(element: Element) -> str:
    attributes = ", ".join(
        f"`{attribute.name}`{'' if attribute.is_required else '?'}"
        for attribute in element.attributes
    )
    counts = ", ".join(f"`{name}`" for name, _ in element.counts) or "none"
    return f"| `{element.table}` | `dcg:{element.name}` | {attributes} | {counts} |\n"


def _metrics() -> str:
    rows = [
        f"| [`{query.id}`](#{_anchor(query.id)}) | {query.name} | {query.kind} | "
        f"{query.grain} | {' '.join(query.tags)} |\n"
        for query in catalogue().values()
    ]
    head = "| id | name | kind | one row per | tags |\n| --- | --- | --- | --- | --- |\n"
    return f"{head}{''.join(rows)}\n" + "\n".join(map(_metric, implementations().values()))


def _range(param: QueryParam) -> str:
    return f" in {param.range}" if param.range is not None else ""


def _metric(files: Sequence[QueryFile]) -> str:
    query = files[-1]
    columns = [
        f"| `{column.name}` | {column.type} | {column.unit or 'key'} | {_escaped(column.meaning)} |"
        for column in query.columns
    ]
    facts = [
        f"Needs {', '.join(f'`{name}`' for name in query.requires)}." if query.requires else "",
        f"Over several runs, by the step `{query.step}`." if query.step else "",
        *(f"`${p.name}` = {p.default}{_range(p)}: {p.meaning}." for p in query.params),
        f"Source: {_escaped(query.source)}." if query.source else "",
        f"Written in {' and '.join(_language(file) for file in files)}.",
    ]
    return (
        f"### `{query.id}`\n\n{query.name} ({query.kind}, version {query.version}, one row per "
        f"{query.grain}). {_escaped(query.description)}\n\n"
        f"{' '.join(fact for fact in facts if fact)}\n\n"
        "| column | type | unit | meaning |\n| --- | --- | --- | --- |\n"
        + "\n".join(columns)
        + "\n"
    )


def _anchor(id_: str) -> str:
    """Returns the anchor that a heading of an id gets."""
    return id_.replace(".", "")


def _language(file: QueryFile) -> str:
    path = file.path or ""
    name = "XQuery" if path.endswith(".xq") else "SQL"
    return f"[{name}](../{path})"


def _commands() -> str:
    root = click.Context(program, info_name="jvmscope", max_content_width=88, terminal_width=88)
    return "\n".join(
        f"## `{context.command_path}`\n\n```text\n{context.get_help().rstrip()}\n```\n"
        for context in _contexts(root)
    )


def _contexts(parent: click.Context) -> Iterator[click.Context]:
    group = parent.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is not None:
            context = click.Context(
                command, info_name=name, parent=parent, max_content_width=88, terminal_width=88
            )
            yield context
            yield from _contexts(context)


def _suite_keys() -> str:
    tables = (
        ("At the top", TOP),
        ("`[[benchmark]]`", BENCHMARK),
        ("`[jvm.NAME]`", JVM),
        ("`expect`", EXPECT),
    )
    names = ", ".join(f"`{name}`" for name in RECORD_KEYS)
    record = f"`record` has the same options as `jvmscope record`: {names}.\n"
    return "\n".join([*(_keys(title, keys) for title, keys in tables), record])


def _keys(title: str, keys: Sequence[Key]) -> str:
    rows = [
        f"| `{key.name}` | {_default(key)} | {_escaped(key.meaning)}{_remarks(key)} |\n"
        for key in keys
    ]
    return f"{title}:\n\n| key | default | meaning |\n| --- | --- | --- |\n{''.join(rows)}"


def _default(key: Key) -> str:
    if not key.default:
        return "required"
    is_toml = key.default[0] in '[{"' or key.default.isdigit()
    return f"`{key.default}`" if is_toml else key.default


def _remarks(key: Key) -> str:
    own = "not in `[defaults]`" if key.is_own else ""
    filled = "with placeholders" if key.has_placeholders else ""
    remarks = "; ".join(filter(None, [filled, own]))
    return f" ({remarks})" if remarks else ""


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _main() -> None:
    """Writes the pages; with --check only names those that are not current."""
    pages = generate()
    if "--check" in sys.argv[1:]:
        stale = sorted(p.name for p, text in pages.items() if p.read_text("utf-8") != text)
        sys.stdout.write("".join(f"{name}\n" for name in stale))
        return
    for page, content in pages.items():
        page.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    _main()
