"""Several edits that would do, scored side by side.

Above: ``table``. Below: ``preview_edit`` (what an edit is), ``evaluation``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from groundwire.edits.diff import blocks, lines_of
from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer, Status, worst
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.speculation import Alternative, EditComparison, Evaluation
from groundwire.operations.speculation.evaluate_session import ScopeOf, TimeoutMs
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.preview_edit import SpeculativeEdit, texts_of
from groundwire.operations.speculation.virtual_texts import VirtualTexts
from groundwire.operations.text.test_files import is_test_file

MOST_ALTERNATIVES = 8
_ORDER = {"safe": 0, "unproven": 1, "breaks": 2}


class GivenAlternative(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of them."""

    name: str = ""
    # Any: each is checked as a piece of an edit by ``texts_of``.
    edits: tuple[Mapping[str, Any], ...] = ()
    patch: str = ""


class CompareEdits(Arguments, frozen=True):
    """The alternatives, and how far to look."""

    alternatives: Annotated[
        tuple[GivenAlternative, ...],
        Meta(
            min_length=1,
            max_length=MOST_ALTERNATIVES,
            description="Each a unified patch, or edits: file_path, old_text, new_text.",
        ),
    ]
    scope: ScopeOf = "workspace"
    timeout_ms: TimeoutMs = 0


class _Scored(NamedTuple):
    number: int
    given: GivenAlternative
    answer: Answer[Evaluation]
    lines: int


@operation(
    "Compare alternative edits before one is made: errors introduced and resolved, broken callers, tests touched.",
    effect="simulates",
)
async def compare_edits(call: Call, arguments: CompareEdits) -> Answer[EditComparison]:
    """The best first, with the reasons."""
    texts = [_texts(call, number, each) for number, each in enumerate(arguments.alternatives, start=1)]
    scored: list[_Scored] = []
    for number, (given, own) in enumerate(zip(arguments.alternatives, texts, strict=True), start=1):
        call.progress(f"alternative {number} of {len(texts)}")
        answer = await evaluate(call, own, arguments.scope, arguments.timeout_ms)
        scored.append(_Scored(number, given, answer, _lines(own)))
    ranked = sorted(scored, key=_key)
    best = ranked[0]
    return Answer(
        value=EditComparison(
            alternatives=tuple(_alternative(rank, each) for rank, each in enumerate(ranked, start=1)),
            best=best.number if best.answer.value.verdict == "safe" else 0,
        ),
        status=worst(each.answer.status for each in scored),
        reason=next((each.answer.reason for each in scored if each.answer.status is not Status.CONFIRMED), ""),
        servers=tuple(dict.fromkeys(server for each in scored for server in each.answer.servers)),
    )


def _texts(call: Call, number: int, given: GivenAlternative) -> VirtualTexts:
    try:
        return texts_of(call, SpeculativeEdit(edits=given.edits, patch=given.patch))
    except GroundwireError as error:
        raise InvalidArgument(f"alternative {number}: {error.message}", hint=error.hint) from None


def _key(each: _Scored) -> tuple[int, int, int, int, int, int]:
    value = each.answer.value
    broken = len(_broken(value))
    introduced, resolved = len(value.errors_introduced), len(value.errors_resolved)
    return _ORDER[value.verdict], introduced, broken, -resolved, len(value.warnings_introduced), each.lines


def _alternative(rank: int, each: _Scored) -> Alternative:
    value = each.answer.value
    return Alternative(
        rank=rank,
        number=each.number,
        name=each.given.name or f"alternative {each.number}",
        verdict=value.verdict,
        errors_introduced=len(value.errors_introduced),
        errors_resolved=len(value.errors_resolved),
        net_delta=value.net_delta,
        broken_callers=_broken(value),
        tests_touched=tuple(file for file in (*value.edited, *value.dependents) if is_test_file(file)),
        lines_changed=each.lines,
        reasons=tuple(_reasons(each)),
        evaluation=value,
    )


def _broken(value: Evaluation) -> tuple[str, ...]:
    files = dict.fromkeys(finding.file for finding in value.errors_introduced)
    return tuple(file for file in files if file not in value.edited)


def _reasons(each: _Scored) -> Iterator[str]:
    value = each.answer.value
    if value.errors_introduced:
        yield f"introduces {len(value.errors_introduced)}"
    elif value.verdict == "safe":
        yield "introduces nothing"
    if each.answer.status is not Status.CONFIRMED:
        yield f"not proven: {each.answer.reason}"
    if broken := _broken(value):
        yield f"breaks {len(broken)} other files"
    if value.errors_resolved:
        yield f"resolves {len(value.errors_resolved)}"
    if value.warnings_introduced:
        yield f"brings {len(value.warnings_introduced)} warnings"


def _lines(texts: VirtualTexts) -> int:
    return sum(_changed_lines(lines_of(each.before or ""), lines_of(each.after or "")) for each in texts.changed)


def _changed_lines(before: Sequence[str], after: Sequence[str]) -> int:
    return sum(max(old_end - old, new_end - new) for old, old_end, new, new_end in blocks(before, after))
