"""Whether a person lets a tool run, where the configuration says that one is to be asked: through the client, in the
way of either era of the protocol. Who cannot be asked has not agreed.

Above: ``tool_handlers``. Below: the protocol library.
"""

import asyncio
import json
from collections.abc import Mapping

from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least

from groundwire.errors import PermissionDenied
from groundwire.surfaces.mcp.connection import Context

WAIT_S = 300.0
"""How long a person may think about it."""
_QUESTION = "consent"
_ASKED_IN_RESULTS = "2026-07-28"
"""Since then a server puts no requests of its own: what it wants to know is a result, and the call is made again."""
_NOTHING: Mapping[str, object] = {"type": "object", "properties": {}}
_MOST_SHOWN = 300


async def require_consent(context: Context, params: CallToolRequestParams) -> InputRequiredResult | None:
    """None once a person has agreed; else what the client is to ask. Raises PermissionDenied."""
    if not _can_ask(context):
        raise PermissionDenied(
            f"{params.name} needs approval, and nobody can be asked through this client",
            hint="Ask the user to do it, or to allow it under permissions in groundwire.toml.",
        )
    form = ElicitRequestFormParams(message=_words(params), requested_schema=dict(_NOTHING))
    if is_version_at_least(context.protocol_version, _ASKED_IN_RESULTS):
        said = (params.input_responses or {}).get(_QUESTION)
        if said is None:
            return InputRequiredResult(input_requests={_QUESTION: ElicitRequest(params=form)})
    else:
        said = await _ask(context, form)
    if not isinstance(said, ElicitResult) or said.action != "accept":
        raise PermissionDenied(f"{params.name} was not approved", hint="Ask the user what to do instead.")
    return None


async def _ask(context: Context, form: ElicitRequestFormParams) -> ElicitResult | None:
    try:
        async with asyncio.timeout(WAIT_S):
            return await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
    except (MCPError, TimeoutError):  # the client could not, or nobody said anything
        return None


def _can_ask(context: Context) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _words(params: CallToolRequestParams) -> str:
    given = json.dumps(params.arguments or {}, ensure_ascii=False)
    shown = given if len(given) <= _MOST_SHOWN else f"{given[:_MOST_SHOWN]}…"
    return f"groundwire is to run {params.name} with {shown}. May it?"
