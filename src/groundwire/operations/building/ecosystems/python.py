"""Python: pytest or unittest; built by the type checker or linter that the project configures, else by its syntax.

Above: ``ecosystems``. Below: ``python_checkers``, ``python_tests``.
"""

from groundwire.operations.building.ecosystems.python_checkers import check
from groundwire.operations.building.ecosystems.python_tests import test
from groundwire.operations.building.model import Ecosystem

PYTHON = Ecosystem(
    id="python",
    languages=("python",),
    markers=(
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
        "pytest.ini",
        "tox.ini",
        "conftest.py",
        "requirements.txt",
        "Pipfile",
    ),
    suffixes=frozenset({".py", ".pyi"}),
    build=check,
    test=test,
    needs_marker=False,
)
