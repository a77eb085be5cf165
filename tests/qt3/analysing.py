"""The mode that parses and analyses: static errors must be found, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.errors import QueryError
from qt3.compiling import analysed, static_environment, variable_name
from qt3.outcome import Outcome, Verdict
from qt3.parsing import all_codes, only_codes

if TYPE_CHECKING:
    from jvmscope.queries.xquery.syntax.parsing.cursor import Language
    from qt3.catalog import Case

__all__ = ["check_analysis"]

# Errors of the static phase that only static typing or schemas would find.
_NOT_OURS = {"XPST0005", "XQST0036"}


def check_analysis(case: Case, language: Language) -> Outcome:
    """Returns whether the analysis finds the errors that it should.

    Groups are ``static`` (one of some static errors must be raised), ``valid`` (none may be) and
    ``dynamic`` (the suite expects an error, not always or not a static one; a static error that is
    raised must be among those that it names).
    """
    codes = all_codes(case.result)
    only = only_codes(case.result)
    group = "dynamic" if codes else "valid"
    if only is not None and all(_is_static(code, case.query) for code in only):
        group = "static"
    environment = case.environment
    names = [param.name for param in environment.params]
    names += [source.role[1:] for source in environment.sources if source.role.startswith("$")]
    try:
        variables = [variable_name(name, case) for name in names]
        analysed(case.query, static_environment(case, variables), language)
    except QueryError as error:
        passed = error.code in codes or "*" in codes
        return Outcome(Verdict.PASSED if passed else Verdict.FAILED, group, str(error))
    except Exception as error:  # a crash is what is looked for
        return Outcome(Verdict.CRASHED, group, repr(error))
    passed = group != "static"
    text = f"accepted, expected {', '.join(sorted(codes))}"
    return Outcome(Verdict.PASSED if passed else Verdict.FAILED, group, text)


def _is_static(code: str, query: str) -> bool:
    """Tells whether an error is found before the query runs, and not raised by ``fn:error``."""
    return code[2:4] == "ST" and code not in _NOT_OURS and code not in query
