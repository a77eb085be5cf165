"""``jvmscope export``: a run in another form."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from jvmscope.options import RUN, console_options

if TYPE_CHECKING:
    from jvmscope.console import Console

__all__ = ["command"]


@click.command("export")
@click.argument("run", type=RUN)
@click.argument("form_at", metavar="FORMAT", type=click.Choice(["xml"]))
@click.option(
    "-o",
    "--output",
    "directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory for cct.xml and classes.xml.  [default: RUN/xml]",
)
@click.option(
    "--form",
    type=click.Choice(["nested", "flat"]),
    default="nested",
    help="Contexts inside their parents, or one after the other: many XML tools refuse trees "
    "deeper than 2,048.  [default: nested]",
)
@click.option("--force", is_flag=True, help="Replace files that exist.")
@console_options
def command(
    *,
    run: Path,
    form_at: str,  # noqa: ARG001 - there is one so far
    directory: Path | None,
    form: Literal["nested", "flat"],
    force: bool,
    console: Console,
) -> int:
    """Write RUN as XML: its calling context trees and its classes.

    \b
    jvmscope export app.run xml
    jvmscope export app.run xml -o view --form flat
    """
    from jvmscope.cli import DONE
    from jvmscope.errors import RunError
    from jvmscope.schema import read_manifest
    from jvmscope.schema.xml import export_xml

    read_manifest(run)  # what is no run gets no directory
    target = run / "xml" if directory is None else directory
    files = (target / "cct.xml", target / "classes.xml")
    for file in files:
        if file.exists() and not force:
            raise RunError(f"{file}: exists already; --force replaces it")
    is_new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        with console.task("writing XML") as update:
            export_xml(run, *files, form, lambda _stage, done, total: update(done, total))
    except OSError as error:
        raise RunError(f"{target}: cannot be written: {error.strerror or error}") from None
    finally:
        if is_new:
            with suppress(OSError):  # it has files, or was never made
                target.rmdir()
    for file in files:
        console.wrote(file)
    return DONE
