"""Fixtures of the unit tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.samples import write_shapes

from jvmscope.queries import Engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that tests only read."""
    return write_shapes(tmp_path_factory.mktemp("runs") / "shapes.run")


@pytest.fixture(scope="session")
def opened(shapes: Path) -> Iterator[Engine]:
    """That run, opened once."""
    with Engine(shapes) as engine:
        yield engine
