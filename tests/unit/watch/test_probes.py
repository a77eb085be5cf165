"""The text of probes: what is taken, and where a mistake is."""

from __future__ import annotations

import pytest

from jvmscope.errors import QueryError
from jvmscope.watch import parse_probe


@pytest.mark.parametrize(
    ("text", "classes", "methods", "parameters"),
    [
        ("app.Cache.get", r"app\.Cache", "get", None),
        ("app/Cache.get()", r"app\.Cache", "get", ()),
        ("app.Cache.<init>(int n)", r"app\.Cache", "<init>", (("int", "n"),)),
        ("app.**.get*", r"app\..*", "get[^<>]*", None),
        ("A$*.m( java.lang.String s ,* , long[][])", r"A\$[^.]*", "m", None),
    ],
)
def test_methods(text: str, classes: str, methods: str, parameters: object) -> None:
    probe = parse_probe(text)

    assert (probe.classes, probe.methods) == (classes, methods)
    if parameters is not None or "(" not in text:
        assert probe.parameters == parameters
    else:
        assert probe.parameters == (("java.lang.String", "s"), ("*", ""), ("long[][]", ""))


@pytest.mark.parametrize(
    ("condition", "kinds"),
    [
        ("a || b && c", "or a and b c"),
        ("(a || b) && c", "and or a b c"),
        ("!a == b", "== not a b"),
        ("-a.b * 2 + 1 < c % d", "< + * minus member a 2 1 % c d"),
        ("a.b(c, 'x').d", "member call a c 120"),
        (r'"a\"\n" == null', '== a"\n null'),
        ("$2 >= 1.5e3", ">= $2 1500.0"),
        ("a < 0 == b", "== < a 0 b"),
        ("a.b() > 0 != c <= 1", "!= > call a 0 <= c 1"),
    ],
)
def test_operators_bind_as_in_java(condition: str, kinds: str) -> None:
    found = []
    probe = parse_probe(f"a.B.c when {condition}")
    assert probe.condition is not None
    fields = list(probe.condition.fields())
    for kind, text in zip(fields[::5], fields[1::5], strict=True):
        is_value = kind in ("name", "integer", "real", "text", "null")
        found.append(text if is_value else kind)

    assert " ".join(found) == kinds


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("get", 1, "expected a class and a method"),
        ("", 1, "expected a class and a method"),
        ("a.B.c(List<String>)", 11, "expected ',' or ')', found '<'"),
        ("a.B.c(int", 10, "expected ',' or ')', found the end"),
        ("a.B.c(int,)", 11, "expected the type of a parameter"),
        ("a.B.c if n > 1", 7, "expected 'when' or the end of the probe"),
        ("a.B.c when", 11, "expected a name or a value, found the end"),
        ("a.B.c when n >", 15, "expected a name or a value, found the end"),
        ("a.B.c when n > 1 1", 18, "expected an operator or the end of the condition, found '1'"),
        ("a.B.c when (n > 1", 18, "expected ')', found the end"),
        ("a.B.c when n = 1", 14, "found '=', which is not expected here"),
        ("a.B.c when n == 'ab'", 17, """found "'", which is not expected here"""),
        ("a.B.c when n.1", 14, "expected the name of a field or method, found '1'"),
        ("a.B.c when n.(", 14, "expected the name of a field or method"),
        (r"""a.B.c when n == 'q' && s == "a\q" """, 31, r"there is no escape \q in Java"),
        (r"""a.B.c when s == "a\ud800" """, 17, "the text has half a character"),
        ("a.B.c when n == 1e39f", 17, "the number is too large"),
        ("a.B.c when n == 1e999", 17, "the number is too large"),
        ("a.B.c when n == 09", 17, "a number that begins with 0 is octal"),
        ("a.B.c when n == 0x1ffffffffffffffffL", 17, "an integer of a condition has at most 63"),
        (
            "a.B.c when n > 1 - 9223372036854775808",
            20,
            "an integer of a condition has at most 63 b",
        ),
        ("a.B.c when n > 9223372036854775808", 16, "an integer of a condition has at most 63 bits"),
        ("a.B.c when " + "(" * 31 + "1", 42, "more than 30 parts within each other"),
        ("a.B.c when " + "!" * 31 + "a", 42, "more than 30 parts within each other"),
        ("a.B.c when a" + " && a" * 300, 1012, "a condition has at most 400 words"),
    ],
)
def test_a_mistake_has_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(QueryError) as raised:
        parse_probe(text)

    assert (raised.value.path, raised.value.column) == ("--probe", column)
    assert message in raised.value.message


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", "0"),
        ("100L", "100"),
        ("017", "15"),
        ("0x41", "65"),
        ("0xFFFFFFFF", "-1"),
        ("0xFFFFFFFFL", "4294967295"),
        ("0xffffffffffffffffl", "-1"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808L", "-9223372036854775808"),
        ("1.5", "1.5"),
        ("1.25f", "1.25"),
        ("0.1F", "0.10000000149011612"),
        ("2.5d", "2.5"),
        ("'a'", "97"),
        (r"'\u0041'", "65"),
        (r"'\uuu0041'", "65"),
        (r"'\''", "39"),
        (r"'\101'", "65"),
        (r"'\ud800'", "55296"),
        (r'"\u0041\101\7"', "AA\x07"),
        (r'"\477"', "'7"),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\b\t\n\f\r\s\"\'\\"', "\b\t\n\f\r \"'\\"),
    ],
)
def test_literals_have_the_values_of_java(literal: str, value: str) -> None:
    """By the Java Language Specification, 3.10."""
    probe = parse_probe(f"a.B.c when x == {literal}")
    assert probe.condition is not None

    assert list(probe.condition.fields())[11] == value
