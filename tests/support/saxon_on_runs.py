"""SaxonC on the exported XML of a run: another's answers to the same queries."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from saxonche import PySaxonApiError, PySaxonProcessor

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.schema.xml import export_xml

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SaxonOnRun", "is_same"]

_BETWEEN = "\u241e"  # what separates items: a character that no test has
_NAMESPACES = {
    "dcg": "urn:jvmscope:dcg:1",
    "functx": "http://www.functx.com",
    "map": "http://www.w3.org/2005/xpath-functions/map",
    "array": "http://www.w3.org/2005/xpath-functions/array",
    "math": "http://www.w3.org/2005/xpath-functions/math",
    "err": "http://www.w3.org/2005/xqt-errors",
    "output": "http://www.w3.org/2010/xslt-xquery-serialization",
}
_VARIABLES = {
    "classes": "doc('classes')",
    "cct": "doc('cct')",
    "methods": "doc('classes')//dcg:method",
    "threads": "doc('cct')//dcg:thread",
}
# As FunctX's library defines them, with the flag s: there, a dot stands for no end of a line.
_FUNCTX = {
    "distinct-nodes": (  # in the order of the sequence, as FunctX says
        "declare function functx:distinct-nodes($nodes as node()*) as node()* "
        "{ for $node at $n in $nodes where empty($nodes[position() < $n] intersect $node) "
        "return $node }; "
    ),
    "substring-after-last": (
        "declare function functx:substring-after-last($arg as xs:string?, $delim as xs:string) "
        "as xs:string { replace($arg, concat('^.*', functx:escaped($delim)), '', 's') }; "
    ),
    "substring-before-last": (
        "declare function functx:substring-before-last($arg as xs:string?, $delim as xs:string) "
        "as xs:string { if (matches($arg, functx:escaped($delim))) then "
        "replace($arg, concat('^(.*)', functx:escaped($delim), '.*'), '$1', 's') else '' }; "
    ),
}
_ESCAPED = (
    "declare function functx:escaped($arg as xs:string) as xs:string "
    "{ replace($arg, '[.\\[\\]\\\\|\\-\\^$?*+{}()]', '\\\\$0') }; "
)
_BEFORE_VARIABLES = (
    ast.Setter,
    ast.NamespaceDeclaration,
    ast.DecimalFormat,
    ast.SchemaImport,
    ast.ModuleImport,
)
_END_OF_DECLARATION = re.compile(r"""(?:[^;"']|"[^"]*"|'[^']*')*;""")
_VERSION = re.compile(r"\s*xquery\s+(?:version|encoding)[^;]*;")
_ERROR = re.compile(
    r"^\s*(?P<kind>Static |Type )?error .*\n\s*(?P<code>\S+)", re.IGNORECASE | re.MULTILINE
)
_BETWEEN_TAGS = re.compile(r">\s+<")  # not in attributes, where < is a reference
_DIGITS = 1e-15


class SaxonOnRun:
    """Answers queries with SaxonC-HE, on the XML view of a run in its nested form.

    Whitespace between elements is stripped, as a query on a run does not see any.

    Args:
        run: the run.
        folder: an empty directory for the XML.
    """

    def __init__(self, run: Path, folder: Path) -> None:
        export_xml(run, folder / "cct", folder / "classes", "nested")
        for name in ("cct", "classes"):
            text = (folder / name).read_text()
            (folder / name).write_text(_BETWEEN_TAGS.sub("><", text))
        self._folder = folder

    def answer(self, text: str) -> list[str]:
        """Returns each item as adaptive serialization shows it.

        Or one text ``error CODE``, or ``static error CODE`` if the query was not begun.
        """
        items, kind = self._outcome(text)
        if kind == "Type " and self._outcome(_never(text)) == (items, kind):
            kind = "Static "
        return [f"static {items[0]}"] if kind == "Static " else items

    def _outcome(self, text: str) -> tuple[list[str], str | None]:
        """Returns the items or the error, and what kind SaxonC says the error has."""
        query = _processor()
        query.set_query_base_uri((self._folder / "query").as_uri())
        query.set_property("!method", "adaptive")
        query.set_property("!omit-xml-declaration", "yes")
        query.set_property("!item-separator", _BETWEEN)
        query.set_query_content(with_prolog(text))
        try:
            shown = query.run_query_to_string()
        except PySaxonApiError as error:
            found = _ERROR.search(str(error))  # after the warnings
            return (
                ([f"error {found['code']}"], found["kind"]) if found else ([f"error {error}"], None)
            )
        return shown.split(_BETWEEN) if shown else [], None


@cache
def _processor() -> Any:
    """Returns the one processor, which is kept.

    SaxonC ends the process if one is freed by another thread than the one that made it, as the
    collector of a query's thread does to what is in a cycle.
    """
    return PySaxonProcessor(license=False).new_xquery_processor()


def with_prolog(text: str) -> str:
    """Returns a query that declares the names which jvmscope predeclares."""
    version = _VERSION.match(text)
    start = version.end() if version else 0
    at = _end_of(_BEFORE_VARIABLES, text, start)
    namespaces = "".join(
        f"declare namespace {prefix} = '{uri}'; "
        for prefix, uri in _NAMESPACES.items()
        if not re.search(rf"declare\s+namespace\s+{prefix}\s*=", text)
    )
    variables = "".join(
        f"declare variable ${name} := {value}; "
        for name, value in _VARIABLES.items()
        if re.search(rf"\${name}\b(?!-)", text)
        and not re.search(rf"declare\s+variable\s+\${name}\b", text)
    )
    functions = [_FUNCTX[name] for name in _FUNCTX if f"functx:{name}" in text]
    variables += "".join((_ESCAPED, *functions) if functions else ())
    return f"{text[:start]}{namespaces}{text[start:at]} {variables}{text[at:]}"


def _never(text: str) -> str:
    """Returns a query whose body is not evaluated, which its compiler cannot know."""
    at = _end_of(object, text, 0)
    return f"{text[:at]} if ($cct/never) then ({text[at:]}) else ()"


def _end_of(kinds: type | tuple[type, ...], text: str, start: int) -> int:
    """Returns where the last declaration of some kinds ends, or the start."""
    try:
        declarations = parse(text).declarations
    except QueryError:
        return start
    found = [each for each in declarations if isinstance(each, kinds)]
    end = _END_OF_DECLARATION.match(text, found[-1].at) if found else None
    return end.end() if end else start


def is_same(ours: list[str], saxons: list[str]) -> bool:
    """Tells whether two answers are the same, as far as the specifications say what it is.

    - An error ends an answer, and the items before it need not be delivered.
    - What would fail whenever it is evaluated may be refused before, even if it never is
      evaluated (XQuery 3.1, section 2.3.1): SaxonC then speaks of a static error of a type.
    - How a character is escaped is up to the serializer: SaxonC writes ``&#34;`` for a quote.
    - How many digits a quotient of decimals has is up to the implementation, 18 at least
      (F&O 3.1, section 4.2): SaxonC keeps 18, jvmscope more.
    """
    if ours and ours[-1].startswith("error "):
        ours = ours[-1:]
    if saxons == ["static error XPTY0004"] and ours != ["error XPTY0004"]:
        return True
    if len(ours) != len(saxons):
        return False
    pairs = zip(ours, (text.removeprefix("static ") for text in saxons), strict=True)
    return all(one == two.replace("&#34;", "&quot;") or _is_near(one, two) for one, two in pairs)


def _is_near(one: str, two: str) -> bool:
    try:
        a, b = float(one), float(two)
    except ValueError:
        return False
    return "e" not in one + two and abs(a - b) <= _DIGITS * max(abs(a), abs(b))
