"""What is taken for right at a glance is what pydantic finds no mistake in, whatever stands in a configuration."""

import subprocess
import sys
from typing import cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.config.layers import Data, fields_at, overlaid, to_settings
from groundwire.config.mistakes import mistakes_in

TEXTS = st.sampled_from(
    [
        "",
        "a",
        "error",
        "deny",
        "..",
        "/x",
        "../x",
        "a/**",
        "h:1",
        "h:1\n",
        "h:123456",
        "h\n:1",
        " :1",
        "h:\u0661",
        "primary",
    ]
)
NUMBERS = st.sampled_from([0, 1, -1, 0.0, 0.5, -0.5, 5.0, 10**30, 10**400, 2**63, 2**64])
SCALARS = st.one_of(TEXTS, NUMBERS, st.booleans(), st.none())
RULES = st.sampled_from([{"measured": True}, {"scope": "file"}, {"scope": 3}, {"save_check": {"x": 1}}, {}])
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.lists(st.lists(TEXTS, max_size=2), max_size=2),
    st.dictionaries(TEXTS, SCALARS, max_size=2),
    RULES,
)


def tables(*key: str) -> st.SearchStrategy[Data]:
    """Some keys of that table, known or not, with anything."""
    return st.dictionaries(st.sampled_from([*fields_at(key), "unknown"]), VALUES, max_size=3)


def configurations() -> st.SearchStrategy[Data]:
    names = [name for name in fields_at(()) if fields_at((name,))]
    inner = {name: tables(name) for name in names}
    inner["servers"] = st.dictionaries(st.just("any"), tables("servers", "any"))
    inner["languages"] = st.dictionaries(st.just("any"), tables("languages", "any"))
    return st.builds(overlaid, tables(), st.fixed_dictionaries({}, optional=inner))


@given(configurations())
def test_both_find_the_same_configurations_right_and_what_is_given_holds(data: Data) -> None:
    try:
        settings = to_settings(data)
    except msgspec.ValidationError:
        assert mistakes_in(data)
        return
    assert mistakes_in(data) == []
    told = cast("Data", msgspec.to_builtins(settings))
    assert msgspec.to_builtins(to_settings(overlaid(told, data))) == told


@pytest.mark.parametrize("module", ["groundwire.pool.opening", "groundwire.background.process"])
def test_who_has_no_mistake_to_tell_does_not_wait_for_pydantic(module: str) -> None:
    script = f"import sys, {module}; sys.exit('pydantic' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", script], env={"PYTHONPATH": ":".join(sys.path)}, check=False).returncode
        == 0
    )
