"""What the environment causes, as it is shown: once, with its number, and pages still count right."""

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.diagnostics import DiagnosticEntry, Diagnostics, FileDiagnostics
from groundwire.render.diagnostics_page import diagnostics_page
from groundwire.render.page import fitted

NAMES = ("numpy", "pandas", "scipy", "polars", "torch", "rich")


def entry(line: int, message: str, code: str = "import-not-found") -> DiagnosticEntry:
    return DiagnosticEntry(
        severity="error", line=line, column=1, end_line=line, end_column=2, code=code, source="ty", message=message
    )


def shown(*entries: DiagnosticEntry, servers: tuple[str, ...] = ("ty",), total: int = 0) -> str:
    file = FileDiagnostics(file="a.py", status=Status.CONFIRMED, reason="", diagnostics=entries)
    total = total or len(entries)
    value = Diagnostics(
        scope="file",
        files=(file,),
        checked=1,
        candidates=1,
        clean=0,
        broken=1,
        counts={"error": total},
        total=total,
        severity="error",
    )
    return fitted(diagnostics_page(Answer(value=value, status=Status.CONFIRMED, servers=servers)), 100_000)


def missing() -> list[DiagnosticEntry]:
    return [entry(line, f"Cannot resolve imported module `{name}`") for line, name in enumerate(NAMES, start=2)]


def test_missing_packages_are_told_once_where_the_first_of_them_stands():
    lines = shown(entry(1, "first", "other"), *missing(), entry(9, "last", "other")).split("\n")
    assert lines[0] == "a.py: 8 errors (confirmed by ty)"
    assert [line[:20] for line in lines[3:]] == [
        '<diagnostics file="a',
        "ERROR [1:1] first (o",
        "(6 errors are not sh",
        "ERROR [9:1] last (ot",
        "</diagnostics>",
    ]


def test_a_page_that_is_cut_counts_those_that_are_not_shown_as_shown():
    assert shown(*missing(), total=10).endswith("\n+4 more results (offset 6)")


def test_another_server_may_mean_something_else_by_the_same_words():
    assert shown(*missing(), servers=("unheard-of",)).count("ERROR") == 6
