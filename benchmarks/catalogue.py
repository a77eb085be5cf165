"""The workloads: what each needs, and the command line that runs it."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["BUILD", "FOLDER", "Workload", "load"]

FOLDER = Path(__file__).parent / "workloads"
BUILD = Path(__file__).parent.parent / ".build" / "workloads"


@dataclass(frozen=True, slots=True)
class Workload:
    """One program of catalogue.toml; the fields are described there."""

    name: str
    title: str
    main: str
    arguments: list[str]
    sizes: dict[str, int]
    iterations: int
    classpath: list[str]
    coordinates: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    setup: list[list[str]] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    generate: str | None = None

    @property
    def build(self) -> Path:
        """Where its jars and classes are kept between runs."""
        return BUILD / self.name

    def jars(self) -> list[Path]:
        """Its fetched jars, sorted by name."""
        return sorted((self.build / "lib").glob("*.jar"))

    def fill(self, text: str, **values: object) -> str:
        """Returns `text` with the placeholders of catalogue.toml replaced."""
        values |= {
            "lib": os.pathsep.join(str(jar) for jar in self.jars()),
            "build": self.build,
            "source": FOLDER / self.name,
            ":": os.pathsep,
        }
        for jar in self.jars():
            values.setdefault(f"jar:{_artifact(jar)}", jar)
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return text

    def command(self, *, size: str, iterations: int = 1) -> list[str]:
        """Returns the arguments of `java`; with several iterations it is the steady form."""
        path = os.pathsep.join(self.fill(entry) for entry in self.classpath)
        rest = [
            self.fill(text, size=self.sizes[size], iterations=iterations) for text in self.arguments
        ]
        return [*self.options, "-cp", path, self.main, *rest]


def _artifact(jar: Path) -> str:
    """Returns the artifact of a jar's file name, without Scala's binary version.

    >>> _artifact(Path("scala3-library_3-3.3.4.jar"))
    'scala3-library'
    """
    words = jar.stem.split("-")
    kept = next((i for i, word in enumerate(words) if word[:1].isdigit()), len(words))
    return "-".join(words[:kept]).removesuffix("_3")


def load(names: list[str] | None = None, *, catalogue: str = "catalogue.toml") -> list[Workload]:
    """Returns the workloads named, or all, in the catalogue's order.

    Raises:
        SystemExit: a name is not in the catalogue.
    """
    with (FOLDER / catalogue).open("rb") as file:
        tables: dict[str, Any] = tomllib.load(file)
    unknown = [name for name in names or [] if name not in tables]
    if unknown:
        msg = f"no workload {unknown[0]!r}; there are {', '.join(tables)}"
        raise SystemExit(msg)
    return [Workload(name=name, **tables[name]) for name in names or tables]
