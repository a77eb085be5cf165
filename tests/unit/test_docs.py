"""The documentation says what the code says."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmscope.cli import program
from jvmscope.queries import Engine, Question, Serialized

if TYPE_CHECKING:
    from types import ModuleType

_ROOT = Path(__file__).parents[2]
_PAGES = [*sorted((_ROOT / "docs").glob("*.md")), _ROOT / "README.md", _ROOT / "CONTRIBUTING.md"]
_EXAMPLE = re.compile(r"^```(sql|xquery|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CALL = re.compile(r"([\w.]+)\(((?:[^`()]|\([^`()]*\))*?\b\w+=[^`()]*(?:\([^`()]*\))?)\)+`")
"""A call with a named argument at the end of a passage of code."""
_KEYWORD = re.compile(r"\b(\w+)=")
_TEXT = re.compile(r"'[^']*'|\"[^\"]*\"")
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", _ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_parts_are_current() -> None:
    pages: dict[Path, str] = _generator().generate()

    assert {path.name for path in pages} >= {"commands.md", "metrics.md", "run-format.md"}
    # In a process of its own: what other tests import and set must not show in the pages.
    check = [sys.executable, str(_ROOT / "docs" / "generate.py"), "--check"]
    stale = subprocess.run(check, capture_output=True, text=True, check=True).stdout.split()
    assert stale == [], "run: make docs"


def test_first_files_to_read_are_there() -> None:
    page = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = re.findall(r"^\| [^|]+\? \| `([^`]+)` \|", page, re.MULTILINE)

    assert len(files) == 19
    assert [path for path in files if not any(_ROOT.glob(path))] == []


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_no_page_installs_by_a_name_that_no_index_has(page: Path) -> None:
    """Jvmscope is installed from its wheel."""
    assert re.search(r"pip install +[\"']?jvmscope[\"'\[\s]", page.read_text("utf-8")) is None


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_jmh_tells_of_a_benchmark_that_failed(page: Path) -> None:
    """By its exit status, which a gate asks for."""
    commands = re.findall(r"^.* -bm ss -wi 0 .*$", page.read_text("utf-8"), re.MULTILINE)

    assert [command for command in commands if " -foe true " not in command] == []


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_commands_in_the_docs_exist(page: Path) -> None:
    import click

    context = click.Context(program)
    text = page.read_text(encoding="utf-8")
    used = set(re.findall(r"^\$ jvmscope (\w+)", text, re.MULTILINE))

    assert used <= set(program.list_commands(context))


@pytest.mark.parametrize("page", ["queries.md", "tutorial.md"])
def test_examples_answer(page: str, shapes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shapes.parent)
    examples = _EXAMPLE.findall((_ROOT / "docs" / page).read_text(encoding="utf-8"))
    languages = {language for language, _ in examples}

    assert languages == {"sql", "xquery", "python"}
    with Engine(shapes) as engine:
        for language, text in examples:
            if language == "python":
                exec(text.replace("app.run", shapes.name), {})  # noqa: S102 - our own page
                continue
            answer = engine.answer(Question(text, language=language))
            assert answer.text if isinstance(answer, Serialized) else answer.arrow().num_rows, text


@pytest.mark.parametrize("page", [*_PAGES, _ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_calls_in_prose_name_arguments_that_there_are(page: Path) -> None:
    """GIVEN a call such as ``jvmscope.open(RUN, beside=…)``, THEN it takes these arguments."""
    for called, arguments in _CALL.findall(page.read_text(encoding="utf-8")):
        named = {*_KEYWORD.findall(_TEXT.sub("", arguments))}
        if named:
            at_run = called.replace("run.", "jvmscope.api.run.Run.")
            path = at_run if "." in called else f"jvmscope.queries.{called}"
            taken = inspect.signature(pkgutil.resolve_name(path)).parameters
            takes_any = any(each.kind is each.VAR_KEYWORD for each in taken.values())
            assert takes_any or named <= taken.keys(), called


def test_what_snippets_and_guards_are_told_of_a_place_is_listed() -> None:
    page = (_ROOT / "docs" / "probes.md").read_text(encoding="utf-8")
    sources = _ROOT / "collector/agent/src/main/java/io/jvmscope/snippet"
    facts = re.findall(r"^  ([A-Z]+),?$", (sources / "Fact.java").read_text(), re.MULTILINE)
    site = (sources / "Site.java").read_text()
    known = re.findall(r"^ \* @param (\w+)", site, re.MULTILINE)
    assert len(facts) > 3
    assert len(known) > 3
    for name in [*(f"`{fact}`" for fact in facts), *(f"`{component}()`" for component in known)]:
        assert name in page, name
