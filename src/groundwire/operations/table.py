"""Every operation there is, by name. Above: ``surfaces``. Below: the operations."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from groundwire.errors import InvalidArgument
from groundwire.operations.building.run_build import run_build
from groundwire.operations.building.run_tests import run_tests
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.commands import execute_command
from groundwire.operations.editing.fixes import apply_fix, suggest_fixes
from groundwire.operations.editing.formatting import format_document, format_range
from groundwire.operations.editing.rename import prepare_rename, rename_symbol
from groundwire.operations.editing.rename_file import rename_file
from groundwire.operations.editing.source_actions import fix_all, organize_imports
from groundwire.operations.editing.symbol_edits import (
    insert_after_symbol,
    insert_before_symbol,
    replace_symbol_body,
    safe_delete_symbol,
)
from groundwire.operations.editing.transactions import begin_edits, end_edits, rollback_edits
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.editing.write_file import write_file
from groundwire.operations.extension_operations import extension_operations
from groundwire.operations.impact.blast_radius import blast_radius
from groundwire.operations.impact.cross_repo import get_cross_repo_references
from groundwire.operations.impact.detect_changes import detect_changes
from groundwire.operations.impact.tests_for_file import get_tests_for_file
from groundwire.operations.navigation.completions import get_completions
from groundwire.operations.navigation.decorations import (
    get_code_lenses,
    get_folding_ranges,
    get_inlay_hints,
    get_selection_ranges,
)
from groundwire.operations.navigation.documentation import get_symbol_documentation
from groundwire.operations.navigation.editing_context import get_editing_context
from groundwire.operations.navigation.explore import explore_symbol
from groundwire.operations.navigation.hierarchy import callers, find_callers, type_hierarchy
from groundwire.operations.navigation.inspect import get_document_highlights, get_signature_help, inspect_symbol
from groundwire.operations.navigation.navigate import (
    find_references,
    go_to_declaration,
    go_to_definition,
    go_to_implementation,
    go_to_type_definition,
)
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.navigation.symbols import get_symbol_source, go_to_symbol, list_symbols
from groundwire.operations.navigation.tokens import get_semantic_tokens
from groundwire.operations.operation import Operation
from groundwire.operations.project.detect import detect_lsp_servers
from groundwire.operations.project.project_overview import project_overview
from groundwire.operations.references.cache_files import export_cache, import_cache
from groundwire.operations.reporting.report_mode import set_report_mode
from groundwire.operations.serving.capabilities_of import capabilities_operation
from groundwire.operations.serving.log_level import set_log_level
from groundwire.operations.serving.lsp_status import lsp_status
from groundwire.operations.serving.opened import close_document, open_document
from groundwire.operations.serving.restart import restart_lsp_server
from groundwire.operations.serving.starting import start_lsp
from groundwire.operations.serving.watched_files import did_change_watched_files
from groundwire.operations.serving.workspace_folders import (
    add_workspace_folder,
    list_workspace_folders,
    remove_workspace_folder,
)
from groundwire.operations.speculation.commit_session import commit_session
from groundwire.operations.speculation.compare_edits import compare_edits
from groundwire.operations.speculation.evaluate_session import evaluate_session, simulate_chain
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.operations.speculation.safe_apply_edit import safe_apply_edit
from groundwire.operations.speculation.simulate import (
    create_simulation_session,
    destroy_session,
    discard_session,
    simulate_edit,
)
from groundwire.operations.workflow.skills_operations import skill_operations

AnyOperation = Operation[Any, Any]
"""Each has arguments and a result of its own, which its ``parse`` and ``run`` hold together."""


def _all() -> Iterable[AnyOperation]:
    return OPERATIONS.values()


get_server_capabilities = capabilities_operation(_all)
skills = skill_operations(_all)

_BUILT_IN: tuple[AnyOperation, ...] = (
    explore_symbol,
    find_symbol,
    list_symbols,
    go_to_symbol,
    get_symbol_source,
    inspect_symbol,
    get_symbol_documentation,
    get_editing_context,
    get_signature_help,
    get_completions,
    go_to_definition,
    go_to_declaration,
    go_to_type_definition,
    go_to_implementation,
    find_references,
    get_document_highlights,
    find_callers,
    callers,
    type_hierarchy,
    get_diagnostics,
    blast_radius,
    detect_changes,
    get_tests_for_file,
    run_tests,
    run_build,
    get_cross_repo_references,
    preview_edit,
    safe_apply_edit,
    compare_edits,
    create_simulation_session,
    simulate_edit,
    evaluate_session,
    simulate_chain,
    commit_session,
    discard_session,
    destroy_session,
    apply_edit,
    write_file,
    prepare_rename,
    rename_symbol,
    rename_file,
    suggest_fixes,
    apply_fix,
    organize_imports,
    fix_all,
    format_document,
    format_range,
    execute_command,
    replace_symbol_body,
    insert_before_symbol,
    insert_after_symbol,
    safe_delete_symbol,
    undo_edit,
    begin_edits,
    end_edits,
    rollback_edits,
    set_report_mode,
    get_inlay_hints,
    get_semantic_tokens,
    get_folding_ranges,
    get_selection_ranges,
    get_code_lenses,
    get_server_capabilities,
    detect_lsp_servers,
    project_overview,
    lsp_status,
    set_log_level,
    restart_lsp_server,
    did_change_watched_files,
    start_lsp,
    open_document,
    close_document,
    add_workspace_folder,
    remove_workspace_folder,
    list_workspace_folders,
    export_cache,
    import_cache,
    *skills,
)

_ALL = (*_BUILT_IN, *extension_operations(_BUILT_IN))

OPERATIONS: Mapping[str, AnyOperation] = {operation.name: operation for operation in _ALL}

_ALIASES: Mapping[str, AnyOperation] = {alias: operation for operation in _ALL for alias in operation.aliases}


def find_operation(name: str) -> AnyOperation:
    """The operation of that name, or of that older name. Raises InvalidArgument with the closest names."""
    found = OPERATIONS.get(name) or _ALIASES.get(name)
    if found is not None:
        return found
    known = [*OPERATIONS, *_ALIASES]
    close = get_close_matches(name, known, n=3)
    hint = f"Did you mean {' or '.join(close)}?" if close else f"Known are {', '.join(OPERATIONS)}."
    raise InvalidArgument(f"there is no operation {name!r}", hint=hint)
