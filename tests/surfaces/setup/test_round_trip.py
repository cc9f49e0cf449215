"""``init`` on files as people have them, for every agent that has such a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from groundwire.surfaces.setup.agent import Agent, Format, Target
from groundwire.surfaces.setup.drafting import Change
from groundwire.surfaces.setup.members import read, take
from tests.surfaces.setup.corpus import CASES, JSON, TEXTS
from tests.surfaces.setup.worlds import World, targets


def worlds_with(tmp_path: Path, form: Format, text: str) -> list[tuple[World, Agent, Target, Path]]:
    """A world for every place that an agent has for this format, with this text there."""
    made: list[tuple[World, Agent, Target, Path]] = []
    for number, (agent, target) in enumerate(targets()):
        if target.format != form:
            continue
        world = World(tmp_path / str(number))
        path = world.machine.candidates(target.paths)[0]
        world.put(path, text)
        made.append((world, agent, target, path))
    return made


def test_the_corpus_is_large_enough() -> None:
    assert len(CASES) >= 30


@pytest.mark.parametrize(("form", "name"), CASES, ids=str)
def test_everything_else_stays_twice_is_once_and_undo_gives_back_the_bytes(
    tmp_path: Path, form: Format, name: str
) -> None:
    text = TEXTS[form][name]
    for world, agent, target, path in worlds_with(tmp_path, form, text):
        before = world.everything()
        plan = world.init(agent.id, scope=target.scope)
        assert not plan.by_hand, (path, plan.by_hand)
        assert without_ours(next(each for each in plan.changes if each.path == path)) == without_empty(read(form, text))

        once = world.everything()
        assert once != before
        again = world.init(agent.id, scope=target.scope)
        assert (again.changes, world.everything()) == ([], once)

        assert {each.state for each in world.undo()} <= {"restored", "removed"}
        assert world.everything() == before
        assert world.records.all() == []


def without_ours(change: Change) -> object:
    """What the new text says but for our members: what a user would keep who took them out by hand."""
    text = change.after.decode()
    for member in reversed(change.members):
        text = take(change.format, text, member, (change.before or b"").decode())
    data = cast("dict[str, object]", read(change.format, text))
    old = cast("Mapping[str, object]", read(change.format, (change.before or b"").decode()))
    base = [member.path[0] for member in change.members if member.kind == "base" and member.path[0] not in old]
    return without_empty({key: value for key, value in data.items() if key not in base})


def without_empty(data: object) -> object:
    """TOML has no word for a table that was there only because something was in it."""
    if not isinstance(data, Mapping):
        return data
    kept = {key: without_empty(value) for key, value in cast("Mapping[str, object]", data).items()}
    return {key: value for key, value in kept.items() if value != {}}


@pytest.mark.parametrize(("form", "name"), [("json", name) for name in list(JSON)[::4]])
def test_of_a_file_that_changed_since_only_our_part_is_taken_out(tmp_path: Path, form: Format, name: str) -> None:
    for world, agent, target, path in worlds_with(tmp_path, form, TEXTS[form][name]):
        world.init(agent.id, scope=target.scope)
        mine = path.read_bytes().replace(b"\r\n", b"\n") + b"\n// mine\n"
        path.write_bytes(mine)
        states = {each.file: each.state for each in world.undo()}
        left = path.read_text("utf-8")
        assert states[path] == ("unchanged" if all(each.kind == "base" for each in target.members) else "edited")
        assert left.endswith("\n// mine\n")
        assert "/groundwire" not in left
        assert without_base(read(form, left), target) == without_base(read(form, TEXTS[form][name]), target)


def without_base(data: object, target: Target) -> object:
    """What a file needs to be one stays when it was added to a file of the user's."""
    base = [member.path[0] for member in target.members if member.kind == "base"]
    return {key: value for key, value in cast("Mapping[str, object]", data).items() if key not in base}
