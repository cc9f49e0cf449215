"""Who supplied a program; and that asking runs nothing of a hostile repository."""

import os
import sys
from pathlib import Path

import pytest

from groundwire.pool.program_gate import ProgramGate
from groundwire.pool.provenance import executable_origin, fingerprint
from groundwire.registry.binaries import Found, Missing, find_command
from groundwire.registry.catalog import load_catalog
from tests.pool.repositories import SYSTEM, Project

TSC = load_catalog().servers["tsc"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/bin/python"))
    return Project(tmp_path)


def by(project: Project, file: Path) -> str:
    return executable_origin(file, project.workspace, project.environment).by


def test_what_version_control_tracks_came_with_the_project(project: Project) -> None:
    tool = project.program("node_modules/.bin/tsc")
    project.commit()
    assert by(project, tool) == "project"


@pytest.mark.parametrize("ignore", ["", "node_modules\n"])
def test_what_is_untracked_or_ignored_is_the_users_own(project: Project, ignore: str) -> None:
    project.write(".gitignore", ignore)
    project.commit()
    assert by(project, project.program("node_modules/.bin/tsc")) == "user"


def test_what_is_ignored_and_tracked_all_the_same_came_with_the_project(project: Project) -> None:
    project.write(".gitignore", "node_modules\n")
    tool = project.program("node_modules/.bin/tsc")
    project.commit()
    assert by(project, tool) == "project"


@pytest.mark.parametrize(
    ("tracked", "own"),
    [
        ("node_modules/plugin/index.js", "node_modules/.bin/tsc"),
        (".venv/lib/python3.11/site-packages/evil.pth", ".venv/bin/python"),
        (".venv/bin/node", ".venv/bin/python"),
        (".conda/bin/git", ".conda/bin/python"),
    ],
)
def test_one_tracked_file_makes_a_whole_directory_of_tools_the_projects(
    project: Project, tracked: str, own: str
) -> None:
    project.write(tracked, "")
    project.commit()
    assert by(project, project.program(own)) == "project"


def test_what_was_unpacked_inside_a_repository_that_knows_nothing_of_it_is_not_the_users_own(project: Project) -> None:
    project.write("notes/x", "")
    project.commit()
    project.write("downloads/thing/a.py", "")
    tool = project.program("downloads/thing/.venv/bin/ty")
    assert by(project, tool) == "project"
    project.git("add", "downloads/thing/a.py")
    assert by(project, tool) == "user"


def test_without_version_control_everything_came_with_the_project(project: Project) -> None:
    assert by(project, project.program("node_modules/.bin/tsc")) == "project"


def test_without_git_nobody_can_be_asked(project: Project) -> None:
    project.commit()
    tool = project.program("node_modules/.bin/tsc")
    project.environment["PATH"] = ""
    assert by(project, tool) == "project"


def test_what_lies_outside_is_the_users_own(project: Project) -> None:
    assert by(project, Path("/bin/sh")) == "user"


def test_a_link_to_a_tracked_file_is_the_projects(project: Project) -> None:
    target = project.program("scripts/tool")
    project.commit()
    link = project.workspace / ".venv/bin/ty"
    link.parent.mkdir(parents=True)
    link.symlink_to(target)
    assert by(project, link) == "project"


def test_a_tracked_link_is_the_projects_wherever_it_leads(project: Project) -> None:
    link = project.workspace / "node_modules/.bin/tsc"
    link.parent.mkdir(parents=True)
    link.symlink_to("/bin/sh")
    project.commit()
    assert by(project, link) == "project"


def test_an_own_link_to_an_own_program_is_the_users(project: Project) -> None:
    project.commit()
    link = project.workspace / ".venv/bin/python"
    link.parent.mkdir(parents=True)
    link.symlink_to("/bin/sh")
    assert by(project, link) == "user"


def test_a_tracked_link_in_place_of_a_directory_is_the_projects(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside/.bin"
    outside.mkdir(parents=True)
    (outside / "tsc").write_text("#!/bin/sh\n", "utf-8")
    (project.workspace / "node_modules").symlink_to(tmp_path / "outside")
    project.commit()
    assert by(project, project.workspace / "node_modules/.bin/tsc") == "project"


def test_links_in_a_circle_are_no_crash(project: Project) -> None:
    project.commit()
    (project.workspace / "a").symlink_to("b")
    (project.workspace / "b").symlink_to("a")
    assert by(project, project.workspace / "a") in ("user", "project")


def test_a_workspace_that_is_a_part_of_a_repository_is_judged_by_it(project: Project) -> None:
    project.program("packages/a/node_modules/.bin/tsc")
    project.commit()
    project.program("packages/a/.venv/bin/own")
    project.workspace = project.workspace / "packages/a"
    assert by(project, project.workspace / "node_modules/.bin/tsc") == "project"
    assert by(project, project.workspace / ".venv/bin/own") == "user"


def test_a_repository_above_that_knows_nothing_of_the_workspace_is_not_asked(project: Project) -> None:
    project.commit()
    project.workspace = project.workspace / "downloads/thing"
    project.workspace.mkdir(parents=True)
    assert by(project, project.program("node_modules/.bin/tsc")) == "project"


def test_a_submodule_answers_for_what_is_in_it(project: Project, tmp_path: Path) -> None:
    inner = Project(tmp_path, "inner")
    inner.program("node_modules/.bin/tsc")
    inner.commit()
    project.commit()
    project.git("-c", "protocol.file.allow=always", "submodule", "add", str(inner.workspace), "sub")
    project.commit()
    assert by(project, project.workspace / "sub/node_modules/.bin/tsc") == "project"
    assert by(project, project.program("sub/.venv/bin/own")) == "user"


@pytest.mark.parametrize("name", [":(exclude)x", "*", "[a]", "-x", "ü", "a\nb"])
def test_strange_names_are_taken_as_they_are(project: Project, name: str) -> None:
    tracked = project.program(f"tools/{name}")
    project.commit()
    assert by(project, tracked) == "project"
    assert by(project, project.program(f"other/{name}")) == "user"


def plant_traps(project: Project) -> None:
    """Everything in a git configuration that is known to run a command."""
    trap = project.program(".git/trap")
    for key in ("core.fsmonitor", "core.pager", "pager.ls-files", "core.sshCommand", "core.editor", "core.askPass"):
        project.git("config", key, str(trap))
    project.git("config", "alias.ls-files", f"!{trap}")
    project.git("config", "filter.x.clean", str(trap))
    project.git("config", "filter.x.smudge", str(trap))
    project.git("config", "diff.external", str(trap))
    hooks = project.workspace / ".git/hooks"
    for hook in ("post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"):
        (hooks / hook).write_text(f"#!/bin/sh\n: > '{project.mark}'\n", "utf-8")
        (hooks / hook).chmod(0o755)
    project.mark.unlink(missing_ok=True)


def test_asking_runs_nothing_of_a_hostile_repository(project: Project) -> None:
    project.write(".gitattributes", "* filter=x diff=x\n")
    tool = project.program("node_modules/.bin/tsc")
    project.commit()
    plant_traps(project)
    os.utime(tool)  # so that git would want to look again
    assert by(project, tool) == "project"
    fingerprint(tool, project.workspace, project.environment)
    own = project.program(".venv/bin/own")
    assert by(project, own) == "user"
    project.request()
    assert not project.was_run()


def test_the_traps_would_have_worked(project: Project) -> None:
    project.commit()
    plant_traps(project)
    project.git("status")
    assert project.was_run()


def test_a_bare_repository_inside_the_project_is_not_asked(project: Project) -> None:
    project.commit()
    inner = project.workspace / "inner"
    inner.mkdir()
    project.git("init", "--bare", ".", cwd=inner)
    trap = project.program("trap")
    project.git("config", "core.worktree", str(inner), cwd=inner)
    project.git("config", "core.bare", "false", cwd=inner)
    project.git("config", "core.fsmonitor", str(trap), cwd=inner)
    project.program("inner/tool")
    project.mark.unlink(missing_ok=True)
    assert by(project, inner / "tool") == "project"
    assert not project.was_run()


def test_a_git_that_the_project_brings_along_is_not_used(project: Project) -> None:
    project.commit()
    project.program("node_modules/.bin/git")
    own = project.program("node_modules/.bin/own")
    project.environment["PATH"] = f"{project.workspace}/node_modules/.bin:.:{SYSTEM}"
    assert by(project, own) == "user"
    assert not project.was_run()


def test_variables_cannot_point_to_another_repository(project: Project, tmp_path: Path) -> None:
    tool = project.program("node_modules/.bin/tsc")
    project.commit()
    other = Project(tmp_path, "other")
    other.commit()
    project.environment |= {"GIT_DIR": str(other.workspace / ".git"), "GIT_WORK_TREE": str(project.workspace)}
    assert by(project, tool) == "project"


def gate(project: Project) -> ProgramGate:
    return ProgramGate(project.workspace, project.store, project.environment)


def found(project: Project, use: ProgramGate | None = None) -> Found | Missing:
    root = project.workspace
    return find_command(TSC, root, root, project.environment, (use or gate(project)).refusal)


def test_a_tracked_program_is_not_even_asked_for_its_version_before_trust(project: Project) -> None:
    tool = project.program("node_modules/.bin/tsc")
    project.commit()
    use = gate(project)
    missing = found(project, use)
    assert isinstance(missing, Missing)
    assert "is supplied by the project (version control tracks node_modules/.bin/tsc)" in missing.why
    assert not project.was_run()

    project.trust()
    assert isinstance(found(project, use), Found)
    assert project.was_run()

    tool.write_text(tool.read_text("utf-8") + "#", "utf-8")
    assert isinstance(found(project, use), Missing)
    assert not project.was_run()


def test_the_users_own_copy_is_used_in_place_of_an_untrusted_one(project: Project, tmp_path: Path) -> None:
    project.program("node_modules/.bin/tsc")
    project.commit()
    own = tmp_path / "bin/tsc"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\necho 9.9.9\n", "utf-8")
    own.chmod(0o755)
    project.environment["PATH"] = f"{own.parent}:{SYSTEM}"
    assert found(project) == Found((str(own), *TSC.command[1:]), "on the path")
    assert not project.was_run()


def test_trust_in_a_program_ends_when_the_tracked_library_beside_it_changes(project: Project) -> None:
    project.program("node_modules/.bin/tsc")
    library = project.write("node_modules/typescript/lib/tsc.js", "1")
    project.commit()
    project.trust()
    assert isinstance(found(project), Found)
    library.write_text("2", "utf-8")
    project.commit()
    assert isinstance(found(project), Missing)


def test_a_tracked_library_that_servers_load_is_part_of_what_is_asked_for(project: Project) -> None:
    library = project.write("web/node_modules/typescript/lib/tsserver.js", "1")
    project.commit()
    assert [program.name for program in project.request().programs] == ["web/node_modules/typescript/lib"]
    use = gate(project)
    assert use.refusal(library)
    assert use.refusal(library.parent)
    project.trust()
    assert not use.refusal(library)
    assert not use.refusal(library.parent)
    project.write("web/node_modules/typescript/lib/_tsserver.js", "what it loads")
    assert use.refusal(library)


def test_a_users_own_program_passes_and_is_judged_anew_once_it_is_tracked(project: Project) -> None:
    project.write("x", "")
    project.commit()
    project.program("node_modules/.bin/tsc")
    use = gate(project)
    assert isinstance(found(project, use), Found)
    assert isinstance(found(project, use), Found)
    project.commit()
    assert isinstance(found(project, use), Missing)
