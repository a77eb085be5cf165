"""Paths: steps as joins, context trees as intervals of keys, predicates as conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmscope.queries.sql import exp
from jvmscope.queries.xquery.compiler import lookups, positions
from jvmscope.queries.xquery.compiler.environment import Bound, Lazy, Tuples
from jvmscope.queries.xquery.compiler.relations import documents
from jvmscope.queries.xquery.compiler.values import (
    DocumentItem,
    LeafItem,
    NotCompiled,
    RootItem,
    RowItem,
    Rows,
    Scalar,
    present,
)
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.expanded_names import DCG, Name
from jvmscope.queries.xquery.syntax.types import KindTest, NameTest

if TYPE_CHECKING:
    from jvmscope.queries.xquery.compiler.compiler import Compiler
    from jvmscope.queries.xquery.compiler.environment import Environment
    from jvmscope.queries.xquery.compiler.relations import Document, Leaf, Relation
    from jvmscope.queries.xquery.compiler.values import Item
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__ = ["ROWS", "apply_predicates"]

_MOST_STEPS = 50
_STORAGE = {"integer": "int", "long": "big", "text": "text", "word": "text", "flag": "flag"}


def _variable(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    binding = environment.bound(expression.variable)
    if isinstance(binding, Bound):
        return replace(compiler.rows_of_item(binding.item), is_many=binding.is_many)
    if isinstance(binding, Lazy):
        return compiler.rows(binding.expression, binding.environment)
    if isinstance(binding, Tuples):
        reference = replace(expression, variable=binding.source)
        return _nested(
            binding.rows, compiler.deduplicated(compiler.rows(reference, binding.environment))
        )
    raise NotCompiled(f"${expression.name} as a whole", expression.at)


def _context_item(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    if environment.focus is None:
        raise NotCompiled("the context item is not known", expression.at)
    return compiler.rows_of_item(environment.focus)


def _root(_compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    focus = environment.focus
    if isinstance(focus, LeafItem):
        focus = focus.row
    if isinstance(focus, RowItem):
        return Rows(DocumentItem(documents()[focus.relation.document]))
    if isinstance(focus, (DocumentItem, RootItem)):
        return Rows(DocumentItem(focus.document))
    raise NotCompiled("the root of an unknown tree", expression.at)


def _path(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    steps = expression.steps
    if len(steps) > _MOST_STEPS:
        raise NotCompiled(f"a path of more than {_MOST_STEPS} steps", expression.at)
    first = _of_context(steps[0], steps[1], environment.focus)
    rows = compiler.rows(first, environment)
    is_shuffled = not rows.is_single and not _is_in_document_order(steps[0], environment)
    if is_shuffled and isinstance(steps[1], ast.AxisStep):
        rows = replace(rows, has_duplicates=True)
    skips = False
    for place, step in enumerate(steps[1:], 1):
        if _is_any_descendant(step) and place < len(steps) - 1 and _may_skip(steps[place + 1]):
            skips = True
            continue
        if isinstance(step, ast.AxisStep):
            after = steps[place + 1] if place < len(steps) - 1 else None
            named = _of_context(step, after, rows.item)
            axis = "descendant" if skips else named.axis
            rows = _axis(compiler, rows, axis, named, environment)
        else:
            rows = _mapped(compiler, rows, step, environment)
            if is_shuffled and place == 1 and not isinstance(rows.item, Scalar):
                rows = replace(rows, has_duplicates=True)  # values stay as they come, nodes do not
        skips = False
    return rows


def _of_context(step: Any, after: ast.Expression | None, item: Item | None) -> Any:
    """Returns ``..`` of a context by name, where the step after it asks for what no thread has.

    The parent of a root is a thread, of which such a step selects nothing.
    """
    if not isinstance(item, RowItem) or not item.relation.is_nested:
        return step
    if not isinstance(step, ast.AxisStep) or step.axis != "parent" or step.predicates:
        return step
    if step.test != KindTest("node") or not isinstance(after, ast.AxisStep):
        return step
    relation, owner = item.relation, item.relation.owner
    name = after.test.name.local if isinstance(after.test, NameTest) else ""
    if after.axis == "attribute":
        is_own = name in relation.attributes and owner and name not in owner.attributes
    else:
        is_own = after.axis == "child" and name in relation.counts
    if not is_own:
        return step
    return replace(step, test=NameTest(Name(relation.element, "dcg", DCG)))


def _is_in_document_order(step: ast.Expression, environment: Environment) -> bool:
    """Tells whether an expression is a path, whose nodes come once each and in order."""
    while True:
        if isinstance(step, ast.Parenthesized) and step.inner is not None:
            step = step.inner
        elif isinstance(step, ast.VariableReference):
            binding = environment.bound(step.variable)
            if not isinstance(binding, Lazy):
                return False
            step, environment = binding.expression, binding.environment
        else:
            return isinstance(step, (ast.AxisStep, ast.RootStep, ast.Path))


def _is_any_descendant(step: ast.Expression) -> bool:
    """Tells the step that ``//`` stands for."""
    return (
        isinstance(step, ast.AxisStep)
        and step.axis == "descendant-or-self"
        and step.test == KindTest("node")
        and not step.predicates
    )


def _may_skip(step: ast.Expression) -> bool:
    """Tells whether ``//step`` is ``descendant::step``: its predicates do not count positions."""
    return (
        isinstance(step, ast.AxisStep)
        and step.axis in {"child", "descendant"}
        and not any(positions.is_positional(predicate) for predicate in step.predicates)
    )


def _axis_step(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    rows = _context_item(compiler, expression, environment)
    return _axis(compiler, rows, expression.axis, expression, environment)


def _mapped(compiler: Compiler, rows: Rows, step: ast.Expression, environment: Environment) -> Rows:
    """Returns the items of an expression for each node, as ``$n/xs:long(.)``."""
    rows = compiler.deduplicated(rows)
    inner = compiler.rows(step, environment.focused(rows.item))
    if not inner.is_single and not isinstance(inner.item, Scalar):
        raise NotCompiled("nodes from a step that is not an axis step", step.at)
    return _nested(rows, inner)


def _nested(rows: Rows, inner: Rows) -> Rows:
    """Returns the inner rows of each outer row."""
    return Rows(
        inner.item,
        (*rows.sources, *inner.sources),
        (*rows.conditions, *inner.conditions),
        (*rows.order, *inner.order) if inner.sources else rows.order,
        has_duplicates=rows.has_duplicates or inner.has_duplicates,
        is_many=rows.is_many,
    )


def _simple_map(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(expression.left, environment))
    inner = compiler.rows(expression.right, environment.focused(rows.item))
    return _nested(rows, compiler.deduplicated(inner))


def _parenthesized(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    if expression.inner is None:
        raise NotCompiled("the empty sequence", expression.at)
    return compiler.deduplicated(compiler.rows(expression.inner, environment))


def _predicate(compiler: Compiler, expression: Any, environment: Environment) -> Rows:
    rows = compiler.deduplicated(compiler.rows(expression.base, environment))
    return apply_predicates(compiler, rows, (expression.predicate,), (), environment)


def apply_predicates(
    compiler: Compiler,
    rows: Rows,
    predicates: tuple[ast.Expression, ...],
    partition: tuple[exp.Expr, ...],
    environment: Environment,
) -> Rows:
    """Returns the rows that pass predicates; positions count within the partition."""
    for predicate in predicates:
        if positions.is_positional(predicate):
            rows = positions.select(compiler, rows, predicate, partition, environment)
            continue
        rows = rows.where(compiler.predicate(predicate, environment.focused(rows.item)))
    return rows


# -- axes


def _axis(
    compiler: Compiler, rows: Rows, axis: str, step: ast.AxisStep, environment: Environment
) -> Rows:
    if any(map(positions.is_positional, step.predicates)):
        rows = compiler.deduplicated(rows)
    before = rows.item
    partition = before.keys if isinstance(before, RowItem) and not rows.is_single else ()
    rows = _stepped(compiler, rows, axis, step)
    if axis in {"ancestor", "ancestor-or-self"} and any(
        map(positions.is_positional, step.predicates)
    ):
        raise NotCompiled("positions on a reverse axis", step.at)
    return apply_predicates(compiler, rows, step.predicates, partition, environment)


class _Step(NamedTuple):
    """An axis, the local name it asks for (None: any), and its place in the text."""

    axis: str
    name: str | None
    at: int


def _stepped(compiler: Compiler, rows: Rows, axis: str, syntax: ast.AxisStep) -> Rows:
    item = rows.item
    name = _name(syntax.test, axis, syntax.at)
    step = _Step(axis, name, syntax.at)
    if isinstance(item, (DocumentItem, RootItem)):
        return _from_top(compiler, rows, item.document, step)
    if isinstance(item, LeafItem) and axis == "parent" and rows.is_single:
        found = item.row
        if name not in {None, found.relation.element}:
            return _none(rows)
        return replace(rows, item=found, has_duplicates=rows.may_meet)
    if not isinstance(item, RowItem):
        raise NotCompiled("a step from a value", step.at)
    if axis == "attribute":
        leaf = item.relation.attributes.get(name or "")
        return _leaf_step(compiler, rows, item, leaf, is_attribute=True)
    if name is None:
        owner = item.relation.owner
        if axis != "parent" or owner is None or item.relation.is_nested:
            raise NotCompiled("a step to nodes of any name", step.at)
        step = step._replace(name=owner.element)
    if axis == "child" and (count := item.relation.counts.get(step.name or "")):
        return _leaf_step(compiler, rows, item, count, is_attribute=False)
    return _to_elements(compiler, rows, item, step)


def _name(test: NodeTest, axis: str, at: int) -> str | None:
    """Returns the local name that a test asks for, None for any."""
    if isinstance(test, KindTest):
        wanted = "attribute" if axis == "attribute" else "element"
        if test.kind == "node" and test == KindTest("node"):
            return None
        if test.kind != wanted or test.type_name is not None or test.name is None:
            raise NotCompiled(f"a test for {test.kind}()", at)
        name = test.name
    else:
        name = test.name
    if "*" in {name.local, name.prefix}:
        if name.local == "*":
            raise NotCompiled("a step to nodes of any name", at)
        return name.local
    namespace = "" if axis == "attribute" else DCG
    return name.local if name.uri == namespace else " "  # no element is named so


def _none(rows: Rows) -> Rows:
    return rows.where(exp.false())


def _leaf(compiler: Compiler, item: RowItem, found: Leaf, *, is_attribute: bool) -> LeafItem:
    """Returns an attribute or count element of a row."""
    if not is_attribute and found.column == found.name:
        value = lookups.counted(compiler.emitter, item, found)
    else:
        value = Scalar(
            item.alias.column(found.column),
            "untyped",
            _STORAGE[found.kind],
            is_optional=not found.is_required,
        )
    return LeafItem(item, found, is_attribute, value)


def _leaf_step(
    compiler: Compiler, rows: Rows, item: RowItem, found: Leaf | None, *, is_attribute: bool
) -> Rows:
    if found is None:
        raise NotCompiled("an attribute or element that the view does not have")
    node = _leaf(compiler, item, found, is_attribute=is_attribute)
    rows = replace(rows, item=node)
    if found.is_required:
        return rows
    sql = node.value.sql
    return rows.where(sql.copy() if found.kind == "flag" else present(sql))


def _from_top(compiler: Compiler, rows: Rows, document: Document, step: _Step) -> Rows:
    axis, name, at = step
    if axis == "child" and isinstance(rows.item, DocumentItem):
        if name not in {None, document.name}:
            raise NotCompiled("an element that the view does not have at this place", at)
        return replace(rows, item=RootItem(document))
    if axis not in {"child", "descendant"} or not rows.is_single:
        raise NotCompiled(f"{axis}:: from a document", at)
    relation = (document.top if axis == "child" else document.elements).get(name or "")
    if relation is None:
        within = [each.element for each in document.elements.values() if name in each.counts]
        if within:
            example = f"dcg:{'context' if 'context' in within else within[0]}/dcg:{name}"
            raise NotCompiled(f"an element without the one that it is in, as {example}", at)
        raise NotCompiled("an element that the view does not have at this place", at)
    return compiler.join(rows, relation)[0]


def _to_elements(compiler: Compiler, rows: Rows, item: RowItem, step: _Step) -> Rows:
    axis, name, at = step
    relation = item.relation
    if relation.is_nested and name == relation.element:
        return _in_tree(compiler, rows, item, axis, at)
    if axis == "self":
        return rows if name == relation.element else _none(rows)
    if axis in {"child", "descendant"}:
        return _downwards(compiler, rows, item, step)
    if axis in {"parent", "ancestor"}:
        return _upwards(compiler, rows, item, step)
    raise NotCompiled(f"the axis {axis}", at)


def _downwards(compiler: Compiler, rows: Rows, item: RowItem, step: _Step) -> Rows:
    """Returns the parts of each row, or what is anywhere in it."""
    axis, name, at = step
    relation = item.relation
    target = documents()[relation.document].elements.get(name or "")
    way = None if target is None else relation.way_to(target)
    if not way or (axis == "child" and len(way) > 1):
        raise NotCompiled(f"{axis}::dcg:{name} in dcg:{relation.element}", at)
    if axis == "descendant" and any(part.is_nested for part in (relation, *way)):
        if relation.is_nested:
            raise NotCompiled("the contents of contexts below a context", at)
        if way[-1].is_nested is False and len(way) > 1:
            raise NotCompiled("the contents of the contexts of a thread", at)
    for part in way:
        above = rows.item
        assert isinstance(above, RowItem)  # noqa: S101 - it is the row joined before
        rows, row = compiler.join(rows, part)
        rows = rows.where(_same(row.alias.column(part.owner_column or ""), _key(above)))
        if part.is_nested and axis == "child":
            rows = rows.where(_same(row.alias.column("depth"), exp.Literal.number(0)))
    return rows


def _upwards(compiler: Compiler, rows: Rows, item: RowItem, step: _Step) -> Rows:
    """Returns the row that holds each row, or a further one of some name."""
    axis, name, at = step
    may_meet = rows.may_meet
    relation, row = item.relation, item
    while relation.owner is not None:
        if relation.is_nested and axis == "parent":
            raise NotCompiled("the thread of a context's root", at)
        owner = relation.owner
        row = lookups.owner_of(compiler.emitter, row)
        if owner.is_nested:
            rows = rows.where(present(_key(row)))
        if owner.element == name:
            found = _looked_up(rows, row, may_meet=may_meet)
            if owner.is_nested and axis == "ancestor":
                return _in_tree(compiler, found, row, "ancestor-or-self", at)
            return found
        if axis == "parent":
            break
        relation = owner
    raise NotCompiled(f"{axis}::dcg:{name} from dcg:{item.relation.element}", at)


def _looked_up(rows: Rows, row: RowItem, *, may_meet: bool) -> Rows:
    """Returns rows whose item is a row that a lookup found."""
    order = row.keys if rows.sources else ()
    return replace(rows, item=row, order=order, has_duplicates=may_meet)


def _in_tree(compiler: Compiler, rows: Rows, item: RowItem, axis: str, at: int) -> Rows:
    """Returns contexts above or below contexts: a subtree is an interval of keys.

    A scope says which contexts a query begins with; from these it sees the whole tree.
    """
    may_meet, had_duplicates = rows.may_meet, rows.has_duplicates
    if axis == "self":
        return rows
    if axis == "parent":
        above = lookups.parent_of(compiler.emitter, item)
        rows = rows.where(present(_key(above)))
        return _looked_up(rows, above, may_meet=may_meet)
    rows, row = compiler.join(rows, item.relation, is_whole=True)
    here, there = item.alias.column, row.alias.column
    if axis == "child":
        return rows.where(_same(there("parent_id"), here("context_id")))
    if axis in {"descendant", "descendant-or-self"}:
        first, inner = here, there
    elif axis in {"ancestor", "ancestor-or-self"}:
        first, inner = there, here
    else:
        raise NotCompiled(f"the axis {axis}", at)
    start = exp.GTE if axis.endswith("self") else exp.GT
    end = exp.Add(this=first("context_id"), expression=first("size"))
    return replace(
        rows.where(
            start(this=inner("context_id"), expression=first("context_id")),
            exp.LT(this=inner("context_id"), expression=end),
        ),
        has_duplicates=had_duplicates or may_meet,
    )


def _key(row: RowItem) -> exp.Expr:
    relation: Relation = row.relation
    if relation.key is None:
        raise NotCompiled(f"parts of dcg:{relation.element}")
    return row.alias.column(relation.key)


def _same(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.EQ(this=left.copy(), expression=right.copy())


ROWS = {
    ast.VariableReference: _variable,
    ast.ContextItem: _context_item,
    ast.RootStep: _root,
    ast.Path: _path,
    ast.AxisStep: _axis_step,
    ast.SimpleMap: _simple_map,
    ast.Parenthesized: _parenthesized,
    ast.Predicate: _predicate,
}
