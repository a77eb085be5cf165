"""The abstract syntax of XQuery 3.1; XPath 3.1 is a subset.

The parser makes these nodes with names as written; the analysis returns the same classes with
every :class:`Name` expanded and every :class:`VariableReference` and binding given its
:class:`Variable`. ``at`` is the offset of an expression's first character in its module's text,
``end`` the offset after its last.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from decimal import Decimal

    from jvmscope.queries.syntax.names import Name
    from jvmscope.queries.syntax.source import Source
    from jvmscope.queries.syntax.types import ItemType, NodeTest, SequenceType, SingleType

__all__ = [
    "Annotation",
    "Arithmetic",
    "ArrayConstructor",
    "ArrowCall",
    "Assignment",
    "AttributeConstructor",
    "AxisStep",
    "Binary",
    "Binding",
    "Case",
    "Cast",
    "Castable",
    "CatchClause",
    "Clause",
    "CommentConstructor",
    "Comparison",
    "ContextItem",
    "ContextItemDeclaration",
    "CountClause",
    "DecimalFormat",
    "Declaration",
    "DirectAttribute",
    "DirectElement",
    "DocumentConstructor",
    "DynamicCall",
    "ElementConstructor",
    "Expression",
    "Extension",
    "Flwor",
    "ForBinding",
    "ForClause",
    "FunctionCall",
    "FunctionDeclaration",
    "FunctionReference",
    "GroupByClause",
    "GroupingKey",
    "If",
    "InlineFunction",
    "InstanceOf",
    "LetClause",
    "Literal",
    "Logical",
    "Lookup",
    "MapConstructor",
    "Module",
    "ModuleImport",
    "NamespaceConstructor",
    "NamespaceDeclaration",
    "OptionDeclaration",
    "OrderByClause",
    "OrderKey",
    "Ordered",
    "Parameter",
    "Parenthesized",
    "Path",
    "Placeholder",
    "Pragma",
    "Predicate",
    "ProcessingInstructionConstructor",
    "Quantified",
    "Range",
    "RootStep",
    "SchemaImport",
    "Sequence",
    "Setter",
    "SimpleMap",
    "StringConcatenation",
    "StringConstructor",
    "Switch",
    "SwitchCase",
    "TextConstructor",
    "Treat",
    "TryCatch",
    "Typeswitch",
    "Unary",
    "UnaryLookup",
    "Validate",
    "Variable",
    "VariableDeclaration",
    "VariableReference",
    "WhereClause",
    "WindowClause",
    "WindowCondition",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Anything that has a value."""

    at: int
    end: int


@dataclass(frozen=True, eq=False)
class Variable:
    """What a variable's binding and its references share after analysis; equal by identity.

    Attributes:
        name: the expanded name.
        type: the declared type, or None.
        is_global: declared in a prolog (or external), not bound by an expression.
    """

    name: Name
    type: SequenceType | None = None
    is_global: bool = False


# -- primaries


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Expression):
    """A string, xs:integer (int), xs:decimal (Decimal) or xs:double (float) literal."""

    value: str | int | Decimal | float


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableReference(Expression):
    """``$name``."""

    name: Name
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem(Expression):
    """``.``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parenthesized(Expression):
    """``( inner )``; kept since it ends a path's step and hides positions; inner None for ()."""

    inner: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence(Expression):
    """The comma operator."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder(Expression):
    """``?`` as an argument: the call is a partial application."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall(Expression):
    """A static call; an argument may be a :class:`Placeholder`."""

    name: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicCall(Expression):
    """``function(arguments)`` of a function item, map or array."""

    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowCall(Expression):
    """``first => function(arguments)``: function is a Name, or an expression (variable, parens)."""

    first: Expression
    function: Name | Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionReference(Expression):
    """``name#arity``."""

    name: Name
    arity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A function's parameter."""

    at: int
    name: Name
    type: SequenceType | None = None
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """``%name(literals)``."""

    at: int
    name: Name
    values: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineFunction(Expression):
    """``function($x as …) as … { body }``; body None for ``{}``."""

    parameters: tuple[Parameter, ...]
    result: SequenceType | None
    body: Expression | None
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapConstructor(Expression):
    """``map { key : value, … }``."""

    entries: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayConstructor(Expression):
    """``[a, b]``: a member an expression (is_curly False); ``array { e }``: a member an item."""

    members: tuple[Expression, ...]
    is_curly: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StringConstructor(Expression):
    """```` ``[text `{e}` text]`` ````: parts are strings and expressions; None is an empty one."""

    parts: tuple[str | Expression | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnaryLookup(Expression):
    """``?key`` on the context item; see :class:`Lookup`."""

    key: str | int | Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(Expression):
    """``base?key``: key an NCName (str), an integer or an expression; None is ``*``."""

    base: Expression
    key: str | int | Expression | None


# -- paths


@dataclass(frozen=True, slots=True, kw_only=True)
class RootStep(Expression):
    """The leading ``/`` of a path: the root of the context node's tree, a document node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisStep(Expression):
    """An axis, a node test and predicates, whose positions count along the axis.

    ``is_abbreviated`` tells ``name``, ``@name``, ``..`` from the written-out axis.
    """

    axis: str
    test: NodeTest
    predicates: tuple[Expression, ...] = ()
    is_abbreviated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate(Expression):
    """``base[predicate]`` for a base that is no axis step: positions count in base's order."""

    base: Expression
    predicate: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Path(Expression):
    """``steps[0]/steps[1]/…``; ``//`` stands as a step ``descendant-or-self::node()``.

    A lone ``/`` is a :class:`RootStep` without a path. Two steps or more.
    """

    steps: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleMap(Expression):
    """``left ! right``."""

    left: Expression
    right: Expression


# -- operators


@dataclass(frozen=True, slots=True, kw_only=True)
class Logical(Expression):
    """``and`` and ``or``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Expression):
    """A value (``eq`` …), general (``=`` …) or node (``is``, ``<<``, ``>>``) comparison."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class StringConcatenation(Expression):
    """``left || right``."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Range(Expression):
    """``first to last``."""

    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic(Expression):
    """``+ - * div idiv mod``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary(Expression):
    """``union`` (also written ``|``), ``intersect``, ``except`` of node sequences."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary(Expression):
    """``-e`` or ``+e``; several signs are folded: is_negative tells the result."""

    is_negative: bool
    operand: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceOf(Expression):
    """``e instance of type``."""

    operand: Expression
    type: SequenceType


@dataclass(frozen=True, slots=True, kw_only=True)
class Treat(Expression):
    """``e treat as type``."""

    operand: Expression
    type: SequenceType


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast(Expression):
    """``e cast as type``."""

    operand: Expression
    type: SingleType


@dataclass(frozen=True, slots=True, kw_only=True)
class Castable(Expression):
    """``e castable as type``."""

    operand: Expression
    type: SingleType


# -- control


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Expression):
    """``if (condition) then … else …``."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchCase:
    """``case a case b return result``: operands in order."""

    operands: tuple[Expression, ...]
    result: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch(Expression):
    """``switch (operand) case … default return …``."""

    operand: Expression
    cases: tuple[SwitchCase, ...]
    default: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """``case $variable as type | type return result``; the default case has no types."""

    at: int
    name: Name | None
    types: tuple[SequenceType, ...]
    result: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Typeswitch(Expression):
    """``typeswitch (operand) case … default …``."""

    operand: Expression
    cases: tuple[Case, ...]
    default: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchClause:
    """``catch tests { body }``; err:code and its kin are variables in scope, by local name."""

    at: int
    tests: tuple[NodeTest, ...]
    body: Expression | None
    variables: tuple[tuple[str, Variable], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TryCatch(Expression):
    """``try { body } catch …``."""

    body: Expression | None
    clauses: tuple[CatchClause, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """``$name as type in expression`` of a quantified expression."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Expression):
    """``some`` or ``every`` … ``satisfies``."""

    quantifier: str
    bindings: tuple[Binding, ...]
    condition: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered(Expression):
    """``ordered { e }`` and ``unordered { e }``."""

    is_ordered: bool
    body: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Validate(Expression):
    """``validate …``: an optional feature that is not there; the analysis says so."""

    mode: str
    type_name: Name | None
    body: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Pragma:
    """``(# name content #)``."""

    at: int
    name: Name
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension(Expression):
    """Pragmas before an expression."""

    pragmas: tuple[Pragma, ...]
    body: Expression | None


# -- FLWOR


@dataclass(frozen=True, slots=True, kw_only=True)
class ForBinding:
    """``$name as type allowing empty at $position in expression``."""

    at: int
    name: Name
    type: SequenceType | None
    allows_empty: bool
    position: Name | None
    expression: Expression
    variable: Variable | None = None
    position_variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForClause:
    """``for`` with one binding: ``for $a …, $b …`` is two clauses."""

    binding: ForBinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """``$name as type := expression``."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LetClause:
    """``let`` with one assignment."""

    assignment: Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowCondition:
    """``start`` or ``end``: variables of the item, its position, neighbours, and ``when``."""

    at: int
    item: Name | None
    position: Name | None
    previous: Name | None
    next: Name | None
    when: Expression
    item_variable: Variable | None = None
    position_variable: Variable | None = None
    previous_variable: Variable | None = None
    next_variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClause:
    """``for tumbling|sliding window``; only_end: ``only end``."""

    at: int
    is_sliding: bool
    name: Name
    type: SequenceType | None
    expression: Expression
    start: WindowCondition
    window_end: WindowCondition | None
    only_end: bool
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhereClause:
    """``where``."""

    condition: Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupingKey:
    """``$name as type := expression collation "uri"``; without expression, of a bound variable.

    After analysis ``source`` is the variable that a key without expression reads.
    """

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression | None
    collation: str | None
    variable: Variable | None = None
    source: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupByClause:
    """``group by``; after analysis ``regrouped`` pairs each variable before it with the one after.

    A variable that is no key holds, after the clause, the concatenation over its group.
    """

    at: int
    keys: tuple[GroupingKey, ...]
    regrouped: tuple[tuple[Variable, Variable], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderKey:
    """One key of ``order by``; empty_least None: the module's default."""

    expression: Expression
    is_descending: bool
    empty_least: bool | None
    collation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderByClause:
    """``(stable) order by``."""

    at: int
    is_stable: bool
    keys: tuple[OrderKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountClause:
    """``count $name``."""

    at: int
    name: Name
    variable: Variable | None = None


Clause: TypeAlias = (
    ForClause | LetClause | WindowClause | WhereClause | GroupByClause | OrderByClause | CountClause
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flwor(Expression):
    """Clauses in order, and ``return``."""

    clauses: tuple[Clause, ...]
    result: Expression


# -- constructors


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectAttribute:
    """An attribute of a direct element; parts are text and enclosed expressions (None: empty)."""

    at: int
    name: Name
    parts: tuple[str | Expression | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectElement(Expression):
    """``<name attributes>content</name>``.

    Attributes:
        namespaces: (prefix, uri) of its ``xmlns`` attributes, in order; "" undeclares.
        content: text (boundary space already stripped or kept, CDATA and references resolved),
            expressions (enclosed ones, nested direct constructors); None: ``{}``.
    """

    name: Name
    namespaces: tuple[tuple[str, str], ...]
    attributes: tuple[DirectAttribute, ...]
    content: tuple[str | Expression | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementConstructor(Expression):
    """``element name { content }``; name a Name or an expression."""

    name: Name | Expression
    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeConstructor(Expression):
    """``attribute name { content }``."""

    name: Name | Expression
    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceConstructor(Expression):
    """``namespace prefix { uri }``; prefix an NCName (str) or an expression."""

    prefix: str | Expression
    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentConstructor(Expression):
    """``document { content }``."""

    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextConstructor(Expression):
    """``text { content }``."""

    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentConstructor(Expression):
    """``comment { content }``, or ``<!-- text -->`` with a Literal as content."""

    content: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessingInstructionConstructor(Expression):
    """``processing-instruction target { content }``, or direct; target an NCName or expression."""

    target: str | Expression
    content: Expression | None


# -- modules


@dataclass(frozen=True, slots=True, kw_only=True)
class Setter:
    """A declaration that sets a component of the static context.

    Attributes:
        component: ``boundary-space``, ``default-collation``, ``base-uri``, ``construction``,
            ``ordering``, ``default-empty-order``, ``copy-namespaces``,
            ``default-element-namespace`` or ``default-function-namespace``.
        value: the word or string; for ``copy-namespaces`` both words, separated by a space.
    """

    at: int
    component: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceDeclaration:
    """``declare namespace prefix = "uri"``."""

    at: int
    prefix: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecimalFormat:
    """``declare [default] decimal-format``; name None for the default; properties in order."""

    at: int
    name: Name | None
    properties: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaImport:
    """``import schema``: an optional feature that is not there; the analysis says so."""

    at: int
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleImport:
    """``import module namespace prefix = "uri" at "location", …``; prefix may be None."""

    at: int
    prefix: str | None
    uri: str
    locations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItemDeclaration:
    """``declare context item``; expression is the value or an external one's default."""

    at: int
    type: ItemType | None
    expression: Expression | None
    is_external: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableDeclaration:
    """``declare variable``; expression is the value or an external one's default."""

    at: int
    name: Name
    type: SequenceType | None
    expression: Expression | None
    is_external: bool
    annotations: tuple[Annotation, ...] = ()
    variable: Variable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDeclaration:
    """``declare function``; body None for ``{}``, and for an external function."""

    at: int
    name: Name
    parameters: tuple[Parameter, ...]
    result: SequenceType | None
    body: Expression | None
    is_external: bool = False
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionDeclaration:
    """``declare option name "value"``."""

    at: int
    name: Name
    value: str


Declaration: TypeAlias = (
    Setter
    | NamespaceDeclaration
    | DecimalFormat
    | SchemaImport
    | ModuleImport
    | ContextItemDeclaration
    | VariableDeclaration
    | FunctionDeclaration
    | OptionDeclaration
)


@dataclass(frozen=True, kw_only=True)
class Module:
    """A main module (body set) or a library module (prefix and namespace set)."""

    source: Source
    version: str | None = None
    encoding: str | None = None
    prefix: str | None = None
    namespace: str | None = None
    declarations: tuple[Declaration, ...] = field(default=())
    body: Expression | None = None
