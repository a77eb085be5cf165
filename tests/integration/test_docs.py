"""The pages that a newcomer follows do what they say, command by command."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from integration.literal import Beginnings, commands_of, run_commands
from integration.recording import BUILD, Recorder, jdk_of_docs
from support.small_jdk import brief_jdk

_ROOT = Path(__file__).parents[2]
# Pages that are read one after the other, the folder of their programs, and how many commands they
# have at least.
_PAGES = [
    (("README.md",), "tutorial", 5),
    (("docs/tutorial.md",), "tutorial", 15),
    (("docs/suites.md", "docs/reports.md"), "tutorial", 10),
    (("docs/startup.md",), "tutorial", 8),
    (("docs/recipes.md",), "tutorial", 4),
    (("docs/probes.md",), "probes", 6),
]
# Their options have a JDK prepared for nobody else.
_WITH_PROBES = (("docs/suites.md", "docs/reports.md"), ("docs/recipes.md",), ("docs/probes.md",))


@pytest.fixture(scope="module")
def beginnings(tmp_path_factory: pytest.TempPathFactory) -> Beginnings:
    """What several pages begin with."""
    return Beginnings(tmp_path_factory.mktemp("beginnings"))


@pytest.mark.parametrize(("pages", "example", "n"), _PAGES, ids=[pages[-1] for pages, *_ in _PAGES])
def test_pages_do_what_they_say(
    pages: tuple[str, ...], example: str, n: int, tmp_path: Path, beginnings: Beginnings
) -> None:
    directory = tmp_path / example
    shutil.copytree(_ROOT / "docs" / "examples" / example, directory)
    jdk = jdk_of_docs()
    jdk = brief_jdk(jdk, BUILD) if pages in _WITH_PROBES else jdk
    environment = dict(Recorder(directory, jdk).environment)
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    texts = [(_ROOT / page).read_text(encoding="utf-8") for page in pages]
    commands = [command for text in texts for command in commands_of(text)]

    wrong = run_commands(commands, directory, environment, beginnings)

    assert len(commands) >= n
    assert not wrong, "\n\n".join(wrong)
