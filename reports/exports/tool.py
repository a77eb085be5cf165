"""What exports call the program that wrote them."""

from importlib.metadata import version

__all__ = ["TOOL"]

TOOL = f"jvmscope@{version('jvmscope')}"
"""Name and version, as ``jvmscope@0.1.0``."""
