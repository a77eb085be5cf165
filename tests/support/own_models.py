"""A cost model of one's own, for what takes the file of one."""

from __future__ import annotations

from pathlib import Path

from jvmscope.queries import costs

__all__ = ["write_own_model"]

_MODELS = Path(costs.__file__).parent / "models"


def write_own_model(file: Path) -> Path:
    """Writes the default model, but a return takes a thousand cycles."""
    text = (_MODELS / "jop-2008-07.toml").read_text(encoding="utf-8")
    dear = text.replace("\nreturn = ", "\nreturn = 1000 # ")
    assert dear != text
    file.write_text(dear, encoding="utf-8")
    return file
