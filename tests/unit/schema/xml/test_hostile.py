"""Wrong and hostile XML: one error with file, line and reason, and nothing left behind."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from xml_runs import Shape, write_run

from jvmscope.errors import RunError
from jvmscope.schema.definitions import facts_of
from jvmscope.schema.xml import Form, export_xml, import_xml
from jvmscope.schema.xml.reading import cct as reading_cct
from jvmscope.schema.xml.vocabulary import elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAMESPACE = b'xmlns:dcg="urn:jvmscope:dcg:1"'


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a small run."""
    folder = tmp_path_factory.mktemp("good")
    write_run(folder / "r.run", Shape(n_threads=2, n_contexts=24, seed=3))
    forms: tuple[Form, ...] = ("flat", "nested")
    for form in forms:
        export_xml(folder / "r.run", folder / f"{form}.xml", folder / "classes.xml", form)
    return {name: (folder / f"{name}.xml").read_bytes() for name in ("nested", "flat", "classes")}


def swap(old: str, new: str, n: int = 1) -> Callable[[bytes], bytes]:
    """Returns an edit that replaces the first matches of a regular expression."""

    def edit(text: bytes) -> bytes:
        edited, count = re.subn(old.encode(), new.encode(), text, count=n, flags=re.DOTALL)
        assert count, f"nothing matches {old}"
        return edited

    return edit


def cut(fraction: float) -> Callable[[bytes], bytes]:
    """Returns an edit that truncates a file."""
    return lambda text: text[: int(len(text) * fraction)]


def whole(text: bytes) -> Callable[[bytes], bytes]:
    """Returns an edit that puts another text in the file's place."""
    return lambda _text: text


BILLION_LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE dcg:cct [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
<dcg:cct xmlns:dcg="urn:jvmscope:dcg:1">&c;</dcg:cct>"""

# file, edit, reason
CASES: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "billion_laughs": ("nested", whole(BILLION_LAUGHS), "document type declaration"),
    "external_entity": (
        "nested",
        swap("<dcg:cct", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<dcg:cct'),
        "document type declaration",
    ),
    "parameter_entity": (
        "classes",
        swap("<dcg:classes", '<!DOCTYPE x [<!ENTITY % e SYSTEM "http://h/x"> %e;]>\n<dcg:classes'),
        "document type declaration",
    ),
    "external_dtd": (
        "flat",
        swap("<dcg:cct", '<!DOCTYPE dcg:cct SYSTEM "cct.dtd">\n<dcg:cct'),
        "document type declaration",
    ),
    "undefined_entity": ("nested", swap(">complete<", ">&x;<"), "undefined entity"),
    "inclusion": (
        "nested",
        swap("<dcg:run>", '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="f"/>'),
        "in the namespace",
    ),
    "empty": ("nested", whole(b""), "ends too early"),
    "empty_classes": ("classes", whole(b""), "ends too early"),
    "spaces": ("nested", whole(b"\n\n  "), "ends too early"),
    "no_xml": ("nested", whole(b"PAR1\x15\x04"), "not well-formed"),
    "truncated_in_tag": ("nested", cut(0.5), "ends too early"),
    "truncated_flat": ("flat", cut(0.9), "ends too early"),
    "truncated_classes": ("classes", cut(0.97), "ends too early"),
    "truncated_tree": ("flat", swap('<dcg:context id="5".*', ""), "ends too early"),
    "wrong_root": ("nested", swap("dcg:cct", "dcg:tree", 9), "root element is <tree>"),
    "other_file": ("classes", whole(b"<dcg:cct " + NAMESPACE + b"/>"), "root element"),
    "wrong_namespace": ("nested", swap("dcg:1", "dcg:2"), "urn:jvmscope:dcg:2"),
    "no_namespace": ("flat", swap("dcg:", "", 1 << 20), "root element is <cct>"),
    "unbound_prefix": ("nested", swap("<dcg:run>", "<x:run>"), "unbound prefix"),
    "many_namespaces": (
        "nested",
        swap("<dcg:run>", "<dcg:run " + " ".join(f'xmlns:n{i}="u"' for i in range(200)) + ">"),
        "namespace declarations",
    ),
    "utf_16": ("nested", lambda text: text.decode().encode("utf-16"), "UTF-16"),
    "latin_1": ("nested", swap("UTF-8", "ISO-8859-1"), "encoding"),
    "unknown_encoding": ("nested", swap("UTF-8", "EBCDIC"), "encoding"),
    "not_utf_8": ("nested", lambda text: text.replace(b">complete<", b">\xff\xfe<"), "not well-f"),
    "overlong": ("nested", lambda text: text.replace(b">complete<", b">\xc0\x80<"), "not well-f"),
    "xml_1_1": ("nested", swap('version="1.0"', 'version="1.1"'), "XML version"),
    "nul": ("nested", lambda text: text.replace(b">complete<", b">\0<"), "not well-formed"),
    "nul_reference": ("nested", swap(">complete<", ">&#0;<"), "invalid character"),
    "nul_first": ("nested", whole(b"\0" * 5000), "not well-formed"),
    "mismatched": ("nested", swap("</dcg:run>", "</dcg:ran>"), "mismatched tag"),
    "two_roots": ("nested", lambda text: text + b"<a/>", "junk after document"),
    "text_outside": ("nested", swap("<dcg:run>", "hello<dcg:run>"), 'holds the text "hello"'),
    "text_in_context": ("nested", swap("(<dcg:context [^>]*>)", r"\1 7"), 'holds the text "7"'),
    "element_in_count": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>0<a/>"), "text only"),
    "unknown_element": ("nested", swap("<dcg:run>", "<dcg:runs/><dcg:run>"), 'did you mean "run"'),
    "unknown_attribute": ("flat", swap(' depth="1"', ' depht="1"'), 'no attribute "depth"'),
    "extra_attribute": ("flat", swap(' depth="1"', ' depth="1" x="1"'), 'unknown attribute "x"'),
    "foreign_attribute": (
        "flat",
        swap(' depth="1"', ' depth="1" dcg:depth="1"'),
        "unknown attribute",
    ),
    "attribute_on_count": ("nested", swap("<dcg:callCount>", '<dcg:callCount x="">'), "unknown"),
    "twice_attribute": ("nested", swap(' depth="1"', ' depth="1" depth="1"'), "duplicate attr"),
    "missing_attribute": ("classes", swap(' nParameters="2"', ""), 'no attribute "nParameters"'),
    "missing_count": ("nested", swap("<dcg:callCount>[0-9]*</dcg:callCount>", ""), "no <dcg:callC"),
    "missing_bytecodes": (
        "flat",
        swap("<dcg:bytecodeCount>[0-9]*</dcg:bytecodeCount>", ""),
        "no <dcg:bytecodeCount>",
    ),
    "missing_executions": (
        "nested",
        swap("<dcg:executionCount>[0-9]*</dcg:executionCount></dcg:basicB", "</dcg:basicB"),
        "no <dcg:executionCount>",
    ),
    "two_counts": (
        "nested",
        swap("(<dcg:callCount>0</dcg:callCount>)", r"\1\1"),
        "more than one <dcg:callCount>",
    ),
    "wrong_order": (
        "nested",
        swap("(<dcg:callCount>0<.*?>)(<dcg:bytecodeCount>0<.*?>)", r"\2\1"),
        "no <dcg:callCount>",
    ),
    "late_field": (
        "classes",
        swap("</dcg:class>", '<dcg:interface ref="0"/></dcg:class>', 9),
        "out of order",
    ),
    "count_negative": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>-1"), 'is "-1"'),
    "count_word": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>many"), 'is "many"'),
    "count_empty": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>"), 'is ""'),
    "count_float": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>1.5"), 'is "1.5"'),
    "count_hex": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>0x1F"), 'is "0x1F"'),
    "count_underscore": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>1_0"), 'is "1_0"'),
    "count_digits": ("nested", swap("<dcg:callCount>0", "<dcg:callCount>٣"), "expected a whole"),
    "count_large": (
        "nested",
        swap("<dcg:callCount>0", "<dcg:callCount>9223372036854775808"),
        "from 0 to 9223372036854775807",
    ),
    "count_endless": (
        "nested",
        swap("<dcg:callCount>0", "<dcg:callCount>" + "9" * 5000),
        "from 0 to 9223372036854775807",
    ),
    "sum_large": (
        "flat",
        swap("<dcg:callCount>[0-9]+<", "<dcg:callCount>9223372036854775807<", 99),
        "too large",
    ),
    "executions_zero": (
        "flat",
        swap(">[0-9]+</dcg:executionCount></dcg:basicB", ">0</dcg:executionCount></dcg:basicB"),
        "at least 1",
    ),
    "number_large": ("classes", swap('maxStack="2"', 'maxStack="2147483648"'), "to 2147483647"),
    "number_negative": ("classes", swap('maxStack="2"', 'maxStack="-1"'), 'is "-1"'),
    "flag": ("classes", swap('isHidden="true"', 'isHidden="yes"'), "one of true, false"),
    "opcode": ("classes", swap('"invokevirtual"', '"invokevirtal"'), 'mean "invokevirtual"'),
    "coverage": ("classes", swap('coverage="full"', 'coverage="half"'), "one of full, sites"),
    "escape": ("classes", swap('descriptor="', r'descriptor="\\q'), "a backslash must be"),
    "escape_end": ("classes", swap('descriptor="I"', r'descriptor="\\"'), "a backslash must be"),
    "escape_plain": ("classes", swap('descriptor="I"', r'descriptor="\\u0041"'), "as itself"),
    "form": ("nested", swap('form="nested"', 'form="deep"'), 'expected "nested" or "flat"'),
    "form_is_flat": ("nested", swap('form="nested"', 'form="flat"'), "may not hold <dcg:context>"),
    "form_is_nested": ("flat", swap('form="flat"', 'form="nested"'), "depth"),
    "version": ("nested", swap('schemaVersion="1"', 'schemaVersion="2"'), "this jvmscope reads 1"),
    "other_run": ("nested", swap(' run="..', ' run="xx'), "not of the same run"),
    "table_unknown": ("nested", swap('table name="thread"', 'table name="class"'), "is unknown"),
    "table_twice": ("nested", swap('table name="call_order"', 'table name="thread"'), "twice"),
    "table_rows": (
        "nested",
        swap('name="context" rows="[0-9]+"', 'name="context" rows="99"'),
        "expected the 99 said here",
    ),
    "table_not_listed": (
        "nested",
        swap('<dcg:table name="receiver"[^>]*>', ""),
        'no <dcg:table name="receiver">',
    ),
    "id_twice": ("nested", swap('<dcg:context id="5"', '<dcg:context id="4"'), "expected 5"),
    "id_skipped": ("flat", swap('<dcg:context id="5"', '<dcg:context id="6"'), "expected 5"),
    "class_id": ("classes", swap('<dcg:class id="1"', '<dcg:class id="2"'), "expected 1"),
    "method_id": ("classes", swap('<dcg:method id="1"', '<dcg:method id="0"'), "expected 1"),
    "block_id": ("classes", swap('<dcg:basicBlock id="1"', '<dcg:basicBlock id="0"'), "expected 1"),
    "thread_id": ("nested", swap('<dcg:thread id="1"', '<dcg:thread id="0"'), "expected 1"),
    "root": ("nested", swap('rootContext="0"', 'rootContext="1"'), "the root context 1"),
    "super_itself": (
        "classes",
        swap('(<dcg:class id="0" .*?) super="[0-9]+"', r'\1 super="0"'),
        "the class 0 is one of its own superclasses",
    ),
    "super_in_a_circle": (
        "classes",
        swap('(<dcg:class id="4" [^>]*?) accessFlags', r'\1 super="1" accessFlags'),
        "the class 1 is one of its own superclasses",
    ),
    "super": ("classes", swap(' super="[0-9]+"', ' super="77"'), "the super 77 is not there"),
    "interface": ("classes", swap('interface ref="[0-9]+"', 'interface ref="77"'), "interface 77"),
    "method": (
        "flat",
        swap('(<dcg:context [^>]*) method="[0-9]+"', r'\1 method="777"'),
        "the method 777",
    ),
    "no_method": ("flat", swap('(<dcg:context [^>]*) method="[0-9]+"', r"\1"), "has no method"),
    "root_method": ("flat", swap('(context id="0")', r'\1 method="0"'), "no method and no call"),
    "site": ("flat", swap(' callSite="[0-9]+" depth', ' callSite="7777" depth'), "call site 7777"),
    "block": ("flat", swap('basicBlock ref="[0-9]+"', 'basicBlock ref="7777"'), "refers to 7777"),
    "block_other": ("flat", swap('Block ref="[0-8]"', 'Block ref="20"'), "not of the method"),
    "block_twice": (
        "flat",
        swap(r"(<dcg:basicBlock ref=.[0-9]+.>(?:(?!</dcg:basicB).)*</dcg:basicBlock>)", r"\1\1"),
        "occurs twice",
    ),
    "segment": ("flat", swap('Segment ref="[0-9]+"', 'Segment ref="7777"'), "refers to 7777"),
    "receiver": ("flat", swap('receiver class="[0-9]+"', 'receiver class="77"'), "to 77"),
    "edge": ("flat", swap('targetContext="[0-9]+"', 'targetContext="777"'), "target context 777"),
    "order_site": ("flat", swap('callOrder callSite="[0-9]+"', 'callOrder callSite="777"'), "777"),
    "order_branch": ("flat", swap('branchOrder instruction="0"', 'branchOrder instruction="999"'),
                     "999"),
    "parent_later": ("flat", swap(' parent="[0-9]+"', ' parent="20"'), "has the parent 20"),
    "depth_large": ("flat", swap(' depth="1"', ' depth="3"'), "depth 3"),
    "depth_zero": ("flat", swap(' depth="1"', ' depth="0"'), "only the first of a thread"),
    "size_large": ("flat", swap('(id="1"[^>]*) size="[0-9]+"', r'\1 size="999"'), "has size 999"),
    "size_zero": ("flat", swap('(id="1"[^>]*) size="[0-9]+"', r'\1 size="0"'), "has size 0"),
    "size_small": ("flat", swap('(id="0"[^>]*) size="[0-9]+"', r'\1 size="1"'), "size"),
    "ancestor": ("flat", swap('(id="1"[^>]*) size', r'\1 ancestor="0" size'), "ancestor 0"),
    "thread_empty": (
        "flat",
        swap("(<dcg:thread [^>]*>)<dcg:context.*?</dcg:thread>|(<dcg:thread [^>]*>)(.*?)"
             "<dcg:context.*?</dcg:thread>", r"\1\2\3</dcg:thread>"),
        "the thread has no context",
    ),
    "nested_thread": (
        "nested",
        swap("<dcg:context ", "<dcg:thread/><dcg:context "),
        "may not hold <dcg:thread>",
    ),
    "sum": (
        "classes",
        swap("<dcg:executionCount>[0-9]+<", "<dcg:executionCount>123456<"),
        "has the executionCount 123456",
    ),
    "status": ("nested", swap(">complete<", ">unfinished<"), "status is 'unfinished'"),
    "property_type": ("nested", swap('(name="command")>', r'\1 x="">'), "unknown attribute"),
    "property_twice": ("nested", swap('name="command"', 'name="status"'), "occurs twice"),
    "property_name": ("nested", swap('<dcg:string name="status"', "<dcg:string"), "no attribute"),
    "property_number": ("nested", swap(">1.25<", ">NaN<"), "expected a number"),
    "property_boolean": ("nested", swap(">true</dcg:boolean", ">True</dcg:boolean"), "true or fal"),
    "property_deep": (
        "nested",
        swap("<dcg:run>", "<dcg:run>" + '<dcg:object name="x">' * 90),
        "nested more than 50 deep",
    ),
    "property_infinite": ("nested", swap(">1.25<", ">1e999<"), "expected a number"),
    "kind_watch": (
        "nested",
        swap("<dcg:run>", '<dcg:run><dcg:string name="kind">watch</dcg:string>'),
        'the kind of the run is "watch", expected "recorded"',
    ),
    "kind_native": (
        "flat",
        swap("<dcg:run>", '<dcg:run><dcg:string name="kind">native</dcg:string>'),
        'the kind of the run is "native", expected "recorded"',
    ),
    "main_context": ("nested", swap('(name="context_id")>1<', r"\1>77<"), "context_id is 77"),
}  # fmt: skip


@pytest.fixture(params=["parser", "lines"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contexts are read tag by tag, or line by line where they are written so."""
    least = -1 if request.param == "lines" else 1 << 40
    monkeypatch.setattr(reading_cct, "_LEAST_BYTES", least)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("case", CASES)
def test_one_error(case: str, good: dict[str, bytes], tmp_path: Path) -> None:
    """The error names the file, a line of it and the reason; no run, whole or half, is left."""
    name, edit, reason = CASES[case]
    texts = {"cct": good["flat" if name == "flat" else "nested"], "classes": good["classes"]}
    file = "classes" if name == "classes" else "cct"
    texts[file] = edit(texts[file])
    for key, text in texts.items():
        (tmp_path / f"{key}.xml").write_bytes(text)
    with pytest.raises(RunError) as caught:
        import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "new.run")
    message = str(caught.value)
    found = re.fullmatch(rf"{re.escape(str(tmp_path))}/{file}\.xml:(\d+): error: ([^\n]+)", message)
    assert found, message
    assert 1 <= int(found[1]) <= texts[file].count(b"\n") + 1, message
    assert reason in found[2], message
    assert len(message) < 600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cct.xml", "classes.xml"]


_TEXTS = {
    "control character": b"\x01", "tab": b"a\tb", "delete": b"a\x7fb", "greater": b"a>b",
    "no UTF-8": b"\xff", "surrogate": b"\xed\xa0\x80", "no character": b"\xef\xbf\xbe",
    "accent": b"\xc3\xa9", "long": b"x" * ((1 << 20) + 1), "empty": b"",
}  # fmt: skip


@pytest.mark.parametrize("text", _TEXTS)
@pytest.mark.parametrize(
    "place",
    [
        f"{elements()[table].name} {attribute.name}"
        for table in facts_of("context")
        for attribute in elements()[table].attributes
        if attribute.kind == "text"
    ],
)
def test_texts_are_read_line_by_line_as_by_the_parser(
    place: str,
    text: str,
    good: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever bytes stand in a text: the same run, or the same error."""
    element, attribute = place.split()
    start = good["nested"].rindex(f"<dcg:{element} ".encode())
    at = good["nested"].index(f' {attribute}="'.encode(), start) + len(attribute) + 3
    end = good["nested"].index(b'"', at)
    (tmp_path / "cct.xml").write_bytes(good["nested"][:at] + _TEXTS[text] + good["nested"][end:])
    (tmp_path / "classes.xml").write_bytes(good["classes"])
    found: list[str | dict[str, bytes]] = []
    for least in (1 << 40, -1):
        monkeypatch.setattr(reading_cct, "_LEAST_BYTES", least)
        run = tmp_path / f"{least}.run"
        try:
            import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", run)
        except RunError as error:
            found.append(str(error))
        else:
            found.append({path.name: path.read_bytes() for path in (run / "tables").iterdir()})
    assert found[0] == found[1]


@pytest.mark.usefixtures("_way")
def test_line_is_right(good: dict[str, bytes], tmp_path: Path) -> None:
    """The line is that of the mistake, not of where the parser happened to be."""
    for pattern in (b'<dcg:context id="9"', b"<dcg:branchOrder ", b'<dcg:number name="status"'):
        text = good["nested"].replace(pattern, b'<dcg:context id="8"', 1)
        line = good["nested"][: good["nested"].index(pattern)].count(b"\n") + 1
        (tmp_path / "cct.xml").write_bytes(text)
        (tmp_path / "classes.xml").write_bytes(good["classes"])
        with pytest.raises(RunError, match=rf"cct\.xml:{line}: error: "):
            import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "new.run")


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_order_is_checked_across_batches(
    n_rows: int, good: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A context may have any number of rows: they are written before it ends, and still checked."""
    monkeypatch.setattr(reading_cct, "_BATCH_ROWS", n_rows)
    monkeypatch.setattr(reading_cct, "_BATCH_CONTEXTS", n_rows)
    (tmp_path / "classes.xml").write_bytes(good["classes"])
    (tmp_path / "cct.xml").write_bytes(good["nested"])
    import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "new.run")
    for name in ("basicBlock", "blockSegment", "receiver", "callOrder"):
        twice = swap(rf"(<dcg:{name} [^>]*>(?:(?!</dcg:{name}).)*</dcg:{name}>)", r"\1\1")
        (tmp_path / "cct.xml").write_bytes(twice(good["nested"]))
        with pytest.raises(RunError, match="occurs twice"):
            import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "other.run")


def test_places(good: dict[str, bytes], tmp_path: Path) -> None:
    """Files that are missing and runs that are in the way have their errors, too."""
    cct, classes, run = (tmp_path / name for name in ("cct.xml", "classes.xml", "new.run"))
    with pytest.raises(RunError, match=r"cct\.xml: there is no such file"):
        import_xml(cct, classes, run)
    cct.write_bytes(good["flat"])
    classes.mkdir()
    with pytest.raises(RunError, match=r"classes\.xml: not a file"):
        import_xml(cct, classes, run)
    classes.rmdir()
    classes.write_bytes(good["classes"])
    (tmp_path / "new.run.partial").mkdir()
    with pytest.raises(RunError, match="another command is making this run"):
        import_xml(cct, classes, run)
    (tmp_path / "new.run.partial").rmdir()
    import_xml(cct, classes, run)
    with pytest.raises(RunError, match="exists already"):
        import_xml(cct, classes, run)
    (run / "old").touch()
    import_xml(cct, classes, run, is_forced=True)
    assert not (run / "old").exists()
    with pytest.raises(RunError, match="not a run"):
        import_xml(cct, classes, tmp_path, is_forced=True)
    assert cct.exists()


def test_command_line(good: dict[str, bytes], tmp_path: Path) -> None:
    """The command ends with status 2, one line and no traceback."""
    (tmp_path / "cct.xml").write_bytes(good["nested"].replace(b"rows=", b"row=", 1))
    (tmp_path / "classes.xml").write_bytes(good["classes"])
    done = jvmscope(
        "import", "--progress", "none", "cct.xml", "classes.xml", "-o", "r", at=tmp_path
    )
    assert done.returncode == 2
    expected = 'cct.xml:3: error: <dcg:table> has the unknown attribute "row"; did you mean "rows"?'
    assert done.stderr.splitlines() == [expected]
    assert done.stdout == ""


def jvmscope(*words: str, at: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command line."""
    command = [sys.executable, "-m", "jvmscope", *words]
    return subprocess.run(command, cwd=at, capture_output=True, text=True, check=False)


def test_interrupted(good: dict[str, bytes], tmp_path: Path) -> None:
    """Ctrl-C during an import leaves nothing; a pipe that stays open makes it wait for that."""
    (tmp_path / "classes.xml").write_bytes(good["classes"])
    (tmp_path / "cct.xml").write_bytes(good["flat"])
    code = (
        "import sys, time; from pathlib import Path; from jvmscope.schema.xml import import_xml\n"
        "def wait(stage, done, total):\n"
        "    if stage == 'contexts': print('reading', flush=True); time.sleep(60)\n"
        "import_xml(Path('cct.xml'), Path('classes.xml'), Path('new.run'), wait)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "reading\n"
        assert (tmp_path / "new.run.partial").is_dir()
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate()
    assert "KeyboardInterrupt" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cct.xml", "classes.xml"]


_FULL = """
import resource, sys
from pathlib import Path
from jvmscope.errors import RunError
from jvmscope.schema.xml import export_xml, import_xml
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
try:
    if sys.argv[2] == "import":
        import_xml(Path("cct.xml"), Path("classes.xml"), Path("new.run"))
    else:
        export_xml(Path("r.run"), Path("cct.xml"), Path("classes.xml"))
except (RunError, OSError) as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("n_bytes", [100, 3000])
def test_full_disk(n_bytes: int, tmp_path: Path) -> None:
    """A file that cannot grow, as on a full disk, leaves nothing half made."""
    write_run(tmp_path / "r.run", Shape(n_contexts=6000, n_threads=1))
    command = [sys.executable, "-c", _FULL, str(n_bytes)]
    done = subprocess.run(
        [*command, "export"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("OSError"), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["r.run"]
    export_xml(tmp_path / "r.run", tmp_path / "cct.xml", tmp_path / "classes.xml")
    done = subprocess.run(
        [*command, "import"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("RunError new.run.partial: cannot be written"), done.stderr
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["cct.xml", "classes.xml", "r.run"]


# What a hostile file may cost: an import with 1 GiB of address space to spare.
_LIMITED = """
import resource, sys
from pathlib import Path
import pyarrow, pyarrow.compute, pyarrow.parquet
from jvmscope.errors import RunError
from jvmscope.schema.xml import import_xml
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30),) * 2)
try:
    import_xml(Path("cct.xml"), Path("classes.xml"), Path("new.run"))
except RunError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def head(text: bytes, mark: bytes) -> bytes:
    """Returns the text up to a mark."""
    before, found, _ = text.partition(mark)
    assert found
    return before


def levels(good: dict[str, bytes]) -> Iterator[bytes]:
    """Ten million contexts, each in the one before; the first million and more are right."""
    begin = head(good["nested"], b"<dcg:context ")
    yield begin.replace(b'<dcg:table name="context" rows="24"/>', b"")
    counts = b"<dcg:callCount>1</dcg:callCount><dcg:bytecodeCount>1</dcg:bytecodeCount>\n"
    size = 10_000_000
    n_right = 1_050_000
    yield b'<dcg:context id="0" depth="0" size="%d">%s' % (size, counts)
    form = b'<dcg:context id="%d" method="0" depth="%d" size="%d"%s>%s'
    for key in range(1, n_right):
        ancestor = b' ancestor="%d"' % (key - 1) if key > 1 else b""
        yield form % (key, key, size - key, ancestor, counts)
    for _ in range(0, size - n_right, 1000):
        yield b"<dcg:context>" * 1000


def unknown_levels(good: dict[str, bytes]) -> Iterator[bytes]:
    """Ten million properties, each in the one before."""
    yield head(good["nested"], b"<dcg:string ")
    yield b'<dcg:object name="x">'
    for _ in range(1000):
        yield b'<dcg:object name="x">' * 10_000


def attribute(good: dict[str, bytes]) -> Iterator[bytes]:
    """An attribute of 100 MB."""
    yield head(good["nested"], b'<dcg:thread id="1"') + b'<dcg:thread name="'
    for _ in range(100):
        yield b"a" * 1_000_000
    yield b'"/>'


def comment(good: dict[str, bytes]) -> Iterator[bytes]:
    """A comment of 100 MB."""
    yield head(good["nested"], b"<dcg:run>") + b"<!--"
    for _ in range(100):
        yield b"a" * 1_000_000
    yield b"-->"


def count(good: dict[str, bytes]) -> Iterator[bytes]:
    """A count of 100 MB."""
    yield head(good["nested"], b"<dcg:callCount>0") + b"<dcg:callCount>"
    for _ in range(100):
        yield b"1" * 1_000_000


def stray_text(good: dict[str, bytes]) -> Iterator[bytes]:
    """100 MB of text where no text belongs, after 100 MB of space."""
    yield head(good["nested"], b"<dcg:run>")
    for character in (b" ", b"\n", b"x"):
        for _ in range(100):
            yield character * 1_000_000


def long_names(good: dict[str, bytes]) -> Iterator[bytes]:
    """A gigabyte of the longest names that may be, in few rows."""
    yield re.sub(rb'rows="[0-9]+"', b"", head(good["nested"], b"<dcg:thread "))
    name = b"a" * 1_000_000
    counts = b"<dcg:callCount>1</dcg:callCount><dcg:bytecodeCount>1</dcg:bytecodeCount>"
    for key in range(1000):
        yield b'<dcg:thread id="%d" name="%s" kind="platform" startOrder="0" rootContext="%d">' % (
            key, name, key,
        )  # fmt: skip
        yield b'<dcg:context id="%d" depth="0" size="1">%s</dcg:context></dcg:thread>' % (
            key, counts,
        )  # fmt: skip


def element_name(good: dict[str, bytes]) -> Iterator[bytes]:
    """An element with a name of 6 MB."""
    yield head(good["nested"], b"<dcg:run>") + b"<dcg:" + b"x" * 6_000_000 + b"/>"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (levels, "nested more than 1000000 deep"),
        (unknown_levels, "nested more than 50 deep"),
        (attribute, "a tag or comment is longer than"),
        (comment, "a tag or comment is longer than"),
        (count, "the text of <dcg:callCount> is longer than"),
        (stray_text, "holds the text"),
        (long_names, "hold too much text"),
        (element_name, "may not hold <dcg:xxx"),
    ],
)
def test_memory_is_bounded(
    make: Callable[[dict[str, bytes]], Iterator[bytes]],
    reason: str,
    good: dict[str, bytes],
    tmp_path: Path,
) -> None:
    """A file of any size is refused within a gigabyte, most within much less."""
    (tmp_path / "classes.xml").write_bytes(good["classes"])
    with (tmp_path / "cct.xml").open("wb") as file:
        for part in make(good):
            file.write(part)
    command = [sys.executable, "-c", _LIMITED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    message, used_mib = done.stdout.splitlines()
    assert re.match(r"cct\.xml:\d+: error: ", message), message
    assert reason in message
    assert int(used_mib) < 700, used_mib
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cct.xml", "classes.xml"]
    (tmp_path / "cct.xml").unlink()  # up to a gigabyte, which the disk need not see
