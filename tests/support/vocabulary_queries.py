"""Queries over every element and every attribute of the XML vocabulary, as its schema lists them.

Each form of query is a text with the names that it takes: ``{path}`` (all elements of a name),
``{name}``, ``{attribute}`` and ``{child}``. What the forms have in common is that they tell nodes
apart: by document order, by identity, by what is around them, and by all that is in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from jvmscope.schema.xml.outline import outlines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FORMS", "Place", "mixed", "places", "queries"]

_DOCUMENTS = ("classes", "cct")

_OF_ELEMENTS = """
    {path}
    count({path})
    exists({path})
    {path} ! string-join(@*/string(), " ")
    {path}/@*
    {path}/@*/name()
    {path} ! count(@*)
    for $m in {path} return string-join($m/*/string(), " ")
    for $m in {path} return string-join($m/@*/string(), " ")
    {path}/*
    {path}/*/name()
    {path}/string()
    {path}/node()
    {path}/..
    {path}/../name()
    {path}/../@*
    {path}/parent::*/name()
    {path}/ancestor::*/name()
    for $x in {path} return count($x/ancestor::*)
    for $x in {path} return $x/ancestor::*[1]/name()
    {path}/ancestor-or-self::dcg:{name}/string-join(@*, " ")
    {path}/ancestor::dcg:context/@id
    for $x in {path} return string-join($x/ancestor::dcg:context/@id, " ")
    {path}/ancestor::dcg:thread/@name/string()
    {path}/ancestor::dcg:class/@name
    {path}/following-sibling::*[1]
    {path}/preceding-sibling::*[1]/name()
    for $x in {path} return count($x/preceding-sibling::dcg:{name})
    {path}/following-sibling::dcg:{name}/path()
    {path}/following::*[1]/path()
    {path}/preceding::*[1]/path()
    {path}[1]
    ({path})[1]
    ({path})[2]
    ({path})[last()]
    {path}[2]/path()
    {path}[last()]/path()
    ({path})[position() mod 2 = 0]/path()
    ({path})[position() <= 2]
    {path}[position() = 2 to 3]/path()
    ({path})[1] is ({path})[1]
    ({path})[1] is ({path})[2]
    ({path})[1] << ({path})[2]
    ({path})[last()] >> ({path})[1]
    for $x at $i in {path} where $x is ({path})[$i] return $i
    for $x at $i in {path}, $y at $j in {path} where $x is $y return $i = $j
    for $x at $i in {path}, $y at $j in {path} where $x << $y and $i >= $j return "wrong"
    count({path} | {path})
    ({path} | {path}/..)/path()
    ({path} intersect {path})/path()
    ({path} except ({path})[1])/path()
    ({path})[last()] | ({path})[1]
    count(({path}, {path}))
    ({path}, {path})/path()
    (({path}, {path})/.)/path()
    functx:distinct-nodes(({path}, {path}))/path()
    reverse({path})/path()
    head({path})
    tail({path})/path()
    subsequence({path}, 2, 2)/path()
    {path}/self::dcg:{name}/path()
    {path}/self::*/path()
    {path}/self::dcg:run/path()
    {path}/path()
    {path} ! path()
    for $x in {path} order by string($x) descending return $x/path()
    for $x in {path} order by count($x/@*), count($x/*) return $x
    for $x in {path} order by $x/@*[last()] descending return path($x)
    for $x in {path} group by $k := count($x/@*) order by $k return $k || ":" || count($x)
    for $x in {path} group by $k := string($x/..) order by $k return $x/path()
    for $x in {path} group by $k := $x/../name() order by $k return string-join($x ! path())
    for $x in {path} return map {{ "x": $x }}
    for $x in {path} return map {{ "x": $x, "n": count($x/*) }}
    for $x in {path} return map {{ "x": $x/.., "y": $x/@* => count() }}
    <r>{{ {path} }}</r>
    {path} ! <r>{{ @*, * }}</r>
    for $x in {path} return <r n="{{ count($x/..) }}">{{ $x/@* }}</r>
    deep-equal({path}, {path})
    count(distinct-values({path} ! generate-id()))
    some $x in {path} satisfies $x is ({path})[last()]
    every $x in {path} satisfies exists($x/..)
    {path}/root() ! name(*)
    count({path}/root())
    for $x in {path} let $y := $x/.. return $y is $x/parent::*
    for $x in {path} let $y := $x/..  return $y/path()
    {path} ! (let $x := . return $x/..)/path()
    for $x in {path} let $all := $x/../dcg:{name} return count($all) || path($all[last()])
    outermost({path}) ! path()
    innermost({path}) ! path()
    {path}/descendant-or-self::*/path()
    {path}//text()
    for $x in {path} where $x/text() return $x/text()
    {path} ! name()
    {path} ! local-name()
    {path}[@*]/path()
    {path}[*]/path()
    {path}[not(*)]/path()
    {path}[not(@*)]/path()
    {path}[string()]/path()
    {path}[following-sibling::dcg:{name}]/path()
    {path}[../dcg:{name}[2]]/path()
    let $all := {path} return (count($all), $all[2]/path(), $all[last()])
    for $x in ({path})[position() < 4] count $n return ($n, $x)
    for tumbling window $w in {path} start at $s when $s mod 2 = 1 return string-join($w/path())
    {path}/data()
    {path} ! (position() || path())
    {path} ! last()
    for-each({path}, function($x) {{ $x/path() }})
    filter({path}, function($x) {{ exists($x/@*) }})/path()
    fold-left({path}, "", function($a, $x) {{ $a || count($x/@*) }})
    sort({path}, (), function($x) {{ string-join($x/@*) }}) ! path()
    {path}/(if (@*) then @*[1] else .)
    {path} ! (typeswitch (.) case element(dcg:{name}) return path() default return 1)
    $doc/*/dcg:{name}/path()
    $doc/*/*/dcg:{name}/path()
    $doc/*/descendant::dcg:{name}[1]
    count($doc//*[self::dcg:{name}])
    $doc//*[self::dcg:{name}][last()]
    $doc//element(dcg:{name})/path()
    for $p in $doc//dcg:{name}/.. return count($p/dcg:{name})
    for $p in $doc//dcg:{name}/.. return $p/dcg:{name}[1]
    for $p in $doc//dcg:{name}/.. return string-join($p/dcg:{name}[last()]/@*, " ")
    $doc//dcg:{name}[1]/path()
"""
_OF_ATTRIBUTES = """
    {path}/@{attribute}
    {path}/string(@{attribute})
    {path} ! string(@{attribute})
    {path}/@{attribute}/string()
    {path}/@{attribute}/data()
    data({path}/@{attribute})
    count({path}/@{attribute})
    exists({path}/@{attribute})
    {path}[@{attribute}]/path()
    {path}[not(@{attribute})]/path()
    {path}[@{attribute} = ({path}/@{attribute})[1]]/path()
    ({path}/@{attribute})[2]
    ({path}/@{attribute})[last()]
    {path}/@{attribute}/../path()
    {path}/@{attribute}/parent::dcg:{name}/path()
    {path}/@{attribute}/../name()
    {path}/@{attribute}/ancestor::*/path()
    {path}/@{attribute}/path()
    {path}/@{attribute}/name()
    for $a in {path}/@{attribute} return $a/..
    for $a in {path}/@{attribute} return ($a, path($a))
    for $x in {path} return map {{ "a": $x/@{attribute}, "x": $x }}
    for $x in {path} return map {{ "a": $x/@{attribute}, "t": string($x/@{attribute}) }}
    for $x in {path} order by $x/@{attribute} return $x/path()
    for $x in {path} order by $x/@{attribute} descending empty greatest return $x
    for $x in {path} order by $x/@{attribute} empty greatest return path($x)
    for $x in {path} group by $k := $x/@{attribute} order by $k return $k || " " || count($x)
    for $x in {path} group by $k := string($x/@{attribute}) order by $k return $x[1]/path()
    for $x in {path} group by $k := $x/@{attribute} order by $k return map {{ "k": count($x) }}
    for $x in {path} let $a := $x/@{attribute} order by $a return ($a, count($a))
    for $x in {path} let $a := $x/@{attribute} where $a return $a/path()
    for $x in {path} where $x/@{attribute} return <i>{{ $x/@{attribute} }}</i>
    for $x in {path} return <i v="{{ $x/@{attribute} }}"/>
    for $x in {path} return string-join(($x/@{attribute}, path($x)), " ")
    for $x in {path} return ($x/@{attribute}, "none")[1]
    sort(distinct-values({path}/@{attribute}))
    count(distinct-values({path}/@{attribute}))
    ({path}/@{attribute} | {path}/@{attribute})/path()
    ({path}/@{attribute} except ({path}/@{attribute})[1])/path()
    ({path}/@{attribute} intersect {path}/@*)/path()
    ({path}/@{attribute})[1] is ({path}/@{attribute})[1]
    ({path}/@{attribute})[1] << ({path}/@{attribute})[2]
    ({path})[1] << ({path}/@{attribute})[1]
    string-join({path}/@{attribute}, ",")
    min({path}/@{attribute}/string())
    max({path}/@{attribute}/string())
    {path}[@{attribute}]/../path()
    {path}/../@{attribute}
    reverse({path}/@{attribute})/path()
    for $x in {path} return $x/@{attribute} = $x/../dcg:{name}/@{attribute}
    for $x in {path} return count({path}[@{attribute} = $x/@{attribute}])
    for $x in {path} return $doc//dcg:{name}[@{attribute} = $x/@{attribute}][1]/path()
    for $x in {path}, $y in {path} where $x/@{attribute} = $y/@{attribute} return $x is $y
    some $x in {path} satisfies $x/@{attribute} = "1"
    {path}[@{attribute} = "1"]
    {path}[@{attribute} > 0]/path()
    {path}[string(@{attribute}) < "2"]/path()
    {path}/string-length(@{attribute})
    {path} ! (@{attribute}, @*[1])[1]
    {path}/@attribute({attribute})
    {path}/attribute::node()[name() = "{attribute}"]
    $doc//@{attribute}
    count($doc//@{attribute})
    $doc/*/*/@{attribute}
"""
_OF_CHILDREN = """
    {path}/dcg:{child}
    {path}/dcg:{child}/string()
    {path}/dcg:{child}/path()
    for $x in {path} return count($x/dcg:{child})
    {path}/dcg:{child}/../path()
    {path}[dcg:{child}]/path()
    {path}[not(dcg:{child})]/path()
    {path} ! dcg:{child}[1]/path()
    {path}/dcg:{child}[last()]/path()
    {path}/dcg:{child}[2]
    {path}/descendant::dcg:{child}/path()
    {path}//dcg:{child}/path()
    count({path}//dcg:{child})
    for $x in {path} return count($x//dcg:{child})
    for $x in {path} return <i>{{ $x/dcg:{child} }}</i>
    for $x in {path}, $c in $x/dcg:{child} return $c/path()
    for $x in {path}, $c in $x/dcg:{child} return map {{ "x": $x, "c": $c }}
    for $x in {path}, $c in $x/dcg:{child} order by string-join($c/@*) return $c
    for $x in {path}, $c in $x/dcg:{child} where $c/.. is $x return $c/path()
    for $x in {path}, $c in $x/dcg:{child} group by $k := name($c/..) return count($c)
    for $x in {path} order by count($x/dcg:{child}) return $x/dcg:{child}/path()
    for $x in {path} let $c := $x/dcg:{child} return string-join($c/@*, " ")
    for $x in {path} let $c := $x/dcg:{child} return ($c[1], $c[last()])
    for $x in {path} return string-join($x/dcg:{child}/*/string(), " ")
    for $x in {path} return string-join($x/dcg:{child}/@*/string(), " ")
    for $c in {path}/dcg:{child} return string-join($c/*/string(), " ")
    for $c in {path}/dcg:{child} return $c/../@*
    for $x in {path} return $x/dcg:{child}/following-sibling::*[1]/path()
    ({path}/dcg:{child} | {path})/path()
    ({path}/dcg:{child} except {path}/dcg:{child}[1])/path()
    some $x in {path}, $c in $x/dcg:{child} satisfies $c/.. is $x
    {path}/dcg:{child}/ancestor::dcg:{name}/path()
    {path}[count(dcg:{child}) > 1]/path()
    for $x in {path} return sum($x/dcg:{child}/xs:long(string(.)[. castable as xs:long]))
    {path}/(dcg:{child}, .)/path()
    {path}/*[self::dcg:{child}]/path()
    {path}[dcg:{child}[@*]]/path()
    for $x in {path} return exists($x/dcg:{child}[2])
"""


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


FORMS = {
    "element": _lines(_OF_ELEMENTS),
    "attribute": _lines(_OF_ATTRIBUTES),
    "child": _lines(_OF_CHILDREN),
}


@dataclass(frozen=True)
class Place:
    """A place of the vocabulary: an element, one of its attributes, or one of its children."""

    document: str
    name: str
    kind: str = "element"
    part: str = ""

    def query(self, form: str) -> str:
        """Returns a form of query, asked of this place."""
        variable = f"${self.document}"
        names = {"path": f"$doc//dcg:{self.name}", "name": self.name, self.kind: self.part}
        return form.format(**names).replace("$doc", variable)


@cache
def places() -> tuple[Place, ...]:
    """Returns every element, attribute and child of both documents, in the schema's order."""
    return tuple(_places())


def _places() -> Iterator[Place]:
    for document in _DOCUMENTS:
        for name, outline in outlines(document).items():
            yield Place(document, name)
            for attribute in sorted(outline.attributes):
                yield Place(document, name, "attribute", attribute)
            for child in sorted(outline.children):
                yield Place(document, name, "child", child)


def queries() -> Iterator[str]:
    """Yields every form of query of every place."""
    for place in places():
        for form in FORMS[place.kind]:
            yield place.query(form)


def mixed(query: str) -> str:
    """Returns a query with the same answer, whose outermost expression runs on trees."""
    return f"({query}) ! (typeswitch (.) case element(never) return () default return .)"
