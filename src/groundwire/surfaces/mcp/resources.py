"""What can be read by address: the findings of a file, what is known of a place, the source of a symbol, the servers.

Above: ``server``, ``watching``. Below: ``operations``, ``render``.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from mcp_types import Resource, ResourceTemplate

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.files.paths import meant_path
from groundwire.operations.navigation.completions import get_completions
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.symbols import get_symbol_source
from groundwire.operations.project.project_overview import project_overview
from groundwire.operations.runner import perform
from groundwire.operations.table import AnyOperation
from groundwire.pool.pool import Pool
from groundwire.render.json import render_findings_json, render_json
from groundwire.surfaces.mcp.confinement import is_there, require_path_inside
from groundwire.surfaces.mcp.notices_changes import ChangedSources
from groundwire.surfaces.mcp.shown import as_json, as_text

_JSON = "application/json"
_TEXT = "text/plain"

DIAGNOSTICS = "lsp-diagnostics://"
STATUS = "groundwire://status"
PROJECT = "groundwire://project"
REFERENCES = "lsp-references://"

RESOURCES = (
    Resource(uri=DIAGNOSTICS, name="diagnostics", description="Findings of all files that are open.", mime_type=_JSON),
    Resource(uri=STATUS, name="status", description="The language servers and their states.", mime_type=_JSON),
    Resource(uri=PROJECT, name="project", description="The project at a glance.", mime_type=_TEXT),
    Resource(
        uri=REFERENCES,
        name="changed sources",
        description="Sources that changed on disk since this was first asked for: references found before are stale.",
        mime_type=_JSON,
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template="lsp-diagnostics:///{+file_path}",
        name="diagnostics of a file",
        description="Findings of one file, and how far they are proven.",
        mime_type=_JSON,
    ),
    ResourceTemplate(
        uri_template="lsp-hover:///{+file_path}{?line,column}",
        name="hover",
        description="Type and documentation at a place; line and column are 1-based.",
        mime_type=_TEXT,
    ),
    ResourceTemplate(
        uri_template="lsp-completions:///{+file_path}{?line,column}",
        name="completions",
        description="What may be written at a place; line and column are 1-based.",
        mime_type=_JSON,
    ),
    ResourceTemplate(
        uri_template="groundwire://symbol/{+symbol}",
        name="source of a symbol",
        description="The source of a symbol, named as Class.method or file.py::Class.method.",
        mime_type=_TEXT,
    ),
)


class Content(NamedTuple):
    """What is shown, and what tells whether it has become something else."""

    mime_type: str
    text: str
    essence: object


class _Address(NamedTuple):
    kind: str
    path: str
    query: Mapping[str, str]


async def read_resource(pool: Pool, uri: str) -> Content:
    """The resource as it is now. Raises a GroundwireError: FileNotFound when there is none at that address."""
    address = _parse(uri)
    read = _READERS.get(address.kind)
    if read is None:
        known = ", ".join([*(each.uri for each in RESOURCES), *(each.uri_template for each in TEMPLATES)])
        raise FileNotFound(f"there is no resource {uri[:200]}", hint=f"Resources: {known}.")
    return await read(pool, address)


def _parse(uri: str) -> _Address:
    try:
        parts = urlsplit(uri)
        query = dict(parse_qsl(parts.query, keep_blank_values=True, max_num_fields=10))
    except ValueError as problem:
        raise InvalidArgument(f"{uri[:200]} is no address: {problem}") from None
    if parts.scheme == "groundwire":
        return _Address(f"groundwire://{parts.netloc}", _unquoted(parts.path).removeprefix("/"), query)
    return _Address(parts.scheme, _unquoted(parts.netloc + parts.path).removeprefix("/"), query)


def _unquoted(path: str) -> str:
    """Bytes that are no UTF-8 name a file as well as others."""
    return unquote(path, errors="surrogateescape")


async def _diagnostics(pool: Pool, address: _Address) -> Content:
    files = [_file(pool, address)] if address.path else _open_files(pool)
    answer = await check_files(pool, files)
    if not files:
        answer = msgspec.structs.replace(answer, reason="no file is open")
    return Content(_JSON, as_json(render_findings_json(answer)), (answer.status, answer.value))


def _open_files(pool: Pool) -> list[Path]:
    opened = {Path(file) for instance in pool.instances() for file in instance.open_files()}
    return sorted(file for file in opened if file.is_file())


async def _hover(pool: Pool, address: _Address) -> Content:
    return await _at_place(pool, inspect_symbol, address, _TEXT)


async def _completions(pool: Pool, address: _Address) -> Content:
    return await _at_place(pool, get_completions, address, _JSON)


async def _at_place(pool: Pool, operation: AnyOperation, address: _Address, mime_type: str) -> Content:
    place = {name: address.query[name] for name in ("line", "column") if name in address.query}
    arguments = operation.parse({"file_path": str(_file(pool, address)), **place})
    answer = await perform(pool, operation, arguments)
    text = as_text(operation, answer) if mime_type == _TEXT else as_json(render_json(answer))
    return Content(mime_type, text, (answer.status, answer.value))


async def _symbol(pool: Pool, address: _Address) -> Content:
    answer = await perform(pool, get_symbol_source, get_symbol_source.parse({"symbol": address.path}))
    return Content(_TEXT, as_text(get_symbol_source, answer), (answer.status, answer.value))


async def _status(pool: Pool, _: _Address) -> Content:
    servers = pool.status()
    shown = {"workspace": str(pool.workspace), "servers": msgspec.to_builtins(servers)}
    essence = tuple((each.server, each.root, each.state, each.reason, each.indexing) for each in servers)
    return Content(_JSON, as_json(shown), essence)


async def _references(pool: Pool, _: _Address) -> Content:
    changed = ChangedSources.of(pool)
    pool.refresh()
    return Content(_JSON, as_json(changed.shown()), changed.count)


async def _project(pool: Pool, _: _Address) -> Content:
    answer = await perform(pool, project_overview, project_overview.parse({}))
    return Content(_TEXT, as_text(project_overview, answer), (answer.status, answer.value))


def _file(pool: Pool, address: _Address) -> Path:
    """Relative to the workspace, else absolute: an address has no way to tell them apart."""
    inside = pool.workspace / meant_path(address.path, pool.workspace)
    absolute = Path("/") / meant_path(address.path, Path("/"))
    file = absolute if is_there(absolute) and not is_there(inside) else inside
    require_path_inside(file, pool.workspace)
    return file


_READERS: Mapping[str, Callable[[Pool, _Address], Awaitable[Content]]] = {
    "lsp-diagnostics": _diagnostics,
    "lsp-hover": _hover,
    "lsp-completions": _completions,
    "lsp-references": _references,
    "groundwire://symbol": _symbol,
    STATUS: _status,
    PROJECT: _project,
}
