"""Compares transitions between bytecode and native code in a run with those of an agent of our own.

Both count in the same VM, so they see the same execution. The agent begins at VMInit; what a run
counted before is that of another program with the same VM options, and is subtracted.
``python -m oracle.transitions`` prints the table of docs/oracles.md.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from support.forked import run_jvmscope
from support.warm_dump import warm_dump

import jvmscope
from benchmarks import catalogue
from benchmarks.prepare import prepare
from oracle.allocation_programs import command_of
from oracle.laboratory import BUILD
from oracle.oracles import clean_environment
from oracle.steps import canonical_class
from oracle.toolchain import agent_library, alone, find_jdks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle.toolchain import Jdk

__all__ = ["ALL", "QUICK", "Compared", "TransitionLab", "words_of"]

QUICK = ("java json", "java richards")
ALL = (
    *QUICK,
    *("javac", "h2", "lucene", "saxon", "xsltc"),
    *("scala json", "kotlin json", "clojure json", "ruby json", "javascript json"),
)
"""Language and algorithm of programs of the suite of languages, and names of real programs."""

_OTHER = ("com.sun.tools.javac.Main", "-version")  # whatever the class path is
_ALONE = ("--force", "--no-tree", "--vm-threads", "--probes", "native", "--native-clock", "none")
_TIMEOUT_S = 900
# The VM sends no events while it makes the object of a thread that attaches. Its constructor calls
# these; the first, which is called to initialise a class, only on JDK 25, the others on 17. The
# thread that waits for the end of all others attaches, too.
_ATTACHING = {
    ("java/lang/Class", "getDeclaredFields0(Z)[Ljava/lang/reflect/Field;"),
    ("java/lang/Thread", "setPriority0(I)V"),
    *(
        ("java/security/AccessController", f"{name}()Ljava/security/AccessControlContext;")
        for name in ("getInheritedAccessControlContext", "getStackAccessControlContext")
    ),
}
_LAST = "DestroyJavaVM"
_NATIVES = """
    SELECT t.name, c.name, m.name || m.descriptor, n_calls, n_exceptions, n_jni_calls
    FROM native_method JOIN thread AS t USING (thread_id)
    JOIN method AS m USING (method_id) JOIN class AS c USING (class_id) WHERE NOT is_vm_internal
"""
_GROUPS = """
    SELECT t.name, n.kind::VARCHAR, n_transitions FROM native_transition AS n
    JOIN thread AS t USING (thread_id) WHERE n.kind <> 'native_method' AND NOT is_vm_internal
"""
_UNFOLLOWED = """
    SELECT c.name, m.name || m.descriptor FROM unfollowed_native
    JOIN method AS m USING (method_id) JOIN class AS c USING (class_id)
"""
_OF_VM = "SELECT name FROM thread WHERE is_vm_internal"

Counts = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class Compared:
    """What a program did, by the agent; and where the run says something else.

    Attributes:
        n_natives: calls of native methods.
        n_exceptions: those that ended with an exception.
        n_jni: calls of Java by JNI.
        n_vm: entries of Java from native code without JNI: calls by the VM.
        n_unfollowed: calls of native methods that the run says are not followed; in no other count.
        differences: what is counted, and how much more the run has of it.
    """

    n_natives: int
    n_exceptions: int
    n_jni: int
    n_vm: int
    n_unfollowed: int
    differences: dict[tuple[str, ...], int]


@dataclass(frozen=True)
class _Witnessed:
    counts: Counts
    n_vm: int
    n_unfollowed: int


class TransitionLab:
    """Compares the transitions of programs on a JDK; all files are in a directory."""

    def __init__(self, jdk: Jdk, directory: Path) -> None:
        self.jdk = jdk
        self._directory = directory
        self._library = agent_library(jdk, "transition_oracle", BUILD)

    def compare(self, words: list[str], *, attached: Iterable[str] = ()) -> Compared:
        """The transitions of a program.

        Args:
            words: what follows `java`.
            attached: names of threads that C starts and attaches.
        """
        recorded, witnessed = self._count(words)
        for thread, method in product([_LAST, *attached], _ATTACHING):
            recorded.pop(("calls", thread, *method), None)
        differences = _minus(recorded, witnessed.counts)
        options = words[: words.index("-cp") + 2]
        before, after = self._count([*options, *_OTHER])
        differences.subtract(_minus(before, after.counts))
        counts = witnessed.counts
        return Compared(
            n_natives=_sum(counts, "calls"),
            n_exceptions=_sum(counts, "exceptions"),
            n_jni=_sum(counts, "jni"),
            n_vm=witnessed.n_vm,
            n_unfollowed=witnessed.n_unfollowed,
            differences={key: n for key, n in differences.items() if n != 0},
        )

    def _count(self, words: list[str]) -> tuple[Counts, _Witnessed]:
        run = self._directory / "a.run"
        written = self._directory / "transitions.tsv"
        agent = f"-agentpath:{self._library}=out={written},main=any"
        done = run_jvmscope(
            ["record", "-o", str(run), *_ALONE, "--", self.jdk.java, agent, *words],
            directory=self._directory,
            environment=clean_environment(),
            timeout_s=_TIMEOUT_S,
            dump=warm_dump(self.jdk),
        )
        assert done.returncode == 0, done.stderr.decode()
        with jvmscope.open(run) as opened:
            natives = list(opened.query(_NATIVES, language="sql").rows())
            groups = list(opened.query(_GROUPS, language="sql").rows())
            unfollowed = set(opened.query(_UNFOLLOWED, language="sql").rows())
            of_vm = {str(name) for (name,) in opened.query(_OF_VM, language="sql").rows()}
        return _recorded(natives, groups), _witnessed(written, unfollowed, of_vm)


def _recorded(natives: list[tuple[str | int, ...]], groups: list[tuple[str | int, ...]]) -> Counts:
    counts: Counts = Counter()
    for thread, owner, name, *numbers in natives:
        _add(counts, (str(thread), str(owner), str(name)), *map(int, numbers))
    for thread, group, n in groups:
        counts["jni", str(thread), str(group)] += int(n)
    return counts


def _witnessed(path: Path, unfollowed: set[tuple[str, ...]], of_vm: set[str]) -> _Witnessed:
    first, *lines, last = path.read_text(encoding="utf-8").splitlines()
    assert (first, last) == ("transitions", "end")
    counts: Counts = Counter()
    n_vm = n_unfollowed = n_entered = 0
    for words in (line.split("\t") for line in lines):
        if words[1] in of_vm:
            continue
        match words:
            case ["native", thread, owner, name, descriptor, *numbers]:
                calls, exceptions, jni = map(int, numbers)
                if (owner, name + descriptor) in unfollowed:
                    n_unfollowed += calls
                    calls = exceptions = 0
                _add(counts, (thread, owner, name + descriptor), calls, exceptions, jni)
            case ["jni", thread, group, n]:
                counts["jni", thread, group] += int(n)
            case ["java", *_, by_jni, by_vm]:
                n_entered += int(by_jni)
                n_vm += int(by_vm)
            case _:
                raise ValueError(words)
    assert n_entered <= _sum(counts, "jni")  # some enter a native method, or fail before
    return _Witnessed(counts, n_vm, n_unfollowed)


def _add(counts: Counts, method: tuple[str, str, str], calls: int, thrown: int, jni: int) -> None:
    thread, owner, name = method
    key = (thread, canonical_class(owner), name)
    counts["calls", *key] += calls
    counts["exceptions", *key] += thrown
    counts["jni calls", *key] += jni


def _minus(recorded: Counts, witnessed: Counts) -> Counts:
    difference = recorded.copy()
    difference.subtract(witnessed)
    return difference


def _sum(counts: Counts, what: str) -> int:
    return sum(n for key, n in counts.items() if key[0] == what)


def words_of(program: str) -> list[str]:
    """What follows `java` to run a program of `ALL` at size small."""
    if " " in program:
        return command_of(program)
    with alone(catalogue.BUILD / "prepared"):
        (workload,) = catalogue.load([program])
        prepare(workload, java_home=find_jdks()[0].home)
        return shlex.split(" ".join(workload.command(size="small")))


def _main() -> None:
    lines = [
        "| program | JDK | natives | exceptions | by JNI | by the VM | not followed | differ |",
        "| --- | --: | --: | --: | --: | --: | --: | --: |",
    ]
    for jdk in find_jdks():
        with tempfile.TemporaryDirectory() as folder:
            lab = TransitionLab(jdk, Path(folder))
            for program in sys.argv[1:] or ALL:
                found = lab.compare(words_of(program))
                numbers = [found.n_natives, found.n_exceptions, found.n_jni, found.n_vm]
                numbers += [found.n_unfollowed, len(found.differences)]
                cells = [program, str(jdk.version), *(f"{n:,}" for n in numbers)]
                lines.append(f"| {' | '.join(cells)} |")
                for key, n in found.differences.items():
                    sys.stderr.write(f"{program} {jdk.version}: {n:+} {' '.join(key)}\n")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    _main()
