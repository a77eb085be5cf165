"""The catalogue of the W3C QT3 test suite: its sets, cases, environments and dependencies."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "Case",
    "Collection",
    "Dependency",
    "Environment",
    "LibraryModule",
    "Param",
    "Resource",
    "TestFile",
    "read_cases",
]


@dataclass(frozen=True)
class Dependency:
    """What a processor must have (or, not satisfied, must lack) for a case to apply."""

    type: str
    value: str
    is_satisfied: bool


@dataclass(frozen=True)
class TestFile:
    """A source document: ``role`` is ".", "$name" or "" for one that is asked for by its URI."""

    __test__ = False

    role: str
    path: Path
    uri: str | None
    is_validated: bool


@dataclass(frozen=True)
class Resource:
    """A text resource by URI."""

    uri: str
    path: Path
    encoding: str | None


@dataclass(frozen=True)
class Param:
    """A variable with an expression for its value; the query may declare it as external."""

    name: str
    select: str
    type: str | None
    is_declared: bool


@dataclass(frozen=True)
class Collection:
    """A collection: documents, URIs of resources, or the items of a query."""

    uri: str
    sources: tuple[TestFile, ...]
    resources: tuple[Resource, ...]
    query: str | None


@dataclass(frozen=True)
class LibraryModule:
    """A module that a query may import."""

    uri: str
    location: str | None
    path: Path


@dataclass(frozen=True)
class Environment:
    """What a case is given, of all its environments together."""

    sources: tuple[TestFile, ...] = ()
    resources: tuple[Resource, ...] = ()
    params: tuple[Param, ...] = ()
    collections: tuple[Collection, ...] = ()
    namespaces: tuple[tuple[str, str], ...] = ()
    collation: str | None = None
    static_base_uri: str | None = None
    context_item: str | None = None
    decimal_formats: tuple[tuple[tuple[str, str], ...], ...] = ()
    has_schema: bool = False


@dataclass(frozen=True)
class Case:
    """A test case.

    Attributes:
        set_name: its test set's name.
        name: its own, unique in the set.
        query: the query's text.
        query_path: the file that would hold it, for relative references.
        environment: what it is given.
        dependencies: its own and those of its set.
        modules: what it may import.
        result: the only child of its ``result`` element: what to expect.
        folder: where files that the result names are.
    """

    set_name: str
    name: str
    query: str
    query_path: Path
    environment: Environment
    dependencies: tuple[Dependency, ...]
    modules: tuple[LibraryModule, ...]
    result: etree._Element
    folder: Path

    @property
    def identity(self) -> str:
        """The set's name and the case's."""
        return f"{self.set_name}/{self.name}"


def read_cases(home: Path, set_glob: str = "*", name_glob: str = "*") -> Iterator[Case]:
    """Returns the cases whose set and name match patterns, in the catalogue's order.

    Args:
        home: the folder of ``catalog.xml``.
        set_glob: a pattern of test sets' names.
        name_glob: a pattern of cases' names.
    """
    root = etree.parse(home / "catalog.xml").getroot()
    shared = {e.get("name"): (e, home) for e in root.iterchildren("{*}environment")}
    for element in root.iterchildren("{*}test-set"):
        if fnmatchcase(element.get("name", ""), set_glob):
            yield from _read_set(home / element.get("file", ""), shared, name_glob)


def _read_set(
    file: Path, shared: dict[str | None, tuple[etree._Element, Path]], name_glob: str
) -> Iterator[Case]:
    root = etree.parse(file).getroot()
    folder = file.parent
    named = shared | {e.get("name"): (e, folder) for e in root.iterchildren("{*}environment")}
    common = _dependencies(root)
    for element in root.iterchildren("{*}test-case"):
        if not fnmatchcase(element.get("name", ""), name_glob):
            continue
        used = [
            (e, folder) if e.get("ref") is None else named[e.get("ref")]
            for e in element.iterchildren("{*}environment")
        ]
        test = next(element.iterchildren("{*}test"))
        path = folder / (test.get("file") or file.name)
        text = path.read_text(encoding="utf-8") if test.get("file") else test.text or ""
        result = next(element.iterchildren("{*}result"))
        yield Case(
            set_name=root.get("name", ""),
            name=element.get("name", ""),
            query=text,
            query_path=path,
            environment=_environment(used),
            dependencies=common + _dependencies(element),
            modules=tuple(
                LibraryModule(e.get("uri", ""), e.get("location"), folder / e.get("file", ""))
                for e in element.iterchildren("{*}module")
            ),
            result=next(result.iterchildren("{*}*")),
            folder=folder,
        )


def _dependencies(parent: etree._Element) -> tuple[Dependency, ...]:
    return tuple(
        Dependency(e.get("type", ""), e.get("value", ""), e.get("satisfied", "true") == "true")
        for e in parent.iterchildren("{*}dependency")
    )


def _environment(used: list[tuple[etree._Element, Path]]) -> Environment:
    found: dict[str, list[tuple[etree._Element, Path]]] = {}
    for environment, folder in used:
        for child in environment.iterchildren("{*}*"):
            found.setdefault(etree.QName(child).localname, []).append((child, folder))
    get = found.get
    return Environment(
        sources=tuple(_source(*one) for one in get("source", [])),
        resources=tuple(_resource(*one) for one in get("resource", [])),
        params=tuple(_param(e) for e, _ in get("param", [])),
        collections=tuple(_collection(*one) for one in get("collection", [])),
        namespaces=tuple((e.get("prefix", ""), e.get("uri", "")) for e, _ in get("namespace", [])),
        collation=next(
            (e.get("uri") for e, _ in get("collation", []) if e.get("default") == "true"), None
        ),
        static_base_uri=next((e.get("uri") for e, _ in get("static-base-uri", [])), None),
        context_item=next((e.get("select") for e, _ in get("context-item", [])), None),
        decimal_formats=tuple(_decimal_format(e) for e, _ in get("decimal-format", [])),
        has_schema="schema" in found,
    )


def _source(element: etree._Element, folder: Path) -> TestFile:
    path = folder / element.get("file", "")
    is_validated = element.get("validation", "skip") != "skip"
    return TestFile(element.get("role", ""), path, element.get("uri"), is_validated)


def _resource(element: etree._Element, folder: Path) -> Resource:
    return Resource(
        element.get("uri", ""), folder / element.get("file", ""), element.get("encoding")
    )


def _param(element: etree._Element) -> Param:
    is_declared = element.get("declared", "false") == "true"
    return Param(_expanded(element), element.get("select", "()"), element.get("as"), is_declared)


def _collection(element: etree._Element, folder: Path) -> Collection:
    return Collection(
        element.get("uri", ""),
        tuple(_source(e, folder) for e in element.iterchildren("{*}source")),
        tuple(_resource(e, folder) for e in element.iterchildren("{*}resource")),
        next((e.text for e in element.iterchildren("{*}query")), None),
    )


def _decimal_format(element: etree._Element) -> tuple[tuple[str, str], ...]:
    """Returns the properties, and the name expanded where its prefix is declared there."""
    properties = {str(key): str(value) for key, value in element.attrib.items()}
    if "name" in properties:
        properties["name"] = _expanded(element)
    return tuple(properties.items())


def _expanded(element: etree._Element) -> str:
    """Returns an element's ``name``, as ``Q{uri}local`` if its prefix is declared there."""
    name = element.get("name", "")
    prefix, _, local = name.partition(":")
    return f"Q{{{element.nsmap[prefix]}}}{local}" if prefix in element.nsmap and local else name
