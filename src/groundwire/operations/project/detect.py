"""Which languages a directory holds, which servers take care of them, and which are missing. Starts nothing.

Above: ``table``. Below: ``survey``, ``needs``, ``pool_decisions``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.inside import directory_inside
from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.survey import Survey, survey
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.servers import (
    DetectedServers,
    InstalledServer,
    LanguageCount,
    MissingServer,
    WithheldServer,
)
from groundwire.operations.serving.decisions import Decisions
from groundwire.operations.serving.explain import cheap_version
from groundwire.operations.serving.needs import Need, find_needs
from groundwire.operations.serving.pool_decisions import decide


class DetectServers(Arguments, frozen=True):
    """Where to look."""

    workspace_dir: Annotated[
        str, Meta(description="Directory of the workspace to look at; without it, all of the workspace.")
    ] = ""


@operation(
    "Languages of the workspace by number of files, the language servers for them, and how to install what is missing.",
    command="detect",
)
async def detect_lsp_servers(call: Call, arguments: DetectServers) -> Answer[DetectedServers]:
    """Only within the workspace: it would tell an agent the names of a stranger's files, and servers for them are found
    by the configuration and the trust of this one.
    """
    directory = directory_inside(arguments.workspace_dir, call.pool.workspace)
    seen, found = await decide(call, lambda decisions: _look(decisions, directory))
    return Answer(value=found, status=Status.PARTIAL if seen.note else Status.CONFIRMED, reason=seen.note)


def _look(decisions: Decisions, directory: Path) -> tuple[Survey, DetectedServers]:
    seen = survey(directory, decisions.plan.catalog_when_trusted)
    needs = find_needs(decisions, seen)
    languages = (LanguageCount(language=each.language, files=each.files) for each in seen.languages)
    found = DetectedServers(
        workspace_dir=str(directory),
        workspace_languages=tuple(languages),
        installed_servers=tuple(dict.fromkeys(_installed(decisions, needs))),
        not_installed=tuple(dict.fromkeys(_missing(needs))),
        not_used=tuple(dict.fromkeys(_withheld(needs))),
    )
    return seen, found


def _installed(decisions: Decisions, needs: Iterable[Need]) -> Iterator[InstalledServer]:
    """A server at several roots is one server, where its program is the same."""
    for need in needs:
        if need.chosen is None:
            continue
        program = Path(need.chosen.command[0])
        version = cheap_version(program, need.server)
        path = shown_path(program, decisions.workspace)
        for language in need.languages:
            yield InstalledServer(language=language, server=need.server, path=path, role=need.role, version=version)


def _missing(needs: Iterable[Need]) -> Iterator[MissingServer]:
    for need in needs:
        if need.state == "missing":
            for language in need.languages:
                yield MissingServer(
                    language=language, server=need.server, install=need.remedy, role=need.role, why=need.why
                )


def _withheld(needs: Iterable[Need]) -> Iterator[WithheldServer]:
    for need in needs:
        if need.state == "untrusted" or need.state == "disabled":
            for language in need.languages:
                yield WithheldServer(
                    language=language, server=need.server, state=need.state, why=need.why, remedy=need.remedy
                )
