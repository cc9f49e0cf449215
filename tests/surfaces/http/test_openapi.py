"""The OpenAPI document: valid, complete, up to date, and true of what the service answers."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import jsonschema
import schemathesis
from starlette.routing import Route

from groundwire.surfaces.http import status_routes
from groundwire.surfaces.http.conversation_routes import ConversationRoutes, Running
from groundwire.surfaces.http.openapi import document
from groundwire.surfaces.http.openapi_table import EVENT_SHAPES
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.http.status_routes import Service
from groundwire.surfaces.http.workspaces import Workspaces
from tests.daemon.homes import Home, within
from tests.surfaces.http.front import Front

_REPOSITORY = Path(__file__).parents[3]


def _document() -> Any:
    return document()


def test_the_document_is_valid_openapi_3_1() -> None:
    schema = schemathesis.openapi.from_dict(_document())
    schema.validate()
    assert schema.specification.version.startswith("3.1")


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(document())
    names = set(_document()["components"]["schemas"])
    used = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used <= names


def test_every_route_is_described_and_nothing_else(tmp_path: Path) -> None:
    settings = ServeSettings(roots=(tmp_path,), token="0123456789abcdef")
    told = status_routes.routes(Service(settings, Workspaces({})))
    # None of what they need is used: only their paths are looked at.
    nothing = cast("Any", None)
    told += ConversationRoutes(nothing, nothing, lambda _: Running(), lambda _: None).routes()
    there = {
        (method, route.path)
        for route in told
        if isinstance(route, Route)
        for method in route.methods or set[str]()
        if method != "HEAD"
    }
    described = {(method.upper(), path) for path, methods in _document()["paths"].items() for method in methods}
    assert described == there | {("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp")}


def test_every_operation_says_how_it_fails() -> None:
    for path, methods in _document()["paths"].items():
        for method, operation in methods.items():
            failures = [status for status in operation["responses"] if status[0] in "45"]
            assert failures, (method, path)
            assert ("401" in failures) == ("security" not in operation), (method, path)


def test_every_kind_of_event_is_described() -> None:
    kinds = {cast("Any", shape).__struct_config__.tag for shape in EVENT_SHAPES}
    assert kinds == {"snapshot", "daemon", "servers", "findings", "call", "edit", "lagging", "stopped"}
    assert len(_document()["components"]["schemas"]["EventData"]["oneOf"]) == len(kinds)


def test_the_document_that_is_kept_is_that_of_the_code() -> None:
    script = _REPOSITORY / "scripts/generate-openapi"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_answered_is_as_it_is_described(front: Front, home: Home) -> None:
    home.start()
    (home.root / "animals.toy").write_text("wrong\n", "utf-8")
    home.check("animals.toy")
    assert within(lambda: front.get("/status").json()["workspaces"][0]["snapshot"])
    with front.client() as client:
        assert client.get("/openapi.json").json() == document()
        workspace = str(home.root)
        choice = {"workspace": workspace, "server": "well_read"}
        for path, answer in (
            ("/status", client.get("/status")),
            ("/health", client.get("/health")),
            ("/ready", client.get("/ready")),
            ("/symbols", client.get("/symbols", params={"workspace": workspace, "q": "bark"})),
            ("/symbols", client.get("/symbols", params={"workspace": workspace})),
            ("/servers/restart", client.post("/servers/restart", json=choice)),
            ("/servers/stop", client.post("/servers/stop", json=choice)),
            ("/conversations/{id}/cwd", client.put("/conversations/a/cwd", json={"cwd": workspace})),
            ("/conversations/{id}/cwd", client.get("/conversations/a/cwd")),
            ("/conversations/{id}/lsp", client.get("/conversations/a/lsp")),
        ):
            _check(answer.request.method.lower(), path, answer.status_code, answer.json())


def _check(method: str, path: str, status: int, answer: object) -> None:
    described: Mapping[str, Any] = _document()["paths"][path][method]["responses"][str(status)]
    schema = described["content"]["application/json"]["schema"]
    whole = {**schema, "components": _document()["components"]}
    validator: Any = jsonschema.Draft202012Validator(whole)  # whose types are not all known
    validator.validate(answer)
