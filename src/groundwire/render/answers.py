"""The answer of any operation as text, within a budget.

Above: ``surfaces``. Below: the renderers of each family of results, ``page``, ``next_steps``.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Operation, R, Result
from groundwire.operations.reporting.report_mode import ReportState
from groundwire.operations.results import building as results_building
from groundwire.operations.results import cache as results_cache
from groundwire.operations.results import context as results_context
from groundwire.operations.results import decorations as results_decorations
from groundwire.operations.results import diagnostics as results_diagnostics
from groundwire.operations.results import edits as results_edits
from groundwire.operations.results import fixes as results_fixes
from groundwire.operations.results import found as results
from groundwire.operations.results import hierarchy as results_hierarchy
from groundwire.operations.results import impact as results_impact
from groundwire.operations.results import project as results_project
from groundwire.operations.results import servers as results_servers
from groundwire.operations.results import speculation as results_speculation
from groundwire.operations.results import workspace as results_workspace
from groundwire.operations.workflow import skills_results
from groundwire.render.building import build_page, tests_page
from groundwire.render.cache import exported_page, imported_page
from groundwire.render.decorations import folds_page, hints_page, lenses_page, selections_page, tokens_page
from groundwire.render.diagnostics_page import diagnostics_page
from groundwire.render.documentation import documentation_page
from groundwire.render.editing_context import editing_context_page
from groundwire.render.edits import edit_page, report_state_page
from groundwire.render.exploration import exploration_page
from groundwire.render.extension_pages import extension_page, extension_renderers
from groundwire.render.fixes import command_page, fixes_page, rename_page, rename_target_page
from groundwire.render.hierarchy import call_hierarchy_page, type_hierarchy_page
from groundwire.render.impact import blast_radius_page, changes_page
from groundwire.render.impact_elsewhere import cross_repo_page, file_tests_page
from groundwire.render.inspect import completions_page, highlights_page, hover_page, signatures_page
from groundwire.render.limits import Limits
from groundwire.render.next_steps import Speak, next_step
from groundwire.render.page import HARD_CAP, Page, fitted
from groundwire.render.places import places_page
from groundwire.render.project import project_page
from groundwire.render.servers import (
    detected_page,
    level_page,
    offers_page,
    restarted_page,
    states_page,
    told_page,
)
from groundwire.render.skills import activation_page, deactivation_page, phase_page, skills_page
from groundwire.render.speculation import (
    chain_page,
    committed_page,
    comparison_page,
    evaluation_page,
    safe_edit_page,
    session_page,
)
from groundwire.render.symbols import file_symbols_page, symbol_matches_page, symbol_source_page
from groundwire.render.workspace import (
    added_page,
    closed_page,
    folders_page,
    opened_page,
    removed_page,
    started_page,
)

_NOUNS: Mapping[str, str] = {
    "go_to_symbol": "symbol",
    "go_to_definition": "definition",
    "go_to_declaration": "declaration",
    "go_to_type_definition": "type definition",
    "go_to_implementation": "implementation",
    "find_references": "reference",
}
_ALL_PLACES = Limits(places=HARD_CAP)

# Each takes an answer of its own type, under which it stands here.
_RENDERERS: Mapping[type[Result], Callable[[Answer[Any]], Page]] = {
    results.FileSymbols: file_symbols_page,
    results.SymbolMatches: symbol_matches_page,
    results.SymbolSource: symbol_source_page,
    results.HoverText: hover_page,
    results_context.Documentation: documentation_page,
    results_context.EditingContext: editing_context_page,
    results.Signatures: signatures_page,
    results.Completions: completions_page,
    results.Highlights: highlights_page,
    results_hierarchy.CallHierarchy: call_hierarchy_page,
    results_hierarchy.TypeHierarchy: type_hierarchy_page,
    results_hierarchy.Exploration: exploration_page,
    results_decorations.Hints: hints_page,
    results_decorations.Tokens: tokens_page,
    results_decorations.Folds: folds_page,
    results_decorations.Selections: selections_page,
    results_decorations.Lenses: lenses_page,
    results_diagnostics.Diagnostics: diagnostics_page,
    results_impact.BlastRadius: blast_radius_page,
    results_impact.DetectedChanges: changes_page,
    results_impact.FileTests: file_tests_page,
    results_impact.CrossRepoReferences: cross_repo_page,
    results_building.BuildOutcome: build_page,
    results_building.TestOutcome: tests_page,
    results_edits.EditOutcome: edit_page,
    results_speculation.Evaluation: evaluation_page,
    results_speculation.SafeEdit: safe_edit_page,
    results_speculation.EditComparison: comparison_page,
    results_speculation.SimulationSession: session_page,
    results_speculation.ChainEvaluation: chain_page,
    results_speculation.CommittedSession: committed_page,
    results_fixes.RenameTarget: rename_target_page,
    results_fixes.RenameOutcome: rename_page,
    results_fixes.Fixes: fixes_page,
    results_fixes.CommandOutcome: command_page,
    ReportState: report_state_page,
    results_servers.ServerOffers: offers_page,
    results_servers.DetectedServers: detected_page,
    results_servers.ServerStates: states_page,
    results_servers.LevelChange: level_page,
    results_servers.RestartedServers: restarted_page,
    results_servers.ToldChanges: told_page,
    results_workspace.StartedServers: started_page,
    results_workspace.OpenedDocument: opened_page,
    results_workspace.ClosedDocument: closed_page,
    results_workspace.AddedFolder: added_page,
    results_workspace.RemovedFolder: removed_page,
    results_workspace.FolderList: folders_page,
    results_project.ProjectOverview: project_page,
    results_cache.ExportedCache: exported_page,
    results_cache.ImportedCache: imported_page,
    skills_results.SkillList: skills_page,
    skills_results.SkillActivation: activation_page,
    skills_results.SkillDeactivation: deactivation_page,
    skills_results.SkillPhase: phase_page,
}

RENDERED: frozenset[type[Result]] = frozenset({*_RENDERERS, results.Locations})
"""Every type of result that there is a text for."""

extension_renderers(RENDERED)


def render_answer(
    operation: Operation[A, R], answer: Answer[R], *, max_chars: int = HARD_CAP, speak: Speak = str
) -> str:
    """The text. ``speak`` gives the name by which the reader knows an operation, or nothing for an unknown one."""
    page = _page(operation.name, cast("Answer[Result]", answer))
    has_results = any(section.blocks for section in page.sections)
    step = next_step(operation.name, speak) if has_results and page.is_open else ""
    return fitted(page._replace(next_step=step), max_chars)


def _page(operation: str, answer: Answer[Result]) -> Page:
    if isinstance(answer.value, results.Locations):
        return places_page(cast("Answer[results.Locations]", answer), _NOUNS.get(operation, "place"), _ALL_PLACES)
    renderer = _RENDERERS.get(type(answer.value))
    return renderer(answer) if renderer is not None else extension_page(operation, answer, RENDERED)
