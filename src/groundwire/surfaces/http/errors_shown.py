"""Failures as HTTP shows them: ``{"error": {"kind", "message", "hint"}}`` with a fitting status, never a traceback.

Above: ``guard``, the routes. Below: ``errors``.
"""

import logging
from collections.abc import Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from groundwire.errors import GroundwireError

log = logging.getLogger(__name__)

_STATUS = {
    "DaemonUnavailable": 503,
    "ServerUnavailable": 503,
    "ServerStarting": 503,
    "FileNotFound": 404,
    "NoSuchSymbol": 404,
    "OutsideWorkspace": 403,
    "PermissionDenied": 403,
    "WriteFailed": 507,
    "PhaseViolation": 403,
    "Untrusted": 403,
    "InvalidArgument": 422,
    "RequestTimeout": 504,
    "SessionDead": 502,
    "Wire": 502,
}
_KINDS = {
    400: "InvalidArgument",
    401: "Unauthorized",
    403: "PermissionDenied",
    404: "NotFound",
    405: "MethodNotAllowed",
    408: "RequestTimeout",
    413: "MessageTooLarge",
    421: "WrongHost",
    422: "InvalidArgument",
    429: "TooManyRequests",
    431: "MessageTooLarge",
    503: "Busy",
}


class Refused(Exception):  # noqa: N818  said of a request, as HTTP has it
    """A request that gets no other answer than this. ``kind`` follows from the status unless it is given."""

    def __init__(
        self, status: int, message: str, hint: str = "", *, kind: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.hint = hint
        self.kind = kind or _KINDS.get(status, "Internal")
        self.headers = dict(headers or {})


FAILED = Refused(500, "the service failed", "This is a defect of groundwire; its log has the details.")


def error_body(kind: str, message: str, hint: str = "") -> bytes:
    """The JSON."""
    shown = {"kind": kind, "message": message, "hint": hint}
    return msgspec.json.encode({"error": {name: text for name, text in shown.items() if text}})


def refusal(refused: Refused) -> Response:
    """As an answer."""
    body = error_body(refused.kind, refused.message, refused.hint)
    return Response(body, refused.status, refused.headers, media_type="application/json")


def refused_for(error: GroundwireError) -> Refused:
    """One of our own failures, with the status that fits."""
    status = _STATUS.get(type(error).__name__) or _STATUS.get(error.kind, 500)
    return Refused(status, error.message, error.hint, kind=error.kind)


async def show_error(request: Request, error: Exception) -> Response:
    """For Starlette: whatever a route raised, or Starlette itself because there is no such route."""
    if isinstance(error, GroundwireError):
        return refusal(refused_for(error))
    if isinstance(error, HTTPException):
        message = f"{request.method} {request.url.path[:200]}: {error.detail}"
        hint = "GET /openapi.json tells what there is." if error.status_code in {404, 405} else ""
        return refusal(Refused(error.status_code, message, hint, headers=error.headers))
    return refusal(error if isinstance(error, Refused) else FAILED)
