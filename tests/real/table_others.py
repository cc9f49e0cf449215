"""Rows of the table: programs, schemas and settings. Above: ``table``. Below: ``entry``."""

from groundwire.operations.answer import Status
from tests.real.entry import UNPROVEN, Elsewhere, Entry
from tests.real.rows import Edit

_NOBODY = "nobody has measured"
_NO_SIGN = "no sign of when its check is complete"
_PROTO = 'syntax = "proto3";\n\npackage sample.v1;\n\n'


def _typed_python(server: str, says: str, elsewhere_says: str) -> Entry:
    return Entry(
        server,
        {
            "pyrefly.toml": "",
            "lib.py": "def area(width: int) -> int:\n    return width\n",
            "main.py": "from lib import area\n\nTOTAL: int = area(1)\n",
        },
        Edit("main.py", "= area(1)", '= "one"'),
        says,
        elsewhere=Elsewhere(Edit("lib.py", "width: int", "width: str"), elsewhere_says, Status.PARTIAL),
        broken=Status.PARTIAL,
        mended=Status.PARTIAL,
        doubt=_NOBODY,
        symbol="TOTAL",
    )


OTHERS: tuple[Entry, ...] = (
    Entry(
        "bash-language-server",
        {"run.sh": '#!/bin/sh\nname=world\ngreet() {\n  echo "$name"\n}\ngreet\n', ".shellcheckrc": "\n"},
        Edit("run.sh", "name=world\n", ""),
        "SC2154",
        elsewhere=Elsewhere(Edit(".shellcheckrc", "\n", "enable=require-variable-braces\n"), "SC2250"),
        symbol="greet",
    ),
    Entry(
        "buf",
        {
            "buf.yaml": "version: v2\n",
            "sample/v1/lib.proto": f"{_PROTO}message Size {{\n  int32 width = 1;\n}}\n",
            "sample/v1/main.proto": f'{_PROTO}import "sample/v1/lib.proto";\n\nmessage Box {{\n  Size size = 1;\n}}\n',
        },
        Edit("sample/v1/main.proto", "Size size", "Missing size"),
        "Missing",
        elsewhere=Elsewhere(Edit("sample/v1/lib.proto", "Size", "Extent"), "Size", UNPROVEN),
        broken=Status.PARTIAL,
        mended=Status.PARTIAL,
        doubt=_NOBODY,
        symbol="sample.v1.Box",
    ),
    Entry(
        "docker-compose",
        {"compose.yaml": "services:\n  web:\n    image: alpine\n    command: [a, b]\n"},
        Edit("compose.yaml", "[a, b]", "[a, b"),
        "Flow sequence",
    ),
    Entry(
        "dockerfile",
        {"Dockerfile": "FROM alpine\nRUN true\n"},
        Edit("Dockerfile", "RUN", "RUNS"),
        "Unknown instruction",
        broken=Status.PARTIAL,
        mended=Status.UNKNOWN,
        doubt=_NO_SIGN,
        symbol="FROM",
    ),
    Entry(
        "fortls",
        {
            "main.f90": "program main\n  implicit none\n  integer :: total\n  total = 1\n  print *, total\n"
            "end program main\n"
        },
        Edit("main.f90", "  integer :: total\n", "  integer :: total\n  integer :: total\n"),
        "declared twice",
        broken=Status.PARTIAL,
        mended=Status.UNKNOWN,
        doubt=_NO_SIGN,
        symbol="main",
    ),
    Entry(
        "intelephense",
        {
            "lib.php": "<?php\n\nfunction greet(string $name): string\n{\n    return $name;\n}\n",
            "main.php": "<?php\n\n$greeting = greet('x');\necho $greeting;\n",
        },
        Edit("main.php", "greet('x')", "great('x')"),
        "great",
        elsewhere=Elsewhere(Edit("lib.php", "greet", "welcome"), "greet", UNPROVEN),
        broken=(Status.CONFIRMED, Status.PARTIAL),
        doubt=_NO_SIGN,
        is_slow=True,
        symbol="$greeting",
    ),
    Entry(
        "jedi-language-server",
        {"main.py": 'def greet(name: str) -> str:\n    return name\n\n\ngreet("x")\n'},
        Edit("main.py", 'greet("x")', 'greet("x"'),
        "never closed",
        symbol="greet",
    ),
    Entry(
        "prisma",
        {
            "schema.prisma": 'datasource db {\n  provider = "sqlite"\n}\n\n'
            "model User {\n  id   Int    @id\n  name String\n}\n"
        },
        Edit("schema.prisma", "name String", "name Strange"),
        "Strange",
        broken=Status.PARTIAL,
        mended=Status.UNKNOWN,
        doubt=_NO_SIGN,
        symbol="User",
    ),
    Entry(
        "pylsp",
        {
            "setup.cfg": "[pycodestyle]\nmax-line-length = 100\n",
            "main.py": 'def greet(name: str) -> str:\n    return name\n\n\ngreet("x")\n',
        },
        Edit("main.py", 'greet("x")', 'great("x")'),
        "great",
        elsewhere=Elsewhere(Edit("setup.cfg", "100", "20"), "line too long"),
        symbol="greet",
    ),
    _typed_python("pyrefly", "bad-assignment", "bad-argument-type"),
    Entry(
        "tombi",
        {
            "tombi.toml": '[[schemas]]\npath = "schema.json"\ninclude = ["main.toml"]\n',
            "schema.json": '{"type": "object", "properties": {"name": {"type": "string"}}}\n',
            "main.toml": 'name = "sample"\n',
        },
        Edit("main.toml", '"sample"', ""),
        "value",
        elsewhere=Elsewhere(Edit("schema.json", '"string"', '"integer"'), "Integer", Status.PARTIAL),
        broken=Status.PARTIAL,
        mended=Status.PARTIAL,
        doubt=_NOBODY,
        symbol="name",
    ),
    Entry(
        "verible",
        {"top.sv": "module top (\n    input logic clk\n);\n  logic ready;\nendmodule\n"},
        Edit("top.sv", "logic ready;", "logic ready"),
        "syntax error",
        symbol="top",
    ),
    Entry(
        "yaml-language-server",
        {
            "schema.json": '{"properties": {"name": {"type": "string"}}}\n',
            "main.yaml": "# yaml-language-server: $schema=schema.json\nname: sample\nparts: [1, 2]\n",
        },
        Edit("main.yaml", "[1, 2]", "[1, 2"),
        "Flow",
        elsewhere=Elsewhere(Edit("schema.json", '"string"', '"number"'), "number"),
        symbol="parts",
    ),
    _typed_python("zuban", "assignment", "arg-type"),
)
