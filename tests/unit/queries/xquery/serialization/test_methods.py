"""The output methods and their parameters."""

from __future__ import annotations

import pytest
from support.evaluation import items, value

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.serialization import Parameters, serialize

_NO_DECLARATION = {"omit_xml_declaration": True}


def _serialized(query: str, **parameters: object) -> str:
    """Returns a query's result as text, or the code of its error."""
    try:
        return serialize(items(query), Parameters(**(_NO_DECLARATION | parameters)))  # type: ignore[arg-type]
    except QueryError as error:
        return str(error.code)


@pytest.mark.parametrize(
    ("query", "parameters", "expected"),
    [
        ("1, 2, <a/>, 'x', 'y'", {}, "1 2<a/>x y"),
        ("1, <a/>, 2", {"item_separator": "|"}, "1|<a/>|2"),
        (
            "<a b='&lt;&quot;&#10;'>&lt;&gt;&amp;&#13;</a>",
            {},
            '<a b="&lt;&quot;&#xA;">&lt;&gt;&amp;&#xD;</a>',
        ),
        (
            "<a>1</a>",
            {"omit_xml_declaration": False, "standalone": "yes"},
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><a>1</a>',
        ),
        ("<a>\u00e9</a>", {"encoding": "US-ASCII"}, "<a>&#233;</a>"),
        (
            "<a><b>x]]&gt;y</b></a>",
            {"cdata_section_elements": "b"},
            "<a><b><![CDATA[x]]]]><![CDATA[>y]]></b></a>",
        ),
        ("<a>x-y</a>", {"use_character_maps": {"-": "<hyphen/>"}}, "<a>x<hyphen/>y</a>"),
        (
            "<a><b><c/></b><d>x<e/></d></a>",
            {"indent": True},
            "<a>\n  <b>\n    <c/>\n  </b>\n  <d>x<e/></d>\n</a>",
        ),
        ("<a xmlns='u'><b xmlns=''/></a>", {}, '<a xmlns="u"><b xmlns=""/></a>'),
        (
            "<a/>",
            {"doctype_system": "s.dtd", "doctype_public": "p"},
            '<!DOCTYPE a PUBLIC "p" "s.dtd">\n<a/>',
        ),
        ("'x'", {"doctype_system": "s.dtd"}, "SEPM0004"),
        ("<a/>", {"standalone": "yes"}, "SEPM0009"),
        ("<a/>/@*, attribute a { 1 }", {}, "SENR0001"),
        ("abs#1", {}, "SENR0001"),
        ("[1, [2]]", {}, "1 2"),
        ("<a/>", {"version": "2.0"}, "SESU0013"),
    ],
)
def test_xml(query: str, parameters: dict[str, object], expected: str) -> None:
    if "cdata_section_elements" in parameters:
        from jvmscope.queries.xquery.syntax.expanded_names import Name

        parameters = {"cdata_section_elements": frozenset({Name("b", "", "")})}
    assert _serialized(query, **parameters) == expected


@pytest.mark.parametrize(
    ("query", "parameters", "expected"),
    [
        ("<p>a<br/>b</p>", {}, "<p>a<br>b</p>"),
        ("<p/>", {}, "<p></p>"),
        ("<script>a &lt; b</script>", {}, "<script>a < b</script>"),
        ("<input disabled='disabled' value='a'/>", {}, '<input disabled value="a">'),
        ("<a href='\u00e9'>x</a>", {}, '<a href="%C3%A9">x</a>'),
        (
            "<html><head/></html>",
            {},
            (
                '<!DOCTYPE HTML>\n<html><head><meta http-equiv="Content-Type" content="text/html; '
                'charset=UTF-8"></head></html>'
            ),
        ),
        ("<?a b?>", {}, "<?a b>"),
        ("<p>&#160;&lt;</p>", {}, "<p>&nbsp;&lt;</p>"),
    ],
)
def test_html(query: str, parameters: dict[str, object], expected: str) -> None:
    assert _serialized(query, method="html", **parameters) == expected


def test_xhtml() -> None:
    query = "<p xmlns='http://www.w3.org/1999/xhtml'><br/><b/></p>"
    expected = '<p xmlns="http://www.w3.org/1999/xhtml"><br /><b></b></p>'
    assert _serialized(query, method="xhtml") == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("map { 'a': [1, 'x/\"', true(), ()], 'b': 1.5 }", '{"a":[1,"x\\/\\"",true,null],"b":1.5}'),
        ("()", "null"),
        ("<a>1</a>", '"<a>1<\\/a>"'),
        ("1, 2", "SERE0023"),
        ("xs:double('INF')", "SERE0020"),
        ("abs#1", "SERE0021"),
        ("map { 1: 'a', '1': 'b' }", "SERE0022"),
    ],
)
def test_json(query: str, expected: str) -> None:
    assert _serialized(query, method="json") == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("1, 'a\"b', 1.5, 1e0, true()", '1\n"a""b"\n1.5\n1.0e0\ntrue()'),
        ("<a b='1'/>, <a b='1'/>/@b", '<a b="1"/>\nb="1"'),
        ("map { 'a': (1, 2) }, [(), 1]", 'map{"a":(1,2)}\n[(),1]'),
        ("abs#1, function($x) { $x }", "fn:abs#1\n(anonymous-function)#1"),
        (
            "xs:date('2000-01-01'), xs:QName('xs:a'), xs:dayTimeDuration('P1D')",
            'xs:date("2000-01-01")\nQ{http://www.w3.org/2001/XMLSchema}a\nxs:duration("P1D")',
        ),
    ],
)
def test_adaptive(query: str, expected: str) -> None:
    assert _serialized(query, method="adaptive") == expected


def test_text() -> None:
    assert _serialized("<a>1<b>&lt;</b></a>, 2, 3", method="text") == "1<2 3"


_OUTPUT = "xmlns:output='http://www.w3.org/2010/xslt-xquery-serialization'"


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("()", "'<a><b/></a>'"),
        ("map { 'method': 'text' }", "''"),
        ("map { 'indent': true() }", "'<a>\n  <b/>\n</a>'"),
        ("map { 'indent': 'yes' }", "XPTY0004"),
        ("map { 'method': 'no' }", "SEPM0016"),
        (
            (
                f"<output:serialization-parameters {_OUTPUT}><output:indent value='yes'/>"
                "</output:serialization-parameters>"
            ),
            "'<a>\n  <b/>\n</a>'",
        ),
        (
            (
                f"<output:serialization-parameters {_OUTPUT}><output:indent value='maybe'/>"
                "</output:serialization-parameters>"
            ),
            "SEPM0017",
        ),
        (
            (
                f"<output:serialization-parameters {_OUTPUT}><output:indent value='no'/>"
                "<output:indent value='no'/></output:serialization-parameters>"
            ),
            "SEPM0019",
        ),
        ("<a/>", "XPTY0004"),
    ],
)
def test_parameters(parameters: str, expected: str) -> None:
    try:
        found = value(f"serialize(<a><b/></a>, {parameters})")
    except QueryError as error:
        found = str(error.code)
    assert found == expected


def test_depth() -> None:
    depth = 5_000
    query = f"parse-xml('{'<a>' * depth}{'</a>' * depth}')"
    assert _serialized(query).count("<a") == depth
