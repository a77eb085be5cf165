"""File systems of ``fsspec``, reached by a URL, with errors that say which."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from jvmscope.errors import JvmscopeError, SuiteError
from jvmscope.extras import extra

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["opened", "reached"]


def opened(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it.

    Raises:
        ImportError: the file system needs a package that is not installed.
        ValueError: there is no such file system.
    """
    core: Any = extra("a URL", "fsspec.core")  # has no types
    fs, root = core.url_to_fs(url)
    return fs, str(root).rstrip("/")


@contextlib.contextmanager
def reached(url: str) -> Iterator[tuple[Any, str]]:
    """Lends the file system of a URL, and the path in it.

    Raises:
        SuiteError: whatever goes wrong with it: its errors are of no common class.
    """
    try:
        fs, root = opened(url)
        fs.invalidate_cache()  # others write there, too
        yield fs, root
    except JvmscopeError:
        raise
    except Exception as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise SuiteError(f"{url}: {said[0]}") from error
