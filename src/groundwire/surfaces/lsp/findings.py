"""Proven findings of a client's open documents, from all servers, as diagnostics in the client's terms.

Above: ``publishing``, ``server`` (who pulls). Below: ``operations.diagnose`` (what is on disk), ``operations.overlay``
(what is not), ``reading``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.client.session import Session
from groundwire.client.sync import uri_of
from groundwire.errors import FileNotFound, GroundwireError, NotAFile
from groundwire.operations.answer import Finding, Severity, Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting.overlay import Past, findings_before
from groundwire.pool.routes import Chosen
from groundwire.protocol.positions import Lines
from groundwire.surfaces.lsp.documents import OpenDocument, Unsaved
from groundwire.surfaces.lsp.json_shapes import Members, members
from groundwire.surfaces.lsp.questions import Client
from groundwire.surfaces.lsp.reading import to_client_of
from groundwire.surfaces.lsp.translation import range_members
from groundwire.surfaces.lsp.unsaved import texts_for, wait_until_loaded

_SEVERITIES: Mapping[Severity, int] = {"error": 1, "warning": 2, "information": 3, "hint": 4}
_MOST_ROUNDS = 3
_EXTRAS = ("codeDescription", "tags", "relatedInformation", "data")
"""What a finding holds beyond what is merged and compared."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a document. ``text`` is the content that it is known of."""

    document: OpenDocument
    status: Status
    reason: str = ""
    text: str = ""
    diagnostics: list[Members] = []
    is_unsaved: bool = False
    """Whether unsaved texts, of this document or of another, were in place."""

    @property
    def is_known(self) -> bool:
        """Whether there is anything to show: all that is wrong, or at least some of it."""
        return self.status is Status.CONFIRMED or (self.status is Status.PARTIAL and bool(self.diagnostics))

    @property
    def is_of_its_version(self) -> bool:
        """Else it is about the disk, which the document follows and the client has not read yet."""
        return self.text == self.document.text


async def check(
    client: Client, documents: Sequence[OpenDocument], unsaved: Sequence[Unsaved], wait_s: float
) -> list[Checked]:
    """Check documents; those that have to do with unsaved texts with these in place."""
    call = client.call(wait_s)
    disturbed = [each for each in documents if _has_to_do_with(client, each.file, unsaved)]
    untouched = [each for each in documents if each not in disturbed]
    checks = (_check_disk(client, call, untouched), _check_unsaved(client, call, disturbed, unsaved))
    on_disk, in_memory = await asyncio.gather(*checks)
    return [*on_disk, *in_memory]


def _has_to_do_with(client: Client, file: Path, unsaved: Sequence[Unsaved]) -> bool:
    if not unsaved:
        return False
    try:
        return any(texts_for(client.pool, chosen, unsaved) for chosen in client.pool.route(file).chosen)
    except GroundwireError:
        return False


async def _check_disk(client: Client, call: Call, documents: Sequence[OpenDocument]) -> list[Checked]:
    there = [each for each in documents if each.file.is_file()]
    if not there:
        return []
    try:
        found = await prove_files(client.pool, [each.file for each in there], deadline=call.deadline)
    except (FileNotFound, NotAFile):  # gone meanwhile, which the next look will tell
        return []
    checked: list[Checked] = []
    for document, each in zip(there, found, strict=True):
        findings = each.findings
        if each.text is None:  # nobody has looked at it, whatever else is said
            status = Status.UNSUPPORTED if findings.status is Status.UNSUPPORTED else Status.UNKNOWN
            checked.append(Checked(document=document, status=status, reason=findings.reason or "it was not checked"))
            continue
        shown = await _shown(client, document.file, each.text, findings.diagnostics)
        known = Checked(
            document=document, status=findings.status, reason=findings.reason, text=each.text, diagnostics=shown
        )
        checked.append(known)
    return checked


async def _check_unsaved(
    client: Client, call: Call, documents: Sequence[OpenDocument], unsaved: Sequence[Unsaved]
) -> list[Checked]:
    if not documents:
        return []
    failure = await _start(client, call, [each.file for each in documents])
    texts, shown = {each.file: each.text for each in unsaved}, [Past(e.file, e.text, e.is_gone) for e in unsaved]
    checked: dict[Path, Checked] = {}
    for _ in range(_MOST_ROUNDS):
        missing = [each for each in documents if each.file not in checked]
        if not missing or asyncio.get_running_loop().time() >= call.deadline:
            break
        client.pool.refresh()
        found = await findings_before(call, shown, [each.file for each in missing])
        for document in missing:
            if document.file in found:
                text = texts.get(document.file, document.text)
                items = [_plain(each, Lines(text), client) for each in found[document.file].findings]
                checked[document.file] = Checked(
                    document=document, status=Status.CONFIRMED, text=text, diagnostics=items, is_unsaved=True
                )
    reason = failure or "its unsaved text could not be checked"
    unknown = (each for each in documents if each.file not in checked)
    return [*checked.values(), *(Checked(document=each, status=Status.UNKNOWN, reason=reason) for each in unknown)]


async def _start(client: Client, call: Call, files: Sequence[Path]) -> str:
    """Have the servers run, and load; why one does not, in words."""
    needed: dict[tuple[str, Path], tuple[Chosen, Path, str]] = {}
    for file in files:
        route = client.pool.route(file)
        for chosen in route.chosen:
            needed.setdefault((chosen.spec.id, chosen.root), (chosen, file, route.language))
    outcomes = await asyncio.gather(*(_started(client, call, *each) for each in needed.values()))
    return "; ".join(each for each in outcomes if each)


async def _started(client: Client, call: Call, chosen: Chosen, file: Path, language: str) -> str:
    try:
        session = await client.pool.instance(chosen).ready(call.deadline)
        await wait_until_loaded(session, file, language, call.deadline)
    except TimeoutError:
        return f"{chosen.spec.id} is still starting"
    except GroundwireError as error:
        return error.message
    return ""


async def _shown(client: Client, file: Path, text: str, findings: Sequence[Finding]) -> list[Members]:
    """Findings with what else their servers said of them."""
    lines, extras = Lines(text), dict[tuple[object, ...], Members]()
    if findings:
        for session in _sessions(client, file):
            extras.update(await _extras(client, session, file, lines))
    return [{**_plain(each, lines, client), **extras.get(_identity(each), {})} for each in findings]


def _plain(finding: Finding, lines: Lines, client: Client) -> Members:
    places = {"start": (finding.line, finding.column), "end": (finding.end_line, finding.end_column)}
    plain: Members = {
        "range": range_members(lines, places, client.features.encoding),
        "severity": _SEVERITIES[finding.severity],
        "message": finding.message,
    }
    plain |= {name: value for name, value in (("code", finding.code), ("source", finding.source)) if value}
    return plain


async def _extras(client: Client, session: Session, file: Path, lines: Lines) -> dict[tuple[object, ...], Members]:
    """By finding: what a server said beside it."""
    record = session.state.diagnostics.record(uri_of(file))
    said = [*(record.pushed.diagnostics if record.pushed else ())]
    said += [each for pulled in record.pulled.values() for each in pulled.diagnostics]
    encoding, found = session.state.capabilities.position_encoding, dict[tuple[object, ...], Members]()
    for each in said:
        line, column = lines.to_human(each.range.start, encoding)
        raw = members(msgspec.json.decode(msgspec.json.encode(each)))
        more = {name: raw[name] for name in (*_EXTRAS, "code") if name in raw}
        key = (line, column, each.message_text, each.code_text, each.source or "")
        found[key] = members(await to_client_of(client.documents, more, session, uri_of(file)))
    return found


def _identity(finding: Finding) -> tuple[object, ...]:
    return (finding.line, finding.column, finding.message, finding.code, finding.source)


def _sessions(client: Client, file: Path) -> list[Session]:
    chosen = {(each.spec.id, each.root) for each in client.pool.route(file).chosen}
    running = [each for each in client.pool.instances() if each.has_started]
    return [each.session for each in running if (each.chosen.spec.id, each.chosen.root) in chosen]
