"""``study.json``: how a study is made, and how far it has come."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from jvmscope.errors import RunError
from jvmscope.schema.json_text import parse_json
from jvmscope.whole_files import whole_file

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["STUDY_MANIFEST", "StudyManifest", "read_study_manifest", "write_study_manifest"]

STUDY_MANIFEST = "study.json"
_FORMAT = 1


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
    names = {each.name for each in fields(StudyManifest)}
    if not isinstance(found, dict) or found.pop("format", None) != _FORMAT or found.keys() != names:
        raise RunError(f"{file}: not the manifest of a study of format {_FORMAT}")
    return StudyManifest(**found)


def write_study_manifest(path: Path, manifest: StudyManifest) -> None:
    """Writes the manifest of the study in a directory, in place of the one that is there."""
    text = json.dumps({"format": _FORMAT, **asdict(manifest)}, indent=2) + "\n"
    with whole_file(path / STUDY_MANIFEST) as partial:
        partial.write_text(text, encoding="utf-8")
