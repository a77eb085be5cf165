"""What calls and objects cost, measured in the VMs of each JDK.

Times of a shared machine have no exact oracle: what is asked of them is far apart.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from integration.recording import jdks
from support.forked import run_jvmscope

from jvmscope.schema.calibration import CALIBRATED_FORMS, Calibration, read_calibration

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_LONG_S = 300.0
_CALLS = {
    "static", "special",
    *(f"{kind}_{n}" for kind in ("virtual", "interface") for n in (1, 2, 3)),
}  # fmt: skip
# C1 inlines what has one implementation; C2 also by the classes of receivers, if they are few.
_INLINED = {"static", "special", "virtual_1", "interface_1"}
_BY_PROFILE = {"virtual_2", "interface_2"}
_OBJECTS = {"16", "24", "32", "64", "128"}
_ARRAYS = _OBJECTS | {"256", "1024", "4096", "16384"}


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def calibration(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Calibration:
    jdk: Jdk = request.param
    file: Path = tmp_path_factory.mktemp("calibrated") / "a.calibration"
    words = ("calibrate", "--vms", "2", "-o", str(file), str(jdk.home / "bin" / "java"))
    ended = run_jvmscope(words, directory=file.parent, environment=os.environ, timeout_s=_LONG_S)
    assert ended.returncode == 0, ended.stderr
    found = read_calibration(file)
    assert found.jdk["version"].partition(".")[0] == str(jdk.version)
    return found


def test_each_form_has_all_costs(calibration: Calibration) -> None:
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for cost in calibration.costs:
        found[cost.form, cost.what].add(cost.kind)

    inlined = {f"{form}_inlined" for form in CALIBRATED_FORMS[1:]}
    assert {form for form, _ in found} == {*CALIBRATED_FORMS, *inlined}
    for form in CALIBRATED_FORMS:
        assert found[form, "call"] == _CALLS
        assert found[form, "object"] == _OBJECTS
        assert found[form, "array"] == _ARRAYS
        assert found[form, "work"] == {"loop"}
    for form in inlined:
        by_profile = _BY_PROFILE if form.startswith(CALIBRATED_FORMS[-1]) else set()
        assert found[form, "call"] == _INLINED | by_profile, form


def test_each_cost_is_in_its_interval(calibration: Calibration) -> None:
    for cost in calibration.costs:
        assert 0 <= cost.low_ns <= cost.ns <= cost.high_ns, cost


def test_what_is_far_apart_is_found_so(calibration: Calibration) -> None:
    """The interpreter is slow, large arrays have to be zeroed, and an inlined call is free."""
    costs = {(cost.what, cost.kind, cost.form): cost.ns for cost in calibration.costs}
    interpreter, c2 = CALIBRATED_FORMS[0], CALIBRATED_FORMS[-1]

    assert costs["work", "loop", interpreter] > 3 * costs["work", "loop", c2]
    assert costs["call", "static", interpreter] > 3 * costs["call", "static", f"{c2}_inlined"]
    for form in CALIBRATED_FORMS:
        assert costs["array", "16384", form] > 3 * costs["array", "16", form], form


def test_what_counts_as_inlined_is_no_call(calibration: Calibration) -> None:
    """In the third tier an inlined call is still counted, which takes a time of its own."""
    costs = {(cost.kind, cost.form): cost.ns for cost in calibration.costs if cost.what == "call"}
    for form in ("tier_1", "tier_2", "tier_4"):
        for kind in ("static", "virtual_1"):
            assert costs[kind, f"{form}_inlined"] < costs[kind, form] / 2, (kind, form)
