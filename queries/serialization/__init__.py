"""Serialization of results: xml, html, xhtml, json, text, adaptive."""

from jvmscope.queries.serialization.parameter_items import (
    parameters_from_element,
    parameters_from_map,
)
from jvmscope.queries.serialization.parameters import Parameters
from jvmscope.queries.serialization.serializer import serialize, serialize_parts

__all__ = [
    "Parameters",
    "parameters_from_element",
    "parameters_from_map",
    "serialize",
    "serialize_parts",
]
