"""Says why `--from` counted nothing: the method that should start it was never entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.actions.run_rows import rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["tell_unstarted"]

_OF_JDK = ("java.", "jdk.")  # modules


def tell_unstarted(run: Path, start_at: str | None, console: Console) -> None:
    """Warns that a run has no counts because METHOD was never entered, and why if it is known.

    Raises:
        RunError: the directory is not a run, or its tables cannot be read.
    """
    from jvmscope.schema.manifest import read_manifest

    if start_at is None:
        return
    context = read_manifest(run).tables.get("context")
    if context is not None and context.rows == 0:
        why = _why(run, *_parts(start_at))
        console.warn(f"--from {start_at}: nothing was counted: {why}")


def _parts(text: str) -> tuple[str, str]:
    """Returns the class and what names the method, as the recorder reads them.

    >>> _parts("app.Main.run"), _parts("app/Main.run(La.B;)V")
    (('app/Main', 'run'), ('app/Main', 'run(La/B;)V'))
    """
    head, parenthesis, tail = text.replace("/", ".").partition("(")
    class_name, _, name = head.rpartition(".")
    return class_name.replace(".", "/"), name + (parenthesis + tail).replace(".", "/")


def _why(run: Path, class_name: str, method: str) -> str:
    from jvmscope.errors import did_you_mean

    shown = _dotted(class_name)
    classes = rows_of(run, "class", ["class_id", "name", "module"])
    found = [row for row in classes if row["name"] == class_name]
    if not found:
        meant = did_you_mean(shown, {_dotted(row["name"]) for row in classes})
        return "; ".join(filter(None, [f"no class {shown} was loaded", meant]))
    if all((row["module"] or "").startswith(_OF_JDK) for row in found):
        return "counting starts in methods of the program, and this one is the JDK's"
    ids = {row["class_id"] for row in found}
    methods = rows_of(run, "method", ["class_id", "name", "descriptor"])
    own = [row for row in methods if row["class_id"] in ids]
    if any(method in (row["name"], row["name"] + row["descriptor"]) for row in own):
        return "it was never entered, or its class is not instrumented"
    name = max(
        (row["name"] for row in own if method.startswith(f"{row['name']}(")), key=len, default=None
    )
    if name is not None:
        others = {row["descriptor"] for row in own if row["name"] == name}
        return f"{name} has other descriptors: {', '.join(sorted(others))}"
    meant = did_you_mean(method, {row["name"] for row in own})
    return "; ".join(filter(None, [f"{shown} has no method {method}", meant]))


def _dotted(class_name: str) -> str:
    return class_name.replace("/", ".")
