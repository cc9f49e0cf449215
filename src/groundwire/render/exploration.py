"""All of a symbol at once, as text.

Above: ``answers``. Below: ``hierarchy``, ``symbols``, ``page``, ``verdict``.
"""

from collections.abc import Iterator

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.hierarchy import Exploration, MissingPart, References
from groundwire.render.hierarchy import calls_section
from groundwire.render.page import Page, Section, prose
from groundwire.render.symbols import source_section, source_title
from groundwire.render.verdict import noted, shown
from groundwire.render.wording import counted

_PARTS = {"text": "type and documentation", "source": "source", "callers": "callers", "references": "uses"}


def exploration_page(answer: Answer[Exploration]) -> Page:
    """What it is, its source, who calls it, where it is used; what could not be had is said at the end."""
    explored = answer.value
    title = source_title(explored.source) if explored.source else "Symbol"
    is_used = explored.references is not None and explored.references.total > 0
    return Page(_head(answer, title), tuple(_sections(explored)), is_open=is_used)


def _head(answer: Answer[Exploration], title: str) -> str:
    unproven = [part.part for part in answer.value.missing if part.status is not Status.CONFIRMED]
    if answer.status is Status.CONFIRMED or not unproven:
        return shown(answer, title)
    # Why is said where each of them would be: here it would be the same again.
    return f"{title}; not proven: {', '.join(_PARTS.get(part, part) for part in unproven)}{noted(answer)}"


def _sections(explored: Exploration) -> Iterator[Section]:
    partial = {part.part for part in explored.missing}
    if explored.text:
        yield prose(explored.text.strip("\n"))
    if explored.source:
        yield source_section(explored.source, "Source:")
    if explored.references:
        yield prose(_uses(explored.references, is_all="references" not in partial))
    if explored.callers:
        if explored.callers.total:
            at_least = "At least " if "callers" in partial else ""
            yield calls_section(explored.callers, "caller", f"{at_least}{counted(explored.callers.total, 'caller')}:")
        elif "callers" not in partial:
            yield prose("No callers.")
    if explored.missing:
        yield prose("\n".join(map(_missing, explored.missing)))


def _uses(references: References, *, is_all: bool) -> str:
    if not references.total:
        return "Not used anywhere." if is_all else "No uses found so far."
    files = ", ".join(f"{each.file} {each.count:,}" for each in references.top_files)
    others = references.files - len(references.top_files)
    more = f" and {counted(others, 'more file')}" if others > 0 else ""
    used = f"sed {counted(references.total, 'time')} in {counted(references.files, 'file')}: {files}{more}"
    return f"U{used}" if is_all else f"At least u{used}"


def _missing(part: MissingPart) -> str:
    name = _PARTS.get(part.part, part.part).capitalize()
    if part.status is Status.CONFIRMED:
        return f"{name}: {part.reason}"
    return f"{name}: {'may not be all' if part.status is Status.PARTIAL else 'not known'}: {part.reason}"
