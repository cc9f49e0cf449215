"""``shapes-check FILE...``: writes what is wrong, as compilers do."""

import sys
from pathlib import Path

from groundwire_shapes.language import problem_of, shapes_in


def main() -> int:
    """1 when anything is wrong."""
    failed = False
    for name in sys.argv[1:]:
        for shape in shapes_in(Path(name).read_text("utf-8")):
            problem = problem_of(shape)
            failed = failed or bool(problem)
            if problem:
                sys.stdout.write(f"{name}:{shape.line + 1}:1: {problem}\n")
    return int(failed)
