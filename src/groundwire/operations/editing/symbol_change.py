"""What an edit of a symbol does to its text, and the check that what is put in cannot break what is round it.

Pure. Above: ``symbol_edits``. Below: ``masked_text``.
"""

from typing import NamedTuple

from groundwire.errors import InvalidArgument
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntax import Syntax

USE_TEXT = "Use apply_edit with the text itself."


class Piece(NamedTuple):
    """Text between two offsets, and what comes in its place."""

    start: int
    end: int
    text: str


class SymbolChange(NamedTuple):
    """Pieces that do not overlap, and what the reader should know."""

    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()

    def applied_to(self, text: str) -> str:
        """The text afterwards."""
        for piece in sorted(self.pieces, key=lambda each: each[:2])[::-1]:
            text = f"{text[: piece.start]}{piece.text}{text[piece.end :]}"
        return text


def require_balanced(given: str, syntax: Syntax, what: str) -> None:
    """Raise InvalidArgument for code with a bracket too many or too few: it would take in what follows it."""
    if not Masked(given, syntax).is_balanced:
        raise InvalidArgument(
            f"the brackets of {what} do not match, so nothing was changed",
            hint=f"Give it whole. If they do match, {USE_TEXT[0].lower()}{USE_TEXT[1:]}",
        )
