"""Steps that can select nothing in a run are noticed, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lxml import etree
from support.query_cases import read_cases
from support.samples import write_shapes

from jvmscope.errors import QueryError
from jvmscope.queries import Engine
from jvmscope.queries.xquery.analysis import StaticEnvironment, analyse
from jvmscope.queries.xquery.notices import notices
from jvmscope.queries.xquery.syntax.expanded_names import DCG, Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source
from jvmscope.queries.xquery.trees.run.columns import TableReader
from jvmscope.schema import ALWAYS, tables
from jvmscope.schema.xml import export_xml
from jvmscope.schema.xml.vocabulary import elements, tables_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_VARIABLES = ("cct", "classes", "methods", "threads")


def _notices(text: str) -> list[tuple[int, str, str | None]]:
    predefined = {Name(name, "", ""): None for name in _VARIABLES}
    environment = StaticEnvironment(variables=predefined)
    program = analyse(parse(Source(text, None)), environment)
    return [(notice.step.at, notice.message, notice.hint) for notice in notices(program)]


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("$methods/@nmae", "dcg:method has no @nmae", 'did you mean "@name"?'),
        (
            "$methods/basicBlock",
            "dcg:method has no basicBlock",
            'did you mean "dcg:basicBlock"?',
        ),
        (
            "$methods/dcg:context",
            "dcg:method has no dcg:context",
            "it has dcg:basicBlock, dcg:bytecodeCount, dcg:callCount, dcg:callSite",
        ),
        (
            "$classes/dcg:class",
            "the document of dcg:classes has no dcg:class",
            'did you mean "//dcg:class"?',
        ),
        (
            "$cct//dcg:method",
            "the document of dcg:cct has no dcg:method",
            'did you mean "dcg:methodCache"?',
        ),
        (
            "for $m in $methods order by xs:long($m/dcg:calCount) return $m",
            "dcg:method has no dcg:calCount",
            'did you mean "dcg:callCount"?',
        ),
        (
            "for $b in $methods/dcg:basicBlock group by $m := $b/@index return count($b/@ofset)",
            "dcg:basicBlock has no @ofset",
            'did you mean "@lastOffset"?',
        ),
        (
            "declare function local:f($m as element(dcg:method)*) { $m/@line }; local:f($methods)",
            "dcg:method has no @line",
            'did you mean "@lastLine"?',
        ),
        ("$threads[@nam = 'main']", "dcg:thread has no @nam", 'did you mean "@name"?'),
    ],
)
def test_a_step_that_can_select_nothing(query: str, message: str, hint: str | None) -> None:
    at = query.rindex(message.rpartition(" ")[2])
    assert _notices(query) == [(at, f"{message}: the step selects nothing", hint)]


@pytest.mark.parametrize(
    "query",
    [
        "$methods/@*",
        "$methods/*:basicBlock",
        "$methods/../@loader",
        "<a b='1'/>/@c",
        "let $x := (<method/>, $methods) return $x/@nmae",
        "declare function local:f($m) { $m/@nmae }; local:f($methods)",
        "doc('cct')//dcg:context/@depth",
        "$cct//dcg:context//dcg:receiver",
    ],
)
def test_what_may_select_something_is_left_alone(query: str) -> None:
    assert _notices(query) == []


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[etree._Element]:
    folder: Path = tmp_path_factory.mktemp("notices")
    run = write_shapes(folder / "shapes.run", probes=("receiver",))
    cct, classes = folder / "cct.xml", folder / "classes.xml"
    export_xml(run, cct, classes)
    return [etree.parse(path).getroot() for path in (cct, classes)]


def test_nothing_that_a_document_holds_is_noticed(documents: list[etree._Element]) -> None:
    steps = {
        step for root in documents for node in root.iter(f"{{{DCG}}}*") for step in _held(node)
    }
    assert len(steps) > 40
    noticed = {
        step
        for step in steps
        if _notices(f"declare variable $n as {step[0]} external; $n/{step[1]}")
    }
    assert noticed == set()


def _held(node: etree._Element) -> Iterator[tuple[str, str]]:
    type_ = f"element(dcg:{etree.QName(node).localname})"
    yield from ((type_, f"@{name}") for name in node.attrib)
    yield from ((type_, f"dcg:{etree.QName(child).localname}") for child in node.iterchildren("*"))


def test_of_the_query_cases_only_those_about_it_have_a_notice() -> None:
    noticed = []
    for case in read_cases():
        if case.language == "sql":
            continue
        try:
            noticed += [case.title for _ in _notices(case.text)]
        except QueryError:
            continue
    assert set(noticed) == {
        "a name in no namespace finds nothing in the documents",
        "an element holds none of its own name, unless it is a context",
    }


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("count($cct//dcg:contxt)", 0),
        ("count($cct//dcg:contxt/dcg:context[@id = 1]/@method)", 0),
        ("$methods/@nmae, count($threads/dcg:contxt) + 1", 1),
        ("for $m in $methods/dcg:foo return error()", None),
        ("if ($classes//dcg:clas) then 1 else 2", 2),
        ("let $n := $cct//dcg:contxt return string-join($n/@id, ',') = ''", True),
    ],
)
def test_a_path_that_selects_nothing_walks_no_tree(
    opened: Engine, monkeypatch: pytest.MonkeyPatch, query: str, answer: object
) -> None:
    told: list[str] = []
    monkeypatch.setattr(opened, "on_notice", told.append)
    monkeypatch.setattr(TableReader, "chunk", None)  # trees cannot read the run

    assert list(opened.xquery(query).items()) == ([] if answer is None else [answer])
    assert told


def test_a_variable_of_the_query_keeps_its_own_nodes(opened: Engine) -> None:
    query = "declare variable $cct := <dcg:cct><dcg:contxt/></dcg:cct>; count($cct/dcg:contxt)"

    assert list(opened.xquery(query).items()) == [1]


_OPTIONAL = [
    (document, element.name, tables()[table].recorded)
    for document in ("cct", "classes")
    for table in tables_in(document)
    if tables()[table].recorded != ALWAYS
    for element in (elements()[table],)
]


@pytest.mark.parametrize(("document", "name", "option"), _OPTIONAL)
def test_an_element_that_was_not_recorded_is_told_of(
    opened: Engine, monkeypatch: pytest.MonkeyPatch, document: str, name: str, option: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr(opened, "on_notice", told.append)
    for text in (f"count(${document}//dcg:{name})", f"sum(${document}//dcg:{name}[1]!1)"):
        told.clear()
        assert list(opened.xquery(text).items()) == [0]
        if option in _options_of(opened):
            assert told == []
            continue
        at = text.index(f"dcg:{name}") + 1
        message = f"dcg:{name} was not recorded: the step selects nothing"
        assert told == [f"query:1:{at}: {message}; record the program again with {option}"]


def _options_of(run: Engine) -> set[str]:
    return {tables()[table].recorded for table in run.recorded if table in tables()}


def test_what_was_recorded_and_the_query_s_own_elements_are_not_told_of(
    opened: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[str] = []
    monkeypatch.setattr(opened, "on_notice", told.append)
    for text in ("<a><dcg:receiver/></a>/dcg:receiver", "'dcg:receiver'"):
        list(opened.xquery(text).items())
    with Engine(write_shapes(tmp_path / "a.run", probes=("receiver",))) as recorded:
        recorded.on_notice = told.append
        assert list(recorded.xquery("count($cct//dcg:receiver) > 0").items()) == [True]
    assert told == []
