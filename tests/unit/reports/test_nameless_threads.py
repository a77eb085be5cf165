"""Threads without a name, as virtual ones are, are told as such wherever people read names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.runs import RunBuilder

from jvmscope import cli
from jvmscope.queries import Engine
from jvmscope.reports.exports.weights import find_weight
from jvmscope.reports.html.contexts import tree_of
from jvmscope.reports.named import names_of
from jvmscope.reports.weighed import read_weighed

_SHOWN = {
    "report a.run tree --format markdown": "## thread (no name): 20 bytecodes",
    "export a.run collapsed": "(no%20name);app.Main.main() 20",
    "export a.run csv": '"(no%20name);app.Main.main()"',
    "export a.run speedscope": '"name":"(no name)"',
    "compare a.run b.run --tree --format csv": ",below,(no name),",
    "check a.run b.run": ",thread (no name) > app/Main.main()V,",
}


def _write(folder: Path, name: str, n_calls: int) -> None:
    builder = RunBuilder()
    main = builder.method("app/Main", "main", blocks=[["ifeq", "return"]])
    for thread in ("main", "", ""):
        builder.thread(thread).call(main, calls=n_calls)
    builder.write(folder / name)


@pytest.fixture(autouse=True)
def _runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "a.run", 10)
    _write(tmp_path, "b.run", 12)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("words", _SHOWN)
def test_threads_without_a_name_are_told_as_such(
    words: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    cli.run([*words.split(), "--progress", "none"])
    out = capfdbinary.readouterr().out.decode()

    assert _SHOWN[words] in re.sub(r'": "', '":"', out)


def test_metrics_and_the_page_name_them() -> None:
    with Engine(Path("a.run")) as engine:
        assert names_of(engine, "thread_id", [0, 1]) == {0: ("main",), 1: ("(no name)",)}
        roots = [row[0] for row in engine.query("SELECT root_context_id FROM run.thread").rows()]
        named = names_of(engine, "context_id", roots)
        assert sorted(named.values()) == [("thread (no name)",)] * 2 + [("thread main",)]
        tree = tree_of(engine, read_weighed(engine, (find_weight("calls"),)), 1_000)
    assert [node.frame.name for node in tree.nodes[1:4]] == ["main", "(no name)", "(no name)"]
