"""Patches from git are understood, and git takes those of sessions, whatever the names and bytes of files are."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.speculation.commit_session import commit_session
from groundwire.operations.speculation.given_edits import apply_patch
from groundwire.operations.speculation.simulate import simulate_edit
from groundwire.operations.speculation.virtual_texts import VirtualTexts
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

BEFORE = {
    "über b.toy": b"one\ntwo\nthree\n",
    'quo"te.toy': b"one\n",
    "crlf.toy": b"one\r\ntwo\r\nthree\r\n",
    "bare.toy": b"one\ntwo",
    "ended.toy": b"one\ntwo\n",
    "marked.toy": b"\xef\xbb\xbfone\ntwo\n",
    "moved.toy": b"one\ntwo\nthree\nfour\n",
    "gone.toy": b"one\n",
    "gone empty.toy": b"",
}
AFTER = {
    "über b.toy": b"one\n2\nthree\n",
    'quo"te.toy': b"1\n",
    "crlf.toy": b"one\r\n2\r\nthree\r\n",
    "bare.toy": b"one\ntwo\n",
    "ended.toy": b"one\ntwo",
    "marked.toy": b"\xef\xbb\xbf1\ntwo\n",
    "deep/moved.toy": b"one\ntwo\nthree\n4\n",
    "new dir/new.toy": b"new\n",
    "new dir/empty.toy": b"",
}


def git(root: Path, *arguments: str, given: str | None = None) -> str:
    data = given.encode() if given is not None else None
    options = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "core.autocrlf=false"]
    done = subprocess.run(["git", *options, *arguments], cwd=root, input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def laid_out(root: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def on_disk(root: Path) -> dict[str, bytes]:
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*.toy")}


def text(data: bytes) -> str:
    return data.decode("utf-8-sig")


@pytest.mark.parametrize("context", ["-U3", "-U0"])
def test_a_patch_that_git_made_gives_the_texts_that_git_saw(tmp_path: Path, context: str):
    root = tmp_path.resolve()
    git(root, "init", "-q")
    laid_out(root, BEFORE)
    git(root, "add", ".")
    git(root, "commit", "-qm", "before")
    for name in BEFORE:
        (root / name).unlink()
    laid_out(root, AFTER)
    git(root, "add", "-A")
    patch = git(root, "diff", "--cached", "-M", context)
    git(root, "reset", "-q", "--hard")
    texts = VirtualTexts((root,), root)
    apply_patch(texts, patch)
    made = {str(each.file.relative_to(root)): each.after for each in texts}
    assert {name: after for name, after in made.items() if after is not None} == {
        name: text(data) for name, data in AFTER.items()
    }
    assert {name for name, after in made.items() if after is None} == BEFORE.keys() - AFTER.keys()


async def test_git_takes_the_patch_of_a_session_and_makes_the_bytes_of_it(tmp_path: Path):
    async with zoo(tmp_path, files={}) as pool:
        root = pool.workspace
        laid_out(root, BEFORE)
        for name in BEFORE.keys() - AFTER.keys():
            await ask(pool, simulate_edit, file_path=name, delete=True)
        for name, data in AFTER.items():
            await ask(pool, simulate_edit, file_path=name, new_text=text(data), whole_file=True)
        committed = (await ask(pool, commit_session, target="patch")).value
        assert on_disk(root) == BEFORE
        git(root, "init", "-q")
        git(root, "apply", given=committed.patch)
        assert on_disk(root) == AFTER


async def test_of_a_file_in_another_encoding_no_patch_is_made(tmp_path: Path):
    async with zoo(tmp_path, files={}) as pool:
        laid_out(pool.workspace, {"a.toy": "one\ntwo\n".encode("utf-16")})
        await ask(pool, simulate_edit, file_path="a.toy", old_text="two", new_text="2")
        with pytest.raises(InvalidArgument, match=r"a.toy is not written in UTF-8"):
            await ask(pool, commit_session, target="patch")
