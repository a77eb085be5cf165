"""Hidden classes by name: each form that a VM writes, at each place that tells them from others."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from support.runs import RunBuilder
from support.watched_rows import write_watched

from jvmscope.queries import Engine
from jvmscope.schema.hidden_classes import is_hidden
from jvmscope.watch.class_names import jvm_name
from jvmscope.watch.probes import Following, ProbeSearch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    # What knows classes: which of these names are those of hidden ones.
    _Place = Callable[[list[str], Path], set[str]]

_ADDRESSES = ("0x00007efe9813e000", "0x000000004113e400", "0x80000002d")
_HOSTS = ("app/Main$$Lambda", "app/Main$$Lambda$61", "app/Main$Inner$$Lambda")
_FORMS = {
    "stream of 17": "{dotted}+{address}/885118744",
    "stream of 21 and 25, code lists": "{dotted}/{address}",
    "stored": "{host}.{address}",
    "stored before, of 17": "{host}+{address}.885118744",
}
_HIDDEN = {
    form.format(dotted=host.replace("/", "."), host=host, address=address): host
    for form, host, address in product(_FORMS.values(), _HOSTS, _ADDRESSES)
}
_PLAIN = ["app/Main", "app/Main$0x1", "app/x0x00007efe9813e000", "app/0x", "app/Main$$Lambda"]


def _by_name(names: list[str], _: Path) -> set[str]:
    return {name for name in names if is_hidden(name)}


def _passed_over(names: list[str], _: Path) -> set[str]:
    """By ``--refine-probes``."""
    return {name for name in names if not _is_probed(name)}


def _is_probed(name: str) -> bool:
    search = ProbeSearch(Following(10, 0.2))
    search.add("vm_method", (0, name, "run", "()V", True))
    search.add("stack_frame", (0, 0, 0, 0, None, "Interpreted"))
    for _ in range(100):
        search.add("execution_sample", (0, 0, 0, False, ""))
    return bool(search.next(10**10)[1])


def _unmatched(names: list[str], directory: Path) -> set[str]:
    """By ``class_match``."""
    methods = [(number, name, "f", "()V", True) for number, name in enumerate(names)]
    write_watched(directory / "a.watch", rows={"vm_method": methods})
    query = "SELECT class_name FROM class_match WHERE reason LIKE 'a hidden class %'"
    with Engine(directory / "a.watch", beside=_recorded(directory / "a.run", names)) as engine:
        return {name for (name,) in engine.query(query).rows()}


def _met_again(names: list[str], directory: Path) -> set[str]:
    """By ``measured_context``, as the hidden class that the same host has in the recorded run."""
    numbered = list(enumerate(names))
    rows = {
        "vm_method": [(number, name, f"f{number}", "()V", True) for number, name in numbered],
        "stack_frame": [(number, 0, number, None, None, "Interpreted") for number, _ in numbered],
        "execution_sample": [(1, None, number, False, "") for number, _ in numbered],
    }
    write_watched(directory / "a.watch", rows=rows)
    hosts = [_HIDDEN.get(name, name).removesuffix("$61") + "/a2b4" for name in names]
    query = "SELECT name FROM measured_context WHERE n_samples > 0 AND name IS NOT NULL"
    with Engine(directory / "a.watch", beside=_recorded(directory / "a.run", hosts)) as engine:
        return {names[int(name.removeprefix("f"))] for (name,) in engine.query(query).rows()}


def _recorded(run: Path, names: list[str]) -> Path:
    builder = RunBuilder()
    root = builder.thread("main")
    for number, name in enumerate(names):
        root.call(builder.method(name, f"f{number}", blocks=[["return"]]))
    return builder.write(run)


@pytest.mark.parametrize("hidden", [_by_name, _passed_over, _unmatched, _met_again])
def test_each_place_knows_each_form(tmp_path: Path, hidden: _Place) -> None:
    assert hidden([*_HIDDEN, *_PLAIN], tmp_path) == {*_HIDDEN}


@pytest.mark.parametrize(("host", "address"), list(product(_HOSTS, _ADDRESSES)))
def test_a_class_has_one_name_whoever_tells_it(host: str, address: str) -> None:
    dotted = host.replace("/", ".")
    told = [form.format(dotted=dotted, host=host, address=address) for form in _FORMS.values()]

    assert {jvm_name(name) for name in told[:3]} == {f"{host}.{address}"}
