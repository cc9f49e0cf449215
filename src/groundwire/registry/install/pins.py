"""Packages and the versions they are pinned to.

Above: ``plans`` and ``installing``. Below: ``spec`` and ``errors``.
"""

import hashlib
import json
import re

from groundwire.errors import InvalidArgument
from groundwire.registry.spec import Managed

# The name may itself begin with an `@` (npm's scopes), and the version may not hold one.
_PIN = re.compile(r"(?P<name>.[^=]*?)(?:==|@|:)(?P<version>[A-Za-z0-9][A-Za-z0-9._+-]*)")
_FINGERPRINT_LENGTH = 8


def pin_of(package: str) -> tuple[str, str]:
    """The name and the version of ``ruff==0.17.4``, ``@scope/server@1.2.3`` or ``solargraph:0.50.0``.

    Raises:
        InvalidArgument: it names no version, or one that no installer would take.

    """
    found = _PIN.fullmatch(package)
    # What begins with a dash would be an option to the installer.
    if found is None or package.startswith("-"):
        raise InvalidArgument(
            f"{package!r} is not pinned to a version", hint="Pin it: name==1.2.3 on PyPI, name@1.2.3 elsewhere."
        )
    return found["name"], found["version"]


def version_of_pin(managed: Managed) -> str:
    """The version of the server: that of the first package."""
    return pin_of(managed.packages[0])[1].removeprefix("v")


def fingerprint(managed: Managed) -> str:
    """Short, and different for every difference in what is installed and how."""
    content = json.dumps([managed.method, managed.packages, managed.commands])
    return hashlib.sha256(content.encode()).hexdigest()[:_FINGERPRINT_LENGTH]
