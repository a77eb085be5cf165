"""Files in a VM's directory for temporary files, which go also where the VM has ended."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmscope.watch.machines import JavaVm

__all__ = ["removing"]


@contextmanager
def removing(vm: JavaVm, name: str) -> Iterator[Path]:
    """Yields the path of a file or directory in the VM's ``/tmp``; the block's end removes it.

    A path that goes through the VM's root leads nowhere once the VM has ended.

    Raises:
        OSError: the VM has ended, or has no such directory.
    """
    directory = os.open(vm.root / "tmp", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield vm.root / "tmp" / name
    finally:
        try:
            os.unlink(name, dir_fd=directory)
        except IsADirectoryError:
            shutil.rmtree(name, ignore_errors=True, dir_fd=directory)
        except OSError:  # it was never made
            pass
        finally:
            os.close(directory)
