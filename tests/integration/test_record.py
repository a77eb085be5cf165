"""`jvmscope record` with every sort of command that starts a JVM."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from integration.recording import Outcome, Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import small_jdk
from support.warm_dump import warm_dump

from jvmscope.collector import agent_jar
from jvmscope.collector.launch.stacks import stack_options
from jvmscope.queries import Engine
from jvmscope.queries.identity.comparison import find_context
from jvmscope.schema import verify_run
from jvmscope.schema.ending import Ending, ending_of
from jvmscope.schema.manifest import read_manifest

if TYPE_CHECKING:
    from oracle.toolchain import Jdk

JDKS = jdks()
_HELLO = """
public class Hello {
  public static void main(String[] args) throws Exception {
    System.out.println(String.join(",", args) + " " + System.getProperty("x", "-"));
    System.err.println("on stderr");
    System.in.transferTo(System.out);
    if (args.length > 0 && args[0].equals("exit")) {
      System.exit(Integer.parseInt(args[1]));
    }
  }
}
"""


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    """A directory to record in; what does not depend on the JDK is tested with one."""
    return Recorder.of(JDKS[0], tmp_path, Hello=_HELLO)


@pytest.fixture
def brisk(recorder: Recorder) -> Recorder:
    """The same, for what is decided before the recording is read."""
    recorder.dump = warm_dump(recorder.jdk)
    return recorder


@pytest.fixture(scope="module")
def verbose(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A recording without options but one of the console."""
    recorder = Recorder.of(JDKS[0], tmp_path_factory.mktemp("verbose"), Hello=_HELLO)
    return recorder.record("java", "-cp", "classes", "Hello", options=("-v",))


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_a_program_becomes_a_run_and_notices_nothing(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a program, WHEN it is recorded, THEN its streams and status are its own."""
    recorder = Recorder.of(jdk, tmp_path, Hello=_HELLO)
    outcome = recorder.record(
        "java", "-cp", "classes", "-Dx=y", "Hello", "exit", "7", stdin="from stdin\n"
    )
    assert outcome.status == 7
    assert outcome.stdout == "exit,7 y\nfrom stdin\n"
    others = ("Preparing JDK", "Waiting for another recording")
    own = [line for line in outcome.stderr.splitlines() if not line.startswith(others)]
    run = outcome.run
    assert own == [
        "on stderr",
        f"Wrote {run}",
        "Hello ended with exit status 7",
        f"Next: jvmscope measure {run}",
        f"      jvmscope query {run} --sql 'SELECT * FROM thread'",
    ]
    manifest = outcome.manifest
    assert manifest.status == "complete"
    assert manifest.exit is not None
    assert (manifest.exit.state, manifest.exit.status) == ("exited", 7)
    assert manifest.main.class_name == "Hello"
    assert manifest.main.context_id is not None
    assert manifest.command == ["java", "-cp", "classes", "-Dx=y", "Hello", "exit", "7"]
    assert manifest.tables["context"].rows > 1000
    assert verify_run(recorder.directory / run, lambda _done, _total: None) == []
    left = sorted(path.name for path in recorder.runs.iterdir())
    assert left == [run.name]
    assert not list((recorder.directory / run).glob("raw*"))


def test_a_jar_and_a_source_file_are_programs(recorder: Recorder) -> None:
    jar = recorder.jdk.tool("jar")
    made = recorder.record(jar, "cfe", "a b.jar", "Hello", "-C", "classes", "Hello.class")
    assert made.manifest.jvm["command"][0] == "jar"  # the JDK's tools are programs as well
    assert recorder.record("java", "-Dx=1", "-jar", "a b.jar", "p").stdout == "p 1\n"
    # Counting from main on leaves out what the compiler does before.
    options = ("--name", "source", "--from", "Hello.main")
    (recorder.directory / "Hello.java").write_text(_HELLO)
    brief = "-XX:TieredStopAtLevel=1"  # as for every other compiler of a few lines
    source = recorder.record("java", brief, "Hello.java", "p", options=options)
    assert source.stdout == "p -\n"
    assert source.run == Path("runs/source.run")


_TURNS = """
    public class Turns implements Runnable {
      static int sum;
      static synchronized void work() { for (int k = 0; k < 10; k++) { sum += next(k); } }
      static int next(int k) { return k + 1; }
      public void run() { work(); }
      public static void main(String[] arguments) throws InterruptedException {
        next(0);
        Thread other = new Thread(new Turns(), "other");
        other.start();
        other.join();
        work();
        System.out.println(sum);
      }
    }
"""


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_all_threads_count_from_a_method_on(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a method that another thread enters first, THEN main is counted from there, too."""
    recorder = Recorder.of(jdk, tmp_path, Turns=_TURNS)
    recorder.dump = warm_dump(jdk)
    outcome = recorder.record("java", "-cp", "classes", "Turns", options=("--from", "Turns.work"))
    assert (outcome.status, outcome.stdout) == (0, "110\n"), outcome.stderr
    with Engine(tmp_path / outcome.run) as engine:
        counted = engine.query(
            "SELECT thread.name, method.name, n_calls FROM context JOIN thread USING (thread_id)"
            " JOIN method USING (method_id) JOIN class USING (class_id)"
            " WHERE class.name = 'Turns' ORDER BY ALL"
        )
        assert list(counted.rows()) == [
            ("main", "next", 10),
            ("main", "work", 1),
            ("other", "next", 10),
            ("other", "work", 1),
        ]


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_classes_of_a_named_module_name_it(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a program on the module path, THEN its classes, hidden ones too, have its module."""
    main = (
        "package p; public class Main { public static void main(String[] a) throws Exception {"
        " Runnable r = () -> System.out.println(Main.class.getModule().getName()); r.run();"
        ' Class.forName("Hello"); } }'
    )
    sources = {"module-info": "module own.app { exports p; }", "p/Main": main}
    compile_java(jdk, tmp_path / "mods" / "own.app", **sources)
    recorder = Recorder.of(jdk, tmp_path, Hello=_HELLO)
    outcome = recorder.record("java", "-p", "mods", "-cp", "classes", "-m", "own.app/p.Main")
    assert (outcome.status, outcome.stdout) == (0, "own.app\n"), outcome.stderr
    assert outcome.manifest.main.class_name == "p/Main"
    with Engine(tmp_path / outcome.run) as engine:
        modules = engine.query(
            "SELECT DISTINCT is_hidden, module FROM class WHERE starts_with(name, 'p/Main')"
            " OR name IN ('Hello', 'java/lang/String') ORDER BY ALL"
        )
        found = list(modules.rows())
    assert found == [(False, "java.base"), (False, "own.app"), (False, None), (True, "own.app")]


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_a_main_class_may_inherit_its_main(tmp_path: Path, jdk: Jdk) -> None:
    heir = "class Heir extends Middle { } class Middle extends Hello { static void other() { } }"
    recorder = Recorder.of(jdk, tmp_path, Hello=_HELLO, Heir=heir)

    outcome = recorder.record("sh", "-c", "java -cp classes Heir one; true")

    run = tmp_path / (outcome.run or "")
    assert (outcome.stdout, outcome.manifest.main.class_name) == ("one -\n", "Heir")
    assert ending_of(run, outcome.manifest) == Ending("ended", is_failure=False)
    with Engine(run) as engine:
        entered = engine.query(
            "SELECT c.name, m.name FROM context JOIN method AS m USING (method_id)"
            f" JOIN class AS c USING (class_id) WHERE context_id = {find_context(engine, 'main')}"
        )
        assert list(entered.rows()) == [("Hello", "main")]


def test_an_argfile_may_hold_the_program(brisk: Recorder) -> None:
    (brisk.directory / "args").write_text("-cp classes -Dx='a b'\nHello one\n")
    outcome = brisk.record("java", "-Dy=z", "@args", "two")
    assert outcome.stdout == "one,two a b\n"
    assert outcome.manifest.status == "complete"


def test_a_java_named_by_path_is_recorded(recorder: Recorder) -> None:
    java = f"{recorder.jdk.home}/bin/../bin/java"
    outcome = recorder.record(java, "-cp", "classes", "Hello", options=("-o", "out.run"))
    assert outcome.run == Path("out.run")
    assert outcome.manifest.jvm["home"] == str(recorder.jdk.home)


def test_every_jvm_of_a_script_is_a_run_of_its_own(recorder: Recorder) -> None:
    script = recorder.directory / "my script.sh"
    script.write_text(
        "#!/bin/sh\n"
        "java -version 2>/dev/null\n"
        "java -cp classes Hello first\n"
        '"$JAVA_HOME/bin/java" -cp classes Hello second\n'
        "exit 3\n"
    )
    script.chmod(0o755)
    recorder.environment["JAVA_HOME"] = str(JDKS[-1].home)
    outcome = recorder.record(script, options=("-o", "out", "--name", "both"))
    assert outcome.status == 3
    assert outcome.stdout == "first -\nsecond -\n"
    assert outcome.runs == [Path("out/both-1.run"), Path("out/both-2.run")]
    manifests = [read_manifest(recorder.directory / run) for run in outcome.runs]
    assert [manifest.jvm["command"][-1] for manifest in manifests] == ["first", "second"]
    assert [manifest.jvm["home"] for manifest in manifests] == [
        str(recorder.jdk.home),
        str(JDKS[-1].home),
    ]
    assert not (recorder.directory / "out.partial").exists()


def test_jvms_with_a_path_of_their_own_are_reached_by_options(recorder: Recorder) -> None:
    java = recorder.jdk.java
    both = f"{java} -version; {java} -cp classes Hello first; {java} -cp classes Hello second"
    outcome = recorder.record("sh", "-c", both, options=("--inject", "env", "-o", "out"))
    assert outcome.stdout == "first -\nsecond -\n"
    assert outcome.stderr.count("Picked up JAVA_TOOL_OPTIONS: ") == 3
    assert outcome.runs == [Path("out/sh-1.run"), Path("out/sh-2.run")]
    for run, argument in zip(outcome.runs, ("first", "second"), strict=True):
        manifest = read_manifest(recorder.directory / run)
        assert manifest.status == "complete"
        assert manifest.jvm["command"] == ["java", "Hello", argument]
        assert manifest.main.class_name == "Hello"


def test_one_jvm_can_be_selected(brisk: Recorder) -> None:
    compile_java(brisk.jdk, brisk.directory / "classes", Other=_HELLO.replace("Hello", "Other"))
    both = "java -cp classes Hello; java -cp classes Other"
    outcome = brisk.record("sh", "-c", both, options=("--select", "Oth*", "-o", "one.run"))
    assert outcome.stdout == " -\n -\n"
    assert outcome.run == Path("one.run")
    assert outcome.manifest.main.class_name == "Other"
    none = brisk.record("sh", "-c", both, options=("--select", "Nobody"))
    assert none.status == 125
    assert "matches --select Nobody: Hello, Other; no run was written" in none.stderr
    assert not none.runs


@pytest.mark.parametrize("inject", ["shim", "env"])
@pytest.mark.parametrize(
    ("limit", "done"), [("-f 4096", "made: File too large"), ("-v 8000000", "mapped: Map failed")]
)
def test_a_limit_that_is_in_the_way_is_named(
    brisk: Recorder, limit: str, done: str, inject: str
) -> None:
    limited = ("sh", "-c", f"ulimit {limit}; exec java -cp classes Hello")
    outcome = brisk.record(*limited, options=("--inject", inject))
    assert outcome.status == 125
    assert f"MiB, most of it empty, cannot be {done}; raise the limit (ulimit {limit[:2]})" in (
        outcome.stderr
    )
    assert "Exception" not in outcome.stderr
    assert not outcome.runs


def test_few_addresses_are_enough_for_a_small_recording(brisk: Recorder) -> None:
    limited = ("sh", "-c", "ulimit -v 6000000; exec java -cp classes Hello")
    outcome = brisk.record(*limited, options=("--max-memory", "64m"))
    assert (outcome.status, outcome.stdout) == (0, " -\n")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("true",), 125, "it started no Java through PATH or JAVA_HOME"),
        (("sh", "-c", "exit 5"), 5, "it started no Java"),
        (("java", "-version"), 125, "it started Java, but Java ran no program"),
        (("no-such-command",), 127, "no-such-command: command not found"),
        (("./classes",), 126, "./classes: Permission denied"),
        (("java", "-Xmx1nonsense", "Hello"), 1, "ended before there was anything to record"),
    ],
)
def test_without_a_recorded_jvm_there_is_no_run(
    recorder: Recorder, words: tuple[str, ...], status: int, message: str
) -> None:
    outcome = recorder.record(*words, options=("-o", "none.run"))
    assert outcome.status == status
    assert message in outcome.stderr
    assert not list(recorder.directory.glob("none*"))


def test_a_run_is_not_overwritten_by_accident(brisk: Recorder) -> None:
    words = ("java", "-cp", "classes", "Hello")
    assert brisk.record(*words, options=("-o", "a.run", "--tag", "k=v=w")).status == 0
    again = brisk.record(*words, options=("-o", "a.run"))
    assert again.status == 125
    assert again.stdout == ""
    assert "a.run: exists already; --force replaces it" in again.stderr
    assert brisk.record(*words, options=("-o", "a.run", "--force")).manifest.tags == {}


def test_options_reach_the_agent_and_the_run(brisk: Recorder) -> None:
    outcome = brisk.record(
        "java",
        "-cp",
        "classes",
        "Hello",
        options=("--max-memory", "64MiB", "--recursion", "fold", "--tag", "k=v", "--xml"),
    )
    manifest = outcome.manifest
    assert manifest.options["max_memory_bytes"] == 64 << 20
    assert manifest.options["recursion"] == "fold"
    assert manifest.tags == {"k": "v"}
    assert "-XX:hashCode=3" in manifest.jvm["added_options"]
    assert (brisk.directory / outcome.run / "xml" / "cct.xml").exists()


def test_the_vm_can_be_left_alone(brisk: Recorder) -> None:
    outcome = brisk.record("java", "-cp", "classes", "Hello", options=("--no-deterministic",))
    manifest = outcome.manifest
    added = [option for option in manifest.jvm["added_options"] if option.startswith("-X")]
    assert added == stack_options([], [])
    assert len(manifest.determinism) == 1


def test_quiet_is_quiet_while_jdks_are_prepared(recorder: Recorder, tmp_path: Path) -> None:
    """GIVEN an empty cache, WHEN record prepares one JDK and the shim another, THEN silence.

    The locale has no characters for the cache's path.
    """
    recorder = Recorder(tmp_path, small_jdk(JDKS[0], BUILD))
    recorder.environment |= {"LC_ALL": "C", "JVMSCOPE_CACHE": str(tmp_path / "fresh cäche")}
    recorder.environment["JAVA_HOME"] = str(small_jdk(JDKS[-1], BUILD).home)
    words = ("sh", "-c", "java -cp classes Hello 2>/dev/null")
    outcome = recorder.finish(recorder.start(*words, options=("-q", "-o", "out.run")))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, " -\n", "")
    assert read_manifest(tmp_path / "out.run").status == "complete"


def test_verbose_tells_what_was_recorded(verbose: Outcome) -> None:
    version = verbose.manifest.jvm["version"]
    contexts = verbose.manifest.tables["context"].rows
    assert f"JDK {version} in {JDKS[0].home}, prepared in " in verbose.stderr
    assert f", JDK {version}): complete, {contexts:,} contexts\n" in verbose.stderr


def test_the_vms_own_threads_can_be_kept(brisk: Recorder, verbose: Outcome) -> None:
    kept = brisk.record("java", "-cp", "classes", "Hello", options=("--vm-threads",))
    assert kept.manifest.tables["thread"].rows > verbose.manifest.tables["thread"].rows
    assert kept.manifest.options["vm_threads"] is True


def test_a_timeout_truncates(brisk: Recorder) -> None:
    waits = "public class Waits { public static void main(String[] a) throws Exception {"
    compile_java(
        brisk.jdk,
        brisk.directory / "classes",
        Waits=waits + ' System.out.println("up"); Thread.sleep(1000000); } }',
    )
    # A script that waits for its JVM would survive if only the script were ended.
    for seconds in (4, 30, 120):  # until the machine is fast enough to start a JVM
        options = ("--timeout", f"{seconds}s")
        outcome = brisk.record("sh", "-c", "java -cp classes Waits; exit 3", options=options)
        assert outcome.status in (4, 125)
        if outcome.stdout:
            break
    assert outcome.status == 4
    manifest = outcome.manifest
    assert manifest.status == "truncated"
    assert "the time limit was reached and the program was ended" in manifest.limits


@pytest.mark.parametrize("command", ["sleep 60", "sleep 60; java -cp classes Hello"])
def test_a_timeout_before_anything_could_be_recorded_is_named(
    brisk: Recorder, command: str
) -> None:
    outcome = brisk.record("sh", "-c", command, options=("--timeout", "500ms"))

    assert outcome.status == 4
    assert "--timeout ended it before a JVM had anything to record; no run" in outcome.stderr
    assert "--inject" not in outcome.stderr


def test_paths_with_spaces_work(tmp_path: Path) -> None:
    directory = tmp_path / "a b" / "c d"
    compile_java(JDKS[0], directory / "cl asses", Hello=_HELLO)
    recorder = Recorder(directory, JDKS[0])
    (tmp_path / "t m p").mkdir()
    recorder.environment["TMPDIR"] = str(tmp_path / "t m p")
    outcome = recorder.record("java", "-cp", "cl asses", "Hello", "x y", options=("-o", "r u n"))
    assert outcome.stdout == "x y -\n"
    assert outcome.run == Path("r u n")
    assert outcome.manifest.status == "complete"
    assert list((tmp_path / "t m p").iterdir()) == []


def test_text_of_any_encoding_is_recorded(recorder: Recorder) -> None:
    """GIVEN a locale without them, WHEN paths and words have odd characters, THEN a run."""
    recorder.environment["LC_ALL"] = "C"
    words = ("java", "-cp", "classes", "Hello", "caf\udce9", "ß")
    options = ("-o", "dïr/out.run", "--tag", "k=\udcff")
    outcome = recorder.finish(recorder.start(*words, options=options))
    manifest = read_manifest(recorder.directory / "dïr/out.run")
    assert (outcome.status, manifest.status) == (0, "complete"), outcome.stderr
    assert manifest.command == list(words)
    assert manifest.jvm["command"] == list(words)
    assert manifest.tags == {"k": "\udcff"}
    listed = subprocess.run(
        [sys.executable, "-m", "jvmscope", "list", "runs", "dïr"],
        cwd=recorder.directory,
        capture_output=True,
        check=True,
    )
    assert listed.stdout.decode().endswith(r"java -cp classes Hello caf\xe9 ß" + "\n")


@pytest.mark.parametrize("name", ["dïr", "caf\udce9", "語"])
def test_a_directory_that_the_locale_cannot_spell_is_recorded_in(
    recorder: Recorder, tmp_path: Path, name: str
) -> None:
    """GIVEN such a working directory, in which the program itself runs well."""
    there = Recorder(tmp_path / name, recorder.jdk)
    there.directory.mkdir()
    there.runs = tmp_path / "runs"
    there.environment["LC_ALL"] = "C"
    classes = recorder.directory / "classes"
    outcome = there.record("java", "-cp", classes, "Hello")
    assert (outcome.status, outcome.stdout) == (0, " -\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


def test_repetition_says_whether_recordings_are_identical(brisk: Recorder) -> None:
    outcome = brisk.record(
        "java", "-cp", "classes", "Hello", options=("--repeat", "2", "-o", "both")
    )
    assert outcome.runs == [Path("both/repeat-1.run"), Path("both/repeat-2.run")]
    verdict = "identical" if outcome.status == 0 else "different"
    assert f"repeat-1.run and repeat-2.run: {verdict}: " in outcome.stderr
    assert outcome.status in (0, 1)


def test_repetition_lists_what_differs_as_check_does(brisk: Recorder) -> None:
    grows = """
        public class Grows {
          static int step(int i) { return i + 1; }
          public static void main(String[] names) throws java.io.IOException {
            var file = new java.io.File(names[0]);
            for (int i = 0; i < file.length();) i = step(i);
            try (var out = new java.io.FileOutputStream(file, true)) { out.write(1); }
          }
        }
    """
    compile_java(brisk.jdk, brisk.directory / "grows", Grows=grows)
    words = ("java", "-cp", "grows", "Grows", "file")
    outcome = brisk.record(*words, options=("--repeat", "2", "-o", "grown"))
    assert outcome.status == 1
    lines = outcome.stderr.splitlines()
    there = lines.index("  counts: thread main > Grows.main([Ljava/lang/String;)V")
    assert lines[there + 1].strip().startswith("block ")
    assert lines[there + 2].strip().startswith("nodes: ")


def test_equal_sources_make_an_equal_agent() -> None:
    """Its digest is part of the key under which prepared JDKs are kept."""
    with ZipFile(agent_jar()) as jar:
        assert max(entry.date_time for entry in jar.infolist()) == (2026, 1, 1, 0, 0, 0)
        assert [name for name in jar.namelist() if name.endswith(".args")] == []
