"""Edits whose harm is done in files that name nothing of what was edited: types are passed on, file by file."""

from tests.real.planted_edits import Edit, Planted

_PYTHON = Planted(
    {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
        "base.py": """class Base:
    def size(self):
        return hidden()


def hidden():
    return 1


def number():
    return 1


def written() -> int:
    return len("four")
""",
        "middle.py": """from base import Base, number, written


def passed_on():
    return number()


class Kept(Base):
    def __init__(self):
        self.held = (
            number()
        )

    def twice(self):
        return number()

    def grow(self) -> str:
        return ""


def counted() -> int:
    return written()


CONSTANT = number()
""",
        "far.py": """from middle import Kept


def make() -> Kept:
    return Kept()
""",
        "plan.py": """from abc import ABC, abstractmethod


class Plan(ABC):
    @abstractmethod
    def run(self) -> None: ...
""",
        "shapes.py": """from typing import Protocol


class Growing(Protocol):
    def grow(self) -> str: ...
""",
        "done.py": """from plan import Plan


class Done(Plan):
    def run(self) -> None:
        return None
""",
        "fit.py": """from done import Done
from middle import Kept
from shapes import Growing

needed: Growing = Kept()
done = Done()
""",
        "end.py": """from far import make
from middle import CONSTANT, counted, passed_on

first: int = passed_on()
second: int = make().held
third: int = make().twice()
fourth: int = make().size()
fifth: int = CONSTANT
sixth: int = counted()
""",
        "source.py": """from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FLAG: Final = True

state = 0


def match(value: int) -> int:
    return value


def change() -> None:
    global state
    state = 1


def pair() -> tuple[int, int]:
    return 1, 2


@contextmanager
def lasting() -> Iterator[int]:
    yield int("1")


def kept(function):
    return function
""",
        "asides.py": """from source import FLAG, kept, lasting, match as renamed, pair

if FLAG:
    chosen = 1
else:
    chosen = "one"

with lasting() as held:
    pass

first, second = pair()


@kept
def decorated() -> int:
    return 1
""",
        "behind.py": """from asides import chosen, decorated, held, renamed, second
from source import state

one: int = chosen
two: int = held
three: int = second
four: int = decorated()
five: int = renamed(1)
six: int = state
""",
    },
    (
        Edit("source.py", "FLAG: Final = True", "FLAG: Final = False"),
        Edit("source.py", "    state = 1", '    state = "one"'),
        Edit("source.py", "value: int) -> int:\n    return value", "value: int) -> str:\n    return str(value)"),
        Edit("source.py", "def match(value: int) -> int:\n    return value\n\n\n", ""),
        Edit("source.py", "tuple[int, int]:\n    return 1, 2", 'tuple[int, str]:\n    return 1, "two"'),
        Edit("source.py", 'Iterator[int]:\n    yield int("1")', 'Iterator[str]:\n    yield "1"'),
        Edit("source.py", "return function", 'return "function"'),
        Edit("source.py", "state = 0\n\n\ndef match", "state = 0\nraise SystemExit\n\n\ndef match"),
        Edit("base.py", "def number():\n    return 1", 'def number():\n    return "one"'),
        Edit("base.py", "def hidden():\n    return 1", 'def hidden():\n    return "one"'),
        Edit("base.py", "class Base:\n    def size(self):\n        return hidden()", "class Base:\n    size = 1"),
        Edit("base.py", 'len("four")', 'len("three")'),
        Edit("middle.py", "class Kept(Base):", "class Kept:"),
        Edit("middle.py", '    def grow(self) -> str:\n        return ""\n', ""),
        Edit(
            "plan.py",
            "class Plan(ABC):\n",
            "class Plan(ABC):\n    @abstractmethod\n    def stop(self) -> None: ...\n\n",
        ),
        Edit("base.py", "class Base:\n", "class Base:\n    def grow(self) -> int:\n        return 1\n\n"),
    ),
    "#",
    broken="behind.py",
)

_TYPESCRIPT = Planted(
    {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"noEmit": true, "target": "es2022", "lib": ["es2022"], "types": []}, "include": ["*.ts"]}',
        "base.ts": """export class Base {
  size() {
    return hidden();
  }
}

function hidden() {
  return 1;
}

export function number() {
  return 1;
}

export function written(): number {
  return "four".length;
}

export type Id = number;
""",
        "middle.ts": """import { Base, Id, number, written } from "./base";

export function passedOn() {
  return number();
}

export class Kept extends Base {
  held = number();

  twice() {
    return number();
  }

  grow(): string {
    return "";
  }
}

export const arrow = () => number();

export const constant = number();

export function counted(): number {
  return written();
}

export function named(id: Id): boolean {
  return String(id) === "";
}

export const table = {
  entry() {
    return number();
  },
};
""",
        "far.ts": """import { Kept } from "./middle";

export function make() {
  return new Kept();
}
""",
        "plan.ts": """export abstract class Plan {
  abstract run(): void;
}
""",
        "shapes.ts": """export interface Growing {
  grow(): string;
}
""",
        "done.ts": """import { Plan } from "./plan";

export class Done extends Plan {
  run(): void {}
}
""",
        "fit.ts": """import { Kept } from "./middle";
import type { Growing } from "./shapes";

export const needed: Growing = new Kept();
""",
        "end.ts": """import { make } from "./far";
import { arrow, constant, counted, named, passedOn, table } from "./middle";

export const first: number = passedOn();
export const second: number = make().held;
export const third: number = make().twice();
export const fourth: number = make().size();
export const fifth: number = constant;
export const sixth: number = counted();
export const seventh: number = arrow();
export const eighth: number = table.entry();
export const ninth = named(1);
""",
    },
    (
        Edit("base.ts", "function number() {\n  return 1;", 'function number() {\n  return "one";'),
        Edit("base.ts", "function hidden() {\n  return 1;", 'function hidden() {\n  return "one";'),
        Edit("base.ts", "type Id = number", "type Id = string"),
        Edit("base.ts", '"four".length', '"three".length'),
        Edit("middle.ts", "class Kept extends Base {", "class Kept {"),
        Edit("middle.ts", '  grow(): string {\n    return "";\n  }\n', ""),
        Edit("plan.ts", "  abstract run(): void;\n", "  abstract run(): void;\n  abstract stop(): void;\n"),
        Edit("base.ts", "class Base {\n", "class Base {\n  grow(): number {\n    return 1;\n  }\n"),
    ),
    "//",
)

_GO = Planted(
    {
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "base/base.go": "package base\n\nfunc Number() int {\n\treturn 1\n}\n\nfunc Written() int {\n\treturn 2\n}\n",
        "middle/middle.go": """package middle

import "example.test/sample/base"

var Held = base.Number()

var Counter = base.Written

type Box struct{}

var Made = Box{}

func Counted() int {
	return base.Written()
}
""",
        "parts/parts.go": """package parts

type Part struct{}

func (p Part) Run() int {
	return 1
}
""",
        "whole/whole.go": 'package whole\n\nimport "example.test/sample/parts"\n\ntype Whole struct{ parts.Part }\n',
        "shapes/shapes.go": "package shapes\n\ntype Runner interface{ Run() int }\n",
        "fit/fit.go": """package fit

import (
	"example.test/sample/shapes"
	"example.test/sample/whole"
)

var _ shapes.Runner = whole.Whole{}
""",
        "end/end.go": """package end

import "example.test/sample/middle"

var First int = middle.Held

var Second = middle.Counted() + 1

var Third func() int = middle.Counter
""",
    },
    (
        Edit("base/base.go", "Number() int {\n\treturn 1", 'Number() string {\n\treturn "one"'),
        Edit("base/base.go", "return 2", "return 3"),
        Edit("base/base.go", "Written()", "Written(more ...int)"),
        Edit("base/base.go", "Number()", "Number(more ...int)"),
        Edit("parts/parts.go", "Run()", "Run(more ...int)"),
        Edit("parts/parts.go", "func (p Part) Run() int {\n\treturn 1\n}\n", ""),
        Edit("parts/parts.go", "Run() int {\n\treturn 1", 'Run() string {\n\treturn "one"'),
    ),
    "//",
)

INDIRECT = {
    "ty": _PYTHON,
    "pyright": _PYTHON,
    "typescript-language-server": _TYPESCRIPT,
    "tsc": _TYPESCRIPT,
    "gopls": _GO,
}
