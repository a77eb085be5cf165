"""Fixtures of more than one file of these tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import jdks

if TYPE_CHECKING:
    from oracle.toolchain import Jdk


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def jdk(request: pytest.FixtureRequest) -> Jdk:
    """Each JDK in turn."""
    found: Jdk = request.param
    return found
