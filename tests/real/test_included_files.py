"""Headers: those that change what their includers use, and directives that change what a header is."""

import json
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.installed import environment_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

USERS = 12
HEADER = "#pragma once\nint area(int w, int h);\nint edge(int w, int h);\n#define SIZE(x) area(x, 1)\n"
SOURCE = '#include "lib.h"\nint area(int w, int h) { return w * h; }\nint edge(int w, int h) { return w + h; }\n'


def lay_out(root: Path) -> None:
    (root / "lib.h").write_text(HEADER)
    (root / "all.h").write_text('#include "lib.h"\n')
    (root / "lib.c").write_text(SOURCE)
    for number in range(USERS):
        header = "lib.h" if number % 2 else "all.h"
        (root / f"user{number}.c").write_text(
            f'#include "{header}"\nint u{number}(void) {{ return SIZE({number}); }}\n'
        )
    files = sorted(path.name for path in root.glob("*.c"))
    commands = [{"directory": str(root), "file": name, "command": f"cc -c {name}"} for name in files]
    (root / "compile_commands.json").write_text(json.dumps(commands))


async def users_of(pool: Pool, word: str) -> tuple[Status, int]:
    line = SOURCE[: SOURCE.index(word)].count("\n") + 1
    wanted = FindReferences(file_path="lib.c", line=line, text=word, include_declaration=False)
    answer = await perform(pool, find_references, wanted, wait_s=90)
    return answer.status, len([place for place in answer.value.locations if place.file.startswith("user")])


async def test_uses_through_a_macro_follow_its_header(tmp_path: Path) -> None:
    lay_out(tmp_path)
    async with Pool(tmp_path, only=frozenset({"clangd"}), environment=environment_of("clangd")) as pool:
        assert await users_of(pool, "area") == (Status.CONFIRMED, USERS)
        assert await users_of(pool, "edge") == (Status.CONFIRMED, 0)
        (tmp_path / "lib.h").write_text(HEADER.replace("area(x, 1)", "edge(x, 1)"))
        assert await users_of(pool, "edge") == (Status.CONFIRMED, USERS)
        assert await users_of(pool, "area") == (Status.CONFIRMED, 0)


DIRECTIVES = "#pragma once\n#include <stddef.h>\n#define TWICE(x) \\\n  ((x) * 2)\n"
FUNCTION = "static inline int first(void) { return 1; }\n"
"""Nothing is declared before it, so that the directives round it are among the first."""


async def test_a_directive_that_comes_or_goes_is_judged_with_the_whole_text(tmp_path: Path) -> None:
    lay_out(tmp_path)
    header = tmp_path / "lib.h"
    async with Pool(tmp_path, only=frozenset({"clangd"}), environment=environment_of("clangd")) as pool:
        for number in range(20):
            header.write_text(DIRECTIVES + (f"#if 0\n{FUNCTION}#endif\n" if number % 2 else FUNCTION))
            answer = await check_files(pool, [header], wait_s=90)
            found = [each.message for each in answer.value[0].diagnostics if each.severity == "error"]
            assert (answer.status, found) == (Status.CONFIRMED, []), number
