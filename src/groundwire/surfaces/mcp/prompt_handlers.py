"""Requests about prompts, which are the skills.

Above: ``server``. Below: ``prompts``, ``operations.skills``.
"""

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    PromptMessage,
    PromptReference,
    TextContent,
)

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.workflow.skills import Skill, all_skills, find_skill
from groundwire.operations.workflow.skills_support import find_offers, support_of
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.connection import Context
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.profiles import Profile
from groundwire.surfaces.mcp.prompts import prompt_of, prompt_text
from groundwire.surfaces.mcp.resource_handlers import ResourceHandlers
from groundwire.surfaces.mcp.shown import error_dict


class PromptHandlers:
    """One for all connections of a server."""

    def __init__(self, pool: Pool, profile: Profile, resources: ResourceHandlers) -> None:
        self._pool = pool
        self._profile = profile
        self._resources = resources

    async def list(self, _: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        """A line of each."""
        return ListPromptsResult(prompts=[prompt_of(skill) for skill in all_skills().values()])

    async def get(self, _: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """All of one."""
        try:
            return await typed(f"prompt {params.name}", self._get(params))
        except GroundwireError as error:
            raise _told(error) from error

    async def complete(self, context: Context, params: CompleteRequestParams) -> CompleteResult:
        """Endings of an argument: of a prompt that has choices, those; else files and symbols, as of any resource."""
        if not isinstance(params.ref, PromptReference):
            return await self._resources.complete(context, params)
        try:
            choices = _choices(find_skill(params.ref.name, all_skills()), params.argument.name)
        except GroundwireError as error:
            raise _told(error) from error
        if not choices:
            return await self._resources.complete(context, params)
        fitting = [choice for choice in choices if choice.startswith(params.argument.value)]
        return CompleteResult(completion=Completion(values=fitting, total=len(fitting), has_more=False))

    async def _get(self, params: GetPromptRequestParams) -> GetPromptResult:
        skill = find_skill(params.name, all_skills())
        support = support_of(skill, await find_offers(self._pool))
        text = prompt_text(skill, params.arguments or {}, support, self._profile)
        return GetPromptResult(
            description=skill.description, messages=[PromptMessage(role="user", content=TextContent(text=text))]
        )


def _choices(skill: Skill, argument: str) -> tuple[str, ...]:
    found = next((each for each in skill.arguments if each.name == argument), None)
    if found is None:
        hint = f"Arguments: {', '.join(each.name for each in skill.arguments) or 'none'}."
        raise InvalidArgument(f"{skill.name} has no argument {argument[:200]!r}", hint=hint)
    return found.choices


def _told(error: GroundwireError) -> MCPError:
    return MCPError(INVALID_PARAMS, error.message[:1000], error_dict(error))
