"""What servers tell about the text of a file, as text: hints, tokens, folds, selections, lenses.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterable

from groundwire.operations.answer import Answer, Place
from groundwire.operations.results.decorations import Folds, Hint, Hints, Lens, Lenses, Selections, TokenEntry, Tokens
from groundwire.render.page import Page, Section
from groundwire.render.verdict import found
from groundwire.render.wording import on_one_line, source_line

_MOST_CHARS = 200


def hints_page(answer: Answer[Hints]) -> Page:
    """Each hint with the line that it stands in."""
    hints = answer.value
    head = found(answer, hints.total, "hint", f" in {hints.file}")
    return Page(head, (_section(map(_hint, hints.hints), hints.total, hints.offset),))


def _hint(hint: Hint) -> str:
    kind = f" ({hint.kind})" if hint.kind else ""
    label, text = on_one_line(hint.label, _MOST_CHARS), source_line(hint.text, _MOST_CHARS)
    return f"  {hint.line}:{hint.column}  {label}{kind}  {text}"


def tokens_page(answer: Answer[Tokens]) -> Page:
    """Each word and what it is."""
    tokens = answer.value
    head = found(answer, tokens.total, "token", f" in {tokens.file}")
    return Page(head, (_section(map(_token, tokens.tokens), tokens.total, tokens.offset),))


def _token(token: TokenEntry) -> str:
    modifiers = f" ({', '.join(token.modifiers)})" if token.modifiers else ""
    return f"  {token.line}:{token.column}  {token.type} {source_line(token.text, _MOST_CHARS)}{modifiers}"


def folds_page(answer: Answer[Folds]) -> Page:
    """First and last line of each."""
    folds = answer.value
    lines = (f"  {fold.start_line}-{fold.end_line}  {fold.kind}" for fold in folds.ranges)
    head = found(answer, folds.total, "folding range", f" in {folds.file}")
    return Page(head, (_section(lines, folds.total, folds.offset),))


def selections_page(answer: Answer[Selections]) -> Page:
    """From the smallest to the whole."""
    selections = answer.value
    where = f" in {selections.ranges[0].file}" if selections.ranges else ""
    head = found(answer, selections.total, "enclosing range", where)
    return Page(head, (_section(map(_selection, selections.ranges), selections.total),))


def _selection(place: Place) -> str:
    text = source_line(place.text, _MOST_CHARS)
    return f"  {place.line}:{place.column}-{place.end_line}:{place.end_column}  {text}"


def lenses_page(answer: Answer[Lenses]) -> Page:
    """What is offered, and where."""
    lenses = answer.value
    head = found(answer, lenses.total, "code lens", f" in {lenses.file}")
    return Page(head, (_section(map(_lens, lenses.lenses), lenses.total, lenses.offset),))


def _lens(lens: Lens) -> str:
    command = f" ({lens.command})" if lens.command else ""
    title, text = on_one_line(lens.title, _MOST_CHARS), source_line(lens.text, _MOST_CHARS)
    return f"  {lens.line}:{lens.column}  {title}{command}  {text}"


def _section(lines: Iterable[str], total: int, offset: int = 0) -> Section:
    return Section([(line.rstrip(),) for line in lines], total, offset)
