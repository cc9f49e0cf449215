"""Which file systems change without the local kernel knowing: those that another machine, or a host, writes to as well.

Above: ``watcher``. Below: nothing; the text of ``/proc/self/mountinfo`` is passed in.
"""

import re
from typing import NamedTuple

_SHARED = frozenset({
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "gfs2", "gpfs", "lustre", "ncpfs", "nfs",
    "nfs4", "ocfs2", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
})  # fmt: skip
_LOCAL_FUSE = frozenset({"fuse.fuse-overlayfs", "fuse.mergerfs", "fuse.gocryptfs", "fuse.encfs", "fuse.bindfs"})


class Mount(NamedTuple):
    """A mounted file system."""

    path: str
    kind: str

    @property
    def is_shared(self) -> bool:
        """Whether somebody else can write to it."""
        if self.kind == "fuse" or self.kind.startswith("fuse."):
            return self.kind not in _LOCAL_FUSE
        return self.kind in _SHARED


def read_mounts(mountinfo: str) -> list[Mount]:
    """The table, as the kernel writes it."""
    mounts: list[Mount] = []
    for line in mountinfo.splitlines():
        fields = line.split(" ")
        if "-" in fields[6:-1] and len(fields) > 8:
            mounts.append(Mount(_unescape(fields[4]), fields[fields.index("-", 6) + 1]))
    return mounts


def mount_of(path: str, mounts: list[Mount]) -> Mount | None:
    """Where a path lies. Of several mounted on one place the last hides the others."""
    holding = [mount for mount in mounts if _is_below(path, mount.path)]
    return max(reversed(holding), key=lambda mount: len(mount.path), default=None)


def shared_mounts_below(root: str, mounts: list[Mount]) -> list[Mount]:
    """Shared file systems mounted somewhere inside a root."""
    return [mount for mount in mounts if mount.is_shared and mount.path != root and _is_below(mount.path, root)]


def _is_below(path: str, above: str) -> bool:
    return path == above or path.startswith(above if above.endswith("/") else f"{above}/")


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
