"""Ten thousand random calls, by every name there is, in every phase of every skill: none writes where it must not.

What is written is seen on disk, and not taken from what groundwire says of itself.
"""

import asyncio
import os
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec
import pytest

from groundwire.errors import GroundwireError, PhaseViolation
from groundwire.operations.runner import perform
from groundwire.operations.table import OPERATIONS, AnyOperation, find_operation
from groundwire.operations.workflow.phases_watch import EXEMPT, ActiveSkill, Phases
from groundwire.operations.workflow.skills import Skill, packaged_skills
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool
from tests.interaction.questions import QUESTIONS, toy_pool
from tests.thoroughness import share

CALLS = 10_000
WALKS = 4
_WAIT_S = 10.0
_LARGEST = 1_000_000
"""Bytes; no file of the project comes near."""
_NAMES = tuple(name for operation in OPERATIONS.values() for name in (operation.name, *operation.aliases))
_WRITERS = tuple(name for name in _NAMES if find_operation(name).effect == "writes")
_EXAMPLES: Mapping[str, Mapping[str, object]] = {question.operation: question.given for question in QUESTIONS}
_BY_HAND = ({"file_path": "voices.toy", "old_text": "def bark", "new_text": "def woof"}, {"symbol_path": "nobody"})
"""Arguments that fit many operations that write."""

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class Disk:
    """The files of a project, and the way back to what they were."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._texts = self._read()

    def _read(self) -> dict[str, bytes]:
        """Ten thousand times: with the simplest means there are, without paths that are more than text."""
        texts: dict[str, bytes] = {}
        waiting = [self._root]
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        texts[entry.path] = _content(entry.path)
        return texts

    def is_changed(self) -> bool:
        return self._read() != self._texts

    def restore(self) -> None:
        for file in self._read().keys() - self._texts.keys():
            Path(file).unlink()
        for file, text in self._texts.items():
            if not Path(file).exists() or Path(file).read_bytes() != text:
                Path(file).write_bytes(text)


def _content(file: str) -> bytes:
    opened = os.open(file, os.O_RDONLY)
    try:
        return os.read(opened, _LARGEST)
    finally:
        os.close(opened)


@cache
def switches(arguments: type[msgspec.Struct]) -> Mapping[str, tuple[Sequence[object], bool]]:
    """Of each argument, what may be chosen, and whether it is a switch."""
    kinds = {field.encode_name: field.type for field in msgspec.structs.fields(arguments)}
    return {
        name: (
            [choice for part in (kind, *get_args(kind)) if get_origin(part) is Literal for choice in get_args(part)],
            kind is bool or bool in get_args(kind),
        )
        for name, kind in kinds.items()
    }


def random_arguments(operation: AnyOperation, chance: random.Random) -> dict[str, object]:
    """A call that is known to be valid, or one made up, with its switches thrown at random."""
    known = switches(operation.arguments)
    start = _EXAMPLES.get(operation.name, {}) if chance.random() < 0.7 else chance.choice(_BY_HAND)
    given = {name: value for name, value in start.items() if name in known}
    for name, (choices, is_switch) in known.items():
        if choices and chance.random() < 0.5:
            given[name] = chance.choice(choices)
        elif is_switch and chance.random() < 0.6:
            given[name] = chance.random() < 0.7
    return given


def random_place(skill: Skill, chance: random.Random) -> ActiveSkill:
    return ActiveSkill(skill, "block", at=chance.randrange(len(skill.phases)), is_done=chance.random() < 0.5)


class Walk:
    """Random calls by one client."""

    def __init__(self, pool: Pool, seed: int) -> None:
        self._pool = pool
        self._chance = random.Random(seed)
        self._kept = Kept("random")
        self._disk = Disk(pool.workspace)
        self.refused = self.written = 0

    async def step(self) -> None:
        phases, chance = self._kept.get(Phases), self._chance
        if phases.active is None or chance.random() < 0.1:
            phases.active = random_place(chance.choice(list(packaged_skills().values())), chance)
        active = phases.active
        operation = find_operation(chance.choice(_NAMES if chance.random() < 0.6 else _WRITERS))
        await self._call(operation)
        if self._disk.is_changed():
            self.written += 1
            self._disk.restore()
            assert operation.name not in EXEMPT
            assert "writes" in active.phase.effects, (
                f"{operation.name} wrote in {active.skill.name}: {active.phase.name}"
            )
            assert operation.name in active.phase.allow or any(
                word.endswith("*") and operation.name.startswith(word[:-1]) for word in active.phase.allow
            )

    async def _call(self, operation: AnyOperation) -> None:
        try:
            arguments = operation.parse(random_arguments(operation, self._chance))
            await perform(self._pool, operation, arguments, wait_s=_WAIT_S, client=self._kept)
        except PhaseViolation:
            self.refused += 1
        except GroundwireError:  # valid or not, that is for the operation to say
            pass


async def walked(root: Path, seed: int) -> Walk:
    async with toy_pool(root) as pool:
        walk = Walk(pool, seed)
        for _ in range(CALLS // WALKS):
            await walk.step()
    return walk


async def test_no_random_call_writes_in_a_phase_that_forbids_it(tmp_path: Path) -> None:
    seeds = share(range(WALKS), 0)
    walks = await asyncio.gather(*(walked(tmp_path / str(seed), seed) for seed in seeds))
    assert sum(walk.refused for walk in walks) > len(seeds) * 500
    assert sum(walk.written for walk in walks) > len(seeds) * 5
