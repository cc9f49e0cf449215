"""The files of a workspace that people edit."""

from pathlib import Path, PurePath

from groundwire.operations.files.workspace_files import WorkspaceFiles, is_below_tools


def write(directory: Path, *names: str) -> None:
    for name in names:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text("x\n", "utf-8")


def names(directory: Path) -> list[str]:
    return [file.relative_to(directory).as_posix() for file in WorkspaceFiles(directory)]


def test_files_come_from_the_top_down_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, "z.py", "b/c/d.py", "b/a.py", "a.py")
    assert names(tmp_path) == ["a.py", "z.py", "b/a.py", "b/c/d.py"]


def test_what_tools_made_what_is_ignored_and_what_is_linked_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "node_modules/x.js", ".venv/x.py", "out/x.py", "deep/made.py")
    (tmp_path / ".gitignore").write_text("out/\nmade.py\n", "utf-8")
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert names(tmp_path) == [".gitignore", "a.py"]


def test_a_walk_that_was_cut_short_says_so(tmp_path: Path) -> None:
    write(tmp_path, *(f"{number}.py" for number in range(9)))
    walk = WorkspaceFiles(tmp_path, most_entries=5)
    assert len(list(walk)) == 5
    assert walk.note == "only the first 5 names were looked at"


def test_a_file_below_a_directory_of_tools_is_told_by_its_path() -> None:
    assert is_below_tools(PurePath("web/node_modules/x/index.js"))
    assert not is_below_tools(PurePath("src/.hidden.py"))


def test_a_thorough_walk_gives_what_compilers_see_and_nothing_that_was_built_or_installed(tmp_path: Path) -> None:
    seen = ["a.py", "deep/made.py", "gen/x.py", "src/build/x.py"]
    write(tmp_path, *seen, "node_modules/x.js", ".venv/x.py", "env/pyvenv.cfg", "env/x.py", "vendor/x.py")
    write(tmp_path, "dist/x.py", "deep/build/made.py", "deep/target/kept.py")
    (tmp_path / ".gitignore").write_text("/dist\nmade.py\ngen/\nenv\n", "utf-8")
    found = (file.relative_to(tmp_path).as_posix() for file in WorkspaceFiles(tmp_path, is_thorough=True))
    assert sorted(found) == [".gitignore", "a.py", "deep/made.py", "deep/target/kept.py", "gen/x.py", "src/build/x.py"]
