"""What is defined is used: by the program, not by tests alone."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[2]
_STAGES = ("schema", "collector", "queries", "metrics", "reports", "watch")
_BESIDE = ("benchmarks", "docs")
"""Folders whose code uses jvmscope; that it is used itself is not checked."""

_USED_ELSEWHERE = {
    "_repr_html_": "notebooks call it",
    "_repr_markdown_": "notebooks call it",
    "all_builtins": "tests read the signature of every function",
    "definitions": "completion finds it by its name",
    "kinds_of_reports": "completion finds it by its name",
    "df": "users of results call it",
    "evaluate": "tests evaluate a query on trees alone",
    "files": "completion finds it by its name",
    "format_commands": "click calls it",
    "from_lxml": "tests compare trees with those that lxml reads",
    "main": "the process of an untrusted query calls it by the name of the module",
    "is_good": "the project's tests of metrics ask it",
    "pca_page": "reports find it by the name of the page",
    "plot_page": "reports find it by the name of the page",
    "unparse": "tests write a parsed query again, to see that nothing of it is lost",
}
"""Names that no code of the project uses, and who does."""

# A function with any other decorator is registered by it.
_PLAIN_DECORATORS = {
    "abstractmethod", "cache", "cached_property", "classmethod", "contextmanager", "dataclass",
    "lru_cache", "override", "property", "setter", "staticmethod", "total_ordering", "wraps",
}  # fmt: skip


@dataclass
class _Module:
    """What a module defines, and which names it uses."""

    name: str
    tree: ast.Module
    names: Counter[str] = field(default_factory=Counter)
    attributes: Counter[str] = field(default_factory=Counter)
    imported: list[tuple[str, str]] = field(default_factory=list)


def _read(path: Path, name: str) -> _Module:
    module = _Module(name, ast.parse(path.read_text(encoding="utf-8")))
    for node in _walk(module.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            module.names[node.id] += 1
        elif isinstance(node, ast.Attribute):
            module.attributes[node.attr] += 1
        elif isinstance(node, ast.keyword) and node.arg:
            module.attributes[node.arg] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            module.attributes.update(_quoted(node.value))
        elif isinstance(node, ast.ImportFrom) and node.module:
            module.imported += [(node.module, alias.name) for alias in node.names]
    return module


def _walk(tree: ast.Module) -> Iterator[ast.AST]:
    """Yields the nodes outside of ``__all__``, which is no use of a name."""
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and "__all__" in _targets(node)):
            yield from ast.walk(node)


def _quoted(text: str) -> list[str]:
    """Returns the names in a string such as a type in quotes or the name of an attribute."""
    words = text.replace("[", ".").replace("]", ".").split(".")
    return words if all(word.isidentifier() for word in words if word) else []


def _targets(node: ast.stmt) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _modules() -> list[_Module]:
    found = []
    for folder, package in (
        *((_ROOT / stage, f"jvmscope.{stage}") for stage in _STAGES),
        (_ROOT / "src" / "jvmscope", "jvmscope"),
        *((_ROOT / folder, folder) for folder in _BESIDE),
    ):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if not (
                parts[0] in {*_STAGES, "agent"} and package in {"jvmscope", "jvmscope.collector"}
            ):
                found.append(_read(path, ".".join([package, *parts]).removesuffix(".__init__")))
    return found


def _defined(module: _Module) -> Iterator[tuple[str, bool]]:
    """Yields what a module defines that nothing registers, and whether at its top level."""
    for node in ast.walk(module.tree):
        is_top = node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_plain(node):
            yield node.name, is_top
        elif is_top and isinstance(node, ast.Assign | ast.AnnAssign):
            yield from ((name, True) for name in _targets(node))


def _is_plain(node: ast.FunctionDef | ast.ClassDef) -> bool:
    names = {
        part.id if isinstance(part, ast.Name) else part.attr
        for decorator in node.decorator_list
        for part in [decorator.func if isinstance(decorator, ast.Call) else decorator]
        if isinstance(part, ast.Name | ast.Attribute)
    }
    return names <= _PLAIN_DECORATORS


def test_what_is_defined_is_used() -> None:
    """A name at a module's top level is used there, or imported; others are used anywhere."""
    modules = _modules()
    anywhere: Counter[str] = Counter()
    importers = defaultdict(set)
    for module in modules:
        anywhere.update(module.names + module.attributes)
        for source, name in module.imported:
            if not source.startswith(f"{module.name}.") or module.name == "jvmscope":
                importers[name].add(source)  # other packages only pass it on
    unused = []
    for module in modules:
        if not module.name.startswith("jvmscope."):  # what users import is used by them
            continue
        for name, is_top in _defined(module):
            if name in _USED_ELSEWHERE or (name.startswith("__") and name.endswith("__")):
                continue
            is_used = anywhere[name] > 0
            if is_top:
                is_used = (
                    module.names[name] + module.attributes[name] > 0
                    or any(f"{module.name}.".startswith(f"{each}.") for each in importers[name])
                    or any(
                        other.attributes[name] and _imports(other, module.name) for other in modules
                    )
                )
            if not is_used:
                unused.append(f"{module.name}: {name}")

    assert unused == []


def _imports(module: _Module, name: str) -> bool:
    """Returns whether a module imports another one, or a package above it, as a whole."""
    parts = name.split(".")
    above = [(".".join(parts[:n]), parts[n]) for n in range(1, len(parts))]
    return not {*above}.isdisjoint(module.imported)


def test_who_uses_the_rest_is_asked_of_what_there_is() -> None:
    defined = {name for module in _modules() for name, _ in _defined(module)}

    assert set(_USED_ELSEWHERE) - defined == set()
