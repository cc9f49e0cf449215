"""Which file systems others can write to."""

import pytest

from groundwire.pool.mounts import Mount, mount_of, read_mounts, shared_mounts_below

TABLE = r"""
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:26 / /mnt/my\040disk rw,nosuid shared:2 master:3 - nfs4 host:/export rw,vers=4.2
31 22 0:27 / /home/me/remote rw - fuse.sshfs me@host: rw
32 22 0:28 / /home/me/box rw - overlay overlay rw
"""


def test_the_kernels_table_is_read() -> None:
    assert read_mounts(TABLE) == [
        Mount("/", "ext4"),
        Mount("/mnt/my disk", "nfs4"),
        Mount("/home/me/remote", "fuse.sshfs"),
        Mount("/home/me/box", "overlay"),
    ]


def test_a_path_lies_on_the_innermost_mount() -> None:
    mounts = read_mounts(TABLE)
    assert mount_of("/home/me/remote/src", mounts) == Mount("/home/me/remote", "fuse.sshfs")
    assert mount_of("/home/me/remote-not", mounts) == Mount("/", "ext4")
    assert mount_of("/mnt/my disk", mounts) == Mount("/mnt/my disk", "nfs4")


def test_of_two_mounts_on_one_place_the_later_counts() -> None:
    assert mount_of("/a/b", [Mount("/", "ext4"), Mount("/a", "nfs"), Mount("/a", "tmpfs")]) == Mount("/a", "tmpfs")


def test_without_a_table_nothing_is_known() -> None:
    assert mount_of("/a", []) is None


def test_shared_mounts_below_a_root_are_found() -> None:
    mounts = read_mounts(TABLE)
    assert shared_mounts_below("/home/me", mounts) == [Mount("/home/me/remote", "fuse.sshfs")]
    assert shared_mounts_below("/home/me/remote", mounts) == []
    assert shared_mounts_below("/srv", mounts) == []


@pytest.mark.parametrize("kind", ["nfs", "9p", "virtiofs", "cifs", "fuse", "fuse.grpcfuse", "vboxsf"])
def test_file_systems_that_others_write_to_are_shared(kind: str) -> None:
    assert Mount("/", kind).is_shared


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuseblk", "fuse.fuse-overlayfs"])
def test_file_systems_of_this_machine_are_not(kind: str) -> None:
    assert not Mount("/", kind).is_shared
