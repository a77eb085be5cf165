"""Queries over the vocabulary, put together at random: any axis from any element, any predicate.

A query is made of choices of a ``random.Random``, so Hypothesis can make and shrink them. The
names are those of the XML view's schema, and most steps are ones that can select something. A
query speaks of one document, since the order of nodes of two is the implementation's choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.xml.outline import Outline, outlines

if TYPE_CHECKING:
    from random import Random

__all__ = ["random_query"]

_PLAIN_AXES = ("child", "child", "child", "descendant", "parent", "ancestor", "self")
_AXES = (
    *_PLAIN_AXES, "descendant-or-self", "ancestor-or-self", "following-sibling",
    "preceding-sibling", "following", "preceding",
)  # fmt: skip
_OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
_VALUES = ("0", "1", "2", "7", "'1'", "'main'", "'run'", "''", "'true'", "'full'")
_POSITIONS = (
    "1", "2", "last()", "position() <= 2", "position() = 2", "position() > 1",
    "position() != last()", "position() mod 2 = 1", "last() > 1",
)  # fmt: skip
_PICKS = (
    "head({})", "tail({})", "reverse({})", "subsequence({}, 2, 2)", "outermost({})",
    "innermost({})", "({})/.", "({0}, {0})/.", "({})[last()]", "({})[1]",
    "functx:distinct-nodes({})",
)  # fmt: skip


def random_query(chance: Random) -> str:
    """Returns a query whose answer has no accidental order."""
    return _Query(chance).text()


class _Query:
    """One query.

    Every expression of nodes goes with the name of the elements that they mostly are. A plain
    query has only what may well compile to SQL.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._document = chance.choice(("classes", "cct", "cct"))
        self._is_plain = chance.random() < 0.6
        self._outlines = outlines(self._document)
        self._names: dict[str, str] = {}  # of the elements that a variable is

    def text(self) -> str:
        forms = (self._sequence, self._loop, self._loop, self._grouped, self._value, self._made)
        return self._chance.choice(forms)()

    # -- nodes

    def _nodes(self, depth: int = 2, base: str | None = None) -> tuple[str, str]:
        chance = self._chance
        text, name = self._start() if base is None else (base, self._names[base])
        for _ in range(chance.choice((0, 1, 1, 2, 2, 3))):
            step, name = self._step(name, depth)
            text = f"{text}/{step}"
        kind = chance.randrange(8) if depth else 0
        if kind == 5:
            return f"({text}){self._predicate(name, depth - 1)}", name
        if kind == 6:
            other, _ = self._nodes(depth - 1)
            return f"({text} {chance.choice(('|', 'intersect', 'except'))} {other})", name
        if kind == 7:
            return chance.choice(_PICKS).format(text), name
        return text, name

    def _start(self) -> tuple[str, str]:
        name = self._chance.choice(list(self._outlines))
        variable = {("classes", "method"): "$methods", ("cct", "thread"): "$threads"}
        whole = variable.get((self._document, name))
        if whole and self._chance.random() < 0.5:
            return whole, name
        return f"${self._document}//dcg:{name}", name

    def _step(self, name: str, depth: int) -> tuple[str, str]:
        chance = self._chance
        outline = self._outlines.get(name, Outline())
        if outline.attributes and chance.random() < 0.2:
            return f"@{chance.choice((*sorted(outline.attributes), '*'))}", name
        if chance.random() < 0.1:
            return "..", self._around(name)
        axis = chance.choice(_PLAIN_AXES if self._is_plain else _AXES)
        found = name
        if axis in {"child", "descendant"} and outline.children:
            found = chance.choice(sorted(outline.children))
        elif axis in {"parent", "ancestor", "ancestor-or-self"}:
            found = self._around(name)
        elif chance.random() < 0.2:
            found = chance.choice(list(self._outlines))
        test = chance.choice((*[f"dcg:{found}"] * (18 if self._is_plain else 3), "*", "node()"))
        step = test if axis == "child" else f"{axis}::{test}"
        if axis == "descendant" and chance.random() < 0.5:
            step = f"/{test}"
        if depth and chance.random() < 0.3:
            step += self._predicate(found, depth - 1)
        return step, found

    def _around(self, name: str) -> str:
        holders = [other for other, o in self._outlines.items() if name in o.children]
        return self._chance.choice(holders or [name])

    # -- conditions and values

    def _predicate(self, name: str, depth: int) -> str:
        chance = self._chance
        if chance.random() < 0.3:
            return f"[{chance.choice(_POSITIONS)}]"
        return f"[{self._condition('.', name, depth)}]"

    def _condition(self, base: str, name: str, depth: int) -> str:
        chance = self._chance
        leaf = self._leaf(base, name)
        some = f"{base}/{self._step(name, 0)[0]}"
        forms = [
            leaf,
            f"not({leaf})",
            f"exists({some})",
            f"empty({some})",
            f"{leaf} {chance.choice(_OPERATORS)} {chance.choice(_VALUES)}",
            f"{leaf} = {self._leaf(base, name)}",
            f"count({some}) {chance.choice(_OPERATORS)} {chance.randrange(3)}",
        ]
        if not self._is_plain:
            forms += [
                f"string({leaf}[1]) = {chance.choice(_VALUES[4:])}",
                f"contains(string-join({leaf}), '1')",
                f"{base} is ({some})[1]",
                f"exists({base} intersect {some})",
                f"({some})[1] << {base}",
            ]
        if depth:
            one, two = (self._condition(base, name, 0) for _ in range(2))
            forms.append(f"({one} {chance.choice(('and', 'or'))} {two})")
            inner, _ = self._nodes(0)
            forms.append(f"{leaf} = {inner}/@{chance.choice(('id', 'ref', 'method'))}")
            variable = self._variable(name)
            holds = self._condition(variable, name, 0)
            forms.append(
                f"({chance.choice(('some', 'every'))} {variable} in {some} satisfies {holds})"
            )
        return chance.choice(forms)

    def _leaf(self, base: str, name: str) -> str:
        outline = self._outlines.get(name, Outline())
        forms = [f"@{attribute}" for attribute in sorted(outline.attributes)]
        forms += [f"dcg:{child}" for child in sorted(outline.children) if child.endswith("Count")]
        if not self._is_plain or not forms:
            forms += ["@*", "@id", "*", ".", ".."]
        return f"{base}/{self._chance.choice(forms)}"

    def _value_of(self, base: str, name: str) -> str:
        """Returns an expression of one item at most."""
        leaf = self._leaf(base, name)
        other = f"{base}/{self._step(name, 0)[0]}"
        forms = [
            f"string(({leaf})[1])",
            f"string-join({leaf}, ' ')",
            f"count({other})",
            f"exists({other})",
            f"name({base})",
            f"(if ({self._condition(base, name, 0)}) then 'y' else 'n')",
            f"count(distinct-values({leaf}))",
            f"concat(count({other}), ':', {leaf}[1])",
        ]
        if not self._is_plain:
            forms += [
                f"path({base})",
                f"string-join({other}/path(), ' ')",
                f"string-join({base}/@*, ' ')",
                f"string-join({base}/*/string(), ' ')",
                f"string({base})",
                f"path(({other})[1])",
                f"path(({other})[last()])",
                f"max({other}/string())",
                f"deep-equal({base}, ({other})[1])",
            ]
        return self._chance.choice(forms)

    def _variable(self, name: str) -> str:
        variable = f"$v{len(self._names) + 1}"
        self._names[variable] = name
        return variable

    # -- queries

    def _sequence(self) -> str:
        nodes, name = self._nodes()
        forms = (
            nodes,
            nodes,
            f"{nodes}/path()",
            f"{nodes} ! path()",
            f"{nodes} ! ({self._value_of('.', name)})",
            f"{nodes}/({self._value_of('.', name)})",
            f"{nodes}/name()",
            f"{nodes}/(.. | .)/path()",
            f"{nodes} ! (@*, .)[1]",
            f"for-each({nodes}, function($n) {{ path($n) }})",
            f"{nodes}/data()",
            f"{nodes}/@*",
        )
        return self._chance.choice(forms)

    def _value(self) -> str:
        nodes, _ = self._nodes()
        other, _ = self._nodes(1)
        forms = (
            f"count({nodes})",
            f"count({nodes} | {other})",
            f"count({nodes} intersect {other})",
            f"count({nodes} except {other})",
            f"string-join({nodes}/path(), ' ')",
            f"exists({nodes})",
            f"sort(distinct-values({nodes}/string()))",
            f"count(distinct-values({nodes}/string()))",
            f"({nodes})[1] is ({other})[1]",
            f"({nodes})[1] << ({other})[last()]",
            f"min({nodes}/string())",
            f"deep-equal({nodes}, {other})",
            f"{nodes} = {other}",
            f"count({nodes}/root())",
        )
        return self._chance.choice(forms)

    def _loop(self) -> str:
        """Returns a FLWOR expression, whose tuples are as the first variable's nodes."""
        chance = self._chance
        nodes, name = self._nodes(1)
        x = here = self._variable(name)
        is_counted = chance.random() < 0.2
        text = f"for {x}{' at $i' if is_counted else ''} in {nodes}"
        if chance.random() < 0.4:
            inner, inner_name = self._nodes(0, x)
            y = self._variable(inner_name)
            text += f", {y} in {inner}" if chance.random() < 0.7 else f" let {y} := ({inner})[1]"
            here = chance.choice((x, y))
        if chance.random() < 0.3:
            text += f" let $l := {self._value_of(x, name)} where $l = $l"
        if chance.random() < 0.4:
            text += f" where {self._condition(here, self._names[here], 1)}"
        if chance.random() < 0.4:
            way = chance.choice(("", " descending", " empty greatest", " descending empty least"))
            text += f" order by {self._key(here)}{way}"
        if chance.random() < 0.15:
            return f"{text} count $n return ($n, path({here}))"
        result = self._result(x, here)
        return f"{text} return {f'($i, {result})' if is_counted else result}"

    def _result(self, x: str, here: str) -> str:
        name = self._names[here]
        value = self._value_of(here, name)
        forms = (
            here,
            f"path({here})",
            value,
            f"({here}, {value})",
            f'map {{ "x": {here}, "v": {value} }}',
            f'map {{ "l": {self._leaf(here, name)}, "v": {value} }}',
            f'<r v="{{{value}}}">{{ {here} }}</r>',
            f"{here}/{self._step(name, 1)[0]}",
            f"({self._value_of(x, self._names[x])}, {value})",
            f"{here}/@*",
            f"string-join({here}/*/string(), ' ')",
        )
        return self._chance.choice(forms)

    def _key(self, base: str) -> str:
        name = self._names[base]
        forms = (
            f"string-join({self._leaf(base, name)}, ' ')",
            f"string(({self._leaf(base, name)})[1])",
            f"count({base}/{self._step(name, 0)[0]})",
            f"name({base}/..)",
            f"{base}/@id",
            f"{base}/@*[1]",
        )
        return self._chance.choice(forms)

    def _grouped(self) -> str:
        nodes, name = self._nodes(1)
        x = self._variable(name)
        key = self._key(x)
        step, _ = self._step(name, 0)
        result = self._chance.choice(
            (
                f"$k || ' ' || count({x})",
                f"({x} ! path(), count({x}))",
                f"count({x}/{step})",
                f"{x}[1]",
                f'map {{ "k": $k, "n": count({x}) }}',
                f"string-join({x}/@*, ' ')",
                f"path(({x}/{step})[1])",
                f"count(distinct-values({self._leaf(x, name)}))",
            )
        )
        return f"for {x} in {nodes} group by $k := string({key}) order by $k return {result}"

    def _made(self) -> str:
        nodes, name = self._nodes(1)
        x = self._variable(name)
        forms = (
            f"<r>{{ {nodes} }}</r>",
            f"let {x} := {nodes} return (count({x}), {x}[1]/path(), {x}[last()])",
            f"<r>{{ for {x} in {nodes} return <i>{{ {x}/@id }}</i> }}</r>",
            f"let $f := function({x}) {{ {self._value_of(x, name)} }} return {nodes} ! $f(.)",
            f"declare function local:f({x}) {{ {self._value_of(x, name)} }}; {nodes} ! local:f(.)",
            f"(1, {nodes})[. instance of node()]",
            f"array {{ {nodes}/path() }}",
            f"for tumbling window {x} in {nodes} start at $s when true() return count({x})",
        )
        return self._chance.choice(forms)
