"""A question for every operation, about the project of ``toy_project``: how it is asked on each surface, and what the
text of its answer is on all of them, but for the line that suggests what to ask next.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.operations.workflow.skills import packaged_skills
from groundwire.pool.pool import Pool
from groundwire.render.layout import short_path
from tests.fakes.toy_servers import toy_catalog, toy_command, toy_spec
from tests.operations.toy_project import ZOO


class Question(NamedTuple):
    """``given`` are the arguments by name, ``argv`` the same on the command line."""

    operation: str
    given: Mapping[str, object]
    argv: tuple[str, ...]
    text: str
    servers: tuple[str, ...] = ("well_read",)
    """Who answered; none where no server was asked."""


def _skills_that_may_be() -> str:
    """The list of skills where no server has run yet."""
    lines = [f"{len(packaged_skills())} skills"]
    for skill in packaged_skills().values():
        unknown = f" [not known yet: {', '.join(skill.needs)}]" if skill.needs else ""
        lines += [f"  {f'{skill.name} {skill.argument_hint}'.rstrip()}{unknown}", f"    {skill.description}"]
    return "\n".join(lines)


QUESTIONS = (
    Question(
        "explore_symbol",
        {"symbol": "bark"},
        ("explore", "bark"),
        "function bark  voices.toy:1-2 (confirmed by well_read)\n"
        "```toy\n"
        "def bark(loudness, count)\n"
        "```\n"
        "Source:\n"
        "def bark(loudness, count)\n"
        "    use shout(loudness)\n"
        "Used 1 time in 1 file: animals.toy 1\n"
        "1 caller:\n"
        "animals.toy\n"
        "  8:9  method speak\n"
        "    9:15  😀 use bark(volume, 2)",
    ),
    Question(
        "find_symbol",
        {"query": "speak", "kinds": ["method"]},
        ("search", "speak", "--kinds", "method"),
        "2 symbols (confirmed by well_read)\n"
        "  animals.toy:4:9  method Animal.speak  def speak(volume, times)\n"
        "  animals.toy:8:9  method Dog.speak  def speak(volume, times)",
    ),
    Question(
        "list_symbols",
        {"file_path": "animals.toy"},
        ("symbols", "animals.toy"),
        "4 symbols in animals.toy (confirmed by well_read)\n"
        "  2:7  class Animal [2-5]\n"
        "    4:9  method speak [4-5]  speak(volume, times)\n"
        "  7:7  class Dog [7-10]  Dog(Animal)\n"
        "    8:9  method speak [8-10]  speak(volume, times)",
    ),
    Question(
        "go_to_symbol",
        {"symbol_path": "Dog.speak"},
        ("goto", "Dog.speak"),
        "1 symbol in 1 file (confirmed by well_read)\nanimals.toy\n  8:9  def speak(volume, times)",
    ),
    Question(
        "get_symbol_source",
        {"symbol": "shout"},
        ("source", "shout"),
        "function shout  voices.toy:4-5 (confirmed by well_read)\n# Makes noise.\ndef shout(what)",
    ),
    Question(
        "inspect_symbol",
        {"symbol": "shout"},
        ("hover", "shout"),
        "Type and documentation (confirmed by well_read)\n```toy\ndef shout(what)\n```\nMakes noise.",
    ),
    Question(
        "get_symbol_documentation",
        {"symbol": "shout"},
        ("docs", "shout"),
        "Documentation of shout (confirmed by well_read)\ndef shout(what)\nMakes noise.",
    ),
    Question(
        "get_editing_context",
        {"file_path": "voices.toy"},
        ("context", "voices.toy"),
        "2 symbols in voices.toy (confirmed by well_read)\n"
        "  1:5  function bark [1-2]  def bark(loudness, count)\n"
        "    caller  animals.toy:9:15  method speak  😀 use bark(volume, 2)\n"
        "    calls   voices.toy:5:5  function shout  def shout(what)\n"
        "  5:5  function shout [5-5]  def shout(what)\n"
        "    caller  animals.toy:5:13  method speak  use shout(volume)\n"
        "    caller  animals.toy:10:13  method speak  use shout(volume)\n"
        "    caller  voices.toy:2:9  function bark  use shout(loudness)",
    ),
    Question(
        "get_signature_help",
        {"file_path": "animals.toy", "line": 9, "text": "bark(volume, "},
        ("signature", "animals.toy:9", "--text", "bark(volume, "),
        "1 signature (confirmed by well_read)\n  bark(loudness, count)\n    being written: count",
    ),
    Question(
        "get_completions",
        {"file_path": "animals.toy", "line": 10, "text": "use sh"},
        ("completions", "animals.toy:10", "--text", "use sh"),
        "1 completion (confirmed by well_read)\n  shout  function",
    ),
    Question(
        "go_to_definition",
        {"file_path": "animals.toy", "line": 9, "column": 16},
        ("def", "animals.toy:9:16"),
        "1 definition in 1 file (confirmed by well_read)\nvoices.toy\n  1:5  def bark(loudness, count)",
    ),
    Question(
        "go_to_declaration",
        {"file_path": "voices.toy", "position_pattern": "use @@shout"},
        ("decl", "voices.toy", "--pattern", "use @@shout"),
        "1 declaration in 1 file (confirmed by well_read)\nvoices.toy\n  5:5  def shout(what)",
    ),
    Question(
        "go_to_type_definition",
        {"symbol": "Dog.speak"},
        ("type-def", "Dog.speak"),
        "1 type definition in 1 file (confirmed by well_read)\nanimals.toy\n  7:7  class Dog(Animal)",
    ),
    Question(
        "go_to_implementation",
        {"symbol": "Animal.speak"},
        ("impl", "animals.toy::Animal.speak"),
        "1 implementation in 1 file (confirmed by well_read)\nanimals.toy\n  8:9  def speak(volume, times)",
    ),
    Question(
        "find_references",
        {"symbol": "shout", "limit": 2},
        ("refs", "shout", "--limit", "2"),
        "3 references in 2 files (confirmed by well_read)\n"
        "animals.toy\n"
        "  5:13  use shout(volume)\n"
        "  10:13  use shout(volume)\n"
        "+1 more results (offset 2)",
    ),
    Question(
        "get_document_highlights",
        {"file_path": "voices.toy", "symbol": "shout"},
        ("highlights", "voices.toy::shout"),
        "2 places in voices.toy (confirmed by well_read)\n"
        "  2:9  read   use shout(loudness)\n"
        "  5:5  write  def shout(what)",
    ),
    Question(
        "find_callers",
        {"symbol": "bark"},
        ("calls", "bark"),
        "function bark voices.toy:1:5: called by 1 at 1 place, calls 1 at 1 place (confirmed by well_read)\n"
        "Called by:\n"
        "animals.toy\n"
        "  8:9  method speak\n"
        "    9:15  😀 use bark(volume, 2)\n"
        "Calls:\n"
        "voices.toy\n"
        "  5:5  function shout\n"
        "    2:9  use shout(loudness)",
    ),
    Question(
        "callers",
        {"symbol": "nobody"},
        ("callers", "nobody"),
        "function nobody lonely.toy:1:5: called by nothing (confirmed by well_read)",
    ),
    Question(
        "type_hierarchy",
        {"symbol": "Animal", "direction": "subtypes"},
        ("types", "Animal", "--direction", "subtypes"),
        "class Animal animals.toy:2:7: base of 1 (confirmed by well_read)\n"
        "animals.toy\n"
        "  7:7  class Dog  class Dog(Animal)",
    ),
    Question(
        "get_diagnostics",
        {"file_path": "animals.toy"},
        ("diagnostics", "animals.toy"),
        "animals.toy: no findings (confirmed by well_read)",
    ),
    Question(
        "preview_edit",
        {"file_path": "voices.toy", "old_text": "use shout(loudness)", "new_text": "use shout(wrong)"},
        ("preview", "voices.toy", "--old-text", "use shout(loudness)", "--new-text", "use shout(wrong)"),
        "Would introduce 1 error (confirmed by well_read)\n"
        "\n"
        "LSP errors that it would bring in this file:\n"
        '<diagnostics file="voices.toy">\n'
        "ERROR [2:15] use shout(wrong)\n"
        "</diagnostics>",
    ),
    Question(
        "safe_apply_edit",
        {"file_path": "voices.toy", "old_text": "use shout(loudness)", "new_text": "use shout(wrong)"},
        ("safe-edit", "voices.toy", "--old-text", "use shout(loudness)", "--new-text", "use shout(wrong)"),
        "Nothing was written: would introduce 1 error (confirmed by well_read)\n"
        "\n"
        "LSP errors that it would bring in this file:\n"
        '<diagnostics file="voices.toy">\n'
        "ERROR [2:15] use shout(wrong)\n"
        "</diagnostics>",
    ),
    Question(
        "compare_edits",
        {
            "alternatives": [
                {"name": "loud", "edits": [{"file_path": "lonely.toy", "old_text": "nobody", "new_text": "wrong"}]},
                {"name": "calm", "edits": [{"file_path": "lonely.toy", "old_text": "nobody", "new_text": "anyone"}]},
            ]
        },
        (
            "compare-edits",
            "--alternatives",
            (
                '[{"name": "loud", "edits": [{"file_path": "lonely.toy", "old_text": "nobody", "new_text": "wrong"}]},'
                ' {"name": "calm", "edits": [{"file_path": "lonely.toy", "old_text": "nobody", "new_text": "anyone"}]}]'
            ),
        ),
        "Best: calm (confirmed by well_read)\n"
        "  1. calm: introduces nothing, 1 line changed\n"
        "  2. loud: introduces 1, 1 line changed\n"
        "\n"
        "loud would introduce:\n"
        '<diagnostics file="lonely.toy">\n'
        "ERROR [1:5] def wrong()\n"
        "</diagnostics>",
    ),
    Question("create_simulation_session", {}, ("simulate",), "Session ID: created", ()),
    Question("commit_session", {}, ("commit-session",), "Nothing was changed: the session holds no edits", ()),
    Question(
        "simulate_edit",
        {"file_path": "lonely.toy", "start_line": 1, "start_column": 5, "end_column": 11, "new_text": "anybody"},
        (
            *("simulate-edit", "lonely.toy", "--start-line", "1", "--start-column", "5"),
            *("--end-column", "11", "--new-text", "anybody"),
        ),
        "Session ID: mutated, 1 edit of lonely.toy",
        (),
    ),
    Question("evaluate_session", {}, ("evaluate-session",), "Safe (confirmed): changes nothing", ()),
    Question("discard_session", {}, ("discard-session",), "Session ID: discarded", ()),
    Question(
        "simulate_chain",
        {
            "edits": [
                {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "anybody"},
                {"file_path": "lonely.toy", "old_text": "anybody", "new_text": "wrong"},
            ]
        },
        (
            "simulate-chain",
            "--edits",
            (
                '[{"file_path": "lonely.toy", "old_text": "nobody", "new_text": "anybody"},'
                ' {"file_path": "lonely.toy", "old_text": "anybody", "new_text": "wrong"}]'
            ),
        ),
        "Safe through step 1 of 2 (confirmed by well_read)\n"
        "  1. safe (net +0)\n"
        "  2. would introduce 1 error (net +1)\n"
        "\n"
        "The first step that breaks something:\n"
        '<diagnostics file="lonely.toy">\n'
        "ERROR [1:5] def wrong()\n"
        "</diagnostics>",
    ),
    Question(
        "destroy_session",
        {"session_id": "0" * 32},
        ("destroy-session", "--session-id", "0" * 32),
        "Session ID: already destroyed",
        (),
    ),
    Question(
        "apply_edit",
        {"file_path": "voices.toy", "old_text": "use shout(loudness)", "new_text": "use shout(wrong)"},
        ("edit", "voices.toy", "--old-text", "use shout(loudness)", "--new-text", "use shout(wrong)"),
        "Edited voices.toy (+1 -1), undo with undo_edit ID\n"
        "1 error, introduced by this edit (confirmed by well_read)\n"
        "\n"
        "LSP errors detected in this file, please fix:\n"
        '<diagnostics file="voices.toy">\n'
        "ERROR [2:15] use shout(wrong)\n"
        "</diagnostics>",
    ),
    Question(
        "blast_radius",
        {"changed_files": ["voices.toy"], "limit": 1},
        ("blast-radius", "voices.toy", "--limit", "1"),
        "2 symbols with 4 uses, 0 in tests, in 2 files (confirmed by well_read)\n"
        "Note: what is exported in toy is not known here: all symbols were taken\n"
        "voices.toy\n"
        "  1:5  function bark  1 use, no test\n"
        "    caller  animals.toy:9:15  method Dog.speak  😀 use bark(volume, 2)\n"
        "+1 more results (offset 1)",
    ),
    Question(
        "detect_changes",
        {"workspace_root": "attic"},
        ("changes", "--workspace-root", "attic"),
        "No changed symbols in 0 changed files against what is staged (confirmed)",
        servers=(),
    ),
    Question(
        "get_tests_for_file",
        {"file_path": "voices.toy"},
        ("tests-for", "voices.toy"),
        "No test files of voices.toy (confirmed by well_read)",
    ),
    Question(
        "run_tests",
        {"path": ".sound", "language": "python"},
        ("test", ".sound", "--language", "python"),
        "Tests passed: 1 passed (confirmed by unittest)\nRan: PYTHON -B -m unittest discover -v",
        servers=(),
    ),
    Question(
        "run_build",
        {"path": ".sound/test_sound.py"},
        ("build", ".sound/test_sound.py"),
        "The syntax is right, and nothing more was checked (confirmed by python)\nRan: PYTHON -I -S -B CHILD",
        servers=(),
    ),
    Question(
        "get_cross_repo_references",
        {"symbol": "nobody", "consumer_roots": ["attic"]},
        ("cross-repo", "nobody", "--consumer-roots", "attic"),
        "No uses of nobody in 2 repositories (confirmed by well_read)\nprimary: no uses\nattic: no uses",
    ),
    Question(
        "write_file",
        {"file_path": "new/cat.toy", "text": "def meow()\n"},
        ("write", "new/cat.toy", "def meow()\n"),
        "Created new/cat.toy (+1 -0), undo with undo_edit ID\nNo errors (confirmed by well_read)",
    ),
    Question(
        "prepare_rename",
        {"symbol": "bark"},
        ("prepare-rename", "bark"),
        "bark can be renamed (confirmed by well_read)\nvoices.toy\n  1:5  def bark(loudness, count)",
    ),
    Question(
        "rename_symbol",
        {"symbol": "bark", "new_name": "howl"},
        ("rename", "bark", "howl"),
        "Preview, nothing is written yet: 2 sites in 2 files become howl (confirmed by well_read)\n"
        "animals.toy\n"
        "  9:15  😀 use bark(volume, 2) → 😀 use howl(volume, 2)\n"
        "voices.toy\n"
        "  1:5  def bark(loudness, count) → def howl(loudness, count)",
    ),
    Question(
        "suggest_fixes",
        {"file_path": "voices.toy", "line": 1, "kinds": ["refactor"]},
        ("fixes", "voices.toy", "--line", "1", "--kinds", "refactor"),
        "2 suggestions in voices.toy (confirmed by well_read)\n"
        "  f1  1:1  Add a comment (refactor.rewrite, well_read)\n"
        "  f2  1:1  Shout (refactor.rewrite, well_read)",
    ),
    Question(
        "apply_fix",
        {"id": "lonely.toy:1:Add a comment"},
        ("fix", "lonely.toy:1:Add a comment"),
        "Edited lonely.toy (+1 -0), undo with undo_edit ID\nNo errors (confirmed by well_read)",
    ),
    Question(
        "organize_imports",
        {"file_path": "lonely.toy"},
        ("organize-imports", "lonely.toy"),
        "Nothing was changed\nNote: nothing to change",
    ),
    Question(
        "fix_all",
        {"file_path": "lonely.toy"},
        ("fix-all", "lonely.toy"),
        "Nothing was changed\nNote: no source.fixAll is offered for this file",
    ),
    Question(
        "format_document",
        {"file_path": "lonely.toy"},
        ("format", "lonely.toy"),
        "Nothing was changed\nNote: well_read has nothing to change",
    ),
    Question(
        "format_range",
        {"file_path": "lonely.toy", "start_line": 1, "end_line": 1},
        ("format-range", "lonely.toy", "--start-line", "1", "--end-line", "1"),
        "Nothing was changed\nNote: well_read has nothing to change",
    ),
    Question(
        "execute_command",
        {"command": "toy.echo", "arguments": [1, {"two": 3}], "file_path": "lonely.toy"},
        ("execute", "toy.echo", "lonely.toy", "--arguments", '[1, {"two": 3}]'),
        'toy.echo was carried out by well_read\nResult:\n[\n  1,\n  {\n    "two": 3\n  }\n]',
    ),
    Question(
        "rename_file",
        {"old_path": "lonely.toy", "new_path": "alone.toy"},
        ("rename-file", "lonely.toy", "alone.toy"),
        "Preview, nothing is written yet: renamed lonely.toy to alone.toy\n"
        "Note: imports are not updated: well_read does not offer to",
    ),
    Question(
        "replace_symbol_body",
        {"symbol_path": "bark", "new_body": "use shout(count)"},
        ("replace-symbol-body", "bark", "use shout(count)"),
        "Edited voices.toy (+1 -1), undo with undo_edit ID\nNo errors (confirmed by well_read)",
    ),
    Question(
        "insert_before_symbol",
        {"symbol_path": "shout", "file_path": "voices.toy", "code": "def hum()"},
        ("insert-before-symbol", "shout", "voices.toy", "def hum()"),
        "Edited voices.toy (+2 -0), undo with undo_edit ID\nNo errors (confirmed by well_read)",
    ),
    Question(
        "insert_after_symbol",
        {"symbol_path": "Dog.speak", "code": "def sit()", "preview": True},
        ("insert-after-symbol", "Dog.speak", "def sit()", "--preview"),
        "Preview, nothing is written yet: edited animals.toy (+2 -0)\n"
        "--- a/animals.toy\n"
        "+++ b/animals.toy\n"
        "@@ -8,3 +8,5 @@\n"
        "     def speak(volume, times)\n"
        "         😀 use bark(volume, 2)\n"
        "         use shout(volume)\n"
        "+\n"
        "+    def sit()",
    ),
    Question(
        "safe_delete_symbol",
        {"symbol_path": "nobody", "file_path": "lonely.toy"},
        ("safe-delete-symbol", "nobody", "lonely.toy"),
        "Edited lonely.toy (+0 -1), undo with undo_edit ID\nNo errors (confirmed by well_read)",
    ),
    Question(
        "undo_edit",
        {},
        ("undo",),
        "Nothing was changed\nNote: there is no edit to undo: only those made here are kept",
        servers=(),
    ),
    Question(
        "begin_edits",
        {},
        ("begin-edits",),
        "Reported after edits: errors, of other files: introduced; edits were begun, and are reported at end_edits "
        "(confirmed)",
        servers=(),
    ),
    Question("end_edits", {}, ("end-edits",), "Nothing was changed\nNote: no edits were begun", servers=()),
    Question("rollback_edits", {}, ("rollback-edits",), "Nothing was changed\nNote: no edits were begun", servers=()),
    Question(
        "set_report_mode",
        {"mode": "all", "other_files": "never"},
        ("report-mode", "--mode", "all", "--other-files", "never"),
        "Reported after edits: all, of other files: never (confirmed)",
        servers=(),
    ),
    Question(
        "get_inlay_hints",
        {"file_path": "animals.toy", "start_line": 10},
        ("hints", "animals.toy", "--start-line", "10"),
        "1 hint in animals.toy (confirmed by well_read)\n  10:19  what: (parameter)  use shout(volume)",
    ),
    Question(
        "get_semantic_tokens",
        {"file_path": "animals.toy", "limit": 1, "offset": 1},
        ("tokens", "animals.toy", "--limit", "1", "--offset", "1"),
        "12 tokens in animals.toy (confirmed by well_read)\n"
        "  4:9  method speak (declaration)\n"
        "+10 more results (offset 2)",
    ),
    Question(
        "get_folding_ranges",
        {"file_path": "voices.toy"},
        ("folds", "voices.toy"),
        "1 folding range in voices.toy (confirmed by well_read)\n  1-2",
    ),
    Question(
        "get_selection_ranges",
        {"file_path": "voices.toy", "line": 2, "column": 9},
        ("selections", "voices.toy:2:9"),
        "4 enclosing ranges in voices.toy (confirmed by well_read)\n"
        "  2:9-2:14  use shout(loudness)\n"
        "  2:1-2:24  use shout(loudness)\n"
        "  1:1-2:24  def bark(loudness, count)\n"
        "  1:1-6:1  def bark(loudness, count)",
    ),
    Question(
        "get_code_lenses",
        {"file_path": "lonely.toy"},
        ("lenses", "lonely.toy"),
        "1 code lens in lonely.toy (confirmed by well_read)\n  1:5  0 uses (toy.show)  def nobody()",
    ),
    Question(
        "get_server_capabilities",
        {"file_path": "lonely.toy"},
        ("capabilities", "lonely.toy"),
        "1 server (confirmed by well_read)\n  well_read at . (toy, primary): serves every operation",
    ),
    Question(
        "detect_lsp_servers",
        {"workspace_dir": "."},
        ("detect", "--workspace-dir", "."),
        f"1 language (confirmed)\n  toy  3 files\nInstalled:\n  toy  well_read  primary  {short_path(sys.executable)}",
        servers=(),
    ),
    Question(
        "project_overview",
        {},
        ("project",),
        "3 files in 1 language (confirmed)\n"
        "Languages:\n"
        "  toy 3 (100 %)\n"
        "Servers:\n"
        "  well_read at . (toy)\n"
        "Largest files:\n"
        "  animals.toy: 10 lines\n"
        "  voices.toy: 5 lines\n"
        "  lonely.toy: 1 line",
        servers=(),
    ),
    Question(
        "lsp_status",
        {},
        ("lsp-status",),
        "1 server for 3 files, none running (confirmed)\nidle  well_read  toy  .",
        servers=(),
    ),
    Question(
        "set_log_level",
        {"level": "warning"},
        ("log-level", "--level", "warning"),
        "Logged is what is at least of the level warning; as before (confirmed)",
        servers=(),
    ),
    Question(
        "restart_lsp_server",
        {"root_dir": "."},
        ("restart", "--root-dir", "."),
        "None was stopped, for none of these runs: the next question starts what it needs (confirmed)",
        servers=(),
    ),
    Question(
        "did_change_watched_files",
        {"changes": [{"file_path": "lonely.toy", "type": "changed"}]},
        ("files-changed", "--changes", '[{"file_path": "lonely.toy", "type": "changed"}]'),
        "Nobody is told, for no language server runs: one that starts reads the files as they are (confirmed)",
        servers=(),
    ),
    Question(
        "start_lsp",
        {"language_id": "toy"},
        ("start", "--language-id", "toy"),
        "1 server is ready (confirmed by well_read)\n  ready  well_read  at .  toy",
    ),
    Question(
        "open_document",
        {"file_path": "animals.toy"},
        ("open", "animals.toy"),
        "animals.toy (toy) is open with well_read (confirmed)",
    ),
    Question(
        "close_document",
        {"file_path": "animals.toy"},
        ("close", "animals.toy"),
        "animals.toy was not open (confirmed)",
        servers=(),
    ),
    Question(
        "add_workspace_folder",
        {"path": "."},
        ("add-folder", "."),
        "Nothing to add: . is worked in already (confirmed)\nWorkspace folders:\n  .",
        servers=(),
    ),
    Question(
        "remove_workspace_folder",
        {"path": "elsewhere"},
        ("remove-folder", "elsewhere"),
        "elsewhere is no workspace folder (confirmed)\nWorkspace folders:\n  .",
        servers=(),
    ),
    Question("list_workspace_folders", {}, ("folders",), "1 workspace folder (confirmed)\n  .", servers=()),
    Question(
        "export_cache",
        {"dest_path": "cache.gz"},
        ("export-cache", "cache.gz"),
        "Nothing was written: the configuration has the cache switched off ([cache] enabled = false) (confirmed)",
        servers=(),
    ),
    Question(
        "import_cache",
        {"src_path": "cache.gz"},
        ("import-cache", "cache.gz"),
        "Nothing was read: the configuration has the cache switched off ([cache] enabled = false) (confirmed)",
        servers=(),
    ),
    Question("list_skills", {}, ("list-skills",), _skills_that_may_be(), servers=()),
    Question(
        "activate_skill",
        {"skill_name": "lsp-impact"},
        ("activate-skill", "lsp-impact"),
        "lsp-impact is active, in look, the first of 1 phase; what is against it is done, and said to be\n"
        "Allowed now: what only reads. It is the last phase; deactivate_skill ends the skill.",
        servers=(),
    ),
    Question("deactivate_skill", {}, ("deactivate-skill",), "No skill was active", servers=()),
    Question(
        "get_skill_phase",
        {},
        ("skill-phase",),
        f"No skill is active\nactivate_skill knows {', '.join(packaged_skills())}.",
        servers=(),
    ),
)


_SOUND = "import unittest\n\n\nclass Sound(unittest.TestCase):\n    def test_it(self):\n        self.assertTrue(1)\n"


def write_project(root: Path) -> Path:
    """The files, below ``root``, and a repository without anything in it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in ZOO.items():
        (root / name).write_bytes(text.encode())
    add_repository(root)
    return root


def add_repository(root: Path) -> None:
    """The empty one that some questions are about, and beside it sources that can be tested."""
    (root / ".sound").mkdir(exist_ok=True)
    (root / ".sound/test_sound.py").write_text(_SOUND, "utf-8")
    for part in ("objects", "refs"):
        (root / "attic/.git" / part).mkdir(parents=True, exist_ok=True)
    (root / "attic/.git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")


def toy_pool(root: Path, habits: str = "") -> Pool:
    """A pool over the project, with the server in its habits."""
    spec = toy_spec("well_read")
    spec = msgspec.structs.replace(spec, environment={**spec.environment, "WELL_READ": habits})
    return Pool(write_project(root), catalog=toy_catalog(spec))


def write_user_config(directory: Path, habits: str = "", *, is_measured: bool = True) -> None:
    """The same server by the user's configuration, for surfaces that open a workspace by themselves."""
    settle = f'measured = {str(is_measured).lower()}, scope = "file"'
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.toml").write_text(
        '[languages.toy]\nextensions = [".toy"]\nservers = ["well_read"]\n'
        f'[servers.well_read]\ncommand = {json.dumps(toy_command("well_read"))}\nlanguages = ["toy"]\n'
        f'env = {{ WELL_READ = "{habits}" }}\nsettle = {{ {settle} }}\n',
        "utf-8",
    )


def without_next_step(text: str) -> str:
    """The text but for the suggestion, and for an etag and the name of an edit, which are others every time."""
    text = re.sub(r"undo_edit [0-9a-f]{6}\b", "undo_edit ID", text)
    text = re.sub(r"\b[0-9a-f]{32}\b", "ID", text)
    text = re.sub(r"^Ran: \S+ ", "Ran: PYTHON ", text, flags=re.MULTILINE)
    text = re.sub(r" \S+/python_syntax_child.py$", " CHILD", text, flags=re.MULTILINE)
    lines = [line for line in text.split("\n") if not line.startswith("etag: ")]
    return "\n".join(lines[:-1] if lines[-1].startswith("Next: ") else lines)
