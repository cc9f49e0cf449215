"""Where a server is rooted: tiers, nearest first, never outside the workspace, never everything."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import load_catalog
from groundwire.registry.roots import find_root
from groundwire.registry.spec import ServerSpec

CARGO_WORKSPACE = '[workspace]\nmembers = ["a"]\n'


def touch(directory: Path, *names: str, text: str = "") -> None:
    for name in names:
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def known(server: str) -> ServerSpec:
    return load_catalog().servers[server]


def rooted_by(*tiers: tuple[str, ...]) -> ServerSpec:
    return ServerSpec(id="x", languages=("x",), command=("x",), roots=tiers, verified="")


def test_the_nearest_marker_is_the_root(tmp_path: Path) -> None:
    touch(tmp_path, "pyproject.toml", "svc/pyproject.toml", "svc/deep/a.py")
    assert find_root(known("ty"), tmp_path / "svc/deep/a.py", tmp_path) == (
        tmp_path / "svc",
        "the nearest pyproject.toml",
        3,
    )


def test_a_marker_of_an_earlier_tier_wins_over_a_nearer_one(tmp_path: Path) -> None:
    touch(tmp_path, "go.work", "svc/go.mod", "svc/a.go")
    assert find_root(known("gopls"), tmp_path / "svc/a.go", tmp_path)[0] == tmp_path


def test_a_later_tier_is_used_where_the_earlier_ones_have_nothing(tmp_path: Path) -> None:
    touch(tmp_path, ".git/HEAD", "svc/go.mod", "svc/a.go")
    assert find_root(known("gopls"), tmp_path / "svc/a.go", tmp_path)[0] == tmp_path / "svc"


def test_a_git_file_is_as_good_as_a_git_directory(tmp_path: Path) -> None:
    touch(tmp_path, "sub/.git", "sub/deep/a.go")
    assert find_root(known("gopls"), tmp_path / "sub/deep/a.go", tmp_path)[0] == tmp_path / "sub"


def test_a_crate_is_rooted_at_its_cargo_workspace(tmp_path: Path) -> None:
    touch(tmp_path, "Cargo.toml", text=CARGO_WORKSPACE)
    touch(tmp_path, "a/Cargo.toml", text='[package]\nname = "a"\n')
    root, why, _ = find_root(known("rust-analyzer"), tmp_path / "a/src/lib.rs", tmp_path)
    assert (root, why) == (tmp_path, "the nearest [workspace] in Cargo.toml")


def test_a_crate_that_is_its_own_cargo_workspace_is_its_own_root(tmp_path: Path) -> None:
    touch(tmp_path, "Cargo.toml", "fuzz/Cargo.toml", text=CARGO_WORKSPACE)
    assert find_root(known("rust-analyzer"), tmp_path / "fuzz/src/lib.rs", tmp_path)[0] == tmp_path / "fuzz"


def test_a_crate_without_a_cargo_workspace_is_its_own_root(tmp_path: Path) -> None:
    touch(tmp_path, ".git/HEAD", "a/Cargo.toml")
    assert find_root(known("rust-analyzer"), tmp_path / "a/src/lib.rs", tmp_path)[0] == tmp_path / "a"


def test_every_directory_of_a_cmake_project_has_the_same_root(tmp_path: Path) -> None:
    touch(tmp_path, ".git/HEAD", "CMakeLists.txt", "lib/CMakeLists.txt")
    assert find_root(known("clangd"), tmp_path / "lib/a.cpp", tmp_path)[0] == tmp_path


def test_a_marker_may_be_a_path(tmp_path: Path) -> None:
    touch(tmp_path, "p/build/compile_commands.json", "p/src/a.c")
    assert find_root(known("clangd"), tmp_path / "p/src/a.c", tmp_path)[0] == tmp_path / "p"


def test_a_marker_may_be_a_glob(tmp_path: Path) -> None:
    touch(tmp_path, "p/app.sln", "p/src/a.cs")
    root = find_root(rooted_by(("*.sln",)), tmp_path / "p/src/a.cs", tmp_path)
    assert root == (tmp_path / "p", "the nearest *.sln", 1)


def test_a_marker_may_be_a_key_of_a_json_file(tmp_path: Path) -> None:
    touch(tmp_path, "package.json", text='{"workspaces": ["packages/*"]}')
    touch(tmp_path, "packages/a/package.json", text='{"name": "a"}')
    root, why, _ = find_root(known("tsc"), tmp_path / "packages/a/a.ts", tmp_path)
    assert (root, why) == (tmp_path, "the nearest workspaces in package.json")


def test_a_json_file_that_is_broken_or_no_table_is_no_marker(tmp_path: Path) -> None:
    touch(tmp_path, "a/package.json", text='{"workspaces"')
    touch(tmp_path, "b/package.json", text='["workspaces"]')
    spec = rooted_by(("package.json:workspaces",))
    assert find_root(spec, tmp_path / "a/x", tmp_path)[0] == tmp_path
    assert find_root(spec, tmp_path / "b/x", tmp_path)[0] == tmp_path


def test_a_solution_goes_before_the_project_in_it(tmp_path: Path) -> None:
    touch(tmp_path, "app.slnx", "src/web/web.csproj", "src/web/Program.cs")
    for server in ("roslyn", "csharp-ls", "omnisharp"):
        assert find_root(known(server), tmp_path / "src/web/Program.cs", tmp_path)[0] == tmp_path


def test_a_table_marker_in_a_file_that_is_not_toml_does_not_count(tmp_path: Path) -> None:
    touch(tmp_path, "p/pyproject.toml", text="[tool.ty\n")
    root, why, _ = find_root(rooted_by(("pyproject.toml:tool.ty",)), tmp_path / "p/a.py", tmp_path)
    assert (root, why) == (tmp_path, "the workspace, for no marker lies in it")


def test_a_marker_above_the_workspace_is_not_seen(tmp_path: Path) -> None:
    touch(tmp_path, "pyproject.toml", "inner/a.py")
    assert find_root(known("ty"), tmp_path / "inner/a.py", tmp_path / "inner")[0] == tmp_path / "inner"


def test_a_file_outside_the_workspace_belongs_to_the_workspace(tmp_path: Path) -> None:
    touch(tmp_path, "lib/pyproject.toml", "lib/a.py", "project/b.py")
    assert find_root(known("ty"), tmp_path / "lib/a.py", tmp_path / "project")[0] == tmp_path / "project"


def test_the_home_directory_is_never_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    touch(tmp_path, ".git/HEAD", "pyproject.toml", "scripts/a.py", "b.py")
    assert find_root(known("ty"), tmp_path / "scripts/a.py", tmp_path)[0] == tmp_path / "scripts"
    with pytest.raises(InvalidArgument):
        find_root(known("ty"), tmp_path / "b.py", tmp_path)


def test_the_top_of_the_file_system_is_never_a_root(tmp_path: Path) -> None:
    top = Path(tmp_path.anchor)
    file = tmp_path / "a.x"
    assert find_root(rooted_by(("no-such-marker",)), file, top)[0] == tmp_path
