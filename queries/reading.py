"""The files that a query may read: those in directories that whoever asks has allowed."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.trees.parsing import parse_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["Files", "readable_directories"]

_MAX_BYTES = 256 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def readable_directories(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Returns directories by their real paths.

    Raises:
        QueryError: one is not a directory.
    """
    real = tuple(Path(os.path.realpath(path)) for path in paths)
    for path, given in zip(real, paths, strict=True):
        if not path.is_dir():
            raise QueryError(f"{given} is not a directory, so no query can be allowed to read it")
    return real


class Files:
    """What one query reads of the file system; whatever does not work raises an OSError.

    A file is in an allowed directory or in none: neither ``..`` nor a symbolic link leads out,
    not even one that is made while the file is opened.

    Args:
        allowed: real paths of directories.
        folder: what relative URIs are relative to.
    """

    def __init__(self, allowed: Sequence[Path], folder: Path) -> None:
        self._allowed = allowed
        self._folder = folder
        self._documents: dict[Path, Node] = {}

    def document(self, uri: str) -> Node:
        """Returns the document of an XML file, the same node each time.

        Nothing that the file refers to is read: no external entity, no DTD.

        Raises:
            OSError: it cannot be read, or may not be.
            XmlError: it is not XML, or holds too much.
        """
        return self._document(self._path(uri))

    def text(self, uri: str, encoding: str | None) -> str:
        """Returns the text of a file.

        Args:
            uri: the file's.
            encoding: its encoding, unless a byte order mark says another; None: UTF-8.

        Raises:
            OSError: it cannot be read, or may not be.
            UnicodeError: it is in another encoding.
        """
        octets = self._octets(self._path(uri))
        marked = next((name for mark, name in _BOMS if octets.startswith(mark)), None)
        return octets.decode(marked or encoding or "utf-8")

    def collection(self, uri: str) -> list[Node]:
        """Returns the documents of a directory's XML files, in the order of their names.

        Their names end in ``.xml``, or are such as a query ``?select=*.svg`` of the URI says;
        links that lead out are left out.
        """
        return [self._document(path) for path in self._members(uri)]

    def uri_collection(self, uri: str) -> list[str]:
        """Returns the URIs of what is in a collection."""
        return [path.as_uri() for path in self._members(uri)]

    def _document(self, path: Path) -> Node:
        if path not in self._documents:
            self._documents[path] = parse_document(self._octets(path), path.as_uri())
        return self._documents[path]

    def _members(self, uri: str) -> list[Path]:
        place, _, query = uri.partition("?")
        pattern = parse_qs(query).get("select", ["*.xml"])[0]
        directory = self._path(place)
        descriptor = self._open(directory, os.O_DIRECTORY)
        try:
            names = os.listdir(descriptor)  # noqa: PTH208 - by its descriptor
        finally:
            os.close(descriptor)
        chosen = [name for name in sorted(names) if fnmatchcase(name, pattern)]
        paths = [Path(os.path.realpath(directory / name)) for name in chosen]
        return [path for path in paths if self._root(path) is not None and path.is_file()]

    def _path(self, uri: str) -> Path:
        """Returns the real path of a file that may be read, whether it is there or not."""
        parts = urlsplit(uri)
        if parts.scheme not in {"", "file"} or parts.netloc not in {"", "localhost"}:
            raise OSError("a query can only read files")
        if parts.query or parts.fragment:
            raise OSError("the URI of a file has neither ? nor #")
        name = unquote(parts.path, errors="strict")
        if "\0" in name:
            raise OSError("a file cannot have such a name")
        path = Path(os.path.realpath(self._folder / name))
        if self._root(path) is None:
            shown = ", ".join(map(str, self._allowed))
            raise PermissionError(f"it is not in a directory that may be read: {shown}")
        return path

    def _root(self, path: Path) -> Path | None:
        return next((root for root in self._allowed if path.is_relative_to(root)), None)

    def _octets(self, path: Path) -> bytes:
        descriptor = self._open(path, os.O_NONBLOCK)  # which a pipe would wait for ever
        with open(descriptor, "rb") as file:  # noqa: PTH123 - by its descriptor
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is not a file")
            octets = file.read(_MAX_BYTES + 1)
        if len(octets) > _MAX_BYTES:
            raise OSError(f"it is larger than {_MAX_BYTES >> 20} MiB")
        return octets

    def _open(self, path: Path, flags: int) -> int:
        """Opens a real path step by step from an allowed directory, through no link."""
        root = self._root(path)
        assert root is not None  # noqa: S101 - else it would not be a path of ours
        *above, last = (str(root), *path.relative_to(root).parts)
        at = None
        try:
            with ExitStack() as opened:
                for step in above:
                    at = os.open(step, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=at)
                    opened.callback(os.close, at)
                return os.open(last, os.O_RDONLY | os.O_NOFOLLOW | flags, dir_fd=at)
        except OSError as error:
            raise _plain(error) from None


def _plain(error: OSError) -> OSError:
    """Returns an error that tells no path but the one that was asked for."""
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return FileNotFoundError("there is no such file")
    return OSError(os.strerror(error.errno or errno.EIO))
