"""Kinds of projects that extensions know how to build and test. Ours go before them, and so do their names.

Above: ``building.ecosystems.table``. Below: ``building.model``, ``extensions``.
"""

from collections.abc import Iterable

from groundwire.errors import InvalidArgument
from groundwire.extensions.contract import Offering
from groundwire.extensions.loading import Extension, offerings
from groundwire.operations.building.model import Ecosystem


def with_extension_ecosystems(
    own: tuple[Ecosystem, ...], offered: Iterable[tuple[Extension, Offering]] | None = None
) -> tuple[Ecosystem, ...]:
    """Our own, and those of extensions that have a name of their own; the others are noted."""
    ecosystems = list(own)
    for extension, offering in offerings() if offered is None else offered:
        for runner in offering.build_runners:
            with extension.offers("build runner", str(getattr(runner, "id", runner))):
                if not isinstance(runner, Ecosystem):
                    raise InvalidArgument("it is no Ecosystem")
                if any(runner.id == each.id for each in ecosystems):
                    raise InvalidArgument(f"there is an ecosystem {runner.id!r} already")
                ecosystems.append(runner)
    return tuple(ecosystems)
