"""Answers of operations that extensions add, as text: by their own renderers, else by the names of their fields.

Above: ``answers``. Below: ``page``, ``verdict``, ``extensions``.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import NamedTuple, cast

import msgspec

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.extensions.boundary import foreign_code
from groundwire.extensions.loading import offerings
from groundwire.operations.answer import Answer
from groundwire.operations.operation import Result
from groundwire.render.page import Page, prose
from groundwire.render.verdict import shown

log = logging.getLogger(__name__)


class _Renderer(NamedTuple):
    extension: str
    render: Callable[..., object]


def extension_page(operation: str, answer: Answer[Result], built_in: Collection[type[Result]]) -> Page:
    """The page; where the extension has none, or its renderer fails, the fields of the result."""
    renderer = extension_renderers(frozenset(built_in)).get(type(answer.value))
    if renderer is None:
        return plain_page(operation, answer)
    try:
        with foreign_code():
            page = renderer.render(answer)
    except (GroundwireError, TimeoutError):  # what was found is shown all the same
        log.exception("the extension %s could not render %s", renderer.extension, operation)
        return plain_page(operation, answer)
    return page if isinstance(page, Page) else plain_page(operation, answer)


def plain_page(operation: str, answer: Answer[Result]) -> Page:
    """Everything, as it would be in JSON."""
    fields = cast("Mapping[str, object]", msgspec.to_builtins(answer.value))
    lines = [f"{name}: {_written(value)}" for name, value in fields.items()]
    return Page(shown(answer, operation), (prose("\n".join(lines)),) if lines else ())


def _written(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


@cache
def extension_renderers(built_in: frozenset[type[Result]]) -> Mapping[type, _Renderer]:
    """By type of result. That of a type which is ours, or another extension's, is left out, and noted."""
    found: dict[type, _Renderer] = {}
    for extension, offering in offerings():
        for shape, render in offering.renderers.items():
            with extension.offers("renderer", getattr(shape, "__name__", str(shape))):
                if not _is_result(shape) or not callable(cast("object", render)):
                    raise InvalidArgument("it is not a function for a type of Result")
                if shape in built_in or shape in found:
                    raise InvalidArgument("there is one for this type already")
                found[shape] = _Renderer(extension.name, render)
    return found


def _is_result(shape: object) -> bool:
    return isinstance(shape, type) and issubclass(shape, Result)
