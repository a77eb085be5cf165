"""Writes n records as JSON, reads them back, and sums up what was read."""

import sys
from collections import OrderedDict

from languages import Work

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}


def item(i):
    return OrderedDict(
        [
            ("id", i),
            ("name", 'item "%d"\n' % (i * 7919 % 1000)),
            ("tags", ["t%d" % (i * t) for t in range(i % 4)]),
            ("next", {"to": -i} if i % 3 else None),
            ("even", i % 2 == 0),
        ]
    )


def write(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(write, value))
    if isinstance(value, dict):
        fields = ["%s:%s" % (quoted(key), write(each)) for key, each in value.items()]
        return "{%s}" % ",".join(fields)
    return str(value)


def quoted(text):
    return '"%s"' % "".join(ESCAPES.get(c, c) for c in text)


class Parser(object):
    def __init__(self, text):
        self.text = text
        self.at = 0

    def value(self):
        first = self.text[self.at]
        if first == "{":
            return OrderedDict(self.elements("}", self.field))
        if first == "[":
            return list(self.elements("]", self.value))
        if first == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if first == word[0]:
                self.at += len(word)
                return value
        return self.number()

    def elements(self, close, read):
        self.at += 1
        while self.text[self.at] != close:
            yield read()
            if self.text[self.at] == ",":
                self.at += 1
        self.at += 1

    def field(self):
        key = self.string()
        self.at += 1
        return key, self.value()

    def string(self):
        chars = []
        self.at += 1
        while self.text[self.at] != '"':
            if self.text[self.at] == "\\":
                self.at += 1
                chars.append("\n" if self.text[self.at] == "n" else self.text[self.at])
            else:
                chars.append(self.text[self.at])
            self.at += 1
        self.at += 1
        return "".join(chars)

    def number(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "-0123456789":
            self.at += 1
        return int(self.text[start : self.at])


def sum_of(value):
    if value is None:
        return 7
    if isinstance(value, bool):
        return 1 if value else 0
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(sum_of, value))
    if isinstance(value, dict):
        return sum(len(key) * 3 + sum_of(each) for key, each in value.items())
    return value


def round_trip(n):
    text = write([item(i) for i in range(n)])
    read = Parser(text).value()
    return "%d %d %d" % (len(text), sum_of(read), len(write(read)))


Work.run("json", sys.argv[1], round_trip)
