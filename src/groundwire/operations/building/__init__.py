"""Building a project and running its tests with the tools of its ecosystem, and reading what they say.

What may be run without being trusted, and what may not:

- A *known tool* (``go``, ``pytest``, ``cargo``, ``vitest`` …), found by its name, with words that are ours. It executes
  code of the project, for that is what was asked for; the project has no say in which program that is.
- A *program file* that the project supplies (``gradlew``, ``mvnw``, a tool that version control tracks, the interpreter
  of an environment that it tracks) needs trust: the gate of the pool judges the file.
- A *command line* that the project supplies (a recipe of a Makefile, a script of ``package.json`` that is anything but
  one plain command of a known tool) needs trust: the gate judges the file that holds it.

Nothing here ever goes through a shell of ours: commands are lists of words.
"""
