"""The bytecodes of class files, as the JDK's own disassembler lists them."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from oracle.toolchain import BRIEF

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from oracle.toolchain import Jdk

__all__ = ["list_opcodes", "parse_listing"]

_CLASS = re.compile(r"^(?:[a-z].* )?(?:class|interface) ([\w.$]+).*\{$")
_METHOD = re.compile(r"^  (?:\S.* )?([\w.$<>]+)\(.*\).*;$")
_INSTRUCTION = re.compile(r"^ +(\d+): ([a-z]\w*)")
_WIDE = re.compile(r"^(?!ldc|goto|jsr)\w+_w$")  # the disassembler's way to write `wide iload`

Listing = dict[tuple[str, str, str], dict[int, str]]


def list_opcodes(jdk: Jdk, classes: Path, names: Iterable[str]) -> Listing:
    """Returns the mnemonic at each offset of each method: by class, name, descriptor.

    Args:
        jdk: whose `javap` is run.
        classes: the folder with the class files.
        names: classes in JVM form.
    """
    dotted = [name.replace("/", ".") for name in sorted(set(names))]
    command = [jdk.tool("javap"), *BRIEF, "-c", "-p", "-s", "-cp", str(classes), *dotted]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return parse_listing(listed.stdout)


def parse_listing(text: str) -> Listing:
    """Returns what `javap -c -p -s` printed.

    >>> lines = ["final class p.A {", "  p.A();", "    descriptor: ()V", "    Code:",
    ...          "       0: iload_w  300", "       4: return"]
    >>> parse_listing("\\n".join(lines))
    {('p/A', '<init>', '()V'): {0: 'wide', 4: 'return'}}
    """
    listing: Listing = {}
    class_name = method = ""
    code: dict[int, str] = {}
    for line in text.splitlines():
        if found := _CLASS.match(line):
            class_name = found[1]
        elif line == "  static {};":
            method = "<clinit>"
        elif found := _METHOD.match(line):
            method = "<init>" if found[1] == class_name else found[1]
        elif line.startswith("    descriptor: "):
            code = {}
            listing[class_name.replace(".", "/"), method, line.split()[1]] = code
        elif found := _INSTRUCTION.match(line):
            code[int(found[1])] = "wide" if _WIDE.match(found[2]) else found[2]
    return {method: offsets for method, offsets in listing.items() if offsets}
