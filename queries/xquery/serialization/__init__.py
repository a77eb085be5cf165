"""Serialization of results: xml, html, xhtml, json, text, adaptive."""

from jvmscope.queries.xquery.serialization.parameter_items import (
    parameters_from_element,
    parameters_from_map,
)
from jvmscope.queries.xquery.serialization.parameters import Parameters
from jvmscope.queries.xquery.serialization.serializer import serialize, serialize_parts

__all__ = [
    "Parameters",
    "parameters_from_element",
    "parameters_from_map",
    "serialize",
    "serialize_parts",
]
