"""Basic blocks as foci: `/APCode` goes down to them where a recorded run knows the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.beside import write_watch
from support.runs import RunBuilder

import jvmscope
from jvmscope import cli
from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.reports.watched.histogram import bins_of, series_of
from jvmscope.reports.watched.metric_functions import METRIC_FUNCTIONS
from jvmscope.reports.watched.pairs import parse_pair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_S = 1_000_000_000
# ``loop`` has blocks at 0 and 2, both of its overloads; ``main`` calls it in its second one.
_METHODS = [
    (0, "app/Work", "loop", "()V", False),
    (1, "app/Work", "loop", "(I)V", False),
    (2, "app/Work", "main", "()V", False),
    (3, "other/Code", "run", "()V", False),
]
_FRAMES = [
    (0, 0, 0, 1, None, "Interpreted"),
    (0, 1, 2, 2, None, "Interpreted"),
    (1, 0, 0, 3, None, "Inlined"),
    (1, 1, 2, 2, None, "JIT compiled"),
    (2, 0, 1, 0, None, "Interpreted"),
    (3, 0, 2, 0, None, "Interpreted"),
    (4, 0, 3, 0, None, "Interpreted"),
]
_STACKS = [0, 0, 1, 1, 1, 2, 3, 4]


def _rows() -> dict[str, Any]:
    samples = [(_S + at, 7, stack, False, "") for at, stack in enumerate(_STACKS)]
    waits = [(_S, 100 * (stack + 1), 7, stack, "app/Lock", None, 16) for stack in range(4)]
    return {
        "vm_method": _METHODS,
        "vm_thread": [(7, "main", 1, 1, False)],
        "stack_frame": _FRAMES,
        "execution_sample": samples,
        "monitor_enter": waits,
    }


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("blocks")
    builder = RunBuilder()
    blocks = [["nop", "nop"], ["nop", "return"]]
    loop = builder.method("app/Work", "loop", blocks=blocks)
    builder.method("app/Work", "loop", "(I)V", blocks=blocks)
    main = builder.method("app/Work", "main", blocks=blocks)
    builder.thread("main").call(main).call(loop)
    return write_watch(folder / "a.watch", **_rows()), builder.write(folder / "a.run")


@pytest.fixture
def engine(runs: tuple[Path, Path]) -> Iterator[Engine]:
    with Engine(runs[0], beside=runs[1]) as engine:
        yield engine


def _total(engine: Engine, text: str) -> float:
    series = series_of(engine, parse_pair(text), bins_of(engine))
    assert series.reason is None
    return round(series.total)


@pytest.mark.parametrize(
    ("focus", "n"),
    [
        ("/APCode/app/Work/loop/block@0", 2 + 1),  # of both overloads
        ("/APCode/app/Work/loop/block@2", 3),
        ("/APCode/app/Work/main/block@2", 2 + 3),  # what it calls counts
        ("/APCode/app/Work/main/block@0", 1),
        ("/APCode/app/Work/main/block@0 OR /APCode/app/Work/loop/block@2", 4),
        ("/APCode/app/Work/main/block@2 AND /APCode/app/Work/loop/block@0", 2),
        ("/APCode/app/Work/main/block@2, /Code/inlined", 3),
    ],
)
def test_samples_of_blocks(engine: Engine, focus: str, n: int) -> None:
    assert _total(engine, f"samples{{{focus}}}") == n


def test_python_has_blocks_too(runs: tuple[Path, Path]) -> None:
    watch, recorded = runs
    pair = "samples{/APCode/app/Work/main/block@2}"
    bins = list(jvmscope.report_watch(watch, pair, beside=recorded).rows())

    assert sum(value for _, _, value, _, _ in bins) == 5
    with pytest.raises(QueryError, match="has no blocks"):
        jvmscope.report_watch(watch, pair)


def test_times_of_blocks(engine: Engine) -> None:
    assert _total(engine, "lock_wait_time{/APCode/app/Work/loop/block@0}") == 100 + 300


def test_blocks_add_up_to_their_method(engine: Engine) -> None:
    """Where no frame of the method is twice in a stack."""
    paths = engine.connect().execute("SELECT DISTINCT path FROM code_block").fetchall()
    assert len(paths) == 4
    for method in ("app/Work/loop", "app/Work/main"):
        of_blocks = [
            _total(engine, f"samples{{/APCode/{path}}}")
            for (path,) in paths
            if path.startswith(f"{method}/")
        ]
        assert sum(of_blocks) == _total(engine, f"samples{{/APCode/{method}}}")


@pytest.mark.parametrize("name", METRIC_FUNCTIONS)
def test_each_metric_function_has_values_of_blocks_or_a_reason(engine: Engine, name: str) -> None:
    pair = parse_pair(f"{name}{{/APCode/app/Work/loop/block@0}}")
    series = series_of(engine, pair, bins_of(engine))
    assert series.values or series.reason
    if "stack_id" not in METRIC_FUNCTIONS[name].rows:
        assert series.reason


def test_a_block_that_is_none_is_an_error(engine: Engine) -> None:
    for path in ("app/Work/loop/block@1", "other/Code/run/block@0", "app/Work/gone/block@0"):
        pair = parse_pair(f"samples{{/APCode/{path}}}")
        with pytest.raises(QueryError, match="has no resource /APCode/"):
            series_of(engine, pair, bins_of(engine))


@pytest.mark.parametrize("form", [(), ("--format", "csv"), ("--format", "markdown"), ("html",)])
def test_the_command_reports_blocks(
    form: tuple[str, ...], runs: tuple[Path, Path], tmp_path: Path
) -> None:
    pair = "samples{/APCode/app/Work/loop/block@2}"
    out = tmp_path / "out"
    watched, recorded = map(str, runs)
    words = ["--with", recorded, "-m", pair, "-o", str(out), "--progress", "none"]
    assert cli.run(["report", watched, *form, *words]) == cli.DONE
    assert "block@2" in out.read_text(encoding="utf-8")


def test_a_recording_that_no_pair_needs_is_refused(
    runs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    watched, recorded = map(str, runs)
    words = ["report", watched, "--with", recorded, "-m", "samples{/APCode/app}"]
    assert cli.run(words) == cli.WRONG
    assert "--with is for the whole page, and for pairs with basic" in capsys.readouterr().err


def test_without_a_recording_there_are_no_blocks(runs: tuple[Path, Path]) -> None:
    pair = parse_pair("samples{/APCode/app/Work/loop/block@0}")
    with Engine(runs[0]) as engine, pytest.raises(QueryError) as caught:
        series_of(engine, pair, bins_of(engine))
    assert "--with" in str(caught.value)
