"""Recording where things are in the way: options of the user's own, caches, full disks."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder, compile_java, jdks
from oracle.laboratory import BUILD
from support.small_jdk import small_jdk
from support.warm_dump import warm_dump

from jvmscope.collector import agent_jar, unread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from oracle.toolchain import Jdk

JDKS = jdks()
_MAIN = """
public class Main {
  static int work(int n) { return n * n; }
  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; i < 9; i++) { sum += work(i); }
    System.out.println(sum + System.getProperty("own.agent", ""));
  }
}
"""
_READER = """
public class Main {
  public static void main(String[] args) throws java.io.IOException {
    System.out.println(System.in.readAllBytes().length);
  }
}
"""
_AGENT = """
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
public class Own implements java.lang.instrument.ClassFileTransformer {
  public static void premain(String options, Instrumentation instrumentation) {
    System.setProperty("own.agent", " with agent " + options);
    instrumentation.addTransformer(new Own());
  }
  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    return null;
  }
}
"""
_DEPTH = """
public class Depth {
  static int depth;
  static void fall() { depth++; fall(); }
  public static void main(String[] args) throws InterruptedException {
    Thread thread = new Thread(() -> {
      try { fall(); } catch (StackOverflowError e) { System.out.println(depth > 200_000); }
    });
    thread.start();
    thread.join();
  }
}
"""
# A million contexts.
_BUSH = """
public class Bush {
  static int grow(int n) { return n == 0 ? 0 : 1 + grow(n - 1) + grow(n - 1); }
  public static void main(String[] args) { System.out.println(grow(20)); }
}
"""
_NAMED = r"""
import java.nio.file.*;
public class Named {
  public static void main(String[] args) throws Exception {
    System.out.println(Files.readString(Path.of("/proc/self/cmdline")).split("\0")[0]);
  }
}
"""
# A class of java.base that only a patch has.
_PATCH = """
package java.util;
public class %s { public static String say() { return "patched"; } }
"""


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder.of(JDKS[0], tmp_path, Main=_MAIN)


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_a_program_keeps_its_own_agent(tmp_path: Path, jdk: Jdk) -> None:
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    recorder.dump = warm_dump(jdk)
    compile_java(jdk, tmp_path / "own", Own=_AGENT)
    (tmp_path / "manifest").write_text("Premain-Class: Own\n")
    jar = [jdk.tool("jar"), "cfm", "own.jar", "manifest", "-C", "own", "."]
    subprocess.run(jar, cwd=tmp_path, check=True)
    outcome = recorder.record("java", "-javaagent:own.jar=x", "-cp", "classes", "Main")
    assert (outcome.status, outcome.stdout) == (0, "204 with agent x\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


def test_a_launcher_is_called_what_its_caller_called_it(recorder: Recorder) -> None:
    """GIVEN launchers by name, by path and by JAVA_HOME, THEN the process is named as written."""
    home = recorder.environment["JAVA_HOME"] = f"{recorder.jdk.home}/../{recorder.jdk.home.name}"
    compile_java(recorder.jdk, recorder.directory / "classes", Named=_NAMED)
    (recorder.directory / "jdk").symlink_to(recorder.jdk.home)
    launchers = ("java", '"$JAVA_HOME"/bin/java')
    script = "\n".join(f"{launcher} -cp classes Named" for launcher in launchers)
    (recorder.directory / "all.sh").write_text(script)
    assert recorder.record("sh", "all.sh").stdout == f"java\n{home}/bin/java\n"
    named = recorder.record("./jdk/bin/java", "-cp", "classes", "Named")
    assert named.stdout == "./jdk/bin/java\n"


@pytest.mark.parametrize("variable", ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"])
def test_options_from_the_environment_are_heeded(recorder: Recorder, variable: str) -> None:
    recorder.environment[variable] = "-Xmx200m -XX:+UseG1GC -Down.agent=' x'"
    outcome = recorder.record("java", "-cp", "classes", "Main")
    assert outcome.stdout == "204 x\n"
    assert f"Picked up {variable}: -Xmx200m" in outcome.stderr
    manifest = outcome.manifest
    assert manifest.status == "complete"
    added = manifest.jvm["added_options"]
    assert "-Xms200m" in added
    assert "-XX:+UseSerialGC" not in added
    assert len(manifest.determinism) == 2
    assert manifest.environment[variable] == recorder.environment[variable]


_PATCH_WAYS = (
    *("option", "variable", "words of variable", "argfile of variable", "argfile"),
    *("options file", "variable with options file"),
)


@pytest.mark.parametrize(
    ("jdk", "way"),
    [*((JDKS[0], way) for way in _PATCH_WAYS), (JDKS[-1], "option")],
    ids=lambda value: value if isinstance(value, str) else f"jdk{value.version}",
)
def test_a_programs_own_patch_of_java_base_is_merged(tmp_path: Path, jdk: Jdk, way: str) -> None:
    """GIVEN a patched class library, WHEN recorded, THEN the program sees its own patch."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    patching = ("--patch-module", "java.base=.")
    compile_java(jdk, tmp_path / "own patch", patching, Added=_PATCH % "Added")
    says = "public class Says { public static void main(String[] a) throws Exception {"
    says += ' System.out.println(Class.forName("java.util.Added").getMethod("say").invoke(null));'
    compile_java(jdk, tmp_path / "classes", Says=says + " } }")
    patch = ["--patch-module", f"java.base={tmp_path}/own patch"]
    variables = {
        "variable": f"'--patch-module={patch[1]}' -Dx=y",
        "words of variable": f"{patch[0]} '{patch[1]}' -Dx=y",
        "argfile of variable": "@args",
    }
    if way.startswith("argfile"):
        (tmp_path / "args").write_text(f'{patch[0]} "{patch[1]}"\n-Dx=y\n')
    if way in variables:
        recorder.environment["JDK_JAVA_OPTIONS"] = variables[way]
        patch = []
    elif way == "argfile":
        patch = ["@args"]
    elif way.endswith("options file"):
        (tmp_path / "file").write_text(f"'--patch-module={patch[1]}'\n-Dx='y z'")
        patch = ["-XX:VMOptionsFile=file"]
        if way.startswith("variable"):
            recorder.environment["JAVA_TOOL_OPTIONS"] = patch.pop()
    outcome = recorder.record("java", *patch, "-cp", "classes", "Says")
    assert (outcome.status, outcome.stdout) == (0, "patched\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


@pytest.mark.parametrize("variable", ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"])
def test_a_variable_that_loses_an_option_keeps_the_others(
    recorder: Recorder, variable: str
) -> None:
    odd = " 'it\"s' \t\"'\""  # blanks and both kinds of quotes
    quoted = "' '\"'\"'it\"s'\"'\"' \t\"'\"'\"'\"'"
    words = f"-XX:ArchiveClassesAtExit=own.jsa '-Down.agent='{quoted}"
    recorder.environment[variable] = words
    outcome = recorder.record("java", "-cp", "classes", "Main")
    assert (outcome.status, outcome.stdout) == (0, f"204{odd}\n"), outcome.stderr
    assert "own.jsa was left out" in outcome.manifest.determinism[-1]


def test_a_file_of_options_that_loses_one_keeps_the_others(recorder: Recorder) -> None:
    text = "-Down.agent=' a b'\n-XX:ArchiveClassesAtExit=own.jsa\n"
    (recorder.directory / "file").write_text(text)
    words = ("java", "-XX:VMOptionsFile=file", "-cp", "classes", "Main")
    outcome = recorder.record(*words)
    assert (outcome.status, outcome.stdout) == (0, "204 a b\n"), outcome.stderr
    assert "own.jsa was left out" in outcome.manifest.determinism[-1]
    assert outcome.manifest.jvm["command"] == list(words)


def test_a_variable_that_the_launcher_refuses_is_its_business(recorder: Recorder) -> None:
    recorder.environment["JDK_JAVA_OPTIONS"] = "@none"
    outcome = recorder.record("java", "-cp", "classes", "Main")
    assert outcome.status == 1
    assert "Error: could not open `none'" in outcome.stderr


@pytest.mark.parametrize("options", [["-cp", "classes"], ["@args"], ["-cp", "@@classes"]], ids=str)
def test_a_very_long_command_line_is_read_as_it_was(recorder: Recorder, options: list[str]) -> None:
    """GIVEN more than exec takes with our options, THEN an argfile of ours means the same."""
    counts = "public class Counts { public static void main(String[] a) {"
    counts += ' System.out.println(a.length + " " + String.join("|", a).hashCode()); } }'
    compile_java(recorder.jdk, recorder.directory / "classes", Counts=counts)
    (recorder.directory / "@classes").symlink_to("classes")
    (recorder.directory / "args").write_text("-cp classes")
    many = [*map(str, range(100_000)), "@args", "@@args", "", "a b", 'c"d', "e\\f", "#g"]
    command = ["java", *options, "Counts", *many]
    bare = subprocess.run(
        [str(recorder.jdk.home / "bin/java"), *command[1:]],
        cwd=recorder.directory,
        capture_output=True,
        text=True,
        check=True,
    )
    outcome = recorder.record(*command)
    assert (outcome.status, outcome.stdout) == (0, bare.stdout), outcome.stderr
    assert outcome.manifest.jvm["command"][1:] == command[1:]


def test_an_environment_that_leaves_no_room_for_our_options_is_passed_on(
    recorder: Recorder,
) -> None:
    """GIVEN variables with which exec takes the program's own command line, and little more."""
    java = [str(recorder.jdk.home / "bin/java"), "-cp", "classes", "Main"]
    low, high = 1, 1 << 22  # bytes: the bound depends on the limit of stacks
    while high - low > 16:
        middle = (low + high) // 2
        try:
            subprocess.run(
                [java[0], "-version"], env=_filled(middle), capture_output=True, check=True
            )
            low = middle
        except OSError:
            high = middle
    for n_free in (3500, 2500, 1500):
        recorder.environment.update(_filled(low - n_free))
        outcome = recorder.record("java", *java[1:])
        assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr


def _filled(n_bytes: int) -> dict[str, str]:
    """Variables of so many bytes; exec takes none of 128 KiB or more."""
    parts = [100_000] * (n_bytes // 100_000) + [n_bytes % 100_000]
    return {f"FILL{k:03}": "x" * max(0, n - len("FILL000=") - 1) for k, n in enumerate(parts)}


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_options_that_a_patched_vm_refuses_do_not_stop_it(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN too few modules for an agent, and an archive to write, THEN it runs, recorded."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    recorder.dump = warm_dump(jdk)
    options = ("--limit-modules", "java.base", "-XX:ArchiveClassesAtExit=own.jsa")
    outcome = recorder.record("java", *options, "-cp", "classes", "Main")
    assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr
    assert outcome.manifest.status == "complete"
    assert "own.jsa was left out" in outcome.manifest.determinism[-1]


_REFUSED = {
    "-Xshare:on": range(17, 26),
    "-XX:+RequireSharedSpaces": range(17, 19),
    "-XX:ArchiveClassesAtExit=own.jsa": range(17, 26),
    "-XX:+RecordDynamicDumpInfo": range(17, 26),
    "-XX:+AutoCreateSharedArchive": range(19, 26),
    "-XX:AOTCacheOutput=own.aot": range(25, 26),
    "-XX:+AggressiveHeap": range(17, 26),
    "-XX:+UseStringDeduplication": range(17, 26),
    "-XX:OldSize=100m": range(17, 22),
}
"""What a VM with a patched java.base or our pins refuses or warns of, and the JDKs that know it."""
_OPTION_WAYS = ("file", "_JAVA_OPTIONS", "not deterministic")


def _refused(jdk: Jdk) -> list[str]:
    return [option for option, releases in _REFUSED.items() if jdk.version in releases]


def _together(jdk: Jdk) -> list[str]:
    """Those that a bare VM takes at once: with one archive to write, and one heap."""
    known = _refused(jdk)
    written = [option for option in known if option.endswith((".jsa", ".aot"))]
    archives = ("-XX:+RecordDynamicDumpInfo", "-XX:+AutoCreateSharedArchive", *written[:-1])
    others = (*archives, "-XX:+AggressiveHeap")
    return [option for option in known if option not in others]


@pytest.mark.parametrize(
    ("jdk", "way", "refused"),
    [
        *((jdk, "command", option) for jdk in JDKS for option in _refused(jdk)),
        *((jdk, way, " ".join(_together(jdk))) for jdk in JDKS for way in _OPTION_WAYS),
    ],
    ids=str,
)
def test_a_program_starts_wherever_its_options_stand(
    tmp_path: Path, jdk: Jdk, way: str, refused: str
) -> None:
    """GIVEN options that a bare VM takes, WHEN recorded, THEN the VM starts, too."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    recorder.dump = warm_dump(jdk)
    words = refused.split()
    if way == "file":
        (tmp_path / "own.options").write_text(refused)
        words = ["-XX:VMOptionsFile=own.options"]
    elif way == "_JAVA_OPTIONS":
        recorder.environment[way] = refused
        words = []
    options = ("--no-deterministic",) if way == "not deterministic" else ()
    outcome = recorder.record("java", *words, "-cp", "classes", "Main", options=options)
    assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


@pytest.mark.parametrize("way", ["command", "_JAVA_OPTIONS"])
@pytest.mark.parametrize("option", ["-XX:AOTMode=auto", "-XX:+AutoCreateSharedArchive"])
def test_an_option_of_a_later_jdk_is_refused(tmp_path: Path, way: str, option: str) -> None:
    """GIVEN an option that a bare VM refuses, WHEN recorded, THEN the VM says the same."""
    oldest = min(JDKS, key=lambda jdk: jdk.version)
    if oldest.version > 18:
        pytest.skip("all JDKs know these options")
    recorder = Recorder.of(oldest, tmp_path, Main=_MAIN)
    words = [option] if way == "command" else []
    if not words:
        recorder.environment[way] = option
    command = ["-cp", "classes", "Main"]
    bare = subprocess.run(
        [oldest.tool("java"), *words, *command],
        cwd=tmp_path,
        env=recorder.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    outcome = recorder.record("java", *words, *command)
    assert bare.returncode == 1
    assert (outcome.status, outcome.stdout) == (1, bare.stdout)
    assert bare.stderr in outcome.stderr


@pytest.mark.parametrize("way", ["command", "file", "_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"])
def test_a_limit_for_classes_leaves_room_for_instrumented_ones(
    recorder: Recorder, way: str
) -> None:
    """GIVEN a limit that suffices a bare VM, WHEN recorded, THEN the program runs, too."""
    option = "-XX:MaxMetaspaceSize=6m"
    words = [option] if way == "command" else []
    if way == "file":
        (recorder.directory / "own.options").write_text(option)
        words = ["-XX:VMOptionsFile=own.options"]
    elif not words:
        recorder.environment[way] = option
    bare = [recorder.jdk.tool("java"), *words, "-cp", "classes", "Main"]
    subprocess.run(bare, cwd=recorder.directory, env=recorder.environment, check=True)
    options = ("--inject", "env") if way == "JAVA_TOOL_OPTIONS" else ()
    outcome = recorder.record("java", *words, "-cp", "classes", "Main", options=options)
    assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


def test_a_tool_starts_whatever_its_vm_is_given(recorder: Recorder) -> None:
    """GIVEN options for a tool's VM, THEN it starts, as without a recording."""
    (recorder.directory / "Own.java").write_text("class Own {}")
    for option in ("-Xshare:on", "-XX:ArchiveClassesAtExit=own.jsa", "-XX:MaxMetaspaceSize=12m"):
        words = ("javac", f"-J{option}", "Own.java")
        outcome = recorder.record(*words, options=("--name", "own", "--force"))
        assert outcome.status == 0, outcome.stderr
        assert outcome.manifest.status == "complete"


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_the_whole_class_library_verifies(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a VM that verifies what it otherwise trusts, THEN it boots, and runs as without us."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    recorder.dump = warm_dump(jdk)
    outcome = recorder.record("java", "-Xverify:all", "-cp", "classes", "Main")
    assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr
    assert outcome.manifest.status == "complete"


def test_an_agent_of_another_name_is_the_boot_loaders(recorder: Recorder, tmp_path: Path) -> None:
    """GIVEN an agent's jar of any name, THEN the program's loaders know nothing of it."""
    own = tmp_path / "own agent.jar"
    shutil.copyfile(agent_jar(), own)
    recorder.environment["JVMSCOPE_AGENT_JAR"] = str(own)
    says = "public class Says { public static void main(String[] a) throws Exception {"
    says += ' System.out.println(Class.forName("io.jvmscope.agent.Agent").getClassLoader());'
    compile_java(recorder.jdk, tmp_path / "classes", Says=says + " } }")
    outcome = recorder.record("java", "-cp", "classes", "Says")
    assert (outcome.status, outcome.stdout) == (0, "null\n"), outcome.stderr


@pytest.mark.skipif(JDKS[0].version > 17, reason="newer releases have no security manager")
def test_a_security_manager_lets_us_record(recorder: Recorder) -> None:
    words = ("java", "-Djava.security.manager", "-cp", "classes", "Main")
    outcome = recorder.record(*words)
    assert outcome.status == 1  # reading the property is what the default policy forbids
    assert "access denied" in outcome.stderr
    policy = recorder.directory / "policy"
    policy.write_text('grant { permission java.util.PropertyPermission "own.agent", "read"; };\n')
    allowed = recorder.record(words[0], words[1], f"-Djava.security.policy={policy}", *words[2:])
    assert (allowed.status, allowed.stdout) == (0, "204\n"), allowed.stderr
    assert allowed.manifest.status == "complete"


def test_two_recordings_at_once_prepare_the_jdk_once(recorder: Recorder, tmp_path: Path) -> None:
    """GIVEN an empty cache with remains, WHEN two record, THEN one builds and both have runs."""
    cache = tmp_path / "fresh cache"
    recorder = Recorder(tmp_path, small_jdk(recorder.jdk, BUILD))
    recorder.environment["JVMSCOPE_CACHE"] = str(cache)
    words = ("java", "-cp", "classes", "Main")
    both = [recorder.start(*words, options=("-o", f"{i}.run")) for i in range(2)]
    outcomes = [recorder.finish(process) for process in both]
    assert [outcome.status for outcome in outcomes] == [0, 0], outcomes
    assert [outcome.manifest.status for outcome in outcomes] == ["complete", "complete"]
    said = "".join(outcome.stderr for outcome in outcomes)
    assert said.count("Preparing JDK") <= 1
    [entry] = [path for path in (cache / "jdk").iterdir() if path.suffix != ".lock"]
    # A cache that cannot be written is read; one that is damaged and cannot be mended is not.
    check_read_only(recorder, entry)


def check_read_only(recorder: Recorder, entry: Path) -> None:
    for path in (entry, entry.parent, entry.parent.parent):
        path.chmod(0o555)
    try:
        words = ("java", "-cp", "classes", "Main")
        outcome = recorder.record(*words, options=("-o", "read-only.run"))
        assert outcome.status == 0
        assert outcome.manifest.status == "complete"
    finally:
        for path in (entry.parent.parent, entry.parent, entry):
            path.chmod(0o755)


@pytest.fixture(params=["8m", "40m", "64m"])
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A small file system; without the right to mount one there is no such test."""
    mount = shutil.which("mount")
    directory = tmp_path / "small"
    directory.mkdir()
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    command = [mount, "-t", "tmpfs", "-o", f"size={request.param}", "tmpfs", str(directory)]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system may be mounted here")
    yield directory
    for raw in directory.glob("*/raw"):
        if unread.in_memory(raw) is not None:
            unread.discard(raw)
    subprocess.run(["umount", "-l", str(directory)], check=True)


def test_a_full_disk_is_said_and_the_program_does_not_notice(
    recorder: Recorder, small_disk: Path
) -> None:
    """GIVEN a disk too small for a recording, THEN it is refused, truncated, or failed."""
    compile_java(JDKS[0], recorder.directory / "classes", Bush=_BUSH)
    # The arena lies on the disk, too, where the file system in memory is not used.
    recorder.environment["JVMSCOPE_KEEP_RAW"] = "1"
    to_disk = ("-o", small_disk / "a.run")
    outcome = recorder.record("java", "-cp", "classes", "Bush", options=to_disk)
    if "a recording needs 32 MiB or more" in outcome.stderr:
        assert (outcome.status, outcome.stdout) == (125, "")
        return
    assert outcome.stdout == "1048575\n"
    if outcome.runs:
        manifest = outcome.manifest
        assert manifest.status in ("truncated", "failed")
        assert manifest.limits
        assert outcome.status == (125 if manifest.status == "failed" else 0)
    else:
        assert outcome.status == 125
        assert not (small_disk / "a.run").exists()


def test_jvms_that_are_named_by_a_path_of_their_own_are_told(tmp_path: Path) -> None:
    """GIVEN a script that starts JVMs by path and by PATH, THEN the former are told, not hidden."""
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_READER)
    java = f"{JDKS[0].home}/bin/java"
    # What is not recorded lives for ten looks at which JVMs there are.
    unseen = f"sleep 0.5 | {java} -cp classes Main"
    script = f"{unseen}; java -cp classes Main </dev/null; java -version; {unseen}"

    outcome = recorder.record("sh", "-c", script)

    assert outcome.status == 0
    (told,) = [line for line in outcome.stderr.splitlines() if "that were not recorded" in line]
    assert f"{java} Main (2 times)" in told
    assert "jvmscope record --inject env -- sh -c" in told
    assert "Main ended" in outcome.stderr.splitlines()


def test_the_advice_names_the_jdk_of_jvms_that_were_not_reached(tmp_path: Path) -> None:
    """GIVEN a JVM of another JDK than JAVA_HOME's, THEN following the advice records it."""
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_READER)
    other = tmp_path.resolve() / "other"
    shutil.copytree(JDKS[0].home, other, symlinks=True)
    script = f"sleep 0.5 | {other}/bin/java -cp classes Main"

    outcome = recorder.record("sh", "-c", script)
    assert f"JAVA_HOME={other} jvmscope record --inject env -- sh -c" in outcome.stderr

    recorder.environment["JAVA_HOME"] = str(other)
    again = recorder.record("sh", "-c", script, options=("--inject", "env"))
    assert (again.status, again.stdout) == (0, "0\n")
    assert again.manifest.main.class_name == "Main"
    shutil.rmtree(other)


@pytest.mark.parametrize("is_below_java", [True, False])
def test_env_is_not_advised_for_jvms_of_several_jdks(
    tmp_path: Path, *, is_below_java: bool
) -> None:
    """GIVEN that what env would add to all JVMs is for one JDK, THEN another would fail."""
    starter = """
        class Starter {
          public static void main(String[] command) throws Exception {
            System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
          }
        }
    """
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_READER, Starter=starter)
    other = tmp_path.resolve() / "other"
    shutil.copytree(JDKS[0].home, other, symlinks=True)
    unnamed = f"sleep 0.5 | {other}/bin/java -cp classes Main"
    words = ("java", "-cp", "classes", "Starter", "sh", "-c", unnamed)
    script = ("sh", "-c", f"java -cp classes Main < /dev/null; {unnamed}")

    outcome = recorder.record(*(words if is_below_java else script))
    assert f"not recorded: {other}/bin/java Main" in outcome.stderr
    assert "COMMAND's JVMs are of several JDKs" in outcome.stderr
    assert "To record them" not in outcome.stderr
    shutil.rmtree(other)


def test_env_is_not_advised_where_it_was_given(tmp_path: Path) -> None:
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_MAIN)

    outcome = recorder.record("true", options=("--inject", "env"))
    assert "use --inject env" not in outcome.stderr
    assert f"JVMs must be of the JDK in {JDKS[0].home}: set JAVA_HOME to theirs" in outcome.stderr


def test_jvms_that_are_reached_are_not_told(tmp_path: Path) -> None:
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_MAIN)
    script = "java -cp classes Main; java -version; java -cp classes Main"

    assert "this recording does not" not in recorder.record("sh", "-c", script).stderr


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_a_jvm_that_begins_when_the_recording_is_over_runs(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a process that outlives the command and has inherited its options."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    gate, said = tmp_path / "gate", tmp_path / "said"
    late = (
        f"until [ -e {gate} ]; do sleep 0.1; done; "
        f"{jdk.java} -cp classes Main > {said} 2> /dev/null; echo status $? >> {said}"
    )
    script = f"setsid sh -c '{late}' < /dev/null > /dev/null 2>&1 & java -cp classes Main"
    outcome = recorder.record("sh", "-c", script, options=("--inject", "env"))
    assert outcome.status == 0, outcome.stderr
    gate.touch()
    ends = time.monotonic() + 60
    while not said.exists() or "status" not in said.read_text():
        assert time.monotonic() < ends
        time.sleep(0.1)

    assert said.read_text() == f"{outcome.stdout}status 0\n"


@pytest.mark.parametrize("jdk", JDKS, ids=lambda jdk: f"jdk{jdk.version}")
def test_a_vm_whose_options_are_in_a_file_starts(tmp_path: Path, jdk: Jdk) -> None:
    """GIVEN a collector and a largest heap below the first one that recordings choose."""
    recorder = Recorder.of(jdk, tmp_path, Main=_MAIN)
    (recorder.directory / "options").write_text("-XX:+UseG1GC\n-Xmx64m\n")
    outcome = recorder.record("java", "-XX:VMOptionsFile=options", "-cp", "classes", "Main")

    assert (outcome.status, outcome.stdout) == (0, "204\n"), outcome.stderr


@pytest.mark.parametrize("place", ["", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"])
@pytest.mark.parametrize(
    ("option", "text"),
    [("-XX:VMOptionsFile=options", "-Xss64m"), ("-XX:Flags=options", "ThreadStackSize=65536")],
)
def test_stacks_of_a_size_in_a_file_are_not_smaller(
    option: str, text: str, place: str, tmp_path: Path
) -> None:
    recorder = Recorder.of(JDKS[0], tmp_path, Depth=_DEPTH)
    (tmp_path / "options").write_text(text)
    words = ("java", *(() if place else (option,)), "-Xint", "-cp", "classes", "Depth")
    if place:
        recorder.environment[place] = option

    assert recorder.record(*words).stdout == "true\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), ": a file of 6144 MiB, most of it empty, cannot be made"),
        (("--max-memory", "64MiB", "--probes", "lifetimes"), "/raw/lifetimes: a file of "),
        (("--probes", "native"), "/raw/native: it cannot be 2 GiB long"),
        (("--no-tree", "--probes", "native"), "/raw/native: it cannot be 2 GiB long"),
    ],
    ids=["calls", "lifetimes", "native", "native alone"],
)
def test_a_limit_of_the_length_of_files_is_named(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """GIVEN a limit of 1.4 GiB for sparse files, THEN it is not said that room lacks."""
    recorder = Recorder.of(JDKS[0], tmp_path, Main=_MAIN)
    script = "ulimit -f 3000000; exec java -cp classes Main"
    outcome = recorder.record("sh", "-c", script, options=(*options, "-o", "none.run"))

    assert outcome.status != 0
    told = next(line for line in outcome.stderr.splitlines() if "ulimit -f" in line)
    assert message in told
