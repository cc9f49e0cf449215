"""The same little project in five languages, so that one set of questions fits every server. Above:
``test_operations``.

``Square`` is a ``Shape``; ``Square.area`` and ``total`` call ``double``, once behind an emoji.
"""

from dataclasses import dataclass

PYTHON = {
    "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
    "shapes.py": '''class Shape:
    """Anything with an area."""

    def area(self, scale: int) -> int:
        return scale


class Square(Shape):
    side = "😀"

    def area(self, scale: int) -> int:
        return double(scale, times=2)


# Twice as much.
def double(amount: int, times: int) -> int:
    return amount * times
''',
    "use.py": """from shapes import Square, double


def total(square: Square):
    first, second = "😀", double(1, 2)
    return first, square.area(second) + double(3, 4)
""",
}

TYPESCRIPT = {
    "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
    '"target": "es2022", "noEmit": true, "lib": ["es2022"], "types": []}, "include": ["src"]}\n',
    "src/shapes.ts": """/** Anything with an area. */
export interface Shape {
  area(scale: number): number;
}

export class Square implements Shape {
  side = "😀";
  area(scale: number): number {
    return double(scale, 2);
  }
}

/** Twice as much. */
export function double(amount: number, times: number): number {
  return amount * times;
}
""",
    "src/use.ts": """import { Square, double } from "./shapes";

export function total(square: Square) {
  const first = "😀", second = double(1, 2);
  return first + square.area(second) + double(3, 4);
}
""",
}

GO = {
    "go.mod": "module example.test/sample\n\ngo 1.19\n",
    "shapes/shapes.go": """package shapes

// Shape is anything with an area.
type Shape interface {
	Area(scale int) int
}

type Square struct{ side string }

func (s *Square) Area(scale int) int {
	return Double(scale, 2)
}

// Double is twice as much.
func Double(amount int, times int) int {
	return amount * times
}
""",
    "use.go": """package main

import "example.test/sample/shapes"

func total(square *shapes.Square) (string, int) {
	first, second := "😀", shapes.Double(1, 2)
	return first, square.Area(second) + shapes.Double(3, 4)
}

func main() { println(total(nil)) }
""",
}

RUST = {
    "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/shapes.rs": """/// Anything with an area.
pub trait Shape {
    fn area(&self, scale: i32) -> i32;
}

pub struct Square;

impl Shape for Square {
    fn area(&self, scale: i32) -> i32 {
        double(scale, 2)
    }
}

/// Twice as much.
pub fn double(amount: i32, times: i32) -> i32 {
    amount * times
}
""",
    "src/main.rs": """mod shapes;
use shapes::{double, Shape, Square};

fn total(square: &Square) -> i32 {
    let (_first, second) = ("😀", double(1, 2));
    square.area(second) + double(3, 4)
}

fn main() {
    println!("{}", total(&Square));
}
""",
}

_COMMANDS = ", ".join(
    f'{{"directory": "{{root}}", "file": "{name}", "command": "c++ -I. -c {name}"}}'
    for name in ("shapes.cpp", "use.cpp")
)

CPP = {
    "compile_commands.json": f"[{_COMMANDS}]\n",
    "shapes.h": """#pragma once
// Anything with an area.
struct Shape {
  virtual int area(int scale) = 0;
};
struct Square : Shape {
  const char *side = "😀";
  int area(int scale) override { return scale; }
};
int twice(int amount, int times);
""",
    "shapes.cpp": """#include "shapes.h"
// Twice as much.
int twice(int amount, int times) {
  return amount * times;
}
int area(int scale) { return twice(scale, 2); }
""",
    "use.cpp": """#include "shapes.h"
int total(Square &square) {
  const char *first = "😀"; auto second = twice(1, 2);
  return *first + square.area(second) + twice(3, 4);
}
""",
}


@dataclass(frozen=True)
class Sample:
    """One server's project and what of it the server can tell."""

    files: dict[str, str]
    library: str
    """Where ``double`` is defined."""
    types: str
    """Where ``Square`` is defined."""
    user: str
    lacks: frozenset[str] = frozenset()
    """Operations that this server does not offer."""
    double: str = "double"
    area: str = "area"
    uses: int = 4
    """Of ``double``, its import included where there is such a thing."""


_NO_LENS = frozenset({"get_code_lenses"})
_PYRIGHT_LACKS = frozenset(
    {"go_to_implementation", "type_hierarchy", "get_inlay_hints", "get_semantic_tokens", "get_folding_ranges"}
    | {"get_selection_ranges", "get_code_lenses"}
)
_TYPESCRIPT_LACKS = frozenset({"go_to_declaration", "type_hierarchy"})

SAMPLES = {
    "ty": Sample(PYTHON, "shapes.py", "shapes.py", "use.py", lacks=_NO_LENS),
    "pyright": Sample(PYTHON, "shapes.py", "shapes.py", "use.py", lacks=_PYRIGHT_LACKS),
    "typescript-language-server": Sample(
        TYPESCRIPT, "src/shapes.ts", "src/shapes.ts", "src/use.ts", lacks=_TYPESCRIPT_LACKS
    ),
    "tsc": Sample(TYPESCRIPT, "src/shapes.ts", "src/shapes.ts", "src/use.ts", lacks=_TYPESCRIPT_LACKS),
    "gopls": Sample(
        GO,
        "shapes/shapes.go",
        "shapes/shapes.go",
        "use.go",
        lacks=frozenset({"go_to_declaration"}),
        double="Double",
        area="Area",
        uses=3,
    ),
    "rust-analyzer": Sample(RUST, "src/shapes.rs", "src/shapes.rs", "src/main.rs", lacks=frozenset({"type_hierarchy"})),
    "clangd": Sample(CPP, "shapes.cpp", "shapes.h", "use.cpp", lacks=_NO_LENS, double="twice", uses=3),
}
