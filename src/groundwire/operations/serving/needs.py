"""Which servers the files of a workspace need, each at its root, and which of them cannot be had.

Above: ``status`` and ``doctor``. Below: ``survey``, ``decisions``, ``remedies``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.operations.files.survey import LanguageFound, Survey
from groundwire.operations.serving.decisions import Decisions
from groundwire.operations.serving.remedies import TRUST, how_to_complete
from groundwire.pool.routes import Chosen, PassedOver, Route

NeedState = Literal["ready", "missing", "untrusted", "disabled"]


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """One server at one root. What is not ``ready`` has no root: nobody looked for one."""

    server: str
    role: Literal["primary", "linter"]
    state: NeedState
    """``ready``: it can be started. ``untrusted``: only when the project is trusted."""
    languages: tuple[str, ...]
    sample: Path
    """A file that it would take care of."""
    chosen: Chosen | None = None
    why: str = ""
    remedy: str = ""
    """The one command that helps."""

    @property
    def root(self) -> Path | None:
        """Where it would run."""
        return self.chosen.root if self.chosen is not None else None


def find_needs(decisions: Decisions, seen: Survey) -> tuple[Need, ...]:
    """Routes a file of every directory. In the order of the languages, those with most files first."""
    needs: dict[tuple[str, NeedState, Path | None], Need] = {}
    for found in seen.languages:
        for need in _needs_of(decisions, found):
            key = (need.server, need.state, need.root)
            known = needs.get(key)
            languages = dict.fromkeys((*(known.languages if known else ()), *need.languages))
            needs[key] = msgspec.structs.replace(known or need, languages=tuple(languages))
    return tuple(needs.values())


def _needs_of(decisions: Decisions, found: LanguageFound) -> Iterator[Need]:
    off = decisions.why_off(found.language)
    if off:
        yield from _switched_off(decisions, found, off)
        return
    for sample in found.samples:
        route = decisions.weigh(sample)
        for chosen in route.chosen:
            spec = chosen.spec
            yield Need(
                server=spec.id,
                role=spec.role,
                state="ready",
                languages=(found.language,),
                sample=sample,
                chosen=chosen,
                why=chosen.reasons.choice,
            )
        yield from (_missed(decisions, found.language, sample, passed) for passed in _missed_by(route))
        if not route.language:
            supplied = decisions.untrusted(found.language)
            yield from (_missed(decisions, found.language, sample, passed) for passed in supplied)
    for kept_out in decisions.kept_out(found.language):
        if kept_out.is_switched_off:
            yield Need(
                server=kept_out.server,
                role=kept_out.role,
                state="disabled",
                languages=(found.language,),
                sample=found.samples[0],
                why=kept_out.why,
            )


def _switched_off(decisions: Decisions, found: LanguageFound, why: str) -> Iterator[Need]:
    known = (*decisions.plan.catalog.servers_for(found.language), *decisions.built_in.servers_for(found.language))
    for spec in known[:1]:
        yield Need(
            server=spec.id,
            role=spec.role,
            state="disabled",
            languages=(found.language,),
            sample=found.samples[0],
            why=why,
        )


def _missed_by(route: Route) -> Iterator[PassedOver]:
    """What the project is set up for and cannot have; and, where there is no primary, the best that could be one."""
    yield from (passed for passed in route.passed_over if passed.is_missed)
    if route.primary is None and not any(passed.is_missed and passed.role == "primary" for passed in route.passed_over):
        candidates = [passed for passed in route.passed_over if passed.role == "primary" and passed.kind != "unfit"]
        yield from _best(candidates)


def _best(candidates: Iterable[PassedOver]) -> list[PassedOver]:
    """One that is there already and only wants trust goes before one that would have to be installed."""
    return sorted(candidates, key=lambda passed: passed.kind != "untrusted")[:1]


def _missed(decisions: Decisions, language: str, sample: Path, passed: PassedOver) -> Need:
    is_untrusted = passed.kind == "untrusted"
    spec = decisions.spec(passed.server)
    remedy = how_to_complete(spec, passed.why, decisions.environment) if spec is not None else ""
    return Need(
        server=passed.server,
        role=passed.role,
        state="untrusted" if is_untrusted else "missing",
        languages=(language,),
        sample=sample,
        why=decisions.shown(passed.why),
        remedy=TRUST if is_untrusted else remedy,
    )
