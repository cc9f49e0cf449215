"""Edits that come from a server, as text."""

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.edits import EditedFile, EditOutcome
from groundwire.operations.results.fixes import CommandOutcome, Fix, Fixes, RenameOutcome, RenameSite, RenameTarget
from groundwire.render.fixes import command_page, fixes_page, rename_page, rename_target_page
from groundwire.render.page import HARD_CAP, fitted

SITES = tuple(RenameSite(file="a.py", line=number, column=5, before="x = old", after="x = new") for number in (1, 2))
PREVIEW = RenameOutcome(
    applied=False,
    files=(EditedFile(file="a.py", kind="changed", added=2, removed=2),),
    notes=("1 of the sites are left out",),
    new_name="new",
    sites=SITES,
    total=2,
)


def test_a_rename_that_may_not_be_all_says_so() -> None:
    answer = Answer(value=PREVIEW, status=Status.PARTIAL, reason="still loading", servers=("ty",))
    assert fitted(rename_page(answer), HARD_CAP) == (
        "Preview, nothing is written yet: 2 sites in 1 file become new (there may be more: still loading)\n"
        "Note: 1 of the sites are left out\n"
        "a.py\n"
        "  1:5  x = old → x = new\n"
        "  2:5  x = old → x = new"
    )


def test_what_does_not_fit_is_counted() -> None:
    sites = tuple(
        RenameSite(file="a.py", line=number, column=1, before="x = old", after="x = new") for number in range(1, 500)
    )
    value = RenameOutcome(applied=False, files=PREVIEW.files, new_name="new", sites=sites, total=499)
    text = fitted(rename_page(Answer(value=value, status=Status.CONFIRMED)), 1000)
    assert len(text) <= 1000
    assert "more results" in text


def test_what_cannot_be_renamed_is_said() -> None:
    target = Answer(value=RenameTarget(renamable=False), status=Status.CONFIRMED, servers=("ty",))
    assert fitted(rename_target_page(target), HARD_CAP) == "Nothing that can be renamed is there (confirmed by ty)"


def test_fixes_have_their_names_and_what_they_are_for() -> None:
    fixes = (
        Fix(
            id="f1",
            title="Import\n`x`",
            kind="quickfix",
            server="ty",
            line=3,
            column=1,
            preferred=True,
            fixes=("no x",),
        ),
        Fix(id="", title="Extract", kind="refactor", server="ty", line=3, column=1, disabled="nothing is selected"),
    )
    answer = Answer(value=Fixes(file="a.py", fixes=fixes, total=2), status=Status.CONFIRMED, servers=("ty",))
    assert fitted(fixes_page(answer), HARD_CAP) == (
        "2 suggestions in a.py (confirmed by ty)\n"
        "  f1  3:1  Import; `x` (quickfix, preferred, ty)\n"
        "      for: no x\n"
        "  -  3:1  Extract (refactor, ty): not possible here: nothing is selected"
    )


def test_none_is_only_said_when_it_is_known() -> None:
    unknown = Answer(value=Fixes(file="a.py"), status=Status.PARTIAL, reason="still loading", servers=("ty",))
    assert fitted(fixes_page(unknown), HARD_CAP) == "Suggestions in a.py: not known: still loading"


def test_a_command_shows_its_result_and_its_edit() -> None:
    edit = EditOutcome(applied=True, files=(EditedFile(file="a.py", kind="changed", added=1),), undo_id="abc123")
    outcome = CommandOutcome(command="x.run", server="ty", result={"done": True}, edit=edit)
    text = fitted(command_page(Answer(value=outcome, status=Status.CONFIRMED, servers=("ty",))), HARD_CAP)
    assert text.startswith('x.run was carried out by ty\nResult:\n{\n  "done": true\n}\nEdited a.py (+1 -0), undo with')
