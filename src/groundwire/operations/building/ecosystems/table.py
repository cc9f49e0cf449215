"""Every ecosystem that is known. Above: ``projects``. Below: their modules."""

from groundwire.operations.building.ecosystems.dart import DART
from groundwire.operations.building.ecosystems.dotnet import DOTNET
from groundwire.operations.building.ecosystems.elixir import ELIXIR
from groundwire.operations.building.ecosystems.go import GO
from groundwire.operations.building.ecosystems.java import JAVA
from groundwire.operations.building.ecosystems.native import NATIVE
from groundwire.operations.building.ecosystems.node import NODE
from groundwire.operations.building.ecosystems.php import PHP
from groundwire.operations.building.ecosystems.python import PYTHON
from groundwire.operations.building.ecosystems.ruby import RUBY
from groundwire.operations.building.ecosystems.rust import RUST
from groundwire.operations.building.ecosystems.swift import SWIFT
from groundwire.operations.building.ecosystems.zig import ZIG
from groundwire.operations.building.extension_ecosystems import with_extension_ecosystems
from groundwire.operations.building.model import Ecosystem

ECOSYSTEMS: tuple[Ecosystem, ...] = with_extension_ecosystems(
    (GO, RUST, NODE, PYTHON, JAVA, DOTNET, NATIVE, RUBY, PHP, ELIXIR, SWIFT, ZIG, DART)
)

PROGRAMS: frozenset[str] = frozenset(
    {"vitest", "jest", "mocha", "tsc", "eslint", "pytest", "mypy", "pyright", "basedpyright", "ty", "ruff", "phpunit"}
    | {"gradlew", "mvnw"}
)
"""Names of programs that a project may bring along: what would need trust where version control tracks them."""
