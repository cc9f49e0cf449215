"""What a file passes on of others without naming it."""

from functools import partial
from pathlib import Path, PurePath

import pytest

from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.reporting import naming
from groundwire.operations.reporting.handed_on import (
    HandedOn,
    exported_names,
    handed_on,
    module_name,
    passed_on,
    ways_to_import,
)
from groundwire.operations.reporting.naming import LookedFor, files_with

FILE = PurePath("src/index.ts")


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("from .first import *\nfrom pkg.second import *\n", {"first", "second"}),
        ("export * from './lib';\nexport type * from \"../deep/types.js\";\n", {"lib", "types"}),
        ("pub use crate::shapes::*;\n", {"shapes"}),
        ('#include "a/base.h"\n#include <vector>\n', {"base", "vector"}),
        ("from .first import one\nexport { a } from './b';\nuse a::*;\nx = 2 * 3\n", set[str]()),
    ],
)
def test_what_is_passed_on_as_a_whole_is_known_by_the_last_part_of_its_name(text: str, modules: set[str]) -> None:
    assert passed_on(text) == modules


def test_only_what_differs_matters() -> None:
    before, after = "export * from './a';\nexport * from './b';\n", "export * from './b';\nexport * from './c';\n"
    assert handed_on(FILE, before, after) == HandedOn(frozenset("ac"), frozenset("a"), is_itself=False)
    assert handed_on(FILE, before, before) == HandedOn()


def test_nobody_gets_anything_through_a_file_that_is_not_included() -> None:
    assert handed_on(PurePath("a.cpp"), "#include <vector>\n", "") == HandedOn()
    assert handed_on(PurePath("a.h"), "#include <vector>\n", "").gone == {"vector"}


@pytest.mark.parametrize(
    ("before", "after", "is_another"),
    [
        ("export default one;\n", "export default two;\n", True),
        ("export default one;\n", "", True),
        ("export default function one() {}\n", "export function one() {}\n", True),
        ("export default function one() {}\n", "export default function one(a: string) {}\n", False),
        ("export default one;\nconst a = 1;\n", "export default one;\nconst a = 2;\n", False),
        ("module.exports = one;\nexports.x = 1;\n", "module.exports = two;\nexports.x = 1;\n", True),
    ],
)
def test_a_module_stands_for_something_else_when_its_default_does(before: str, after: str, is_another: bool) -> None:
    assert handed_on(FILE, before, after).is_itself is is_another


def test_a_file_is_imported_by_its_name_or_that_of_its_directory() -> None:
    assert module_name(PurePath("a/lib.d.ts")) == "lib"
    assert module_name(PurePath("pkg/__init__.py")) == "pkg"
    assert ways_to_import(PurePath("a/lib.ts")) == {"lib"}
    assert ways_to_import(PurePath("a/index.ts")) == {"a", "."}


def names(folder: Path, looked_for: LookedFor) -> tuple[set[str], str]:
    found = files_with([folder], looked_for)
    return {file.name for file in found.files}, found.doubt


def put(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, "utf-8")


def looking(*, modules: str = "", sources: str = "", gone: str = "") -> LookedFor:
    none, py = frozenset[str](), frozenset({".py"})
    return LookedFor(none, none, py, *(frozenset(filter(None, [each])) for each in (modules, sources, gone)))


def test_who_names_what_a_module_has_is_found_through_all_that_it_passes_on(tmp_path: Path) -> None:
    put(tmp_path, stars="from deep import *\n\n\ndef starred():\n    local = 1\n", deep="class Deep:\n    member = 1\n")
    put(tmp_path, one="x = starred()\n", two="y = Deep()\n", three="local = member\n")
    assert names(tmp_path, looking(sources="stars", gone="stars"))[0] == {"stars.py", "deep.py", "one.py", "two.py"}


def test_where_nobody_knows_what_was_passed_on_few_files_are_all_looked_at(tmp_path: Path) -> None:
    put(tmp_path, one="x = 1\n", two="y = 1\n")
    assert names(tmp_path, looking(sources="elsewhere", gone="elsewhere")) == ({"one.py", "two.py"}, "")


def test_few_files_are_all_only_where_the_walk_has_seen_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, one="x = 1\n", two="y = 1\n")
    monkeypatch.setattr(naming, "WorkspaceFiles", partial(WorkspaceFiles, most_entries=1))
    assert names(tmp_path, looking(sources="elsewhere", gone="elsewhere"))[1]


def test_where_nobody_knows_what_was_passed_on_and_there_are_many_files_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, **{f"file{number}": "x = 1\n" for number in range(60)})
    files, doubt = names(tmp_path, looking(sources="elsewhere", gone="elsewhere"))
    assert not files
    assert "elsewhere" in doubt


def test_a_module_is_looked_for_where_it_is_imported(tmp_path: Path) -> None:
    put(tmp_path, one="import json\n", two="from a import (\n    b,\n    json,\n)\n", three="json = 1\nprint(json)\n")
    put(tmp_path, four="from . import x\n")
    assert names(tmp_path, looking(modules="json"))[0] == {"one.py", "two.py"}


@pytest.mark.parametrize(
    "line",
    [
        "from a import f",
        "from .a import f",
        "from . import a",
        "from pkg.a import *",
        "import a as b",
        'import { f } from "./a";',
        "import {\n  f,\n} from '../a.js';",
        'export * from "./a";',
        'const { f } = require("./a");',
        'vi.mock(\n  "./a",\n);',
        '#include "deep/a.h"',
        "#include <a.hpp>",
        "mod a;",
        "use crate::a::f;",
        "use crate::{\n    a::f,\n};",
        "fn b() { super::a::f() }",
        'import "example.test/sample/a"',
        'import (\n\t"fmt"\n\t_ "example.test/sample/a"\n)',
    ],
)
def test_a_module_with_a_short_name_is_found_however_it_is_imported(line: str, tmp_path: Path) -> None:
    put(tmp_path, one=f"{line}\n", two='x.a = a + f(a)\nprint("a/b", "ab/a b")\n')
    assert names(tmp_path, looking(modules="a"))[0] == {"one.py"}


def test_who_gets_a_module_through_those_that_pass_on_all_of_it_imports_it_too(tmp_path: Path) -> None:
    put(tmp_path, one="from a import *\n", two="from one import *\n", three="from two import f\n", four="import b\n")
    assert names(tmp_path, looking(modules="a"))[0] == {"one.py", "two.py", "three.py"}


def test_an_edit_of_more_modules_than_are_followed_is_searched_all_the_same(tmp_path: Path) -> None:
    many = frozenset(f"m{number}" for number in range(60))
    put(tmp_path, star="from m1 import *\n", direct="import m7\n", through="from star import new\n", other="x = 1\n")
    changed = looking()._replace(modules=many)
    assert names(tmp_path, changed) == ({"star.py", "direct.py", "through.py"}, "")
    offered = looking()._replace(offered=frozenset({"new"}), offering=many)
    assert names(tmp_path, offered) == ({"through.py"}, "")
    (tmp_path / "star.py").unlink()
    assert names(tmp_path, changed) == ({"direct.py"}, "")
    assert names(tmp_path, offered) == (set(), "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("export const one = 1;\nconst two = 2;\n", {"one"}),
        ("export async function* one() {}\nexport declare namespace two {}\n", {"one", "two"}),
        ("const one = 1;\nexport {\n  one,\n  one as two,\n};\n", {"one", "two"}),
        ("export default one;\nexported = 1\n", set[str]()),
    ],
)
def test_what_a_module_exports_is_known_by_its_names(text: str, names: set[str]) -> None:
    assert exported_names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "export * from './mod';\n",
        "import * as all from './mod';\n",
        "export * as all from './mod/index.js';\n",
        "const all = await import('./mod');\n",
        "type All = typeof import('./mod');\n",
        "const all = require('./mod');\n",
    ],
)
def test_who_has_all_of_a_module_is_found_when_it_offers_more(text: str, tmp_path: Path) -> None:
    put(tmp_path, whole=text, other="import { one } from './mod';\n")
    looked_for = looking()._replace(offered=frozenset({"two"}), offering=frozenset({"mod"}))
    assert names(tmp_path, looked_for) == ({"whole.py"}, "")
