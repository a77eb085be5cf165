"""The study from S1 to S10: launches, cycles, controls, and going on after an end."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from jvmscope.errors import AgentError
from jvmscope.schema import study_tables
from jvmscope.signals import Ended
from jvmscope.watch.probes import class_pattern
from jvmscope.watch.requests import noted_signals
from jvmscope.watch.study.agent_link import StudiedMethod
from jvmscope.watch.study.launch import Interrupted, Launch
from jvmscope.watch.study.manifest import StudyManifest, write_study_manifest
from jvmscope.watch.study.program import StudiedProgram
from jvmscope.watch.study.random_order import delay_of, method_of
from jvmscope.watch.study.store import Study, StudyParts
from jvmscope.whole_files import replace_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from jvmscope.watch.study.launch import Reading
    from jvmscope.watch.study.options import StudyOptions

    Rows = dict[str, list[Any]]
    Tell = Callable[[str, int], None]

__all__ = ["begin_study", "run_study"]

_OUTPUT = "output"
_NS = 1e-9


def begin_study(path: Path, command: Sequence[str], options: StudyOptions) -> None:
    """Makes the directory of a study of which nothing is done yet."""
    (path / _OUTPUT).mkdir(parents=True)
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    tool = {"name": "jvmscope", "version": version("jvmscope")}
    found = StudyManifest([*command], options.as_manifest(), tool=tool, started=started)
    write_study_manifest(path, found)


def run_study(
    path: Path, options: StudyOptions, jar: Path, tell: Tell, *, replaced: Path | None = None
) -> Literal["complete", "interrupted"]:
    """Goes on with a study to its end; returns how it ended.

    Args:
        path: its directory, made by ``begin_study``.
        options: those of its manifest.
        jar: the agent's jar.
        tell: called with what is done now, and how many cycles are done.
        replaced: the study whose place this one takes when its first VM takes probes; None: its
            directory has its name already.

    Raises:
        RunError: the study is damaged.
        AgentError: the program cannot be studied, or has ended; what was done stays.
        Ended: a signal other than SIGINT ends this process; what was done stays.
    """
    study = _Driver(path, options, jar, tell, replaced)
    try:
        with noted_signals() as came:
            study.run(came)
    except Interrupted as interrupted:
        study.note(state="interrupted", reason=None)
        if interrupted.number != signal.SIGINT:
            raise Ended(interrupted.number) from None
        return "interrupted"
    except AgentError as error:
        study.note(state="failed", reason=str(error))
        raise
    except OSError as error:
        why = f"cannot be written: {error.strerror or error}"
        with suppress(OSError):
            study.note(state="failed", reason=why)
        raise AgentError(f"{study.path}: {why}") from None
    study.note(state="complete", reason=None)
    return "complete"


class _Driver:
    """The state of a study that is under way."""

    def __init__(
        self,
        path: Path,
        options: StudyOptions,
        jar: Path,
        tell: Tell,
        replaced: Path | None = None,
    ) -> None:
        self.path = path
        self._replaced = replaced
        self._options = options
        self._jar = jar
        self._tell = tell
        self._manifest = Study(path).manifest
        self._parts = StudyParts(path, self._manifest.parts)
        self._methods: dict[StudiedMethod, int] = {}  # those that are eligible
        self._n_restarts = self._n_controls = self._n_readings = self._n_cycles = 0
        self._measured_s: list[float] = []
        self._read_what_is_there()

    def _read_what_is_there(self) -> None:
        study = Study(self.path)
        study.expect_whole(is_hashed=True)
        with study.connect() as connection:
            methods = connection.execute("FROM study_method WHERE is_eligible").fetchall()
            self._methods = {StudiedMethod(*row[1:4]): row[0] for row in methods}
            self._n_restarts = len(connection.execute("FROM restart").fetchall())
            self._n_readings = len(connection.execute("FROM reading").fetchall())
            self._n_cycles = len(connection.execute("FROM cycle").fetchall())
            launches = """
                SELECT is_control, MAX(ended_ns) - MIN(ended_ns), BOOL_OR(step = 'S10')
                FROM reading JOIN restart USING (restart_id)
                GROUP BY restart_id, is_control
                ORDER BY restart_id"""
            found = connection.execute(launches).fetchall()
            self._n_controls = sum(is_control and is_whole for is_control, _, is_whole in found)
            measured = [each for each in found if not each[0]]
            # How long one that was ended would have been, nobody knows.
            whole = [each for each in measured if each[2]] or measured
            self._measured_s = [span * _NS for _, span, _ in whole]

    def note(self, **changes: Any) -> None:
        """Changes the manifest."""
        self._manifest = replace(self._manifest, **changes)
        write_study_manifest(self.path, self._manifest)

    def run(self, came: Callable[[], int | None]) -> None:
        """Does what is left of the study."""
        self.note(state="running", reason=None)
        while self._n_cycles < self._options.n_methods:
            self._restart(came, is_control=False)
        while self._n_controls < self._options.n_controls:
            self._restart(came, is_control=True)

    def _restart(self, came: Callable[[], int | None], *, is_control: bool) -> None:
        """Launches the program, step S1, and does all that is done in one launch."""
        self._tell("launching the program", self._n_cycles)
        with StudiedProgram(
            self._manifest.command,
            self._jar,
            classes=[class_pattern(each) for each in self._options.classes],
            buffer_bytes=self._options.buffer_bytes,
            output=self.path / _OUTPUT / str(self._n_restarts),
        ) as program:
            try:
                with Launch(program, self._jar, self._options, came) as launch:
                    self._launched(launch, program, is_control=is_control)
            except AgentError as error:
                raise program.explained(error) from None

    def _launched(self, launch: Launch, program: StudiedProgram, *, is_control: bool) -> None:
        """Steps S2 to S10."""
        restart = self._n_restarts
        self._take_place(program)
        self._note_vm(launch)
        self._tell("warming up", self._n_cycles)
        launch.warm_up()
        rows: Rows = {}
        if not self._methods:
            rows["study_method"] = self._selected(launch, program)
        rows["restart"] = [(restart, is_control, program.started_ns, time.monotonic_ns())]
        self._tell("reading static samples (S3)", self._n_cycles)
        first_ns = self._read(launch, rows, restart, None, "S3")
        self._land(launch, rows, restart)
        self._n_restarts += 1
        if is_control:
            self._tell("running without dynamic probes", self._n_cycles)
            # As long as a measured launch, less what the reading at the end takes.
            mean = float(np.mean(self._measured_s))
            launch.wait(max(0.0, mean - self._options.reading))
        else:
            self._cycles(launch, restart, first_ns)
        rows = {}
        self._tell("reading static samples (S10)", self._n_cycles)
        last_ns = self._read(launch, rows, restart, None, "S10")
        self._land(launch, rows, restart)
        self._note_unmeasured(program)
        if is_control:
            self._n_controls += 1
        else:
            self._measured_s.append((last_ns - first_ns) * _NS)

    def _take_place(self, program: StudiedProgram) -> None:
        """Gives the study the name of the one that it replaces."""
        if self._replaced is None:
            return
        replace_directory(self.path, self._replaced)
        self.path, self._replaced = self._replaced, None
        self._parts = StudyParts(self.path, self._manifest.parts)
        program.output = self.path / _OUTPUT / program.output.name

    def _note_vm(self, launch: Launch) -> None:
        vm = launch.vm
        found = {"version": vm.version, "name": vm.name, "home": vm.home}
        jvm = {name: value for name, value in found.items() if value is not None}
        self.note(jvm=jvm, n_processors=launch.n_processors)

    def _note_unmeasured(self, program: StudiedProgram) -> None:
        found = {**self._manifest.unmeasured, **program.agent.failures()}
        n_unmeasured = self._manifest.n_unmeasured + program.agent.n_unmeasured
        self.note(unmeasured=found, n_unmeasured=n_unmeasured)

    def _selected(self, launch: Launch, program: StudiedProgram) -> list[tuple[Any, ...]]:
        """Selects the methods that are called often enough; returns the rows of all."""
        options = self._options
        self._tell("selecting methods", self._n_cycles)
        calls = sorted(launch.calls_in(options.selection).items())
        rows = [(number, *method, n, n >= options.least_calls)
                for number, (method, n) in enumerate(calls)]  # fmt: skip
        self._methods = {StudiedMethod(*row[1:4]): row[0] for row in rows if row[-1]}
        if self._methods:
            return rows
        if not calls:
            failures = program.agent.failures()
            why = next((f": {name}: {why}" for name, why in failures.items()), "")
            raise AgentError(
                f"no method got a static probe{why}: expected classes of the program's class "
                "loaders; see --classes"
            )
        busiest, n = max(calls, key=lambda each: each[1])
        raise AgentError(
            f"no method was called {options.least_calls} times in {options.selection:g} s: of "
            f"{len(calls)} methods with static probes {busiest} was called most, {n} times: give "
            "a lower --calls or a longer --selection, and check that the program has work to do"
        )

    def _cycles(self, launch: Launch, restart: int, first_ns: int) -> None:
        """Steps S4 to S9, until enough methods are observed or the VM has run long enough."""
        options = self._options
        while self._n_cycles < options.n_methods:
            if (time.monotonic_ns() - first_ns) * _NS >= options.restart_after:
                return
            cycle = self._n_cycles
            number = method_of(cycle, list(self._methods.values()), options.seed)
            method = next(each for each, known in self._methods.items() if known == number)
            self._tell(f"observing {method}", cycle)
            self._land(launch, self._cycle(launch, restart, method), restart)
            self._n_cycles += 1
            self._tell("waiting (S9)", self._n_cycles)
            launch.wait(delay_of(cycle, options.least_delay, options.most_delay, options.seed))

    def _cycle(self, launch: Launch, restart: int, method: StudiedMethod) -> Rows:
        """Steps S4 to S8; returns the rows of the cycle."""
        cycle = self._n_cycles
        rows: Rows = {}
        key = (cycle, restart, self._methods[method])
        inserted_ns = time.monotonic_ns()
        reason = launch.insert(method)
        if reason is not None:
            removed_ns = time.monotonic_ns()
            launch.remove()
            text = f"no probe could be put in: {reason}"
            rows["cycle"] = [(*key, inserted_ns, None, removed_ns, None, text)]
            return rows
        insertion_quiet = launch.quiet(inserted_ns)
        self._read(launch, rows, restart, cycle, "S6")
        removed_ns = time.monotonic_ns()
        launch.remove()
        lost = launch.probes.n_lost
        samples = launch.dynamic_samples()
        rows["dynamic_sample"] = [_numbered(cycle, samples, "dynamic_sample")]
        removal_quiet = launch.quiet(removed_ns)
        self._read(launch, rows, restart, cycle, "S8")
        reason = self._reason(insertion_quiet, removal_quiet, lost)
        quiet = (inserted_ns, insertion_quiet, removed_ns, removal_quiet)
        rows["cycle"] = [(*key, *quiet, reason)]
        return rows

    def _reason(self, insertion: int | None, removal: int | None, n_lost: int) -> str | None:
        timeout = f"compilations went on for {self._options.quiet_timeout:g} s after the probe was"
        reasons = [
            f"{timeout} {what}"
            for what, quiet in (("put in", insertion), ("taken out", removal))
            if quiet is None
        ]
        if n_lost:
            reasons.append(f"{n_lost} dynamic samples were lost for lack of memory")
        return "; ".join(reasons) or None

    def _read(self, launch: Launch, rows: Rows, restart: int, cycle: int | None, step: str) -> int:
        """Makes a reading of a step, and adds its rows; returns when it ended."""
        found: Reading = launch.read(self._methods)
        number = self._n_readings
        self._n_readings += 1
        span = (found.started_ns, found.ended_ns, found.utilization)
        rows.setdefault("reading", []).append((number, restart, cycle, step, *span))
        batch = _numbered(number, found.samples, "static_sample")
        rows.setdefault("static_sample", []).append(batch)
        return found.ended_ns

    def _land(self, launch: Launch, rows: Rows, restart: int) -> None:
        """Writes a part, with the compilations that were seen since the one before."""
        rows["compilation"] = [(restart, *each) for each in launch.compilations.take()]
        self._manifest = self._parts.add(self._manifest, rows)


def _numbered(number: int, samples: npt.NDArray[np.int64], table: str) -> pa.RecordBatch:
    """Returns samples as rows of a table, behind the number of what they belong to."""
    schema = study_tables()[table].arrow_schema
    columns = [np.full(len(samples), number), *samples.T]
    arrays = [
        pa.array(values).cast(each.type) for values, each in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
