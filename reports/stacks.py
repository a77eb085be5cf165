"""The stacks of reports: opcodes by what they do, call sites by their number of targets, ….

The segments are the same for every suite, so that two reports can be compared.
"""

from __future__ import annotations

from jvmscope.reports.opcode_groups import GROUPS, group_of
from jvmscope.reports.shares import StackOf, ranges, words

__all__ = ["STACKS"]

_FEW = ranges(0, 1, 2, 3, 4)
_POLYMORPHISM = ranges(1, 2, 4, 8)
_DOUBLING = ranges(1, 2, 4, 8, 16, 32)
_DEPTHS = ranges(8, 16, 32, 64, 128, 256)
_INVOKES = words(
    "invokevirtual", "invokeinterface", "invokespecial", "invokestatic", "invokedynamic"
)
_BOXES = ("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double")
_WRAPPERS = words(*(f"java/lang/{name}" for name in _BOXES))
_ALL_CALLS = (("population", "all"), ("dimension", "frames"))

STACKS = (
    StackOf(
        "instructions.mix.groups",
        "instructions.mix",
        "Bytecodes",
        "kind",
        "n_executions",
        "opcode",
        GROUPS,
        lambda opcode: group_of()[opcode],
    ),
    StackOf(
        "invocations.calls",
        "invocations.calls",
        "Calls",
        "invoke instruction",
        "n_calls",
        "instruction",
        *_INVOKES,
    ),
    StackOf(
        "invocations.sites",
        "invocations.sites",
        "Call sites",
        "invoke instruction",
        "n_call_sites",
        "instruction",
        *_INVOKES,
    ),
    StackOf(
        "polymorphism.targets.sites",
        "polymorphism.targets",
        "Dispatched call sites",
        "their number of targets",
        "n_call_sites",
        "n_targets",
        *_POLYMORPHISM,
    ),
    StackOf(
        "polymorphism.targets.calls",
        "polymorphism.targets",
        "Dispatched calls",
        "the number of targets of their site",
        "n_calls",
        "n_targets",
        *_POLYMORPHISM,
    ),
    StackOf(
        "polymorphism.receivers.sites",
        "polymorphism.receivers",
        "Dispatched call sites",
        "their number of receiver classes",
        "n_call_sites",
        "n_receivers",
        *_POLYMORPHISM,
    ),
    StackOf(
        "polymorphism.receivers.calls",
        "polymorphism.receivers",
        "Dispatched calls",
        "the number of receiver classes of their site",
        "n_calls",
        "n_receivers",
        *_POLYMORPHISM,
    ),
    StackOf(
        "arguments.parameters",
        "arguments.reference",
        "Calls",
        "the number of parameters",
        "n_calls",
        "n_parameters",
        *_FEW,
    ),
    StackOf(
        "arguments.reference",
        "arguments.reference",
        "Calls",
        "the number of reference parameters",
        "n_calls",
        "n_reference",
        *_FEW,
    ),
    StackOf(
        "arguments.floating",
        "arguments.floating",
        "Calls",
        "the number of floating point parameters",
        "n_calls",
        "n_floating",
        *_FEW,
    ),
    StackOf(
        "arguments.integer",
        "arguments.integer",
        "Calls",
        "the number of integer parameters",
        "n_calls",
        "n_integer",
        *_FEW,
    ),
    StackOf(
        "boxing.requested",
        "boxing.requested",
        "Boxing requested,",
        "wrapper class",
        "n_calls",
        "class_name",
        *_WRAPPERS,
    ),
    StackOf(
        "boxing.allocated",
        "boxing.allocated",
        "Boxes allocated,",
        "wrapper class",
        "n_objects",
        "class_name",
        *_WRAPPERS,
    ),
    StackOf(
        "recursion.depth",
        "recursion.depth",
        "Calls",
        "recursion depth",
        "n_calls",
        "n_activations",
        *_DOUBLING,
    ),
    StackOf(
        "stack.height.frames",
        "stack.height",
        "Calls",
        "the number of frames on the stack",
        "n_calls",
        "height",
        *_DEPTHS,
        only=_ALL_CALLS,
    ),
    StackOf(
        "contexts.depths",
        "contexts.depths",
        "Calling contexts",
        "depth",
        "n_contexts",
        "depth",
        *_DEPTHS,
    ),
    StackOf(
        "contexts.degrees",
        "contexts.degrees",
        "Calling contexts",
        "degree",
        "n_contexts",
        "degree",
        *ranges(0, 1, 2, 4, 8),
    ),
    StackOf(
        "contexts.methods",
        "contexts.methods",
        "Methods",
        "the number of their contexts",
        "n_methods",
        "n_contexts",
        *_DOUBLING,
    ),
)
"""The stacks, in the order in which reports show them."""
