"""The mode that parses alone: what is valid must parse, what is not must be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jvmscope.errors import QueryError
from jvmscope.queries.xquery.syntax.parser import parse
from qt3.outcome import Outcome, Verdict

if TYPE_CHECKING:
    from lxml import etree

    from qt3.catalog import Case

__all__ = ["all_codes", "check_parse", "only_codes"]

# What the parser says itself; all other errors of a test are found later.
_SYNTAX = {"XPST0003"}
_BY_PARSER = {
    *("XQST0022", "XQST0031", "XQST0070", "XQST0071", "XQST0087", "XQST0090", "XQST0118"),
    *("XPTY0004", "FOAR0002", "XPDY0130", "XQST0046", "XQST0057"),
}


def check_parse(case: Case, language: Literal["xquery", "xpath"]) -> Outcome:
    """Returns whether the parser accepts what is valid and refuses what is not.

    Groups are ``valid`` (no syntax error may be raised), ``invalid`` (one must be), and
    ``either`` (the suite leaves it open, or another part of the analysis may find it first).
    """
    codes = only_codes(case.result)
    group = "valid"
    if codes is not None and codes <= _SYNTAX:
        group = "invalid"
    elif all_codes(case.result) & (_SYNTAX | _BY_PARSER | {"*"}):
        group = "either"
    try:
        parse(case.query, language=language)
    except QueryError as error:
        passed = error.code in codes if codes is not None else group != "valid"
        return Outcome(Verdict.PASSED if passed else Verdict.FAILED, group, str(error))
    except Exception as error:  # a crash is what is looked for
        return Outcome(Verdict.CRASHED, group, repr(error))
    passed = group != "invalid"
    return Outcome(Verdict.PASSED if passed else Verdict.FAILED, group, "accepted")


def all_codes(result: etree._Element) -> set[str]:
    """Returns the codes of all errors that a result names."""
    return {str(error.get("code")) for error in result.iter("{*}error")}


def only_codes(result: etree._Element) -> set[str] | None:
    """Returns the codes of errors if nothing else is a right result, else None."""
    codes = set()
    for element in result.iter("{*}*"):
        match str(element.tag).rpartition("}")[2]:
            case "error":
                codes.add(str(element.get("code")))
            case "result" | "any-of":
                pass
            case _:
                return None
    return codes
