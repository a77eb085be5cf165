"""A probe of a user's own: its folder, compiled for a JDK and described for the agent.

A folder has the definitions of its tables (``*.sql``) and Java files with snippets. The recorded
JDK's compiler makes class files; what the agent must know of them goes into its options.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from jvmscope.children import run_child
from jvmscope.errors import AgentError, QueryError
from jvmscope.schema.own_tables import parse_own_table

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from jvmscope.collector.launch.jdk import Jdk
    from jvmscope.schema.own_tables import OwnTable

__all__ = ["OwnProbe", "compile_probe"]

_COMPILER = "io.jvmscope.compiler.SnippetCompiler"
_MOST = 100_000
_WHEN, _SCOPE = 4, 6
"""Places in the compiler's line of a snippet."""
# Options of the VM; the compiler runs for a second.
_QUICK = ("-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@dataclass(frozen=True)
class OwnProbe:
    """A compiled probe.

    Attributes:
        option: its description, as an option of the agent and of PrepareJdk.
        classes: the directory of its class files.
        scopes: of each snippet that runs at places in code its scope, in order and once each.
    """

    option: str
    classes: Path
    scopes: tuple[str, ...]


def compile_probe(folder: Path, jdk: Jdk | None, jar: Path, out: Path) -> OwnProbe:
    """Compiles a probe into a directory, which is made.

    Raises:
        AgentError: the folder is not a probe; the text says where and why.
    """
    tables = _tables(folder)
    sources = sorted(folder.rglob("*.java"))
    if not sources:
        raise AgentError(f"{folder}: a probe needs a Java file with snippets: there is no *.java")
    if jdk is None:
        raise AgentError(
            "--probe needs a JDK that JAVA_HOME or PATH leads to, to compile the probe"
        )
    counters = [
        f"{table.name}.{count.name}:{table.kinds}:{';'.join(key.name for key in table.keys)}"
        for table in tables
        for count in table.counts
    ]
    lines = _compile(sources, counters, jdk, jar, out)
    described = [
        "\t".join(
            (
                "table",
                table.name,
                ",".join(count.name for count in table.counts),
                table.kinds,
                table.within,
                base64.b64encode(table.ddl.encode()).decode(),
            )
        )
        for table in tables
    ]
    text = "\n".join([*described, *lines, f"classes\t{_digest(out)}"])
    option = f"snippets={quote(text, safe='/$;()[.*:')}"
    if len(option) > _MOST:
        raise AgentError(f"{folder}: the probe has too many tables or snippets")
    snippets = (line.split("\t") for line in lines if line.startswith("snippet\t"))
    scopes = dict.fromkeys(fields[_SCOPE] for fields in snippets if fields[_WHEN] != "atend")
    return OwnProbe(option, out, tuple(scopes))


def _tables(folder: Path) -> list[OwnTable]:
    files = sorted(folder.glob("*.sql"))
    if not files:
        raise AgentError(
            f"{folder}: a probe needs the definition of a table: there is no *.sql; "
            "see docs/probes.md"
        )
    tables: dict[str, OwnTable] = {}
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(f"{file}: cannot be read as UTF-8: {error}") from None
        try:
            table = parse_own_table(text, str(file))
        except QueryError as error:
            raise AgentError(str(error)) from None
        if table.name in tables:
            raise AgentError(f"{file}: another file defines the table {table.name}, too")
        tables[table.name] = table
    return [tables[name] for name in sorted(tables)]


def _compile(sources: list[Path], counters: list[str], jdk: Jdk, jar: Path, out: Path) -> list[str]:
    """Returns what the compiler says of the snippets, a line for each."""
    words = ["-cp", str(jar), _COMPILER, str(out), str(jar), ",".join(counters)]
    words += map(str, sources)
    done = _run([_java_with_compiler(jdk), *_QUICK, *words])
    output = done.stdout.decode(errors="replace").splitlines()
    if done.returncode:
        said = output or done.stderr.decode(errors="replace").strip().splitlines()
        raise AgentError(said[0] if said else f"cannot compile the probe: {done.returncode}")
    return output


def _java_with_compiler(jdk: Jdk) -> str:
    """Returns the `java` of the recorded JDK, or of another one if that has no compiler."""
    if "jdk.compiler" in jdk.modules:
        return jdk.java
    javac = shutil.which("javac")
    if javac is None:
        raise AgentError(
            f"{jdk.home} has no compiler, which --probe needs, and there is no javac in PATH"
        )
    return str(Path(javac).resolve().parent / "java")


def _run(command: list[str]) -> CompletedProcess[bytes]:
    try:
        return run_child(command)
    except OSError as error:
        raise AgentError(f"cannot compile the probe with {command[0]}: {error}") from None


def _digest(classes: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(classes.rglob("*.class")):
        digest.update(file.relative_to(classes).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
