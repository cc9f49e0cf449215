"""LSP globs: a table of cases, and a slow matcher that is plainly right to compare with."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcmatch import glob as wcglob

from groundwire import errors
from groundwire.protocol.globs import Glob, compile_glob
from groundwire.protocol.lsp import FileSystemWatcher, RelativePattern, WorkspaceFolder
from tests.thoroughness import examples

ROOT = "/w"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.py", "/w/a.py", True),
        ("**/*.py", "/w/x/y/a.py", True),
        ("**/*.py", "/w/.venv/a.py", True),
        ("**/*.py", "/w/x/.a.py", True),
        ("**/*.py", "/w/a.pyi", False),
        ("**/*.py", "/elsewhere/a.py", False),
        ("**/*.py", "/w2/a.py", False),
        ("**", "/w/a/b", True),
        ("**", "/w", True),
        ("**/*", "/w/a/b", True),
        ("*.py", "/w/a.py", True),
        ("*.py", "/w/x/a.py", False),
        ("*", "/w/x/a.py", False),
        ("?.go", "/w/a.go", True),
        ("?.go", "/w/ab.go", False),
        ("?.go", "/w/.go", False),
        ("src/**/*.ts", "/w/src/a.ts", True),
        ("src/**/*.ts", "/w/src/x/y/a.ts", True),
        ("src/**/*.ts", "/w/lib/a.ts", False),
        ("src/**", "/w/src", True),
        ("**/node_modules/**", "/w/node_modules", True),
        ("**/node_modules/**", "/w/x/node_modules/y/z.js", True),
        ("**/node_modules/**", "/w/x/node_modules2/z.js", False),
        ("**/*.{ts,js}", "/w/a.js", True),
        ("**/*.{ts,js}", "/w/a.jsx", False),
        ("**/*.{ts,{js,mj{s,z}}}", "/w/a.mjz", True),
        ("{**/*.ts,**/*.js}", "/w/x/a.js", True),
        ("**/{go.mod,go.sum}", "/w/x/go.sum", True),
        ("**/{pyproject.toml}", "/w/pyproject.toml", True),
        ("**/*.{,x}", "/w/a.", True),
        ("a{b", "/w/a{b", True),
        ("a{b{c,d}", "/w/a{bd", True),
        ("example.[0-9]", "/w/example.7", True),
        ("example.[!0-9]", "/w/example.a", True),
        ("example.[!0-9]", "/w/example.7", False),
        ("[a-c]x", "/w/bx", True),
        ("[a-c]x", "/w/dx", False),
        ("(a).py", "/w/(a).py", True),
        ("a+b.py", "/w/a+b.py", True),
        ("!a", "/w/!a", True),
        ("line\nend", "/w/line\nend", True),
        ("/w/src/**", "/w/src/a/b", True),
        ("/w/src/**", "/w/src", True),
        ("/w/src/**", "/w/srcs/a", False),
        ("/w/**/*.rs", "/w/a/b.rs", True),
        ("/w/**/*.rs", "/v/a/b.rs", False),
        ("/lib/python/**", "/lib/python/x.py", True),
        ("/w/lib**", "/w/lib/x/y", True),
        ("/w/lib**", "/w/lib", True),
        ("/w/lib**", "/w/other", False),
        ("{/lib/**,**/*.py}", "/lib/x", True),
        ("{/lib/**,**/*.py}", "/w/x.py", True),
        ("{/lib/**,**/*.py}", "/v/x.py", False),
    ],
)
def test_patterns_match_as_lsp_has_it(pattern: str, path: str, expected: bool):
    assert Glob(pattern, ROOT).matches(path) is expected
    assert Glob(pattern, ROOT + "/").matches(path) is expected


def test_a_relative_pattern_without_a_base_matches_at_any_depth():
    assert Glob("**/*.py").matches("/any/where/a.py")
    assert Glob("x/*.py").matches("/any/where/x/a.py")
    assert not Glob("x/*.py").matches("/any/where/a.py")


def test_a_pattern_is_tried_below_every_base():
    glob = Glob("*.py", "/one", "/two")
    assert [glob.matches(path) for path in ("/one/a.py", "/two/a.py", "/three/a.py")] == [True, True, False]


def test_the_root_directory_can_be_a_base():
    assert Glob("**/*.py", "/").matches("/a.py")
    assert Glob("*.py", "/").matches("/a.py")


def watcher(pattern: str | RelativePattern) -> FileSystemWatcher:
    return FileSystemWatcher(pattern)


def test_a_watcher_is_relative_to_the_roots():
    glob = compile_glob(watcher("**/*.py"), ["/one", "/two"])
    assert [glob.matches(path) for path in ("/one/x/a.py", "/two/a.py", "/three/a.py")] == [True, True, False]


@pytest.mark.parametrize("base", ["file:///lib/a%20b", WorkspaceFolder("file:///lib/a%20b/", "n")])
def test_a_relative_pattern_brings_its_own_base(base: str | WorkspaceFolder):
    glob = compile_glob(watcher(RelativePattern(base, "**/*.py")), ["/w"])
    assert glob.matches("/lib/a b/x.py")
    assert not glob.matches("/w/x.py")


def test_a_root_in_front_of_a_pattern_is_no_pattern_itself():
    glob = compile_glob(watcher("/w/[old] {a}/**/*.rs"), ["/w/[old] {a}"])
    assert glob.matches("/w/[old] {a}/src/x.rs")
    assert not glob.matches("/w/o a/src/x.rs")


@pytest.mark.parametrize("pattern", ["/w**", "/w/**", "/w/**/*", "/w/"])
def test_the_whole_root_is_watched_with_or_without_the_slash(pattern: str):
    glob = compile_glob(watcher(pattern), ["/w/nested", "/w"])
    assert glob.matches("/w/a/b") is (pattern != "/w/")
    assert not glob.matches("/wider/a")


def test_an_absolute_pattern_outside_the_roots_stands_for_itself():
    assert compile_glob(watcher("/lib/**/*.py"), ["/w"]).matches("/lib/x/a.py")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/*.PY", "c:/W/x/a.py"),
        ("C:\\w\\**\\*.py", "c:\\W\\a.py"),
        ("c:/w/**", "C:/w/x/y"),
        ("D:/lib/**", "d:\\LIB\\x"),
        ("C:/w**", "C:/w/x"),
    ],
)
def test_windows_paths_match_whatever_their_case_and_slashes(pattern: str, path: str):
    assert compile_glob(watcher(pattern), ["C:\\w"], windows=True).matches(path)


def test_too_many_alternatives_are_refused():
    with pytest.raises(errors.InvalidArgument, match="alternatives"):
        Glob("{a,b}" * 30)


def test_a_glob_shows_what_it_is():
    assert repr(Glob("**/*.py", "/w/")) == "Glob('**/*.py', '/w')"


segments = st.text(alphabet="ab.?*", min_size=1, max_size=4).filter(lambda s: "**" not in s and s not in {".", ".."})
braces = st.lists(st.text(alphabet="ab*", max_size=2).filter(lambda s: "**" not in s), min_size=1, max_size=3).map(
    lambda options: "{" + ",".join(options) + "}"
)
patterns = st.lists(st.one_of(st.just("**"), segments, st.builds("a{}b".format, braces)), min_size=1, max_size=4).map(
    "/".join
)
paths = st.lists(st.text(alphabet="ab.", min_size=1, max_size=4).filter(lambda s: s.strip(".")), min_size=1, max_size=4)


def expand(pattern: str) -> list[str]:
    group = re.search(r"\{([^{}]*)\}", pattern)
    if group is None:
        return [pattern]
    return [
        each
        for option in group[1].split(",")
        for each in expand(pattern[: group.start()] + option + pattern[group.end() :])
    ]


@cache
def segment_matches(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(segment_matches(pattern[1:], name[cut:]) for cut in range(len(name) + 1))
    return bool(name) and pattern[0] in {"?", name[0]} and segment_matches(pattern[1:], name[1:])


def naive_match(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        return any(naive_match(pattern[1:], path[cut:]) for cut in range(len(path) + 1))
    return bool(path) and segment_matches(pattern[0], path[0]) and naive_match(pattern[1:], path[1:])


@settings(max_examples=examples(400))
@given(patterns, paths)
def test_matching_agrees_with_a_plain_reference(pattern: str, path: list[str]):
    alternatives = [each.split("/") for each in expand(pattern)]
    if any("**" in name and name != "**" for alternative in alternatives for name in alternative):
        return
    expected = any(naive_match(alternative, path) for alternative in alternatives)
    assert Glob(pattern, ROOT).matches("/".join([ROOT, *path])) is expected


@settings(max_examples=examples(200))
@given(patterns, paths)
def test_what_wcmatch_takes_in_is_taken_in(pattern: str, path: list[str]):
    flags = wcglob.GLOBSTAR | wcglob.BRACE | wcglob.DOTGLOB | wcglob.FORCEUNIX
    if wcglob.globmatch("/".join(path), pattern, flags=flags):
        assert Glob(pattern, ROOT).matches("/".join([ROOT, *path]))


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("**/*.rs", set[str]()),
        ("**/.cargo/config.toml", {".cargo"}),
        (".github/**", {".github"}),
        ("a/{.b,c}/[de]/f*/g/h.py", {"a", ".b", "c", "g"}),
        (".eslintrc", set[str]()),
    ],
)
def test_the_directories_that_a_pattern_names_in_full_are_known(pattern: str, names: set[str]) -> None:
    assert Glob(pattern).directory_names == names


@pytest.mark.parametrize(
    ("pattern", "bases", "directories", "files"),
    [
        ("**/*.py", ["/p"], {"/p"}, set[str]()),
        ("src/**", ["/p", "/q"], {"/p/src", "/q/src"}, set[str]()),
        ("index.ts", ["/lib"], set[str](), {"/lib/index.ts"}),
        ("/else/where/**/*.h", ["/p"], {"/else/where"}, set[str]()),
        ("{a,b}/x.toml", ["/p"], set[str](), {"/p/a/x.toml", "/p/b/x.toml"}),
        ("**/*.py", list[str](), set[str](), set[str]()),
    ],
)
def test_a_pattern_tells_where_all_that_it_matches_lies(
    pattern: str, bases: list[str], directories: set[str], files: set[str]
) -> None:
    glob = Glob(pattern, *bases)
    assert glob.directories == directories
    assert glob.files == files
