"""Why `--from` counted nothing is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder

from jvmscope.actions.start_notice import tell_unstarted
from jvmscope.collector.record_options import RecordOptions
from jvmscope.errors import AgentError
from jvmscope.output.console import Console

if TYPE_CHECKING:
    from pathlib import Path


def _run(directory: Path, *, is_counted: bool) -> Path:
    builder = RunBuilder()
    run = builder.method("app/Main", "run", blocks=[["return"]])
    builder.method("app/Main", "other", blocks=[["return"]])
    builder.method("app/Main", "sum (all)", blocks=[["return"]])  # as Kotlin has names
    builder.method("java/util/ArrayList", "size", loader="boot", blocks=[["return"]])
    if is_counted:
        builder.thread("main").call(run, calls=1, blocks=[1])
    return builder.write(directory / "a.run")


@pytest.mark.parametrize(
    ("start_at", "why"),
    [
        ("app.Main.run", "it was never entered"),
        ("app/Main/run", "it was never entered"),
        ("app.Main.rum", 'app.Main has no method rum; did you mean "run"?'),
        ("app.Main.zork", "app.Main has no method zork"),
        ("app.Mian.run", 'no class app.Mian was loaded; did you mean "app.Main"?'),
        ("app.Main.run(I)V", "run has other descriptors: ()V"),
        ("app.Main.run()V", "it was never entered"),
        ("app.Main.sum (all)", "it was never entered"),
        ("app.Main.sum (all)()V", "it was never entered"),
        ("app.Main.sum (all)(I)V", "sum (all) has other descriptors: ()V"),
        ("app.Main.sum (alt)", 'app.Main has no method sum (alt); did you mean "sum (all)"?'),
        ("java.util.ArrayList.size", "counting starts in methods of the program"),
    ],
)
def test_a_start_that_never_came_is_told(
    start_at: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_unstarted(_run(tmp_path, is_counted=False), start_at, Console())

    assert f"--from {start_at}: nothing was counted: {why}" in capsys.readouterr().err


@pytest.mark.parametrize(("is_counted", "start_at"), [(True, "app.Main.run"), (False, None)])
def test_nothing_is_told_otherwise(
    is_counted: bool, start_at: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_unstarted(_run(tmp_path, is_counted=is_counted), start_at, Console())

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("start_at", ["run", "", ".run", "app.", "Main#run", "(I)V", "run(La.B;)V"])
def test_a_method_without_a_class_is_refused(start_at: str) -> None:
    with pytest.raises(AgentError, match="expected a class and a method"):
        RecordOptions(start_at=start_at).check()
