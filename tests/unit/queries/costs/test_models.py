"""The cost models that come with jvmscope, and files of users."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from jvmscope.errors import QueryError
from jvmscope.queries.costs import cost_models, find_cost_model, read_cost_model
from jvmscope.schema import word_sets

_OPCODES = word_sets()["opcode"].words

_GOOD = """\
schema = 1
name = "tiny"

[parameters]
fetch = 2

[definitions]
words = "ceil(size / 4)"
wait = "fetch + 1"

[load]
hit = 0
miss = "words * wait"

[opcodes]
nop = 1
iload = "wait"
invokestatic = "5 + load"
return = "3 + max(0, load - 2)"
"""


def test_the_models_of_jop() -> None:
    assert list(cost_models()) == ["jop-2008-07", "jop-head"]
    assert all(model.title and model.source for model in cost_models().values())


@pytest.mark.parametrize(("column", "r", "w"), [("r1_w2", 1, 2), ("r3_w5", 3, 5)])
def test_jop_of_2014_as_others_evaluate_it(column: str, r: int, w: int) -> None:
    table = Path(__file__).with_name("jop_head_values.csv")
    with table.open(encoding="utf-8") as lines:
        expected = {row["opcode"]: int(row[column]) for row in csv.DictReader(lines)}
    costs = find_cost_model("jop-head").costs({"r": r, "w": w})

    assert {name: costs.fixed(name) for name in expected} == expected
    assert {costs.fixed(name) for name in _OPCODES if name not in expected} == {200}


def test_what_changed_in_jop_after_2008() -> None:
    old, new = (find_cost_model(name).costs({}) for name in ("jop-2008-07", "jop-head"))

    changed = {name: (old.fixed(name), new.fixed(name)) for name in _OPCODES}
    assert changed["getfield"] == (13, 10)  # 11 + 2r, 8 + 2r
    assert changed["putstatic"] == (16, 7)  # 13 + r + w, 5 + w
    assert changed["invokeinterface"] == (116, 115)  # 112 + 4r, 111 + 4r
    assert changed["ladd"] == (200, 26)  # in Java, in microcode
    assert changed["iadd"] == (1, 1)


@pytest.mark.parametrize(
    ("opcode", "size", "r", "extra"),
    [
        ("invokestatic", 200, 1, 71),  # 50 words: l = 6 + 51 * 2 = 108, of which 37 are hidden
        ("invokestatic", 52, 1, 0),  # 13 words: l = 6 + 14 * 2 = 34
        ("invokestatic", 57, 1, 1),  # 15 words: l = 6 + 16 * 2 = 38
        ("invokestatic", 61, 1, 3),  # 16 words: l = 40
        ("return", 200, 1, 99),  # 108 - 9
        ("ireturn", 200, 1, 98),
        ("dreturn", 200, 1, 97),
        ("return", 200, 3, 201),  # l = 6 + 51 * 4 = 210
    ],
)
def test_loading_a_method(opcode: str, size: int, r: int, extra: int) -> None:
    costs = find_cost_model("jop-2008-07").costs({"r": r})
    sizes = np.array([size])

    assert costs.beyond(opcode, sizes, is_hit=False).tolist() == [extra]
    assert costs.beyond(opcode, sizes, is_hit=True).tolist() == [0]


def test_a_users_model() -> None:
    model = read_cost_model(_GOOD, "tiny.toml")
    costs = model.costs({"fetch": 4})

    assert (model.name, dict(model.parameters)) == ("tiny", {"fetch": 2})
    assert costs.fixed("iload") == 5
    assert costs.fixed("invokestatic") == 5
    assert costs.fixed("iadd") is None
    assert costs.native() is None
    assert costs.beyond("invokestatic", np.array([0, 9]), is_hit=False).tolist() == [0, 15]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("schema = 1", "schema = 2", 1, "expected schema = 1"),
        ("schema = 1\n", "", 1, "expected schema = 1"),
        ('name = "tiny"', "name = 3", 2, 'expected name = "TEXT"'),
        ('name = "tiny"', 'name = "a b"', 2, "a name has letters"),
        ('name = "tiny"', 'nane = "tiny"', 2, "there is no key 'nane'"),
        ("fetch = 2", "fetch = -2", 5, "the parameter fetch is a number from 0"),
        ("fetch = 2", "fetch = 1.5", 5, "the parameter fetch is a number from 0"),
        ("fetch = 2", "load = 1", 5, "'load' cannot be a name"),
        ("fetch = 2", '"a-b" = 1', 5, "'a-b' cannot be a name"),
        ('"ceil(size / 4)"', '"ceil(sise / 4)"', 8, "words: unknown name 'sise'"),
        ('"ceil(size / 4)"', '"size / 4"', 8, "words: a quotient must be inside ceil()"),
        ('"ceil(size / 4)"', '"ceil(size / (fetch - 2))"', 8, "words: it divides by 0"),
        ('"fetch + 1"', '"later + 1"\nlater = 2', 9, "wait: 'later' can only be used after"),
        ("wait =", "fetch =", 9, "'fetch' is a parameter, too"),
        ("hit = 0\n", "", 12, "[load] needs both hit and miss"),
        ("hit = 0", "hti = 0", 12, "there is no key 'hti'"),
        ("nop = 1", "npo = 1", 16, "there is no opcode 'npo'"),
        ("nop = 1", "nop = [1]", 16, "expected a number or a formula for nop"),
        ("nop = 1", 'nop = "load"', 16, "nop: 'load' can only be used"),
        ("nop = 1", 'nop = "words"', 16, "nop: 'words' can only be used"),
        ("nop = 1", 'nop = "1 - fetch"', 16, "nop: -1 cycles, expected from 0"),
        ("nop = 1", "nop = ", 16, "Invalid value"),
        ("nop = 1", "nop = 1\nnop = 2", 17, "Cannot overwrite a value"),
        ("[opcodes]", "[opcode]", 15, "there is no key 'opcode'"),
        ('"3 + max(0, load - 2)"', '"3 + max(0, load - 2"', 19, "return: expected whole numbers"),
    ],
)
def test_a_mistake_is_one_error_with_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in _GOOD

    with pytest.raises(QueryError) as caught:
        read_cost_model(_GOOD.replace(old, new, 1), "tiny.toml")

    text = str(caught.value)
    assert text.startswith(f"tiny.toml:{line}:"), text
    assert message in text.splitlines()[0]


@pytest.mark.parametrize(
    "text", ["", "x", "[" * 5000, "schema = 1", '\ufeffschema = 1\nname = "x"']
)
def test_what_is_no_model(text: str) -> None:
    with pytest.raises(QueryError, match=r"^x\.toml:1"):
        read_cost_model(text, "x.toml")


def test_the_column_is_that_of_the_name() -> None:
    with pytest.raises(QueryError) as caught:
        read_cost_model(_GOOD.replace("max(0, load - 2)", "max(0, laod - 2)"), "tiny.toml")

    assert str(caught.value).splitlines() == [
        "tiny.toml:19:22: error: return: unknown name 'laod'",
        '   19 | return = "3 + max(0, laod - 2)"',
        "      |                      ^",
        'did you mean "load"?',
    ]


def test_parameters_and_names_that_do_not_exist() -> None:
    with pytest.raises(QueryError, match="has no parameter 'q'"):
        find_cost_model("jop-head").costs({"q": 1})
    with pytest.raises(QueryError, match="there is no cost model 'jop-heat'"):
        find_cost_model("jop-heat")
    with pytest.raises(QueryError, match="expected a number from 0"):
        find_cost_model("jop-head").costs({"r": -1})
