"""The prolog's declarations (XQuery 3.1, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.syntax.ast import (
    ContextItemDeclaration,
    DecimalFormat,
    FunctionDeclaration,
    ModuleImport,
    NamespaceDeclaration,
    OptionDeclaration,
    SchemaImport,
    Setter,
    VariableDeclaration,
)
from jvmscope.queries.xquery.syntax.parsing.control import ControlParser
from jvmscope.queries.xquery.syntax.parsing.operators import OPERATOR_WORDS
from jvmscope.queries.xquery.syntax.parsing.scanner import TokenKind

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.ast import Annotation, Declaration, Expression

__all__ = ["PrologParser"]

_CHOICES = {
    "boundary-space": ("preserve", "strip"),
    "construction": ("preserve", "strip"),
    "ordering": ("ordered", "unordered"),
}
_SECOND_PART = ("context", "function", "option", "variable", "%")
_DECLARED = (
    *_CHOICES,
    *("base-uri", "copy-namespaces", "decimal-format", "default", "namespace"),
    *_SECOND_PART[:-1],
)
_FORMAT_PROPERTIES = (
    *("decimal-separator", "grouping-separator", "infinity", "minus-sign", "NaN", "percent"),
    *("per-mille", "zero-digit", "digit", "pattern-separator", "exponent-separator"),
)


class PrologParser(ControlParser):
    """Reads declarations and imports."""

    def prolog(self) -> tuple[Declaration, ...]:
        """Takes all declarations and imports, each with its semicolon."""
        found: list[Declaration] = []
        has_second_part = False
        while self._is_declaration:
            token, following = self.token, self.peek()
            is_second_part = token.text == "declare" and following.text in _SECOND_PART
            if has_second_part and not is_second_part:
                message = "this declaration must stand before variables, functions and options"
                raise self.error("XPST0003", message, token.at, following.end)
            has_second_part = is_second_part
            found.append(self._import() if token.text == "import" else self._declaration())
            self.need_symbol(";")
        return tuple(found)

    @property
    def _is_declaration(self) -> bool:
        if self.word == "import":
            return self.peek().text in ("schema", "module")
        if self.word != "declare":
            return False
        # Two names in a row are a declaration, if a misspelt one, unless the second is an operator.
        following = self.peek()
        is_name = following.kind is TokenKind.NAME and following.text not in OPERATOR_WORDS
        return is_name or following.text == "%"

    def _declaration(self) -> Declaration:
        at = self.advance().at
        word = self.word
        match word:
            case "default":
                return self._default(at)
            case "boundary-space" | "construction" | "ordering":
                self.advance()
                return self._setter(at, word, self.need_word(*_CHOICES[word]))
            case "base-uri":
                self.advance()
                return Setter(at=at, component=word, value=self.uri())
            case "copy-namespaces":
                return self._copy_namespaces(at)
            case "namespace":
                self.advance()
                prefix, uri = self._prefix_and_uri()
                return NamespaceDeclaration(at=at, prefix=prefix, uri=uri)
            case "decimal-format":
                self.advance()
                name = self.name("the format's name")
                return DecimalFormat(at=at, name=name, properties=self._properties())
            case "option":
                self.advance()
                name = self.name("the option's name")
                return OptionDeclaration(at=at, name=name, value=self.string())
            case "context":
                return self._context_item(at)
            case _:
                return self._annotated(at)

    def _setter(self, at: int, component: str, value: str) -> Setter:
        if component == "boundary-space":
            self.keeps_boundary_space = value == "preserve"
        return Setter(at=at, component=component, value=value)

    def _default(self, at: int) -> Declaration:
        self.advance()
        match self.need_word("collation", "order", "decimal-format", "element", "function"):
            case "collation":
                return Setter(at=at, component="default-collation", value=self.uri())
            case "order":
                self.need_word("empty")
                value = self.need_word("greatest", "least")
                return Setter(at=at, component="default-empty-order", value=value)
            case "decimal-format":
                return DecimalFormat(at=at, name=None, properties=self._properties())
            case which:
                self.need_word("namespace")
                return Setter(at=at, component=f"default-{which}-namespace", value=self.uri())

    def _copy_namespaces(self, at: int) -> Declaration:
        self.advance()
        preserve = self.need_word("preserve", "no-preserve")
        self.need_symbol(",")
        inherit = self.need_word("inherit", "no-inherit")
        return Setter(at=at, component="copy-namespaces", value=f"{preserve} {inherit}")

    def _prefix_and_uri(self) -> tuple[str, str]:
        prefix = self.ncname("a prefix")
        self.need_symbol("=")
        return prefix, self.uri()

    def _properties(self) -> tuple[tuple[str, str], ...]:
        found = []
        while self.symbol != ";":
            name = self.need_word(*_FORMAT_PROPERTIES)
            self.need_symbol("=")
            found.append((name, self.string()))
        return tuple(found)

    def _context_item(self, at: int) -> Declaration:
        self.advance()
        self.need_word("item")
        type_ = self.item_type() if self.take_word("as") else None
        expression, is_external = self._value_or_external()
        return ContextItemDeclaration(
            at=at, type=type_, expression=expression, is_external=is_external
        )

    def _value_or_external(self) -> tuple[Expression | None, bool]:
        if self.take_symbol(":="):
            return self.single(), False
        if self.word != "external":
            raise self.unexpected('":=" or "external"', ("external",))
        self.advance()
        return (self.single() if self.take_symbol(":=") else None), True

    def _annotated(self, at: int) -> Declaration:
        annotations = self.annotations()
        if self.take_word("variable"):
            return self._variable(at, annotations)
        if self.take_word("function"):
            return self._function(at, annotations)
        words = ("function", "variable") if annotations else _DECLARED
        raise self.unexpected("what is declared", words)

    def _variable(self, at: int, annotations: tuple[Annotation, ...]) -> Declaration:
        name = self.variable_name()
        type_ = self.optional_type()
        expression, is_external = self._value_or_external()
        return VariableDeclaration(
            at=at,
            name=name,
            type=type_,
            expression=expression,
            is_external=is_external,
            annotations=annotations,
        )

    def _function(self, at: int, annotations: tuple[Annotation, ...]) -> Declaration:
        name = self.function_name()
        parameters, result = self.signature()
        is_external = bool(self.take_word("external"))
        body = None if is_external else self.enclosed()
        return FunctionDeclaration(
            at=at,
            name=name,
            parameters=parameters,
            result=result,
            body=body,
            is_external=is_external,
            annotations=annotations,
        )

    def _import(self) -> Declaration:
        at = self.advance().at
        if self.need_word("schema", "module") == "schema":
            if self.take_word("default"):
                self.need_word("element")
                self.need_word("namespace")
                uri = self.uri()
            else:
                uri = self._schema_prefix(at)
            self._locations()
            return SchemaImport(at=at, uri=uri)
        prefix, uri = self._optional_prefix()
        return ModuleImport(at=at, prefix=prefix, uri=uri, locations=self._locations())

    def _schema_prefix(self, at: int) -> str:
        prefix, uri = self._optional_prefix()
        if prefix is not None and not uri:
            raise self.error("XQST0057", "a prefix needs a namespace", at, self.consumed)
        if prefix in ("xml", "xmlns"):
            raise self.error("XQST0070", f"{prefix} is declared already", at, self.consumed)
        return uri

    def _optional_prefix(self) -> tuple[str | None, str]:
        if self.take_word("namespace"):
            return self._prefix_and_uri()
        return None, self.uri()

    def _locations(self) -> tuple[str, ...]:
        found = []
        if self.take_word("at"):
            found.append(self.uri())
            while self.take_symbol(","):
                found.append(self.uri())
        return tuple(found)
