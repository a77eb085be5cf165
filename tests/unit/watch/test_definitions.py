"""The tables of watch runs: what is asked of the VM, and where each value comes from."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from jvmscope.errors import QueryError
from jvmscope.schema import tables, watch_tables
from jvmscope.schema.watched import _parse
from jvmscope.watch.settings import settings_file
from jvmscope.watch.unseen import lacking_events

_HEADER = "/**\n * @table a\n * @events jdk.A\n * @fields {}\n */\n"
_BODY = "CREATE TABLE a (\n    b  BIGINT NOT NULL  -- meaning\n);\n"


def test_no_table_has_the_name_of_a_recorded_one() -> None:
    assert watch_tables().keys() & tables().keys() == set()


def test_every_table_names_its_source() -> None:
    assert {table.source for table in watch_tables().values()} == {
        "the event stream",
        "the code cache, by `Compiler.codelist`",
        "the operating system, /proc/PID/stat",
        "jvmscope",
        "the agent of probes",
        "the agent of probes, and the class path or module path",
    }


def test_an_event_has_one_table() -> None:
    events = [event for table in watch_tables().values() for event in table.events]

    assert len(events) == len(set(events))


def test_the_vm_is_asked_for_the_events_of_the_tables_alone() -> None:
    document = ET.fromstring(settings_file())  # noqa: S314 - our own
    asked = {event.get("name"): {s.get("name"): s.text for s in event} for event in document}

    assert asked.keys() == {event for table in watch_tables().values() for event in table.events}
    assert {settings["enabled"] for settings in asked.values()} == {"true"}
    assert asked["jdk.ExecutionSample"]["period"] == "40 ms"


def test_samples_come_as_often_as_is_asked() -> None:
    usual, seldom = settings_file(), settings_file(sample_every_s=1.5)

    assert seldom == usual.replace(">40 ms<", ">1500 ms<").replace(">50/s<", ">1/s<")
    assert seldom.count(">1500 ms<") == len(watch_tables()["execution_sample"].events)
    assert settings_file(sample_every_s=0.04) == usual


def test_an_event_that_the_jdk_lacks_is_said() -> None:
    every = {event for table in watch_tables().values() for event in table.events}

    assert lacking_events(frozenset(every)) == []
    assert lacking_events(frozenset(every - {"jdk.ThreadPark", "jdk.ExecutionSample"})) == [
        ("park", "this JDK has no event jdk.ThreadPark")
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("b", "expected 'column field', found 'b'"),
        ("b x!", "expected 'column field', found 'b x!'"),
        ("c x", "expected @fields with every column, in their order"),
    ],
)
def test_wrong_fields_are_refused(fields: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        _parse("a.sql", _HEADER.format(fields) + _BODY)
