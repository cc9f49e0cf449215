"""A project as an agent leaves it after each step, in several languages, from one description. Above:
``test_agent_runs``.

Every module declares one function and calls some of the others; what is wrong with it follows from the description, but
it is the language's own checker that says so.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Module:
    """``parameters`` of its function; ``calls``: which modules it calls, each with how many arguments."""

    parameters: int = 1
    calls: tuple[tuple[str, int], ...] = ()
    comments: int = 0
    """Lines above everything, which move all the rest."""
    body: int = 0
    is_broken: bool = False
    """It returns a text where a number is promised."""


@dataclass(frozen=True)
class State:
    """All modules by name."""

    modules: Mapping[str, Module] = field(default_factory=dict[str, Module])

    def with_module(self, name: str, **changes: object) -> "State":
        module = replace(self.modules[name], **changes)  # pyright: ignore[reportArgumentType]  names are given above
        return State({**self.modules, name: module})


def first_state() -> State:
    """Six modules, each of which calls the one before it."""
    names = [f"m{number}" for number in range(6)]
    calls = [(), *(((name, 1),) for name in names[:-1])]
    return State({name: Module(calls=own) for name, own in zip(names, calls, strict=True)})


def next_state(state: State, chance: random.Random, branches: list[State]) -> tuple[str, State]:
    """What the agent, or somebody else, does next, and what comes of it."""
    steps: list[Callable[[State, random.Random], State]] = [
        _change_signature, _mend_calls, _break, _fix, _wander, _write_module, _delete_module, _move_module, _reformat
    ]  # fmt: skip
    if chance.random() < 0.12:
        branch = chance.choice(branches)
        branches.append(state)
        return "checkout", branch
    step = chance.choice(steps)
    return step.__name__.strip("_"), step(state, chance)


def _some(state: State, chance: random.Random) -> str:
    return chance.choice(sorted(state.modules))


def _change_signature(state: State, chance: random.Random) -> State:
    name = _some(state, chance)
    return state.with_module(name, parameters=3 - state.modules[name].parameters)


def _mend_calls(state: State, chance: random.Random) -> State:
    name = _some(state, chance)
    calls = state.modules[name].calls
    right = tuple((callee, state.modules[callee].parameters) for callee, _ in calls if callee in state.modules)
    return state.with_module(name, calls=right)


def _break(state: State, chance: random.Random) -> State:
    return state.with_module(_some(state, chance), is_broken=True)


def _fix(state: State, chance: random.Random) -> State:
    broken = sorted(name for name, module in state.modules.items() if module.is_broken)
    return state.with_module(chance.choice(broken), is_broken=False) if broken else state


def _wander(state: State, chance: random.Random) -> State:
    name = _some(state, chance)
    return state.with_module(name, body=state.modules[name].body + 1)


def _write_module(state: State, chance: random.Random) -> State:
    callee = _some(state, chance)
    name = f"n{chance.randrange(100)}"
    if name in state.modules:
        return state
    module = Module(calls=((callee, chance.choice((1, 2))),))
    return State({**state.modules, name: module})


def _delete_module(state: State, chance: random.Random) -> State:
    name = _some(state, chance)
    return State({other: module for other, module in state.modules.items() if other != name or len(state.modules) < 4})


def _move_module(state: State, chance: random.Random) -> State:
    """Under another name; its callers go on to name the old one."""
    name, new = _some(state, chance), f"v{chance.randrange(100)}"
    return State({(new if other == name else other): module for other, module in state.modules.items()})


def _reformat(state: State, chance: random.Random) -> State:
    """All files at once, from outside."""
    lines = chance.randrange(3)
    return State({name: replace(module, comments=lines) for name, module in state.modules.items()})


def python_files(state: State) -> dict[str, str]:
    return {f"{name}.py": _python(name, module) for name, module in state.modules.items()}


def _python(name: str, module: Module) -> str:
    names = ", ".join(f"p{number}: int" for number in range(module.parameters))
    lines = [
        *["# moved"] * module.comments,
        *[f"from {callee} import {callee}_of" for callee, _ in module.calls],
        "",
        f"def {name}_of({names}) -> int:",
        *[f"    {callee}_of({_ones(count)})" for callee, count in module.calls],
        *[f"    step{number} = {number}" for number in range(module.body)],
        '    return "text"' if module.is_broken else "    return 1",
    ]
    return "\n".join(lines) + "\n"


def typescript_files(state: State) -> dict[str, str]:
    return {f"src/{name}.ts": _typescript(name, module) for name, module in state.modules.items()}


def _typescript(name: str, module: Module) -> str:
    names = ", ".join(f"p{number}: number" for number in range(module.parameters))
    lines = [
        *["// moved"] * module.comments,
        *[f'import {{ {callee}_of }} from "./{callee}";' for callee, _ in module.calls],
        "",
        f"export function {name}_of({names}): number {{",
        *[f"  {callee}_of({_ones(count)});" for callee, count in module.calls],
        *[f"  const step{number} = {number};" for number in range(module.body)],
        '  return "text";' if module.is_broken else "  return 1;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def go_files(state: State) -> dict[str, str]:
    return {f"{name}.go": _go(name, module) for name, module in state.modules.items()}


def _go(name: str, module: Module) -> str:
    names = ", ".join(f"p{number} int" for number in range(module.parameters))
    lines = [
        *["// moved"] * module.comments,
        "package runs",
        "",
        f"func {name}_of({names}) int {{",
        *[f"\t{callee}_of({_ones(count)})" for callee, count in module.calls],
        *[f"\tvar _ = {number}" for number in range(module.body)],
        '\treturn "text"' if module.is_broken else "\treturn 1",
        "}",
    ]
    return "\n".join(lines) + "\n"


def rust_files(state: State) -> dict[str, str]:
    modules = "".join(f"pub mod {name};\n" for name in sorted(state.modules))
    return {"src/lib.rs": modules, **{f"src/{name}.rs": _rust(name, each) for name, each in state.modules.items()}}


def _rust(name: str, module: Module) -> str:
    names = ", ".join(f"_p{number}: i32" for number in range(module.parameters))
    lines = [
        *["// moved"] * module.comments,
        f"pub fn {name}_of({names}) -> i32 {{",
        *[f"    crate::{callee}::{callee}_of({_ones(count)});" for callee, count in module.calls],
        *[f"    let _step{number} = {number};" for number in range(module.body)],
        '    "text"' if module.is_broken else "    1",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _ones(count: int) -> str:
    return ", ".join(["1"] * count)
