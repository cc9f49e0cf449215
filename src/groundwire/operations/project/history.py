"""Which files of a project change most, by the last commits. Bounded: an old project has more history than time.

Blocks while git answers. Above: ``project_overview``. Below: ``pool.git_questions``.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from groundwire.operations.results.project import HotFile
from groundwire.pool.git_questions import Repository

MOST_COMMITS = 1000
_LONGEST_S = 5.0
_MOST_SHOWN = 10
_FEWEST = 2
"""What only one commit touched is as good as any other."""
_MARK = b"\x01"
_QUESTION = (
    "log", f"--max-count={MOST_COMMITS}", "--format=%x01", "--no-merges", "--no-renames", "--name-only", "--relative",
    "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv",
)  # fmt: skip
"""The last three: the repository's own configuration could name programs for each of these."""


class History(NamedTuple):
    """``doubt``: why nothing is known of it."""

    most_changed: tuple[HotFile, ...] = ()
    commits: int = 0
    doubt: str = ""


def head_of(repository: Repository | None, workspace: Path) -> str:
    """The last commit; empty where there is none."""
    done = repository.ask(workspace, "rev-parse", "--verify", "--quiet", "HEAD") if repository is not None else None
    return done.stdout.decode("ascii", "replace").strip() if done is not None and not done.returncode else ""


def read_history(
    repository: Repository, workspace: Path, names: Collection[str], is_source: Callable[[str], bool], wait_s: float
) -> History:
    """Of the files that are still there and are source."""
    done = repository.ask(workspace, *_QUESTION, wait_s=min(max(wait_s, 0.1), _LONGEST_S))
    if done is None or done.returncode:
        return History(doubt="git did not tell the history in time")
    commits = done.stdout.split(_MARK)[1:]
    present = names if isinstance(names, (set, frozenset)) else frozenset(names)
    changes: Counter[str] = Counter()
    for commit in commits:
        touched = {os.fsdecode(name.strip(b"\n")) for name in commit.split(b"\0")}
        changes.update(name for name in touched if name in present and is_source(name))
    hot = sorted(((number, name) for name, number in changes.items() if number >= _FEWEST), key=_order)
    return History(tuple(HotFile(file=name, number=number) for number, name in hot[:_MOST_SHOWN]), len(commits))


def _order(each: tuple[int, str]) -> tuple[int, str]:
    return -each[0], each[1]
