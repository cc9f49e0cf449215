"""A plan and what became of it, as text for people and as data for programs.

Above: ``surfaces.cli.init``, ``surfaces.cli.uninstall``. Below: ``planning``, ``undoing``, ``edits.diff``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.edits.diff import unified_diff
from groundwire.surfaces.setup.detection import Found
from groundwire.surfaces.setup.drafting import ByHand, Change
from groundwire.surfaces.setup.planning import Note, Plan
from groundwire.surfaces.setup.undoing import Undone

_WHAT = {"mcp": "MCP server", "hooks": "hooks"}
_STATES = {
    "restored": "as it was before",
    "removed": "removed, for groundwire had made it",
    "edited": "changed since, so only what is groundwire's was taken out",
    "unchanged": "nothing of groundwire's was left in it",
    "failed": "left as it is",
}


def plan_lines(plan: Plan, found: Sequence[Found]) -> list[str]:
    """The plan, section by section."""
    return [
        *_section("Agents:", [f"{each.agent.title}  ({each.why})" for each in found]),
        *_section("To write:", map(_change_line, plan.changes)),
        *_section("Already as it should be:", map(str, plan.is_as_wanted)),
        *_section("Left out:", map(_note_line, plan.left_out)),
        *by_hand_lines(plan.by_hand),
    ]


def confirm_lines(plan: Plan) -> list[str]:
    """What the user has to do afterwards."""
    return _section("Then, for you to confirm:", map(_note_line, plan.confirm))


def by_hand_lines(by_hand: Sequence[ByHand]) -> list[str]:
    """What only the user can do, with exactly what is to be added."""
    lines: list[str] = []
    for each in by_hand:
        where = f"{each.path} ({each.why})" if each.path else each.why
        lines += ["", f"By hand, for {', '.join(each.titles)}: {where}"]
        lines += [f"    {line}" for line in each.addition.rstrip().splitlines()]
    return lines


def diff_text(changes: Iterable[Change]) -> str:
    """Everything that would be written, in the usual form."""
    return "".join(_diff(change) for change in changes)


def undone_lines(undone: Iterable[Undone]) -> list[str]:
    """What became of each file."""
    lines: list[str] = []
    for each in undone:
        lines.append(f"  {each.file}  {_STATES[each.state]}")
        if each.problem is not None:
            lines += [f"      {each.problem.message}", *([f"      {each.problem.hint}"] if each.problem.hint else [])]
    return lines


def plan_data(plan: Plan, found: Sequence[Found]) -> dict[str, object]:
    """The plan for programs."""
    return {
        "agents": [{"id": each.agent.id, "title": each.agent.title, "why": each.why} for each in found],
        "changes": [_change_data(change) for change in plan.changes],
        "unchanged": [str(path) for path in plan.is_as_wanted],
        "left_out": [_note_data(note) for note in plan.left_out],
        "by_hand": [_by_hand_data(each) for each in plan.by_hand],
        "confirm": [_note_data(note) for note in plan.confirm],
    }


def undone_data(undone: Iterable[Undone]) -> list[dict[str, object]]:
    """The same for what was taken back."""
    return [
        {"file": str(each.file), "state": each.state, **({"problem": each.problem.as_dict()} if each.problem else {})}
        for each in undone
    ]


def _section(title: str, lines: Iterable[str]) -> list[str]:
    shown = [f"  {line}" for line in lines]
    return ["", title, *shown] if shown else []


def _change_line(change: Change) -> str:
    what = " and ".join(_WHAT[each] for each in change.what)
    return f"{change.path}{_leading_to(change)}  {_kind(change)}: {what} for {', '.join(change.titles)}"


def _leading_to(change: Change) -> str:
    return "" if _same(change.path, change.real) else f" (which is {change.real})"


def _same(path: Path, real: Path) -> bool:
    return not path.is_symlink() or path == real


def _kind(change: Change) -> str:
    return "new" if change.before is None else "changed"


def _note_line(note: Note) -> str:
    return f"{note.agent}: {note.text}"


def _diff(change: Change) -> str:
    old = "/dev/null" if change.before is None else str(change.path)
    before = "" if change.before is None else change.before.decode()
    return unified_diff(before, change.after.decode(), old_name=old, new_name=str(change.path), max_lines=10_000)


def _change_data(change: Change) -> dict[str, object]:
    return {
        "file": str(change.path),
        "kind": _kind(change),
        "what": list(change.what),
        "agents": list(change.agents),
        "diff": _diff(change),
    }


def _note_data(note: Note) -> dict[str, object]:
    return {"agent": note.agent, "text": note.text}


def _by_hand_data(each: ByHand) -> dict[str, object]:
    return {
        "file": str(each.path) if each.path else None,
        "agents": list(each.titles),
        "why": each.why,
        "addition": each.addition,
    }
