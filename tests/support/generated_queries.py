"""Queries over a run's documents, generated: what compiles, what nearly does, and what does not."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

_one_of = cache(st.sampled_from)  # a strategy that is made anew is examined anew

_DCG_ATTRIBUTES = {
    "class": ("id", "name", "loader", "super", "accessFlags", "isInterface", "isHidden"),
    "method": ("id", "name", "descriptor", "isStatic", "maxStack", "firstLine", "coverage"),
    "basicBlock": ("id", "index", "nInstructions", "firstOffset"),
    "instruction": ("id", "opcode", "offset", "operand"),
    "callSite": ("id", "opcode", "offset", "line", "name"),
    "field": ("id", "name", "isStatic"),
    "thread": ("id", "name", "kind", "isDaemon", "startOrder"),
    "context": ("id", "method", "callSite", "depth", "size", "ancestor", "isFolded"),
}
_COUNTS = {
    "method": ("callCount", "bytecodeCount"),
    "basicBlock": ("executionCount",),
    "context": ("callCount", "bytecodeCount"),
}
_PARTS = {
    "class": ("method", "field"),
    "method": ("basicBlock", "callSite"),
    "basicBlock": ("instruction",),
    "thread": ("context",),
    "context": ("context", "basicBlock"),
}
_ROOTS = {
    "class": "$classes//dcg:class",
    "method": "$methods",
    "basicBlock": "$classes//dcg:basicBlock",
    "instruction": "$classes//dcg:instruction",
    "callSite": "$classes/dcg:classes/dcg:class/dcg:method/dcg:callSite",
    "field": "doc('classes')//dcg:field",
    "thread": "$cct/dcg:cct/dcg:thread",
    "context": "$cct//dcg:context",
}
_NUMBERS = frozenset(
    {
        "id", "super", "accessFlags", "maxStack", "firstLine", "index", "nInstructions",
        "firstOffset", "offset", "line", "startOrder", "method", "callSite", "depth", "size",
        "ancestor", "callCount", "bytecodeCount", "executionCount",
    }
)  # fmt: skip


@cache
@st.composite
def leaves(draw: Any, element: str, base: str) -> tuple[str, bool]:
    """Returns a path to an attribute or count, and whether it is a number."""
    counts = _COUNTS.get(element, ())
    if counts and draw(st.booleans()):
        name = draw(_one_of(counts))
        return f"{base}/dcg:{name}", True
    name = draw(_one_of(_DCG_ATTRIBUTES[element]))
    return f"{base}/@{name}", name in _NUMBERS


@cache
@st.composite
def conditions(draw: Any, element: str, base: str, depth: int = 1) -> str:
    """Returns a condition on a node."""
    path, is_number = draw(leaves(element, base))
    operator = draw(_one_of(("=", "!=", "<", "<=", ">", ">=")))
    value = draw(st.integers(-1, 9)) if is_number else f"'{draw(_one_of(_WORDS))}'"
    other, _ = draw(leaves(element, base))
    forms = [path, f"not({path})", f"exists({path})", f"{path} {operator} {value}"]
    forms += [f"{value} {operator} {path}", f"{path} = {other}", f"{path} = ({value}, {other})"]
    if depth:
        word = draw(_one_of(("and", "or")))
        one, two = draw(conditions(element, base, 0)), draw(conditions(element, base, 0))
        forms.append(f"({one} {word} {two})")
        if parts := _PARTS.get(element, ()):
            part = draw(_one_of(parts))
            some = draw(_one_of(("some", "every")))
            forms.append(f"{base}/dcg:{part}[{draw(conditions(part, '.', 0))}]")
            holds = draw(conditions(part, "$s", 0))
            forms.append(f"({some} $s in {base}/dcg:{part} satisfies {holds})")
            forms.append(f"count({base}/dcg:{part}) {operator} {draw(st.integers(0, 3))}")
    if not is_number:
        word = draw(_one_of(_WORDS))
        function = draw(_one_of(("contains", "starts-with", "ends-with", "matches")))
        forms.append(f"{function}({path}, '{word}')")
        forms.append(f"string-length({path}) {operator} {draw(st.integers(0, 12))}")
    return draw(st.sampled_from(forms))


_WORDS = ("run", "<init>", "invokevirtual", "main", "full", "true", "platform", "0")


_BLIND = (
    "declare default collation "
    "'http://www.w3.org/2005/xpath-functions/collation/html-ascii-case-insensitive';"
)
_POSITIONS = (
    "[1]", "[last()]", "[position() <= 2]", "[2]", "[position() = 2 to 3]", "[last() - 1]",
    "[position() mod 2 = 0]", "[1 + 1]", "[position() > 1][1]", "[if (@id = '1') then 1 else 2]",
    "[xs:integer(@id)]", "[1.0]", "[string(@never)]", "[@id][1]", "[position() != last()]",
)  # fmt: skip


@cache
@st.composite
def paths(draw: Any) -> tuple[str, str]:
    """Returns a path to elements, and their name."""
    element = draw(_one_of(tuple(_ROOTS)))
    text = _ROOTS[element]
    if draw(st.booleans()):
        text += f"[{draw(conditions(element, '.'))}]"
    for _ in range(draw(st.integers(0, 2))):
        steps = [(f"/dcg:{part}", part) for part in _PARTS.get(element, ())]
        if element == "context":
            steps += [
                (f"/{axis}::dcg:context", "context")
                for axis in ("ancestor", "descendant", "ancestor-or-self", "parent")
            ]
        if element in {"method", "basicBlock", "instruction"}:
            steps.append(("/..", {"method": "class", "basicBlock": "", "instruction": ""}[element]))
        if element in {"method", "basicBlock", "context", "field"}:
            steps += [
                (f"/{axis}-sibling::dcg:{element}", element) for axis in ("following", "preceding")
            ]
            steps.append(("/self::*", element))
        if element in {"basicBlock", "callSite"}:
            steps.append(("/ancestor::dcg:method", "method" if text[1:3] != "cc" else ""))
        steps = [step for step in steps if step[1]]
        if not steps:
            break
        step, element = draw(st.sampled_from(steps))
        text += step
        if draw(st.integers(0, 3)) == 0:
            text += draw(_one_of(_POSITIONS) if "ancestor" not in step else st.just(""))
    return text, element


@cache
@st.composite
def values(draw: Any, element: str, base: str) -> str:
    """Returns an expression of one value of a node."""
    path, is_number = draw(leaves(element, base))
    forms = [f"string({path})", f"{base}/@id || '-' || {path}", f"count({path})"]
    if is_number:
        forms += [f"{path} + 1", f"xs:long({path})", f"({path}/xs:long(.), 0)[1]"]
        forms += [f"sum({path}/xs:long(.)) * 2", f"number({path})"]
        forms += [f"{path} div 4", f"xs:long({path}) idiv 3", f"xs:integer({path}) mod 7"]
        forms += [
            f"xs:double({path}) * 1.5",
            f"(-xs:long({path}))",
            f"xs:long({path}) * 4611686018",
        ]
        forms += [f"abs(xs:integer({path}) - 5)", f"100 idiv xs:long({path})"]
        forms += [
            f"xs:long({path}) div 8",
            f"round(xs:long({path}) div 3, 2)",
            f"{path} ! xs:int(.)",
        ]
    else:
        forms += [f"upper-case({path})", f"substring({path}, 2, 3)", f"string-length({path})"]
        forms += [
            f"substring-before({path}, '/')",
            f"substring-after({path}, 'a')",
            f"data({path})",
        ]
        forms += [
            f"tokenize({path}, '/')[1]",
            f"translate({path}, 'aeiou', 'AE')",
            f"xs:long({path})",
        ]
        forms += [f"replace({path}, '[a-m]', '.')", f"normalize-space({path})", f"{path}/name()"]
    condition = draw(conditions(element, base, 0))
    other, _ = draw(leaves(element, base))
    forms += [
        f"(if ({condition}) then string({path}) else 'no')",
        f"(switch (string({path})) case '1' case 'full' return 'a' default return 'b')",
        f"({path}, {other})[1]",
        f"string-join(({path}, {other}), '+')",
        f"count(({path}, {other}))",
        f"(let $v := {path} return ($v, 'none')[1])",
        f"(typeswitch (data({path})) case xs:untypedAtomic return 'u' default return 'e')",
        f"({base} is {base}/.)",
        f"{path} eq '{draw(_one_of(_WORDS))}'",
        f"({path} eq {other})",
        f"(if ({condition}) then {path} else {other})",
        f"boolean(data({path}))",
    ]
    for part in _PARTS.get(element, ()):
        forms.append(f"count({base}/dcg:{part})")
        forms.append(f"string-join({base}/dcg:{part}/@*, ',')")
        forms.append(f"string({base}/dcg:{part}[1]/@id)")
        forms.append(f"string({base}/dcg:{part}[last()]/@id)")
        inner, counts = draw(leaves(part, f"{base}/dcg:{part}"))
        if counts:
            forms.append(f"sum({inner})")
            forms.append(f"max({inner}/xs:long(.))")
    if element == "context":
        forms.append(f"count({base}/ancestor-or-self::dcg:context)")
        forms.append(f"string({base}/../@{draw(_one_of(('id', 'method', 'depth', 'name')))})")
        forms.append(f"sum({base}/../dcg:callCount)")
    return draw(st.sampled_from(forms))


@cache
@st.composite
def queries(draw: Any) -> str:
    """Returns a query whose answer has no accidental order."""
    path, element = draw(paths())
    leaf, is_number = draw(leaves(element, path))
    forms = [leaf, f"count({path})", f"exists({path})", f"count({leaf})", f"{path}/@id/string(.)"]
    if is_number:
        forms += [f"{name}({leaf})" for name in ("sum", "min", "max", "avg")]
        forms += [f"{name}({leaf}/xs:long(.))" for name in ("sum", "min", "max", "avg")]
    else:
        forms += [f"{name}({leaf}/string(.))" for name in ("min", "max")]
        forms += [f"{name}({leaf})" for name in ("sum", "max")]
    value, key = draw(values(element, "$x")), draw(values(element, "$x"))
    condition = draw(conditions(element, "$x"))
    condition_of_item = draw(conditions(element, "."))
    way = draw(_one_of(("ascending", "descending", "descending empty greatest")))
    group, _ = draw(leaves(element, "$x"))
    inner, counts = draw(leaves(element, "$x"))
    total = f"sum({inner}/xs:long(.))" if counts else f"count(distinct-values({inner}))"
    loop = f"for $x in {path}"
    n = draw(st.integers(0, 4))
    second, other = draw(paths())
    shared, shared_too = draw(leaves(element, "$x")), draw(leaves(other, "$y"))
    forms += [
        f"let $n := {n} return ({path})[$n]/@id/string(.)",
        f"let $n := {n} return subsequence({path}, $n, 2)/@id/string(.)",
        f"({path})[{draw(conditions(element, '.'))}][{n}]/@id/string(.)",
        f"head({path})/@id/string(.), count(tail({path})), reverse({path})/@id/string(.)",
        f"count(({path}) | ({second})), count(({path}) intersect ({second}))",
        f"count(({path}) except ({second})/self::dcg:{element})",
        f"sort({leaf}/string(.)), distinct-values({leaf}) => count()",
        f"string-join({leaf}, ' '), empty({leaf}), not({path})",
        f"{path}/({value.replace('$x', '.')})" if "$v" not in value else f"{loop} return {value}",
        f"({path}) ! ({value.replace('$x', '.')})" if "$v" not in value else leaf,
        f"declare function local:f($x) {{ {value} }}; ({path}) ! local:f(.)",
        f"declare variable $k := count({path}); {loop} where $k > {n} return {value}",
        (
            f"for $x in {path}, $y in {second} where {shared[0]} = {shared_too[0]} "
            f"return $x/@id || '/' || $y/@id"
        ),
        f"{loop} where exists({second}[@id = $x/@id]) return $x/@id/string(.)",
        f"for $x at $i in {path} where $i > {n} return $i || ' ' || $x/@id",
        f"{loop} order by {value} {way}, {key}, number($x/@id) return $x/@id/string(.)",
        (
            f"{loop} group by $k := {group} let $n := count($x) where $n > 1 "
            f"order by $n descending, $k return $k || ' ' || $n"
        ),
        (
            f"{loop} group by $a := string({group}), $b := {condition} order by $a, $b "
            f"return map {{ 'a': $a, 'b': $b, 'n': count($x), 't': {total} }}"
        ),
        f"{loop} let $k := {shared[0]} where $k = $k order by $k return $k",
        f"{loop} let $k := {shared[0]} return map {{ 'k': $k, 'n': count($k) }}",
        f"{loop} where boolean({value}) return $x/@id",  # SaxonC 13.1 may count with a number
        f"{loop} group by $k := {group} order by $k return $x[{n}]/@id",
        f"{loop} group by $k := {group} order by $k return $x[{condition_of_item}]/@id/string(.)",
        f"({path})[{value.replace('$x', '.')}]/@id" if "$v" not in value else leaf,
        f"try {{ {loop} return {value} }} catch * {{ 'error' }}",
        f'<r>{{ {loop} return <i v="{{{value}}}"/> }}</r>',
        f"some $x in {path} satisfies {condition}",
        f"every $x in {path} satisfies {condition}",
        (
            f"for tumbling window $w in {leaf}/string(.) start at $s when $s mod 3 = 1 "
            f"return string-join($w)"
        ),
        f"{loop} return {value}",
        f"{loop} where {condition} return {value}",
        f"{loop} let $k := {key} order by $k {way} return $x/@id/string(.)",
        f"{loop} let $k := {key} where $k = ({value}) count $n return ($k || '#' || $n)",
        f"{loop} group by $k := {group} order by $k return $k || count($x) || {total}",
        f"{loop} return map {{ 'id': $x/@id, 'v': {value} }}",
        f"let $all := {path} return (count($all), $all[2]/@id, sum({leaf} ! 1))",
        f"({loop} order by {key} {way}, $x/@id return $x)[position() <= 3]/@id/string(.)",
        (
            f"declare default order empty greatest; {loop} order by {shared[0]}, {key} {way} "
            f"return $x/@id/string(.)"
        ),
        f"{_BLIND} {loop} where upper-case({shared[0]}) = {shared[0]} return {value}",
        f"{_BLIND} count(distinct-values({path} ! (@*/string(), @*/upper-case(.))))",
        f"{_BLIND} {loop} order by upper-case({shared[0]}), {key} {way} return $x/@id/string(.)",
    ]
    return draw(st.sampled_from(forms))
