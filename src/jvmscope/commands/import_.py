"""``jvmscope import``: a run from XML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from jvmscope.cli.click_options import LOCAL_PLACE, console_options

if TYPE_CHECKING:
    from jvmscope.output.console import Console

__all__ = ["command"]

_FILE = click.Path(path_type=Path)


@click.command("import")
@click.argument("cct", type=_FILE, metavar="CCT.xml")
@click.argument("classes", type=_FILE, metavar="CLASSES.xml")
@click.option("-o", "--output", "run", type=LOCAL_PLACE, required=True, help="The run to write.")
@click.option("--force", is_flag=True, help="Replace an existing run.")
@console_options
def command(*, cct: Path, classes: Path, run: Path, force: bool, console: Console) -> int:
    """Make a run from its XML view.

    The files may be written by jvmscope export or by another program.

    \b
    jvmscope import xml/cct.xml xml/classes.xml -o copy.run
    """
    from jvmscope.cli import DONE
    from jvmscope.schema.xml import import_xml

    with console.task("reading XML") as update:
        import_xml(
            cct, classes, run, lambda _stage, done, total: update(done, total), is_forced=force
        )
    console.wrote(run)
    return DONE
