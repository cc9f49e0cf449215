"""``groundwire init``: registers groundwire with the coding agents that are there, and takes that back.

Above: ``main``. Below: ``surfaces.setup``.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.serving.workspace import find_workspace
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.setup.agent import Scope, agents_named, all_agents
from groundwire.surfaces.setup.applying import apply_change
from groundwire.surfaces.setup.detection import Found, find_agents
from groundwire.surfaces.setup.launch import this_launch
from groundwire.surfaces.setup.machine import Machine, this_system
from groundwire.surfaces.setup.planning import Plan, Request, make_plan
from groundwire.surfaces.setup.records import Record, user_records
from groundwire.surfaces.setup.report import (
    confirm_lines,
    diff_text,
    plan_data,
    plan_lines,
    undone_data,
    undone_lines,
)
from groundwire.surfaces.setup.undoing import undo_all

_DONE = 0
_INCOMPLETE = 1
_NOT_ASKED = 2
_HINT = "Look at the plan, then run it with --yes; --dry-run shows every line."


def run(arguments: Arguments) -> int:
    """Does what was asked, and gives the exit status."""
    here = Path.cwd()
    machine = Machine(os.environ, this_system(), find_workspace(arguments.root, here / "any", here).resolve())
    scope = cast("Scope", arguments.scope)
    if arguments.undo:
        return _undo(arguments, machine, scope)
    if scope == "project" and machine.project == machine.home.resolve():
        raise InvalidArgument("this is your home directory, not a project", hint="Use --scope user, or name a --root.")
    found = _chosen(arguments, machine)
    request = Request(
        scope,
        has_mcp=not arguments.no_mcp,
        has_hooks=not arguments.no_hooks,
        is_portable=arguments.portable,
    )
    launch = this_launch(machine.system, is_portable=arguments.portable)
    plan = make_plan([each.agent for each in found], machine, launch, request)
    return _carry_out(arguments, plan, found, machine, scope)


def _chosen(arguments: Arguments, machine: Machine) -> list[Found]:
    if arguments.agents:
        return [Found(agent, "named") for agent in agents_named(arguments.agents)]
    found = find_agents(machine, cast("Scope", arguments.scope))
    if not found:
        raise InvalidArgument(
            "no coding agent was found, on this machine or in this project",
            hint=f"Name one with --agent; known are: {', '.join(all_agents())}.",
        )
    return found


def _carry_out(arguments: Arguments, plan: Plan, found: Sequence[Found], machine: Machine, scope: Scope) -> int:
    if arguments.dry_run:
        _show(arguments, plan, found, written=False)
        say(arguments, "", diff_text(plan.changes))
        return _INCOMPLETE if plan.by_hand else _DONE
    if not plan.changes:
        _show(arguments, plan, found, written=False)
        say(arguments, "\nNothing was written." if plan.by_hand else "\nNothing to do.")
        return _INCOMPLETE if plan.by_hand else _DONE
    if not arguments.json:
        _show(arguments, plan, found, written=False)
    if not (arguments.yes or _is_watched(arguments)):
        if arguments.json:
            _show(arguments, plan, found, written=False, hint=_HINT)
        else:
            sys.stdout.flush()
            sys.stderr.write(f"groundwire: nobody is there to be asked, so nothing was written\nhint: {_HINT}\n")
        return _NOT_ASKED
    if not (arguments.yes or is_agreed(f"\nWrite {_counted(len(plan.changes), 'file')}? [y/N] ")):
        say(arguments, "Nothing was written.")
        return _INCOMPLETE
    return _write(arguments, plan, found, machine, scope)


def _write(arguments: Arguments, plan: Plan, found: Sequence[Found], machine: Machine, scope: Scope) -> int:
    records = user_records(machine.environment)
    failures: list[GroundwireError] = []
    for change in plan.changes:
        try:
            apply_change(change, records, scope=scope, project=machine.project)
        except GroundwireError as problem:
            failures.append(problem)
    written = len(plan.changes) - len(failures)
    if arguments.json:
        _show(arguments, plan, found, written=bool(written), failures=[problem.as_dict() for problem in failures])
    undo = "groundwire init --undo" + (" --scope user" if scope == "user" else "")
    done = [f"{_counted(written, 'file')} written. `{undo}` takes it back.", *confirm_lines(plan)]
    say(arguments, "", *(done if written else ["Nothing was written."]))
    if not arguments.json:
        sys.stdout.flush()
        sys.stderr.write("".join(f"\n{each.message}\n{_hint_line(each)}" for each in failures))
    return _INCOMPLETE if failures or plan.by_hand else _DONE


def _undo(arguments: Arguments, machine: Machine, scope: Scope) -> int:
    records = user_records(machine.environment)
    agents = {agent.id for agent in agents_named(arguments.agents)}
    there = [record for record in records.all() if _is_of(record, scope, machine.project)]
    chosen = [record for record in there if not agents or agents.issuperset(record.agents)]
    shared = [record for record in there if record not in chosen and agents.intersection(record.agents)]
    if arguments.dry_run or not chosen:
        files = [record.file for record in chosen]
        say(arguments, "To take back:" if files else "There is nothing to take back.", *(f"  {file}" for file in files))
        say_json(arguments, {"ok": True, "to_undo": files})
        return _DONE
    undone = undo_all(records, chosen)
    say(arguments, "Taken back:", *undone_lines(undone))
    kept = [f"  {each.file}  (also of {', '.join(sorted(set(each.agents) - agents))})" for each in shared]
    say(arguments, *(["Kept:", *kept] if kept else []))
    has_failed = any(each.problem for each in undone)
    say_json(arguments, {"ok": not has_failed, "undone": undone_data(undone), "kept": [each.file for each in shared]})
    return _INCOMPLETE if has_failed else _DONE


def _is_of(record: Record, scope: Scope, project: Path) -> bool:
    return record.scope == scope and (scope == "user" or record.project == str(project))


def _show(arguments: Arguments, plan: Plan, found: Sequence[Found], *, written: bool, **more: object) -> None:
    say(arguments, *plan_lines(plan, found))
    is_ok = not (plan.by_hand or more.get("failures"))
    say_json(arguments, {"ok": is_ok, "scope": arguments.scope, "written": written, **plan_data(plan, found), **more})


def is_agreed(question: str) -> bool:
    """Asks the person at the terminal; only a clear yes is one."""
    sys.stdout.write(question)
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _is_watched(arguments: Arguments) -> bool:
    return not arguments.json and sys.stdin.isatty() and sys.stdout.isatty()


def _hint_line(problem: GroundwireError) -> str:
    return f"hint: {problem.hint}\n" if problem.hint else ""


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def say(arguments: Arguments, *lines: str) -> None:
    """Tells people."""
    if not arguments.json:
        sys.stdout.write("".join(f"{_plain(line)}\n" for line in lines))


def _plain(text: str) -> str:
    """What a project has put into its files may hold what a terminal would obey, to hide what it does."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else ascii(letter)[1:-1] for letter in text)


def say_json(arguments: Arguments, data: dict[str, object]) -> None:
    """Tells programs."""
    if arguments.json:
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
