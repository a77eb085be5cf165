"""Sample runs whose facts can be computed on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.runs import SEGMENTS, RunBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["write_empty", "write_folded", "write_shapes", "write_thrown"]


def write_shapes(run: Path, *, n_circles: int = 6, **options: Any) -> Path:
    """Writes a run of two threads.

    method           loader  executions  bytecodes
    Main.main        app              1  10 * 2 + 1 * 2 = 22
    Circle.area      app              6  6 * 2 = 12
    Square.area      app              4  4 * 1 = 4
    Main.log         app              1  1 * 1 = 1
    List.add         boot             5  5 * 2 = 10
    List.grow        boot             5  5 * 1 = 5

    The interface call of main reaches two targets, 6 and 4 times; its virtual call one, once.
    The virtual call of List.add, in the thread ``worker``, reaches one target, 5 times.
    Receivers are of the class that declares the target; the table is a probe's.
    """
    builder = RunBuilder()
    main = builder.method(
        "app/Main",
        "main",
        "([Ljava/lang/String;)V",
        is_static=True,
        blocks=[
            ["invokeinterface app/Shape.area:()D", "ifeq"],
            ["invokevirtual app/Main.log:()V", "return"],
        ],
    )
    log = builder.method("app/Main", "log", blocks=[["return"]])
    circle = builder.method("app/Circle", "area", "()D", blocks=[["dmul", "dreturn"]])
    square = builder.method("app/Square", "area", "()D", blocks=[["dreturn"]])
    add = builder.method(
        "java/util/List",
        "add",
        loader="boot",
        blocks=[["invokevirtual java/util/List.grow:()V", "return"]],
    )
    grow = builder.method("java/util/List", "grow", loader="boot", blocks=[["return"]])
    node = builder.thread("main").call(main, blocks=[10, 1])
    node.call(circle, site=0, calls=n_circles, receivers={"app/Circle": n_circles})
    node.call(square, site=0, calls=4, receivers={"app/Square": 4})
    node.call(log, site=1, receivers={"app/Main": 1})
    adding = builder.thread("worker", is_daemon=True).call(add, calls=5)
    adding.call(grow, site=0, calls=5, receivers={"java/util/List": 5})
    return builder.write(run, **options)


def write_folded(run: Path, limits: Sequence[str] = ("the memory limit was reached",)) -> Path:
    """Writes a run in which a recursion is folded.

    main calls f once, and f calls itself 9 times at its virtual call: f executes 10 times, and
    is the only target of two call sites, reached once and 9 times.
    """
    builder = RunBuilder()
    main = builder.method(
        "app/Main", "main", blocks=[["invokevirtual app/F.f:()V", "return"]], is_static=True
    )
    f = builder.method("app/F", "f", blocks=[["invokevirtual app/F.f:()V", "return"]])
    node = builder.thread("main").call(main).call(f, site=0, calls=10)
    node.fold(node, site=0, calls=9)
    return builder.write(run, limits=list(limits))


def write_thrown(run: Path, *, probes: Sequence[str] = (*SEGMENTS, "receiver")) -> Path:
    """Writes a run of two threads in which instructions throw in the middle of blocks.

    method     loader  calls  bytecodes by segments            by whole blocks
    Main.main  app         1  5 + 2, 3 * 2, 1           = 14   5 * 2 + 3 * 2 + 1 = 17
    Main.pick  app         5  5 * 3 + 3 + 3 + 2, 2      = 25   5 * 6 + 2         = 32
    List.add   boot        3  3 + 2 + 2 + 2             =  9   3 * 4             = 12
    the same, in worker    4  4 + 3 + 3 + 2             = 12   4 * 4             = 16
    List.grow  boot    2 + 3  2 + 3                     =  5                        5
                                                          65                       82

    Main.pick throws twice at its array and once below its virtual call, in List.add.
    """
    builder = RunBuilder()
    main = builder.method(
        "app/Main",
        "main",
        "([Ljava/lang/String;)V",
        is_static=True,
        blocks=[["invokestatic app/Main.pick:()I!", "goto"], ["pop", "goto"], ["return"]],
    )
    picking = ["aload_0", "iload_1", "iaload!", "new java/lang/Integer!"]
    pick = builder.method(
        "app/Main",
        "pick",
        "()I",
        is_static=True,
        blocks=[[*picking, "invokevirtual java/util/List.add:()V!", "ifeq"], ["ireturn"]],
    )
    add = builder.method(
        "java/util/List",
        "add",
        loader="boot",
        blocks=[["arraylength!", "invokevirtual java/util/List.grow:()V!", "aastore!", "return"]],
    )
    grow = builder.method("java/util/List", "grow", loader="boot", blocks=[["return"]])
    node = builder.thread("main").call(main, blocks=[5, 3, 1], thrown={(0, 0): 3})
    picked = node.call(pick, site=0, calls=5, blocks=[5, 2], thrown={(0, 0): 2, (0, 2): 1})
    received = {"java/util/List": 3}
    added = picked.call(add, site=0, calls=3, receivers=received, thrown={(0, 0): 1})
    added.call(grow, site=0, calls=2, receivers={"java/util/List": 2})
    adding = builder.thread("worker").call(add, calls=4, thrown={(0, 0): 1, (0, 2): 1})
    adding.call(grow, site=0, calls=3, receivers={"java/util/List": 3})
    return builder.write(run, probes=probes)


def write_empty(run: Path) -> Path:
    """Writes a run in which nothing was loaded and nothing ran."""
    return RunBuilder().write(run)
