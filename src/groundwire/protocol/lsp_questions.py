"""Answers to questions about a place or a file, each read once into one form: completions, signatures, highlights,
inlay hints, folding and selection ranges, code lenses, and the two hierarchies.

Above: ``client``, ``operations``. Below: ``lsp``, ``lsp_answers``.
"""

from typing import cast

import msgspec
from msgspec import Raw

from groundwire.protocol.lsp import MarkupContent, Position, Range, Shape, decode
from groundwire.protocol.lsp_edits import TextEdit


class Command(Shape, frozen=True):
    title: str
    command: str = ""
    arguments: Raw = Raw()


class CompletionLabelDetails(Shape, frozen=True):
    detail: str | None = None
    description: str | None = None


class CompletionItem(Shape, frozen=True):
    label: str
    kind: int | None = None
    detail: str | None = None
    label_details: CompletionLabelDetails | None = None
    documentation: str | MarkupContent | None = None
    sort_text: str | None = None
    filter_text: str | None = None
    insert_text: str | None = None
    preselect: bool | None = None
    deprecated: bool | None = None
    tags: tuple[int, ...] | None = None
    additional_text_edits: list[TextEdit] | None = None
    data: Raw = Raw()

    @property
    def order(self) -> tuple[bool, str]:
        """As the server wants them shown."""
        return not self.preselect, self.sort_text or self.label


class CompletionItemDefaults(Shape, frozen=True):
    data: Raw = Raw()


class CompletionList(Shape, frozen=True):
    is_incomplete: bool
    items: list[CompletionItem]
    item_defaults: CompletionItemDefaults | None = None


def decode_completions(raw: bytes) -> CompletionList:
    """A list, a list with its state, or null."""
    shape = cast("type[CompletionList | list[CompletionItem] | None]", CompletionList | list[CompletionItem] | None)
    found = decode(raw, shape, "textDocument/completion")
    if isinstance(found, CompletionList):
        common = found.item_defaults.data if found.item_defaults else Raw()
        if not bytes(common):
            return found
        items = [item if bytes(item.data) else msgspec.structs.replace(item, data=common) for item in found.items]
        return CompletionList(found.is_incomplete, items)
    return CompletionList(is_incomplete=False, items=found or [])


class ParameterInformation(Shape, frozen=True):
    label: str | tuple[int, int]
    documentation: str | MarkupContent | None = None


class SignatureInformation(Shape, frozen=True):
    label: str
    documentation: str | MarkupContent | None = None
    parameters: list[ParameterInformation] | None = None
    active_parameter: int | None = None


class SignatureHelp(Shape, frozen=True):
    """An active signature or parameter that is missing or out of range means the first."""

    signatures: list[SignatureInformation]
    active_signature: int | None = None
    active_parameter: int | None = None


class DocumentHighlight(Shape, frozen=True):
    """``kind``: 1 text, 2 read, 3 write."""

    range: Range
    kind: int = 1


class InlayHintLabelPart(Shape, frozen=True):
    value: str


class InlayHint(Shape, frozen=True):
    """``kind``: 1 type, 2 parameter."""

    position: Position
    label: str | list[InlayHintLabelPart]
    kind: int | None = None
    padding_left: bool | None = None
    padding_right: bool | None = None

    @property
    def text(self) -> str:
        """The label in one piece."""
        return self.label if isinstance(self.label, str) else "".join(part.value for part in self.label)


class FoldingRange(Shape, frozen=True):
    start_line: int
    end_line: int
    kind: str | None = None


class SelectionRange(Shape, frozen=True):
    range: Range
    parent: "SelectionRange | None" = None

    def ranges(self) -> list[Range]:
        """From the smallest to the whole."""
        found: list[Range] = []
        step: SelectionRange | None = self
        while step is not None:
            found.append(step.range)
            step = step.parent
        return found


class CodeLens(Shape, frozen=True):
    """Without a command it has to be resolved first."""

    range: Range
    command: Command | None = None
    data: Raw = Raw()


class HierarchyItem(Shape, frozen=True):
    """An item of the call and of the type hierarchy; given back to the server as it came, ``data`` included."""

    name: str
    kind: int
    uri: str
    range: Range
    selection_range: Range
    detail: str | None = None
    tags: tuple[int, ...] | None = None
    data: Raw | msgspec.UnsetType = msgspec.UNSET


class IncomingCall(Shape, frozen=True):
    """``from_ranges`` lie in the caller's file."""

    from_: HierarchyItem = msgspec.field(name="from")
    from_ranges: list[Range]


class OutgoingCall(Shape, frozen=True):
    """``from_ranges`` lie in the file of the item that was asked about."""

    to: HierarchyItem
    from_ranges: list[Range]


def documentation_text(documentation: str | MarkupContent | None) -> str:
    """Both forms of a documentation, or none, as text."""
    if documentation is None:
        return ""
    return documentation if isinstance(documentation, str) else documentation.value


def parameter_text(signature: SignatureInformation, parameter: ParameterInformation) -> str:
    """The parameter's part of the label; servers give the text itself or where it is, in UTF-16 units."""
    if isinstance(parameter.label, str):
        return parameter.label
    start, end = parameter.label
    units = signature.label.encode("utf-16-le", "surrogatepass")
    return units[2 * max(start, 0) : 2 * max(end, 0)].decode("utf-16-le", "replace")
