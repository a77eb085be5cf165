"""Words of options in files and variables: argfiles, JDK_JAVA_OPTIONS, JAVA_TOOL_OPTIONS.

The rules are those of the launcher (libjli's `args.c`). The shim imports this module for every
JVM: nothing but `os`.
"""

from __future__ import annotations

import os

__all__ = ["join_environment", "quote_argument", "split_environment", "words_of_file"]


def words_of_file(path: str) -> list[str]:
    """The words of an argfile.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        return _split_argfile(os.fsdecode(file.read()))


_SPACE = " \n\r\t\f"
_BLANKS = f"{_SPACE}\v"
"""What C's `isspace` takes for a blank; Python's takes characters of words as well."""
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


def _split_argfile(text: str) -> list[str]:
    r"""The words of an argfile's text: quotes, escapes in quotes, comments, line continuation.

    >>> _split_argfile('-cp "c:\\\\a b" # comment\n\'x y\'z')
    ['-cp', 'c:\\a b', 'x yz']
    """
    words: list[str] = []
    i, end = 0, len(text)
    while i < end:
        if text[i] in _SPACE:
            i += 1
        elif text[i] == "#":
            i = _end_of_line(text, i)
        else:
            word, i = _argfile_word(text, i)
            if word is not None:
                words.append(word)
    return words


def _end_of_line(text: str, i: int) -> int:
    while i < len(text) and text[i] not in "\n\r":
        i += 1
    return i


def _argfile_word(text: str, i: int) -> tuple[str | None, int]:
    """The word that starts at `i` and where it ends; None if nothing is left of it."""
    parts: list[str] = []
    quote = ""
    is_quoted = False
    while i < len(text):
        ch = text[i]
        if ch in "\n\r" or (ch in _SPACE and not quote):
            break  # a line end closes an open quote, too
        if quote and ch == "\\":
            i += 1
            if i < len(text) and text[i] in "\n\r":
                while i < len(text) and text[i] in _SPACE:
                    i += 1
                continue
            if i < len(text):
                parts.append(_ESCAPES.get(text[i], text[i]))
        elif ch in "\"'" and quote in ("", ch):
            quote = "" if quote else ch
            is_quoted = True
        elif ch == "#" and not quote:
            i = _end_of_line(text, i)
            break
        else:
            parts.append(ch)
        i += 1
    word = "".join(parts)
    return (word if word or is_quoted else None), i


def quote_argument(word: str) -> str:
    r"""`word` as an argfile writes it.

    >>> quote_argument('a "b"')
    '"a \\"b\\""'
    """
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    for letter, character in _ESCAPES.items():
        escaped = escaped.replace(character, "\\" + letter)
    return f'"{escaped}"'


def split_environment(value: str) -> list[str]:
    """The words of JDK_JAVA_OPTIONS or JAVA_TOOL_OPTIONS: blanks separate, quotes join.

    >>> split_environment('-Da="b c"  -Xmx1g')
    ['-Da=b c', '-Xmx1g']
    """
    words: list[str] = []
    current: list[str] | None = None
    quote = ""
    for ch in value:
        if quote:
            if ch == quote:
                quote = ""
            elif current is not None:
                current.append(ch)
        elif ch in _BLANKS:
            if current is not None:
                words.append("".join(current))
            current = None
        else:
            current = [] if current is None else current
            if ch in "\"'":
                quote = ch
            else:
                current.append(ch)
    if current is not None:
        words.append("".join(current))
    return words


def join_environment(words: list[str]) -> str:
    """The value of a variable that has these words; the inverse of `split_environment`.

    >>> print(join_environment(["-Da=b c", "-Xmx1g", "it's"]))
    '-Da=b c' -Xmx1g 'it'"'"'s'
    """
    return " ".join(map(_quoted_word, words))


def _quoted_word(word: str) -> str:
    """A word of a variable, where no escape makes a quote one of the word."""
    if word and not any(ch in _BLANKS or ch in "\"'" for ch in word):
        return word
    parts = word.split("'")
    # Apostrophes go into quotation marks, and all else into apostrophes.
    return '"\'"'.join(f"'{part}'" for part in parts)
