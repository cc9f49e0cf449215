"""Which sources belong together, and what they import."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.pool.scope_packages import SourceTree
from groundwire.pool.tree import OpenGate, Tree
from groundwire.pool.watcher import DEFAULT_SKIP


def tree(root: Path, files: Mapping[str, str]) -> SourceTree:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    seen = Tree(str(root), DEFAULT_SKIP, OpenGate())
    seen.compare(seen.root)
    return SourceTree(root.as_posix(), {".py", ".pyi"}, lambda: seen.root)


def test_sources_are_counted_without_those_of_tools(tmp_path: Path):
    names = ("a.py", "b/c.py", "b/d/e.pyi", "b/f.txt", ".venv/g.py", "node_modules/h.py", "b/__pycache__/i.py")
    found = tree(tmp_path, dict.fromkeys(names, ""))
    assert (found.size("b/"), found.size("b/d/"), found.size("a.py")) == (2, 1, 1)
    assert found.holds_more_than(2)
    assert not found.holds_more_than(3)


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("setup.py", "setup.py"),
        ("shop/cart/items.py", "shop/"),
        ("shop/new/later.py", "shop/new/"),
        ("libs/one/src/one/deep/x.py", "libs/one/src/one/"),
        ("scripts/run.py", "scripts/"),
    ],
)
def test_a_file_belongs_to_the_outermost_package_round_it(tmp_path: Path, file: str, package: str):
    names = ("shop/__init__.py", "shop/cart/__init__.py", "shop/cart/items.py", "scripts/run.py", "setup.py")
    nested = ("libs/one/src/one/__init__.py", "libs/one/src/one/deep/__init__.py", "libs/one/src/one/deep/x.py")
    assert tree(tmp_path, dict.fromkeys((*names, *nested), "")).package_of(file) == package


def test_of_a_huge_package_only_the_part_that_a_file_is_in_counts(tmp_path: Path):
    names = [f"huge/part{part}/m{number}.py" for part in range(3) for number in range(400)]
    marks = ["huge/__init__.py", *(f"huge/part{part}/__init__.py" for part in range(3))]
    found = tree(tmp_path, dict.fromkeys((*names, *marks), ""))
    assert found.package_of("huge/part1/m3.py") == "huge/part1/"
    assert found.package_of("huge/top.py") == "huge/top.py"


def test_what_a_package_imports_is_found_by_its_text(tmp_path: Path):
    found = tree(
        tmp_path,
        {
            "shop/__init__.py": "import os, tools.text , missing\n",
            "shop/cart.py": "from money import Coin\nfrom . import other\nfrom src_only.x import y\nimport single\n",
            "shop/lazy.py": "def late():\n    from lazy.inner import thing\n# import comment\nimported = 1\n",
            "tools/__init__.py": "",
            "tools/text/__init__.py": "",
            "money/__init__.py": "",
            "comment/__init__.py": "",
            "src/src_only/__init__.py": "",
            "lazy/__init__.py": "",
            "single.py": "",
        },
    )
    assert found.imported_by("shop/") == {"tools/", "money/", "src/src_only/", "single.py", "lazy/"}


def test_a_relative_import_that_leaves_its_place_is_followed(tmp_path: Path):
    files = {"a/__init__.py": "", "a/b/__init__.py": "", "a/b/c.py": "from ...d import e\n", "d/__init__.py": ""}
    found = tree(tmp_path, {f"top/{name}": text for name, text in files.items()})
    assert found.imported_by("top/a/") == {"top/d/"}


def test_a_file_that_cannot_be_read_imports_nothing(tmp_path: Path):
    found = tree(tmp_path, {"a/__init__.py": "", "a/b.py": "import c\n", "c/__init__.py": ""})
    (tmp_path / "a/b.py").unlink()
    (tmp_path / "a/b.py").mkdir()
    assert found.imported_by("a/") == set()
    assert found.imported_by("gone.py") == set()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
@pytest.mark.timeout(10)
def test_a_pipe_that_nobody_writes_to_holds_nobody_up(tmp_path: Path):
    found = tree(tmp_path, {"one/__init__.py": "import two\n", "two/__init__.py": ""})
    (tmp_path / "one/__init__.py").unlink()
    os.mkfifo(tmp_path / "one/__init__.py")
    assert found.imported_by("one/") == set()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("import two", {"two/"}),
        ("x = 1\n\n    from  two.deep  import (\n  y)\nimport os, three\n", {"two/", "three/"}),
        ("# import two\nimportant = 2\nreimport two\nprint('import three')\n", set[str]()),
        ("from two import important\r\nimport three\r\n", {"two/", "three/"}),
    ],
)
def test_only_statements_import(tmp_path: Path, text: str, places: set[str]):
    packages = dict.fromkeys(("two/__init__.py", "three/__init__.py"), "")
    assert tree(tmp_path, {**packages, "one/__init__.py": text}).imported_by("one/") == places
