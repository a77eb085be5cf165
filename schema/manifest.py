"""``run.json``, the manifest of a run: what was recorded, how it ended, and which files it has.

It is written last, so a directory without it is not a run. Reading checks the schema version
before anything else, then every value that the rest of jvmscope relies on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from jvmscope.errors import RunError
from jvmscope.schema.definitions import tables
from jvmscope.schema.json_text import parse_json
from jvmscope.schema.json_values import JsonReader
from jvmscope.schema.limits import code_of
from jvmscope.schema.native_alone import native_tables
from jvmscope.schema.studied import is_study
from jvmscope.schema.suite import is_suite
from jvmscope.schema.table_facts import PartFacts, TableFacts
from jvmscope.schema.watched import watch_tables
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jvmscope.schema.definitions import Table

__all__ = [
    "MANIFEST_NAME",
    "SCHEMA_VERSION",
    "ExitFacts",
    "FileFacts",
    "MainFacts",
    "Manifest",
    "manifest_of",
    "read_document",
    "read_manifest",
    "tables_digest",
    "tables_of",
    "write_manifest",
]

SCHEMA_VERSION = 1
"""The version of the tables and of the manifest that this jvmscope writes."""

MANIFEST_NAME = "run.json"

Status = Literal["complete", "truncated", "failed"]
Kind = Literal["recorded", "native", "watch"]
ExitState = Literal["ended", "exited", "killed"]

_PART = re.compile(r"[a-z_]+\.parts/\d+\.parquet")
_SURROGATE = re.compile("[\ud800-\udfff]")

_STATUSES = ("complete", "truncated", "failed")
_KINDS = ("recorded", "native", "watch")
_EXIT_STATES = ("ended", "exited", "killed")


@dataclass(frozen=True)
class ExitFacts:
    """How the VM ended.

    ``state`` is ``ended`` (the last non-daemon thread did), ``exited`` (System.exit, Runtime.halt
    or a signal that the VM handles) or ``killed`` (it had no chance to say anything). ``status``
    is the exit status and ``signal`` the signal's number; each is null where there was none.
    """

    state: ExitState
    status: int | None = None
    signal: int | None = None


@dataclass(frozen=True)
class MainFacts:
    """The main class in JVM form, and the context of its main method; null where unknown."""

    class_name: str | None = None
    context_id: int | None = None


@dataclass(frozen=True)
class FileFacts:
    """Size and SHA-256 of a file of the run that is not a table."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The content of ``run.json``; see docs/run-format.md for the meaning of each entry.

    ``tables`` has an entry for every table of the run, ``files`` for every other file whose
    content belongs to it, by its path in the run. ``exit`` is how the VM ended, ``command_exit``
    how COMMAND did where that was another process. ``kind`` says whether the run was recorded with
    its calls, of native code alone, or is a watch run.
    """

    status: Status
    tables: dict[str, TableFacts]
    files: dict[str, FileFacts] = field(default_factory=dict)
    exit: ExitFacts | None = None
    command_exit: ExitFacts | None = None
    main: MainFacts = MainFacts()
    command: list[str] = field(default_factory=list)
    directory: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
    jvm: dict[str, Any] = field(default_factory=dict)
    host: dict[str, Any] = field(default_factory=dict)
    tool: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)
    limit_codes: list[str] = field(default_factory=list)
    determinism: list[str] = field(default_factory=list)
    n_exclusions: int = 0
    started: str | None = None
    duration_s: float | None = None
    kind: Kind = "recorded"
    schema: int = SCHEMA_VERSION

    @property
    def definitions(self) -> Mapping[str, Table]:
        """The tables that a run of its kind may have."""
        return tables_of(self.kind)

    @property
    def incompleteness(self) -> str | None:
        """Says that the run is not whole, and why; None: it is."""
        if self.status == "complete":
            return None
        why = f": {'; '.join(self.limits)}" if self.limits else ""
        return f"the recording is {self.status}{why}"

    @property
    def n_contexts(self) -> int | None:
        """How many calling contexts the run has: its nodes without the root that each thread has.

        None: the run has no calling context tree.
        """
        if "context" not in self.tables or "thread" not in self.tables:
            return None
        return self.tables["context"].rows - self.tables["thread"].rows

    def expect_tree(self, run: Path) -> None:
        """Refuses a run without a calling context tree, for what is about calls.

        Raises:
            RunError: it is a watch run, or was recorded with ``--no-tree``.
        """
        self.expect_recording(run)
        if self.kind == "native":
            raise RunError(
                f"{run}: recorded with --no-tree, so it has no calling context tree; record the "
                "program again without that option. What the run has: jvmscope list tables RUN, "
                "jvmscope measure RUN -m 'native.*'"
            )

    def expect_recording(self, run: Path) -> None:
        """Refuses a watch run, for what was counted.

        Raises:
            RunError: it is a watch run.
        """
        if self.kind == "watch":
            raise RunError(
                f"{run}: a watch run, which has no counted calls; expected a recorded run. "
                "Query its tables in SQL: jvmscope list tables RUN"
            )

    @property
    def command_line(self) -> str:
        r"""The command for display: its words with blanks between, bytes not of UTF-8 as ``\xff``.

        >>> Manifest("complete", {}, command=["java", "p.Main", "caf\udce9"]).command_line
        'java p.Main caf\\xe9'
        """
        return _SURROGATE.sub(_shown, " ".join(self.command))


def tables_of(kind: Kind) -> Mapping[str, Table]:
    """Returns the tables that runs of a kind may have, by name."""
    return {"recorded": tables, "native": native_tables, "watch": watch_tables}[kind]()


def write_manifest(run_dir: Path, manifest: Manifest) -> None:
    """Writes ``run.json`` so that it is either absent or whole, also if the machine stops.

    A byte of a command or path that is not UTF-8, which Python holds as a lone surrogate, is
    written as the JSON escape of that and so read back as it was.
    """
    target = run_dir / MANIFEST_NAME
    text = json.dumps(_to_json(manifest), indent=2, ensure_ascii=False)
    with whole_file(target) as partial, partial.open("w", encoding="utf-8") as file:
        file.write(_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def read_manifest(run_dir: Path) -> Manifest:
    """Returns the manifest of a run.

    Raises:
        RunError: the directory is not a run, is incomplete, has another schema version, or its
            manifest holds a value that it may not hold.
    """
    return manifest_of(read_document(run_dir), run_dir)


def manifest_of(document: object, run_dir: Path) -> Manifest:
    """Returns the manifest that a document of JSON is, as ``read_manifest`` does.

    Args:
        document: what ``read_document`` returned, or a part of it.
        run_dir: where it was read, for messages.
    """
    path = run_dir / MANIFEST_NAME
    reader = JsonReader(path)
    values = reader.mapping(document, "the manifest")
    _check_version(path, values.get("schema"))
    return _from_json(values, reader)


def read_document(run_dir: Path) -> Any:
    """Returns the JSON of a run's manifest, of which nothing is checked.

    Raises:
        RunError: the directory is no run or is incomplete, its manifest is no JSON, or its path
            is not UTF-8, as DuckDB's paths are.
    """
    path = run_dir / MANIFEST_NAME
    if _SURROGATE.search(str(run_dir)):
        shown = _SURROGATE.sub(_shown, str(run_dir))
        if sys.getfilesystemencoding() != "utf-8":
            raise RunError(f"{shown}: the locale lacks characters of this path; set LC_ALL=C.UTF-8")
        raise RunError(f"{shown}: a path that is not UTF-8 cannot be used; rename it")
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(_why_not_a_run(run_dir)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: cannot be read: {error}") from None
    try:
        return parse_json(text)
    except ValueError as error:
        raise RunError(f"{path}: not valid JSON: {error}") from None


def _shown(surrogate: re.Match[str]) -> str:
    code = ord(surrogate[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code < 0xDD00 else f"\\u{code:04x}"


def _why_not_a_run(run_dir: Path) -> str:
    if not run_dir.exists():
        return f"{run_dir}: there is no such run; jvmscope list runs shows those in a directory"
    if run_dir.name.endswith(".partial"):
        remedy = f"if it was killed, jvmscope recover {run_dir} makes a run of it"
        return f"{run_dir}: the recording did not finish, so it cannot be read; {remedy}"
    if is_suite(run_dir):
        takers = "jvmscope report and jvmscope compare take whole suites"
        return f"{run_dir}: a suite, not a run: give its runs, {run_dir}/*.run; {takers}"
    if is_study(run_dir):
        return f"{run_dir}: a study of overhead, not a run; jvmscope report takes studies"
    run = next((path.parent for path in sorted(run_dir.glob(f"*/{MANIFEST_NAME}"))), None)
    if run is not None:
        return f"{run_dir}: a directory of runs, not a run: give its runs, such as {run}"
    return f"{run_dir}: not a run: it has no {MANIFEST_NAME}"


def _check_version(path: Path, version: object) -> None:
    if version == SCHEMA_VERSION:
        return
    if not isinstance(version, int) or isinstance(version, bool):
        raise RunError(f'{path}: "schema" is {version!r}, expected a whole number')
    if version > SCHEMA_VERSION:
        remedy = "install a newer jvmscope"
    else:
        remedy = "record the program again: there is no upgrade from that version"
    raise RunError(
        f"{path}: the run has schema version {version}, this jvmscope reads version "
        f"{SCHEMA_VERSION}; {remedy}"
    )


def _to_json(manifest: Manifest) -> dict[str, Any]:
    document = dataclasses.asdict(manifest)
    document["main"] = {"class": manifest.main.class_name, "context_id": manifest.main.context_id}
    document["exclusions"] = document.pop("n_exclusions")
    if manifest.kind == "recorded":
        del document["kind"]
    for facts in document["tables"].values():
        if not facts["parts"]:
            del facts["parts"]
    return {"schema": document.pop("schema"), **document}


def _from_json(values: dict[str, Any], reader: JsonReader) -> Manifest:
    main = reader.mapping(values.get("main", {}), "main")
    return Manifest(
        status=reader.word(values.get("status"), "status", _STATUSES),
        tables={
            reader.table(name): _table_facts(facts, f"tables.{name}", reader)
            for name, facts in reader.mapping(values.get("tables"), "tables").items()
        },
        files={
            reader.file(name): _file_facts(facts, f"files.{name}", reader)
            for name, facts in reader.mapping(values.get("files", {}), "files").items()
        },
        exit=_exit_facts(values.get("exit"), "exit", reader),
        command_exit=_exit_facts(values.get("command_exit"), "command_exit", reader),
        main=MainFacts(
            reader.optional(main.get("class"), "main.class", str),
            reader.optional(main.get("context_id"), "main.context_id", int),
        ),
        command=reader.texts(values.get("command", []), "command"),
        directory=reader.optional(values.get("directory"), "directory", str),
        environment=reader.mapping(values.get("environment", {}), "environment"),
        jvm=reader.mapping(values.get("jvm", {}), "jvm"),
        host=reader.mapping(values.get("host", {}), "host"),
        tool=reader.mapping(values.get("tool", {}), "tool"),
        options=reader.mapping(values.get("options", {}), "options"),
        tags=reader.mapping(values.get("tags", {}), "tags"),
        limits=reader.texts(values.get("limits", []), "limits"),
        limit_codes=_limit_codes(values, reader),
        determinism=reader.texts(values.get("determinism", []), "determinism"),
        n_exclusions=reader.typed(values.get("exclusions", 0), "exclusions", int),
        started=reader.optional(values.get("started"), "started", str),
        duration_s=reader.optional(values.get("duration_s"), "duration_s", float),
        kind=reader.word(values.get("kind", "recorded"), "kind", _KINDS),
    )


def _table_facts(facts: object, where: str, reader: JsonReader) -> TableFacts:
    values = reader.mapping(facts, where)
    return TableFacts(
        rows=reader.typed(values.get("rows"), f"{where}.rows", int),
        bytes=reader.typed(values.get("bytes"), f"{where}.bytes", int),
        sha256=reader.typed(values.get("sha256"), f"{where}.sha256", str),
        columns=tuple(reader.texts(values.get("columns"), f"{where}.columns")),
        parts=tuple(
            _part_facts(part, f"{where}.parts[{number}]", reader)
            for number, part in enumerate(reader.listed(values.get("parts", []), f"{where}.parts"))
        ),
    )


def _part_facts(facts: object, where: str, reader: JsonReader) -> PartFacts:
    values = reader.mapping(facts, where)
    file = reader.typed(values.get("file"), f"{where}.file", str)
    if not _PART.fullmatch(file):
        raise reader.error(file, f"{where}.file", "a path such as NAME.parts/1.parquet")
    return PartFacts(
        file=file,
        rows=reader.typed(values.get("rows"), f"{where}.rows", int),
        bytes=reader.typed(values.get("bytes"), f"{where}.bytes", int),
        sha256=reader.typed(values.get("sha256"), f"{where}.sha256", str),
    )


def _file_facts(facts: object, where: str, reader: JsonReader) -> FileFacts:
    values = reader.mapping(facts, where)
    return FileFacts(
        bytes=reader.typed(values.get("bytes"), f"{where}.bytes", int),
        sha256=reader.typed(values.get("sha256"), f"{where}.sha256", str),
    )


def _limit_codes(values: dict[str, Any], reader: JsonReader) -> list[str]:
    """Returns the code of each limit; runs of older versions have only sentences."""
    limits = reader.texts(values.get("limits", []), "limits")
    codes = reader.texts(values.get("limit_codes", []), "limit_codes")
    if codes and len(codes) != len(limits):
        raise reader.error(codes, "limit_codes", f"{len(limits)} codes, one for each of limits")
    return codes or [code_of(limit) for limit in limits]


def _exit_facts(facts: object, where: str, reader: JsonReader) -> ExitFacts | None:
    if facts is None:
        return None
    values = reader.mapping(facts, where)
    return ExitFacts(
        state=reader.word(values.get("state"), f"{where}.state", _EXIT_STATES),
        status=reader.optional(values.get("status"), f"{where}.status", int),
        signal=reader.optional(values.get("signal"), f"{where}.signal", int),
    )


def tables_digest(manifest: Manifest) -> str:
    """Returns the digest of a run's tables that both files of its XML view carry."""
    digest = hashlib.sha256()
    for name, facts in sorted(manifest.tables.items()):
        digest.update(f"{name} {facts.rows} {facts.sha256}\n".encode())
    return digest.hexdigest()
