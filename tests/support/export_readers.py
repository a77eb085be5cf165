"""Readers of what exports write, each as its format is defined: stacks and their weights.

A stack is the thread's name and the names of the methods from the first that was called on.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["READERS", "Stacks", "pprof_profile"]

Stacks = Counter[tuple[str, ...]]

# profile.proto, as far as it is read: fields by number; a type in capitals is a message.
_PROFILE_PROTO = {
    "ValueType": {1: "type int64", 2: "unit int64"},
    "Label": {1: "key int64", 2: "str int64", 3: "num int64", 4: "num_unit int64"},
    "Sample": {1: "location_id uint64*", 2: "value int64*", 3: "label Label*"},
    "Line": {1: "function_id uint64", 2: "line int64", 3: "column int64"},
    "Location": {
        1: "id uint64",
        2: "mapping_id uint64",
        3: "address uint64",
        4: "line Line*",
        5: "is_folded bool",
    },
    "Function": {
        1: "id uint64",
        2: "name int64",
        3: "system_name int64",
        4: "filename int64",
        5: "start_line int64",
    },
    "Profile": {
        1: "sample_type ValueType*",
        2: "sample Sample*",
        4: "location Location*",
        5: "function Function*",
        6: "string_table string*",
        9: "time_nanos int64",
        10: "duration_nanos int64",
        11: "period_type ValueType",
        12: "period int64",
        13: "comment int64*",
    },
}


def _collapsed(data: bytes) -> Stacks:
    stacks: Stacks = Counter()
    for line in data.decode().splitlines():
        path, weight = line.split(" ")
        stacks[tuple(unquote(frame) for frame in path.split(";"))] += int(weight)
    return stacks


def _table(data: bytes) -> Stacks:
    """Reads the column of own weights, which is the one before the inclusive."""
    stacks: Stacks = Counter()
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    head = next(rows)
    weight = next(index for index, name in enumerate(head) if name.endswith("_inclusive")) - 1
    for row in rows:
        stacks[tuple(unquote(frame) for frame in row[-1].split(";"))] += int(row[weight])
    return stacks


def _speedscope(data: bytes) -> Stacks:
    """Reads the events: what passes while a stack is open is its weight."""
    document = json.loads(data)
    names = [frame["name"] for frame in document["shared"]["frames"]]
    stacks: Stacks = Counter()
    for profile in document["profiles"]:
        assert profile["type"] == "evented"
        path, at = [], profile["startValue"]
        for event in profile["events"]:
            if event["at"] != at:
                stacks[profile["name"], *path] += event["at"] - at
            assert event["at"] >= at
            at = event["at"]
            if event["type"] == "O":
                path.append(names[event["frame"]])
            else:
                assert path.pop() == names[event["frame"]]
        assert not path
        assert at == profile["endValue"]
    return stacks


def _firefox(data: bytes) -> Stacks:
    document = json.loads(data)
    strings = document["shared"]["stringArray"]
    stacks: Stacks = Counter()
    for thread in document["threads"]:
        _check_lengths(thread)
        tree, samples = thread["stackTable"], thread["samples"]
        end = 0
        for sampled, time, weight in zip(
            samples["stack"], samples["time"], samples["weight"], strict=True
        ):
            assert time == end
            end += weight
            path, stack = [], sampled
            while stack is not None:
                function = thread["frameTable"]["func"][tree["frame"][stack]]
                path.append(strings[thread["funcTable"]["name"][function]])
                stack = tree["prefix"][stack]
            stacks[thread["name"], *reversed(path)] += weight
    return stacks


def _check_lengths(thread: dict[str, Any]) -> None:
    for table in thread.values():
        if isinstance(table, dict):
            columns = [column for column in table.values() if isinstance(column, list)]
            assert {len(column) for column in columns} == {table["length"]}


def _pprof(data: bytes) -> Stacks:
    profile = pprof_profile(data)
    names = {function.id: profile.string_table[function.name] for function in profile.function}
    places = {place.id: names[place.line[0].function_id] for place in profile.location}
    stacks: Stacks = Counter()
    for sample in profile.sample:
        (label,), (weight,) = sample.label, sample.value
        assert profile.string_table[label.key] == "thread"
        path = [places[place] for place in reversed(sample.location_id)]
        stacks[profile.string_table[label.str], *path] += weight
    return stacks


def pprof_profile(data: bytes) -> Any:
    """Returns the message, read by the library of protocol buffers; no field is unknown."""
    profile = _profile_class()()
    profile.ParseFromString(gzip.decompress(data))
    known = profile.SerializeToString()
    assert len(known) == len(gzip.decompress(data))
    assert profile.string_table[0] == ""
    return profile


@cache
def _profile_class() -> Any:
    file = descriptor_pb2.FileDescriptorProto(
        name="profile.proto", package="profiles", syntax="proto3"
    )
    kinds = descriptor_pb2.FieldDescriptorProto
    for name, fields in _PROFILE_PROTO.items():
        message = file.message_type.add(name=name)
        for number, text in fields.items():
            field_name, kind = text.rstrip("*").split(" ")
            label = kinds.LABEL_REPEATED if text.endswith("*") else kinds.LABEL_OPTIONAL
            field = message.field.add(name=field_name, number=number, label=label)
            if kind[0].isupper():
                field.type, field.type_name = kinds.TYPE_MESSAGE, f".profiles.{kind}"
            else:
                field.type = kinds.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("profiles.Profile"))


READERS: dict[str, Callable[[bytes], Stacks]] = {
    "collapsed": _collapsed,
    "csv": _table,
    "speedscope": _speedscope,
    "firefox": _firefox,
    "pprof": _pprof,
}
