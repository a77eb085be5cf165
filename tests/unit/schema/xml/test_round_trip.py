"""Parquet to XML to Parquet: nothing is lost, and the XML is what its schema says."""

from __future__ import annotations

import json
import shutil
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from xml_runs import Shape, write_rows, write_run

from jvmscope.errors import RunError
from jvmscope.schema import read_manifest, tables, word_sets
from jvmscope.schema.xml import NAMESPACE, Form, export_xml, import_xml
from jvmscope.schema.xml.reading import cct as reading_cct
from jvmscope.schema.xml.reading import document, line_switch

FORMS: tuple[Form, ...] = ("nested", "flat")
ODD_NAMES = (
    "nul\0", "\ud800lone", "\udc00\ud800", "\U0001f600", "\ufffe\uffff", "\\", "\\u0000", "\\\\u",
    " leading and trailing ", "\ttab\nline\r\x85\u2028", "]]>", "<!--&amp;-->", "'\"", "", "\x7f",
)  # fmt: skip

_IN_ORDER = ["a", "b", "\U0001f600", "\ufb01"]  # the last two are not so by code points


def round_trip(run: Path, form: Form) -> Path:
    """Exports and imports a run beside it, and returns the new one."""
    folder = run.parent / f"{run.name}.{form}"
    folder.mkdir()
    export_xml(run, folder / "cct.xml", folder / "classes.xml", form)
    import_xml(folder / "cct.xml", folder / "classes.xml", folder / "copy.run")
    return folder / "copy.run"


def contents(run: Path) -> dict[str, bytes]:
    """Returns the bytes of the run's tables by name."""
    return {file.name: file.read_bytes() for file in (run / "tables").iterdir()}


def manifest(run: Path) -> dict[str, Any]:
    """Returns the manifest's values."""
    found: dict[str, Any] = json.loads((run / "run.json").read_text())
    return found


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A small run with everything in it."""
    write_run(tmp_path / "small.run", Shape(names=(*Shape().names, *ODD_NAMES)))
    return tmp_path / "small.run"


@pytest.fixture(
    scope="module",
    params=[
        Shape(),
        Shape(probes=False),
        Shape(n_contexts=1, n_threads=1),
        Shape(n_contexts=40, n_threads=40),
        Shape(n_contexts=20_000, n_threads=2, n_classes=200),
        Shape(n_contexts=0, n_threads=0, n_classes=1),
        Shape(n_contexts=3000, n_threads=1, chain=True),
        Shape(n_blocks=0),
        Shape(status="truncated"),
        Shape(names=ODD_NAMES, seed=7),
    ],
    ids=["all", "no_probes", "root", "threads", "large", "empty", "deep", "no_blocks", "status",
         "names"],
)  # fmt: skip
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of each shape."""
    run = tmp_path_factory.mktemp("runs") / "original.run"
    write_run(run, request.param)
    return run


@pytest.mark.parametrize("form", FORMS)
def test_tables_and_manifest_are_the_same(original: Path, form: Form) -> None:
    """The tables are the same to the byte, and the manifest has the same values."""
    copy = round_trip(original, form)
    assert contents(copy) == contents(original)
    assert manifest(copy) == manifest(original)
    assert [path.name for path in copy.parent.iterdir() if "partial" in path.name] == []


def _not_by_code_points() -> list[dict[str, tuple[str, list[str]]]]:
    """Returns columns of words or texts that tables are sorted by, with values in that order.

    Each dictionary has one column of each table that has so many.
    """
    rounds: list[dict[str, tuple[str, list[str]]]] = []
    for table in tables().values():
        found = [
            (column.name, list(words.words) if words else _IN_ORDER)
            for column in table.columns
            for words in [word_sets().get(column.sql_type)]
            if table.is_sorted_by_key and table.place is not None
            if column.name in dict(table.sorted_by) and (words or column.sql_type == "VARCHAR")
        ]
        rounds += [{} for _ in found[len(rounds) :]]
        for column, at in zip(found, rounds, strict=False):
            at[table.name] = column
    return rounds


_ROUNDS = _not_by_code_points()


def test_many_tables_are_sorted_by_words_or_texts() -> None:
    assert {"object_hash", "native_transition", "allocation", "probe_count"} <= _ROUNDS[0].keys()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("columns", _ROUNDS)
def test_rows_in_the_order_of_a_run_survive(
    tmp_path: Path, columns: dict[str, tuple[str, list[str]]], form: Form
) -> None:
    """Words are in the order of their numbers, and texts in that of their UTF-16 units."""
    shape = Shape(n_contexts=12)
    rows = write_run(tmp_path / "made.run", shape)
    for table, (column, values) in columns.items():
        rows[table] = [{**rows[table][0], column: value} for value in values]
    write_rows(tmp_path / "ordered.run", rows, shape)
    assert contents(round_trip(tmp_path / "ordered.run", form)) == contents(
        tmp_path / "ordered.run"
    )


@pytest.mark.parametrize("table", ["object_hash", "native_transition", "allocation"])
def test_rows_in_another_order_are_refused(tmp_path: Path, table: str) -> None:
    shape = Shape(n_contexts=12)
    rows = write_run(tmp_path / "made.run", shape)
    column, values = _ROUNDS[0][table]
    rows[table] = [{**rows[table][0], column: value} for value in reversed(values)]
    write_rows(tmp_path / "reversed.run", rows, shape)
    with pytest.raises(RunError, match="out of order"):
        round_trip(tmp_path / "reversed.run", "nested")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    names=st.lists(
        st.text(st.characters(exclude_categories=[])).filter(lambda name: len(name) < 50),
        min_size=2,
        max_size=6,
    ),
    seed=st.integers(0, 1 << 20),
    form=st.sampled_from(FORMS),
)
def test_any_name_survives(names: list[str], seed: int, form: Form) -> None:
    """Names of any code points, lone surrogates and control characters too."""
    folder = Path(tempfile.mkdtemp())
    try:
        run = folder / "r.run"
        write_run(run, Shape(names=tuple(names), seed=seed, n_contexts=12))
        assert contents(round_trip(run, form)) == contents(run)
    finally:
        shutil.rmtree(folder)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 1 << 20),
    n_contexts=st.integers(1, 200),
    n_threads=st.integers(1, 5),
    probes=st.booleans(),
    form=st.sampled_from(FORMS),
)
def test_any_tree_survives(
    seed: int, n_contexts: int, n_threads: int, probes: bool, form: Form
) -> None:
    """Trees of any shape."""
    folder = Path(tempfile.mkdtemp())
    try:
        run = folder / "r.run"
        shape = Shape(
            seed=seed, n_contexts=n_contexts + n_threads, n_threads=n_threads, probes=probes
        )
        write_run(run, shape)
        assert contents(round_trip(run, form)) == contents(run)
    finally:
        shutil.rmtree(folder)


@pytest.fixture(params=["classes", "nested", "flat"])
def exported(request: pytest.FixtureRequest, run: Path, tmp_path: Path) -> tuple[str, Path]:
    """A file of the XML view, and which schema it has."""
    kind = request.param
    form: Form = "flat" if kind == "flat" else "nested"
    export_xml(run, tmp_path / "cct.xml", tmp_path / "classes.xml", form)
    name = "classes" if kind == "classes" else "cct"
    return name, tmp_path / f"{name}.xml"


def schema_of(name: str) -> etree.XMLSchema:
    """Returns the XSD of a file of the XML view."""
    path = resources.files("jvmscope.schema.xml") / "xsd" / f"{name}.xsd"
    return etree.XMLSchema(etree.parse(str(path)))


def test_files_are_valid(exported: tuple[str, Path]) -> None:
    """What is written is valid by its schema."""
    name, path = exported
    schema_of(name).assertValid(etree.parse(path))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cct", b"<dcg:callCount>0", b"<dcg:callCount>-1"),
        ("cct", b' size="', b' sizes="'),
        ("cct", b"</dcg:run>", b"<dcg:extra/></dcg:run>"),
        ("classes", b'opcode="ldc_w"', b'opcode="ldc_x"'),
        ("classes", b'nParameters="2"', b""),
        ("classes", b'descriptor="(IJ)V"', b'descriptor="\\x"'),
    ],
)
def test_schema_finds_mistakes(
    run: Path, tmp_path: Path, name: str, old: bytes, new: bytes
) -> None:
    """The schema is not so loose that it accepts everything; neither is the reader."""
    files = {"cct": tmp_path / "cct.xml", "classes": tmp_path / "classes.xml"}
    export_xml(run, files["cct"], files["classes"])
    text = files[name].read_bytes()
    assert old in text
    files[name].write_bytes(text.replace(old, new, 1))
    assert not schema_of(name).validate(etree.parse(files[name]))
    with pytest.raises(RunError, match=rf"{name}\.xml:\d+: error: "):
        import_xml(files["cct"], files["classes"], tmp_path / "new.run")


def test_figure_4(run: Path, tmp_path: Path) -> None:
    """The paper's query works as it stands: a method holds its blocks, a block its count."""
    export_xml(run, tmp_path / "cct.xml", tmp_path / "classes.xml")
    root = etree.parse(tmp_path / "classes.xml").getroot()
    blocks = root.findall(".//{*}method/{*}basicBlock[{*}executionCount]")
    hottest = max(blocks, key=lambda block: int(block.findtext("{*}executionCount") or 0))
    sums: dict[int, int] = {}
    for row in pq.read_table(run / "tables/context_block.parquet").to_pylist():
        sums[row["basic_block_id"]] = sums.get(row["basic_block_id"], 0) + row["n_executions"]
    assert int(hottest.findtext("{*}executionCount") or 0) == max(sums.values())
    parent = hottest.getparent()
    assert parent is not None
    assert parent.tag == f"{{{NAMESPACE}}}method"


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0" encoding="utf-8"?>', "\ufeff"])
def test_other_writers(run: Path, tmp_path: Path, declaration: str) -> None:
    """Other prefixes, indentation, comments, character references, CDATA: it is XML, not text."""
    export_xml(run, tmp_path / "cct.xml", tmp_path / "classes.xml")
    for name in ("cct", "classes"):
        path = tmp_path / f"{name}.xml"
        text = path.read_text(encoding="utf-8").partition("\n")[2]
        text = text.replace("<dcg:", "<").replace("</dcg:", "</").replace("xmlns:dcg", "xmlns")
        text = text.replace("<callCount>7<", "<!-- seven -->\n<callCount> &#55;<![CDATA[ ]]>\n<")
        text = text.replace("><basicBlock", ">\n  <basicBlock").replace("><context", ">\n <context")
        text = text.replace('name="run"', "name='&#x72;un'")
        path.write_text(declaration + text + "<?done?>", encoding="utf-8")
    import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "copy.run")
    assert contents(tmp_path / "copy.run") == contents(run)


@pytest.mark.parametrize("form", FORMS)
def test_lines_are_read_as_lines(
    tmp_path: Path, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What jvmscope wrote is not read tag by tag, whatever is recorded and however small."""
    run = tmp_path / "r.run"
    write_run(run, Shape(n_contexts=400, n_threads=4))
    monkeypatch.setattr(reading_cct, "_LEAST_BYTES", -1)
    monkeypatch.setattr(reading_cct.CctDocument, "_start_context", None)  # a call is an error
    assert contents(round_trip(run, form)) == contents(run)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n_bytes", [100, 1000, 5000])
def test_lines_and_tags_mix(
    tmp_path: Path, form: Form, n_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where lines end that are written otherwise, the parser goes on, at any depth."""
    run = tmp_path / "r.run"
    write_run(run, Shape(n_contexts=60, n_threads=2, seed=n_bytes))
    files = (tmp_path / "cct.xml", tmp_path / "classes.xml")
    export_xml(run, *files, form)
    monkeypatch.setattr(reading_cct, "_LEAST_BYTES", -1)
    monkeypatch.setattr(line_switch, "_LINES_BYTES", n_bytes)
    monkeypatch.setattr(document, "_CHUNK_BYTES", 37)
    lines = files[0].read_bytes().split(b"\n")
    first = next(i for i, line in enumerate(lines) if line.startswith(b"<dcg:context"))
    for at in range(first, len(lines) - 3, 7):
        changed = lines.copy()
        changed[at] = changed[at].replace(b'="', b'= "') + b"  <!-- other -->"
        files[0].write_bytes(b"\n".join(changed))
        import_xml(*files, tmp_path / "copy.run", is_forced=True)
        assert contents(tmp_path / "copy.run") == contents(run)


def test_hundred_thousand_levels(tmp_path: Path) -> None:
    """Recursion as deep as a large stack allows, in both forms."""
    run = tmp_path / "deep.run"
    write_run(run, Shape(n_contexts=120_000, n_threads=1, chain=True, probes=False, n_blocks=1))
    for form in FORMS:
        assert contents(round_trip(run, form)) == contents(run)


def test_without_status(run: Path, tmp_path: Path) -> None:
    """A file that says nothing of the recording makes a complete run."""
    export_xml(run, tmp_path / "cct.xml", tmp_path / "classes.xml")
    before, _, rest = (tmp_path / "cct.xml").read_text().partition("<dcg:run>")
    (tmp_path / "cct.xml").write_text(before + rest.partition("</dcg:run>\n")[2])
    import_xml(tmp_path / "cct.xml", tmp_path / "classes.xml", tmp_path / "copy.run")
    found = read_manifest(tmp_path / "copy.run")
    assert (found.status, found.exit, found.n_exclusions) == ("complete", None, 2)


@pytest.mark.parametrize(
    ("table", "change", "reason"),
    [
        ("context", {"context_id": 5}, "not in order of context_id"),
        ("context", {"depth": 9}, "the first context is not the root"),
        ("thread", {"root_context_id": 1}, "not those of the contexts of depth 0"),
        ("context_block", {"context_id": 1 << 20}, "not in order of context_id"),
        ("method", {"class_id": 1 << 20}, "not in order of class_id"),
    ],
)
def test_damaged_run(tmp_path: Path, table: str, change: dict[str, int], reason: str) -> None:
    """A run whose rows are wrong is not exported, and no file is left."""
    shape = Shape()
    rows = write_run(tmp_path / "good.run", shape)
    rows[table][0] = rows[table][0] | change
    write_rows(tmp_path / "bad.run", rows, shape)
    with pytest.raises(RunError, match=reason):
        export_xml(tmp_path / "bad.run", tmp_path / "cct.xml", tmp_path / "classes.xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.run", "good.run"]
