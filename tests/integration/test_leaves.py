"""Calls of methods that are counted at their call sites, and of those selected in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from integration.recording import OBJECT_PROBES, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

_DECLARES = "class Declares implements Cloneable {{ {} }}"
_OWN = """
    @Override public int hashCode() { return 1; }
    @Override public Object clone() throws CloneNotSupportedException { return super.clone(); }
"""
_GET = ("java/lang/ref/Reference", "get", 3)
_POSITION = ("java/io/RandomAccessFile", "getFilePointer", 3)
# By the method that calls; all others reach a method with a body.
_REACHED = {
    "byOwnName": ("java/lang/Thread", "currentThread", 6),
    "ofFresh": ("java/lang/Thread", "currentThread", 3),
    "byName": ("java/lang/Thread", "currentThread", 3),
    "holds": ("java/lang/Thread", "holdsLock", 3),
    "own": _GET,
    "above": _GET,
    "get": _GET,  # of Passing
    "ofReference": _GET,
    "ofMixed": _GET,
    "ofWeak": _GET,
    "ofHeld": _GET,
    "typeOf": ("java/lang/Object", "getClass", 3),  # javac names the interface from 18 on
    "hashOf": ("java/lang/Object", "hashCode", 3),
    "wake": ("java/lang/Object", "notifyAll", 3),
    "ofFile": _POSITION,
    "ofOpened": _POSITION,
    "position": _POSITION,
    "superHash": ("java/lang/Object", "hashCode", 3),
    "superClone": ("java/lang/Object", "clone", 3),
}
_QUERY = """
    SELECT caller.name, k.name, m.name, CAST(SUM(c.n_calls) AS INTEGER)
    FROM context AS c JOIN method AS m USING (method_id) JOIN class AS k USING (class_id)
    JOIN context AS above ON above.context_id = c.parent_id
    JOIN method AS caller ON caller.method_id = above.method_id
    JOIN class AS calling ON calling.class_id = caller.class_id
    WHERE calling.name SIMILAR TO '(Leaves|Inherits).*' AND m.name IN (
        'currentThread', 'holdsLock', 'get', 'getFilePointer', 'hashCode', 'clone',
        'getClass', 'notifyAll')
      AND k.name IN ('java/lang/Thread', 'java/lang/ref/Reference', 'java/io/RandomAccessFile',
                     'java/lang/Object')
      AND caller.name <> 'main'
    GROUP BY ALL
"""
# Natives of the JDK that override methods of it, called by the names of these until release 17.
_BELOW = """
    SELECT m.name, CAST(SUM(c.n_calls) AS INTEGER)
    FROM context AS o JOIN method AS caller ON caller.method_id = o.method_id
    JOIN context AS c ON c.context_id > o.context_id AND c.context_id < o.context_id + o.size
    JOIN method AS m ON m.method_id = c.method_id JOIN class AS k ON k.class_id = m.class_id
    WHERE caller.name IN ('ofLength', 'ofList') AND k.name = 'java/io/UnixFileSystem'
        AND m.is_native
    GROUP BY m.name
"""
_STAND_INS = ("Overriding", "Passing", "Hiding", "Box", "Rewound")
_EXCLUDED = tuple(word for name in _STAND_INS for word in ("--exclude", f"Leaves${name}"))


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def recorder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """Calls of a superclass's own methods are compiled, which that has no longer when they run."""
    jdk: Jdk = brief_jdk(request.param, BUILD)
    directory = tmp_path_factory.mktemp(f"leaves-{jdk.version}")
    source = (PROGRAMS / "leaves" / "Leaves.java").read_text(encoding="utf-8")
    compile_java(jdk, directory / "classes", Leaves=source, Declares=_DECLARES.format(_OWN))
    compile_java(jdk, directory / "classes", Declares=_DECLARES.format(""))
    return Recorder(directory, jdk, warm_dump(jdk))


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--exact-exceptions",),
        ("--recursion", "fold"),
        ("--probes", OBJECT_PROBES),
        ("--probes", "lifetimes"),
        _EXCLUDED,
    ],
    ids=lambda options: options[-1] if options else "bare",
)
def test_what_a_call_reaches_is_what_counts(recorder: Recorder, options: tuple[str, ...]) -> None:
    outcome = recorder.record("java", "-cp", "classes", "Leaves", options=options)
    assert (outcome.status, outcome.stdout) == (0, "39 6\n"), outcome.stderr
    expected = {**_REACHED}
    if options == _EXCLUDED:
        del expected["get"]
    with jvmscope.open(recorder.directory / outcome.run) as run:
        rows = run.query(_QUERY, language="sql").rows()
        assert {caller: tuple(counts) for caller, *counts in rows} == expected
        below = dict(run.query(_BELOW, language="sql").rows())
    assert {name.removesuffix("0"): n for name, n in below.items()} == {"getLength": 3, "list": 3}
