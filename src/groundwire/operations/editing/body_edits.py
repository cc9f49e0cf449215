"""Another body for a symbol: its signature, decorators and comments stay as they are.

Pure. Above: ``symbol_edits``. Below: ``symbol_body``, ``definitions``, ``new_code``.
"""

import re

from groundwire.errors import InvalidArgument
from groundwire.operations.editing.definitions import is_whole_definition
from groundwire.operations.editing.symbol_body import Body, find_body
from groundwire.operations.editing.symbol_change import Piece, SymbolChange, require_balanced
from groundwire.operations.editing.symbol_spans import Located, skip_attributes
from groundwire.operations.text.masked_text import BLANK, COMMENT, Masked
from groundwire.operations.text.new_code import cleaned, indentation_unit, indented

_WHOLE = "new_body held the whole definition, so the signature was replaced too"
_COMPOUND = re.compile(r"(?:if|for|while|with|try|def|class|async|match)\b|@")
_STATEMENTS = re.compile(r"(?:return|const|let|var|val|if|for|while|throw|try|switch|function|do)\b")


def replace_body(located: Located, new_body: str) -> SymbolChange:
    """Raises InvalidArgument for a symbol without a body."""
    syntax = located.masked.syntax
    given = cleaned(new_body)
    require_balanced(given, syntax, "new_body")
    masked = Masked(given, syntax)
    if is_whole_definition(masked, located):
        return SymbolChange((_whole(located, masked),), (_WHOLE,))
    body = find_body(located)
    if body is None:
        raise InvalidArgument(
            f"{located.symbol.kind_name} {located.symbol.dotted} has no body here that could be replaced",
            hint="Name what has one (name[2] for the second of that name), or use apply_edit with the text itself.",
        )
    return SymbolChange((_Replacing(located, body).piece(given),))


def _whole(located: Located, given: Masked) -> Piece:
    """The definition for the definition. What stands above it stays unless the new one brings its own."""
    masked, span = located.masked, located.span
    brings_own = skip_attributes(given, 0, len(given.code)) > len(given.text) - len(given.text.lstrip())
    start = masked.line_start(span.top) if brings_own else span.first
    ends_statement = given.code.rstrip(BLANK).endswith(";")
    unit = indentation_unit(masked.text, masked.syntax)
    code = indented(given.text, located.indentation, unit, masked.syntax)
    end = span.closed if ends_statement else span.end
    return Piece(start, end, code if brings_own else code.lstrip(" \t"))


class _Replacing:
    """One body for another."""

    def __init__(self, located: Located, body: Body) -> None:
        self._located = located
        self._masked = located.masked
        self._syntax = located.masked.syntax
        self._body = body

    def piece(self, given: str) -> Piece:
        """What is put where."""
        match self._body.form:
            case "braces":
                return self._braces(self._unwrapped(given))
            case "expression":
                return self._expression(given)
            case "block":
                return Piece(self._body.start, self._body.end, f"\n{self._inner(given or 'pass')}")
            case "line":
                return self._line(given or "pass")
            case "end":
                return self._before_end(given)

    def _unwrapped(self, given: str) -> str:
        """Without the braces it may have been given with."""
        masked = Masked(given, self._syntax)
        start, end = masked.skip_blank(0, len(given)), masked.skip_blank_back(len(given), 0)
        if given[start : start + 1] != "{" or masked.partner(start) != end - 1 or masked.code[start] != "{":
            return given
        inside = given[start + 1 : end - 1]
        return cleaned(inside if not inside.partition("\n")[0].strip() else inside.lstrip())

    def _braces(self, given: str) -> Piece:
        masked, (_, start, end, _) = self._masked, self._body
        start = self._behind_comment(start, end)
        old = masked.text[start:end]
        is_on_one_line = "\n" not in old and start == self._body.start
        if is_on_one_line and self._fits_on_line(given):
            space = " " if given and (old[:1].isspace() or not old) else ""
            return Piece(start, end, f"{space}{given.strip()}{space}")
        return Piece(start, end, f"\n{self._inner(given)}\n{self._base}" if given else f"\n{self._base}")

    def _behind_comment(self, start: int, end: int) -> int:
        """A comment behind the opening brace, on the line of the signature, stays with it."""
        line_end = min(self._masked.line_end(start), end)
        rest = self._masked.code[start:line_end]
        is_comment = bool(rest.strip(" \t")) and not rest.strip(BLANK)
        return line_end if is_comment and line_end < end else start

    def _expression(self, given: str) -> Piece:
        """An expression for an expression; statements make it a block."""
        syntax, (_, start, end, mark) = self._syntax, self._body
        block = self._unwrapped(given)
        is_block = block != given
        if is_block and self._masked.code[start] == "(" and not self._is_statements(block):
            return Piece(start, end, f"({given.strip()})")  # an object, as it was before
        if syntax.block == "end" or not (is_block or self._is_statements(given)):
            return Piece(start, end, self._moved(given.rstrip("; \n"), start))
        text = f"{{\n{self._inner(block)}\n{self._base}}}"
        if syntax.expression and not syntax.keeps_expression_mark:
            return Piece(mark, self._located.span.closed, text)
        return Piece(start, end, text)

    def _is_statements(self, given: str) -> bool:
        masked = Masked(given, self._syntax)
        code = masked.code.strip(f"{BLANK};")
        return bool(_STATEMENTS.match(code)) or any(
            masked.round(at) < 0 and at < len(masked.code.rstrip(f"{BLANK};"))
            for at in (found.start() for found in re.finditer(";", masked.code))
        )

    def _moved(self, given: str, start: int) -> str:
        """An expression over several lines goes on below the line it begins in."""
        return indented(given, self._masked.indentation(start), self._unit, self._syntax).lstrip(" \t")

    def _line(self, given: str) -> Piece:
        start, end = self._body.start, self._body.end
        if self._fits_on_line(given) and not _COMPOUND.match(given.lstrip()):
            return Piece(start, end, f" {given.strip()}")
        # What stands behind on the line, a comment for it, stays behind the signature.
        line_end = self._masked.line_end(end)
        comment = self._masked.text[end:line_end]
        return Piece(start, line_end, f"{comment}\n{self._inner(given)}")

    def _before_end(self, given: str) -> Piece:
        start, end = self._body.start, self._body.end
        if "\n" not in self._masked.text[start:end] and self._fits_on_line(given):
            return Piece(start, end, f" {given.strip()} ")
        return Piece(start, end, f"\n{self._inner(given)}\n{self._base}" if given else f"\n{self._base}")

    def _fits_on_line(self, given: str) -> bool:
        """Whether it can stand before what follows on the same line."""
        return "\n" not in given and not Masked(given, self._syntax).code.endswith(COMMENT)

    def _inner(self, given: str) -> str:
        return indented(given, self._base + self._step, self._step, self._syntax)

    @property
    def _unit(self) -> str:
        return indentation_unit(self._masked.text, self._syntax)

    @property
    def _step(self) -> str:
        """What the old body was indented by, where it shows that."""
        masked, (_, start, end, _) = self._masked, self._body
        line = masked.code.find("\n", start, end)
        at = masked.skip_blank(line + 1, end) if line >= 0 else end
        own = masked.indentation(at) if at < end else ""
        return own[len(self._base) :] if own.startswith(self._base) and len(own) > len(self._base) else self._unit

    @property
    def _base(self) -> str:
        """The indentation of what closes the body, where that begins its line; else of the signature."""
        masked, end = self._masked, self._body.end
        if self._body.form in ("braces", "end") and not masked.text[masked.line_start(end) : end].strip():
            return masked.text[masked.line_start(end) : end]
        return self._located.indentation
