"""Class files that javac does not make, and what their bytecodes must count.

The programs `OldClasses`, `EntryLoops` and `HugeMethods` call them; `EXPECTED` holds the counts
that those calls cause, worked out by hand.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from oracle.classwriter import ClassWriter, Code, Member

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["expected_counts", "write_classes"]

Expected = dict[tuple[str, str], dict[int, int]]


def _tick(owner: str) -> Member:
    return Member(owner, "tick", "(I)I")


def _add_tick(writer: ClassWriter) -> None:
    """Adds ``static int tick(int n) { return n + 1; }``."""
    code = Code(max_stack=2, max_locals=1)
    writer.method("tick", "(I)I", code.op("iload_0").op("iconst_1").op("iadd").op("ireturn"))


def _jsr(expected: Expected) -> ClassWriter:
    """Version 48: two calls of a subroutine that calls another one, by jsr and jsr_w."""
    writer = ClassWriter("HandJsr", major=48)
    _add_tick(writer)
    code = Code(max_stack=2, max_locals=4)
    code.op("iload_0").op("ifle", "small")
    code.op("jsr", "outer").label("back").op("iload_0").op("ireturn")
    code.label("small").op("jsr_w", "outer").op("jsr", "outer")
    code.op("iload_0").op("ineg").op("ireturn")
    code.label("outer").op("astore_1").op("jsr", "inner").op("iinc", 0, 10)
    code.op("jsr", "inner").op("ret", 1)
    code.label("inner").op("astore_2").op("iload_0").op("invokestatic", _tick("HandJsr"))
    code.op("istore_0").op("ret", 2)
    writer.method("twice", "(I)I", code)
    # called with 1 (one outer) and with 0 and -5 (two each)
    expected["HandJsr", "twice"] = {
        0: 3,
        code.offset("back"): 1,
        code.offset("small"): 2,
        code.offset("outer"): 5,
        code.offset("inner"): 10,
    }
    caught = Code(max_stack=2, max_locals=3)
    caught.label("try").op("bipush", 10).op("iload_0").op("idiv").op("istore_0")
    caught.label("end").op("jsr", "finally").op("iload_0").op("ireturn")
    caught.label("handler").op("astore_1").op("jsr", "finally").op("aload_1").op("athrow")
    caught.label("finally").op("astore_2").op("iinc", 0, 100).op("ret", 2)
    caught.catch("try", "end", "handler")
    writer.method("divide", "(I)I", caught)
    # called with 5 and 0
    expected["HandJsr", "divide"] = {
        0: 2,
        caught.offset("end") - 1: 1,
        caught.offset("handler"): 1,
        caught.offset("finally"): 2,
    }
    return writer


def _wide_ret(expected: Expected) -> ClassWriter:
    """Version 48: a subroutine that ends with `wide ret`, behind which no code runs."""
    writer = ClassWriter("HandWideRet", major=48)
    _add_tick(writer)
    code = Code(max_stack=2, max_locals=301)
    code.op("jsr", "subroutine").label("back").op("iload_0").op("ireturn")
    code.label("subroutine").op("wide", "astore", 300).op("iload_0")
    code.op("invokestatic", _tick("HandWideRet")).op("istore_0").op("wide", "ret", 300)
    code.label("dead").op("iinc", 0, 1).op("goto", "back")
    writer.method("next", "(I)I", code)
    # called with 1 and 2
    expected["HandWideRet", "next"] = {
        0: 2,
        code.offset("back"): 2,
        code.offset("subroutine"): 2,
        code.offset("dead"): 0,
    }
    return writer


def _no_frames(expected: Expected) -> ClassWriter:
    """Version 49: no stack maps, with wide, goto_w, ldc_w, both switches and dead code."""
    writer = ClassWriter("HandNoFrames", major=49)
    _add_tick(writer)
    code = Code(max_stack=3, max_locals=300)
    code.op("ldc_w", 1_000_000).op("wide", "istore", 299)
    code.label("loop").op("iload_0").op("tableswitch", 1, "other", "one", "two")
    code.label("one").op("wide", "iinc", 299, 1000).op("goto_w", "next")
    code.label("dead").op("iconst_0").op("pop").op("goto", "next")
    code.label("two").op("wide", "iload", 299).op("invokestatic", _tick("HandNoFrames"))
    code.op("wide", "istore", 299)
    code.label("next").op("iinc", 0, -1).op("goto", "loop")
    code.label("other").op("iload_0").op("lookupswitch", "end", -7, "minus", 4, "two")
    code.label("minus").op("wide", "iinc", 299, -1)
    code.label("end").op("wide", "iload", 299).op("ireturn")
    writer.method("run", "(I)I", code)
    # called with 4 (4 to two, then 3: end), 2 (two, one, then 0: end) and -7
    expected["HandNoFrames", "run"] = {
        0: 3,
        code.offset("loop"): 6,
        code.offset("one"): 1,
        code.offset("dead"): 0,
        code.offset("two"): 2,
        code.offset("next"): 3,
        code.offset("other"): 4,
        code.offset("minus"): 1,
        code.offset("end"): 3,
    }
    return writer


def _handlers(expected: Expected) -> ClassWriter:
    """Version 49: a handler that protects itself, ranges that start and end inside blocks."""
    writer = ClassWriter("HandHandlers", major=49)
    _add_tick(writer)
    code = Code(max_stack=2, max_locals=1)
    code.op("iinc", 0, 0).label("try").op("aconst_null").op("athrow")
    code.label("handler").op("pop").op("iinc", 0, -1).op("iload_0").op("ifle", "out")
    code.op("aconst_null").op("athrow").label("end")
    code.label("out").op("iload_0").op("ireturn")
    code.catch("try", "end", "handler", "java/lang/NullPointerException")
    writer.method("again", "(I)I", code)
    # called with 5
    expected["HandHandlers", "again"] = {
        0: 1,
        code.offset("try"): 1,
        code.offset("handler"): 5,
        code.offset("end") - 1: 4,
        code.offset("out"): 1,
    }
    middle = Code(max_stack=3, max_locals=2)
    middle.op("iload_0").op("istore_1").op("bipush", 60)
    middle.label("first").op("iload_0").op("idiv")
    middle.label("second").op("iload_0").op("iconst_2").op("isub").op("idiv")
    middle.label("third").op("invokestatic", _tick("HandHandlers")).op("ireturn")
    middle.label("one").op("pop").op("iconst_m1").op("ireturn")
    middle.label("two").op("pop").op("bipush", 99).op("ireturn")
    middle.catch("first", "second", "one").catch("second", "third", "two")
    writer.method("middle", "(I)I", middle)
    # called with 3, 0, 2
    expected["HandHandlers", "middle"] = {
        0: 3,
        middle.offset("first"): 3,
        middle.offset("second"): 2,
        middle.offset("third"): 1,
        middle.offset("one"): 1,
        middle.offset("two"): 1,
    }
    return writer


def _stack(expected: Expected) -> ClassWriter:
    """Version 49: values of two slots shuffled, a new object that is stored before its <init>."""
    writer = ClassWriter("HandStack", major=49)
    shuffle = Code(max_stack=5, max_locals=1)
    shuffle.op("iload_0").op("i2l").op("iload_0").op("dup_x2").op("pop")  # int, long
    shuffle.op("dup2_x1").op("l2i").op("swap").op("isub").op("i2l").op("lxor")  # long
    shuffle.op("dup2").op("pop2").op("l2i").op("bipush", 7).op("dup_x1")
    shuffle.op("iadd").op("swap").op("isub").op("ineg").op("ireturn")
    writer.method("shuffle", "(I)I", shuffle)
    # called with 4
    expected["HandStack", "shuffle"] = {0: 1}
    made = Code(max_stack=4, max_locals=2)
    init = Member("java/lang/StringBuilder", "<init>", "(I)V")
    capacity = Member("java/lang/StringBuilder", "capacity", "()I")
    made.op("new", "java/lang/StringBuilder").op("dup").op("astore_1")
    made.op("iload_0").op("ifle", "small").op("iload_0").op("goto", "make")
    made.label("small").op("bipush", 8)
    made.label("make").op("invokespecial", init)
    made.op("aload_1").op("invokevirtual", capacity).op("ireturn")
    writer.method("make", "(I)I", made)
    # called with 20 and -1
    expected["HandStack", "make"] = {0: 2, made.offset("small"): 1, made.offset("make"): 2}
    return writer


def _entry_loop(name: str, major: int, expected: Expected) -> ClassWriter:
    """The first instruction is a branch target: its count is not the number of calls."""
    frame = major > 49
    writer = ClassWriter(name, major=major)
    _add_tick(writer)
    code = Code(max_stack=2, max_locals=1)
    code.label("entry", frame=frame).op("iload_0").op("ifle", "end")
    code.op("iload_0").op("iconst_2").op("isub").op("invokestatic", _tick(name)).op("istore_0")
    code.op("goto", "entry")
    code.label("end", frame=frame).op("iload_0").op("ireturn")
    writer.method("down", "(I)I", code)
    # called with 5, 0 and 1
    expected[name, "down"] = {0: 9, 4: 6, code.offset("end"): 3}
    again = Code(max_stack=2, max_locals=1)
    again.label("entry", frame=frame).op("iinc", 0, -1).op("iload_0").op("ifge", "entry")
    again.op("iload_0").op("ireturn")
    writer.method("again", "(I)I", again)
    # called with 3: one block of its own, four times
    expected[name, "again"] = {0: 4, 7: 1}
    recurse = Code(max_stack=2, max_locals=1)
    recurse.label("entry", frame=frame).op("iload_0").op("ifle", "end")
    recurse.op("iinc", 0, -1).op("iload_0").op("invokestatic", Member(name, "recurse", "(I)I"))
    recurse.op("pop").op("goto", "entry")
    recurse.label("end", frame=frame).op("iload_0").op("ireturn")
    writer.method("recurse", "(I)I", recurse)
    # called with 3: 8 calls (1, 2, 4, 8), each but the first from one turn of a loop
    expected[name, "recurse"] = {0: 15, 4: 7, recurse.offset("end"): 8}
    return writer


def _huge(expected: Expected) -> ClassWriter:
    """Methods of nearly 64 KB: of branches, of calls, and of one straight block."""
    writer = ClassWriter("HandHuge", major=61)
    _add_tick(writer)
    branches = Code(max_stack=2, max_locals=1)
    for i in range(5900):
        branches.op("iload_0").op("iconst_1").op("iadd").op("istore_0").op("iload_0")
        branches.op("ifgt", f"next{i}").op("iinc", 0, 5).label(f"next{i}", frame=True)
    branches.op("iload_0").op("ireturn")
    writer.method("branches", "(I)I", branches)
    # called with 0 and -10: 6, 1 more and 5 more reach 2 in the second chunk
    last = branches.offset("next5899")
    expected["HandHuge", "branches"] = {0: 2, 8: 1, 19: 1, 30: 0, last: 2}
    calls = Code(max_stack=1, max_locals=1)
    for _ in range(13000):
        calls.op("iload_0").op("invokestatic", _tick("HandHuge")).op("istore_0")
    calls.op("iload_0").op("ireturn")
    writer.method("calls", "(I)I", calls)
    # called once
    expected["HandHuge", "calls"] = {0: 1, 64_999: 1}
    expected["HandHuge", "tick"] = {0: 13_000}
    straight = Code(max_stack=2, max_locals=1)
    for _ in range(16_300):
        straight.op("iload_0").op("iconst_3").op("ixor").op("istore_0")
    straight.op("iload_0").op("ireturn")
    writer.method("straight", "(I)I", straight)
    # called twice
    expected["HandHuge", "straight"] = {0: 2, 65_200: 2}
    return writer


def _writers(expected: Expected) -> dict[str, ClassWriter]:
    return {
        "HandJsr": _jsr(expected),
        "HandWideRet": _wide_ret(expected),
        "HandNoFrames": _no_frames(expected),
        "HandHandlers": _handlers(expected),
        "HandStack": _stack(expected),
        "HandEntryOld": _entry_loop("HandEntryOld", 49, expected),
        "HandEntryNew": _entry_loop("HandEntryNew", 61, expected),
        "HandHuge": _huge(expected),
    }


def write_classes(folder: Path) -> None:
    """Writes the class files into a folder."""
    for name, writer in _writers({}).items():
        (folder / f"{name}.class").write_bytes(writer.to_bytes())


@functools.cache
def expected_counts() -> Expected:
    """By class and method: executions of some bytecode offsets."""
    expected: Expected = {}
    _writers(expected)
    return expected
