"""``classes.zip``: the class files of a run as they were loaded."""

from __future__ import annotations

import struct
import zipfile
from typing import TYPE_CHECKING

from jvmscope.schema.manifest import FileFacts
from jvmscope.schema.table_facts import file_sha256

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

__all__ = ["ClassArchive"]

_LENGTHS = struct.Struct("<II")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_MODE = 0o100644 << 16
_FASTEST = 1


class ClassArchive:
    """Writes the archive; equal class files in equal order give equal bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=_FASTEST)

    def write(self, payload: pa.Buffer) -> None:
        """Adds the class file of a CLASS_FILE frame."""
        view = memoryview(payload)
        name_length, file_length = _LENGTHS.unpack_from(view)
        start = _LENGTHS.size + name_length
        info = zipfile.ZipInfo(str(view[_LENGTHS.size : start], "utf-8"), _EPOCH)
        info.create_system = _UNIX
        info.external_attr = _MODE
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, view[start : start + file_length], compresslevel=_FASTEST)

    def close(self) -> FileFacts:
        """Ends the archive and returns its size and hash."""
        self._zip.close()
        return FileFacts(self._path.stat().st_size, file_sha256(self._path))

    def abandon(self) -> None:
        """Closes the file, which is not to be kept."""
        self._zip.close()
