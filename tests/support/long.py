"""Whether tests may take long: ``make test-long`` sets ``JVMSCOPE_TEST_LONG``."""

from __future__ import annotations

import os

__all__ = ["IS_LONG"]

IS_LONG = bool(os.environ.get("JVMSCOPE_TEST_LONG"))
"""Whether whole products of cases are tested, or a small part of each that stands for it."""
