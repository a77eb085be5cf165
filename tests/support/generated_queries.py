"""Queries over a run's documents, generated: what compiles, what nearly does, and what does not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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


@st.composite
def leaves(draw: Any, element: str, base: str) -> tuple[str, bool]:
    """Returns a path to an attribute or count, and whether it is a number."""
    counts = _COUNTS.get(element, ())
    if counts and draw(st.booleans()):
        name = draw(st.sampled_from(counts))
        return f"{base}/dcg:{name}", True
    name = draw(st.sampled_from(_DCG_ATTRIBUTES[element]))
    return f"{base}/@{name}", name in _NUMBERS


@st.composite
def conditions(draw: Any, element: str, base: str, depth: int = 1) -> str:
    """Returns a condition on a node."""
    path, is_number = draw(leaves(element, base))
    operator = draw(st.sampled_from(("=", "!=", "<", "<=", ">", ">=")))
    value = draw(st.integers(-1, 9)) if is_number else f"'{draw(st.sampled_from(_WORDS))}'"
    other, _ = draw(leaves(element, base))
    forms = [path, f"not({path})", f"exists({path})", f"{path} {operator} {value}"]
    forms += [f"{value} {operator} {path}", f"{path} = {other}", f"{path} = ({value}, {other})"]
    if depth:
        word = draw(st.sampled_from(("and", "or")))
        one, two = draw(conditions(element, base, 0)), draw(conditions(element, base, 0))
        forms.append(f"({one} {word} {two})")
        if parts := _PARTS.get(element, ()):
            part = draw(st.sampled_from(parts))
            some = draw(st.sampled_from(("some", "every")))
            forms.append(f"{base}/dcg:{part}[{draw(conditions(part, '.', 0))}]")
            holds = draw(conditions(part, "$s", 0))
            forms.append(f"({some} $s in {base}/dcg:{part} satisfies {holds})")
    return draw(st.sampled_from(forms))


_WORDS = ("run", "<init>", "invokevirtual", "main", "full", "true", "platform", "0")


@st.composite
def paths(draw: Any) -> tuple[str, str]:
    """Returns a path to elements, and their name."""
    element = draw(st.sampled_from(tuple(_ROOTS)))
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
        steps = [step for step in steps if step[1]]
        if not steps:
            break
        step, element = draw(st.sampled_from(steps))
        text += step
        if draw(st.integers(0, 3)) == 0:
            text += draw(
                st.sampled_from(("[1]", "[last()]", "[position() <= 2]"))
                if "ancestor" not in step
                else st.just("")
            )
    return text, element


@st.composite
def values(draw: Any, element: str, base: str) -> str:
    """Returns an expression of one value of a node."""
    path, is_number = draw(leaves(element, base))
    forms = [f"string({path})", f"{base}/@id || '-' || {path}", f"count({path})"]
    if is_number:
        forms += [f"{path} + 1", f"xs:long({path})", f"({path}/xs:long(.), 0)[1]"]
        forms += [f"sum({path}/xs:long(.)) * 2", f"number({path})"]
    for part in _PARTS.get(element, ()):
        forms.append(f"count({base}/dcg:{part})")
        inner, counts = draw(leaves(part, f"{base}/dcg:{part}"))
        if counts:
            forms.append(f"sum({inner})")
            forms.append(f"max({inner}/xs:long(.))")
    if element == "context":
        forms.append(f"count({base}/ancestor-or-self::dcg:context)")
    return draw(st.sampled_from(forms))


@st.composite
def queries(draw: Any) -> str:
    """Returns a query whose answer has no accidental order."""
    path, element = draw(paths())
    leaf, is_number = draw(leaves(element, path))
    forms = [leaf, f"count({path})", f"exists({path})", f"count({leaf})", f"{path}/@id/string(.)"]
    if is_number:
        forms += [f"{name}({leaf})" for name in ("sum", "min", "max", "avg")]
    value, key = draw(values(element, "$x")), draw(values(element, "$x"))
    condition = draw(conditions(element, "$x"))
    way = draw(st.sampled_from(("ascending", "descending", "descending empty greatest")))
    group, _ = draw(leaves(element, "$x"))
    inner, counts = draw(leaves(element, "$x"))
    total = f"sum({inner}/xs:long(.))" if counts else f"count(distinct-values({inner}))"
    loop = f"for $x in {path}"
    forms += [
        f"{loop} return {value}",
        f"{loop} where {condition} return {value}",
        f"{loop} let $k := {key} order by $k {way} return $x/@id/string(.)",
        f"{loop} let $k := {key} where $k = {value} count $n return ($k || '#' || $n)",
        f"{loop} group by $k := {group} order by $k return $k || count($x) || {total}",
        f"{loop} return map {{ 'id': $x/@id, 'v': {value} }}",
        f"let $all := {path} return (count($all), $all[2]/@id, sum({leaf} ! 1))",
        f"({loop} order by {key} {way}, $x/@id return $x)[position() <= 3]/@id/string(.)",
    ]
    return draw(st.sampled_from(forms))
