"""Why a file is taken care of as it is, as text or JSON.

Above: ``surfaces``. Below: ``operations.explain`` and ``layout``.
"""

import shlex
from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec

from groundwire.operations.results.explanation import Explanation, Rival, ServerExplained
from groundwire.render.layout import Page, aligned, plain, short_path, without_name
from groundwire.render.withheld import withheld_values

RUNS_PROJECT_CODE = "runs-project-code"
_COLUMN = 12
_KINDS = {"later": "not needed", "missing": "missing", "untrusted": "untrusted", "unfit": "not fit", "disabled": "off"}


def render_explanation(explained: Explanation, page: Page) -> str:
    """The decisions, the important ones first."""
    blocks = [
        _head(explained, page),
        *(_server(server, page) for server in explained.servers),
        list(_rivals(explained.passed_over, page)),
        list(_configuration(explained, page)),
        list(_withheld(explained, page)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def render_explanation_json(explained: Explanation) -> dict[str, object]:
    """Everything, by the names of the fields."""
    return {"ok": True, **msgspec.to_builtins(explained)}


def _head(explained: Explanation, page: Page) -> list[str]:
    language = explained.language or "of no known language"
    # What is known by its name needs no second mention of it.
    lines = [f"{page.painted(plain(explained.file), 'bold')} is {language}, {plain(explained.language_why)}"]
    lines += page.hanging("workspace", short_path(explained.workspace), column=_COLUMN)
    if explained.reason:
        lines += page.hanging("problem", explained.reason, column=_COLUMN)
    if explained.remedy:
        lines += page.hanging("try", explained.remedy, column=_COLUMN)
    return lines


def _server(server: ServerExplained, page: Page) -> list[str]:
    flag = f"  {page.painted(RUNS_PROJECT_CODE, 'yellow')}" if server.runs_project_code else ""
    name = " ".join(filter(None, (server.server, server.version)))
    lines = [f"{page.painted(name, 'green')}  {server.role}{flag}"]
    for head, text in _facts(server):
        lines += page.hanging(head, text, column=_COLUMN)
    return lines


def _facts(server: ServerExplained) -> Iterator[tuple[str, str]]:
    tier = f"; tier {server.root_tier} of {server.root_tiers}" if server.root_tier and server.root_tiers > 1 else ""
    yield "why", server.why
    yield "root", f"{server.root} ({server.root_why}{tier})"
    yield "program", f"{short_path(server.program)} ({server.program_why})"
    yield "command", shlex.join(server.command)
    for handed in server.handed_over:
        yield handed.what.partition("_")[0], f"{short_path(handed.path)} ({handed.why})"
    if server.runs_project_code:
        yield "caution", "it executes code of the project, such as build scripts; project_code can hold it back"
    told = {server.program, *(handed.path for handed in server.handed_over)}
    others = [file for file in server.project_files_run if file not in told]
    if others:
        yield "loads", f"{', '.join(others)}, from the project"
    if server.companion_why:
        beside = f"{shlex.join(server.companion)} ({server.companion_why})"
        yield "companion", beside if server.companion else server.companion_why
    if server.finds_only:
        yield "finds", f"only {server.finds_only}"
    for lacking in server.lacking:
        yield "lacks", lacking
    for refused in server.refused:
        yield "not used", refused


def _rivals(rivals: Sequence[Rival], page: Page) -> Iterator[str]:
    """One to a line; those of which the same is true stand together."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for rival in rivals:
        why = without_name(rival.why, rival.server)
        groups.setdefault((_KINDS[rival.kind], why, _remedy_beside(rival)), []).append(rival.server)
    if groups:
        yield page.painted("passed over", "bold")
    single = {fact: servers[0] for fact, servers in groups.items() if len(servers) == 1}
    names = max(map(len, single.values()), default=0)
    for (kind, why, remedy), server in single.items():
        is_short = remedy != "" and why == "not installed"
        head = f"{server:<{names}}  {kind:<10}  "
        yield from page.hanging(head, f"{why}: {remedy}" if is_short else why)
        if remedy and not is_short:
            yield from page.hanging("", remedy, column=len(head))
    for (kind, why, remedy), servers in groups.items():
        if len(servers) > 1:
            told = f"{kind}, {why}" + (f": {remedy}" if remedy else "")
            yield from page.hanging("", f"{', '.join(servers)}: {told}")


def _remedy_beside(rival: Rival) -> str:
    return "" if rival.kind == "untrusted" else rival.remedy  # how to trust is told once, at the end


def _configuration(explained: Explanation, page: Page) -> Iterator[str]:
    if explained.configuration or explained.warnings:
        yield page.painted("configuration", "bold")
    yield from aligned([(source.layer, short_path(source.place)) for source in explained.configuration], indent=2)
    yield from chain.from_iterable(page.hanging("warning", text, column=_COLUMN) for text in explained.warnings)


def _withheld(explained: Explanation, page: Page) -> Iterator[str]:
    if explained.withheld:
        yield page.painted("withheld, for the project is not trusted", "yellow")
        yield from withheld_values(explained.withheld, page)
    if explained.trust_command:
        yield f"  To trust the project, once you have looked at it: {page.painted(explained.trust_command, 'bold')}"
