"""Files as they are after an edit: what it did not mean to change is kept."""

import errno
import os
import stat
from pathlib import Path

import pytest

from groundwire.edits.files import Disk, Status
from groundwire.edits.plan import plan_edit
from groundwire.edits.write import apply
from groundwire.errors import PermissionDenied, WriteFailed
from tests.edits.failing_files import FailingFiles
from tests.edits.projects import Project, text_edit, workspace_edit

FIRST = text_edit(0, 0, 1, "X")
is_root = os.geteuid() == 0


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o4755])
def test_permissions_are_kept(project: Project, mode: int):
    path = project.put("a.py", "abc", mode)
    project.apply(project.change("a.py", FIRST))
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("Xbc", mode)


@pytest.mark.skipif(not is_root, reason="only the superuser may give files away")
def test_the_owner_is_kept(project: Project):
    path = project.put("a.py", "abc")
    os.chown(path, 1234, 5678)
    project.apply(project.change("a.py", FIRST))
    assert (path.stat().st_uid, path.stat().st_gid, path.read_text()) == (1234, 5678, "Xbc")


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes in Python here")
def test_extended_attributes_are_kept(project: Project):
    path = project.put("a.py", "abc")
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError as problem:
        pytest.skip(f"this file system keeps none: {problem.strerror}")
    project.apply(project.change("a.py", FIRST))
    assert os.getxattr(path, "user.note") == b"mine"


def test_a_file_gets_its_new_content_in_one_piece(project: Project):
    path = project.put("a.py", "abc")
    with path.open() as reader:
        project.apply(project.change("a.py", FIRST))
        assert reader.read() == "abc"
    assert path.read_text() == "Xbc"


def test_every_name_of_a_file_gets_the_new_content(project: Project):
    path = project.put("a.py", "abc", 0o640)
    (project / "b.py").hardlink_to(path)
    inode = path.stat().st_ino
    project.apply(project.change("a.py", FIRST))
    assert project.contents() == {"a.py": b"Xbc", "b.py": b"Xbc"}
    assert (path.stat().st_ino, (project / "b.py").stat().st_ino) == (inode, inode)


def test_shorter_content_written_in_place_leaves_nothing_of_the_old(project: Project):
    path = project.put("a.py", "abcdef")
    (project / "b.py").hardlink_to(path)
    project.apply(project.change("a.py", text_edit(0, 1, 5, "")))
    assert path.read_text() == "af"


def test_a_link_stays_and_what_it_leads_to_is_written(project: Project):
    project.put("d/a.py", "abc")
    (project / "link.py").symlink_to("d/a.py")
    project.apply(project.change("link.py", FIRST))
    assert project.contents() == {"d": None, "d/a.py": b"Xbc", "link.py": "d/a.py"}


@pytest.mark.parametrize(
    "text", [b"a\r\nb\r\n", b"a\nb", b"a\rb\r", b"\xef\xbb\xbfa\r\nb", b"a\r\nb\nc\r\n", b"a\xe9\n"]
)
def test_what_is_around_an_edit_stays_byte_for_byte(project: Project, text: bytes):
    path = project.put("a.py", text)
    project.apply(project.change("a.py", FIRST))
    assert path.read_bytes() == text.replace(b"a", b"X")


def test_lines_inserted_into_a_windows_file_end_like_the_others(project: Project):
    path = project.put("a.py", "a\r\nb\r\n")
    project.apply(project.change("a.py", text_edit(1, 0, 0, "1\n2\n")))
    assert path.read_bytes() == b"a\r\n1\r\n2\r\nb\r\n"


def test_a_read_only_file_is_refused_and_stays_read_only(project: Project):
    project.put("a.py", "abc", 0o444)
    project.put("b.py", "abc")
    before = project.state()
    with pytest.raises(PermissionDenied, match=r"a\.py is read-only; nothing was changed") as refused:
        project.apply(project.change("b.py", FIRST), project.change("a.py", FIRST))
    assert "writable first" in refused.value.hint
    assert project.state() == before


def test_a_file_that_this_process_may_not_write_is_refused(project: Project):
    class NotOurs(Disk):
        def is_writable(self, path: Path, /) -> bool:
            return False

    project.put("a.py", "abc")
    with pytest.raises(PermissionDenied, match="read-only"):
        project.apply(project.change("a.py", FIRST), files=NotOurs())


class NoNewFiles(Disk):
    """A directory in which nothing can be made, with a file that can be written."""

    def write_new(self, path: Path, data: bytes, like: Path | None, /) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def test_a_file_in_a_directory_that_is_closed_is_written_in_place(project: Project):
    path = project.put("a.py", "abc", 0o640)
    inode = path.stat().st_ino
    project.apply(project.change("a.py", FIRST), files=NoNewFiles())
    assert (path.read_text(), path.stat().st_ino) == ("Xbc", inode)


def test_a_new_file_in_a_directory_that_is_closed_is_refused(project: Project):
    with pytest.raises(WriteFailed, match="Permission denied; nothing was changed") as refused:
        project.apply(project.create("a.py"), files=NoNewFiles())
    assert "permissions" in refused.value.hint


@pytest.mark.skipif(is_root, reason="nothing is out of reach for the superuser")
def test_a_closed_directory_of_this_disk_is_no_hindrance_to_a_file_that_is_open(project: Project):
    path = project.put("d/a.py", "abc")
    (project / "d").chmod(0o555)
    project.apply(project.change("d/a.py", FIRST))
    (project / "d").chmod(0o755)
    assert path.read_text() == "Xbc"


class NoSecondNames(Disk):
    """As FAT has none."""

    def link(self, old: Path, new: Path, /) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(new))


def test_where_files_have_one_name_only_a_copy_is_kept_meanwhile(project: Project):
    class NoSecondNamesNorEnd(NoSecondNames):
        def sync_directory(self, path: Path, /) -> None:
            raise OSError(errno.EIO, "broken", str(path))

    path = project.put("a.py", "abc", 0o640)
    before = project.contents(), path.stat().st_mode, path.stat().st_mtime_ns
    with pytest.raises(WriteFailed, match="broken"):
        project.apply(project.change("a.py", FIRST), files=NoSecondNamesNorEnd())
    assert (project.contents(), path.stat().st_mode, path.stat().st_mtime_ns) == before
    project.apply(project.change("a.py", FIRST), files=NoSecondNames())
    assert project.contents() == {"a.py": b"Xbc"}


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EDQUOT, "quota"),
        (errno.ENAMETOOLONG, "shorter name"),
        (errno.EIO, "what the system says"),
    ],
)
def test_the_reason_why_nothing_was_written_is_told_with_what_to_do(project: Project, code: int, hint: str):
    files = FailingFiles(1, code, ever_after=True, only=frozenset({"write_new"}))
    with pytest.raises(WriteFailed, match=rf"a\.py cannot be written: {os.strerror(code)}; nothing") as refused:
        project.apply(project.create("a.py"), files=files)
    assert hint in refused.value.hint
    assert project.contents() == {}


def test_new_files_get_the_usual_permissions(project: Project):
    umask = os.umask(0o027)
    try:
        project.apply(project.create("d/a.py"))
    finally:
        os.umask(umask)
    assert stat.S_IMODE((project / "d/a.py").stat().st_mode) == 0o640


def test_content_and_names_are_on_the_disk_at_the_end(project: Project, no_waiting_for_the_disk: list[int]):
    project.put("a.py", "abc")
    project.put("d/b.py", "abc")
    no_waiting_for_the_disk.clear()
    project.apply(project.change("a.py", FIRST), project.change("d/b.py", FIRST))
    assert len(no_waiting_for_the_disk) == 4  # two files, two directories


def test_all_content_is_written_before_the_first_file_is_replaced(project: Project):
    for name in ("a.py", "b.py", "c.py"):
        project.put(name, "abc")
    files = FailingFiles()
    project.apply(*(project.change(name, FIRST) for name in ("a.py", "b.py", "c.py")), files=files)
    written = [number for number, call in enumerate(files.calls) if call == "write_new"]
    assert max(written) < files.calls.index("replace")


def test_temporary_files_that_cannot_be_removed_are_told(project: Project):
    project.put("a.py", "abc")
    files = FailingFiles(1, ever_after=True, only=frozenset({"remove"}))
    applied = project.apply(project.change("a.py", FIRST), files=files)
    (left,) = applied.leftovers
    assert left.name.startswith(".groundwire-")
    assert (project / "a.py").read_text() == "Xbc"


def test_a_pipe_or_device_is_no_file(project: Project):
    os.mkfifo(project / "pipe")
    found = Disk().look(project / "pipe")
    assert isinstance(found, Status)
    assert found.kind == "other"
    with pytest.raises(OSError, match="not a regular file"):
        Disk().read(project / "pipe")


def test_a_name_respelled_in_other_case_is_renamed_where_both_are_one(project: Project):
    class CaseBlind(Disk):
        """As if the file system found either spelling; only the one that was given last is listed."""

        def look(self, path: Path, /) -> Status | None:
            same = [name for name in self.names(path.parent) if name.casefold() == path.name.casefold()]
            return super().look(path.parent / same[0]) if same else super().look(path)

    project.put("readme.md", "r")
    files = CaseBlind()
    edit = workspace_edit(project.rename("readme.md", "README.md"))
    applied = apply(plan_edit(edit, roots=[project.root], encoding="utf-8", files=files), files)
    assert project.contents() == {"README.md": b"r"}
    assert [change.kind for change in applied.changes] == ["renamed"]
