"""What counts as a test, by the name of its file: the habits of many languages in one place.

Pure. Above: ``editing_context`` and whatever tells tests from the code they test. Below: nothing.
"""

import re
from pathlib import PurePosixPath

_DIRECTORIES = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testsuite", "androidtest"})
_DIRECTORY_ENDS = (".test", ".tests", "_test", "_tests", "-test", "-tests")
_NAMES = frozenset({"test", "tests", "spec", "conftest"})
_STARTS = ("test_", "test-", "tests_", "spec_")
_ENDS = tuple(f"{joint}{word}" for joint in "_-." for word in ("test", "tests", "spec", "specs", "e2e", "cy"))
_CAMEL = re.compile(r"Test[A-Z0-9]\w*|\w*[a-z0-9](?:Tests?|TestCase|Specs?)")
"""``TestParser``, ``ParserTest``, ``ParserSpec``: as whole names, so that ``Latest`` and ``Testament`` are none."""
_CAMEL_ENDINGS = frozenset({".java", ".kt", ".kts", ".scala", ".groovy", ".cs", ".fs", ".vb", ".swift", ".php", ".hs"})


def is_test_file(file: str) -> bool:
    """Whether a file, named from the workspace with forward slashes, holds tests or what only tests use.

    It goes by names alone: tests that stand in the file which they test, as in Rust, are not told apart.
    """
    path = PurePosixPath(file)
    if any(_is_test_directory(part) for part in path.parts[:-1]):
        return True
    stem = path.stem.casefold()
    if stem in _NAMES or stem.startswith(_STARTS) or stem.endswith(_ENDS):
        return True
    return path.suffix in _CAMEL_ENDINGS and _CAMEL.fullmatch(path.stem) is not None


def _is_test_directory(part: str) -> bool:
    name = part.casefold()
    return name in _DIRECTORIES or name.endswith(_DIRECTORY_ENDS)
