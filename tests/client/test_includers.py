"""Who includes a changed file, found by reading."""

from pathlib import Path

from groundwire.client.includers import Included, Includers, Inclusion, find_includers

PATTERN = r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]'


def lay_out(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(root: Path, *changed: str, known: Included | None = None) -> Includers:
    inclusion = Inclusion(root, PATTERN, {".c", ".h"}, 1_000_000)
    return find_includers(inclusion, [str(root / each) for each in changed], known or {})


def names(root: Path, found: Includers) -> list[str]:
    assert found.files is not None
    return [Path(path).relative_to(root).as_posix() for path in found.files]


def test_those_who_include_a_file_are_found_and_those_who_include_them(tmp_path: Path):
    lay_out(
        tmp_path,
        {
            "lib/a.h": "",
            "b.h": '#pragma once\n#  include "lib/a.h"\n',
            "direct.c": '#include "lib/a.h"\n',
            "through.c": "#include <b.h>\n",
            "other.c": '#include "c.h"\n// #include is not a.h\n',
        },
    )
    assert names(tmp_path, found(tmp_path, "lib/a.h")) == ["b.h", "direct.c", "through.c"]


def test_what_is_included_may_have_any_ending_and_include_others_itself(tmp_path: Path):
    lay_out(tmp_path, {"list.def": '#include "more.inc"\n', "more.inc": "", "a.c": '#include "list.def"\n', "b.c": ""})
    assert names(tmp_path, found(tmp_path, "more.inc")) == ["a.c", "list.def"]


def test_files_that_include_each_other_are_found_once(tmp_path: Path):
    lay_out(tmp_path, {"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'})
    assert names(tmp_path, found(tmp_path, "a.h")) == ["a.h", "b.h"]


def test_what_is_known_is_not_read_again_unless_it_has_changed(tmp_path: Path):
    lay_out(tmp_path, {"a.h": "", "a.c": '#include "a.h"\n', "b.c": ""})
    known = found(tmp_path, "a.h").included
    lay_out(tmp_path, {"a.c": "", "b.c": '#include "a.h"\n'})
    assert names(tmp_path, found(tmp_path, "a.h", known=known)) == ["a.c"]
    assert names(tmp_path, found(tmp_path, "a.h", "a.c", "b.c", known=known)) == ["b.c"]


def test_a_file_that_is_gone_is_still_included(tmp_path: Path):
    lay_out(tmp_path, {"a.c": '#include "gone.h"\n'})
    assert names(tmp_path, found(tmp_path, "gone.h")) == ["a.c"]


def test_directories_of_tools_are_not_looked_through(tmp_path: Path):
    lay_out(tmp_path, {".git/a.c": '#include "a.h"\n', "node_modules/x/a.c": '#include "a.h"\n', "a.h": ""})
    assert names(tmp_path, found(tmp_path, "a.h")) == []


def test_a_file_that_cannot_be_read_includes_nothing(tmp_path: Path):
    lay_out(tmp_path, {"a.h": "", "a.c": '#include "a.h"\n\0'})
    assert names(tmp_path, found(tmp_path, "a.h")) == []
