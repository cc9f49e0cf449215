"""Configuration files as people have them: commented, minified, half empty, indented with tabs, ended with CRLF."""

from groundwire.surfaces.setup.agent import Format

_OTHERS = """\
{
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://example.org/mcp",
      "headers": { "Authorization": "Bearer ${TOKEN}" }
    },
    "files": { "command": "npx", "args": ["-y", "files"], "env": { "ROOT": "/srv" } }
  }
}
"""
_VSCODE = """\
{
    // asked for once, kept by the editor
    "inputs": [{ "type": "promptString", "id": "key", "password": true }],
    "servers": {
        "remote": { "type": "http", "url": "https://example.org/mcp" }, // the team's
        "local": { "type": "stdio", "command": "node", "args": ["server.js"] },
    },
}
"""
_ZED = """\
// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
  "context_servers": {
    "docs": {
      "source": "custom",
      "command": "docs-server", // on the path
      "args": [],
      "env": {},
    },
  },
  "buffer_font_size": 15.5,
}
"""
_CLAUDE = """\
{
  "permissions": { "allow": ["Bash(npm run test:*)"], "deny": [] },
  "hooks": {
    "PostToolUse": [
      { "matcher": "Write", "hooks": [{ "type": "command", "command": "prettier --write" }] }
    ],
    "Stop": []
  },
  "model": "opus"
}
"""
_OPENCODE = """\
{
  "$schema": "https://example.org/config.json",
  /* everything
     that runs here */
  "mcp": {
    "context": { "type": "remote", "url": "https://example.org/mcp", "enabled": true },
    "tickets": { "type": "local", "command": ["bun", "x", "tickets"], "environment": { "A": "b" } }
  },
  "autoupdate": false,
  "agent": { "build": { "tools": { "bash": true } } }
}
"""
_NATIVE_OPENCODE = """\
{
  "mcp": {
    "servers": {
      "context": { "type": "remote", "url": "https://example.org/mcp" }
    }
  }
}
"""
_CRUSH = """\
{
  "lsp": { "go": { "command": "gopls", "env": { "GOFLAGS": "-mod=mod" } } },
  "mcp": { "files": { "type": "stdio", "command": "node", "args": ["x.js"], "timeout": 120, "disabled": false } }
}
"""
_GEMINI = """\
{
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "hooksConfig": { "enabled": true },
  "hooks": {
    "AfterTool": [
      { "matcher": "write_file", "sequential": true, "hooks": [{ "type": "command", "command": "true" }] }
    ]
  },
  "mcpServers": { "a": { "httpUrl": "https://example.org", "trust": false } },
  "ui": { "theme": "ANSI" }
}
"""
_CURSOR_HOOKS = '{\n  "version": 1,\n  "hooks": { "afterFileEdit": [{ "command": "./format.sh" }], "stop": [] }\n}\n'
_DEEP = '{"a": {"b": {"c": {"d": [1, 2.50, 1e3, {"e": null, "f": [[], {}]}]}}}, "mcpServers": {"x": {"command": "y"}}}'
_DUPLICATED = '{\n  "theme": "a",\n  "theme": "b",\n  "mcpServers": {}\n}\n'
_ODD = """\
{ "mcpServers" :
        {"one":{"command":"a"}
    ,    "two" : { "command":"b" ,"args":[ ] }
        }
,
"last"
:
true }
"""

_GOOSE = """\
GOOSE_PROVIDER: anthropic
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
# the model
GOOSE_MODEL: x
"""
_CONTINUE = """\
name: Mine
version: 1.0.0
schema: v1
models:
  - name: m
    provider: p
    roles:
      - chat
mcpServers:
  - name: docs
    command: npx
    args:
      - -y
      - docs
"""

JSON = {
    "empty": "",
    "blank": "\n\n",
    "only a brace": "{}",
    "braces apart": "{\n}\n",
    "no final newline": '{\n  "a": 1\n}',
    "four spaces": '{\n    "a": 1,\n    "mcpServers": {\n        "x": {\n            "a": ""\n        }\n    }\n}',
    "tabs": '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"x": {\n\t\t\t"command": "y"\n\t\t}\n\t}\n}\n',
    "one line": '{"mcpServers":{"x":{"command":"y","args":[]}},"hooks":{"PostToolUse":[]}}',
    "crlf": _OTHERS.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + _OTHERS,
    "byte order mark and crlf": "\ufeff" + _CLAUDE.replace("\n", "\r\n"),
    "other servers": _OTHERS,
    "vscode": _VSCODE,
    "zed": _ZED,
    "claude": _CLAUDE,
    "opencode": _OPENCODE,
    "native opencode": _NATIVE_OPENCODE,
    "crush": _CRUSH,
    "gemini": _GEMINI,
    "cursor hooks": _CURSOR_HOOKS,
    "deep": _DEEP,
    "duplicated key": _DUPLICATED,
    "oddly spaced": _ODD,
    "comment at the end": '{\n  "a": 1 // the last\n  // and more\n}\n// bye\n',
    "trailing commas": '{\n  "mcpServers": {\n    "x": { "command": "y", },\n  },\n  "hooks": { "Stop": [ ], },\n}\n',
    "other letters": '{\n  "größe": "naïve 日本語 \\u00e9 😀",\n  "mcpServers": {}\n}\n',
    "comments that look like members": '{\n  // "mcpServers": { "a": {} },\n  "a": "// no comment",\n  "b": "/*"\n}\n',
}
TOML = {
    "empty": "",
    "comments": "# Codex\nmodel = 'o5' # fast\n\n[mcp_servers.docs]\ncommand = 'docs'\nargs = []\n\n# the end\n",
    "inline tables": 'model = "o5"\nmcp_servers = { docs = { command = "docs", args = [] } }\n\n[tui]\na = "x"\n',
    "sub-tables": "[mcp_servers.docs]\nurl = 'https://example.org'\n[mcp_servers.docs.http_headers]\nA = 'b'\n",
    "dotted": 'mcp_servers.docs.command = "docs"\nmcp_servers.docs.args = ["-x"]\n[profiles.fast]\nmodel = "o5"\n',
    "arrays of tables": "[[hooks.PostToolUse]]\nmatcher = 'Bash'\n[[hooks.PostToolUse.hooks]]\ntype = 'command'\n",
    "crlf": "model = 'o5'\r\n\r\n[mcp_servers.docs]\r\ncommand = 'docs'\r\n",
    "no final newline": "[projects.'/srv/x']\ntrust_level = 'trusted'",
    "many lines": 'prompt = """\n[mcp_servers.groundwire]\n"""\n\n["quoted key".a]\nb = 1\n',
}
YAML = {
    "empty": "",
    "goose": _GOOSE,
    "continue": _CONTINUE,
    "comments": "# first\nname: x # here\n\n# before the rules\nrules:\n  - be kind\n",
    "crlf": "name: x\r\nextensions:\r\n  a:\r\n    enabled: true\r\n",
    "no final newline": "name: x\nother: 1",
}
TEXTS: dict[Format, dict[str, str]] = {"json": JSON, "toml": TOML, "yaml": YAML}
CASES = [(form, name) for form, texts in TEXTS.items() for name in texts]
