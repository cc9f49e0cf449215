"""Skills as prompts: short in the list; in full, with what was given and whether the servers at hand can serve it.

Above: ``prompt_handlers``. Below: ``operations.skills``, ``operations.skills_support``.
"""

from collections.abc import Iterable, Mapping

from mcp_types import Prompt, PromptArgument

from groundwire.errors import InvalidArgument
from groundwire.operations.workflow.skills import Skill
from groundwire.operations.workflow.skills_calls import step_calls
from groundwire.operations.workflow.skills_support import Support
from groundwire.surfaces.mcp.profiles import Profile

_LONGEST_VALUE = 4_000


def prompt_of(skill: Skill) -> Prompt:
    """As it is listed."""
    arguments = [
        PromptArgument(name=each.name, description=each.description, required=each.required) for each in skill.arguments
    ]
    return Prompt(name=skill.name, description=skill.description, arguments=arguments)


def prompt_text(skill: Skill, given: Mapping[str, str], support: Support, profile: Profile) -> str:
    """All of it. Raises InvalidArgument for arguments that it has not, or that are missing or too long."""
    _require_fitting(skill, given)
    told = [f"{name}={value}" for name, value in given.items() if value]
    lines = [f"Arguments: {', '.join(told)}"] if told else []
    lines.append(f"Servers at hand: {support.words}.")
    hidden = list(dict.fromkeys(_hidden(skill, profile)))
    if hidden:
        lines.append(
            f"Not among the tools of the profile {profile.name}: {', '.join(hidden)}. Ask for them by the command line "
            "(`groundwire --help`), or have the server started with --profile full."
        )
    return "\n".join(lines) + f"\n\n{skill.body}"


def _require_fitting(skill: Skill, given: Mapping[str, str]) -> None:
    known = {argument.name: argument for argument in skill.arguments}
    hint = f"Arguments: {', '.join(known) or 'none'}."
    for name, value in given.items():
        argument = known.get(name)
        if argument is None:
            raise InvalidArgument(f"{skill.name} has no argument {name[:200]!r}", hint=hint)
        if len(value) > _LONGEST_VALUE:
            raise InvalidArgument(f"{skill.name}: {name} has {len(value):,} characters, which is too long", hint=hint)
        if argument.choices and value and value not in argument.choices:
            raise InvalidArgument(f"{skill.name}: {name} is none of {', '.join(argument.choices)}", hint=hint)
    missing = [name for name, argument in known.items() if argument.required and not given.get(name, "").strip()]
    if missing:
        raise InvalidArgument(f"{skill.name} needs {' and '.join(missing)}", hint=hint)


def _hidden(skill: Skill, profile: Profile) -> Iterable[str]:
    shown = {name for tool in profile.tools for name in (tool.name, *tool.aliases)}
    return (call.tool for call in step_calls(skill) if call.tool not in shown)
