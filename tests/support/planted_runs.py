"""Runs of programs whose objects have an outcome by a rule that is known, or by chance."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from support.runs import RunBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Rows = Mapping[str, list[dict[str, Any]]]

__all__ = ["OBJECT_TABLES", "write_program", "write_programs"]

OBJECT_TABLES = (
    *("allocation", "allocation_site", "object_lifetime", "watched_class"),
    *("object_immutability", "object_sharing", "field_zeroing"),
)
_PACKAGES = ("app/cache", "app/model", "app/view")
_SIZES = (16, 24, 32, 40, 48, 64)
_ARRAYS: dict[str, dict[str, tuple[int, ...]]] = {
    "app/cache/Value": {"[I": (16, 32)},
    "app/cache/Cell": {"[I": (40, 64), "[B": _SIZES},
    "app/model/Value": {"[I": (16, 24, 32)},
    "app/model/Cell": {"[Lapp/model/Value;": _SIZES},
    "app/view/Value": {"[I": _SIZES},
    "app/view/Cell": {"[B": _SIZES},
}
"""The arrays that each class allocates, and their sizes, two by context or several by chance.

No two conditions of the planted rule are enough, and no other feature is as good.
"""
_NURSERY = 4 << 20


def write_programs(
    folder: Path,
    n: int,
    is_short: Callable[[str, str, int, random.Random], bool] | None = None,
    *,
    without: str = "",
) -> list[Path]:
    """Writes runs of so many programs, and returns their directories."""
    return [
        write_program(folder / f"program-{seed}.run", seed, is_short, without=without)
        for seed in range(n)
    ]


def write_program(
    run: Path,
    seed: int,
    is_short: Callable[[str, str, int, random.Random], bool] | None = None,
    *,
    without: str = "",
    command: str | None = None,
) -> Path:
    """Writes a run of a program.

    Each package has methods that allocate arrays and objects of several sizes, at several depths.
    Objects of classes named ``Value`` are immutable, those named ``Cell`` shared, and the zeros of
    their int needless; numbers of objects differ from program to program.

    Args:
        run: the directory.
        seed: the program's number.
        is_short: whether objects live short, by package, type and size; None: small arrays of
            ``int`` that the package ``app/cache`` allocates do.
        without: a table that was not recorded.
        command: the program's main class; None: one of its own.
    """
    chance = random.Random(seed)  # noqa: S311
    builder = RunBuilder()
    methods = [
        builder.method(f"{package}/{name}", "make", blocks=[["new", "newarray", "return"]])
        for package in _PACKAGES
        for name in ("Value", "Cell")
    ]
    calls = [f"invokestatic {method.class_name}.make:()V" for method in methods]
    deeper = builder.method("app/Main", "deeper", blocks=[[*calls, "return"]])
    main = builder.method(
        "app/Main", "main", blocks=[["invokestatic app/Main.deeper:()V", *calls, "return"]]
    )
    top = builder.thread("main").call(main)
    for first, node in ((1, top), (0, top.call(deeper, site=0))):
        for site, method in enumerate(methods, first):
            made = node.call(method, site=site)
            for type_name, sizes in _ARRAYS[method.class_name].items():
                size = sizes[first] if len(sizes) == 2 else chance.choice(sizes)
                made.allocates(type_name, chance.randint(5, 90), size=size, instruction=1)
            size = chance.choice(_SIZES)
            made.allocates(method.class_name, chance.randint(5, 90), size=size, instruction=0)
    _derive(builder, is_short or _is_planted, chance)
    recorded = [table for table in OBJECT_TABLES if table != without]
    name = command or f"app.Program{seed}"
    return builder.write(run, probes=recorded, command=["java", name])


def _is_planted(package: str, type_name: str, size: int, _chance: random.Random) -> bool:
    return package == "app/cache" and type_name == "[I" and size <= 32


def _derive(
    builder: RunBuilder,
    is_short: Callable[[str, str, int, random.Random], bool],
    chance: random.Random,
) -> None:
    def lifetimes(rows: Rows) -> list[dict[str, Any]]:
        found = []
        for row in rows["allocation"]:
            method = rows["method"][rows["context"][row["context_id"]]["method_id"]]
            package = rows["class"][method["class_id"]]["name"].rpartition("/")[0]
            size = int(row["size_bytes"])
            lived = 4096 if is_short(package, row["type"], size, chance) else 2 * _NURSERY
            lasting = {"lifetime_bytes": lived, "sum_lifetime_bytes": lived * row["n_objects"]}
            found.append({**row, **lasting})
            del found[-1]["size_bytes"]
        return found

    def by_class(
        make: Callable[[str, int, int], dict[str, Any]],
    ) -> Callable[[Rows], list[dict[str, Any]]]:
        def rows_of(rows: Rows) -> list[dict[str, Any]]:
            return [
                {"class_id": row["class_id"], **make(row["name"], row["class_id"], 10 + number)}
                for number, row in enumerate(rows["class"])
                if not row["name"].endswith("Main")
            ]

        return rows_of

    builder.derive("object_lifetime", lifetimes)
    builder.derive("field", _fields)
    builder.derive("watched_class", by_class(_watched))
    builder.derive("object_immutability", by_class(_immutability))
    builder.derive("object_sharing", by_class(_sharing))
    builder.derive("field_zeroing", _zeroing)


def _fields(rows: Rows) -> list[dict[str, Any]]:
    """Returns a number and a reference of each class: final, with a long, or not, with an int."""
    declared = [
        (row["class_id"], descriptor, 0x12 if row["name"].endswith("Value") else 0x2)
        for row in rows["class"]
        for descriptor in ("J" if row["name"].endswith("Value") else "I", "Ljava/lang/Object;")
    ]
    return [
        {
            "field_id": field_id,
            "class_id": class_id,
            "name": "object" if descriptor[0] == "L" else "number",
            "descriptor": descriptor,
            "access_flags": flags,
            "is_static": False,
        }
        for field_id, (class_id, descriptor, flags) in enumerate(declared)
    ]


def _watched(_name: str, _class_id: int, n: int) -> dict[str, Any]:
    return {"n_objects": n, "n_unseen_objects": 0, "n_fields": 2, "n_watched_fields": 2}


def _immutability(name: str, _class_id: int, n: int) -> dict[str, Any]:
    n_immutable = n if name.endswith("Value") else 0
    return {"n_objects": n, "n_immutable": n_immutable, "n_mutable": n - n_immutable}


def _sharing(name: str, _class_id: int, n: int) -> dict[str, Any]:
    """Shares all objects of classes named ``Cell``, but of one class it is not known of which."""
    is_shared = name.endswith("Cell")
    is_unknown = name == "app/view/Value"
    return {
        "n_objects": n,
        "n_partially_read_shared": 1 if is_unknown else 0,
        "n_fully_read_shared": n if is_shared else 0,
        "n_partially_write_shared": 1 if is_unknown else 0,
        "n_fully_write_shared": 0,
    }


def _zeroing(rows: Rows) -> list[dict[str, Any]]:
    return [
        {
            "field_id": row["field_id"],
            "n_objects": 20,
            "n_read_first": 0 if row["descriptor"] == "I" else 20,
            "n_written_first": 20 if row["descriptor"] == "I" else 0,
        }
        for row in rows["field"]
    ]
