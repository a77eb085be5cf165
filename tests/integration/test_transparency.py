"""Programs that look at themselves and their VM find the same, recorded or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from integration.recording import OBJECT_PROBES, jdks
from oracle.laboratory import BUILD
from oracle.toolchain import agent_library, run_tool
from support.battery import BATTERY, Outcomes, compile_battery, run_both
from support.long import IS_LONG, each_or_one
from support.small_jdk import brief_jdk

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

JDKS = jdks(with_21=True)
PROBES = (
    "accessors",
    "classloading",
    "environment",
    "handles",
    "links",
    "members",
    "memory",
    "natives",
    "offsets",
    "references",
    "serialisation",
    "traces",
)
_OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED"
_OBJECTS = ("--probes", OBJECT_PROBES)
_LIVES = ("--probes", f"{OBJECT_PROBES},lifetimes")
_PLAIN_FIRST = pytest.mark.parametrize("recording", [(), *[_OBJECTS] * IS_LONG])
_LIVES_FIRST = pytest.mark.parametrize("recording", [_LIVES, *[_OBJECTS, ()] * IS_LONG])
_LAYOUTS = pytest.mark.parametrize(
    "layout",
    [
        (),
        *[("-XX:-UseCompressedOops",)] * IS_LONG,
        *[("-XX:-UseCompressedClassPointers",)] * IS_LONG,
        *[("-XX:ObjectAlignmentInBytes=16",)] * IS_LONG,
    ],
)
# Compiled, the question gives every Class object one size, from some time on.
_SLOW_SIZES = ["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_getObjectSize"]
_OF_US = ("PATH=", "_=", "JAVA_HOME=")


def _named(recording: tuple[str, ...]) -> str:
    """What a recording is called in the names of tests."""
    return recording[-1].removeprefix(f"{OBJECT_PROBES},") if recording else "none"


@pytest.fixture(scope="module", params=JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def compiled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Jdk, Path, Path]:
    """A JDK, the folder with the programs compiled for it, and their library."""
    directory = tmp_path_factory.mktemp("battery")
    return request.param, directory, compile_battery(request.param, directory)[1]


def _agent(jdk: Jdk, directory: Path, name: str) -> str:
    """The option that has one of the programs be an agent, too."""
    (directory / name).write_text(f"Premain-Class: battery.{name}\n")
    files = ("-C", "classes", f"battery/{name}.class")
    run_tool([jdk.tool("jar"), "cfm", f"{name}.jar", name, *files], directory)
    return f"-javaagent:{name}.jar"


@pytest.fixture(scope="module")
def battery(compiled: tuple[Jdk, Path, Path]) -> Outcomes:
    """All probes in one VM."""
    jdk, directory, library = compiled
    options = [_OPENS, f"-Dbattery.library={library}"]
    return run_both(jdk, directory, "battery.Battery", *PROBES, "names", options=options)


def sections(text: str) -> dict[str, list[str]]:
    """The lines under each heading."""
    found: dict[str, list[str]] = {"": []}
    for line in text.splitlines():
        if line.startswith("== "):
            found[line[3:]] = []
        elif not line.strip().startswith(_OF_US):
            found[list(found)[-1]].append(line)
    return found


@pytest.mark.parametrize("probe", PROBES)
def test_a_program_finds_what_it_finds_on_a_bare_vm(battery: Outcomes, probe: str) -> None:
    bare, recorded = sections(battery.bare[1]), sections(battery.recorded[1])
    assert bare[probe], probe
    assert "threw" not in "".join(bare[probe]), "the probe itself is at fault"
    assert "no library" not in bare[probe]
    assert recorded[probe] == bare[probe]


@pytest.fixture(scope="module", params=[_LIVES, *[_OBJECTS] * IS_LONG], ids=_named)
def followed(request: pytest.FixtureRequest, compiled: tuple[Jdk, Path, Path]) -> Outcomes:
    """The same with hidden words in nearly all classes, and objects that are numbered."""
    jdk, directory, library = compiled
    options = [_OPENS, f"-Dbattery.library={library}"]
    return run_both(
        jdk, directory, "battery.Battery", *PROBES, options=options, recording=request.param
    )


@pytest.mark.parametrize("probe", PROBES)
def test_a_program_whose_objects_are_followed_finds_the_same(
    followed: Outcomes, probe: str
) -> None:
    """GIVEN hidden words, THEN no probe finds one; only offsets of fields are other numbers."""
    bare, recorded = sections(followed.bare[1])[probe], sections(followed.recorded[1])[probe]
    if probe == "offsets":
        bare, recorded = ([_OFFSET.sub("", line) for line in lines] for lines in (bare, recorded))
    assert bare
    assert recorded == bare


@pytest.mark.parametrize("probe", OBJECT_PROBES.split(",") if IS_LONG else ["one"])
def test_members_are_those_of_a_bare_vm_with_one_probe_alone(
    compiled: tuple[Jdk, Path, Path], probe: str
) -> None:
    """GIVEN the hidden words of one probe, which are not those of all."""
    jdk, directory, library = compiled
    chosen = probe if IS_LONG else each_or_one(("locking", "hashcodes"), JDKS.index(jdk))[0]
    options = [_OPENS, f"-Dbattery.library={library}"]
    outcomes = run_both(
        jdk,
        directory,
        "battery.Battery",
        "members",
        "serialisation",
        options=options,
        recording=("--probes", chosen),
    )

    assert sections(outcomes.recorded[1]) == sections(outcomes.bare[1])


def test_nothing_is_said_beside_a_program_whose_objects_are_followed(followed: Outcomes) -> None:
    assert followed.recorded[::2] == followed.bare[::2]


@pytest.mark.parametrize(
    "recording",
    [_OBJECTS, _LIVES, *[(), ("--probes", "lifetimes")] * IS_LONG],
    ids=_named,
)
def test_hash_codes_are_those_of_a_bare_vm(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN objects that are known by their hash codes, THEN the program's sequence stays.

    Codes that it computes itself are what they are, in whatever way it asks.
    """
    jdk, directory, _ = compiled
    outcomes = run_both(brief_jdk(jdk, BUILD), directory, "battery.Hashes", recording=recording)
    assert outcomes.recorded == outcomes.bare
    assert outcomes.bare[1].endswith("found 2000\ncodes: 2000\n")


@_LIVES_FIRST
def test_all_direct_memory_is_left_to_the_program(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN a limit that the recording's own files exceed, THEN it takes none of it.

    ``main`` has no buffer left from them, so that it allocates its first one itself.
    """
    jdk, directory, _ = compiled
    options = ["-XX:MaxDirectMemorySize=256k", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"]
    outcomes = run_both(
        brief_jdk(jdk, BUILD), directory, "battery.Buffers", options=options, recording=recording
    )
    assert outcomes.recorded == outcomes.bare
    assert outcomes.bare[1].startswith("before the first file: 0\nafter it: 1\n")


@_LIVES_FIRST
def test_the_recording_keeps_nothing_for_a_thread_of_the_program(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN threads that keep nothing yet, THEN they make the map for that themselves."""
    jdk, directory, _ = compiled
    outcomes = run_both(
        brief_jdk(jdk, BUILD), directory, "battery.Locals", options=[_OPENS], recording=recording
    )
    assert outcomes.recorded == outcomes.bare
    assert outcomes.bare[1].startswith("main none none")


@_LIVES_FIRST
@_LAYOUTS
@pytest.mark.parametrize(("program", "least"), [("Sizes", 5000), ("ClassSizes", 10000)])
def test_objects_have_the_sizes_that_they_have_on_a_bare_vm(
    compiled: tuple[Jdk, Path, Path],
    recording: tuple[str, ...],
    layout: tuple[str, ...],
    program: str,
    least: int,
) -> None:
    """GIVEN an agent that asks for the sizes of objects of every class, THEN they are the same.

    So are those of ``Class`` objects, with static fields of every type.
    """
    jdk, directory, _ = compiled
    agent = _agent(jdk, directory, program)
    options = [agent, "-Xshare:off", *_SLOW_SIZES, *layout]
    outcomes = run_both(jdk, directory, f"battery.{program}", options=options, recording=recording)
    assert outcomes.recorded == outcomes.bare
    assert outcomes.bare[1].count("\n") > least


@pytest.mark.parametrize("recording", [(), *[_LIVES] * IS_LONG], ids=_named)
def test_the_recording_has_no_compiler_come_to_the_question_for_sizes(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN fewer questions than have a bare VM compile it, THEN static fields count, as there."""
    jdk, directory, _ = compiled
    options = [_agent(jdk, directory, "ClassSizes"), "-Xbatch"]
    outcomes = run_both(
        jdk, directory, "battery.ClassSizes", "few", options=options, recording=recording
    )
    assert outcomes.recorded == outcomes.bare
    sizes = dict(re.findall(r"(\S+) (\d+)", outcomes.bare[1]))
    assert sizes["java.lang.System"] > sizes["java.lang.Object"]


_LISTED = re.compile(r"^(get\w+\[[\w.$]*\]) (?:\[+L)?([^\[;/\s]+)", re.MULTILINE)


@_LIVES_FIRST
def test_no_listing_shows_classes_of_the_recording(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN an agent that lists all classes, THEN those that a bare VM lacks are of the library."""
    jdk, directory, _ = compiled
    options = [_agent(jdk, directory, "Listed")]
    outcomes = run_both(jdk, directory, "battery.Listed", options=options, recording=recording)
    assert outcomes.recorded[::2] == outcomes.bare[::2]
    bare, recorded = (set(_LISTED.findall(run[1])) for run in (outcomes.bare, outcomes.recorded))
    assert len({way for way, _ in bare}) == 3  # the platform loader initiated none
    library = set(re.findall(r"^library (\S+)", outcomes.bare[1], re.MULTILINE))
    assert not [(way, name) for way, name in sorted(recorded - bare) if name not in library]


def test_nothing_is_said_beside_the_program(battery: Outcomes) -> None:
    assert battery.recorded[::2] == battery.bare[::2]


@_PLAIN_FIRST
def test_reflection_says_of_the_whole_class_library_what_it_says_on_a_bare_vm(
    compiled: tuple[Jdk, Path, Path], recording: tuple[str, ...]
) -> None:
    """GIVEN every class, THEN all that it declares, and how it is serialised, is the same."""
    jdk, directory, _ = compiled
    modules = [] if IS_LONG else ["java.base"]
    options = ["-XX:TieredStopAtLevel=1"]
    outcomes = run_both(
        jdk, directory, "battery.Library", *modules, options=options, recording=recording
    )
    assert outcomes.recorded[::2] == outcomes.bare[::2]
    bare, recorded = (outcome[1].splitlines() for outcome in (outcomes.bare, outcomes.recorded))
    assert len(bare) > 5000
    changed = [line.split()[0] for line in sorted({*bare} ^ {*recorded})]
    if changed:
        words = ["of", *changed[:20]]
        outcomes = run_both(
            jdk, directory, "battery.Library", *words, options=options, recording=recording
        )
        assert outcomes.recorded == outcomes.bare
    assert not changed


def test_what_cannot_be_hidden_is_what_the_docs_say(battery: Outcomes) -> None:
    """GIVEN names that only a recording has, THEN by these, and these only, it is found."""
    bare, recorded = (sections(outcome[1])["names"] for outcome in (battery.bare, battery.recorded))
    found = {}
    for before, after in zip(bare, recorded, strict=True):
        if before != after:
            name, _, value = after.partition(": ")
            found[name] = value
    assert found == {
        "io.jvmscope.agent.Agent": "io.jvmscope.agent.Agent",
        "java.lang.CallingContext": "java.lang.CallingContext",
        "method of Object": "MethodHandle()Thread",
        "field of Thread": "long",
        "field of Thread by JNI": "true",
        "native by JNI": "private strictfp int "
        "battery.NativeCalls.ofInstance(long,double,java.lang.Object)",
        **({"java.vm.info": "mixed mode"} if "java.vm.info: mixed mode, sharing" in bare else {}),
    }


def test_checked_natives_bring_no_warning_of_ours(compiled: tuple[Jdk, Path, Path]) -> None:
    jdk, directory, library = compiled
    options = [_OPENS, "-Xcheck:jni", f"-Dbattery.library={library}"]
    outcomes = run_both(jdk, directory, "battery.Battery", "natives", options=options)
    assert outcomes.recorded == outcomes.bare
    assert "called back" in outcomes.bare[1]


def test_an_agent_of_the_program_sees_its_classes_as_they_are(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN an agent before ours that retransforms, THEN it gets the bytes of the class files.

    A bare VM, which kept no file, writes one that is like it.
    """
    jdk, directory, _ = compiled
    manifest = "Premain-Class: battery.Watcher\nCan-Retransform-Classes: true\n"
    (directory / "manifest").write_text(manifest)
    files = ("-C", "classes", "battery/Watcher.class")
    run_tool([jdk.tool("jar"), "cfm", "watcher.jar", "manifest", *files], directory)
    options = ["-javaagent:watcher.jar", "-Xshare:off"]
    outcomes = run_both(jdk, directory, "battery.Watcher", options=options)
    assert outcomes.recorded[::2] == outcomes.bare[::2]
    bare, recorded = (
        [line for line in text.splitlines() if " again " not in line]
        for text in (outcomes.bare[1], outcomes.recorded[1])
    )
    assert recorded == bare
    seen = dict(line.rsplit(" loaded ", 1) for line in recorded if " loaded " in line)
    for name, times in (("Plain", 1), ("WithNatives", 2)):
        original = seen[f"battery/Specimens${name}"]
        again = f"battery/Specimens${name} again {', '.join([original] * times)}"
        assert again in outcomes.recorded[1].splitlines()


def test_a_native_agent_sees_the_programs_classes_as_they_are(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN one on the command line, THEN it gets the class files; natives have a prefix."""
    jdk, directory, library = compiled
    watcher = agent_library(jdk, "watcher", BUILD, folder=BATTERY)
    options = [_OPENS, f"-agentpath:{watcher}", f"-Dbattery.library={library}"]
    outcomes = run_both(jdk, directory, "battery.Battery", "natives", options=options)
    status, printed, errors = outcomes.recorded
    assert (status, printed.replace("jvmscope$", ""), errors) == outcomes.bare
    assert "loaded battery/NativeCalls " in outcomes.bare[1]
    assert "bound Lbattery/NativeCalls;.plus(II)I" in outcomes.bare[1]


@pytest.fixture(scope="module")
def attached(compiled: tuple[Jdk, Path, Path]) -> str:
    """The jar of an agent for the command line and for VMs that run."""
    jdk, directory, _ = compiled
    (directory / "attached").write_text(
        "Agent-Class: battery.Attached\nPremain-Class: battery.Attached\n"
        "Can-Retransform-Classes: true\nCan-Redefine-Classes: true\n"
    )
    files = [f"battery/{path.name}" for path in (directory / "classes/battery").glob("Attached*")]
    words = [word for file in sorted(files) for word in ("-C", "classes", file)]
    run_tool([jdk.tool("jar"), "cfm", "attached.jar", "attached", *words], directory)
    return "attached.jar"


@pytest.mark.parametrize("words", [[], ["other"]], ids=["itself", "another VM"])
def test_an_agent_that_is_loaded_into_a_program_changes_its_classes(
    compiled: tuple[Jdk, Path, Path], attached: str, words: list[str]
) -> None:
    """GIVEN a class that is changed while it runs, and back, THEN it is, and no other is shown."""
    jdk, directory, _ = compiled
    options = ["-Djdk.attach.allowAttachSelf=true"]
    jar = str(directory / attached)
    outcomes = run_both(jdk, directory, "battery.Attached", jar, *words, options=options)
    assert outcomes.recorded == outcomes.bare
    assert "changed edited\nagain before" in outcomes.bare[1]
    assert outcomes.bare[1].endswith("after before\n")


@pytest.mark.parametrize("recording", [(), ("--inject", "env")], ids=["before ours", "after ours"])
def test_an_agent_of_the_command_line_changes_classes_as_they_are_loaded(
    compiled: tuple[Jdk, Path, Path], attached: str, recording: tuple[str, ...]
) -> None:
    jdk, directory, _ = compiled
    options = [f"-javaagent:{attached}=told", "-Xshare:off"]
    outcomes = run_both(jdk, directory, "battery.Attached", options=options, recording=recording)
    assert outcomes.bare == (0, "agent told\nedited\n", "")
    status, printed, errors = outcomes.recorded
    beside = [line for line in errors.splitlines() if "Picked up JAVA_TOOL_OPTIONS" not in line]
    assert (status, printed, beside) == (0, "agent told\nedited\n", [])


_OFFSET = re.compile(r"(?<=[A-Za-z]) \d+$")
_LOADED = re.compile(r"^(?:\[.*\])? ?(battery\.\S+ source: .*)$", re.MULTILINE)
_BOUND = re.compile(r"native method (battery\.\S+)")


@pytest.mark.parametrize(
    ("option", "pattern"),
    [
        ("-Xlog:class+load" if not IS_LONG else "-verbose:class", _LOADED),
        ("-verbose:jni", _BOUND),
    ],
)
def test_logs_of_the_vm_tell_the_same_of_the_program(
    compiled: tuple[Jdk, Path, Path], option: str, pattern: re.Pattern[str]
) -> None:
    """GIVEN a log on standard output, THEN what it says of the program's classes is equal."""
    jdk, directory, library = compiled
    options = [_OPENS, option, f"-Dbattery.library={library}"]
    outcomes = run_both(jdk, directory, "battery.Battery", "natives", options=options)
    assert outcomes.recorded[::2] == outcomes.bare[::2]
    bare, recorded = (pattern.findall(text) for text in (outcomes.bare[1], outcomes.recorded[1]))
    assert len(bare) > 3
    assert [line.replace("jvmscope$", "") for line in recorded] == bare
    said = [sections(text)["natives"] for text in (outcomes.bare[1], outcomes.recorded[1])]
    mine = [[line for line in lines if not line.startswith("[")] for lines in said]
    assert mine[0] == mine[1]


def test_what_a_map_needs_to_grow_is_there_before_the_program(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN a log, THEN classes come early that the VM would load where a stack is full."""
    jdk, directory, _ = compiled
    options = ["-Xlog:class+load", "-Xint"]
    printed = run_both(jdk, directory, "battery.FullStack", options=options).recorded[1]
    before, _, _ = printed.partition(" battery.FullStack source")
    for name in ("ForwardingNode", "ReservationNode", "TreeBin", "TreeNode"):
        assert f"java.util.concurrent.ConcurrentHashMap${name} source" in before


def test_settings_that_the_vm_prints_differ_as_the_docs_say(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN its settings and its flags, THEN stacks, intrinsics and the class archive differ."""
    jdk, directory, _ = compiled
    options = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-XshowSettings:vm"]
    outcomes = run_both(jdk, directory, "battery.FullStack$Late", options=options)
    differing = set()
    for stream in (1, 2):
        lines = {*outcomes.bare[stream].splitlines()} ^ {*outcomes.recorded[stream].splitlines()}
        differing |= {line.strip().partition(": ")[0].split("=")[0].split()[-1] for line in lines}
    of_archive = {"SharedBaseAddress", "UseSharedSpaces"}
    assert differing - of_archive == {"ControlIntrinsic", "Size", "ThreadStackSize"}


def test_classes_that_come_where_the_stack_is_full_count_or_do_not_come(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN classes defined at every distance from its end, THEN each is counted, none unsaid."""
    jdk, directory, _ = compiled
    run = directory / "full.run"
    outcomes = run_both(
        jdk, directory, "battery.FullStack", options=["-Xint"], recording=("-o", str(run))
    )
    assert outcomes.recorded[::2] == (0, "")
    n_defined = int(outcomes.recorded[1])
    assert 0 < n_defined < 150
    tables = {
        name: pq.read_table(run / f"tables/{name}.parquet").to_pylist()
        for name in ("class", "method", "context", "exclusion")
    }
    late = {row["class_id"] for row in tables["class"] if row["name"] == "battery/FullStack$Late"}
    methods = {row["method_id"]: row for row in tables["method"] if row["class_id"] in late}
    assert {row["coverage"] for row in methods.values()} == {"full"}
    calls = [
        row["n_calls"]
        for row in tables["context"]
        if methods.get(row["method_id"], {}).get("name") == "twice"
    ]
    assert sum(calls) == n_defined
    assert not [row for row in tables["exclusion"] if row["class_name"].startswith("battery/")]


@pytest.mark.parametrize(
    "recording",
    [
        (),
        (*_OBJECTS, "--from", "battery.Flights.work"),
        *[_OBJECTS, _LIVES, ("--clock", "steps")] * IS_LONG,
    ],
)
@pytest.mark.parametrize("option", ["", "-XX:StartFlightRecording:settings=none,dumponexit=false"])
def test_a_flight_recording_has_the_programs_events(
    compiled: tuple[Jdk, Path, Path], option: str, recording: tuple[str, ...]
) -> None:
    """GIVEN one by the API, and one by an option, THEN types, events and their stacks are equal."""
    jdk, directory, _ = compiled
    options = [option, "-Xlog:disable", "-Xlog:all=error"] if option else []
    outcomes = run_both(jdk, directory, "battery.Flights", options=options, recording=recording)
    assert outcomes.recorded == outcomes.bare
    assert "{battery.Step=4}" in outcomes.bare[1]
    assert outcomes.bare[1].count("jdk.JavaExceptionThrow locked") == 2


def test_a_system_class_loader_of_the_program_is_asked_for_no_class_of_ours(
    compiled: tuple[Jdk, Path, Path],
) -> None:
    """GIVEN one that can take no agent, THEN the VM starts, and asks it for two classes more."""
    jdk, directory, _ = compiled
    options = ["-Djava.system.class.loader=battery.OwnLoader", "-Xlog:disable", "-Xshare:off"]
    outcomes = run_both(jdk, directory, "battery.OwnLoader", options=options)
    # By these java.instrument finds itself, for whatever agent, in native code.
    more = ", java.lang.InternalError, sun.instrument.InstrumentationImpl]"
    status, printed, errors = outcomes.recorded
    assert (status, printed.replace(more, "]"), errors) == outcomes.bare
    assert "class battery.OwnLoader" in outcomes.bare[1]


# Where the stack is nearly full, a lock may have no room to be noted: a few for each recursion.
_NEARLY_FULL = (
    r"warning: battery\.Depths: there was no memory, or no room on a stack, for what is known of "
    r"an object, \d{1,3} times: counts of objects are too small\n"
)


@pytest.mark.parametrize(
    "option", ["-Xss512k", *(["-XX:ThreadStackSize=300", "-Xss2m", "-Xint"] if IS_LONG else [])]
)
@pytest.mark.parametrize("recording", [_OBJECTS, *[(), _LIVES] * IS_LONG], ids=_named)
def test_stacks_are_as_deep_as_bare_ones(
    compiled: tuple[Jdk, Path, Path], option: str, recording: tuple[str, ...]
) -> None:
    """GIVEN stacks of every origin, interpreted, THEN recursions get as deep, or deeper."""
    jdk, directory, _ = compiled
    sizes = ["1", "250", "512", "0"]
    kinds = ["pool", "virtual"] if jdk.version >= 21 else ["pool"]
    options = [_OPENS, "-Xint", option]
    outcomes = run_both(
        jdk, directory, "battery.Depths", *sizes, *kinds, options=options, recording=recording
    )
    assert outcomes.recorded[0] == 0
    told = outcomes.recorded[2]
    assert not told or (recording and re.fullmatch(_NEARLY_FULL, told)), told
    bare, recorded = (
        [line.split() for line in outcome[1].splitlines()]
        for outcome in (outcomes.bare, outcomes.recorded)
    )
    assert len(bare) == len(recorded) == 2 * len(sizes) + len(kinds) + 1
    for before, after in zip(bare, recorded, strict=True):
        if before[0] == "asked":
            assert after == before
            continue
        numbers = 4 if before[0] == "thread" else 1
        assert after[:numbers] == before[:numbers], "what Thread says of its stack"
        depths = zip(before[numbers:], after[numbers:], strict=True)
        assert all(int(deep) >= int(bare_depth) > 0 for bare_depth, deep in depths), after
