"""JSON whose shape is not known in full: what is expected of it, or nothing.

Messages are handed on with all that is in them, also what only the client and the server understand; so they are not
decoded into structs. Above: the rest of ``surfaces.lsp``. Below: nothing.
"""

from collections.abc import Iterable
from typing import cast

import msgspec

from groundwire.errors import ServerError
from groundwire.protocol.jsonrpc import INVALID_PARAMS

Members = dict[str, object]


def members(value: object) -> Members:
    """The members of an object; of anything else, none."""
    return cast("Members", value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The items of a list; of anything else, none."""
    return cast("list[object]", value) if isinstance(value, list) else []


def is_list(value: object) -> bool:
    """Whether it is a list, of whatever."""
    return isinstance(value, list)


def text_in(value: object, *names: str) -> str:
    """The text that the names lead to, one inside the other; empty when there is none."""
    found = inside(value, *names)
    return found if isinstance(found, str) else ""


def inside(value: object, *names: str) -> object:
    """What the names lead to, one inside the other; None when that is nothing."""
    for name in names:
        value = members(value).get(name)
    return value


def read_params(params: bytes) -> Members:
    """The parameters of a message. Raises ServerError for what is no object."""
    try:
        found: object = msgspec.json.decode(params) if params else None
    except msgspec.DecodeError as problem:
        raise ServerError(INVALID_PARAMS, f"the parameters are no JSON: {problem}") from None
    return members(found)


def is_nothing(value: object) -> bool:
    """Whether an answer says that there is nothing."""
    if "items" in members(value):
        return not items(members(value)["items"])
    return value is None or value == [] or value == {}


def copied(value: object, changes: Iterable[tuple[str, object]]) -> Members:
    """An object with some members changed; it may have been handed out to others."""
    return {**members(value), **dict(changes)}
