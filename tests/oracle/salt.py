"""The JDK's immutable collections with the salt that a deterministic recording gives them.

`Set.of` and `Map.of` order their elements by a salt taken from the clock when the VM starts, so
the class library runs other code each time. The oracles run with the recording's constant, put
in place of the call of `System.nanoTime` (both instructions take three bytes).
"""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.toolchain import BRIEF, alone, digest, run_tool

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

__all__ = ["salted_class"]

SALT = 1_234_567_891_234  # as in the agent's JdkEdits
_CLASS = "java/util/ImmutableCollections"
_INVOKESTATIC = 0xB8
_LDC2_W = 0x14
# JVMS 4.4: bytes of a constant after its tag
_SIZES = {7: 2, 8: 2, 16: 2, 19: 2, 20: 2, 15: 3, 5: 8, 6: 8}


def _constants(data: bytes) -> tuple[dict[int, bytes], int]:
    """The constants by index, tag included, and the offset after the last."""
    (count,) = struct.unpack_from(">H", data, 8)
    constants = {}
    at, index = 10, 1
    while index < count:
        tag = data[at]
        size = 2 + struct.unpack_from(">H", data, at + 1)[0] if tag == 1 else _SIZES.get(tag, 4)
        constants[index] = data[at : at + 1 + size]
        at += 1 + size
        index += 2 if tag in (5, 6) else 1
    return constants, at


def _text(constants: dict[int, bytes], index: int) -> str:
    return constants[index][3:].decode()


def _method_index(constants: dict[int, bytes], owner: str, name: str) -> int:
    for index, constant in constants.items():
        if constant[0] == 10:
            class_index, pair = struct.unpack_from(">HH", constant, 1)
            (owner_index,) = struct.unpack_from(">H", constants[class_index], 1)
            (name_index,) = struct.unpack_from(">H", constants[pair], 1)
            if (_text(constants, owner_index), _text(constants, name_index)) == (owner, name):
                return index
    msg = f"{owner}.{name} is not called"
    raise ValueError(msg)


def _with_salt(data: bytes) -> bytes:
    constants, end = _constants(data)
    (count,) = struct.unpack_from(">H", data, 8)
    clock = _method_index(constants, "java/lang/System", "nanoTime")
    call = struct.pack(">BH", _INVOKESTATIC, clock)
    if data.count(call, end) != 1:
        msg = f"{data.count(call, end)} calls of nanoTime, expected 1"
        raise ValueError(msg)
    rest = data[end:].replace(call, struct.pack(">BH", _LDC2_W, count))
    constant = struct.pack(">Bq", 5, SALT)
    return data[:8] + struct.pack(">H", count + 2) + data[10:end] + constant + rest


def salted_class(jdk: Jdk, build: Path) -> Path:
    """This JDK's class file of the class that takes the salt, with the constant."""
    path = build / f"salt-{jdk.version}-{digest([jdk.home / 'release'], str(jdk.home))}.class"
    if path.exists():
        return path
    with alone(path), tempfile.TemporaryDirectory(dir=build) as folder:
        if path.exists():
            return path
        include = f"--include=regex:.*/{_CLASS}.class"
        modules = str(jdk.home / "lib" / "modules")
        run_tool([jdk.tool("jimage"), *BRIEF, "extract", f"--dir={folder}", include, modules])
        made = Path(folder) / "made.class"
        extracted = Path(folder) / "java.base" / f"{_CLASS}.class"
        made.write_bytes(_with_salt(extracted.read_bytes()))
        made.replace(path)
    return path
