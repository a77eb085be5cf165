"""Estimates of what calls and objects cost, worked out by hand (see ``support.calibrated``)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from support.calibrated import calibration, write_counted, write_sampled

import jvmscope
from jvmscope.errors import RunError
from jvmscope.metrics import catalogue, measure
from jvmscope.queries import Engine
from jvmscope.schema.calibration import write_calibration

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.schema.calibration import Cost

_ESTIMATES = [id_ for id_ in catalogue() if id_.startswith("time.estimated_")]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sampled(tmp_path_factory.mktemp("sampled") / "a.watch")


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_counted(tmp_path_factory.mktemp("counted") / "a.run")


def _values(watch: Path, run: Path, metric: str, key: str) -> dict[str, Any]:
    """Returns the values of the row of a method's name or of a type, or their reasons."""
    rows = measure([watch], metrics=[metric], beside=run, calibration=calibration())
    return {
        row["measure"].removeprefix("estimated_"): row["value"] if row["reason"] is None else
        row["reason"]
        for row in rows.arrow().to_pylist()
        if key in (row.get("name"), row.get("type"))
    }  # fmt: skip


def _about(**values: Any) -> dict[str, Any]:
    return {name: pytest.approx(value) for name, value in values.items()}


def test_calls_of_a_caller_by_its_forms(sampled: Path, counted: Path) -> None:
    """Of 6 executions of main 1 is interpreted: make costs (40 + 5*2)/6, size (50 + 5*0.2)/6.

    The upper ends take the samples as they are, 20 of 30: (20*42 + 10*3)/30 and
    (20*52 + 10*0.3)/30.
    """
    assert _values(sampled, counted, "time.estimated_calls", "main") == _about(
        n_calls=1100,
        n_estimated=1100,
        ns_per_call=(100 * 50 / 6 + 1000 * 51 / 6) / 1100,
        ns=100 * 50 / 6 + 1000 * 51 / 6,
        low_ns=100 * (38 + 5 * 1) / 6 + 1000 * (48 + 5 * 0.1) / 6,
        high_ns=100 * 29 + 1000 * (1040 + 3) / 30,
    )


def test_calls_of_a_called_method_are_those_of_all_callers(sampled: Path, counted: Path) -> None:
    """In Old.run, which was compiled before, a small method may be inlined or not: 0 to 3 ns."""
    assert _values(sampled, counted, "time.estimated_called", "make") == _about(
        n_calls=110,
        n_estimated=110,
        ns_per_call=100 * 50 / 6 / 110,
        ns=100 * 50 / 6,
        low_ns=100 * 43 / 6,
        high_ns=100 * 29 + 10 * 3,
    )


def test_too_few_samples_are_no_form(sampled: Path, counted: Path) -> None:
    values = _values(sampled, counted, "time.estimated_called", "append")

    assert (values.pop("n_calls"), values.pop("n_estimated")) == (200, 0)
    assert {*values.values()} == {
        "the form of the caller is not known: it is in fewer than 10 samples"
    }


def test_calls_by_invokedynamic_have_no_cost(sampled: Path, counted: Path) -> None:
    values = _values(sampled, counted, "time.estimated_called", "size")

    assert (values["n_calls"], values["n_estimated"]) == (1003, 1000)


def test_objects_are_on_the_line_between_sizes(sampled: Path, counted: Path) -> None:
    """24 bytes are 14 ns interpreted and 5 ns in C2, and 216 bytes 62 and 23 ns."""
    items = 6 * (14 + 5 * 5) / 6
    arrays = 12 * (62 + 5 * 23) / 6

    assert _values(sampled, counted, "time.estimated_created", "app/Item") == _about(
        n_objects=6,
        n_estimated=6,
        ns_per_object=items / 6,
        ns=items,
        low_ns=6 * (13 + 5 * 4) / 6,
        high_ns=6 * (20 * 15 + 10 * 6) / 30,
    )
    found = _values(sampled, counted, "time.estimated_creations", "main")
    assert (found["n_objects"], found["n_estimated"]) == (19, 18)
    assert found["ns"] == pytest.approx(items + arrays)


def test_objects_without_a_cost_have_the_reason(sampled: Path, counted: Path) -> None:
    of_class = _values(sampled, counted, "time.estimated_created", "java/lang/Class")
    of_append = _values(sampled, counted, "time.estimated_creations", "append")

    assert of_class["ns"] == "objects of the VM and native code have no known cost"
    assert of_append["ns"] == "the form of the method is not known: it is in fewer than 10 samples"


def test_what_the_jdk_does_is_charged_to_the_program(sampled: Path, counted: Path) -> None:
    """Of make are its calls of append and the arrays made there, which have no known cost."""
    found = _values(sampled, counted, "time.estimated_costs", "make")
    main = _values(sampled, counted, "time.estimated_costs", "main")

    assert (found["n_calls"], found["n_objects"]) == (200, 200)
    assert "10 samples" in found["ns"]
    assert main["ns"] == pytest.approx(main["calls_ns"] + main["creations_ns"])
    assert main["creations_ns"] == pytest.approx(39 + 354)


@pytest.mark.parametrize("id_", _ESTIMATES)
def test_what_is_missing_is_the_reason(id_: str, sampled: Path, counted: Path) -> None:
    for run, more, reason in (
        (sampled, {"beside": counted}, "make one with jvmscope calibrate"),
        (sampled, {}, "no recorded run stands beside"),
        (counted, {}, "measure a watch run"),
    ):
        rows = measure([run], metrics=[id_], **more).arrow().to_pylist()
        assert rows
        assert all(row["value"] is None and reason in row["reason"] for row in rows)


def test_folded_calls_have_no_cost(sampled: Path, tmp_path: Path) -> None:
    folded = write_counted(tmp_path / "a.run", is_folded=True)
    values = _values(sampled, folded, "time.estimated_calls", "main")

    assert values["ns"] == "the recorded run has folded calls"


def test_a_calibration_of_another_jdk_is_refused(counted: Path, tmp_path: Path) -> None:
    run = write_sampled(tmp_path / "a.watch", jvm={"version": "25.0.3", "home": "/other"})

    with pytest.raises(RunError, match=r"of Java 17.0.15, but .* 25.0.3: .*calibrate /other/bin"):
        Engine(run, beside=counted, calibration=calibration())


def test_a_calibration_alone_is_refused(sampled: Path) -> None:
    with pytest.raises(RunError, match="counts of a recorded run: name one"):
        Engine(sampled, calibration=calibration())


def test_python_takes_the_file(sampled: Path, counted: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.calibration"
    write_calibration(file, calibration())
    expected = measure(
        [sampled], metrics=_ESTIMATES, beside=counted, calibration=calibration()
    ).arrow()

    found = jvmscope.measure([sampled], *_ESTIMATES, beside=counted, calibration=file)
    assert found.arrow() == expected
    with jvmscope.open(sampled, beside=counted, calibration=file) as run:
        assert run.measure(*_ESTIMATES).arrow() == expected
        rows = run.query("SELECT n_calls FROM estimated_call WHERE inlined_share > 0").rows()
        assert sorted(rows) == [(10,), (1000,)]


def _reasons(watch: Path, run: Path, is_kept: Callable[[Cost], bool]) -> dict[int, str | None]:
    """Returns the reasons of estimates of calls and objects, by their numbers."""
    known = calibration()
    some = replace(known, costs=tuple(cost for cost in known.costs if is_kept(cost)))
    query = """
        SELECT n_calls, reason FROM estimated_call
        UNION ALL SELECT n_objects, reason FROM estimated_creation
    """
    with Engine(watch, beside=run, calibration=some) as engine:
        return dict(engine.query(query).rows())


_MAKE, _SIZE, _ITEMS, _ARRAYS = 100, 1000, 6, 12
_LACKING: dict[str, tuple[Callable[[Cost], bool], dict[int, str]]] = {
    "all": (lambda _cost: True, dict.fromkeys((_MAKE, _SIZE, _ITEMS, _ARRAYS), "work in")),
    "tier": (
        lambda cost: cost.form.startswith("tier_4"),
        dict.fromkeys((_MAKE, _SIZE, _ITEMS, _ARRAYS), "no cost of work in tier_4"),
    ),
    "inlined": (
        lambda cost: cost.form.endswith("_inlined"),
        {_SIZE: "no cost of inlined calls of the kind virtual_1 in tier_4"},
    ),
    "kind": (
        lambda cost: (cost.kind, cost.form) == ("static", "tier_4"),
        {_MAKE: "no cost of calls of the kind static in tier_4"},
    ),
    "size": (
        lambda cost: (cost.kind, cost.form) == ("32", "interpreter"),
        {_ITEMS: "the calibration has fewer than two sizes of objects in interpreter"},
    ),
}


@pytest.mark.parametrize(("is_lacking", "expected"), _LACKING.values(), ids=_LACKING)
def test_a_cost_that_was_not_calibrated_is_the_reason(
    is_lacking: Callable[[Cost], bool], expected: dict[int, str], sampled: Path, counted: Path
) -> None:
    """Never that the form is not known, nor the cost of the other forms or of another call."""
    found = _reasons(sampled, counted, lambda cost: not is_lacking(cost))

    for number in (_MAKE, _SIZE, _ITEMS, _ARRAYS):
        if number in expected:
            assert expected[number] in str(found[number])
        else:
            assert found[number] is None


def test_a_calibration_of_another_processor_is_refused(counted: Path, tmp_path: Path) -> None:
    """By its model; the host has another name in each container. Old runs do not know it."""
    other = write_sampled(tmp_path / "a.watch", host={"processor": "two"})
    same = write_sampled(tmp_path / "b.watch", host={"processor": "one"})

    with pytest.raises(RunError, match=r"of the processor one, but the watch run of two: jvmscope"):
        Engine(other, beside=counted, calibration=calibration())
    with Engine(same, beside=counted, calibration=calibration()):
        pass


def test_how_long_the_work_takes_does_not_matter(sampled: Path, counted: Path) -> None:
    """Only how much longer in one form than in another one; shares of very many samples add up."""
    known = calibration()
    costs = tuple(
        replace(cost, ns=cost.ns / 1e6, low_ns=0) if cost.what == "work" else cost
        for cost in known.costs
    )
    some = replace(known, costs=costs)
    query = "SELECT ns_per_call FROM estimated_call WHERE n_calls IN (100, 1000) ORDER BY ALL"
    with Engine(sampled, beside=counted, calibration=some) as engine:
        rows = [*engine.query(query).rows()]

    assert rows == [(pytest.approx(50 / 6),), (8.5,)]
