"""``/openapi.json``: every route, what it takes and answers, generated from ``openapi_table`` and the shapes.

Above: ``status_routes``, ``scripts/generate-openapi``. Below: ``openapi_table``.
"""

from functools import cache
from typing import cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from groundwire.surfaces.http.openapi_table import EVENT_SHAPES, TABLE, Described, Parameter
from groundwire.surfaces.http.shapes import Failure
from groundwire.version import VERSION

Json = dict[str, object]

_REFERENCE = "#/components/schemas/{name}"
_ABOUT = (
    "MCP over Streamable HTTP, conversations, and the live status of workspaces and their language servers. Failures "
    'are `{"error": {"kind", "message", "hint"}}`. Times are seconds, or milliseconds where the name says so; '
    "positions are 1-based characters; files are relative to their workspace."
)


def routes() -> list[BaseRoute]:
    """The one route."""
    return [Route("/openapi.json", _show, methods=["GET"])]


async def _show(_: Request) -> Response:
    """The document."""
    return Response(msgspec.json.encode(document()), media_type="application/json")


@cache
def document() -> Json:
    """OpenAPI 3.1."""
    shapes = list(dict.fromkeys([*EVENT_SHAPES, *(shape for each in TABLE for shape in _shapes_of(each)), Failure]))
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_REFERENCE)
    by_shape = dict(zip(shapes, schemas, strict=True))
    paths: dict[str, Json] = {}
    for each in TABLE:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, by_shape)
    told: Json = {
        "openapi": "3.1.0",
        "info": {"title": "groundwire serve", "version": VERSION, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {**components, "EventData": {"oneOf": [by_shape[shape] for shape in EVENT_SHAPES]}},
        },
    }
    return msgspec.json.decode(msgspec.json.encode(told), type=Json)  # as whoever asks for it reads it


def _shapes_of(each: Described) -> list[type]:
    return [shape for shape in (each.takes, *(answer.shape for answer in each.answers)) if shape is not None]


def _operation(each: Described, by_shape: dict[type, Json]) -> Json:
    operation: Json = {"operationId": each.name, "summary": each.summary, "tags": [each.tag]}
    if each.description:
        operation["description"] = each.description
    if each.is_open:
        operation["security"] = []
    if each.parameters:
        operation["parameters"] = [_parameter(parameter) for parameter in each.parameters]
    if each.takes is not None or each.takes_any:
        schema: Json = by_shape[each.takes] if each.takes is not None else {"type": "object"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    responses: dict[str, Json] = {}
    for answer in each.answers:
        schema = by_shape[answer.shape] if answer.shape is not None else dict(answer.schema)
        response = responses.setdefault(str(answer.status), {"description": answer.words})
        if answer.media_type:
            content = cast("Json", response.setdefault("content", {}))
            content[answer.media_type] = {"schema": schema}
    for status, words in each.failures.items():
        content = {"application/json": {"schema": by_shape[Failure]}}
        known = responses.setdefault(str(status), {"description": words})
        known.setdefault("content", content)
    operation["responses"] = responses
    return operation


def _parameter(parameter: Parameter) -> Json:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.is_required,
        "description": parameter.words,
        "schema": dict(parameter.schema),
    }
