"""What is known of one server's habits, as data: how it proves findings, and how it tells that it has loaded.

Every field is a fact that was measured; the defaults suit a server nobody has measured, and then nothing unproven is
called proven. The values come from ``registry/servers/*.toml`` and are obeyed by ``settle`` and ``readiness``. Below:
nothing.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A table of a server's data file: kebab-case there, unknown keys refused."""


class SaveCheck(Rule, frozen=True):
    """A checker that runs on disk content after a save and publishes by push (cargo check, for one)."""

    name: str
    token_prefix: str
    """Progress tokens of its runs start with this."""
    sources: tuple[str, ...] = ()
    """The ``source`` of its findings, by which they are told from the server's own."""
    unit: str = ""
    """The file that marks what one run checks: of files saved together in one such directory, one is enough to tell of.
    Told of all, it may run once or again and again, and nobody can say when it has finished."""
    tail_ms: int = 50
    """Findings may follow the end of the run by this much."""
    doubt_ms: int = 750
    """How long after an end another run may begin, where the ended one may have been an older save's, cut short."""


class FileStatus(Rule, frozen=True):
    """A notification, with a ``uri``, by which the server tells of a file whether it could check it at all."""

    method: str
    member: str
    failed: tuple[int | str, ...]
    """Values of the member that mean it could not: what it answers then is no answer."""


class TangleRule(Rule, frozen=True):
    """Files that need each other where the language forbids it. As long as they do, the server leaves out some of what
    one has from the other, and it may go on to do so when they do not any more."""

    message: str
    """A regular expression for the finding by which it tells of a tangle."""
    ending: str
    """Of the files that can be in one."""
    head_ends: str
    """A regular expression. Where its group matches the head of a file ends, which says what the file is part of and
    what it needs; what matches without the group, a comment, is passed over."""
    binding: str
    """A regular expression for the lines of the head that do so: where one of them goes, a tangle may have ended."""
    notice: str
    """Told that this file of the root has changed, be it there or not, it looks at everything anew."""


class SettleRule(Rule, frozen=True):
    """How findings are proven to belong to the current content, strongest evidence first."""

    measured: bool = False
    """Whether this table was measured on the real server; if not, silence from it proves nothing."""
    scope: Literal["file", "workspace"] = "workspace"
    """Whether a change to one file can change the findings of another."""
    pull: Literal["auto", "expected", "never"] = "auto"
    """``expected``: a pull is answered rightly even before its registration, which may come late, has arrived."""
    repeat_first_pull_ms: int = 0
    """The first pull of a session may be a false clean; it is repeated after this long."""
    sync_command: Literal["", "tsserver"] = ""
    """A synchronous command of the server's own that returns the findings of a file."""
    push: Literal["unknown", "versioned", "unversioned", "never"] = "unknown"
    publishes_unchanged: bool = False
    """Whether a check that finds the same as before is published again."""
    debounce_ms: int = 0
    """An unversioned publish sooner than this after the last change belongs to the text before it."""
    tail_ms: int = 0
    """Quiet time after the first proof, where a second publish of the same version is known to follow."""
    touch: bool = False
    """Whether a change that changes nothing makes the server check the file again."""
    touch_before_asking: bool = False
    """Whether the file must be touched before it is asked about once others have changed: else it looks at old ones."""
    sees_shown_texts: bool = False
    """What it publishes of a file counts what others hold as they are shown to it, and not as they are on disk."""
    touch_after_others: bool = False
    """Whether what is found right after a change may go by other files as they were before theirs: then the file is
    touched twice, for a check of unchanged content looks at everything."""
    unsettled_by: str = ""
    """A regular expression for lines. A change before the last of them may be judged by the text of before in part, and
    the file is touched in the same way."""
    change_extra: Mapping[str, object] = {}
    """Extra members of every ``didChange``."""
    touch_extra: Mapping[str, object] = {}
    """Extra members of a ``didChange`` that only asks for another check."""
    save_check: SaveCheck | None = None
    file_status: FileStatus | None = None
    tangles: TangleRule | None = None
    misses_returned: bool = False
    """Whether a file that vanished and is soon there again may go unnoticed: then only a new start is proof."""
    misses_linked: bool = False
    """Whether a new file goes unnoticed where it is reached through a link among the packages: as above."""
    tells_links: bool = False
    """Whether such a file has to be told of by that name too."""
    misses_above: int = 0
    """New files, and what says how to look for them, go unnoticed where their path has fewer names: as above."""
    namesakes: tuple[str, ...] = ()
    """Endings, the longest first. Of files that differ in nothing else only some belong to the project: which, goes
    unnoticed when one comes or goes: as above."""
    opens_elsewhere: bool = False
    """Whether a change out of its root is told by opening the file, and goes unnoticed where a file comes or goes."""
    reloads_by: Literal["", "tsserver"] = ""
    """A command of the server's own that makes it look at everything anew, where else only a new start is proof."""
    opens_changed: bool = False
    """Whether a change on disk is told by opening the file, because the server reads the disk later than it is told."""
    opens_created: bool = False
    """The same for a file that is new."""
    tells_open_files: bool = True
    """Whether a change on disk is also told as a watched file's where ``didChange`` has told it; else on close."""
    names_places_late: bool = False
    """Whether it says which files it wants to be told of only after it was shown one, beside its first answer."""
    saves_late: bool = False
    """Whether ``didSave`` waits until the question is answered: the findings need none."""
    rereads_created: bool = False
    """Whether a new file is told of as changed, too, and first: it may have been read half-written by then."""
    tells_directories: bool = False
    """Whether the directories above a new file are told of too, without which it is not found, and those that are gone
    with their files, which else are taken to be there."""
    takes_any_name: bool = False
    """Whether it knows a file by the bytes of its name. Else one whose name is no UTF-8 is kept from it: some take it
    for another, and some do not survive it."""
    reconfigures_on: tuple[str, ...] = ()
    """Files of these names are obeyed at once only if ``didChangeConfiguration`` follows the notice of their change."""
    checks_changed: Literal["no", "created", "all"] = "no"
    """Which files changed on disk must be opened and checked before an answer that spans files knows of them."""
    includes: str = ""
    """How a file takes in the text of another: a regular expression whose first group names that one; empty: none does.
    What is known of a closed file goes by those it includes as they were, so who includes a changed file counts as
    changed."""
    quiet_ms: int = 400
    """The last resort: nothing came for this long. Never proof."""


class ReadinessRule(Rule, frozen=True):
    """How the server tells that it has loaded the workspace. Nothing set: it is ready when it is initialized."""

    status_method: str = ""
    """A notification whose ``quiescent`` (or ``type``) member tells, such as ``experimental/serverStatus``."""
    ready_types: tuple[str, ...] = ()
    """The ``type`` values of ``status_method`` that mean ready (``language/status``)."""
    ready_notification: str = ""
    """A notification whose arrival alone means ready (``$/typescriptVersion``)."""
    progress_titles: tuple[str, ...] = ()
    """Loading is work-done progress whose title or token starts with one of these."""
    progress_starts: Literal["at-start", "at-first-open"] = "at-start"
    start_grace_ms: int = 1500
    """How long after that moment the progress may take to begin."""
    reloads_on_new: tuple[str, ...] = ()
    """Files with these endings make the server load anew when they appear or vanish: nothing is proven until it has."""
    reloads_on_change: tuple[str, ...] = ()
    """Files of these names do so also when they change."""
    reload_grace_ms: int = 3000
    """How long such a load may take to begin."""
    rescans_on_new: tuple[str, ...] = ()
    """Files with these endings are in cross-file answers only after the server has looked for them."""
    rescan_log: tuple[str, ...] = ()
    """It logs a message that starts with one of these when it has."""
    rescan_nudge_ms: int = 500
    """When it has not by then, a word about its configuration makes it look at everything."""
    rescan_grace_ms: int = 2000
    """How long that may take; longer where it has been seen to log such a message, for then it is only slow."""
    gates_diagnostics: bool = False
    """Findings before that are false cleans."""
    gates_references: bool = True
    """Cross-file answers before that are incomplete."""
    references_need: Literal["nothing", "first-diagnostics", "never-complete"] = "nothing"
    """``first-diagnostics``: complete once a file's findings were given. ``never-complete``: this server caps them."""
    takes_imports_for_declarations: bool = False
    """Whether uses asked for without declarations lack the imports too, which are uses to everybody else."""
