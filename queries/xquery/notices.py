"""Steps of a query that can select nothing in a run, as ``$methods/@nmae``.

XQuery finds no error in a name that no node has: the path is empty, and so is the answer. The
documents of a run hold what the XML view's schema says, so such a name is nearly always a slip.
What a run could hold and was not recorded is empty, too, and counts as 0, which nobody measured.
A notice is not an error: the same step may be right in a tree that the query makes or reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.bounds import item_of
from jvmscope.queries.xquery.analysis.typing import infer
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import DCG, Name
from jvmscope.queries.xquery.syntax.types import ItemSequence, KindTest, Occurrence
from jvmscope.queries.xquery.syntax.walk import children
from jvmscope.schema.xml.outline import Outline, outlines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeGuard

    from jvmscope.queries.xquery.analysis import Program
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Notice", "notices", "unrecorded"]


@dataclass(frozen=True)
class Notice:
    """What is odd about a step, and a better name if one is near."""

    step: ast.AxisStep
    message: str
    hint: str | None


def notices(program: Program) -> list[Notice]:
    """Returns a notice for each step of the main module that can select nothing in a run."""
    judged = (_judge(step, axis, node) for step, axis, node in _placed_steps(program))
    return [notice for notice in judged if notice is not None]


def unrecorded(program: Program, absent: Mapping[str, str]) -> list[Notice]:
    """Returns a notice for each step of the main module to elements that were not recorded.

    Args:
        program: the program.
        absent: those elements, and what records each.
    """
    found = []
    for step, axis, node in _placed_steps(program):
        name = _name_of(step)
        outline = _outline_of(node)
        if name is None or outline is None or name.uri != DCG or name.local not in absent:
            continue
        if axis in ("child", "descendant") and name.local in _below(outline):
            message = f"dcg:{name.local} was not recorded: the step selects nothing"
            hint = f"record the program again with {absent[name.local]}"
            found.append(Notice(step, message, hint))
    return found


def _placed_steps(program: Program) -> Iterator[tuple[ast.AxisStep, str, KindTest]]:
    """Yields each step with its axis and the kind of the nodes that it starts from, if known."""
    types = infer(program, given=_types_of_variables())
    for step, axis, start in _steps(program):
        focus = types.focus_of(start)
        if focus is not None and isinstance(node := item_of(focus), KindTest):
            yield step, axis, node


def _types_of_variables() -> dict[Name, SequenceType]:
    """Returns the types of the variables that stand for parts of a run."""
    documents = {
        name: KindTest("document-node", inside=_element(name)) for name in ("cct", "classes")
    }
    elements = {"methods": _element("method"), "threads": _element("thread")}
    return {
        Name(name, "", ""): ItemSequence(type_, Occurrence.ANY)
        for name, type_ in {**documents, **elements}.items()
    }


def _element(local: str) -> KindTest:
    return KindTest("element", Name(local, "dcg", DCG))


def _steps(program: Program) -> Iterator[tuple[ast.AxisStep, str, ast.AxisStep]]:
    """Yields each step of the main module with its axis and the step whose focus it starts from.

    The two steps of ``//name`` are one: ``descendant::name``, from where the first of them starts.
    """
    own = program.context
    bodies = [f.declaration.body for f in program.functions.values() if f.context is own]
    bodies += [declared.expression for declared, context in program.variables if context is own]
    pending = [body for body in (*bodies, program.main.body) if body is not None][::-1]
    merged: dict[int, ast.AxisStep] = {}
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Path):
            merged |= {id(step): before for before, step in pairwise(node.steps) if _skips(before)}
        if isinstance(node, ast.AxisStep):
            start = merged.get(id(node))
            if start is not None and node.axis == "child":
                yield node, "descendant", start
            else:
                yield node, node.axis, node
        pending.extend(reversed(list(children(node))))


def _skips(step: ast.Expression) -> TypeGuard[ast.AxisStep]:
    return (
        isinstance(step, ast.AxisStep)
        and step.axis == "descendant-or-self"
        and step.test == KindTest("node")
    )


def _judge(step: ast.AxisStep, axis: str, node: KindTest) -> Notice | None:
    """Returns a notice if a step from a node of a run can select nothing."""
    outline = _outline_of(node)
    name = _name_of(step)
    if outline is None or name is None:
        return None
    known = {
        "attribute": outline.attributes,
        "child": outline.children,
        "descendant": _below(outline),
    }.get(axis)
    namespace = "" if axis == "attribute" else DCG
    if known is None or (name.uri == namespace and name.local in known):
        return None
    written = f"{name.prefix}:{name.local}" if name.prefix else name.local
    written = f"@{written}" if axis == "attribute" else written
    message = f"{_called(node)} has no {written}: the step selects nothing"
    return Notice(step, message, _hint(name, axis, outline, sorted(known)))


def _hint(name: Name, axis: str, outline: Outline, known: list[str]) -> str | None:
    """Returns the same name further down, the nearest name there is, or all that there are."""
    sigil = "@" if axis == "attribute" else "dcg:"
    if axis == "child" and name.local in _below(outline) - outline.children:
        return f'did you mean "//{sigil}{name.local}"?'
    if nearest := did_you_mean(name.local, known):
        return nearest.replace('"', f'"{sigil}', 1)
    if axis == "descendant" or not known:
        return None
    return f"it has {', '.join(sigil + other for other in known)}"


def _below(outline: Outline) -> frozenset[str]:
    """Returns the names of the elements that an element may have below it, at any depth."""
    found: set[str] = set()
    pending = set(outline.children)
    while pending:
        found |= pending
        pending = set().union(*(outlines()[name].children for name in pending)) - found
    return frozenset(found)


def _outline_of(node: KindTest) -> Outline | None:
    """Returns what a node of a run may hold; None if the node may be of another tree."""
    if node.kind == "document-node" and node.inside is not None and node.inside.name is not None:
        return Outline(children=frozenset({node.inside.name.local}))
    if node.kind == "element" and node.name is not None and node.name.uri == DCG:
        return outlines().get(node.name.local)
    return None


def _name_of(step: ast.AxisStep) -> Name | None:
    """Returns the name that a step asks for; None if others pass as well."""
    name = step.test.name
    return None if name is None or "*" in {name.local, name.prefix} else name


def _called(node: KindTest) -> str:
    if node.kind == "document-node":
        assert node.inside is not None  # noqa: S101 - others have no outline
        return f"the document of {_called(node.inside)}"
    assert node.name is not None  # noqa: S101 - others have no outline
    return f"dcg:{node.name.local}"
