"""Skills: workflows over the tools, each a folder with a SKILL.md, whose head says what it needs and allows.

Above: ``skills_operations``, ``phases``, the surfaces. Below: ``skills_front_matter``, ``extension_skills``.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.operation import Effect
from groundwire.operations.workflow.extension_skills import with_extension_skills
from groundwire.operations.workflow.skills_front_matter import parse_front_matter
from groundwire.protocol.capabilities import PROVIDERS

FILE_NAME = "SKILL.md"
_LARGEST = 256 * 1024


class SkillArgument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a skill is told. ``choices``: all that it may be, where it is one of few."""

    name: str
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()


class Phase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A part of a workflow. Words name an operation, several (``simulate_*``), or all of an effect (``writes``)."""

    name: str
    effects: tuple[Effect, ...] = ("reads",)
    """What a call may do here at most, whatever it is called."""
    allow: tuple[str, ...] = ()
    """The steps of this phase."""
    forbid: tuple[str, ...] = ()
    """Not here; nor by going on from here, before the phase is done."""
    done_by: tuple[str, ...] = ()
    """Steps of which one must be made before the phase is left. None: it may be left at any time."""


class Skill(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """One workflow. ``needs`` and ``optional`` are LSP methods; ``forbid`` holds in every phase."""

    name: str
    description: str
    argument_hint: str = ""
    arguments: tuple[SkillArgument, ...] = ()
    needs: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    phases: tuple[Phase, ...] = ()
    body: str = ""
    folder: str = ""


def read_skill(folder: Path) -> Skill:
    """The skill in a folder. Raises FileNotFound, and InvalidArgument that names the place of what is wrong."""
    file, place = folder / FILE_NAME, f"{folder.name}/{FILE_NAME}"
    try:
        data = file.read_bytes()
        text = data[:_LARGEST].decode()
    except (OSError, UnicodeDecodeError) as error:
        raise FileNotFound(f"{place} cannot be read: {error}") from error
    members, body = parse_front_matter(text.replace("\r\n", "\n"), place)
    for taken in ("body", "folder"):
        if taken in members:
            raise InvalidArgument(f"{place}: {taken} is no member of the head")
    try:
        skill = msgspec.convert({**members, "body": body, "folder": str(folder)}, Skill)
    except msgspec.ValidationError as problem:
        raise InvalidArgument(f"{place}: {problem}", hint="docs/skills.md says what the head may hold.") from problem
    _require_sound(skill, folder, place)
    return skill


def _require_sound(skill: Skill, folder: Path, place: str) -> None:
    if skill.name != folder.name:
        raise InvalidArgument(f"{place}: the skill {skill.name!r} is in a folder of another name")
    unknown = [method for method in (*skill.needs, *skill.optional) if method not in PROVIDERS]
    if unknown:
        raise InvalidArgument(f"{place}: no server offers {unknown[0]!r}", hint=f"Known: {', '.join(PROVIDERS)}.")
    for named in ([phase.name for phase in skill.phases], [argument.name for argument in skill.arguments]):
        if len(set(named)) != len(named):
            raise InvalidArgument(f"{place}: two phases or two arguments have the same name")


def packaged_folders() -> list[Path]:
    """The folders of the skills that come with groundwire."""
    root = Path(str(files("groundwire") / "skills"))
    return sorted(folder for folder in root.iterdir() if (folder / FILE_NAME).is_file())


def load_skills(extra: Iterable[Path] = ()) -> Mapping[str, Skill]:
    """By name: our own, and those in ``extra`` folders. Raises InvalidArgument for what is broken or there twice."""
    skills: dict[str, Skill] = {}
    for folder in (*packaged_folders(), *extra):
        skill = read_skill(folder)
        if skill.name in skills:
            raise InvalidArgument(f"there are two skills {skill.name!r}: {skills[skill.name].folder} and {folder}")
        skills[skill.name] = skill
    return skills


@cache
def packaged_skills() -> Mapping[str, Skill]:
    """Those that come with groundwire."""
    return load_skills()


@cache
def all_skills() -> Mapping[str, Skill]:
    """With those of extensions, as far as they can be read."""
    return with_extension_skills(packaged_skills(), read_skill)


def find_skill(name: str, skills: Mapping[str, Skill]) -> Skill:
    """The skill of that name, with or without ``lsp-``. Raises InvalidArgument with the closest names."""
    found = skills.get(name) or skills.get(f"lsp-{name}")
    if found is not None:
        return found
    close = get_close_matches(name[:200], skills, n=3)
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Skills: {', '.join(skills)}."
    raise InvalidArgument(f"there is no skill {name[:200]!r}", hint=hint)
