"""Library modules: what an import makes visible, and what is wrong with imports."""

from __future__ import annotations

import pytest

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.analysis import Program, StaticEnvironment, analyse
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.syntax.parser import parse
from jvmscope.queries.xquery.syntax.source import Source

_A = """module namespace a = "urn:a"; import module namespace b = "urn:b";
declare variable $a:v := b:g(); declare %private variable $a:hidden := 1;
declare function a:f() { $a:v, $a:hidden }; declare %private function a:secret() { 1 };"""
_B = """module namespace b = "urn:b"; import module namespace a = "urn:a" at "a.xq";
declare function b:g() { a:f#0, 1 };"""


def _analyse(query: str, **texts: str) -> Program:
    sources = {f"urn:{name}": Source(text) for name, text in texts.items()}

    def modules(uri: str, _: tuple[str, ...]) -> list[Source]:
        return [sources[uri]] if uri in sources else []

    return analyse(parse(query), StaticEnvironment(modules=modules))


def _code(query: str, **texts: str) -> str | None:
    with pytest.raises(QueryError) as raised:
        _analyse(query, **texts)
    return raised.value.code


def test_modules_may_import_each_other() -> None:
    program = _analyse('import module namespace x = "urn:a"; x:f(), $x:v', a=_A, b=_B)

    assert set(program.functions) == {
        (Name("f", "a", "urn:a"), 0),
        (Name("secret", "a", "urn:a"), 0),
        (Name("g", "b", "urn:b"), 0),
    }
    names = [declaration.name.local for declaration, _ in program.variables]
    assert sorted(names) == ["hidden", "v"]
    contexts = {context.source.text for _, context in program.variables}
    assert contexts == {_A}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("x:secret()", "XPST0017"),
        ("$x:hidden", "XPST0008"),
        ("Q{urn:b}g()", "XPST0017"),
    ],
)
def test_what_an_import_does_not_show(body: str, code: str) -> None:
    assert _code(f'import module namespace x = "urn:a"; {body}', a=_A, b=_B) == code


@pytest.mark.parametrize(
    ("library", "code"),
    [
        ('module namespace a = "urn:other"; ', "XQST0059"),
        ('module namespace a = ""; ', "XQST0088"),
        ('module namespace a = "urn:a"; declare function local:f() { 1 };', "XQST0048"),
        ('module namespace a = "urn:a"; declare variable $b := 1;', "XQST0048"),
        ('module namespace a = "urn:a"; declare context item := 1;', "XQST0113"),
        ('module namespace a = "urn:a"; declare option output:indent "yes";', "XQST0108"),
        ('module namespace a = "urn:a"; 1', "XPST0003"),
        ("1", "XQST0059"),
    ],
)
def test_wrong_libraries(library: str, code: str) -> None:
    assert _code('import module "urn:a"; 1', a=library) == code


def test_an_error_in_a_library_is_shown_there() -> None:
    with pytest.raises(QueryError) as raised:
        _analyse('import module "urn:a"; 1', a='module namespace a = "urn:a";\n declare 1;')

    assert (raised.value.line, raised.value.column) == (2, 2)
    assert "expected a declaration" in str(raised.value)


def test_a_function_of_two_modules_is_refused() -> None:
    main = 'import module namespace a = "urn:a"; declare function a:f() { 2 }; 1'

    assert _code(main, a=_A, b=_B) == "XQST0034"


def test_a_library_alone_is_a_program_without_a_body() -> None:
    program = _analyse(_B, a=_A, b=_B)

    assert program.main.body is None
    assert (Name("g", "b", "urn:b"), 0) in program.functions


def test_locations_are_made_absolute() -> None:
    asked = []

    def modules(uri: str, locations: tuple[str, ...]) -> list[Source]:
        asked.append((uri, locations))
        return [Source('module namespace a = "urn:a";')]

    query = 'declare base-uri "http://x/y/"; import module "urn:a" at "a.xq", "../b.xq"; 1'
    analyse(parse(query), StaticEnvironment(modules=modules))

    assert asked == [("urn:a", ("http://x/y/a.xq", "http://x/b.xq"))]
