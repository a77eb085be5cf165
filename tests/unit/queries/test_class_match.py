"""Which classes of a watch run are the recorded ones, by content where it is known."""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from oracle.classwriter import ClassWriter, Code
from support.runs import RunBuilder
from support.watched_rows import write_watched

from jvmscope.queries import Engine
from jvmscope.schema.class_content import code_sha256

if TYPE_CHECKING:
    from pathlib import Path

_BUILD = "17.0.1+1"
_ALL = "SELECT class_name, matched_by, known_by, reason FROM class_match ORDER BY class_name"
_NO_FILE = "no file of it was found on the class path or module path"
_PATH, _MODULES, _VM = "the class path", "the module path", "the VM"


def _class(name: str, *methods: str) -> bytes:
    writer = ClassWriter(name, major=49)
    for method in methods:
        writer.method(method, "()V", Code(0, 0).op("return"))
    return writer.to_bytes()


def _recorded(run: Path, *classes: tuple[str, str]) -> Path:
    """Classes of loaders, each with methods ``a`` and ``b``."""
    builder = RunBuilder()
    methods = [builder.method(name, "a", loader=loader, blocks=[["return"]])
               for loader, name in classes]  # fmt: skip
    root = builder.thread("main")
    for method in methods:
        root.call(method)
    builder.write(run, jvm={"vm_version": _BUILD})
    with zipfile.ZipFile(run / "classes.zip", "w") as archive:
        for loader, name in classes:
            if name != "app/Lost":
                archive.writestr(f"{loader}/{name}.class", _class(name, "a", "b"))
    return run


def _watched(run: Path, names: list[str], content: list[tuple[Any, ...]]) -> Path:
    methods = [(number, name, "a", "()V", False) for number, name in enumerate(names)]
    write_watched(run, rows={"vm_method": methods, "class_content": content})
    return run


def _file(name: str, content: bytes, known_by: str = _PATH) -> tuple[Any, ...]:
    return name, known_by, None, "classes", hashlib.sha256(content).hexdigest(), None, None


def _in_vm(name: str, content: bytes) -> tuple[Any, ...]:
    return name, _VM, None, None, None, code_sha256(content), None


def test_each_class_says_how_it_is_known(tmp_path: Path) -> None:
    names = ["Same", "Other", "Vm", "VmOther", "Lost", "Apart", "New", "Late", "Twice", "Unseen"]
    names += ["Module"]
    same, changed = (lambda name: _class(name, "a", "b")), (lambda name: _class(name, "a"))
    both = [(_file("app/Vm", changed("app/Vm")), _in_vm("app/Vm", _class("app/Vm", "b", "a")))]
    recorded = _recorded(
        tmp_path / "a.run",
        *(("app", f"app/{name}") for name in names if name not in {"New", "Apart"}),
        ("plugin", "app/Apart"),
        ("plugin", "app/Twice"),
        ("boot", "java/lang/Object"),
    )
    watched = _watched(
        tmp_path / "a.watch",
        [f"app/{name}" for name in names] + ["java/lang/Object", "app/A$$Lambda$1+0x07/7"],
        [
            _file("app/Same", same("app/Same")),
            _file("app/Other", changed("app/Other")),
            _file("app/Module", same("app/Module"), _MODULES),
            *both[0],
            _in_vm("app/VmOther", changed("app/VmOther")),
            _in_vm("app/Lost", same("app/Lost")),
            _file("app/Apart", changed("app/Apart")),
            ("app/Late", _PATH, None, "classes", None, None, "written later"),
        ],
    )
    with Engine(watched, beside=recorded) as engine:
        found = {row[0]: row[1:] for row in engine.query(_ALL).rows()}

    assert found == {
        "app/A$$Lambda$1+0x07/7": (None, None, "a hidden class has another name in each VM"),
        "app/Apart": ("names", None, "the file that was found is not that of loader plugin"),
        "app/Late": ("names", None, "written later"),
        "app/Lost": ("names", None, "the recorded run has no class file that can be compared"),
        "app/Module": ("content", _MODULES, None),
        "app/New": (None, None, "the recorded run has no such class"),
        "app/Other": (None, _PATH, "its content is another one"),
        "app/Same": ("content", _PATH, None),
        "app/Twice": (None, None, "several loaders have a class of this name"),
        "app/Unseen": ("names", None, _NO_FILE),
        "app/Vm": ("content", _VM, None),
        "app/VmOther": (None, _VM, "its content is another one"),
        "java/lang/Object": ("names", None, "the build of a VM is not known"),
    }


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (_BUILD, ("build of the JDK", None)),
        ("17.0.2+8", (None, "it is of another build of the JDK")),
    ],
)
def test_classes_of_the_jdk_go_by_its_build(
    tmp_path: Path, build: str, expected: tuple[str | None, str | None]
) -> None:
    recorded = _recorded(tmp_path / "a.run", ("boot", "java/lang/Object"))
    rows: dict[str, list[tuple[Any, ...]]] = {
        "vm_method": [(0, "java/lang/Object", "a", "()V", False)]
    }
    write_watched(tmp_path / "a.watch", rows=rows, jvm={"vm_version": build})
    with Engine(tmp_path / "a.watch", beside=recorded) as engine:
        ((_, matched_by, _, reason),) = engine.query(_ALL).rows()

    assert (matched_by, reason) == expected


def test_a_method_of_another_class_is_not_divided(tmp_path: Path) -> None:
    """Its own code has the same size, but the class another content."""
    recorded = _recorded(tmp_path / "a.run", ("app", "app/Main"))
    rows = {
        "probe": [(0, "app.Main.a", False)],
        "probe_method": [(0, 0, 0, "app/Main", "a", "()V", None, 1, None, None)],
        "probe_time": [(0, 9, 0, None, False, 4, None, 2016, 500, 510)],
        "class_content": [_in_vm("app/Main", _class("app/Main", "a"))],
    }
    write_watched(tmp_path / "a.watch", rows=rows)
    with Engine(tmp_path / "a.watch", beside=recorded) as engine:
        query = "SELECT ns_per_call, ns_per_bytecode, matched_by, reason FROM measured_method"
        assert list(engine.query(query).rows()) == [
            (504.0, None, None, "its content is another one")
        ]
