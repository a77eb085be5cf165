"""The mode that runs queries and checks what comes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from jvmscope.errors import LimitReached, QueryError
from jvmscope.queries.xquery.evaluator import Environment, compile_program
from jvmscope.queries.xquery.serialization import Parameters, parameters_from_element, serialize
from jvmscope.queries.xquery.syntax.expanded_names import Name
from jvmscope.queries.xquery.trees import Kind
from qt3.assertions import Answer, failure
from qt3.compiling import analysed, static_environment, variable_name
from qt3.outcome import Outcome, Verdict
from qt3.provided import CaseDocuments, load

if TYPE_CHECKING:
    from jvmscope.queries.xquery.analysis import StaticContext
    from jvmscope.queries.xquery.syntax.parsing.cursor import Language
    from qt3.catalog import Case

__all__ = ["check_execution"]

_TIMEOUT_S = 300.0


def check_execution(case: Case, language: Language = "xquery") -> Outcome:
    """Returns whether a query gives what the suite expects; the group is the set's family."""
    group = case.set_name.partition("-")[0]
    try:
        answer = _answer(case, language)
        reason = failure(case.result, answer)
    except LimitReached:
        return Outcome(Verdict.CRASHED, group, "no answer in time")
    except Exception as error:  # noqa: BLE001, RUF100 - a crash is what is looked for
        return Outcome(Verdict.CRASHED, group, f"{type(error).__name__}: {error}")
    if reason is None:
        return Outcome(Verdict.PASSED, group)
    return Outcome(Verdict.FAILED, group, reason)


class _Run:
    """The environment of a case, and expressions evaluated in it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.documents = CaseDocuments(case, self.expression)
        self.variables: dict[Any, Any] = {}
        self.item: Any = None
        for source in case.environment.sources:
            if source.role == ".":
                self.item = load(source)
            elif source.role.startswith("$"):
                self.variables[variable_name(source.role[1:], case)] = [load(source)]
        for param in case.environment.params:
            value = self.expression(param.select)
            self.variables[variable_name(param.name, case)] = value
        if case.environment.context_item is not None:
            (self.item,) = self.expression(case.environment.context_item)

    def environment(self, variables: dict[Any, Any], item: Any) -> Environment:
        """Returns what an evaluation is given."""
        return Environment(
            item=item,
            variables=variables,
            documents=self.documents,
            environment={"QTTEST": "42", "QTTEST2": "other", "QTTESTEMPTY": ""},
            timeout=_TIMEOUT_S,
        )

    def expression(self, text: str, result: list[Any] | None = None) -> list[Any]:
        """Evaluates an expression of the catalogue, over the result of the query if given."""
        variables = dict(self.variables)
        if result is not None:
            variables[variable_name("result", self.case)] = result
        language: Language = "xpath"
        if "\r" in text:  # a query's line ends are normalised, those of strings as well
            text, language = text.replace("&", "&amp;").replace("\r", "&#xD;"), "xquery"
        program = analysed(text, static_environment(self.case, variables), language)
        item = result[0] if result is not None and len(result) == 1 else self.item
        return list(compile_program(program).items(self.environment(variables, item)))


def _answer(case: Case, language: Language) -> Answer:
    run = _Run(case)
    items: list[Any] | None = None
    error: Any = None
    program: Any = None
    try:
        program = analysed(case.query, static_environment(case, run.variables), language)
        query = compile_program(program)
        items = list(query.items(run.environment(run.variables, run.item)))
    except QueryError as raised:
        error = raised

    def to_text() -> str:
        return serialize(items or [], _parameters(program.context, run.documents))

    return Answer(
        items, error, lambda text: run.expression(text, items or []), to_text, case.folder
    )


def _parameters(context: StaticContext, documents: CaseDocuments) -> Parameters:
    """Returns the serialization parameters of a query's options, and of the document they name."""
    options = dict(context.serialization)
    uri = options.pop("parameter-document", None)
    parameters = Parameters()
    if uri is not None:
        document = documents.document(urljoin(context.base_uri or "", uri))
        (element,) = (node for node in document.children() if node.kind is Kind.ELEMENT)
        parameters = parameters_from_element(element, parameters)
    return parameters.with_options(options, lambda text: Name(text, "", ""))
