"""What to know before a file is edited, as text."""

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.context import (
    Caller,
    ContextSymbol,
    EditingContext,
    ImportStatement,
    SymbolCallers,
)
from groundwire.render.editing_context import editing_context_page
from groundwire.render.page import HARD_CAP, fitted


def text_of(context: EditingContext, status: Status = Status.CONFIRMED, reason: str = "") -> str:
    answer = Answer(value=context, status=status, reason=reason, servers=("ty",))
    return fitted(editing_context_page(answer), HARD_CAP)


def test_imports_come_before_the_symbols_and_tests_are_marked():
    callers = SymbolCallers(
        test_callers=(Caller(file="test_a.py", line=3, column=5, text="f(1)", count=2),),
        non_test_callers=(Caller(file="b.py", line=1, column=2, name="g", kind="function", text="return f(1)"),),
        hidden=4,
    )
    symbol = ContextSymbol(
        name="f",
        kind="function",
        path="f",
        line=3,
        column=5,
        start_line=3,
        end_line=9,
        signature="def f(",
        callers=callers,
    )
    context = EditingContext(
        file="a.py",
        etag="0a",
        symbols=(symbol,),
        total=2,
        imports=(ImportStatement(line=1, text="from a import (\n b,\n)"),),
    )
    assert text_of(context).split("\n") == [
        "2 symbols in a.py (confirmed by ty)",
        "etag: 0a",
        "Imports:",
        "  1  from a import ( b, )",
        "Symbols:",
        "  3:5  function f [3-9]  def f(",
        "    caller  b.py:1:2  function g  return f(1)",
        "    test    test_a.py:3:5  2 times  f(1)",
        "    +4 more callers",
        "+1 more results (offset 1)",
    ]


def test_what_still_holds_is_said_in_one_line():
    context = EditingContext(file="a.py", etag="0a", not_modified=True)
    assert text_of(context) == "a.py not modified: what was answered under etag 0a holds (confirmed by ty)"


def test_what_is_not_proven_is_not_called_all_there_is():
    shown = text_of(EditingContext(file="a.py"), Status.PARTIAL, "the server is still loading")
    assert shown == "Symbols in a.py: not known: the server is still loading"
