"""The manifest's values as elements: the JSON data model, in the manner of XPath's json-to-xml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.schema.xml.escaping import markup

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["property_lines"]


def property_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yields the lines of the element ``dcg:run``.

    >>> list(property_lines({"status": "complete", "n": 2}))[1:-1]
    ['<dcg:string name="status">complete</dcg:string>', '<dcg:number name="n">2</dcg:number>']
    """
    yield "<dcg:run>"
    for name, value in document.items():
        yield from _lines(value, f' name="{markup(name)}"')
    yield "</dcg:run>"


def _lines(value: Any, name: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield f"<dcg:object{name}>"
        for key, item in value.items():
            yield from _lines(item, f' name="{markup(key)}"')
        yield "</dcg:object>"
    elif isinstance(value, list):
        yield f"<dcg:list{name}>"
        for item in value:
            yield from _lines(item, "")
        yield "</dcg:list>"
    elif value is None:
        yield f"<dcg:null{name}/>"
    elif isinstance(value, bool):
        yield f"<dcg:boolean{name}>{'true' if value else 'false'}</dcg:boolean>"
    elif isinstance(value, (int, float)):
        yield f"<dcg:number{name}>{value!r}</dcg:number>"
    else:
        yield f"<dcg:string{name}>{markup(value)}</dcg:string>"
