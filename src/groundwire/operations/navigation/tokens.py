"""Semantic tokens: what every word of a file is.

Above: ``table``. Below: ``question``, ``protocol.semantic_tokens``.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.client.ask import Reply
from groundwire.client.session import IS_WINDOWS
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FileRange
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, answer_of, ask_about
from groundwire.operations.results.decorations import TokenEntry, Tokens
from groundwire.operations.text.text_ranges import is_whole, wire_range
from groundwire.protocol.lsp import Position, Range, decode_or_none
from groundwire.protocol.semantic_tokens import Legend, SemanticTokens, Token, decode_tokens
from groundwire.protocol.uris import uri_to_path

SEMANTIC_TOKENS = "textDocument/semanticTokens"
FULL = f"{SEMANTIC_TOKENS}/full"
RANGE = f"{SEMANTIC_TOKENS}/range"

_SWITCHED_OFF = "the server gave no token at all, as one does whose settings leave them out"


@operation(
    "What every word of a file or a part of it is: type, function, parameter, with modifiers.",
    needs=(FULL, RANGE),
    command="tokens",
)
async def get_semantic_tokens(call: Call, arguments: FileRange) -> Answer[Tokens]:
    """Tokens of a file or a part of it."""

    async def ask(asking: Asking) -> tuple[Reply[list[Token]], str]:
        within = wire_range(arguments, asking.document.lines, asking.encoding)
        method, params = _request(asking, within, is_part=not is_whole(arguments))
        reply = await asking.workspace_question(method, params)
        told = decode_or_none(reply.result, SemanticTokens, method)
        return reply.having(decode_tokens(told.data, _legend(asking), within) if told else []), ""

    heard = await ask_about(call, Path(arguments.file_path), ask, is_movable=is_whole(arguments))
    if not heard.result and is_whole(arguments) and heard.asking.document.text.strip() and not heard.incomplete:
        heard = msgspec.structs.replace(heard, incomplete=_SWITCHED_OFF)
    tokens = Tokens(
        file=shown_path(heard.asking.file, call.pool.workspace),
        tokens=tuple(_entry(token, heard.asking) for token in page_of(heard.result, arguments)),
        total=len(heard.result),
        offset=arguments.offset,
    )
    return answer_of(heard, tokens)


def _request(asking: Asking, within: Range, *, is_part: bool) -> tuple[str, Mapping[str, object]]:
    """The request that fits better, of those the server offers."""
    document, capabilities = asking.document, asking.session.state.capabilities
    path = uri_to_path(document.uri, windows=IS_WINDOWS)
    has_full, has_range = (
        capabilities.supports(method, path=path, language=document.language) for method in (FULL, RANGE)
    )
    if has_range and (is_part or not has_full):
        return RANGE, {"range": within}
    return FULL, {}


def _legend(asking: Asking) -> Legend:
    return msgspec.convert(asking.session.state.capabilities.options(SEMANTIC_TOKENS).get("legend", {}), Legend)


def _entry(token: Token, asking: Asking) -> TokenEntry:
    lines, encoding = asking.document.lines, asking.encoding
    start = lines.offset(Position(token.line, token.character), encoding)
    end = lines.offset(Position(token.line, token.character + token.length), encoding)
    line, column = lines.to_human(Position(token.line, token.character), encoding)
    return TokenEntry(
        line=line,
        column=column,
        length=end - start,
        text=lines.text[start:end],
        type=token.type,
        modifiers=token.modifiers,
    )
