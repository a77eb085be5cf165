"""Which sources the agent's jar was built from: a digest of them, which its manifest has.

The build runs this file as a script, before anything is installed: nothing but the standard
library. It prints the digest, or, given a jar, `stale` if that was built from other sources.
"""

from __future__ import annotations

import hashlib
import sys
import zipfile
import zlib
from pathlib import Path

__all__ = ["ENTRY", "NotAnAgent", "digest_of_sources", "manifest_of"]

ENTRY = "Jvmscope-Sources"
"""The entry of the manifest that has the digest; the pom writes it."""

_DIGITS = 32


class NotAnAgent(Exception):
    """A file is not an agent's jar; the message says why."""


def digest_of_sources(agent: Path) -> str | None:
    """Returns the digest of what a jar is made of; None: the sources are not there, as in a wheel.

    Args:
        agent: the directory with the pom and `src`.
    """
    if not (agent / "pom.xml").is_file():
        return None
    paths = [path for part in ("main", "runtime") for path in (agent / "src" / part).rglob("*")]
    digest = hashlib.sha256()
    for path in sorted([agent / "pom.xml", *(path for path in paths if path.is_file())]):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(agent).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:_DIGITS]


def manifest_of(jar: Path) -> dict[str, str]:
    """Returns the entries of an agent's manifest.

    Raises:
        NotAnAgent: the file cannot be read, is damaged, or has no agent.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            text = archive.read("META-INF/MANIFEST.MF").decode()
    except OSError as error:
        raise NotAnAgent(f"it cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError) as error:
        raise NotAnAgent(f"it is damaged: {error}") from None
    except KeyError:
        raise NotAnAgent("it has no manifest") from None
    found = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    if "Premain-Class" not in found:
        raise NotAnAgent("its manifest names no agent")
    return found


def _is_stale(jar: Path, agent: Path) -> bool:
    try:
        return manifest_of(jar).get(ENTRY) != digest_of_sources(agent)
    except NotAnAgent:
        return True


if __name__ == "__main__":
    beside = Path(__file__).resolve().parent / "agent"
    here = beside if beside.exists() else Path("collector", "agent")  # an sdist
    if len(sys.argv) == 1:
        sys.stdout.write(f"{digest_of_sources(here)}\n")
    elif _is_stale(Path(sys.argv[1]), here):
        sys.stdout.write("stale\n")
