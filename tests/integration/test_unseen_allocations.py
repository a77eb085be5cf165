"""Objects that no bytecode makes: those of `Unseen.java`, by hand and against the VM's sampling.

The VM makes some at its start and for classes, too, so a short run is compared with a longer one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.allocation_programs import AllocationLab
from oracle.allocations import rule_of
from oracle.laboratory import BUILD
from oracle.toolchain import PROGRAMS, MissingTool, agent_library
from support.small_jdk import brief_jdk
from support.warm_dump import warm_dump

import jvmscope
from jvmscope.collector.native_library import native_library
from jvmscope.errors import AgentError, QueryError

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_SOURCES = PROGRAMS / "allocations"
_TIMES = 10
# What each time makes, as beside the lines of the program.
_JNI = {
    "Unseen$Own": 2,
    "Unseen$Built": 1,
    "[LUnseen$Own;": 1 + 1,
    "[[LUnseen$Own;": 1,
    "[Ljava/lang/Object;": 1,
    "java/lang/String": 2 + 1,
    "[B": 1 + 2 + 1,
    **dict.fromkeys(("[Z", "[C", "[S", "[I", "[J", "[F", "[D"), 1),
    "java/lang/reflect/Method": 1,
}
_VM = {"java/lang/Integer": 1}
_VM_BEFORE_24 = dict.fromkeys(
    ("java/security/AccessControlContext", "[Ljava/security/ProtectionDomain;"), 1
)
# What the table lacks: the Method that ToReflectedMethod returns has types of its parameters and
# exceptions. What table allocation has: the constructors of objects that JNI makes.
_MORE = {"[Ljava/lang/Class;": 2, "Unseen$Constructed": 1, "Unseen$Built": 6}
_NATIVE_ACCESSORS = "-Djdk.reflect.useNativeAccessorOnly=true"  # 18 and later
_PERMITTED = "--enable-native-access=ALL-UNNAMED"

Rows = Counter[tuple[str, str]]


class Program:
    """The program, compiled for a JDK."""

    def __init__(self, jdk: Jdk, directory: Path) -> None:
        self.library = agent_library(jdk, "unseen", BUILD, folder=_SOURCES)
        source = (_SOURCES / "Unseen.java").read_text(encoding="utf-8")
        compile_java(jdk, directory / "classes", Unseen=source)
        self.recorder = Recorder(directory, jdk, warm_dump(jdk))

    def words(self, times: int, *end: str) -> list[str]:
        """What follows `java`."""
        classes = str(self.recorder.directory / "classes")
        options = [_NATIVE_ACCESSORS, _PERMITTED, "-cp", classes]
        return [*options, "Unseen", str(self.library), str(times), *end]

    @property
    def of_vm(self) -> dict[str, int]:
        """What the VM makes each time."""
        return _VM | (_VM_BEFORE_24 if self.recorder.jdk.version < 24 else {})

    @property
    def expected(self) -> dict[tuple[str, str], int]:
        """By maker and type, what all times but one make."""
        jni = {("jni", kind): _TIMES * n for kind, n in _JNI.items()}
        return jni | {("vm", kind): _TIMES * n for kind, n in self.of_vm.items()}

    def run(self, times: int, *options: str, end: tuple[str, ...] = ()) -> Path:
        """A recording of it."""
        words = ("java", *self.words(times, *end))
        outcome = self.recorder.record(*words, options=("--probes", "allocations", *options))
        assert (outcome.status, outcome.stdout) == (len(end), "made\n"), outcome.stderr
        return outcome.directory / outcome.run


@pytest.fixture(scope="module", params=jdks(), ids=lambda jdk: f"jdk{jdk.version}")
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    try:
        native_library()
        jdk = brief_jdk(request.param, BUILD)
        return Program(jdk, tmp_path_factory.mktemp(f"unseen-{jdk.version}"))
    except (AgentError, MissingTool) as error:
        pytest.skip(str(error))


def _unseen(run: Path) -> Rows:
    query = "SELECT maker, type, n_objects FROM unseen_allocation"
    with jvmscope.open(run) as opened:
        return Counter({(m, t): n for m, t, n in opened.query(query, language="sql").rows()})


def _difference(more: Rows, fewer: Rows) -> dict[tuple[str, str], int]:
    return {key: more[key] - fewer[key] for key in more if more[key] != fewer[key]}


def test_objects_of_native_code_and_the_vm(program: Program) -> None:
    """GIVEN a program that has both make objects, THEN they are counted by maker and type."""
    run = program.run(1 + _TIMES)
    assert _difference(_unseen(run), _unseen(program.run(1))) == program.expected
    # AND each has its class, if it is known; and there is a Class object for each class
    with jvmscope.open(run) as opened:
        classes = r"""
            SELECT u.type FROM unseen_allocation AS u LEFT JOIN class AS c USING (class_id)
            WHERE NOT contains(u.type, COALESCE(c.name, '?')) AND u.type NOT SIMILAR TO '\[+.'
        """
        assert list(opened.query(classes, language="sql").rows()) == []
        ((n_classes, n_objects),) = opened.query(
            "SELECT (SELECT COUNT(*) FROM class), n_objects FROM unseen_allocation "
            "WHERE maker = 'class'",
            language="sql",
        ).rows()
    assert n_classes == n_objects


def test_an_object_with_a_constructor_is_no_unseen_one(program: Program) -> None:
    """GIVEN objects of NewObject, and such of AllocObject that get their constructor later.

    THEN their contexts have them, and table allocation.
    """
    query = """
        SELECT type, SUM(n_objects)::INT FROM allocation
        WHERE type IN ('Unseen$Built', 'Unseen$Constructed') AND instruction_id IS NULL
        GROUP BY type ORDER BY type
    """
    expected = [("Unseen$Built", 3 * 6), ("Unseen$Constructed", 3)]
    with jvmscope.open(program.run(3)) as opened:
        assert list(opened.query(query, language="sql").rows()) == expected


def test_the_vm_reports_the_same(program: Program) -> None:
    """GIVEN each object that the VM reports in native methods, THEN as many are counted."""
    jdk, directory = program.recorder.jdk, program.recorder.directory
    lab = AllocationLab(jdk, directory)
    found = []
    for times in (1, 1 + _TIMES):
        rows = lab.reported("Unseen", program.words(times))
        natives = Counter[str]()
        for row in rows:
            if rule_of(row) == "natives":
                natives[row.type] += row.n_objects
        found.append(natives)
    fewer, more = found
    expected = Counter(_JNI) + Counter(program.of_vm) + Counter(_MORE)
    # An array that a native of the program returns is one of its making, and unseen.
    expected -= Counter({"[LUnseen$Own;": 1, "[Ljava/lang/Object;": 1})
    assert more - fewer == Counter({kind: _TIMES * n for kind, n in expected.items()})


def test_natives_of_a_class_that_is_excluded_make_the_same(program: Program) -> None:
    """GIVEN natives that the recording leaves as they are, which no instruction counts."""
    runs = [program.run(times, "--exclude", "Unseen") for times in (1 + _TIMES, 1)]
    assert _difference(*map(_unseen, runs)) == program.expected


def test_other_options_beside_it(program: Program) -> None:
    """GIVEN options in the environment, calls by JNI, folding, and a VM that halts."""
    options = ("--probes", "allocations,native", "--inject", "env", "--recursion", "fold")
    runs = [program.run(times, *options, end=("halt",)) for times in (1 + _TIMES, 1)]
    assert _difference(*map(_unseen, runs)) == program.expected


def test_without_the_library_there_is_no_table(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """GIVEN a machine that the library was not built on, THEN the rest is recorded."""
    monkeypatch.setattr("jvmscope.collector.record.native_library", _missing)
    command = [program.recorder.jdk.java, *program.words(1)]
    made = jvmscope.record(command, probes=["allocations"], output=tmp_path / "a.run")
    with jvmscope.open(made.runs[0]) as run:
        ((n_rows,),) = run.query("SELECT COUNT(*) FROM allocation", language="sql").rows()
        assert n_rows > 100
        with pytest.raises(QueryError, match="recording it needs the library for native code"):
            run.query("FROM unseen_allocation", language="sql")


def _missing() -> Path:
    raise AgentError("no library")
