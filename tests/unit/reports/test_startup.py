"""How much of a run is the start of the JVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.runs import RunBuilder
from support.samples import write_empty, write_folded

from jvmscope.queries import Engine, parse_scope
from jvmscope.reports.listings import listings_of
from jvmscope.reports.startup import startup_of

if TYPE_CHECKING:
    from pathlib import Path


def _rows(run: Path) -> dict[str, tuple[float | str | None, ...]]:
    """Returns (bytecodes, share, calls, contexts, classes) by scope; the rest is ``None``'s."""
    with Engine(run) as engine:
        return {str(row[1]): row[2:] for row in startup_of(engine, is_cached=False).rows}


def test_by_hand(tmp_path: Path) -> None:
    """The VM boots by 10 calls of 2 bytecodes; main calls get; a thread calls get by itself."""
    builder = RunBuilder()
    boot = builder.method("jdk/Boot", "boot", loader="boot", blocks=[["nop", "return"]])
    get = builder.method("jdk/Map", "get", loader="boot", blocks=[["nop", "nop", "return"]])
    calling = ["invokestatic jdk/Map.get:()V", "return"]
    main = builder.method("app/Main", "main", is_static=True, blocks=[calling])
    task = builder.method("app/Task", "run", blocks=[["return"]])
    thread = builder.thread("main")
    thread.call(boot, calls=10)
    thread.call(main).call(get, site=0)
    builder.thread("worker").call(task, calls=4)
    builder.thread("idle").call(get, calls=5)

    assert _rows(builder.write(tmp_path / "a.run")) == {
        "subtree:app/Main.main": (2 + 3, 5 / 44, 2, 2, 2),
        "application+": (2 + 3 + 4, 9 / 44, 6, 3, 3),
        "None": (10 * 2 + 5 * 3, 35 / 44, 15, 2, 1),
        "run": (44, 1, 21, 5, 4),
    }


def test_what_is_unknown_is_null(tmp_path: Path) -> None:
    nothing = (0, None, 0, 0, 0)
    assert _rows(write_empty(tmp_path / "empty.run")) == dict.fromkeys(
        ("application+", "None", "run"), nothing
    )
    assert _rows(write_folded(tmp_path / "folded.run"))["application+"] == (22, 1, 11, 2, 2)


def test_parts_of_a_run_have_no_start(shapes: Path) -> None:
    with Engine(shapes) as engine:
        ids = [
            [each.id for each in listings_of(engine, parse_scope(scope), is_cached=False)]
            for scope in ("run", "application")
        ]

    assert "report.startup" in ids[0]
    assert "report.startup" not in ids[1]
