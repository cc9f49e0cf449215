"""Skills that extensions add: folders of their packages, read like our own. Our names win.

Above: ``skills``, which hands over how one is read. Below: ``extensions``.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from groundwire.errors import InvalidArgument
from groundwire.extensions.contract import Offering
from groundwire.extensions.loading import Extension, offerings


class Named(Protocol):
    """What a skill is here."""

    @property
    def name(self) -> str:
        """Under which it is found."""
        ...


S = TypeVar("S", bound=Named)


def with_extension_skills(
    own: Mapping[str, S], read: Callable[[Path], S], offered: Iterable[tuple[Extension, Offering]] | None = None
) -> Mapping[str, S]:
    """Our own, and those of extensions that can be read and have a name of their own; the others are noted."""
    skills = dict(own)
    for extension, offering in offerings() if offered is None else offered:
        for folder in offering.skills:
            with extension.offers("skill", folder.name):
                skill = read(folder)
                if skill.name in skills:
                    raise InvalidArgument(f"there is a skill {skill.name!r} already")
                skills[skill.name] = skill
    return skills
