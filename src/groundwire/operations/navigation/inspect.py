"""What is known about one place: type and documentation, signatures, completions, the symbol's places in the file.

Above: ``table``. Below: ``targets``, ``completions``.
"""

from pathlib import Path
from typing import Literal

from msgspec import Raw

from groundwire.client.ask import Reply
from groundwire.operations.answer import Answer, Place
from groundwire.operations.arguments import Target, TargetPage
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, Heard, answer_of
from groundwire.operations.results.found import Highlight, Highlights, HoverText, Parameter, Signature, Signatures
from groundwire.protocol.lsp import Position, decode_list, decode_or_none
from groundwire.protocol.lsp_answers import decode_hover
from groundwire.protocol.lsp_questions import (
    DocumentHighlight,
    SignatureHelp,
    SignatureInformation,
    documentation_text,
    parameter_text,
)

HOVER = "textDocument/hover"
SIGNATURE_HELP = "textDocument/signatureHelp"
DOCUMENT_HIGHLIGHT = "textDocument/documentHighlight"

_HIGHLIGHT_KINDS: dict[int, Literal["text", "read", "write"]] = {2: "read", 3: "write"}


@operation(
    "Type, signature and documentation of the symbol at a place (hover).",
    needs=(HOVER,),
    aliases=("get_info_on_location",),
    command="hover",
)
async def inspect_symbol(call: Call, arguments: Target) -> Answer[HoverText]:
    """What a symbol is."""
    heard = await ask_at(call, arguments, hover_at)
    return answer_of(heard, HoverText(text=heard.result))


async def hover_at(asking: Asking, position: Position) -> Reply[str]:
    """Asks for the hover text of a position; empty when there is none."""
    reply = await asking.workspace_question(HOVER, {"position": position})
    return reply.having(decode_hover(reply.result))


@operation(
    "Signatures of the call at a place, with the parameter being written. Name a place within its brackets.",
    needs=(SIGNATURE_HELP,),
    command="signature",
)
async def get_signature_help(call: Call, arguments: Target) -> Answer[Signatures]:
    """How something is called."""

    async def ask(asking: Asking, position: Position) -> Reply[Raw]:
        return await asking.workspace_question(SIGNATURE_HELP, {"position": position})

    heard = await ask_at(call, arguments, ask, is_cursor=True)
    found = decode_or_none(heard.result, SignatureHelp, SIGNATURE_HELP) or SignatureHelp([])
    active = _in_range(found.active_signature, len(found.signatures))
    signatures = tuple(
        _signature(signature, found, is_active=number == active) for number, signature in enumerate(found.signatures)
    )
    return answer_of(heard, Signatures(signatures=signatures))


def _signature(signature: SignatureInformation, found: SignatureHelp, *, is_active: bool) -> Signature:
    own = signature.active_parameter
    active = found.active_parameter if own is None else own
    # A number beyond the last is how a server says that none of them is being written.
    number = 0 if active is None else active
    parameters = tuple(
        Parameter(
            label=parameter_text(signature, parameter),
            documentation=documentation_text(parameter.documentation),
            active=is_active and at == number,
        )
        for at, parameter in enumerate(signature.parameters or ())
    )
    documentation = documentation_text(signature.documentation)
    return Signature(label=signature.label, documentation=documentation, parameters=parameters, active=is_active)


def _in_range(number: int | None, count: int) -> int:
    return number if number is not None and 0 <= number < count else 0


@operation(
    "Every place of a symbol in its own file, told apart by read and write.",
    needs=(DOCUMENT_HIGHLIGHT,),
    command="highlights",
)
async def get_document_highlights(call: Call, arguments: TargetPage) -> Answer[Highlights]:
    """Where a symbol stands in its file."""

    async def ask(asking: Asking, position: Position) -> Reply[Raw]:
        return await asking.workspace_question(DOCUMENT_HIGHLIGHT, {"position": position})

    heard = await ask_at(call, arguments, ask)
    found = sorted(
        decode_list(heard.result, DocumentHighlight, DOCUMENT_HIGHLIGHT), key=lambda highlight: highlight.range
    )
    workspace = call.pool.workspace
    highlights = Highlights(
        file=shown_path(heard.asking.file, workspace),
        highlights=tuple(_highlight(each, heard, workspace) for each in page_of(found, arguments)),
        total=len(found),
        offset=arguments.offset,
    )
    return answer_of(heard, highlights)


def _highlight(highlight: DocumentHighlight, heard: Heard[Raw], workspace: Path) -> Highlight:
    place: Place = Places(heard.asking.session, workspace).place(heard.asking.document.uri, highlight.range)
    return Highlight(
        kind=_HIGHLIGHT_KINDS.get(highlight.kind, "text"),
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        text=place.text,
    )
