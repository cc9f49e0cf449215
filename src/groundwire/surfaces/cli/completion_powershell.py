"""Completion for PowerShell. Above: ``completion``. Below: ``completion_tree``."""

from collections.abc import Iterator, Sequence

from groundwire.surfaces.cli.completion_tree import Node

_SCRIPT = """\
# Completion of groundwire for PowerShell.
Register-ArgumentCompleter -Native -CommandName groundwire -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $options = @{
@OPTIONS@
    }
    $choices = @{
@CHOICES@
    }
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -ne '' -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
    $key = ''
    foreach ($word in $words) {
        if ($word.StartsWith('-')) { break }
        $longer = if ($key -eq '') { $word } else { "$key $word" }
        if (-not $options.ContainsKey($longer)) { break }
        $key = $longer
    }
    $found = $options[$key]
    if ($words.Count -gt 0 -and $choices.ContainsKey("$key $($words[-1])")) {
        $found = $choices["$key $($words[-1])"]
    } elseif ($key -ne '' -and -not $wordToComplete.StartsWith('-')) {
        $found = @($found | Where-Object { -not $_.StartsWith('-') })
    }
    $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
"""


def powershell_script(commands: Sequence[Node]) -> str:
    """The script. Files are what PowerShell completes where nothing is found."""
    nodes = [node for command in commands for node in command.all()]
    first = [*(command.words[0] for command in commands), "--help", "--version"]
    options = [_entry("", first), *(_entry(" ".join(node.words), _words(node)) for node in nodes)]
    choices = [line for node in nodes for line in _choices(node)]
    return _SCRIPT.replace("@OPTIONS@", "\n".join(options)).replace("@CHOICES@", "\n".join(choices))


def _words(node: Node) -> Iterator[str]:
    yield from (each.words[-1] for each in node.below)
    yield from (word for place in node.places for word in place.choices)
    yield from (name for option in node.options for name in option.names)


def _choices(node: Node) -> Iterator[str]:
    for option in node.options:
        if option.choices:
            yield from (_entry(f"{' '.join(node.words)} {name}", option.choices) for name in option.names)


def _entry(key: str, words: "Sequence[str] | Iterator[str]") -> str:
    listed = ", ".join(f"'{word}'" for word in words)
    return f"        '{key}' = @({listed})"
