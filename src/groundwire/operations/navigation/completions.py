"""What may be written at a place. Above: ``table``. Below: ``targets``, ``protocol.lsp_questions``."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.errors import GroundwireError, SessionDead
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import Limit, TargetPage
from groundwire.operations.navigation.targets import ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, answer_of
from groundwire.operations.results.found import Completion, Completions
from groundwire.protocol.lsp import Position, decode
from groundwire.protocol.lsp_questions import CompletionItem, CompletionList, decode_completions, documentation_text

COMPLETION = "textDocument/completion"
_RESOLVE = "completionItem/resolve"
_WITHIN_A_WORD = "the place is within a word, where some servers suggest nothing; name the end of the word"
_MORE = "the server has more than it told; give a longer prefix in the text"

_KINDS = (
    "", "text", "method", "function", "constructor", "field", "variable", "class", "interface", "module", "property",
    "unit", "value", "enum", "keyword", "snippet", "color", "file", "reference", "folder", "enum member", "constant",
    "struct", "event", "operator", "type parameter",
)  # fmt: skip


class GetCompletions(TargetPage, frozen=True):
    """The place of the cursor, and which completions are wanted."""

    prefix: Annotated[str, Meta(description="Only those that begin with this.")] = ""
    documentation: Annotated[bool, Meta(description="With the documentation of each one shown.")] = False
    limit: Limit = 30


class _Suggested(msgspec.Struct, frozen=True):
    """A page of what the server suggests."""

    shown: Sequence[CompletionItem]
    total: int
    incomplete: str
    """Why there may be more; empty when this is all."""


@operation("What can be written at a place: names, members, keywords.", needs=(COMPLETION,), command="completions")
async def get_completions(call: Call, arguments: GetCompletions) -> Answer[Completions]:
    """What fits here."""

    async def ask(asking: Asking, position: Position) -> Reply[_Suggested]:
        params = {"position": position, "context": {"triggerKind": 1}}
        reply = await asking.workspace_question(COMPLETION, params)
        found = decode_completions(reply.result)
        wanted = _wanted(found, arguments.prefix)
        shown = page_of(wanted, arguments)
        if arguments.documentation and asking.session.state.capabilities.options(COMPLETION).get("resolveProvider"):
            shown = await asyncio.gather(*(_resolved(asking, item) for item in shown))
        incomplete = _MORE if found.is_incomplete else "" if found.items else _doubt(asking, position)
        return reply.having(_Suggested(shown, len(wanted), incomplete))

    heard = await ask_at(call, arguments, ask, is_cursor=True)
    suggested = heard.result
    heard = msgspec.structs.replace(heard, incomplete=heard.incomplete or suggested.incomplete)
    completions = Completions(
        completions=tuple(_completion(item, with_documentation=arguments.documentation) for item in suggested.shown),
        total=suggested.total,
        offset=arguments.offset,
        incomplete=bool(suggested.incomplete),
    )
    return answer_of(heard, completions)


def _doubt(asking: Asking, position: Position) -> str:
    """Why nothing may be something."""
    following = asking.document.lines.text[asking.document.lines.offset(position, asking.encoding) :][:1]
    return _WITHIN_A_WORD if following.isidentifier() else ""


def _wanted(found: CompletionList, prefix: str) -> list[CompletionItem]:
    begins = prefix.casefold()
    fits = [item for item in found.items if (item.filter_text or item.label).casefold().startswith(begins)]
    return sorted(fits, key=lambda item: item.order)


async def _resolved(asking: Asking, item: CompletionItem) -> CompletionItem:
    try:
        return decode(await asking.follow_up(_RESOLVE, item), CompletionItem, _RESOLVE)
    except SessionDead:
        raise
    except GroundwireError:  # what was asked for is the item, and that is there
        return item


def _completion(item: CompletionItem, *, with_documentation: bool) -> Completion:
    more = item.label_details
    own = item.detail or ""
    insert = item.insert_text if item.insert_text != item.label.strip() else None
    return Completion(
        label=item.label.strip() + ((more.detail or "") if more else ""),
        kind=_KINDS[item.kind] if item.kind is not None and 0 < item.kind < len(_KINDS) else "",
        detail=own or ((more.description or "") if more else ""),
        insert_text=insert or "",
        documentation=documentation_text(item.documentation) if with_documentation else "",
        deprecated=bool(item.deprecated) or 1 in (item.tags or ()),
    )
