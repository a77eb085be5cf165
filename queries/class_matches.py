"""Which classes of a watch run are those of the recorded run beside it, and how that is known.

The recorded run has the class files that were loaded. Of the watched VM's classes, the watch run
has hashes where it could see them: of what the VM itself gave, or of files on its class path or
module path.
"""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING

from jvmscope.schema.class_content import code_sha256
from jvmscope.schema.hidden_classes import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

    from jvmscope.schema import Manifest

__all__ = ["bind_class_matches"]

_ARCHIVE = "classes.zip"

# Of which classes content is compared, and whether with what the VM gave.
_WANTED = """
    SELECT c.name, c.loader, BOOL_OR(w.code_hash IS NOT NULL)
    FROM run.class_content AS w JOIN recorded.class AS c ON c.name = w.class_name
    WHERE w.reason IS NULL AND (w.code_hash IS NOT NULL OR c.loader = 'app')
    GROUP BY ALL
"""

_TABLE = """
    CREATE TABLE recorded.known_content (
        class_name VARCHAR, loader VARCHAR, file_hash VARCHAR, code_hash VARCHAR
    )
"""

# What the VM gave is its class; a file on a path is if the class is of the loader of that path.
_SEEN = """
    CREATE VIEW run.seen_content AS
    SELECT w.class_name, r.loader,
        BOOL_AND(w.code_hash = r.code_hash) AS is_same_in_vm,
        BOOL_AND(w.file_hash = r.file_hash) FILTER (WHERE r.loader = 'app')
            AS is_same_on_path,
        MIN(w.known_by) FILTER (WHERE w.file_hash IS NOT NULL) AS path,
        MIN(w.reason) AS reason
    FROM run.class_content AS w JOIN recorded.known_content AS r USING (class_name)
    GROUP BY ALL
"""

_MATCH = """
    CREATE VIEW run.class_match AS
    WITH named AS (
        SELECT class_name FROM run.vm_method UNION SELECT class_name FROM run.probe_method
    ),
    here AS (
        SELECT name AS class_name, FIRST(loader) AS loader, COUNT(*) AS n_loaders
        FROM recorded.class GROUP BY name
    ),
    unknown AS (
        SELECT class_name, MIN(reason) AS reason, BOOL_OR(code_hash IS NOT NULL) AS is_in_vm
        FROM run.class_content GROUP BY class_name
    ),
    judged AS (
        SELECT n.class_name, here.loader,
            CASE WHEN s.is_same_in_vm IS NOT NULL THEN 'the VM'
                WHEN s.is_same_on_path IS NOT NULL THEN s.path END AS known_by,
            COALESCE(s.is_same_in_vm, s.is_same_on_path) AS is_same,
            here.loader IN ('boot', 'platform') AS is_of_jdk,
            CASE WHEN regexp_matches(n.class_name, '$hidden')
                    THEN 'a hidden class has another name in each VM'
                WHEN here.loader IS NULL THEN 'the recorded run has no such class'
                WHEN n_loaders > 1 THEN 'several loaders have a class of this name'
                END AS obstacle,
            unknown.reason AS doubt, is_in_vm
        FROM named AS n
        LEFT JOIN here USING (class_name)
        LEFT JOIN run.seen_content AS s USING (class_name, loader)
        LEFT JOIN unknown USING (class_name)
    ),
    build AS (SELECT $here AS here, $watched AS watched)
    SELECT class_name, loader,
        CASE WHEN obstacle IS NOT NULL OR NOT is_same THEN NULL
            WHEN is_same THEN 'content'
            WHEN is_of_jdk AND here = watched THEN 'build of the JDK'
            WHEN is_of_jdk AND here <> watched THEN NULL
            ELSE 'names' END AS matched_by,
        CASE WHEN obstacle IS NULL THEN known_by END AS known_by,
        CASE WHEN obstacle IS NOT NULL THEN obstacle
            WHEN NOT is_same THEN 'its content is another one'
            WHEN is_same THEN NULL
            WHEN is_of_jdk AND here = watched THEN NULL
            WHEN is_of_jdk AND here <> watched THEN 'it is of another build of the JDK'
            WHEN is_of_jdk AND is_in_vm IS NOT TRUE THEN 'the build of a VM is not known'
            WHEN doubt IS NOT NULL THEN doubt
            WHEN is_in_vm IS NULL THEN 'no file of it was found on the class path or module path'
            WHEN NOT is_in_vm AND loader <> 'app'
                THEN 'the file that was found is not that of loader ' || loader
            ELSE 'the recorded run has no class file that can be compared' END AS reason
    FROM judged, build
"""


def bind_class_matches(
    connection: duckdb.DuckDBPyConnection, watched: Manifest, other: Path, beside: Manifest
) -> None:
    """Makes the relation ``run.class_match``.

    It has a row for each class that the watch run names: ``class_name``; ``loader``, that of the
    recorded class, null if there is none; ``matched_by``, null if it is not the class that was
    recorded: ``content``, ``build of the JDK`` or ``names``, if its content is not known;
    ``known_by``, what its content is known by: ``the VM``, ``the class path`` or ``the module
    path``; and ``reason``, why it is not that class, or why its content is not known.

    Args:
        connection: a database with both runs, in the schemas ``run`` and ``recorded``.
        watched: what the watch run is.
        other: the directory of the recorded run.
        beside: what that is.
    """
    connection.execute(_TABLE)
    wanted = connection.execute(_WANTED).fetchall()
    rows = _contents(other / _ARCHIVE, wanted)
    if rows:
        connection.executemany("INSERT INTO recorded.known_content VALUES (?, ?, ?, ?)", rows)
    connection.execute(_SEEN)
    values = {"$here": _build(beside.jvm), "$watched": _build(watched.jvm), "$hidden": HIDDEN}
    text = _MATCH
    for name, literal in values.items():
        text = text.replace(name, literal)
    connection.execute(text)


def _build(jvm: Mapping[str, object]) -> str:
    """Returns the build of a VM as an SQL literal.

    >>> _build({"vm_version": "17+35"}), _build({})
    ("'17+35'", 'NULL::VARCHAR')
    """
    build = jvm.get("vm_version")
    if not isinstance(build, str):
        return "NULL::VARCHAR"
    escaped = build.replace("'", "''")
    return f"'{escaped}'"


def _contents(
    archive: Path, wanted: list[tuple[str, str, bool]]
) -> list[tuple[str, str, str | None, str | None]]:
    """Returns name, loader, and hashes of class files; of those that cannot be read, no row."""
    found: list[tuple[str, str, str | None, str | None]] = []
    if not wanted:
        return found
    try:
        opened = zipfile.ZipFile(archive)
    except (OSError, zipfile.BadZipFile):
        return found
    with opened:
        for name, loader, is_code in wanted:
            try:
                content = opened.read(f"{loader}/{name}.class")
                code = code_sha256(content) if is_code else None
            except (KeyError, ValueError, OSError, zipfile.BadZipFile, RuntimeError):
                continue
            found.append((name, loader, hashlib.sha256(content).hexdigest(), code))
    return found
