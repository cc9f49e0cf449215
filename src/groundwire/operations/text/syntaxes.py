"""The syntax of each language, by families. Above: the edits of symbols. Below: ``syntax``."""

from collections.abc import Mapping

from groundwire.operations.text.syntax import HoledString, Syntax

_LINE = r"//[^\n]*"
_BLOCK = r"/\*.*?\*/"
_HASH = r"\#[^\n]*"
_PREPROCESSOR = r"^[ \t]*\#(?:\\\r?\n|/\*.*?\*/|[^\n/]|/(?!\*))*"
_DOUBLE = r'"(?:\\.|[^"\\\n])*"'
_SINGLE = r"'(?:\\.|[^'\\\n])*'"
_CHARACTER = r"'(?:\\[^\n]?[^'\n]*|[^'\\\n])'"
_TRIPLE = r'"""(?:\\.|[^\\])*?"""'
_RAW_TRIPLE = r'"{3}.*?"{3,}'
_BACKTICKS = r"`[^`]*`"
_PATTERN = (
    r"(?:(?<=[=(,:;!&|?{}\[+\-*%~^])|(?<==>)|(?<=\breturn)|(?<=\bcase)|(?<=\btypeof))(?P<before>[ \t\r\n]*)"
    r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*"
)
"""A regular expression: only where a value must begin is it no division."""

_AT = r"@(?!interface\b)[\w.]+(?::\w+)?"
_PUBLIC = frozenset({"class", "interface", "enum", "struct", "record", "namespace", "union", "typedef", "using"})

PYTHON = Syntax(
    block="indent",
    comments=(_HASH,),
    strings=(
        r"(?i:[rbu]|br|rb)?'''(?:\\.|[^\\])*?'''",
        rf"(?i:[rbu]|br|rb)?{_TRIPLE}",
        r"(?i:[rbu]|br|rb)?'(?:\\\r?\n|\\.|[^'\\\n])*'",
        r'(?i:[rbu]|br|rb)?"(?:\\\r?\n|\\.|[^"\\\n])*"',
    ),
    holed=(
        HoledString(r'(?<!\w)(?i:[ft]r?|r[ft])"""', '"""', "{", "{{", is_multiline=True),
        HoledString(r"(?<!\w)(?i:[ft]r?|r[ft])'''", "'''", "{", "{{", is_multiline=True),
        HoledString(r'(?<!\w)(?i:[ft]r?|r[ft])"', '"', "{", "{{"),
        HoledString(r"(?<!\w)(?i:[ft]r?|r[ft])'", "'", "{", "{{"),
    ),
    attributes="@",
    not_above=r"#!|#.*coding[:=]",
    declaring=frozenset({"def", "class", "type"}),
    colon=True,
    ends_with_line=True,
    gap=2,
)

SCRIPT = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK),
    strings=(
        _DOUBLE,
        _SINGLE,
        _PATTERN,
    ),
    holed=(HoledString("`", "`", "${", is_multiline=True),),
    attributes=_AT,
    not_above="#!",
    declaring=frozenset(
        {"function", "const", "let", "var", "class", "interface", "enum", "namespace", "module", "type"}
    ),
    type_before=r"(?:[:|&<,=(\[]|=>|\b(?:is|extends|keyof|readonly))$",
    function_value=r"(?:async\b|function\b|\(|<|[\w$]+[\s\x02]*=>)",
    arrow="=>",
    ends_with_line=True,
    unit="  ",
)

GO = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK),
    strings=(_DOUBLE, _CHARACTER, _BACKTICKS),
    declaring=frozenset({"func", "type", "var", "const"}),
    type_before=r"\b(?:interface|struct)$",
    function_value=r"func\b",
    grouped=r"\b(?:const|var|type)$",
    ends_with_line=True,
    unit="\t",
)

RUST = Syntax(
    block="braces",
    comments=(_LINE,),
    nested_comment=True,
    strings=(
        r'(?<!\w)(?:b|c)?r(?P<hashes>\#*)".*?"(?P=hashes)',
        r'(?:\b[bc])?"(?:\\.|[^"\\])*"',
        r"(?:\bb)?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'",
    ),
    attributes=r"\#(?=\[)",
    not_above=r"//!|/\*!",
    declaring=frozenset({"fn", "struct", "enum", "trait", "impl", "mod", "const", "static", "type", "union"}),
)

C = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK, _PREPROCESSOR),
    strings=(
        r'(?<!\w)(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"',
        _DOUBLE,
        r"\b\d[\w.]*(?:'[\w.]+)+",
        r"(?<!\w)(?:u8|[uUL])?'(?:\\[^\n]?[^'\n]*|[^'\\\n]+)'",
    ),
    not_above="#",
    attributes=r"\[(?=\[)|__attribute__\b|alignas\b|template\b|requires\b(?=[\s\x02]*\()",
    declaring=_PUBLIC,
    function_value=r"\[",
    unit="  ",
)

JAVA = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK),
    strings=(_TRIPLE, _DOUBLE, _CHARACTER),
    attributes=_AT,
    declaring=_PUBLIC,
    function_value=r"(?:\(|\w+[\s\x02]*->)",
    arrow="->",
)

CSHARP = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK, _PREPROCESSOR),
    strings=(r'\$*(?P<raw>"{3,}).*?(?P=raw)', r'(?:@\$|\$@|@)"(?:""|[^"])*"', _DOUBLE, _CHARACTER),
    holed=(HoledString(r'\$"', '"', "{", "{{"),),
    attributes=r"\[",
    not_above="#",
    declaring=_PUBLIC,
    function_value=r"(?:async\b|static\b|\(|\w+[\s\x02]*=>)",
    arrow="=>",
    expression="=>",
)

KOTLIN = Syntax(
    block="braces",
    comments=(_LINE,),
    nested_comment=True,
    strings=(_CHARACTER,),
    holed=(HoledString('"""', '"""', "${", is_multiline=True), HoledString('"', '"', "${")),
    attributes=_AT,
    declaring=frozenset({"fun", "val", "var", "class", "interface", "object"}),
    expression="=",
    ends_with_line=True,
)

SCALA = Syntax(
    block="braces",
    comments=(_LINE,),
    nested_comment=True,
    strings=(_RAW_TRIPLE, _DOUBLE, _CHARACTER),
    attributes=_AT,
    declaring=frozenset({"def", "val", "var", "class", "trait", "object", "type"}),
    expression="=",
    keeps_expression_mark=True,
    ends_with_line=True,
    unit="  ",
)

SWIFT = Syntax(
    block="braces",
    comments=(_LINE,),
    nested_comment=True,
    strings=(r'(?P<hashes>\#+)"(?!"").*?"(?P=hashes)', r'(?P<many>\#+)""".*?"""(?P=many)'),
    holed=(HoledString('"""', '"""', "\\(", is_multiline=True), HoledString('"', '"', "\\(")),
    attributes=_AT,
    declaring=frozenset({"func", "let", "var", "class", "struct", "enum", "protocol", "extension", "typealias"}),
    ends_with_line=True,
)

DART = Syntax(
    block="braces",
    comments=(_LINE,),
    nested_comment=True,
    strings=(r"r'''.*?'''", r'r""".*?"""', r"r'[^'\n]*'", r'r"[^"\n]*"'),
    holed=(
        HoledString('"""', '"""', "${", is_multiline=True),
        HoledString("'''", "'''", "${", is_multiline=True),
        HoledString('"', '"', "${"),
        HoledString("'", "'", "${"),
    ),
    attributes=_AT,
    declaring=_PUBLIC | {"mixin", "extension"},
    expression="=>",
    unit="  ",
)

PHP = Syntax(
    block="braces",
    comments=(_LINE, _BLOCK, r"\#(?!\[)[^\n]*"),
    strings=(
        r"<<<[ \t]*(?P<q>[\"']?)(?P<doc>\w+)(?P=q)\r?\n.*?^[ \t]*(?P=doc)\b",
        r'"(?:\\.|[^"\\])*"',
        r"'(?:\\.|[^'\\])*'",
    ),
    attributes=r"\#(?=\[)",
    declaring=frozenset({"function", "class", "interface", "trait", "enum", "const"}),
)

ZIG = Syntax(
    block="braces",
    comments=(_LINE,),
    strings=(r"\\\\[^\n]*", _DOUBLE, _CHARACTER),
    not_above="//!",
    declaring=frozenset({"fn", "const", "var", "test"}),
)

LUA = Syntax(
    block="end",
    comments=(r"--\[(?P<level>=*)\[.*?\](?P=level)\]", r"--[^\n]*"),
    strings=(r"\[(?P<long>=*)\[.*?\](?P=long)\]", _DOUBLE, _SINGLE),
    declaring=frozenset({"function", "local", "type"}),
    ends_with_line=True,
)

RUBY = Syntax(
    block="end",
    comments=(_HASH, r"^=begin\b.*?^=end\b[^\n]*"),
    strings=(r"'(?:\\.|[^'\\])*'", r"<<[~-](?P<q>[\"']?)(?P<doc>\w+)(?P=q)[^\n]*\n.*?^[ \t]*(?P=doc)\b"),
    holed=(HoledString('"', '"', "#{", is_multiline=True),),
    not_above="#!|#.*(?:coding|frozen_string_literal)",
    declaring=frozenset({"def", "class", "module"}),
    ends_with_line=True,
    unit="  ",
)

ELIXIR = Syntax(
    block="end",
    comments=(_HASH,),
    strings=(r"~S\"{3}.*?\"{3}", r"'''.*?'''", _SINGLE),
    holed=(HoledString('"""', '"""', "#{", is_multiline=True), HoledString('"', '"', "#{", is_multiline=True)),
    attributes=r"@(?:doc|spec|impl|deprecated|since)\b[^\n]*",
    declaring=frozenset({"def", "defp", "defmacro", "defmacrop", "defmodule"}),
    ends_with_line=True,
    unit="  ",
)

JULIA = Syntax(
    block="end",
    comments=(r"\#=.*?=\#", _HASH),
    strings=(_TRIPLE, _DOUBLE, _CHARACTER),
    attributes="@",
    declaring=frozenset({"function", "struct", "module", "macro", "const"}),
    ends_with_line=True,
)

GENERIC = Syntax(
    block="any",
    comments=(_LINE, _BLOCK, _HASH),
    strings=(_DOUBLE, _SINGLE),
    declaring=frozenset({"def", "fn", "func", "function", "class", "type", "let", "proc", "sub", "message", "module"}),
    ends_with_line=True,
)
"""For languages of which nothing is known: what most of them have in common."""

_TABLE: Mapping[Syntax, tuple[str, ...]] = {
    PYTHON: ("python", "starlark"),
    SCRIPT: ("typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte", "astro"),
    GO: ("go",),
    RUST: ("rust",),
    C: ("c", "cpp", "objective-c", "objective-cpp", "cuda-cpp"),
    JAVA: ("java", "groovy"),
    CSHARP: ("csharp",),
    KOTLIN: ("kotlin",),
    SCALA: ("scala",),
    SWIFT: ("swift",),
    DART: ("dart",),
    PHP: ("php",),
    ZIG: ("zig",),
    LUA: ("lua", "luau"),
    RUBY: ("ruby",),
    ELIXIR: ("elixir",),
    JULIA: ("julia",),
}

SYNTAXES: Mapping[str, Syntax] = {language: syntax for syntax, languages in _TABLE.items() for language in languages}


def syntax_of(language: str) -> Syntax:
    """By LSP's language id."""
    return SYNTAXES.get(language, GENERIC)
