"""Which servers work and what helps those that do not, as text or JSON.

Above: ``surfaces``. Below: ``operations.doctor`` and ``layout``.
"""

from collections.abc import Iterator, Sequence

import msgspec

from groundwire.operations.serving.checkup import Checkup
from groundwire.operations.serving.doctor import CheckupReport
from groundwire.render.extensions import extensions_listed
from groundwire.render.layout import Page, aligned, plain, short_path, some, without_name
from groundwire.render.withheld import withheld_line
from groundwire.render.wording import counted

_ORDER = {"broken": 1, "untrusted": 2, "missing": 3, "disabled": 4}
_INSTALL = "groundwire install "
_TAIL = 3


def render_checkups(report: CheckupReport, page: Page) -> str:
    """A line for each server, those that work first; below the others why, and what helps."""
    ordered = sorted(report.servers, key=lambda checkup: _ORDER.get(checkup.state, 0))
    is_needed = bool(report.workspace)
    rows = aligned([_row(checkup, page, is_needed=is_needed) for checkup in ordered], columns=page.columns)
    lines = [_title(report, page), ""]
    for checkup, row in zip(ordered, rows, strict=True):
        lines.append(page.painted(row, _style(checkup)))
        lines += _below(checkup, page)
    return "\n".join([*lines, "", *_summary(report, page)])


def render_checkups_json(report: CheckupReport) -> dict[str, object]:
    """Everything, by the names of the fields."""
    return {"ok": report.is_fine, **msgspec.to_builtins(report)}


def _title(report: CheckupReport, page: Page) -> str:
    if not report.workspace:
        return page.painted(f"{counted(len(report.servers), 'server')}, each tried in an empty project", "bold")
    languages = {language for checkup in report.servers for language in checkup.languages}
    held = f"{counted(len(languages), 'language')} with a server, in {counted(report.files, 'file')}"
    return f"{page.painted(plain(short_path(report.workspace)), 'bold')}: {held}"


def _row(checkup: Checkup, page: Page, *, is_needed: bool) -> tuple[str, ...]:
    is_indifferent = checkup.state == "disabled" or (checkup.state == "missing" and not is_needed)
    return (
        "-" if is_indifferent else page.mark(is_good=checkup.state == "found"),
        checkup.state,
        " ".join(filter(None, (checkup.server, checkup.version))),
        some(checkup.languages, 2),
        checkup.root,
        _outcome(checkup),
    )


def _outcome(checkup: Checkup) -> str:
    if checkup.state == "found" and checkup.start_s is not None:
        answers = f", gives {checkup.answered}" if checkup.answered else ""
        return f"{checkup.start_s:.1f} s{answers}"
    return checkup.remedy if checkup.state == "missing" and _is_plain_absence(checkup) else ""


def _is_plain_absence(checkup: Checkup) -> bool:
    return without_name(checkup.why, checkup.server) == "not installed"


def _below(checkup: Checkup, page: Page) -> Iterator[str]:
    """What does not fit into the line."""
    if checkup.state == "missing" and _is_plain_absence(checkup):
        return
    if checkup.why and (checkup.state != "found" or checkup.remedy or checkup.start_s is None):
        yield from page.hanging("", without_name(checkup.why, checkup.server), indent=4)
    tail = [line for line in checkup.stderr_tail.splitlines() if line.strip() and line.strip() not in checkup.why]
    for line in tail[-_TAIL:] if checkup.state == "broken" else ():
        yield page.painted(f"    | {plain(line)[: page.columns - 6]}", "dim")
    if checkup.remedy:
        yield f"    fix: {page.painted(plain(checkup.remedy), 'bold')}"


def _style(checkup: Checkup) -> str:
    if checkup.state == "found":
        return "yellow" if checkup.needs_attention else "green"
    return {"disabled": "dim", "broken": "red"}.get(checkup.state, "yellow")


def _summary(report: CheckupReport, page: Page) -> Iterator[str]:
    if report.note:
        yield from page.hanging("", f"Not everything was looked at: {report.note}.", indent=0)
    if report.withheld:
        yield withheld_line(report.withheld, report.trust_command, page)
    yield from extensions_listed(report.extensions, page)
    working = sum(checkup.state == "found" for checkup in report.servers)
    bad = [checkup for checkup in report.servers if checkup.needs_attention and checkup.state != "disabled"]
    if not report.servers:
        yield "No file here is in a language that a server is known for."
    elif not report.workspace:
        broken = sum(checkup.state == "broken" for checkup in bad)
        others = len(report.servers) - working - broken
        yield f"{counted(working, 'server')} found, {broken} broken, {others} not there."
    elif not bad:
        yield page.painted(f"{page.mark(is_good=True)} Everything that this workspace needs works.", "green")
    else:
        yield f"{counted(len(bad), 'server')} of {len(report.servers)} {_verb(bad)} attention."
        yield from _one_command(bad, page)


def _verb(bad: Sequence[Checkup]) -> str:
    return "needs" if len(bad) == 1 else "need"


def _one_command(bad: Sequence[Checkup], page: Page) -> Iterator[str]:
    """Several installations are one command."""
    wanted = [each.remedy.removeprefix(_INSTALL) for each in bad if _is_installation(each.remedy)]
    if len(wanted) > 1:
        yield f"To get what is missing: {page.painted(_INSTALL + ' '.join(dict.fromkeys(wanted)), 'bold')}"


def _is_installation(remedy: str) -> bool:
    return remedy.startswith(_INSTALL) and " " not in remedy.removeprefix(_INSTALL)
