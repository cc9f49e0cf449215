"""A question for every operation, about the project of ``toy_project``: how it is asked on each surface, and what the
text of its answer is on all of them, but for the line that suggests what to ask next.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_command, toy_spec
from tests.operations.toy_project import ZOO


class Question(NamedTuple):
    """``given`` are the arguments by name, ``argv`` the same on the command line."""

    operation: str
    given: Mapping[str, object]
    argv: tuple[str, ...]
    text: str


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
)


def write_project(root: Path) -> Path:
    """The files, below ``root``."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in ZOO.items():
        (root / name).write_bytes(text.encode())
    return root


def toy_pool(root: Path, habits: str = "") -> Pool:
    """A pool over the project, with the server in its habits."""
    spec = toy_spec("well_read")
    spec = msgspec.structs.replace(spec, environment={**spec.environment, "WELL_READ": habits})
    return Pool(write_project(root), catalog=toy_catalog(spec))


def write_user_config(directory: Path, habits: str = "", *, is_measured: bool = True) -> None:
    """The same server by the user's configuration, for surfaces that open a workspace by themselves."""
    # The check on save is one that never runs: a rule without one cannot be read everywhere yet.
    never = '{ name = "none", token_prefix = "none" }'
    settle = f'measured = {str(is_measured).lower()}, scope = "file", save_check = {never}'
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.toml").write_text(
        '[languages.toy]\nextensions = [".toy"]\nservers = ["well_read"]\n'
        f'[servers.well_read]\ncommand = {json.dumps(toy_command("well_read"))}\nlanguages = ["toy"]\n'
        f'env = {{ WELL_READ = "{habits}" }}\nsettle = {{ {settle} }}\n',
        "utf-8",
    )


def without_next_step(text: str) -> str:
    """The text but for the suggestion."""
    lines = text.split("\n")
    return "\n".join(lines[:-1] if lines[-1].startswith("Next: ") else lines)
