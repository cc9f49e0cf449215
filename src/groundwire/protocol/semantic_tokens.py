"""Semantic tokens: five numbers each, relative to the token before, read with the legend that the server gave.

Above: ``operations``. Below: ``lsp``.
"""

from collections.abc import Sequence

import msgspec

from groundwire import errors
from groundwire.protocol.lsp import Position, Range, Shape

_NUMBERS_PER_TOKEN = 5


class Legend(Shape, frozen=True):
    """What the numbers stand for."""

    token_types: tuple[str, ...] = ()
    token_modifiers: tuple[str, ...] = ()


class SemanticTokens(Shape, frozen=True):
    data: list[int]
    result_id: str | None = None


class Token(msgspec.Struct, frozen=True):
    """One token, on one line, in units of the negotiated encoding."""

    line: int
    character: int
    length: int
    type: str
    modifiers: tuple[str, ...]


def decode_tokens(data: Sequence[int], legend: Legend, within: Range | None = None) -> list[Token]:
    """The tokens that touch ``within``, or all."""
    if len(data) % _NUMBERS_PER_TOKEN:
        raise errors.Wire(f"semantic tokens: {len(data)} numbers are no whole number of tokens")
    tokens: list[Token] = []
    line = character = 0
    for at in range(0, len(data), _NUMBERS_PER_TOKEN):
        lines_on, characters_on, length, type_number, modifier_bits = data[at : at + _NUMBERS_PER_TOKEN]
        line, character = line + lines_on, characters_on if lines_on else character + characters_on
        if within is None or _touches(within, line, character, length):
            tokens.append(Token(line, character, length, _type(legend, type_number), _modifiers(legend, modifier_bits)))
    return tokens


def _touches(within: Range, line: int, character: int, length: int) -> bool:
    return Position(line, character) < within.end and within.start < Position(line, character + length)


def _type(legend: Legend, number: int) -> str:
    return legend.token_types[number] if 0 <= number < len(legend.token_types) else f"type {number}"


def _modifiers(legend: Legend, bits: int) -> tuple[str, ...]:
    return tuple(name for number, name in enumerate(legend.token_modifiers) if bits >> number & 1)
