"""Rows of the table: what pages are made of. Above: ``table``. Below: ``entry``."""

from groundwire.operations.answer import Status
from tests.real.entry import UNPROVEN, Elsewhere, Entry
from tests.real.rows import Edit

_NOBODY = "nobody has measured"
_TSCONFIG = '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}}\n'
_PACKAGE = '{"name": "sample", "version": "1.0.0", "type": "module"}\n'
_LIBRARY = "export function area(width: number): number {\n  return width;\n}\n"
_WRONG_TYPE = Edit("lib.ts", "width: number", "width: string")
_JAVASCRIPT = "export function area(width) {\n  return width;\n}\n"
_DEBUGGER = Edit("main.js", "  return", "  debugger;\n  return")


def _component(server: str, file: str, text: str, status: Status, doubt: str = "") -> Entry:
    return Entry(
        server,
        {"tsconfig.json": _TSCONFIG, "package.json": _PACKAGE, "lib.ts": _LIBRARY, file: text},
        Edit(file, "= area(1);", '= "one";'),
        "'string' is not assignable",
        elsewhere=Elsewhere(_WRONG_TYPE, "'number' is not assignable", status),
        broken=status,
        mended=status,
        doubt=doubt,
        is_slow=True,
    )


WEB: tuple[Entry, ...] = (
    _component(
        "astro",
        "main.astro",
        '---\nimport { area } from "./lib";\nconst total: number = area(1);\n---\n\n<p>{total}</p>\n',
        Status.PARTIAL,
        _NOBODY,
    ),
    Entry(
        "biome",
        {
            "biome.json": '{"linter": {"enabled": true}}\n',
            "main.js": "export function area(width) {\n\tconsole.log(width);\n}\n",
        },
        Edit("main.js", "\tconsole", "\tdebugger;\n\tconsole"),
        "noDebugger",
        elsewhere=Elsewhere(
            Edit("biome.json", '"enabled": true', '"rules": {"suspicious": {"noConsole": "error"}}'), "noConsole"
        ),
    ),
    Entry(
        "deno",
        {
            "deno.json": "{}\n",
            "lib.ts": _LIBRARY,
            "main.ts": 'import { area } from "./lib.ts";\n\nexport const total: number = area(1);\n',
        },
        Edit("main.ts", "= area(1)", '= "one"'),
        "'string' is not assignable",
        elsewhere=Elsewhere(_WRONG_TYPE, "'number' is not assignable"),
        symbol="total",
    ),
    Entry(
        "eslint",
        {
            "package.json": _PACKAGE,
            "eslint.config.mjs": 'export default [{ rules: { "no-debugger": "error" } }];\n',
            "main.js": _JAVASCRIPT,
        },
        _DEBUGGER,
        "no-debugger",
        elsewhere=Elsewhere(
            Edit("eslint.config.mjs", '"no-debugger"', '"func-style": "error", "no-debugger"'), "func-style"
        ),
        links={"node_modules": "npm/eslint/node_modules"},
    ),
    Entry(
        "oxlint",
        {".oxlintrc.json": '{"rules": {}}\n', "main.js": _JAVASCRIPT},
        _DEBUGGER,
        "no-debugger",
        elsewhere=Elsewhere(Edit(".oxlintrc.json", "{}", '{"func-style": "error"}'), "func-style"),
    ),
    _component(
        "svelte",
        "Main.svelte",
        '<script lang="ts">\n  import { area } from "./lib";\n  const total: number = area(1);\n</script>\n\n'
        "<p>{total}</p>\n",
        Status.CONFIRMED,
    ),
    Entry(
        "tailwindcss",
        {
            "package.json": '{"name": "sample", "version": "1.0.0", "dependencies": {"tailwindcss": "^4"}}\n',
            "main.css": '@import "tailwindcss";\n',
            "main.html": '<!doctype html>\n<p class="flex">hello</p>\n',
        },
        Edit("main.html", '"flex"', '"flex block"'),
        "cssConflict",
        broken=Status.PARTIAL,
        mended=Status.PARTIAL,
    ),
    Entry(
        "vscode-css",
        {"main.css": ".card {\n  color: red;\n}\n"},
        Edit("main.css", "color:", "colour:"),
        "colour",
        symbol=".card",
    ),
    Entry(
        "vscode-html",
        {
            "main.html": "<!doctype html>\n<html>\n<head>\n<style>\n.card { color: red; }\n</style>\n</head>\n"
            '<body><p id="greeting">hello</p></body>\n</html>\n'
        },
        Edit("main.html", "color: red;", "color red;"),
        "colon expected",
        symbol="html",
    ),
    Entry(
        "vscode-json",
        {
            "schema.json": '{"properties": {"name": {"type": "string"}}}\n',
            "main.json": '{"$schema": "./schema.json", "name": "sample", "parts": [1, 2]}\n',
        },
        Edit("main.json", "[1, 2]", "[1, 2,]"),
        "Trailing comma",
        elsewhere=Elsewhere(Edit("schema.json", '"string"', '"number"'), "number"),
        symbol="parts",
    ),
    Entry(
        "vtsls",
        {
            "tsconfig.json": _TSCONFIG,
            "package.json": _PACKAGE,
            "lib.ts": _LIBRARY,
            "main.ts": 'import { area } from "./lib";\n\nexport const total: number = area(1);\n',
        },
        Edit("main.ts", "= area(1)", '= "one"'),
        "'string' is not assignable",
        elsewhere=Elsewhere(_WRONG_TYPE, "'number' is not assignable", UNPROVEN),
        symbol="total",
    ),
    _component(
        "vue",
        "Main.vue",
        '<script setup lang="ts">\nimport { area } from "./lib";\nconst total: number = area(1);\n</script>\n\n'
        "<template>\n  <p>{{ total }}</p>\n</template>\n",
        Status.PARTIAL,
        _NOBODY,
    ),
)
