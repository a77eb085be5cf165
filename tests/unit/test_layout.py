"""The layout: imports point one way, and the wheel has every package and data file."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jvmscope import queries
from jvmscope.extras import EXTRAS

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[2]
_PROJECT: dict[str, Any] = tomllib.loads((_ROOT / "pyproject.toml").read_text())
_SETUPTOOLS = _PROJECT["tool"]["setuptools"]

# What a stage may import beside itself and what imports no stage.
_ARROWS = {
    "schema": set(),
    "collector": {"schema"},
    "queries": {"schema"},
    "metrics": {"queries", "schema"},
    "reports": {"metrics", "queries", "schema"},
    "watch": {"schema"},
}
_BELOW_ALL = {
    *("children", "confinement", "control_characters", "errors", "extras", "markdown_text"),
    *("signals", "temporary_files", "whole_files"),
}
_LINKS = ("collector", "metrics", "queries", "reports", "schema", "watch")
_FOLDERS = {f"jvmscope.{stage}": _ROOT / stage for stage in _LINKS}
_FOLDERS["jvmscope"] = _ROOT / "src" / "jvmscope"


def _modules() -> list[Path]:
    return sorted(
        path
        for folder in _FOLDERS.values()
        for path in folder.rglob("*.py")
        if not {"agent", *_LINKS} & {*path.relative_to(folder).parts[:-1]}
    )


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if name.startswith("jvmscope.")}


@pytest.mark.parametrize("stage", _ARROWS)
def test_imports_point_one_way(stage: str) -> None:
    allowed = {stage, *_BELOW_ALL, *_ARROWS[stage]}
    wrong = {
        f"{path.relative_to(_ROOT)} imports {name}"
        for path in _modules()
        if path.is_relative_to(_ROOT / stage)
        for name in _imports(path)
        if name.split(".")[1] not in allowed
    }

    assert wrong == set()


def test_other_stages_import_from_queries_alone() -> None:
    """What the package does not export is its own."""
    wrong = {
        f"{path.relative_to(_ROOT)} imports {name}"
        for path in _modules()
        if not path.is_relative_to(_ROOT / "queries")
        for name in _imports(path)
        if name.startswith("jvmscope.queries.") and name.split(".")[2] not in queries.__all__
    }

    assert wrong == set()


def test_what_queries_export_is_there() -> None:
    assert [name for name in queries.__all__ if not hasattr(queries, name)] == []


def test_what_functions_read_in_strings_knows_no_functions() -> None:
    folder = _ROOT / "queries" / "xquery" / "notations"
    found = {name.split(".")[3] for path in folder.glob("*.py") for name in _imports(path)}

    assert found <= {"items", "notations", "syntax"}


def test_no_answer_of_duckdb_stays_open() -> None:
    """A connection with an unread answer registers no table; ``first_row`` reads it to its end."""
    found = {
        str(path.relative_to(_ROOT))
        for path in _modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "fetchone"
    }

    assert found == set()


def test_errors_import_no_stage() -> None:
    assert _imports(_ROOT / "src" / "jvmscope" / "errors.py") == set()
    imported = _imports(_ROOT / "src" / "jvmscope" / "extras.py")
    assert {name.split(".")[1] for name in imported} == {"errors"}


def test_extras_are_those_of_the_project() -> None:
    declared = {
        (re.split("[<>=]", requirement)[0], extra)
        for extra, requirements in _PROJECT["project"]["optional-dependencies"].items()
        if extra != "dev"
        for requirement in requirements
    }

    assert set(EXTRAS.values()) == declared
    assert not {package for package, _ in declared} & set(_PROJECT["project"]["dependencies"])


def test_confinement_imports_what_starts_no_thread() -> None:
    ours = _ROOT / "src" / "jvmscope" / "confinement"
    found = {name for path in ours.glob("*.py") for name in _imports(path)}

    assert {name.split(".")[1] for name in found} == {"confinement"}


def test_what_stands_for_java_imports_its_own_package_alone() -> None:
    """It has no other modules: an import fails where it runs, also one within a function."""
    package = "jvmscope.collector.launch"
    todo, seen, found = ["shim"], set(), set()
    while todo:
        module = todo.pop()
        path = _ROOT / "collector" / "launch" / f"{module}.py"
        if module in seen or not path.exists():
            continue
        seen.add(module)
        imported = _imports(path)
        found |= {f"{module} imports {name}" for name in imported if not name.startswith(package)}
        todo += [name.removeprefix(f"{package}.").split(".")[0] for name in imported]

    assert found == set()
    assert {"shim", "cache", "jdk"} <= seen


def test_every_folder_of_modules_is_a_package_that_is_found() -> None:
    """Packages are found by their __init__.py; a folder without one would not be in the wheel."""
    links = {path.name for path in _FOLDERS["jvmscope"].iterdir() if path.is_symlink()}
    found = {".".join(path.parts) for path in _packages(_ROOT / "src")}

    assert links == set(_LINKS)
    assert found == {
        ".".join([package, *path.parent.relative_to(folder).parts])
        for path in _modules()
        for package, folder in _FOLDERS.items()
        if path.is_relative_to(folder)
    }


def _packages(root: Path) -> Iterator[Path]:
    for folder, inner, files in os.walk(root, followlinks=True):
        inner[:] = [name for name in inner if name != "agent"]
        if "__init__.py" in files:
            yield Path(folder).relative_to(root)


def test_every_data_file_is_in_the_wheel() -> None:
    ours = {path for package in _SETUPTOOLS["package-data"] for path in _data_of(package)}
    on_disk = {
        path
        for folder in _FOLDERS.values()
        for suffix in ("sql", "xq", "xsd", "js", "css", "html")
        for path in folder.rglob(f"*.{suffix}")
        if "agent" not in path.relative_to(folder).parts
    }

    assert on_disk
    assert sorted(on_disk - ours) == []


def _data_of(package: str) -> set[Path]:
    folder = (_ROOT / "src").joinpath(*package.split(".")).resolve()
    patterns = _SETUPTOOLS["package-data"][package]
    return {path for pattern in patterns for path in folder.glob(pattern)}


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(_ROOT)))
def test_all_names_every_public_definition(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }

    assert defined <= _all_of(tree)


def _all_of(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            return set(ast.literal_eval(node.value))
    return set()
