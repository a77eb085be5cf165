"""How programs ended, by what the manifest and the tables of their runs say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from support.runs import RunBuilder

from jvmscope.errors import RunError
from jvmscope.schema import ExitFacts, MainFacts, read_manifest
from jvmscope.schema.ending import Ending, ended_threads, ending_of

if TYPE_CHECKING:
    from pathlib import Path


_AFTER = " after an uncaught exception in main"


def _write(run: Path, exit_: ExitFacts | None, *, thrown_in: str | None = None) -> Path:
    """Writes a run of two threads; in one the VM may have dispatched an exception."""
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["return"]])
    dispatch = builder.method(
        "java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V",
        loader="boot", blocks=[["return"]],
    )  # fmt: skip
    for name in ("early", "main", "worker"):
        root = builder.thread(name)
        root.call(main)
        if name == thrown_in:
            root.call(dispatch)
    # Each thread has a root and a main; the second thread's main is the program's.
    context = 4 if thrown_in == "early" else 3
    return builder.write(run, exit=exit_, main=MainFacts("app/Main", context))


@pytest.mark.parametrize(
    ("facts", "thrown_in", "text", "is_failure"),
    [
        (("ended", 0), None, "ended with exit status 0", False),
        (("ended", None), None, "ended", False),
        (("exited", 0), None, "ended with exit status 0", False),
        (("exited", 3), None, "ended with exit status 3", True),
        (("exited", 143), None, "ended with exit status 143 (SIGTERM)", True),
        (("exited", 255), None, "ended with exit status 255", True),
        (("killed", None, 9), None, "was killed by SIGKILL", True),
        (("killed", None, None), None, "was killed, crashed or outlived its command", True),
        (("ended", None), "main", f"ended{_AFTER}", True),
        (("exited", 1), None, "ended with exit status 1", True),
        (("ended", 1), "main", f"ended with exit status 1{_AFTER}", True),
        (("ended", None), "worker", "ended", False),
        (("ended", None), "early", "ended", False),
    ],
)
def test_endings(
    tmp_path: Path,
    facts: tuple[Any, ...],
    thrown_in: str | None,
    text: str,
    is_failure: bool,
) -> None:
    run = _write(tmp_path / "x.run", ExitFacts(*facts), thrown_in=thrown_in)

    assert ending_of(run, read_manifest(run)) == Ending(text, is_failure=is_failure)


@pytest.mark.parametrize(
    ("options", "thrown_in", "ending"),
    [
        ({}, None, None),  # the initialiser of its class may have failed
        ({}, "worker", None),
        ({}, "main", Ending(f"ended{_AFTER}", is_failure=True)),
        ({"from": "app.Main.run"}, "main", Ending(f"ended{_AFTER}", is_failure=True)),
        ({"from": "app.Main.run"}, None, Ending("ended", is_failure=False)),
        ({"exclude": ["app/Main"]}, "main", Ending(f"ended{_AFTER}", is_failure=True)),
        ({"exclude": ["app/Main"]}, None, Ending("ended", is_failure=False)),
    ],
)
def test_a_main_that_was_not_counted_may_have_failed(
    tmp_path: Path, options: dict[str, Any], thrown_in: str | None, ending: Ending | None
) -> None:
    run = _write(tmp_path / "x.run", ExitFacts("ended"), thrown_in=thrown_in)
    manifest = replace(read_manifest(run), main=MainFacts("app/Main", None), options=options)

    assert ending_of(run, manifest) == ending
    known = replace(manifest, exit=ExitFacts("ended", 0), options={"from": "app.Main.run"})
    assert ending_of(run, known) is not None


def test_a_run_without_a_tree_does_not_tell_how_main_ended(tmp_path: Path) -> None:
    run = _write(tmp_path / "x.run", ExitFacts("ended"))
    tables = {name: facts for name, facts in read_manifest(run).tables.items() if "_" not in name}
    manifest = replace(read_manifest(run), tables=tables)

    assert ending_of(run, manifest) is None
    ended = Ending("ended with exit status 0", is_failure=False)
    assert ending_of(run, replace(manifest, exit=ExitFacts("ended", 0))) == ended


def test_an_ending_may_be_unknown(tmp_path: Path) -> None:
    run = _write(tmp_path / "x.run", None)

    assert ending_of(run, read_manifest(run)) is None


@pytest.mark.parametrize("thrown_in", [None, "main", "worker", "early"])
def test_threads_that_an_exception_ended(tmp_path: Path, thrown_in: str | None) -> None:
    """GIVEN an exception that a thread did not catch, THEN it is told of all threads but main's."""
    run = _write(tmp_path / "x.run", ExitFacts("ended", 0), thrown_in=thrown_in)
    manifest = read_manifest(run)
    ended = (thrown_in,) if thrown_in not in (None, "main") else ()

    assert ended_threads(run, manifest) == ended
    not_counted = replace(manifest, main=MainFacts("app/Main", None))
    assert ended_threads(run, not_counted) == ended
    native = {name: facts for name, facts in manifest.tables.items() if "_" not in name}
    assert ended_threads(run, replace(manifest, tables=native)) is None


@pytest.mark.parametrize("table", ["class", "method", "thread", "thread_method"])
@pytest.mark.parametrize("damage", ["other table", "truncated", "missing"])
def test_a_damaged_table_is_one_clear_error(tmp_path: Path, table: str, damage: str) -> None:
    run = _write(tmp_path / "x.run", ExitFacts("ended", 1), thrown_in="main")
    file = run / "tables" / f"{table}.parquet"
    if damage == "other table":
        file.write_bytes((run / "tables" / "basic_block.parquet").read_bytes())
    elif damage == "truncated":
        file.write_bytes(file.read_bytes()[:-9])
    else:
        file.unlink()

    with pytest.raises(RunError, match=rf"tables/{table}\.parquet: cannot be read, or lacks a"):
        ending_of(run, read_manifest(run))
