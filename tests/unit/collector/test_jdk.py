"""Finding the JDK behind a launcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.fake_jdk import make_jdk

from jvmscope.collector.launch.jdk import (
    JdkError,
    find_in_path,
    is_below,
    jdk_of_home,
    jdk_of_launcher,
    unsuitable,
    untried,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_home_says_what_it_is(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk", version="21.0.3")
    assert (jdk.major, jdk.version, jdk.java) == (21, "21.0.3", f"{tmp_path}/jdk/bin/java")
    assert unsuitable(jdk) is None


@pytest.mark.parametrize(
    ("version", "reason"), [("11.0.2", "Java 17 or newer"), ("1.8.0_402", "Java 17 or newer")]
)
def test_an_old_jdk_is_refused(tmp_path: Path, version: str, reason: str) -> None:
    assert reason in str(unsuitable(make_jdk(tmp_path / "jdk", version=version)))


@pytest.mark.parametrize("missing", ["java.instrument", "jdk.unsupported"])
def test_a_runtime_without_what_the_agent_needs_is_refused(tmp_path: Path, missing: str) -> None:
    modules = {"java.base", "java.instrument", "jdk.unsupported"} - {missing}
    jdk = make_jdk(tmp_path / "jdk", modules=" ".join(modules))
    assert f"without the module {missing}, which" in str(unsuitable(jdk))


def test_another_vm_is_refused(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/lib/server/libjvm.so").unlink()
    assert "HotSpot" in str(unsuitable(jdk))


@pytest.mark.parametrize("version", ["18", "23.0.2", "26-ea", ""])
def test_a_release_that_was_never_tried_is_said(version: str) -> None:
    assert "never tried" in str(untried(version))


@pytest.mark.parametrize("version", ["17", "17.0.15", "21.0.3", "25.0.3"])
def test_a_release_that_is_tested_needs_no_warning(version: str) -> None:
    assert untried(version) is None


def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    (tmp_path / "jdk/bin/java").write_bytes(b"\x7fELF")
    (tmp_path / "alternatives").symlink_to(tmp_path / "jdk/bin/java")
    (tmp_path / "java").symlink_to("alternatives")
    assert jdk_of_launcher(str(tmp_path / "java")).home == jdk.home


def test_a_wrapper_script_is_asked(tmp_path: Path) -> None:
    jdk = make_jdk(tmp_path / "jdk")
    wrapper = tmp_path / "java"
    wrapper.write_text(f"#!/bin/sh\necho '    java.home = {jdk.home}' >&2\n")
    wrapper.chmod(0o755)
    assert jdk_of_launcher(str(wrapper)).home == jdk.home


def test_a_launcher_that_is_none_is_said(tmp_path: Path) -> None:
    wrapper = tmp_path / "java"
    wrapper.write_text("#!/bin/sh\nexit 1\n")
    wrapper.chmod(0o755)
    with pytest.raises(JdkError, match="not a working Java launcher"):
        jdk_of_launcher(str(wrapper))
    with pytest.raises(JdkError, match="no bin/java"):
        jdk_of_home(str(tmp_path))


def test_the_search_skips_the_shims(tmp_path: Path) -> None:
    make_jdk(tmp_path / "shims")
    make_jdk(tmp_path / "real")
    (tmp_path / "link").symlink_to("shims")
    path = f"{tmp_path}/none:{tmp_path}/shims/bin:{tmp_path}/link/bin:{tmp_path}/real/bin"
    found = find_in_path("java", path, without=str(tmp_path / "shims"))
    assert found == f"{tmp_path}/real/bin/java"
    assert find_in_path("java", f"{tmp_path}/shims/bin", without=str(tmp_path / "shims")) is None


def test_a_path_is_below_a_directory_by_its_parts() -> None:
    assert is_below("/x/y", "/x")
    assert not is_below("/xy", "/x")
