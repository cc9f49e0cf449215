"""A project at a glance, as text: about two thousand characters, for the first look of a model or a person.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterable, Iterator, Sequence

from groundwire.operations.answer import Answer
from groundwire.operations.results.project import (
    EntryPoint,
    HotFile,
    ProjectCommand,
    ProjectLanguage,
    ProjectOverview,
    ProjectServer,
)
from groundwire.render.page import Page, Section
from groundwire.render.verdict import shown
from groundwire.render.wording import counted, on_one_line

_MOST = 6
_MOST_LANGUAGES = 8
_MOST_POINTS = 8
_MOST_CONVENTIONS = 12
_LONGEST = 110


def project_page(answer: Answer[ProjectOverview]) -> Page:
    """A section for each thing that there is any of."""
    project = answer.value
    sections = (
        _listed("Languages:", [_joined(map(_language, project.languages), _MOST_LANGUAGES)], project.languages),
        _rows("Servers:", map(_server, project.servers), _MOST),
        _rows("Entry points:", map(_entry_point, project.entry_points), _MOST_POINTS),
        _rows("Build and test:", _commands(project.commands), _MOST_POINTS),
        _rows(f"Changed most, in {counted(project.commits, 'commit')}:", _hot(project.most_changed, "commit"), _MOST),
        _rows("Largest files:", _hot(project.largest, "line"), _MOST),
        _listed("Set up for:", [_joined(_conventions(project), _MOST_CONVENTIONS)], project.conventions),
    )
    return Page(shown(answer, f"{counted(project.files, 'file')} in {_count(project)}"), sections, is_open=False)


def _count(project: ProjectOverview) -> str:
    return counted(len(project.languages), "language")


def _rows(title: str, rows: Iterable[str], most: int) -> Section:
    lines = [on_one_line(row, _LONGEST) for row in rows]
    blocks = [(f"  {line}",) for line in lines[:most]]
    return Section(blocks, len(lines), title=title, more=_more)


def _more(left: int, _: int) -> str:
    return f"  +{left:,} more; JSON has all of them"


def _listed(title: str, lines: list[str], items: Sequence[object]) -> Section:
    return Section([(f"  {line}",) for line in lines] if items else [], len(lines) if items else 0, title=title)


def _joined(words: Iterable[str], most: int) -> str:
    every = list(words)
    more = f", +{len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _language(each: ProjectLanguage) -> str:
    return f"{each.language} {each.files:,} ({each.share:.0f} %)"


def _server(each: ProjectServer) -> str:
    languages = _joined(each.languages, 3)
    if each.state == "ready":
        return f"{each.server} at {each.root} ({languages})"
    remedy = f"; {each.remedy}" if each.remedy else ""
    return f"{each.server} ({languages}): {each.state}: {each.why}{remedy}"


def _entry_point(each: EntryPoint) -> str:
    target = f" -> {each.target}" if each.target != each.name else ""
    source = f" ({each.manifest})" if each.manifest not in (each.target, each.name) else ""
    return f"{each.kind} {each.name}{target}{source}"


def _commands(commands: Sequence[ProjectCommand]) -> Iterator[str]:
    for each in commands:
        where = "" if each.directory == "." else f" in {each.directory}"
        if each.does == "script":
            yield f"{each.tool}{where}"
        elif each.why_not:
            yield f"{each.does}{where}: not possible: {each.why_not}"
        else:
            yield f"{each.does}{where}: {each.tool}, by {each.operation}"


def _hot(files: Sequence[HotFile], noun: str) -> Iterator[str]:
    return (f"{each.file}: {counted(each.number, noun)}" for each in files)


def _conventions(project: ProjectOverview) -> Iterator[str]:
    for each in project.conventions:
        yield f"{each.tool} ({each.file})"
