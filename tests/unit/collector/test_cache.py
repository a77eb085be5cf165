"""The cache of instrumented JDKs: built once, whole or absent."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from support.fake_jdk import make_jdk, n_preparations

from jvmscope.collector.launch.cache import cache_key, cache_root, is_whole, prepared
from jvmscope.collector.launch.jdk import Jdk, JdkError


def prepare(
    jdk: Jdk,
    root: Path,
    *,
    variant: str = "",
    spare: Path | None = None,
    said: list[str] | None = None,
) -> str:
    return prepared(
        jdk,
        "agent.jar",
        "0" * 64,
        variant=variant,
        root=str(root),
        spare=str(spare or root / "s"),
        say=[].append if said is None else said.append,
    )


def test_an_entry_is_built_once(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    entry = prepare(jdk, tmp_path / "cache")
    assert is_whole(entry)
    assert prepare(jdk, tmp_path / "cache") == entry
    assert n_preparations(jdk) == 1
    assert sorted(path.name for path in Path(entry).parent.iterdir()) == [
        Path(entry).name,
        f"{Path(entry).name}.lock",
    ]


def test_two_at_once_build_once(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/slow").touch()
    entries: list[str] = []
    threads = [
        threading.Thread(target=lambda: entries.append(prepare(jdk, tmp_path / "cache")))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(entries) == 3
    assert len(set(entries)) == 1
    assert n_preparations(jdk) == 1


def test_what_takes_a_while_is_said_to_the_caller_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jvmscope.collector.launch.cache._QUIET_S", 0.05)
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/slow").touch()
    said: list[str] = []
    prepare(jdk, tmp_path / "cache", said=said)
    assert said == ["Preparing JDK 17.0.9 (once) ..."]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("cache", ["file/cache", "a:b"])
def test_who_has_no_usable_cache_is_told_that_it_takes_a_while_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    monkeypatch.setattr("jvmscope.collector.launch.cache._QUIET_S", 0.05)
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/slow").touch()
    (tmp_path / "file").touch()
    said: list[str] = []
    prepare(jdk, tmp_path / cache, spare=tmp_path / "spare", said=said)
    (message,) = said
    assert message.startswith(f"Preparing JDK 17.0.9 (each time: {tmp_path / cache} cannot hold it")
    assert "JVMSCOPE_CACHE" in message


def test_the_key_tells_builds_agents_and_variants_apart(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    keys = {
        cache_key(jdk, "a", ""),
        cache_key(jdk, "b", ""),
        cache_key(jdk, "a", "--receivers"),
        cache_key(make_jdk(tmp_path / "other", version="17.0.10"), "a", ""),
    }
    vm = tmp_path / "jdk/lib/server/libjvm.so"
    os.utime(vm, ns=(1, 1))
    keys.add(cache_key(jdk, "a", ""))
    assert len(keys) == 5
    assert all(key.startswith("17-") for key in keys)


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    key = cache_key(jdk, "0" * 64, "")
    half = tmp_path / "cache" / "jdk" / f"{key}.tmp-1"
    half.mkdir(parents=True)
    (half / "java.base.jar").write_text("half")
    entry = prepare(jdk, tmp_path / "cache")
    assert not half.exists()
    assert is_whole(entry)


@pytest.mark.parametrize("damage", ["cut", "missing", "list"])
def test_a_damaged_entry_is_built_again(tmp_path: Path, damage: str) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    entry = Path(prepare(jdk, tmp_path / "cache"))
    if damage == "cut":
        (entry / "java.base.jar").write_text("")
    elif damage == "missing":
        (entry / "intrinsics.txt").unlink()
    else:
        (entry / "files.list").write_text("6 java.base.jar\n")
    assert not is_whole(str(entry))
    assert Path(prepare(jdk, tmp_path / "cache")) == entry
    assert is_whole(str(entry))
    assert n_preparations(jdk) == 2


def test_a_cache_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    entry = prepare(jdk, tmp_path / "cache")
    (tmp_path / "cache/jdk").chmod(0o500)
    assert prepare(jdk, tmp_path / "cache") == entry


def test_without_a_usable_cache_a_spare_one_serves(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "file").touch()
    entry = prepare(jdk, tmp_path / "file" / "cache", spare=tmp_path / "spare")
    assert entry.startswith(f"{tmp_path}/spare/")
    assert is_whole(entry)
    in_path = prepare(jdk, tmp_path / "a:b", spare=tmp_path / "spare")
    assert in_path == entry


def test_what_nobody_used_for_a_month_is_removed(tmp_path: Path) -> None:
    directory = tmp_path / "cache/jdk"
    for name, age_days in (("17-old", 31), ("17-new", 1)):
        (directory / name).mkdir(parents=True)
        then = time.time() - age_days * 86400
        os.utime(directory / name, (then, then))
    for number in range(32):
        (directory / f"17-{number}").mkdir()
        then = time.time() - 7200 - number
        os.utime(directory / f"17-{number}", (then, then))
    prepare(make_jdk(tmp_path / "jdk"), tmp_path / "cache")
    assert len([path for path in directory.iterdir() if path.is_dir()]) == 24
    assert not (directory / "17-old").exists()
    assert not (directory / "17-new").exists()
    assert (directory / "17-0").exists()


def test_a_jdk_that_cannot_be_prepared_says_why(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/broken").touch()
    with pytest.raises(JdkError, match=r"cannot prepare JDK 17\.0\.9 .* status 3: no way"):
        prepare(jdk, tmp_path / "cache")
    assert not list((tmp_path / "cache/jdk").glob("*.tmp-*"))


def test_the_cache_is_where_the_user_says() -> None:
    assert cache_root({"JVMSCOPE_CACHE": "/a", "XDG_CACHE_HOME": "/b"}) == "/a"
    assert cache_root({"HOME": "/h"}).endswith("/.cache/jvmscope")
