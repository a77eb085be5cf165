"""No function is longer than a screen."""

from __future__ import annotations

import ast
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("schema", "collector", "queries", "metrics", "reports", "watch", "src")
_LONGEST = 40
"""Lines of code, without the docstring, comments and empty lines."""

_EXCEPTIONS = {
    "schema/xml/reading/context_tree.py: add": "runs for every context, where a call takes as long",
}


def test_functions_are_short() -> None:
    long = set()
    for folder in _FOLDERS:
        for path in (_ROOT / folder).rglob("*.py"):
            if any(parent.is_symlink() for parent in path.parents):
                continue
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef) and _n_lines(text, node) > _LONGEST:
                    long.add(f"{path.relative_to(_ROOT)}: {node.name}")

    assert long == set(_EXCEPTIONS)


def _n_lines(text: str, function: ast.FunctionDef) -> int:
    body = function.body[ast.get_docstring(function) is not None :]
    first = body[0].lineno if body else function.end_lineno
    lines = text.splitlines()[(first or 1) - 1 : function.end_lineno]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in lines)
