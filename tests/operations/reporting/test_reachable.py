"""Lines that an edit left as they were, and that are reached only now, or no longer."""

import pytest

from groundwire.operations.reporting.touched import lost_names, offered_names

MODULE = (
    "import sys\n\ndef first():\n    return 1\n\n"
    "if sys.version_info >= (3, 11):\n    def middle(): ...\nelse:\n    def middling(): ...\n\n"
    "class Last:\n    size = 1\n    def read(self):\n        raise ValueError\n"
)
ALL_BEHIND = {"middle", "middling", "Last", "size", "read"}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("def first():\n    return 1\n", "    return 1\n", {"first", *ALL_BEHIND}),
        ("    return 1\n\n", "    return 1\n\nraise ImportError\n", ALL_BEHIND),
        ("    return 1\n\n", "    return 1\n\nsys.exit(1)\n", ALL_BEHIND),
        ("(3, 11)", "(3, 14)", {"middle", "middling"}),
        ("else:\n", "", {"middling"}),
        ("else:\n", "elif sys.flags:\n", {"middling"}),
    ],
)
def test_what_stands_below_a_changed_condition_or_behind_an_end_of_the_module_may_be_gone_or_back(
    old: str, new: str, names: set[str]
) -> None:
    other = MODULE.replace(old, new, 1)
    assert lost_names(MODULE, other) >= names
    assert lost_names(other, MODULE) >= names - {"first"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return 1", "return 2"),
        ("    return 1", "    if first:\n        return 1"),
        ("raise ValueError", "raise TypeError"),
        ("import sys\n", "import sys\n# return\n"),
        ("\ndef first", "\n\n\ndef first"),
    ],
)
def test_conditions_and_ends_within_functions_change_nothing_for_others(old: str, new: str) -> None:
    assert lost_names(MODULE, MODULE.replace(old, new, 1)) == set()


def test_of_a_module_that_never_comes_to_its_end_nothing_is_as_it_was() -> None:
    for end in ("raise SystemExit\n", "assert False\n"):
        assert lost_names(MODULE, MODULE + end) >= {"first", *ALL_BEHIND}
        assert lost_names(MODULE + end, MODULE) >= {"first", *ALL_BEHIND}


@pytest.mark.parametrize("end", ["return", "raise ValueError"])
def test_attributes_behind_what_ends_a_function_may_be_gone_or_back(end: str) -> None:
    text = "class Box:\n    def __init__(self):\n        print()\n        self.held = 1\n"
    other = text.replace("print()", end)
    assert lost_names(text, other) == lost_names(other, text) == {"held"}
    within = text.replace("print()", f"if held:\n            {end}")
    assert lost_names(text, within) == set()


BRANCHES = "if new:\n    from one import Group\nelse:\n    pass\n"


def test_a_name_that_is_imported_once_more_may_be_something_else() -> None:
    assert lost_names(BRANCHES, BRANCHES.replace("pass", "from two import Group")) == {"Group"}


def test_a_name_that_is_imported_for_the_first_time_was_nobodys_and_is_offered_now() -> None:
    after = "from two import Other\n" + BRANCHES
    assert lost_names(BRANCHES, after) == set()
    assert offered_names(BRANCHES, after) == {"Other"}
    assert offered_names(after, BRANCHES) == offered_names(BRANCHES, BRANCHES + "x = Other\n") == set()
