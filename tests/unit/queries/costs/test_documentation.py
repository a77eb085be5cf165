"""The processor that docs/cross-profiling.md adds, on a hand-made run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.runs import RunBuilder

from jvmscope.errors import QueryError
from jvmscope.metrics import measure
from jvmscope.queries import Engine
from jvmscope.queries.costs import cost_models, load_cost_model

_PAGE = Path(__file__).parents[4] / "docs" / "cross-profiling.md"
_TEXT = _PAGE.read_text(encoding="utf-8")


def _block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", _TEXT, re.DOTALL)[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(_block("toml"), encoding="utf-8")
    return path


def test_the_example_measures(file: Path, tmp_path: Path) -> None:
    builder = RunBuilder()
    callee = builder.method("app/A", "f", "(I)I", blocks=[["iload_0", "ireturn"]], is_static=True)
    main = builder.method("app/A", "main", blocks=[["invokestatic app/A.f:(I)I", "pop", "return"]])
    builder.thread("main").call(main).call(callee, site=0)
    run = builder.write(tmp_path / "example.run")

    with Engine(run) as engine:
        values = measure(
            [engine],
            metrics=["cycles.run"],
            params={"fetch": "10"},
            cost_model=load_cost_model(file),
            is_cached=False,
        ).arrow()
    found = dict(zip(values["measure"].to_pylist(), values["value"].to_pylist(), strict=True))

    # Of no bytes: a hit, 1. Of up to 16 bytes: 3 + 1 * 10 = 13; to the root, 3 + 0 = 3.
    assert found["block_cycles"] == (6 + 1) + 40 + 4 + 1 + 4
    assert found["call_cycles"] == 13 - 1
    assert found["return_cycles"] == (13 - 2) + (3 - 2)


def test_the_mistake_is_told_as_the_page_says(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('\nreturn = "4 + max(0, load', '\nreturn = "4 + max(0, laod', 1))

    with pytest.raises(QueryError) as caught:
        load_cost_model(file)

    assert str(caught.value).replace(str(file), "mine.toml") == _block("text").rstrip("\n")


def test_the_page_names_all_models() -> None:
    assert [name for name in cost_models() if f"`{name}`" not in _TEXT] == []


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match=r"none\.toml: error: cannot be read"):
        load_cost_model(tmp_path / "none.toml")
