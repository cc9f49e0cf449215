"""Every route of the service in words: what it is for, what it takes, what it answers and how it fails.

A test holds it against the routes there are. Above: ``openapi``. Below: the shapes of the routes.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from groundwire.daemon.watch_messages import (
    CallEnded,
    DaemonChanged,
    EditMade,
    FindingsChanged,
    Lagging,
    ServersChanged,
    Snapshot,
)
from groundwire.surfaces.http.actions import LONGEST_QUERY, MOST_SYMBOLS
from groundwire.surfaces.http.conversation_routes import CwdShown, CwdWanted, LspShown
from groundwire.surfaces.http.shapes import (
    FoundSymbols,
    Health,
    RestartShown,
    ServerChoice,
    ServiceStatus,
    StopShown,
    WorkspaceStopped,
)

Schema = Mapping[str, object]
EVENT_SHAPES: tuple[type, ...] = (
    Snapshot,
    DaemonChanged,
    ServersChanged,
    FindingsChanged,
    CallEnded,
    EditMade,
    Lagging,
    WorkspaceStopped,
)
"""What ``data`` of an event holds; ``workspace`` is added to each."""

_JSON = "application/json"
_STREAM = "text/event-stream"
_TEXT: Schema = {"type": "string"}
_ANY: Schema = {"type": "object"}


class Parameter(NamedTuple):
    """One of the address, or a header."""

    name: str
    place: Literal["query", "path", "header"]
    words: str
    schema: Schema = _TEXT
    is_required: bool = False


class Answer(NamedTuple):
    """``shape`` is that of the JSON; without a ``media_type`` there is no body."""

    status: int
    words: str
    shape: type | None = None
    media_type: str = _JSON
    schema: Schema = _ANY


class Described(NamedTuple):
    """One route. ``is_open``: it needs no token. ``takes_any``: a body that others describe."""

    method: str
    path: str
    name: str
    tag: str
    summary: str
    answers: tuple[Answer, ...]
    failures: Mapping[int, str] = {}
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    takes: type | None = None
    takes_any: bool = False
    is_open: bool = False


_EVERYWHERE: Mapping[int, str] = {
    400: "A header twice, or a body that is cut off or not JSON.",
    403: "A page of another site asked (Origin).",
    421: "A Host that the service does not answer to.",
    503: "The service is ending, or has more to do than it takes.",
}
_AUTHENTICATED: Mapping[int, str] = {
    **_EVERYWHERE,
    401: "No token, a wrong one, or one in the address.",
    429: "Too many wrong tokens from this address; `Retry-After` says for how long.",
}
_BODY: Mapping[int, str] = {
    408: "The body came too slowly.",
    413: "The body is larger than 4 MiB.",
    415: "The body is not application/json.",
    422: "The body, or what it names, does not fit.",
}
_DAEMON: Mapping[int, str] = {
    404: "There is no such workspace; `/status` tells which there are.",
    409: "No background process runs for this workspace.",
    502: "The language server ended while it was asked.",
    504: "The language server did not answer in time.",
}
_WORKSPACE = Parameter("workspace", "query", "The root of a workspace, as `/status` has it.", {"type": "string"})
_ID_SCHEMA: Schema = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-.0-~]+$"}
_ID = Parameter("id", "path", "1 to 200 visible ASCII characters, no slash.", _ID_SCHEMA, is_required=True)
_CONVERSATION_FAILURES: Mapping[int, str] = {
    **_AUTHENTICATED,
    409: "The directory is gone since, or no longer allowed; PUT another.",
    422: "The id does not fit.",
}
_SESSION = Parameter("Mcp-Session-Id", "header", "Of a stateful session, from its `initialize`.")
_NAMED = Parameter("Groundwire-Conversation", "header", "The conversation in whose directory to work.", _ID_SCHEMA)
_MCP_FAILURES: Mapping[int, str] = {
    **_AUTHENTICATED,
    404: "The session is not known (any more): `initialize` again.",
    405: "Not in this mode.",
    406: "`Accept` allows none of the forms of an answer.",
}
_EVENTS = (
    "Begins with one event per workspace: `snapshot` with everything, or `stopped` where no daemon runs. Then "
    "`servers`, `findings` (only the files that changed; of one without findings nothing wrong is known any more), "
    "`call`, `edit`, `daemon`, `stopped`, and `lagging` when the client read too slowly: snapshots follow. `data` is "
    "JSON as in `EventData`, with `workspace` added. A comment every 15 s keeps it open. There is no replay: a new "
    "connection begins anew."
)

TABLE: tuple[Described, ...] = (
    Described(
        "GET",
        "/health",
        "health",
        "service",
        "Whether the service lives",
        (Answer(200, "It does.", Health),),
        _EVERYWHERE,
        is_open=True,
    ),
    Described(
        "GET",
        "/ready",
        "ready",
        "service",
        "Whether the service takes requests",
        (Answer(200, "It does.", Health), Answer(503, "It is ending, or a root is not there.", Health)),
        {status: words for status, words in _EVERYWHERE.items() if status != 503},
        is_open=True,
    ),
    Described(
        "GET",
        "/status",
        "status",
        "status",
        "Everything at this moment",
        (Answer(200, "The service and every workspace.", ServiceStatus),),
        _AUTHENTICATED,
    ),
    Described(
        "GET",
        "/events",
        "events",
        "status",
        "Everything that happens, live",
        (Answer(200, "Server-sent events, without end.", media_type=_STREAM, schema=_TEXT),),
        {**_AUTHENTICATED, 404: _DAEMON[404]},
        _EVENTS,
        (_WORKSPACE,),
    ),
    Described(
        "GET",
        "/metrics",
        "metrics",
        "status",
        "Metrics for Prometheus",
        (
            Answer(200, "In the form that `Accept` likes best.", media_type="text/plain", schema=_TEXT),
            Answer(200, "", media_type="application/openmetrics-text", schema=_TEXT),
        ),
        _AUTHENTICATED,
    ),
    Described(
        "GET",
        "/symbols",
        "symbols",
        "status",
        "Symbols of a workspace by name, the best first",
        (Answer(200, f"At most {MOST_SYMBOLS}, and how far that is proven.", FoundSymbols),),
        {**_AUTHENTICATED, **_DAEMON, 422: "`q` does not fit."},
        parameters=(
            _WORKSPACE._replace(is_required=True),
            Parameter(
                "q",
                "query",
                "A name or a part of it.",
                {"type": "string", "minLength": 1, "maxLength": LONGEST_QUERY},
                is_required=True,
            ),
        ),
    ),
    Described(
        "POST",
        "/servers/restart",
        "restart_server",
        "servers",
        "Restart a language server, its failures forgiven",
        (Answer(200, "What became of it.", RestartShown),),
        {**_AUTHENTICATED, **_BODY, **_DAEMON, 403: "No token was given: this needs one, even on an open service."},
        takes=ServerChoice,
    ),
    Described(
        "POST",
        "/servers/stop",
        "stop_server",
        "servers",
        "Stop a language server until it is needed again",
        (Answer(200, "It has ended.", StopShown),),
        {**_AUTHENTICATED, **_BODY, **_DAEMON, 403: "No token was given: this needs one, even on an open service."},
        takes=ServerChoice,
    ),
    Described(
        "GET",
        "/conversations/{id}/cwd",
        "get_cwd",
        "conversations",
        "Where a conversation works",
        (Answer(200, "There.", CwdShown),),
        _CONVERSATION_FAILURES,
        parameters=(_ID,),
    ),
    Described(
        "PUT",
        "/conversations/{id}/cwd",
        "put_cwd",
        "conversations",
        "Say where a conversation works",
        (Answer(200, "There, from now on, through restarts too.", CwdShown),),
        {**_CONVERSATION_FAILURES, **_BODY, 403: "The directory is not at or below a root of the service."},
        parameters=(_ID,),
        takes=CwdWanted,
    ),
    Described(
        "GET",
        "/conversations/{id}/lsp",
        "get_lsp",
        "conversations",
        "The language servers where a conversation works",
        (Answer(200, "Them.", LspShown),),
        _CONVERSATION_FAILURES,
        parameters=(_ID,),
    ),
    Described(
        "DELETE",
        "/conversations/{id}",
        "forget_conversation",
        "conversations",
        "Forget where a conversation works",
        (Answer(204, "Done.", media_type=""),),
        {**_CONVERSATION_FAILURES, 404: "Nothing is known of it."},
        parameters=(_ID,),
    ),
    Described(
        "POST",
        "/mcp",
        "mcp_post",
        "mcp",
        "One message of MCP (Streamable HTTP)",
        (
            Answer(200, "The answer, or a stream that ends with it."),
            Answer(200, "", media_type=_STREAM, schema=_TEXT),
            Answer(202, "A notification or an answer was taken.", media_type=""),
        ),
        {**_MCP_FAILURES, **_BODY},
        "As the MCP specification has it; `/` takes the same.",
        (_SESSION, _NAMED),
        takes_any=True,
    ),
    Described(
        "GET",
        "/mcp",
        "mcp_get",
        "mcp",
        "What the server says unasked, of one session",
        (Answer(200, "Server-sent events.", media_type=_STREAM, schema=_TEXT),),
        {**_MCP_FAILURES, 409: "Somebody reads this stream already."},
        parameters=(_SESSION,),
    ),
    Described(
        "DELETE",
        "/mcp",
        "mcp_delete",
        "mcp",
        "End a session",
        (Answer(200, "It has ended.", media_type=""), Answer(204, "It has ended.", media_type="")),
        _MCP_FAILURES,
        parameters=(_SESSION,),
    ),
    Described(
        "GET",
        "/openapi.json",
        "openapi",
        "service",
        "This document",
        (Answer(200, "OpenAPI 3.1."),),
        _AUTHENTICATED,
    ),
)
