"""The Python API: a workspace whose operations are methods, with typed arguments and typed answers.

    async with groundwire.open(root) as workspace:
        answer = await workspace.find_references(symbol="Repository.save")

Above: Python programs. Below: ``operations``, ``pool``.
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Generic, ParamSpec, Self, overload

import msgspec

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations import arguments, table
from groundwire.operations.answer import Answer
from groundwire.operations.building import arguments as building_arguments
from groundwire.operations.building import run_build, run_tests
from groundwire.operations.diagnostics import get_diagnostics
from groundwire.operations.editing import (
    apply_edit,
    commands,
    fixes,
    formatting,
    rename,
    rename_file,
    source_actions,
    suggestions,
    symbol_edits,
    transactions,
    undo_edit,
    write_file,
)
from groundwire.operations.impact import blast_radius, cross_repo, detect_changes, tests_for_file
from groundwire.operations.navigation import (
    completions,
    decorations,
    documentation,
    editing_context,
    explore,
    hierarchy,
    inspect,
    navigate,
    search,
    symbols,
    tokens,
)
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.project import detect, project_overview
from groundwire.operations.references import cache_files
from groundwire.operations.reporting import report_mode
from groundwire.operations.runner import WAIT_S, perform
from groundwire.operations.serving import (
    capabilities_of,
    log_level,
    lsp_status,
    opened,
    restart,
    starting,
    watched_files,
    workspace_folders,
)
from groundwire.operations.speculation import (
    commit_session,
    compare_edits,
    evaluate_session,
    preview_edit,
    safe_apply_edit,
    simulate,
)
from groundwire.operations.workflow import skills_operations
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool

P = ParamSpec("P")


class Method(Generic[P, A, R]):
    """An operation as a method of a workspace: what it takes are the fields of its arguments, by name."""

    def __init__(self, operation: Operation[A, R], shape: Callable[P, A]) -> None:
        # The shape is there for type checkers: only the class itself tells them the names and types of its fields.
        if shape is not operation.arguments:
            raise TypeError(f"{operation.name} has other arguments")
        self.operation = operation
        self.__doc__ = operation.summary

    @overload
    def __get__(self, workspace: None, owner: object) -> Self: ...
    @overload
    def __get__(self, workspace: "Workspace", owner: object) -> Callable[P, Awaitable[Answer[R]]]: ...
    def __get__(self, workspace: "Workspace | None", owner: object) -> Self | Callable[P, Awaitable[Answer[R]]]:
        if workspace is None:
            return self

        async def ask(*args: P.args, **given: P.kwargs) -> Answer[R]:
            if args:
                raise InvalidArgument(f"{self.operation.name} takes its arguments by name")
            return await workspace.run(self.operation, self.operation.parse(given))

        return ask


class Workspace:
    """A directory and the language servers for it, which start when they are needed and end with it."""

    def __init__(self, pool: Pool, *, wait_s: float = WAIT_S) -> None:
        self.pool = pool
        self.wait_s = wait_s
        """How long an answer may take."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends every server."""
        await self.pool.stop()

    async def run(self, operation: Operation[A, R], given: A) -> Answer[R]:
        """Any operation. Raises a GroundwireError when there is no answer at all."""
        # Structs made by hand have not been checked.
        checked = operation.parse(msgspec.to_builtins(given))
        return await perform(self.pool, operation, checked, wait_s=self.wait_s)

    explore_symbol = Method(explore.explore_symbol, arguments.Target)
    find_symbol = Method(search.find_symbol, search.FindSymbol)
    list_symbols = Method(symbols.list_symbols, symbols.ListSymbols)
    go_to_symbol = Method(symbols.go_to_symbol, symbols.GoToSymbol)
    get_symbol_source = Method(symbols.get_symbol_source, arguments.Target)
    inspect_symbol = Method(inspect.inspect_symbol, arguments.Target)
    get_symbol_documentation = Method(documentation.get_symbol_documentation, documentation.GetSymbolDocumentation)
    get_editing_context = Method(editing_context.get_editing_context, editing_context.GetEditingContext)
    get_signature_help = Method(inspect.get_signature_help, arguments.Target)
    get_completions = Method(completions.get_completions, completions.GetCompletions)
    go_to_definition = Method(navigate.go_to_definition, arguments.TargetPage)
    go_to_declaration = Method(navigate.go_to_declaration, arguments.TargetPage)
    go_to_type_definition = Method(navigate.go_to_type_definition, arguments.TargetPage)
    go_to_implementation = Method(navigate.go_to_implementation, arguments.TargetPage)
    find_references = Method(navigate.find_references, navigate.FindReferences)
    get_document_highlights = Method(inspect.get_document_highlights, arguments.TargetPage)
    find_callers = Method(hierarchy.find_callers, hierarchy.FindCallers)
    callers = Method(hierarchy.callers, arguments.TargetPage)
    type_hierarchy = Method(hierarchy.type_hierarchy, hierarchy.FindTypes)
    get_diagnostics = Method(get_diagnostics.get_diagnostics, get_diagnostics.GetDiagnostics)
    blast_radius = Method(blast_radius.blast_radius, blast_radius.FindBlastRadius)
    detect_changes = Method(detect_changes.detect_changes, detect_changes.DetectChanges)
    get_tests_for_file = Method(tests_for_file.get_tests_for_file, arguments.FileArguments)
    run_tests = Method(run_tests.run_tests, run_tests.RunTests)
    run_build = Method(run_build.run_build, building_arguments.RunTool)
    get_cross_repo_references = Method(cross_repo.get_cross_repo_references, cross_repo.FindCrossRepo)
    safe_apply_edit = Method(safe_apply_edit.safe_apply_edit, preview_edit.PreviewEdit)
    preview_edit = Method(preview_edit.preview_edit, preview_edit.PreviewEdit)
    compare_edits = Method(compare_edits.compare_edits, compare_edits.CompareEdits)
    create_simulation_session = Method(simulate.create_simulation_session, simulate.NoChoice)
    simulate_edit = Method(simulate.simulate_edit, simulate.SimulateEdit)
    simulate_chain = Method(evaluate_session.simulate_chain, evaluate_session.SimulateChain)
    evaluate_session = Method(evaluate_session.evaluate_session, evaluate_session.EvaluateSession)
    commit_session = Method(commit_session.commit_session, commit_session.CommitSession)
    discard_session = Method(simulate.discard_session, simulate.OneSession)
    destroy_session = Method(simulate.destroy_session, simulate.OneSession)
    apply_edit = Method(apply_edit.apply_edit, apply_edit.ApplyEdit)
    write_file = Method(write_file.write_file, write_file.WriteFile)
    prepare_rename = Method(rename.prepare_rename, arguments.Target)
    rename_symbol = Method(rename.rename_symbol, rename.RenameSymbol)
    rename_file = Method(rename_file.rename_file, rename_file.RenameArguments)
    suggest_fixes = Method(fixes.suggest_fixes, suggestions.SuggestFixes)
    apply_fix = Method(fixes.apply_fix, fixes.ApplyFix)
    organize_imports = Method(source_actions.organize_imports, source_actions.SourceAction)
    fix_all = Method(source_actions.fix_all, source_actions.SourceAction)
    format_document = Method(formatting.format_document, formatting.FormatDocument)
    format_range = Method(formatting.format_range, formatting.FormatRange)
    execute_command = Method(commands.execute_command, commands.ExecuteCommand)
    replace_symbol_body = Method(symbol_edits.replace_symbol_body, symbol_edits.ReplaceSymbolBody)
    insert_before_symbol = Method(symbol_edits.insert_before_symbol, symbol_edits.InsertAtSymbol)
    insert_after_symbol = Method(symbol_edits.insert_after_symbol, symbol_edits.InsertAtSymbol)
    safe_delete_symbol = Method(symbol_edits.safe_delete_symbol, symbol_edits.DeleteSymbol)
    undo_edit = Method(undo_edit.undo_edit, undo_edit.UndoEdit)
    begin_edits = Method(transactions.begin_edits, transactions.NoEdits)
    end_edits = Method(transactions.end_edits, transactions.NoEdits)
    rollback_edits = Method(transactions.rollback_edits, transactions.NoEdits)
    set_report_mode = Method(report_mode.set_report_mode, report_mode.SetReportMode)
    get_inlay_hints = Method(decorations.get_inlay_hints, arguments.FileRange)
    get_semantic_tokens = Method(tokens.get_semantic_tokens, arguments.FileRange)
    get_folding_ranges = Method(decorations.get_folding_ranges, arguments.FilePage)
    get_selection_ranges = Method(decorations.get_selection_ranges, arguments.Target)
    get_code_lenses = Method(decorations.get_code_lenses, arguments.FilePage)
    get_server_capabilities = Method(table.get_server_capabilities, capabilities_of.ServersAsked)
    detect_lsp_servers = Method(detect.detect_lsp_servers, detect.DetectServers)
    project_overview = Method(project_overview.project_overview, project_overview.AboutProject)
    lsp_status = Method(lsp_status.lsp_status, lsp_status.NoArguments)
    set_log_level = Method(log_level.set_log_level, log_level.SetLogLevel)
    restart_lsp_server = Method(restart.restart_lsp_server, restart.RestartServers)
    did_change_watched_files = Method(watched_files.did_change_watched_files, watched_files.TellChanges)
    start_lsp = Method(starting.start_lsp, starting.StartLsp)
    open_document = Method(opened.open_document, opened.OpenDocument)
    close_document = Method(opened.close_document, arguments.FileArguments)
    add_workspace_folder = Method(workspace_folders.add_workspace_folder, workspace_folders.FolderArguments)
    remove_workspace_folder = Method(workspace_folders.remove_workspace_folder, workspace_folders.FolderArguments)
    list_workspace_folders = Method(workspace_folders.list_workspace_folders, workspace_folders.ListFolders)
    export_cache = Method(cache_files.export_cache, cache_files.ExportCache)
    import_cache = Method(cache_files.import_cache, cache_files.ImportCache)
    list_skills = Method(table.skills.list_skills, skills_operations.NoArguments)
    activate_skill = Method(table.skills.activate_skill, skills_operations.ActivateSkill)
    deactivate_skill = Method(table.skills.deactivate_skill, skills_operations.NoArguments)
    get_skill_phase = Method(table.skills.get_skill_phase, skills_operations.NoArguments)


def open(root: str | os.PathLike[str], *, wait_s: float = WAIT_S) -> Workspace:  # noqa: A001  groundwire.open is its name
    """The workspace of a directory, as its configuration says. Raises a GroundwireError when that is not valid."""
    return Workspace(open_pool(existing_directory(root)), wait_s=wait_s)


def existing_directory(root: str | os.PathLike[str]) -> Path:
    """The directory, absolute. Raises FileNotFound or InvalidArgument."""
    directory = Path(root).resolve()
    if not directory.exists():
        raise FileNotFound(f"there is no directory {root}")
    if not directory.is_dir():
        raise InvalidArgument(f"{root} is not a directory", hint="Name the directory of the project.")
    return directory
