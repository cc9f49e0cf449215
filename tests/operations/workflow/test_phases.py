"""The rules of phases, one by one, on a skill made for them; and by which effect a call is judged."""

import msgspec
import pytest

from groundwire.operations.operation import Arguments, Effect
from groundwire.operations.table import OPERATIONS, find_operation
from groundwire.operations.workflow.phases import Asked, ends, judge
from groundwire.operations.workflow.phases_effects import effect_of
from groundwire.operations.workflow.skills import Phase, Skill

SKILL = Skill(
    name="lsp-try",
    description="A try.",
    forbid=("rename_symbol",),
    phases=(
        Phase(name="look", allow=("blast_radius",), forbid=("simulate_*", "writes"), done_by=("blast_radius",)),
        Phase(name="free", effects=("reads", "simulates"), allow=("preview_edit", "simulate_*", "get_diagnostics")),
        Phase(
            name="apply", effects=("reads", "writes"), allow=("apply_edit", "format_document"), forbid=("simulates",)
        ),
        Phase(name="build", effects=("reads", "executes"), allow=("run_build",), forbid=("writes",)),
        Phase(name="mend", effects=("reads", "writes"), allow=("apply_edit", "suggest_fixes")),
    ),
)
LOOK, FREE, APPLY, BUILD, MEND = range(5)


class Harmless(Arguments, frozen=True):
    """Every switch so that nothing is written."""

    apply: bool = False
    preview: bool = True


def asked(name: str, effect: Effect = "reads") -> Asked:
    operation = OPERATIONS.get(name)
    return Asked((name, *(operation.aliases if operation else ())), effect)


def judged(at: int, name: str, effect: Effect = "reads", *, is_done: bool = False) -> int | str:
    """Where it gets to, or why not."""
    verdict = judge(SKILL, at, asked(name, effect), is_done=is_done)
    return verdict.why or verdict.at


def test_a_step_of_the_phase_passes() -> None:
    assert judged(LOOK, "blast_radius") == LOOK
    assert judged(APPLY, "apply_edit", "writes") == APPLY


def test_what_the_skill_forbids_is_forbidden_everywhere() -> None:
    for at in range(5):
        for effect in ("reads", "writes"):
            assert "in all its phases" in str(judged(at, "rename_symbol", effect, is_done=True))


def test_what_no_phase_speaks_of_passes_if_it_reads_and_not_otherwise() -> None:
    assert judged(LOOK, "find_symbol") == LOOK
    for effect in ("simulates", "manages", "executes", "writes"):
        assert isinstance(judged(FREE, "something_else", effect), str)
        assert isinstance(judged(MEND, "something_else", effect, is_done=True), str)


def test_a_name_that_is_allowed_does_not_allow_another_effect() -> None:
    assert isinstance(judged(BUILD, "run_build", "manages"), str)
    assert isinstance(judged(MEND, "suggest_fixes", "executes"), str)


def test_what_only_a_later_phase_allows_moves_there() -> None:
    assert judged(FREE, "apply_edit", "writes") == APPLY
    assert judged(FREE, "run_build", "executes") == BUILD
    assert judged(APPLY, "suggest_fixes") == MEND


def test_it_never_moves_back() -> None:
    assert isinstance(judged(APPLY, "preview_edit", "simulates"), str)
    assert judged(MEND, "blast_radius") == MEND
    assert isinstance(judged(MEND, "run_build", "executes"), str)


def test_a_phase_with_steps_to_be_done_is_not_left_before() -> None:
    assert "must wait until the phase look is done, by blast_radius" in str(judged(LOOK, "preview_edit", "simulates"))
    assert judged(LOOK, "preview_edit", "simulates", is_done=True) == FREE


def test_what_reads_waits_in_a_phase_that_is_not_done_without_moving() -> None:
    assert judged(LOOK, "get_diagnostics") == LOOK
    assert judged(LOOK, "get_diagnostics", is_done=True) == FREE


def test_what_a_phase_forbids_leaves_it_only_once_it_is_done() -> None:
    assert isinstance(judged(BUILD, "apply_edit", "writes"), str)
    assert judged(BUILD, "apply_edit", "writes", is_done=True) == MEND


def test_it_moves_over_no_phase_that_forbids_it_or_must_be_done() -> None:
    guarded = msgspec.structs.replace(SKILL, phases=(Phase(name="first"), *SKILL.phases))
    assert judge(guarded, 0, asked("apply_edit", "writes"), is_done=True).why
    assert judge(guarded, 0, asked("run_build", "executes"), is_done=True).why
    assert judge(guarded, 0, asked("blast_radius"), is_done=False).at == 1


def test_forbidding_goes_before_allowing() -> None:
    both = Skill(
        name="lsp-both",
        description="",
        phases=(Phase(name="p", effects=("writes",), allow=("apply_edit",), forbid=("writes",)),),
    )
    assert judge(both, 0, asked("apply_edit", "writes"), is_done=True).why


def test_older_names_and_patterns_mean_the_same_tool() -> None:
    assert asked("preview_edit", "simulates").fits(("simulate_edit_atomic",))
    assert asked("preview_edit", "simulates").fits(("simulate_*",))
    assert not asked("find_symbol").fits(("simulate_*", "writes", "find"))


def test_only_a_step_that_is_named_ends_a_phase() -> None:
    assert ends(SKILL.phases[LOOK], asked("blast_radius"))
    assert not ends(SKILL.phases[LOOK], asked("find_symbol"))
    assert ends(SKILL.phases[FREE], asked("get_diagnostics"))
    assert not ends(SKILL.phases[FREE], asked("apply_edit", "writes"))


@pytest.mark.parametrize(
    ("name", "given", "effect"),
    [
        ("rename_symbol", {"symbol": "a", "new_name": "b"}, "reads"),
        ("rename_symbol", {"symbol": "a", "new_name": "b", "dry_run": True}, "reads"),
        ("rename_symbol", {"symbol": "a", "new_name": "b", "dry_run": False}, "writes"),
        ("rename_symbol", {"symbol": "a", "new_name": "b", "apply": True}, "writes"),
        ("rename_symbol", {"symbol": "a", "new_name": "b", "apply": True, "dry_run": True}, "writes"),
        ("rename_file", {"old_path": "a", "new_path": "b"}, "reads"),
        ("rename_file", {"old_path": "a", "new_path": "b", "apply": True}, "writes"),
        ("format_document", {"file_path": "a"}, "reads"),
        ("format_document", {"file_path": "a", "apply": "true"}, "writes"),
        ("fix_all", {"file_path": "a"}, "writes"),
        ("fix_all", {"file_path": "a", "preview": True}, "reads"),
        ("apply_fix", {"id": "f1"}, "writes"),
        ("safe_delete_symbol", {"symbol_path": "a", "preview": True}, "reads"),
        ("commit_session", {}, "writes"),
        ("commit_session", {"target": "patch"}, "simulates"),
        ("safe_edit", {}, "writes"),
        ("execute_command", {"command": "c"}, "writes"),
        ("run_tests", {}, "executes"),
        ("find_symbol", {"query": "a"}, "reads"),
    ],
)
def test_a_call_is_judged_by_what_it_may_do(name: str, given: dict[str, object], effect: Effect) -> None:
    operation = find_operation(name)
    assert effect_of(operation, operation.parse(given)) == effect


def test_every_operation_that_writes_only_when_told_to_is_known_to() -> None:
    switches = {"apply", "dry_run", "preview"}
    for operation in OPERATIONS.values():
        names = {field.encode_name for field in msgspec.structs.fields(operation.arguments)}
        if operation.effect == "writes" and names & switches:
            assert effect_of(operation, Harmless()) == "reads", operation.name
