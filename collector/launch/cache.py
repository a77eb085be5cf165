"""The cache of instrumented JDKs: one immutable directory for each JDK build and agent version.

    CACHE/jdk/KEY/         java.base.jar, …, files.list (names and sizes, written last); held
                           (flock, shared) by recordings that need it to their end
    CACHE/jdk/KEY.lock     held (flock) by the one that builds
    CACHE/jdk/KEY.tmp-PID  being built; what a killed process leaves is removed by the next

An entry is built in a directory of its own and renamed, so that it is absent or whole. The
shim imports this module: nothing but `os` at module level.
"""

from __future__ import annotations

import os

from jvmscope.collector.launch.flags import without_foreign_options
from jvmscope.collector.launch.jdk import Jdk, JdkError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["cache_key", "cache_root", "hold", "is_whole", "let_go", "merged", "prepared"]

_LIST = "files.list"
_QUIET_S = 2.0
_UNUSED_S = 30 * 24 * 3600
_IN_USE_S = 3600
_MOST_ENTRIES = 24
_MAIN = "io.jvmscope.agent.PrepareJdk"
# The optimising compiler would take a third of the work, and its code come too late to save any.
_PREPARING = ("-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def cache_root(environment: dict[str, str]) -> str:
    """The cache's directory: JVMSCOPE_CACHE, else jvmscope in XDG_CACHE_HOME or in ~/.cache.

    >>> cache_root({"JVMSCOPE_CACHE": "/c"}), cache_root({"XDG_CACHE_HOME": "/x"})
    ('/c', '/x/jvmscope')
    """
    own = environment.get("JVMSCOPE_CACHE")
    if own:
        return os.path.abspath(own)
    base = environment.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.abspath(os.path.join(base, "jvmscope"))


def cache_key(jdk: Jdk, jar_sha256: str, variant: str) -> str:
    """The name of the entry for `jdk`, the agent with that digest, and options of PrepareJdk."""
    import hashlib

    digest = hashlib.sha256(f"{jar_sha256}\0{variant}\0".encode() + jdk.identity()).hexdigest()
    return f"{jdk.major}-{digest[:24]}"


def is_whole(entry: str) -> bool:
    """Whether `entry` has every file that its list names, with the size that it names."""
    try:
        with open(os.path.join(entry, _LIST), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines[:-1]:
            size, _, name = line.partition(" ")
            if os.stat(os.path.join(entry, name)).st_size != int(size):
                return False
    except (OSError, ValueError):
        return False
    return bool(lines) and lines[-1] == "end"


def prepared(
    jdk: Jdk,
    jar: str,
    jar_sha256: str,
    *,
    variant: str,
    root: str,
    spare: str,
    say: Callable[[str], None],
    snippets: str = "",
) -> str:
    """The entry for `jdk`, built if need be; below `spare` if `root` cannot be used.

    Args:
        jdk: the JDK to be instrumented.
        jar: the agent's jar.
        jar_sha256: its digest.
        variant: options of PrepareJdk, separated by blanks.
        root: the cache.
        spare: a directory for this recording only.
        say: is told what takes a while.
        snippets: directory with the classes of the user's own probe, which `variant` describes;
            empty: there is none.

    Raises:
        JdkError: the JDK could not be prepared; the text says why.
    """
    key = cache_key(jdk, jar_sha256, variant)
    arguments = _arguments(variant, snippets)
    roots = [root, spare] if ":" not in root else [spare]  # ':' separates paths of a patch
    failure: OSError | None = None
    for candidate in roots:
        entry = os.path.join(candidate, "jdk", key)
        if is_whole(entry):
            _note_use(entry)
            return entry
        try:
            os.makedirs(os.path.dirname(entry), exist_ok=True)
            how_often = "once" if candidate == root else _each_time(root)
            return _build_once(jdk, jar, arguments, entry, say, how_often=how_often)
        except OSError as error:
            failure = error
    raise JdkError(f"cannot prepare JDK {jdk.version}: {failure}")


def merged(
    jdk: Jdk, jar: str, patch: str, *, variant: str, base: str, out: str, snippets: str = ""
) -> None:
    """Instruments a user's own `--patch-module` for java.base: `out` then has a java.base.jar.

    Raises:
        JdkError: it could not be done; the text says why.
    """
    arguments = _arguments(variant, snippets)
    arguments += ["--merge", patch, "--base", base, "--out", out]
    _run_preparation(jdk, jar, arguments, lambda: None)


def _arguments(variant: str, snippets: str) -> list[str]:
    return [*variant.split(), *(["--snippets", snippets] if snippets else [])]


def _each_time(root: str) -> str:
    return f"each time: {root} cannot hold it, JVMSCOPE_CACHE may name a directory that can"


def _build_once(
    jdk: Jdk,
    jar: str,
    arguments: list[str],
    entry: str,
    say: Callable[[str], None],
    *,
    how_often: str,
) -> str:
    """Builds `entry` unless another process does; waits for that one.

    Raises:
        OSError: the cache cannot be written.
        JdkError: the JDK cannot be prepared.
    """
    import fcntl

    lock = os.open(entry + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Waiting for another recording that prepares JDK {jdk.version} ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(entry):
            _remove_remains(entry)
            _build(
                jdk,
                jar,
                arguments,
                entry,
                lambda: say(f"Preparing JDK {jdk.version} ({how_often}) ..."),
            )
            _remove_unused(os.path.dirname(entry))
    finally:
        os.close(lock)
    return entry


def _build(
    jdk: Jdk, jar: str, arguments: list[str], entry: str, say_so: Callable[[], None]
) -> None:
    import shutil

    partial = f"{entry}.tmp-{os.getpid()}"
    try:
        os.mkdir(partial)
        _run_preparation(jdk, jar, [*arguments, "--out", partial], say_so)
        _write_list(partial)
        os.rename(partial, entry)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _write_list(directory: str) -> None:
    names = sorted(os.listdir(directory))
    lines = [f"{os.stat(os.path.join(directory, name)).st_size} {name}" for name in names]
    with open(os.path.join(directory, _LIST), "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "end", ""]))


def _remove_remains(entry: str) -> None:
    """Removes a damaged entry and what killed processes left; the caller holds the lock."""
    import shutil

    directory, key = os.path.split(entry)
    for name in os.listdir(directory):
        if name == key or name.startswith(key + ".tmp-"):
            shutil.rmtree(os.path.join(directory, name))


def _note_use(entry: str) -> None:
    """Notes in the entry's time that it is of use; in a read-only cache nobody needs to know."""
    try:
        os.utime(entry)
    except OSError:
        return


def _remove_unused(directory: str) -> None:
    """Removes entries that nobody used for a month, and all but the last 24, of 60 MB each."""
    import shutil
    import time

    ages = []
    for name in os.listdir(directory):
        entry = os.path.join(directory, name)
        if "." not in name and os.path.isdir(entry):
            ages.append((time.time() - os.stat(entry).st_mtime, entry))
    for rank, (age_s, entry) in enumerate(sorted(ages)):
        if age_s > _UNUSED_S or (rank >= _MOST_ENTRIES and age_s > _IN_USE_S):
            held = _held(entry, is_exclusive=True)
            if held >= 0:
                shutil.rmtree(entry, ignore_errors=True)
                let_go(held)


def hold(entry: str) -> int:
    """Keeps an entry from being removed until `let_go`; returns what that takes.

    Whoever calls looks afterwards whether the entry is whole: it may have been removed before.
    """
    return _held(entry, is_exclusive=False)


def let_go(held: int) -> None:
    """Lets an entry be removed again."""
    if held >= 0:
        os.close(held)


def _held(entry: str, *, is_exclusive: bool) -> int:
    """A descriptor of an entry with its lock; -1: there is none, or, alone, others have it."""
    import fcntl

    try:
        held = os.open(entry, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB if is_exclusive else fcntl.LOCK_SH)
    except OSError:
        os.close(held)
        return -1
    return held


def _run_preparation(jdk: Jdk, jar: str, arguments: list[str], is_slow: Callable[[], None]) -> None:
    """Runs the agent's PrepareJdk on `jdk`; calls `is_slow` if that takes a while."""
    import subprocess

    command = [jdk.java, *_PREPARING, "-cp", jar, _MAIN, *arguments]
    environment = without_foreign_options(dict(os.environ))
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
    )
    try:
        try:
            output, _ = process.communicate(timeout=_QUIET_S)
        except subprocess.TimeoutExpired:
            is_slow()
            output, _ = process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if process.returncode:
        said = _without_frames(os.fsdecode(output))
        raise JdkError(
            f"cannot prepare JDK {jdk.version} in {jdk.home}: status {process.returncode}: {said}"
        )


def _without_frames(output: str) -> str:
    """Returns what a Java program said in one line, without the stacks of its exceptions.

    >>> _without_frames('Exception in thread "main" java.io.IOException: no space\\n\\tat a.B\\n')
    'java.io.IOException: no space'
    """
    lines = [line.strip() for line in output.splitlines()]
    told = [line for line in lines if line and not line.startswith(("at ", "... "))]
    return "; ".join(told).removeprefix('Exception in thread "main" ')[:2000]
