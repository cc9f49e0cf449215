"""What is known at one place as text: hover, signatures, completions, highlights.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterator

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.found import Completion, Completions, Highlights, HoverText, Signature, Signatures
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import found, noted, reason, shown
from groundwire.render.wording import documentation_line, known_by, on_one_line, source_line

_MOST_CHARS = 200
_MOST_DOCUMENTATION = 500


def hover_page(answer: Answer[HoverText]) -> Page:
    """The server's own words."""
    text = answer.value.text.strip("\n")
    if not text:
        return Page(_nothing(answer))
    return Page(shown(answer, "Type and documentation"), (prose(text),))


def _nothing(answer: Answer[HoverText]) -> str:
    if answer.status is Status.CONFIRMED:
        return f"No type and no documentation here ({known_by(answer.servers)}){noted(answer)}"
    return f"Type and documentation: not known: {reason(answer)}{noted(answer)}"


def signatures_page(answer: Answer[Signatures]) -> Page:
    """The overloads, each with the parameter that is being written."""
    signatures = answer.value.signatures
    blocks = [tuple(_signature(signature, is_alone=len(signatures) == 1)) for signature in signatures]
    return Page(found(answer, len(signatures), "signature"), (Section(blocks, len(blocks)),))


def _signature(signature: Signature, *, is_alone: bool) -> Iterator[str]:
    fits_best = "  fits best" if signature.active and not is_alone else ""
    yield f"  {on_one_line(signature.label, _MOST_DOCUMENTATION)}{fits_best}"
    for parameter in signature.parameters:
        if parameter.active:
            about = documentation_line(parameter.documentation, _MOST_DOCUMENTATION)
            yield f"    being written: {parameter.label}  {about}".rstrip()
    if signature.documentation:
        yield f"    {documentation_line(signature.documentation, _MOST_DOCUMENTATION)}"


def completions_page(answer: Answer[Completions]) -> Page:
    """What may be written, in the server's order."""
    completions = answer.value
    blocks = [tuple(_completion(each)) for each in completions.completions]
    section = Section(blocks, completions.total, completions.offset)
    return Page(found(answer, completions.total, "completion"), (section,))


def _completion(completion: Completion) -> Iterator[str]:
    inserted = on_one_line(completion.insert_text, _MOST_CHARS)
    parts = [
        f"  {completion.label}",
        completion.kind,
        on_one_line(completion.detail, _MOST_CHARS),
        f"inserts {inserted}" if inserted else "",
        "deprecated" if completion.deprecated else "",
    ]
    yield "  ".join(filter(None, parts))
    if completion.documentation:
        yield f"    {documentation_line(completion.documentation, _MOST_DOCUMENTATION)}"


def highlights_page(answer: Answer[Highlights]) -> Page:
    """Where it is read and where it is written."""
    highlights = answer.value
    blocks: list[Block] = [
        (f"  {each.line}:{each.column}  {each.kind:<5}  {source_line(each.text, _MOST_CHARS)}".rstrip(),)
        for each in highlights.highlights
    ]
    head = found(answer, highlights.total, "place", f" in {highlights.file}")
    return Page(head, (Section(blocks, highlights.total, highlights.offset),))
