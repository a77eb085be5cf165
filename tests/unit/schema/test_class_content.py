"""The hash of a class file is that of its code, however the file is laid out."""

from __future__ import annotations

import pytest
from oracle.classwriter import ClassWriter, Code, Member

from jvmscope.schema.class_content import code_sha256

_PRINT = Member("app/Main", "print", "(I)V")


def _file(methods: str = "ab", constant: int = 70_000, owner: str = "app/Main") -> bytes:
    """Two methods in some order; ``a`` loads a constant and calls a method."""
    writer = ClassWriter("app/Main", major=49)
    call = Member(owner, _PRINT.name, _PRINT.descriptor)
    bodies = {
        "a": Code(1, 0).op("ldc", constant).op("invokestatic", call).op("return"),
        "b": Code(1, 1).op("iload_0").op("pop").op("return"),
    }
    for name in methods:
        writer.method(name, "(I)V", bodies[name])
    return writer.to_bytes()


def test_the_order_of_methods_and_constants_does_not_count() -> None:
    one, other = _file("ab"), _file("ba")

    assert one != other
    assert code_sha256(one) == code_sha256(other)


@pytest.mark.parametrize(
    "other", [_file(constant=70_001), _file(owner="app/Other"), _file("a"), _file("b")]
)
def test_other_code_has_another_hash(other: bytes) -> None:
    assert code_sha256(other) != code_sha256(_file())


def test_a_cut_file_is_refused() -> None:
    whole = _file()
    for end in (0, 3, 9, len(whole) // 2, len(whole) - 3):
        with pytest.raises(ValueError, match="not a class file"):
            code_sha256(whole[:end])


def test_a_constant_that_is_made_of_itself_is_refused() -> None:
    """Constant 1 is a class whose name is constant 1."""
    head = bytes.fromhex("cafebabe00000031 0002 070001 0021 0001 0000 0000 0000 0000 0000")

    with pytest.raises(ValueError, match="not a class file"):
        code_sha256(head)
