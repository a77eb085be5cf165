"""Files in the VM's directory for temporary files do not outlive it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from jvmscope.watch.vm_files import removing


@pytest.mark.parametrize("is_directory", [False, True])
@pytest.mark.parametrize("has_ended", [False, True])
def test_they_go_where_the_vm_has_ended(
    tmp_path: Path, *, is_directory: bool, has_ended: bool
) -> None:
    """GIVEN a root by way of a process, as that of a VM."""
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(["sleep", "60"], cwd=tmp_path) as process:
        vm = SimpleNamespace(root=Path(f"/proc/{process.pid}/cwd"))
        with removing(vm, "own") as path:  # type: ignore[arg-type]
            if is_directory:
                path.mkdir()
                (path / "file").touch()
            else:
                path.touch()
            assert (tmp_path / "tmp" / "own").exists()
            if has_ended:
                process.kill()
                process.wait()
                assert not path.exists()
        process.kill()

    assert list((tmp_path / "tmp").iterdir()) == []
