"""Which extensions the user wants: all that are installed, unless the configuration or the environment says otherwise.

It is decided before there is a catalogue to check a configuration against, so these few keys are read by themselves; a
project has no say. Above: ``loading``. Below: ``places``.
"""

import os
import tomllib
from collections.abc import Mapping
from typing import NamedTuple, cast

from groundwire import places

SWITCH = "GROUNDWIRE_EXTENSIONS"
_ENABLED = f"{SWITCH}__ENABLED"
_DISABLED = f"{SWITCH}__DISABLED"
_NAMED = "GROUNDWIRE_CONFIG"
_OFF = frozenset({"off", "0", "false", "no"})
_LARGEST = 1024 * 1024


class Choice(NamedTuple):
    """``why_off`` is empty where extensions are wanted; ``disabled`` are those that are not, with what says so."""

    why_off: str = ""
    disabled: Mapping[str, str] = {}

    def refusal(self, name: str) -> str:
        """Why an extension is not loaded; empty when it is."""
        return self.why_off or self.disabled.get(name, "")


def read_choice(environment: Mapping[str, str]) -> Choice:
    """What the user's file, a file named by the environment, and the environment itself say; the last has the word."""
    why_off, disabled = "", dict[str, str]()
    for file in _files(environment):
        table = _table(file)
        if isinstance(table.get("enabled"), bool):
            why_off = "" if table["enabled"] else f"extensions.enabled is false in {file}"
        if isinstance(table.get("disabled"), list):
            disabled = _named(cast("list[object]", table["disabled"]), f"extensions.disabled names it in {file}")
    if _DISABLED in environment:
        words = environment[_DISABLED].strip("[]").replace('"', "").replace("'", "").split(",")
        disabled = _named([word.strip() for word in words], f"{_DISABLED} names it")
    for variable in (_ENABLED, SWITCH):
        if environment.get(variable):
            why_off = f"{variable} is {environment[variable]}" if environment[variable].lower() in _OFF else ""
    return Choice(why_off, disabled)


def _files(environment: Mapping[str, str]) -> list[str]:
    named = environment.get(_NAMED, "")
    own = os.path.join(places.config_directory(environment), "config.toml")  # noqa: PTH118  as in ``places``
    return [own, *([named] if os.path.isabs(named) and named.endswith(".toml") else [])]  # noqa: PTH117


def _table(file: str) -> Mapping[str, object]:
    """What is wrong with the file is told by those who read all of it."""
    try:
        with open(file, "rb") as source:  # noqa: PTH123
            data = source.read(_LARGEST)
        table = tomllib.loads(data.decode("utf-8-sig")).get("extensions")
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}


def _named(names: list[object], why: str) -> dict[str, str]:
    return {name: why for name in names if isinstance(name, str) and name}
