"""What is wrong in files, as text: a first line that says what is known, then what is not, then the findings in the
form that models know, by file or by symbol.

Above: ``answers``. Below: ``findings`` (the form of a finding), ``environment``, ``page``, ``wording``.
"""

from collections.abc import Iterable, Iterator, Sequence

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status
from groundwire.operations.results.diagnostics import DiagnosticEntry, Diagnostics
from groundwire.render.environment import without_environment
from groundwire.render.findings import render_findings
from groundwire.render.layout import some
from groundwire.render.limits import Limits
from groundwire.render.page import Block, Page, Section
from groundwire.render.verdict import noted, reason
from groundwire.render.wording import counted, escaped, known_by

_EVERY_SEVERITY = Limits(least="hint")
_HEADING_END = "please fix:\n"
_END = "</diagnostics>"
_NOUNS: dict[Severity, str] = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_NONE: dict[Severity, str] = {
    "error": "no errors",
    "warning": "no errors or warnings",
    "information": "no errors, warnings or information",
    "hint": "no findings",
}
_SCOPES = {"open": "open file", "changed": "changed file"}


def diagnostics_page(answer: Answer[Diagnostics]) -> Page:
    """The findings of files, or of one file by symbol."""
    found = answer.value
    if found.symbols is not None:
        return Page(_head_of_one(answer, found.file), (_findings(found, [_by_symbol(found)], "this file"),))
    blocks = [
        _tagged(file.file, _file_lines(file.diagnostics, answer.servers)) for file in found.files if file.diagnostics
    ]
    if found.scope == "file" and found.candidates == 1 and len(found.files) == 1:
        return Page(_head_of_one(answer, found.files[0].file), (_findings(found, blocks, "this file"),))
    unknown = _unknown_lines(found, answer.reason)
    about = Section([(line,) for line in unknown], len(unknown), more=_more_unknown)
    return Page(_head_of_several(answer), (about, _findings(found, blocks, counted(found.broken, "file"))))


def _head_of_one(answer: Answer[Diagnostics], file: str) -> str:
    found = answer.value
    if answer.status is Status.CONFIRMED:
        return f"{file}: {_counts(found)} ({known_by(answer.servers)}){noted(answer)}"
    known = f"{_counts(found)}, and more is " if found.total else ""
    return f"{file}: {known}not known: {reason(answer)}{noted(answer)}"


def _head_of_several(answer: Answer[Diagnostics]) -> str:
    found = answer.value
    if not found.candidates:
        if answer.status is Status.CONFIRMED:
            return f"No file has changed since the last commit{noted(answer)}"
        return f"Findings: not known: {reason(answer)}{noted(answer)}"
    every = counted(found.candidates, _SCOPES.get(found.scope, "file"))
    number = every if found.checked == found.candidates else f"{found.checked:,} of {every}"
    parts = [f"{_counts(found)} in {counted(found.broken, 'file')}"] if found.broken else []
    if found.clean:
        where = "any of them" if found.clean == found.candidates else counted(found.clean, "file")
        parts.append(f"{_NONE[found.severity]} in {where}")
    is_confirmed = answer.status is Status.CONFIRMED
    proof = f" ({known_by(answer.servers)})" if is_confirmed else f"; not all is known: {reason(answer)}"
    return f"Checked {number}: {', '.join(parts) or 'nothing is proven'}{proof}{noted(answer)}"


def _counts(found: Diagnostics) -> str:
    """Of what was asked for; how much else there is stands in brackets."""
    severities = list(_NOUNS)
    wanted = severities[: severities.index(found.severity) + 1]
    numbers: dict[str, int] = {}
    for severity in wanted:
        numbers[_NOUNS[severity]] = numbers.get(_NOUNS[severity], 0) + found.counts.get(severity, 0)
    shown = " and ".join(counted(number, noun) for noun, number in numbers.items() if number)
    others = sum(found.counts.values()) - found.total
    return (shown or _NONE[found.severity]) + (f" [{others:,} less severe]" if others else "")


def _unknown_lines(found: Diagnostics, said: str) -> list[str]:
    """Files of which not all is known, those with one reason on one line; what was said already is not repeated."""
    alike: dict[tuple[str, str], list[str]] = {}
    for file in found.files:
        if file.status is not Status.CONFIRMED:
            what = "more is not known" if file.diagnostics else "not known"
            alike.setdefault((what, file.reason), []).append(file.file)
    lines = [f"{some(files)}: {what}{_why(why, said)}" for (what, why), files in alike.items()]
    lines += [
        f"Not checked: {counted(group.files, f'{group.language} file')}{_why(group.reason, said)}"
        for group in found.unchecked
    ]
    return lines if found.offset == 0 else []


def _more_unknown(left: int, _: int) -> str:
    return f"... and {left} more not known"


def _why(why: str, said: str) -> str:
    return f": {why}" if why and why not in said else ""


def _findings(found: Diagnostics, files: Sequence[Sequence[Block]], where: str) -> Section:
    """One block for each finding, so that a page can be cut after any of them; what was opened is closed then too."""
    blocks = [block for file in files for block in file]
    ends = set(_ends(files))

    def more(left: int, at: int) -> str:
        is_whole = at - found.offset in ends and at != found.total
        counts = f"+{left:,} more results (offset {at})"
        return counts if is_whole else f"{_END}\n{counts}"

    kind = "errors" if found.severity == "error" else "findings"
    title = f"\nLSP {kind} detected in {where}, please fix:"
    return Section(blocks, found.total, found.offset, title=title, more=more)


def _ends(files: Sequence[Sequence[Block]]) -> Iterator[int]:
    """After how many findings a file ends."""
    number = 0
    yield number
    for file in files:
        number += len(file)
        yield number


def _tagged(file: str, blocks: Iterable[Block]) -> list[Block]:
    """The findings between the tags of their file."""
    tagged = list(blocks)
    if tagged:
        tagged[0] = (f'<diagnostics file="{escaped(file, quote=True)}">', *tagged[0])
        tagged[-1] = (*tagged[-1], _END)
    return tagged


def _by_symbol(found: Diagnostics) -> list[Block]:
    blocks: list[Block] = []
    for symbol in found.symbols or ():
        title = escaped(f"In {symbol.kind} {symbol.name} (line {symbol.line}):")
        blocks += _titled(title, _lines(symbol.diagnostics))
    ungrouped = _lines(found.ungrouped or ())
    return _tagged(found.file, [*blocks, *(_titled("In no symbol:", ungrouped) if found.symbols else ungrouped)])


def _titled(title: str, blocks: list[Block]) -> list[Block]:
    return [(title, *blocks[0]), *blocks[1:]] if blocks else []


def _file_lines(entries: Sequence[DiagnosticEntry], servers: Sequence[str]) -> list[Block]:
    """What the environment causes is told where the first of it stands; the others keep their places, empty, so that
    a page that is cut still counts right."""
    findings = [_finding(entry) for entry in entries]
    causes, others = without_environment(findings, servers)
    shown, blocks = set(map(id, others)), list[Block]()
    for finding, entry in zip(findings, entries, strict=True):
        if id(finding) in shown:
            blocks.append((_line(entry),))
        else:
            blocks.append(tuple(causes))
            causes = []
    return blocks


def _lines(entries: Iterable[DiagnosticEntry]) -> list[Block]:
    return [(_line(entry),) for entry in entries]


def _line(entry: DiagnosticEntry) -> str:
    """As it is shown wherever findings are."""
    alone = FileFindings(file="-", status=Status.CONFIRMED, diagnostics=(_finding(entry),))
    text = render_findings(Answer(value=(alone,), status=Status.CONFIRMED), limits=_EVERY_SEVERITY)
    return " ".join(text.partition(_HEADING_END)[2].split("\n")[1:-1])


def _finding(entry: DiagnosticEntry) -> Finding:
    return Finding(
        severity=entry.severity,
        line=entry.line,
        column=entry.column,
        end_line=entry.end_line,
        end_column=entry.end_column,
        message=entry.message,
        code=entry.code,
        source=entry.source,
    )
