"""The status page: its files hold no data, so everybody gets them; what they show is asked for with the token.

Above: ``app``. Below: ``settings``, ``page/``.
"""

from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from groundwire.surfaces.http.settings import ServeSettings

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "Cross-Origin-Opener-Policy": "same-origin"}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
_INDEX = "index.html"
_ASKS_FOR_TOKEN = b'data-access="token"'
_ASKS_FOR_NOTHING = b'data-access="open"'


def routes(settings: ServeSettings) -> list[BaseRoute]:
    """``/`` and what it loads, from below ``/page/``."""
    contents = _contents(settings.is_open)
    return [
        Route(
            path,
            _serving(contents[name], _type_of(name)),
            methods=["GET"],
            name=f"page {name}",
            include_in_schema=False,
        )
        for path, name in _paths(contents).items()
    ]


def is_page(path: str) -> bool:
    """Whether a GET of this path needs no token because it is a file of the page."""
    return path in _PATHS


def _paths(names: Mapping[str, bytes]) -> dict[str, str]:
    return {"/" if name == _INDEX else f"/page/{name}": name for name in names}


def _contents(is_open: bool) -> dict[str, bytes]:
    """Every file, read once. The page is told in it whether a token is asked for: it need not try."""
    folder = files("groundwire.surfaces.http") / "page"
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if _type_of(each.name)}
    if is_open:
        contents[_INDEX] = contents[_INDEX].replace(_ASKS_FOR_TOKEN, _ASKS_FOR_NOTHING)
    return contents


def _type_of(name: str) -> str:
    """Nothing for what is no file of the page."""
    return next((kind for suffix, kind in _TYPES.items() if name.endswith(suffix)), "")


def _serving(content: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    async def serve(_: Request) -> Response:
        return Response(content, headers=_HEADERS, media_type=media_type)

    return serve


_PATHS = frozenset(_paths(_contents(is_open=False)))
