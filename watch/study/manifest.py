"""``study.json``: how a study is made, and how far it has come."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from jvmscope.errors import RunError
from jvmscope.schema import study_tables
from jvmscope.schema.json_text import parse_json
from jvmscope.schema.json_values import JsonReader
from jvmscope.schema.studied import STUDY_MANIFEST
from jvmscope.schema.table_facts import PartFacts
from jvmscope.watch.study.options import StudyOptions
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from dataclasses import Field
    from pathlib import Path

__all__ = [
    "StudyManifest",
    "part_file",
    "read_study_manifest",
    "write_study_manifest",
]

_FORMAT = 2
_WITHOUT_PARTS = 1
"""The format of before studies had ``parts``."""

_STATES = ("running", "interrupted", "failed", "complete")


@dataclass(frozen=True)
class StudyManifest:
    """What is known of a study beside its tables.

    Attributes:
        command: what is studied, word by word.
        options: the options by name, spans in seconds; ``seed``, ``scale`` and ``classes`` too.
        state: ``running`` (or killed), ``interrupted``, ``failed`` or ``complete``.
        reason: why it failed; None: it did not.
        jvm: ``version``, ``name`` and ``home`` of the VM; empty before the first is launched.
        n_processors: the processors that ``utilization`` is a share of; 0 before that.
        unmeasured: classes without static probes, in the form of the VM, with the reasons.
        n_unmeasured: methods in threads for whose samples there was no memory, in all launches.
        tool: name and version of what made it.
        started: when it was started first, UTC.
        parts: the tables of each finished part, by name; None: an earlier jvmscope began the
            study, and nothing is known of its parts.
    """

    command: list[str]
    options: dict[str, Any]
    state: str = "running"
    reason: str | None = None
    jvm: dict[str, str] = field(default_factory=dict)
    n_processors: int = 0
    unmeasured: dict[str, str] = field(default_factory=dict)
    n_unmeasured: int = 0
    tool: dict[str, str] = field(default_factory=dict)
    started: str = ""
    parts: list[dict[str, PartFacts]] | None = field(default_factory=list)


def read_study_manifest(path: Path) -> StudyManifest:
    """Returns the manifest of the study in a directory.

    Raises:
        RunError: the directory has none, or it is of another form.
    """
    file = path / STUDY_MANIFEST
    try:
        found = parse_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunError(f"{path}: not a study: it has no {STUDY_MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise RunError(f"{file}: cannot be read: {error}") from None
    found = _described(found, file)
    return _from_json(found, JsonReader(file))


def _described(found: object, file: Path) -> dict[str, Any]:
    """Returns the entries of a manifest, which has all of them and no others."""
    names = {each.name for each in fields(StudyManifest)}
    found = found if isinstance(found, dict) else {}
    form = found.pop("format", None)
    if form == _WITHOUT_PARTS and "parts" not in found:
        found["parts"] = None
    elif form != _FORMAT or found.get("parts") is None:
        form = None
    if form is None or found.keys() != names:
        raise RunError(
            f"{file}: not the manifest of a study of format {_WITHOUT_PARTS} or {_FORMAT}"
        )
    return found


def _from_json(found: dict[str, Any], reader: JsonReader) -> StudyManifest:
    if not reader.texts(found["command"], "command"):
        raise reader.error([], "command", "a program")
    options = reader.mapping(found["options"], "options")
    for each in fields(StudyOptions):
        if each.name in options:
            _check_option(options[each.name], each, reader)
    for name in ("jvm", "unmeasured", "tool"):
        for key, value in reader.mapping(found[name], name).items():
            reader.typed(value, f"{name}.{key}", str)
    for name in ("n_processors", "n_unmeasured"):
        reader.typed(found[name], name, int)
    reader.word(found["state"], "state", _STATES)
    reader.optional(found["reason"], "reason", str)
    reader.typed(found["started"], "started", str)
    if found["parts"] is not None:
        parts = reader.listed(found["parts"], "parts")
        found["parts"] = [_part(part, number, reader) for number, part in enumerate(parts)]
    return StudyManifest(**found)


def _check_option(value: object, option: Field[Any], reader: JsonReader) -> None:
    where = f"options.{option.name}"
    if option.type == "int":
        reader.typed(value, where, int)
    elif option.type == "float":
        if not 0 <= reader.typed(value, where, float) < math.inf:
            raise reader.error(value, where, "a number from 0")
    else:
        reader.texts(value, where)


def _part(part: object, number: int, reader: JsonReader) -> dict[str, PartFacts]:
    where = f"parts[{number}]"
    found = {}
    for table, facts in reader.mapping(part, where).items():
        if table not in study_tables():
            raise reader.error(table, where, f"one of {', '.join(study_tables())}")
        place = f"{where}.{table}"
        values = reader.mapping(facts, place)
        found[table] = PartFacts(
            file=reader.word(values.get("file"), f"{place}.file", (part_file(number, table),)),
            rows=reader.typed(values.get("rows"), f"{place}.rows", int),
            bytes=reader.typed(values.get("bytes"), f"{place}.bytes", int),
            sha256=reader.typed(values.get("sha256"), f"{place}.sha256", str),
        )
    return found


def part_file(number: int, table: str) -> str:
    """Returns the name of a table's file of a part, within the directory of parts.

    >>> part_file(3, "cycle")
    '000003/cycle.parquet'
    """
    return f"{number:06}/{table}.parquet"


def write_study_manifest(path: Path, manifest: StudyManifest) -> None:
    """Writes the manifest of the study in a directory, in place of the one that is there."""
    entries = asdict(manifest)
    if manifest.parts is None:
        del entries["parts"]
    form = _WITHOUT_PARTS if manifest.parts is None else _FORMAT
    text = json.dumps({"format": form, **entries}, indent=2) + "\n"
    with whole_file(path / STUDY_MANIFEST) as partial:
        partial.write_text(text, encoding="utf-8")
