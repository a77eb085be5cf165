"""Files that a query reads where that was allowed, and what it never reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import jvmscope
from jvmscope.cli import run as run_command
from jvmscope.errors import QueryError
from jvmscope.queries import Limits, Question, parse_query_file
from jvmscope.queries.reading import Files
from jvmscope.queries.xquery.trees import bounds, parse_document
from jvmscope.queries.xquery.trees.parsing import XmlError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Answer = Callable[[str], str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a directory with files; secret.xml is beside it."""
    (tmp_path / "secret.xml").write_text("<secret/>")
    folder = tmp_path / "data"
    (folder / "more").mkdir(parents=True)
    (folder / "x.xml").write_text("<x a='1'><y/></x>")
    (folder / "more" / "b.xml").write_text("<b/>")
    (folder / "more" / "a.xml").write_text("<a/>")
    (folder / "more" / "c.svg").write_text("<svg/>")
    (folder / "a b.txt").write_bytes("\u00e9\r\nzwei\n".encode())
    (folder / "latin.txt").write_bytes("\u00e9".encode("latin-1"))
    (folder / "wide.txt").write_bytes("\u00e9".encode("utf-16"))
    (folder / "j.json").write_text('{"k": [1, 2]}')
    (folder / "out.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "in.xml").symlink_to(folder / "x.xml")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.xml")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def answer(shapes: Path, folder: Path) -> Iterator[Answer]:
    """Returns a function from a query to its items as text, or to the code of its error."""
    with jvmscope.open(shapes, allow_read=[folder]) as run:

        def ask(text: str) -> str:
            try:
                return run.serialize(f"declare option output:method 'adaptive'; {text}")
            except QueryError as error:
                return str(error.code)

        yield ask


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("doc('x.xml')/x/y", "<y/>"),
        ("doc('more/../x.xml') is doc('x.xml'), doc('in.xml') is doc('x.xml')", "true()\ntrue()"),
        ("doc('x.xml')/x/@a + 1, count(doc('classes')//dcg:method) > 1", "2.0e0\ntrue()"),
        ("ends-with(document-uri(doc('x.xml')), '/data/x.xml')", "true()"),
        ("doc(document-uri(doc('x.xml')))/x/y", "<y/>"),
        ("doc(base-uri(doc('x.xml')))/x/y", "<y/>"),
        ("doc-available('x.xml'), doc-available('none.xml')", "true()\nfalse()"),
        ("doc(())", ""),
        ("unparsed-text-lines('a%20b.txt')", '"\u00e9"\n"zwei"'),
        ("unparsed-text('latin.txt', 'iso-8859-1')", '"\u00e9"'),
        ("unparsed-text('wide.txt')", '"\u00e9"'),
        ("unparsed-text-available('latin.txt')", "false()"),
        ("unparsed-text-available('x.xml')", "true()"),
        ("json-doc('j.json')?k?2", "2.0e0"),
        ("collection('more')/*", "<a/>\n<b/>"),
        ("collection('more?select=*.svg')/*", "<svg/>"),
        ("collection('more')[1] is doc('more/a.xml')", "true()"),
        ("uri-collection('more') ! replace(., '.*/', '')", '"a.xml"\n"b.xml"'),
        ("count(collection()), uri-collection()", '2\n"classes"\n"cct"'),
        ("count(collection('.'))", "2"),  # in.xml and x.xml
    ],
)  # fmt: skip
def test_what_may_be_read_is_read(answer: Answer, query: str, expected: str) -> None:
    assert answer(query) == expected


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.xml",
        "out.xml",
        "up/secret.xml",
        "more/../../secret.xml",
        "%2e%2e/secret.xml",
        "/etc/hostname",
        "file:///etc/hostname",
        "file://localhost/../etc/hostname",
        "http://localhost/x.xml",
        "file://elsewhere/x.xml",
        "x.xml?a",
        "x.xml%00",
        "none.xml",
        "more",
        "x.xml/y",
        "pipe.xml",
        "j.json",
    ],
)
def test_what_may_not_be_read_is_not(answer: Answer, uri: str) -> None:
    assert answer(f"doc('{uri}')") == "FODC0002"
    assert answer(f"doc-available('{uri}')") == "false()"
    expected = '"{&quot;k&quot;: [1, 2]}"' if uri == "j.json" else "FOUT1170"
    assert answer(f"unparsed-text('{uri}')").replace('""', "&quot;") == expected


def test_collections_of_other_directories_are_not_read(answer: Answer) -> None:
    for uri in ("..", "up", "none", "x.xml", "/etc", "http://localhost/"):
        assert answer(f"collection('{uri}')") == "FODC0002"


def test_nothing_is_read_unless_that_is_allowed(shapes: Path, folder: Path) -> None:
    with jvmscope.open(shapes) as run, pytest.raises(QueryError, match="--allow-read") as raised:
        run.serialize("doc('x.xml')")
    assert raised.value.code == "FODC0002"
    with jvmscope.open(shapes, allow_read=[folder]) as run, pytest.raises(QueryError):
        run.serialize("doc('x.xml')", limits=Limits())
    with pytest.raises(QueryError, match=r"x\.xml is not a directory"):
        jvmscope.open(shapes, allow_read=[folder / "x.xml"])


def test_a_file_that_becomes_a_link_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last moment for that is when the path was found to be a real one."""
    files = Files([folder], folder)
    monkeypatch.setattr(files, "_path", lambda uri: folder / uri)
    with pytest.raises(OSError, match="symbolic links"):
        files.document("out.xml")
    with pytest.raises(FileNotFoundError):
        files.document("up/secret.xml")


def test_uris_are_relative_to_the_querys_file(
    shapes: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "more" / "q.xq").write_text("doc('a.xml')/a")
    arguments = ["query", str(shapes), "-f", str(folder / "more" / "q.xq")]
    assert run_command([*arguments, "--allow-read", str(folder)]) == 0
    assert capsys.readouterr().out == "<a/>\n"
    assert run_command(arguments) == 2
    assert run_command([*arguments, "--locked", "--allow-read", str(folder)]) == 2
    assert "an untrusted query cannot read files" in capsys.readouterr().err
    with jvmscope.open(shapes, allow_read=[folder]) as run:
        file = parse_query_file("doc('a.xml')/a", str(folder / "more" / "q.xq"))
        question = Question(file, allow_read=(folder.resolve(),))
        assert [str(node.name) for node in run._engine.xquery(question).items()] == ["a"]


_HOSTILE = {
    "an open tag": "<a>" * 1000,
    "two roots": "<a/><b/>",
    "no text": "",
    "entities": (
        "<!DOCTYPE a [<!ENTITY e '" + "x" * 1000 + "'>"
        + "".join(f"<!ENTITY e{n} '{f'&e{n - 1 or str()};' * 20}'>" for n in range(1, 9))
        + "]><a>&e8;</a>"
    ),
    "defaults of attributes": (
        "<!DOCTYPE a [<!ATTLIST b c CDATA '" + "x" * 100_000 + "'>]><a>" + "<b/>" * 4000 + "</a>"
    ),
    "namespaces": "".join(f"<a xmlns:p{n}='u'>" for n in range(6000)) + "</a>" * 6000,
    "an encoding": "<?xml version='1.0' encoding='none'?><a/>",
}  # fmt: skip


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_documents_are_one_error(answer: Answer, folder: Path, name: str) -> None:
    (folder / "h.xml").write_text(_HOSTILE[name])
    assert answer("doc('h.xml')") == "FODC0002"


def test_a_document_holds_so_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_MAX_NODES", 5)
    assert parse_document("<a b=''><c/><!----></a>").string_value == ""
    with pytest.raises(XmlError, match="line 2: more than 5 nodes"):
        parse_document("<a b=''><c/><!---->\n<d e=''/></a>")


def test_external_entities_are_not_read(answer: Answer, folder: Path) -> None:
    (folder / "e.xml").write_text(
        "<!DOCTYPE a SYSTEM 'none.dtd' [<!ENTITY x SYSTEM 'x.xml'>"
        "<!ENTITY y SYSTEM 'file:///etc/hostname'>]><a>1&x;&y;2</a>"
    )
    assert answer("string(doc('e.xml'))") == '"12"'
