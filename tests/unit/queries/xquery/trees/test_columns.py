"""Columns of a run whose reading is interrupted."""

from __future__ import annotations

from typing import Any

import pytest

from jvmscope.queries.xquery.trees.run.columns import Column


class _Table:
    """Two rows a row group; reading the second group is interrupted once."""

    def __init__(self) -> None:
        self.is_interrupted = False

    def place(self, row: int) -> tuple[int, int, int]:
        group = row // 2
        return group, 2 * group, 2 * group + 2

    def chunk(self, _name: str, group: int) -> list[int]:
        if group == 1 and not self.is_interrupted:
            self.is_interrupted = True
            raise KeyboardInterrupt
        return [20 * group, 20 * group + 10]


def test_an_interrupted_column_is_read_again() -> None:
    table: Any = _Table()
    column = Column(table, "size")
    assert [column[0], column[1]] == [0, 10]
    with pytest.raises(KeyboardInterrupt):
        column[3]
    assert [column[3], column[2], column[0]] == [30, 20, 0]
