"""Tests are told from what they test by the habits of many languages."""

import pytest

from groundwire.operations.text.test_files import is_test_file

TESTS = [
    "test_parser.py",
    "pkg/parser_test.go",
    "tests/helpers.py",
    "conftest.py",
    "app/tests.py",
    "src/__tests__/parser.ts",
    "src/parser.test.tsx",
    "src/parser.spec.js",
    "src/parser-spec.js",
    "spec/models/user_spec.rb",
    "src/test/java/org/Parser.java",
    "lib/ParserTest.java",
    "lib/TestParser.java",
    "lib/ParserTests.swift",
    "Sample.Tests/Parser.cs",
    "lib/ParserSpec.scala",
    "tests/it.rs",
    "test/parser_test.exs",
]
OTHERS = [
    "parser.py",
    "latest.py",
    "contest.py",
    "testing.py",
    "attest/parser.go",
    "src/Latest.java",
    "src/Testament.java",
    "src/Contest.kt",
    "src/inspector.js",
    "src/spectrum.ts",
    "respect.rb",
    "protest/main.c",
]


@pytest.mark.parametrize("file", TESTS)
def test_a_test_is_known_by_its_file(file: str):
    assert is_test_file(file)


@pytest.mark.parametrize("file", OTHERS)
def test_a_name_that_only_looks_like_one_is_no_test(file: str):
    assert not is_test_file(file)
