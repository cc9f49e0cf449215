"""Reading a source: all of it, of a regular file only, and nothing of anything else."""

import os
import sys
from pathlib import Path

import pytest

from groundwire.client import disk
from groundwire.client.disk import read_source
from groundwire.errors import FileTooLarge, NotAFile

PIECE = 64 * 1024
MUCH = 10 * PIECE


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5])
def test_all_of_a_file_is_read_whatever_its_size(tmp_path: Path, size: int):
    text = ("0123456\n" * (size // 8 + 1))[:size]
    file = tmp_path / "a.toy"
    file.write_bytes(text.encode())
    assert read_source(file, MUCH) == text


@pytest.mark.parametrize("size", [1000, PIECE, 3 * PIECE])
def test_a_file_of_the_largest_size_is_read_and_one_of_a_byte_more_is_refused(tmp_path: Path, size: int):
    file = tmp_path / "a.toy"
    file.write_bytes(b"x" * size)
    assert len(read_source(file, size)) == size
    with pytest.raises(FileTooLarge):
        read_source(file, size - 1)


@pytest.mark.parametrize("seen", [1, 11, 13, 40_000])
def test_a_file_that_ends_elsewhere_by_the_time_it_is_read_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: int
):
    file = tmp_path / "a.toy"
    file.write_text("x = 1\ny = 2\n")
    seek = os.lseek

    def earlier(descriptor: int, offset: int, whence: int) -> int:
        found = seek(descriptor, offset, whence)
        return seen if whence == os.SEEK_END else found

    monkeypatch.setattr(disk.os, "lseek", earlier)
    assert read_source(file, MUCH) == "x = 1\ny = 2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes among files")
def test_not_a_byte_is_taken_from_a_pipe(tmp_path: Path):
    pipe = tmp_path / "a.toy"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY)
    try:
        os.write(writer, b"for somebody else")
        with pytest.raises(NotAFile, match="is not a file"):
            read_source(pipe, MUCH)
        assert os.read(reader, 100) == b"for somebody else"
    finally:
        os.close(writer)
        os.close(reader)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no devices among files")
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_a_device_is_no_file(device: str):
    with pytest.raises(NotAFile, match="is not a file"):
        read_source(device, MUCH)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no files of which nobody knows the size")
def test_a_file_that_does_not_tell_its_size_is_read_to_its_end():
    assert "Threads:" in read_source("/proc/self/status", MUCH)
