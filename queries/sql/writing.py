"""The text of SQL, in one line or in lines of a width that can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.sql import exp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.sql.sql_nodes import Expr

__all__ = ["in_lines", "in_one_line"]

_WIDTH = 80
_INDENT = "  "


def in_one_line(node: Expr) -> str:
    """Returns the text of a node.

    >>> in_one_line(exp.EQ(this=exp.column("a b", "t"), expression=exp.Literal.string("it's")))
    '"t"."a b" = \\'it\\'\\'s\\''
    """
    return _Writer(width=None).text(node, 0)


def in_lines(query: exp.Select) -> str:
    """Returns the text of a statement, a clause a line; what is too wide is broken further."""
    return _Writer(width=_WIDTH).select(query, 0)


class _Writer:
    """Writes nodes at a level of indentation.

    Args:
        width: what is wider is broken; None: everything is in one line.
    """

    def __init__(self, width: int | None) -> None:
        self._width = width
        self._short: dict[int, str] = {}
        self._flat = self if width is None else _Writer(None)

    def text(self, node: Expr, level: int) -> str:
        """Returns the text of a node, whose first line begins anywhere, the others at a level."""
        if self._width is None:
            found = self._short.get(id(node))
            if found is None:
                found = self._short[id(node)] = self._written(node, level)
            return found
        short = self._flat.text(node, 0)
        if len(_INDENT) * level + len(short) <= self._width and "\n" not in short:
            return short
        return self._written(node, level)

    def _written(self, node: Expr, level: int) -> str:
        kind = type(node)
        if operator := _OPERATORS.get(kind):
            return self._binary(node, operator, level)
        return _WRITERS[kind](self, node, level)

    def _line(self, level: int) -> str:
        """Returns what is between two lines."""
        return " " if self._width is None else "\n" + _INDENT * level

    def _list(self, nodes: Iterable[Expr], level: int) -> str:
        return ("," + self._line(level)).join(self.text(node, level) for node in nodes)

    def call(self, name: str, arguments: list[Expr], level: int) -> str:
        if self._width is None:
            return f"{name}({self._list(arguments, 0)})"
        if len(arguments) == 1:
            return f"{name}({self.text(arguments[0], level)})"
        inner = self._list(arguments, level + 1)
        return f"{name}({self._line(level + 1)}{inner}{self._line(level)})"

    def _binary(self, node: Expr, operator: str, level: int) -> str:
        """Returns operands with an operator between; those of a chain are at one level."""
        kind, operands, left = type(node), [node.expression], node.this
        while type(left) is kind:
            operands.append(left.expression)
            left = left.this
        operands.append(left)
        texts = [self.text(operand, level) for operand in reversed(operands)]
        return f" {operator} ".join(texts)

    def logical(self, node: Expr, level: int) -> str:
        """Returns conditions, each on a line, with AND or OR between."""
        operator = "AND" if isinstance(node, exp.And) else "OR"
        texts = [self.text(operand, level) for operand in node.expressions]
        return f"{self._line(level)}{operator} ".join(texts)

    def enclosed(self, node: Expr, level: int) -> str:
        """Returns a node in parentheses, on lines of its own if it is too wide."""
        if self._width is None:
            return f"({self.text(node, 0)})"
        return f"({self._line(level + 1)}{self.text(node, level + 1)}{self._line(level)})"

    def case(self, node: Expr, level: int) -> str:
        """Returns a CASE, a line for each branch."""
        inner = self._line(level + 1)
        branches = [
            f"WHEN {self.text(branch.this, level + 1)} "
            f"THEN {self.text(branch.args['true'], level + 1)}"
            for branch in node.args["ifs"]
        ]
        if (default := node.args.get("default")) is not None:
            branches.append(f"ELSE {self.text(default, level + 1)}")
        return f"CASE{inner}{inner.join(branches)}{self._line(level)}END"

    def window(self, node: Expr, level: int) -> str:
        """Returns an aggregate over rows around each."""
        clauses = []
        if partition := node.args.get("partition_by"):
            clauses.append(f"PARTITION BY {', '.join(self.text(key, level) for key in partition)}")
        if order := node.args.get("order"):
            clauses.append(self.order(order, level).lstrip())
        return f"{self.text(node.this, level)} OVER ({' '.join(clauses)})"

    def order(self, node: Expr, level: int) -> str:
        """Returns sort keys, after what they sort if they are an aggregate's."""
        sorted_ = "" if node.this is None else f"{self.text(node.this, level)} "
        keys = ", ".join(self.text(key, level) for key in node.expressions)
        return f"{sorted_}ORDER BY {keys}"

    def source(self, node: Expr, level: int) -> str:
        """Returns a table or a subquery with its alias."""
        alias = f" AS {node.alias}" if node.alias else ""
        if isinstance(node, exp.Table):
            schema = f"{node.args['db']}." if node.args.get("db") else ""
            return f"{schema}{_quoted(node.name)}{alias}"
        return self.enclosed_query(node.this, level) + alias

    def enclosed_query(self, query: Expr, level: int) -> str:
        """Returns a SELECT in parentheses, on lines of its own."""
        if self._width is None:
            return f"({self.select(query, 0)})"
        return f"({self._line(level + 1)}{self.select(query, level + 1)}{self._line(level)})"

    def join(self, node: Expr, level: int) -> str:
        """Returns a join."""
        kind = node.args.get("kind") or node.args.get("side")
        text = f"{f'{kind} ' if kind else ''}JOIN {self.source(node.this, level)}"
        if (on := node.args.get("on")) is not None:
            text += f"{self._line(level + 1)}ON {self.text(on, level + 1)}"
        return text

    def select(self, query: Expr, level: int) -> str:
        """Returns a SELECT, a line for each clause."""
        args, deep = query.args, self._line(level + 1)
        clauses = [self._with(with_, level)] if (with_ := args.get("with")) else []
        word = "SELECT DISTINCT" if args.get("distinct") else "SELECT"
        clauses.append(f"{word}{deep}{self._list(query.expressions, level + 1)}")
        if from_ := args.get("from_"):
            clauses.append(f"FROM {self.source(from_.this, level)}")
        clauses += [self.join(join, level) for join in args.get("joins") or ()]
        if where := args.get("where"):
            clauses.append(f"WHERE{deep}{self.text(where.this, level + 1)}")
        if group := args.get("group"):
            clauses.append(f"GROUP BY{deep}{self._list(group.expressions, level + 1)}")
        if order := args.get("order"):
            clauses.append(f"ORDER BY{deep}{self._list(order.expressions, level + 1)}")
        if limit := args.get("limit"):
            clauses.append(f"LIMIT {self.text(limit.expression, level)}")
        return self._line(level).join(clauses)

    def _with(self, with_: Expr, level: int) -> str:
        tables = [
            f"{table.alias} AS MATERIALIZED {self.enclosed_query(table.this, level)}"
            for table in with_.expressions
        ]
        return f"WITH {', '.join(tables)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(_writer: _Writer, node: Expr, _level: int) -> str:
    return "'" + node.name.replace("'", "''") + "'" if node.args["is_string"] else node.name


def _column(_writer: _Writer, node: Expr, _level: int) -> str:
    table = node.args.get("table")
    return f"{_quoted(table)}.{_quoted(node.name)}" if table else _quoted(node.name)


def _negative(writer: _Writer, node: Expr, level: int) -> str:
    number = writer.text(node.this, level)
    return f"- {number}" if number.startswith("-") else f"-{number}"


def _ordered(writer: _Writer, node: Expr, level: int) -> str:
    """Returns a sort key; DuckDB has nulls last where nothing is said."""
    direction = " DESC" if node.args.get("desc") else ""
    nulls = " NULLS FIRST" if node.args.get("nulls_first") else ""
    return f"{writer.text(node.this, level)}{direction}{nulls}"


def _distinct(writer: _Writer, node: Expr, level: int) -> str:
    return "DISTINCT " + ", ".join(writer.text(value, level) for value in node.expressions)


def _call_of(name: str) -> Callable[[_Writer, Any, int], str]:
    """Returns what writes a function of ``this`` and perhaps ``expressions``."""
    return lambda writer, node, level: writer.call(name, [node.this, *node.expressions], level)


_OPERATORS: dict[type[Expr], str] = {
    exp.Add: "+",
    exp.Div: "/",
    exp.EQ: "=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.IntDiv: "//",
    exp.Is: "IS",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.Mod: "%",
    exp.Mul: "*",
    exp.NEQ: "<>",
    exp.Sub: "-",
}
_WRITERS: dict[type[Expr], Callable[[_Writer, Any, int], str]] = {
    exp.Abs: _call_of("ABS"),
    exp.And: _Writer.logical,
    exp.Alias: lambda w, node, n: f"{w.text(node.this, n)} AS {_quoted(node.alias)}",
    exp.Anonymous: lambda w, node, n: w.call(node.name.upper(), node.expressions, n),
    exp.Array: lambda w, node, n: f"[{', '.join(w.text(v, n) for v in node.expressions)}]",
    exp.Avg: _call_of("AVG"),
    exp.Boolean: lambda _w, node, _n: "TRUE" if node.this else "FALSE",
    exp.Case: _Writer.case,
    exp.Cast: lambda w, node, n: f"CAST({w.text(node.this, n)} AS {node.args['to']})",
    exp.Coalesce: _call_of("COALESCE"),
    exp.Column: _column,
    exp.Count: _call_of("COUNT"),
    exp.Distinct: _distinct,
    exp.Exists: lambda w, node, n: f"EXISTS{w.enclosed_query(node.this, n)}",
    exp.Filter: lambda w, node, n: (
        f"{w.text(node.this, n)} FILTER(WHERE {w.text(node.expression.this, n)})"
    ),
    exp.Literal: _literal,
    exp.Max: _call_of("MAX"),
    exp.Min: _call_of("MIN"),
    exp.Neg: _negative,
    exp.Not: lambda w, node, n: f"NOT {w.text(node.this, n)}",
    exp.Null: lambda _w, _node, _n: "NULL",
    exp.Or: _Writer.logical,
    exp.Order: _Writer.order,
    exp.Ordered: _ordered,
    exp.Paren: lambda w, node, n: w.enclosed(node.this, n),
    exp.RowNumber: lambda _w, _node, _n: "ROW_NUMBER()",
    exp.Select: _Writer.select,
    exp.Star: lambda _w, _node, _n: "*",
    exp.Subquery: _Writer.source,
    exp.Sum: _call_of("SUM"),
    exp.Unnest: _call_of("UNNEST"),
    exp.Window: _Writer.window,
}
