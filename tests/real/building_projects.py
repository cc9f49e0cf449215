"""Small projects, one for each tool: a planted failure, what mends it, what breaks the build, and a test that hangs.

Only the standard library: ``scripts/install-toolchains`` reads it too.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Change(NamedTuple):
    """A text of a file becomes another."""

    file: str
    old: str
    new: str


class Built(NamedTuple):
    """``failure`` says where it is planted, ``error`` where the build does; ``hang`` writes the file ``started``."""

    toolchain: str
    files: Mapping[str, str]
    tool: str
    failure: str
    mend: Change
    break_: Change
    build_tool: str
    error: str
    hang: Change
    path: str = ""
    test_name: str = ""
    passed: int = 1
    links: Mapping[str, str] = {}


SLEEP_JS = (
    "const fs = await import('node:fs'); fs.writeFileSync('started', ''); await new Promise(r => setTimeout(r, 1e8))"
)
NODE_MODULES = {"node_modules": "npm/node_modules"}

GO = Built(
    toolchain="go",
    files={
        "go.mod": "module example.com/calc\n\ngo 1.20\n",
        "sums/calc.go": "package sums\n\nfunc Add(a, b int) int { return a - b }\n",
        "sums/calc_test.go": (
            'package sums\n\nimport (\n\t"os"\n\t"testing"\n\t"time"\n)\n\n'
            "func TestAdd(t *testing.T) {\n\tif got := Add(2, 2); got != 4 {\n"
            '\t\tt.Errorf("Add(2, 2) = %d", got)\n\t}\n}\n\n'
            'func wait() {\n\tos.WriteFile("../started", nil, 0o600)\n\ttime.Sleep(time.Hour)\n}\n\n'
            "var _ = wait\n"
        ),
    },
    tool="go test",
    failure="sums/calc_test.go:11",
    test_name="TestAdd",
    mend=Change("sums/calc.go", "a - b", "a + b"),
    break_=Change("sums/calc.go", "a - b", "a - missing"),
    build_tool="go build",
    error="sums/calc.go:3:37",
    hang=Change("sums/calc_test.go", "\tif got", "\twait()\n\tif got"),
)

RUST = Built(
    toolchain="rust",
    files={
        "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
        "src/lib.rs": (
            "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n"
            "    fn adds() {\n        assert_eq!(super::add(2, 2), 4);\n    }\n}\n"
        ),
    },
    tool="cargo test",
    failure="src/lib.rs:9:9",
    test_name="tests::adds",
    mend=Change("src/lib.rs", "a - b", "a + b"),
    break_=Change("src/lib.rs", "a - b", "a - missing"),
    build_tool="cargo build",
    error="src/lib.rs:2:9",
    hang=Change(
        "src/lib.rs",
        "        assert_eq",
        '        std::fs::write("started", "").unwrap(); loop { std::thread::park() }\n        assert_eq',
    ),
)

CMAKE = Built(
    toolchain="cmake",
    files={
        "CMakeLists.txt": (
            "cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\n"
            "add_executable(calc_test src/calc_test.c)\nadd_test(NAME adds COMMAND calc_test)\n"
        ),
        "src/calc_test.c": (
            "#include <assert.h>\n#include <stdio.h>\n#include <unistd.h>\n"
            "static int add(int a, int b) { return a - b; }\n"
            "int main(void) {\n  assert(add(2, 2) == 4);\n  return 0;\n}\n"
        ),
    },
    tool="ctest",
    failure="src/calc_test.c:6",
    test_name="adds",
    mend=Change("src/calc_test.c", "a - b", "a + b"),
    break_=Change("src/calc_test.c", "a - b", "a - missing"),
    build_tool="cmake",
    error="src/calc_test.c:4:43",
    hang=Change("src/calc_test.c", "  assert(", '  fclose(fopen("../started", "w")); sleep(1000);\n  assert('),
)

MAVEN = Built(
    toolchain="maven",
    files={
        ".mvn/maven.config": "--offline\n",
        "pom.xml": (
            '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n'
            "  <groupId>example</groupId><artifactId>calc</artifactId><version>1</version>\n"
            "  <properties>\n    <maven.compiler.source>11</maven.compiler.source>\n"
            "    <maven.compiler.target>11</maven.compiler.target>\n"
            "    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n"
            "    <argLine>-XX:TieredStopAtLevel=1 -XX:+UseSerialGC</argLine>\n  </properties>\n"
            "  <dependencies><dependency><groupId>org.junit.jupiter</groupId>"
            "<artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>"
            "</dependencies>\n"
            "  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>"
            "</plugins></build>\n</project>\n"
        ),
        "src/main/java/calc/Calc.java": (
            "package calc;\n\npublic class Calc {\n    public static int add(int a, int b) { return a - b; }\n}\n"
        ),
        "src/test/java/calc/CalcTest.java": (
            "package calc;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n"
            "import org.junit.jupiter.api.Test;\n\nclass CalcTest {\n    @Test\n"
            "    void adds() throws Exception {\n        assertEquals(4, Calc.add(2, 2));\n    }\n}\n"
        ),
    },
    tool="mvn",
    failure="src/test/java/calc/CalcTest.java:10",
    test_name="calc.CalcTest.adds",
    mend=Change("src/main/java/calc/Calc.java", "a - b", "a + b"),
    break_=Change("src/main/java/calc/Calc.java", "a - b", "a - missing"),
    build_tool="mvn",
    error="src/main/java/calc/Calc.java:4:54",
    hang=Change(
        "src/test/java/calc/CalcTest.java",
        "        assertEquals(",
        '        new java.io.File("started").createNewFile(); Thread.sleep(1000000);\n        assertEquals(',
    ),
)

VITEST = Built(
    toolchain="node",
    files={
        "package.json": '{"private": true, "type": "module", "scripts": {"test": "vitest"}}\n',
        "tsconfig.json": (
            '{"compilerOptions": {"strict": true, "module": "nodenext", "skipLibCheck": true, "types": []},'
            ' "include": ["src"]}\n'
        ),
        "src/calc.ts": "export function add(a: number, b: number): number {\n  return a - b\n}\n",
        "test/calc.test.ts": (
            "import { expect, test } from 'vitest'\nimport { add } from '../src/calc'\n\n"
            "test('adds', async () => {\n  expect(add(2, 2)).toBe(4)\n})\n"
        ),
    },
    tool="vitest",
    failure="test/calc.test.ts:5:21",
    test_name="adds",
    mend=Change("src/calc.ts", "a - b", "a + b"),
    break_=Change("src/calc.ts", "a - b", "'a'"),
    build_tool="tsc",
    error="src/calc.ts:2:3",
    hang=Change("test/calc.test.ts", "  expect", f"  {SLEEP_JS}\n  expect"),
    links=NODE_MODULES,
)

JEST = Built(
    toolchain="node",
    files={
        "package.json": '{"private": true, "scripts": {"test": "jest --verbose"}}\n',
        "eslint.config.js": "module.exports = [{ files: ['src/*.js'] }]\n",
        "src/calc.js": "module.exports = (a, b) => a - b\n",
        "src/calc.test.js": (
            "const add = require('./calc')\n\ntest('adds', async () => {\n  expect(add(2, 2)).toBe(4)\n}, 1e8)\n"
        ),
    },
    tool="jest",
    failure="src/calc.test.js:4:21",
    test_name="adds",
    mend=Change("src/calc.js", "a - b", "a + b"),
    break_=Change("src/calc.js", "a - b", "a -"),
    build_tool="eslint",
    error="src/calc.js:2:1",
    hang=Change(
        "src/calc.test.js",
        "  expect",
        "  require('fs').writeFileSync('started', ''); await new Promise(r => setTimeout(r, 1e8))\n  expect",
    ),
    links=NODE_MODULES,
)

NODE_TEST = Built(
    toolchain="node",
    files={
        "package.json": '{"private": true, "type": "module", "scripts": {"test": "node --test"}}\n',
        "eslint.config.js": "export default [{ files: ['*.js'] }]\n",
        "calc.js": "export const add = (a, b) => a - b\n",
        "calc.test.js": (
            "import assert from 'node:assert'\nimport test from 'node:test'\nimport { add } from './calc.js'\n\n"
            "test('adds', async () => {\n  assert.strictEqual(add(2, 2), 4)\n})\n"
        ),
    },
    tool="node --test",
    failure="calc.test.js:6:10",
    test_name="adds",
    mend=Change("calc.js", "a - b", "a + b"),
    break_=Change("calc.js", "a - b", "a -"),
    build_tool="eslint",
    error="calc.js:2:1",
    hang=Change("calc.test.js", "  assert.", f"  {SLEEP_JS}\n  assert."),
    links=NODE_MODULES,
)

PYTEST = Built(
    toolchain="python",
    files={
        "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\n\n[tool.mypy]\nfiles = ["src"]\n',
        "src/calc.py": "def add(a: int, b: int) -> int:\n    return a - b\n",
        "tests/test_calc.py": (
            "import pathlib\nimport time\n\nfrom calc import add\n\n\ndef check(value):\n    assert value == 4\n\n\n"
            "def test_adds():\n    check(add(2, 2))\n"
        ),
    },
    tool="pytest",
    failure="tests/test_calc.py:8",
    test_name="tests/test_calc.py::test_adds",
    mend=Change("src/calc.py", "a - b", "a + b"),
    break_=Change("src/calc.py", "a - b", "str(a)"),
    build_tool="mypy",
    error="src/calc.py:2:12",
    hang=Change(
        "tests/test_calc.py", "    check(", "    pathlib.Path('started').touch(); time.sleep(1000)\n    check("
    ),
)

UNITTEST = Built(
    toolchain="python",
    files={
        "setup.py": "from setuptools import setup\n\nsetup(name='calc')\n",
        "calc.py": "def add(a, b):\n    return a - b\n",
        "tests/__init__.py": "",
        "tests/test_calc.py": (
            "import pathlib\nimport time\nimport unittest\n\nfrom calc import add\n\n\n"
            "class CalcTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 2), 4)\n"
        ),
    },
    tool="unittest",
    failure="tests/test_calc.py:10",
    test_name="tests.test_calc.CalcTest.test_adds",
    mend=Change("calc.py", "a - b", "a + b"),
    break_=Change("calc.py", "a - b", "a -"),
    build_tool="python",
    error="calc.py:2:15",
    hang=Change(
        "tests/test_calc.py",
        "        self.",
        "        pathlib.Path('started').touch(); time.sleep(1000)\n        self.",
    ),
)

RSPEC = Built(
    toolchain="ruby",
    files={
        "Rakefile": "",
        "lib/calc.rb": "def add(a, b)\n  a - b\nend\n",
        "spec/calc_spec.rb": (
            "require_relative '../lib/calc'\n\ndescribe 'calc' do\n  it 'adds' do\n"
            "    expect(add(2, 2)).to eq(4)\n  end\nend\n"
        ),
    },
    tool="rspec",
    failure="spec/calc_spec.rb:5",
    test_name="calc adds",
    mend=Change("lib/calc.rb", "a - b", "a + b"),
    break_=Change("lib/calc.rb", "a - b\nend", "a -\nend"),
    build_tool="ruby",
    error="lib/calc.rb:3",
    hang=Change("spec/calc_spec.rb", "    expect", "    File.write('started', ''); sleep 1000\n    expect"),
)

MINITEST = Built(
    toolchain="ruby",
    files={
        "Rakefile": "",
        "lib/calc.rb": "def add(a, b)\n  a - b\nend\n",
        "test/calc_test.rb": (
            "require 'minitest/autorun'\nrequire 'calc'\n\nclass CalcTest < Minitest::Test\n  def test_adds\n"
            "    assert_equal 4, add(2, 2)\n  end\nend\n"
        ),
    },
    tool="minitest",
    failure="test/calc_test.rb:6",
    test_name="CalcTest#test_adds",
    mend=Change("lib/calc.rb", "a - b", "a + b"),
    break_=Change("lib/calc.rb", "a - b\nend", "a -\nend"),
    build_tool="ruby",
    error="lib/calc.rb:3",
    hang=Change("test/calc_test.rb", "    assert", "    File.write('started', ''); sleep 1000\n    assert"),
)

PHPUNIT = Built(
    toolchain="php",
    files={
        "composer.json": "{}\n",
        "src/calc.php": "<?php\nfunction add(int $a, int $b): int {\n    return $a - $b;\n}\n",
        "tests/CalcTest.php": (
            "<?php\nrequire __DIR__ . '/../src/calc.php';\n\nclass CalcTest extends PHPUnit\\Framework\\TestCase {\n"
            "    public function testAdds(): void {\n        $this->assertSame(4, add(2, 2));\n    }\n}\n"
        ),
    },
    tool="phpunit",
    failure="tests/CalcTest.php:6",
    test_name="CalcTest::testAdds",
    mend=Change("src/calc.php", "$a - $b", "$a + $b"),
    break_=Change("src/calc.php", "$a - $b", "$a -"),
    build_tool="php",
    error="src/calc.php:3",
    hang=Change("tests/CalcTest.php", "        $this", "        touch('started'); sleep(1000);\n        $this"),
)

MIX = Built(
    toolchain="elixir",
    files={
        "mix.exs": (
            'defmodule Calc.MixProject do\n  use Mix.Project\n  def project, do: [app: :calc, version: "0.1.0"]\nend\n'
        ),
        "lib/calc.ex": "defmodule Calc do\n  def add(a, b), do: a - b\nend\n",
        "test/test_helper.exs": "ExUnit.start()\n",
        "test/calc_test.exs": (
            'defmodule CalcTest do\n  use ExUnit.Case\n\n  test "adds" do\n    assert Calc.add(2, 2) == 4\n  end\nend\n'
        ),
    },
    tool="mix test",
    failure="test/calc_test.exs:5",
    test_name="test adds (CalcTest)",
    mend=Change("lib/calc.ex", "a - b", "a + b"),
    break_=Change("lib/calc.ex", "a - b", "a - missing(b)"),
    build_tool="mix compile",
    error="lib/calc.ex:2",
    hang=Change("test/calc_test.exs", "    assert", '    File.touch("started"); Process.sleep(50_000)\n    assert'),
)

ZIG = Built(
    toolchain="zig",
    files={
        "calc.zig": (
            'const std = @import("std");\n\nfn add(a: i32, b: i32) i32 {\n    return a - b;\n}\n\n'
            'test "adds" {\n    try std.testing.expectEqual(@as(i32, 4), add(2, 2));\n}\n'
        ),
    },
    tool="zig test",
    failure="calc.zig:8:5",
    test_name="calc.test.adds",
    mend=Change("calc.zig", "a - b", "a + b"),
    break_=Change("calc.zig", "a - b", "a - missing"),
    build_tool="zig",
    error="calc.zig:4:16",
    hang=Change("calc.zig", "    try std", "    while (true) std.atomic.spinLoopHint();\n    try std"),
    path="calc.zig",
)

PROJECTS: Mapping[str, Built] = {
    "go": GO,
    "rust": RUST,
    "cmake": CMAKE,
    "maven": MAVEN,
    "vitest": VITEST,
    "jest": JEST,
    "node": NODE_TEST,
    "pytest": PYTEST,
    "unittest": UNITTEST,
    "rspec": RSPEC,
    "minitest": MINITEST,
    "phpunit": PHPUNIT,
    "mix": MIX,
    "zig": ZIG,
}
