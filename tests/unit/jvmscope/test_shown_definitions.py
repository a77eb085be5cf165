"""What `show` says fits into the lines of a terminal; a pipe gets a line for each column."""

from __future__ import annotations

import pytest

from jvmscope.metrics.catalogue import implementations
from jvmscope.output.definitions import describe_entry, describe_metric, describe_table
from jvmscope.queries import library_entries
from jvmscope.schema import tables, watch_tables

_TABLES = {**tables(), **watch_tables()}


def _described(name: str, width: int | None) -> str:
    if name in _TABLES:
        return describe_table(_TABLES[name], width=width)
    if name in implementations():
        return describe_metric(implementations()[name], width=width)
    entry = library_entries()[name]
    return describe_entry(entry, width=width).removesuffix(entry.body)  # a source stays as it is


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_definition_fits_and_loses_nothing(width: int) -> None:
    for name in [*_TABLES, *implementations(), *library_entries()]:
        whole, text = _described(name, None), _described(name, width)
        title, *lines = text.split("\n")

        assert "".join(text.split()) == "".join(whole.split())
        assert [line for line in lines if len(line) > width] == [], (name, title)


def test_lines_of_any_length_have_one_for_each_column() -> None:
    text = _described("context", None)

    assert (
        "  parent_id     INTEGER            calling node; null: root of a thread  → context\n"
        in text
    )
