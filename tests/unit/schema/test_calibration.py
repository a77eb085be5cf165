"""Files of calibrations: what is written is read, and what is no calibration is one error."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from support.calibrated import calibration

from jvmscope.errors import RunError
from jvmscope.schema.calibration import read_calibration, write_calibration

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[dict[str, Any]], object]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "new" / "a.calibration"
    write_calibration(file, calibration())

    assert read_calibration(file) == calibration()
    assert file.read_text().count("\n  {") == len(calibration().costs)


_PARTS = {"top": (), "jdk": ("jdk",), "machine": ("machine",), "cost": ("costs", 0)}
_FIELDS = [
    (part, name)
    for part, names in {
        "top": ("calibration", "jdk", "machine", "made", "n_vms", "costs"),
        "jdk": ("version", "name", "home"),
        "machine": ("host", "processor", "n_processors"),
        "cost": ("what", "kind", "form", "ns", "low_ns", "high_ns"),
    }.items()
    for name in names
]
_TYPES = [None, True, "\x00", 1.5, -1, 10**400, [], [1], {}, {"a": 1}]


def _refused(file: Path, text: str) -> str:
    """Returns the error of a file, which says where it is and what to do, on one line."""
    file.write_text(text)
    with pytest.raises(RunError) as raised:
        read_calibration(file)
    said = str(raised.value)
    assert said.startswith(f"{file}: ")
    assert said.endswith(": make one with jvmscope calibrate")
    assert "\n" not in said
    return said


def _changed(tmp_path: Path, change: Change) -> str:
    file = tmp_path / "a.calibration"
    write_calibration(file, calibration())
    document = json.loads(file.read_text())
    change(document)
    return _refused(file, json.dumps(document))


def _part(document: Any, part: str) -> Any:
    for step in _PARTS[part]:
        document = document[step]
    return document


def test_these_are_all_fields(tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    write_calibration(file, calibration())
    document = json.loads(file.read_text())

    assert [(part, name) for part in _PARTS for name in _part(document, part)] == _FIELDS


@pytest.mark.parametrize(("part", "name"), _FIELDS)
def test_a_field_that_is_missing_is_named(part: str, name: str, tmp_path: Path) -> None:
    said = _changed(tmp_path, lambda found: _part(found, part).pop(name))

    assert "not a calibration" in said if name == "calibration" else f"{name} is missing" in said


@pytest.mark.parametrize("value", _TYPES, ids=lambda value: repr(value)[:9])
@pytest.mark.parametrize(("part", "name"), _FIELDS)
def test_a_field_of_another_type_is_named(
    part: str, name: str, value: object, tmp_path: Path
) -> None:
    may_be = {"name", "home", "host", "processor"} if isinstance(value, str) else set()
    may_be |= {"version"} if value == "\x00" else set()
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        may_be |= {"n_vms", "n_processors"}
    may_be |= {"costs"} if value == [] else {"low_ns"} if value == 1.5 else set()
    if name in may_be:
        return
    said = _changed(tmp_path, lambda found: _part(found, part).update({name: value}))

    assert name in said or name == "calibration"
    assert "expected" in said


@pytest.mark.parametrize("part", _PARTS)
def test_an_unknown_field_is_named(part: str, tmp_path: Path) -> None:
    said = _changed(tmp_path, lambda found: _part(found, part).update(more=1))

    assert "more is unknown; expected " in said


@pytest.mark.parametrize(("part", "name"), _FIELDS)
def test_a_field_that_is_there_twice_is_named(part: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    write_calibration(file, calibration())
    text = json.dumps(json.loads(file.read_text()))
    value = json.dumps(_part(json.loads(text), part)[name])
    whole = f'"{name}": {value}'
    assert whole in text

    said = _refused(file, text.replace(whole, f"{whole}, {whole}", 1))
    assert f"an object has the name '{name}' twice; expected names that differ" in said


@pytest.mark.parametrize("at", range(len(calibration().costs)))
def test_a_cost_that_is_there_twice_is_named(at: int, tmp_path: Path) -> None:
    cost = calibration().costs[at]
    said = _changed(tmp_path, lambda found: found["costs"].append(found["costs"][at]))

    n = len(calibration().costs)
    key = f"{cost.what} {cost.kind} {cost.form}"
    assert f"costs[{n}] is {key}, as costs[{at}] is; expected each cost once" in said


@pytest.mark.parametrize(
    ("at", "values", "message"),
    [
        (0, {"what": "weird"}, 'what is "weird"; expected one of call, work, object, array'),
        (0, {"kind": "static"}, 'kind is "static"; expected one of loop'),
        (2, {"kind": "loop"}, 'kind is "loop"; expected one of static, special, virtual_1'),
        (2, {"kind": "virtual_4"}, 'kind is "virtual_4"; expected one of'),
        (2, {"form": "tier_5"}, 'form is "tier_5"; expected one of interpreter, tier_1'),
        (2, {"form": "interpreter_inlined"}, "expected one of interpreter, tier_1"),
        (1, {"form": "tier_4_inlined"}, "expected one of interpreter, tier_1"),
        (-1, {"kind": "big"}, 'kind is "big"; expected bytes, as "16"'),
        (-1, {"kind": "016"}, "expected bytes"),
        (-1, {"kind": "9" * 30}, "expected bytes"),
        (0, {"ns": -1}, "has low_ns 20, ns -1 and high_ns 20; expected 0 to"),
        (0, {"ns": float("nan")}, "ns NaN"),
        (0, {"high_ns": float("inf")}, "high_ns Infinity"),
        (0, {"low_ns": 21}, "low_ns 21"),
        (0, {"ns": 0, "low_ns": 0}, "work takes no time; expected more than 0"),
        (0, {"ns": 1e-9, "low_ns": 0}, "work takes no time"),
    ],
)
def test_a_cost_that_cannot_be_is_named(
    at: int, values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    said = _changed(tmp_path, lambda found: found["costs"][at].update(values))

    assert f"costs[{at % len(calibration().costs)}]" in said
    assert message in said


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found.update(calibration=1), "of another form, 1; expected 2"),
        (lambda found: found.update(n_vms=1), "n_vms is 1; expected 2 or more"),
        (lambda found: found.update(made="today"), "made is 'today'; expected a date"),
        (lambda found: found["jdk"].update(version=""), "jdk.version is empty"),
        (lambda found: found["machine"].update(n_processors=0), "is 0; expected 1 or more"),
    ],
)
def test_a_value_that_cannot_be_is_named(change: Change, message: str, tmp_path: Path) -> None:
    assert message in _changed(tmp_path, change)


def test_a_file_without_costs_is_one(tmp_path: Path) -> None:
    """What it lacks is the reason where a cost is asked for."""
    file = tmp_path / "a.calibration"
    write_calibration(file, replace(calibration(), costs=()))

    assert read_calibration(file).costs == ()


@pytest.mark.parametrize("content", [b"\xff", b"no JSON", b"[]"])
def test_another_file_is_an_error(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    file.write_bytes(content)

    with pytest.raises(RunError, match="not a calibration"):
        read_calibration(file)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read: No such file"):
        read_calibration(tmp_path / "a.calibration")
