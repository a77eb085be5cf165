"""From a module's syntax to a program: names resolved, variables bound, static errors found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmscope.queries.xquery.analysis import (  # noqa: F401 - each registers its rules
    bindings,
    constructors,
    expressions,
    flwor,
)
from jvmscope.queries.xquery.analysis.bindings import bind_parameters
from jvmscope.queries.xquery.analysis.environment import StaticEnvironment
from jvmscope.queries.xquery.analysis.loading import LoadedModule, Loader
from jvmscope.queries.xquery.analysis.ordering import find_cycle, in_order
from jvmscope.queries.xquery.analysis.program import Function, Program
from jvmscope.queries.xquery.analysis.prolog import namespaces_of
from jvmscope.queries.xquery.analysis.scope import Scope
from jvmscope.queries.xquery.analysis.static_errors import error_at, error_of_name
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.depth import deep_stack

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis.context import StaticContext
    from jvmscope.queries.xquery.syntax.ast import Variable, VariableDeclaration
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.parsing.cursor import Language

__all__ = ["analyse"]


def analyse(
    module: ast.Module,
    environment: StaticEnvironment | None = None,
    *,
    language: Language = "xquery",
) -> Program:
    """Returns a module as a program.

    Args:
        module: what the parser returned; a library module makes a program without a body.
        environment: what the module may use without declaring it.
        language: the language that the module was parsed as.

    Raises:
        QueryError: a static error of XQuery 3.1, appendix F, of the module or of one that it
            imports; XQDY0054 for a variable whose value needs itself in any case.
    """
    with deep_stack():
        loader = Loader(environment or StaticEnvironment())
        main = loader.load(module, language)
        return _Analyser(loader).program(main)


class _Analyser:
    """Rewrites the bodies of all modules."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._functions: dict[tuple[Name, int], Function] = {}
        self._function_scopes: dict[tuple[Name, int], Scope] = {}
        self._variables: dict[Variable, tuple[VariableDeclaration, StaticContext]] = {}
        self._variable_scopes: dict[Variable, Scope] = {}

    def program(self, main: LoadedModule) -> Program:
        """Returns the program of a loaded module."""
        for loaded in self._loader.modules:
            self._declarations(loaded)
        body = _scope(main).rewrite(main.module.body)
        declarations = self._context_items(main)
        self._check_cycles()
        ordered = in_order(
            {variable: scope.uses for variable, scope in self._variable_scopes.items()},
            {key: scope.uses for key, scope in self._function_scopes.items()},
        )
        return Program(
            main=replace(main.module, declarations=declarations, body=body),
            context=main.context,
            variables=(
                *self._predefined(main.context),
                *[self._variables[variable] for variable in ordered],
            ),
            functions=self._functions,
            contexts=tuple(loaded.context for loaded in self._loader.modules),
        )

    def _declarations(self, loaded: LoadedModule) -> None:
        for key, function in loaded.interface.declared_functions.items():
            scope = _scope(loaded)
            with scope.block():
                declaration = replace(
                    function,
                    parameters=bind_parameters(scope, function.parameters),
                    body=scope.rewrite(function.body),
                )
            if function.is_external:
                message = f"the external function {function.name} is not known"
                source = loaded.module.source
                raise error_of_name(source, "XPST0017", message, function.name, function.at)
            if key in self._functions:
                message = f"the function {function.name} is declared in two modules"
                raise error_at(loaded.module.source, "XQST0034", message, function)
            self._functions[key] = Function(declaration, loaded.context)
            self._function_scopes[key] = scope
        for variable, variable_declaration in loaded.interface.declared_variables.values():
            scope = _scope(loaded)
            scope.hidden = variable
            expression = scope.rewrite(variable_declaration.expression)
            rewritten = replace(variable_declaration, expression=expression)
            self._variables[variable] = (rewritten, loaded.context)
            self._variable_scopes[variable] = scope

    def _context_items(self, loaded: LoadedModule) -> tuple[ast.ContextItemDeclaration, ...]:
        """Returns a module's declaration of the context item, if it has one."""
        return tuple(
            replace(
                declaration,
                type=loaded.context.context_item_type,
                expression=_scope(loaded).rewrite(declaration.expression),
            )
            for declaration in loaded.module.declarations
            if isinstance(declaration, ast.ContextItemDeclaration)
        )

    def _check_cycles(self) -> None:
        variable = find_cycle(
            {variable: scope.certain for variable, scope in self._variable_scopes.items()},
            {key: scope.certain for key, scope in self._function_scopes.items()},
        )
        if variable is not None:
            declaration, context = self._variables[variable]
            message = f"the value of ${variable.name} needs itself"
            raise error_at(context.source, "XQDY0054", message, declaration)

    def _predefined(
        self, context: StaticContext
    ) -> list[tuple[VariableDeclaration, StaticContext]]:
        return [
            (
                ast.VariableDeclaration(
                    at=0,
                    name=variable.name,
                    type=variable.type,
                    expression=None,
                    is_external=True,
                    variable=variable,
                ),
                context,
            )
            for variable in self._loader.predefined.used.values()
        ]


def _scope(loaded: LoadedModule) -> Scope:
    return Scope(loaded.context, namespaces_of(loaded.context), loaded.interface)
