"""Skills and kinds of projects that extensions add, and how ``status`` lists all of it."""

from pathlib import Path

from groundwire.extending import CapabilityMissing, Ecosystem, Plan, Wanted
from groundwire.extensions.contract import Offering
from groundwire.extensions.loading import Extension
from groundwire.operations.building.ecosystems.table import ECOSYSTEMS
from groundwire.operations.building.extension_ecosystems import with_extension_ecosystems
from groundwire.operations.results.servers import ExtensionLine
from groundwire.operations.serving.extension_lines import extension_lines
from groundwire.operations.workflow.extension_skills import with_extension_skills
from groundwire.operations.workflow.skills import load_skills, read_skill
from groundwire.render.extensions import extensions_listed
from groundwire.render.layout import Page
from tests.extensions.installed import EXAMPLE

REVIEW = EXAMPLE / "src/groundwire_shapes/skills/shapes-review"


def _plan(wanted: Wanted) -> Plan:
    raise CapabilityMissing("nothing can be done")


def ecosystem(name: str) -> Ecosystem:
    return Ecosystem(
        id=name, languages=(name,), markers=(f"{name}.toml",), suffixes=frozenset(), build=_plan, test=_plan
    )


def test_skills_of_extensions_come_after_ours(tmp_path: Path):
    extension = Extension("toy")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "SKILL.md").write_text("no head\n", "utf-8")
    clash = tmp_path / "lsp-rename"
    clash.mkdir()
    (clash / "SKILL.md").write_text('---\nname: lsp-rename\ndescription: "Another."\n---\n', "utf-8")
    own = load_skills()
    offering = Offering(api=1, skills=[REVIEW, broken, clash, tmp_path / "gone"])
    skills = with_extension_skills(own, read_skill, [(extension, offering)])
    assert [*skills] == [*own, "shapes-review"]
    assert skills["lsp-rename"] is own["lsp-rename"]
    assert [each.name for each in extension.left_out.values()] == ["broken", "lsp-rename", "gone"]


def test_kinds_of_projects_come_after_ours():
    extension = Extension("toy")
    added = ecosystem("shapes")
    offering = Offering(api=1, build_runners=[added, ecosystem("go"), "words"])
    assert with_extension_ecosystems(ECOSYSTEMS, [(extension, offering)]) == (*ECOSYSTEMS, added)
    assert [(each.name, each.reason) for each in extension.left_out.values()] == [
        ("go", "there is an ecosystem 'go' already"),
        ("words", "it is no Ecosystem"),
    ]


def test_where_none_is_installed_none_is_listed():
    assert extension_lines() == ()
    assert list(extensions_listed((), Page())) == []


def test_each_is_listed_with_what_it_adds_or_why_it_does_not():
    lines = (
        ExtensionLine(name="a", package="gw-a", version="1.0", state="loaded", adds=("server x", "operation y")),
        ExtensionLine(name="b", package="gw-b", version="", state="failed", reason="ImportError: no"),
        ExtensionLine(name="c", package="gw-c", version="2", state="loaded", left_out=("skill s: it is broken",)),
        ExtensionLine(name="d", package="gw-d", version="2", state="off", reason="you said so"),
    )
    assert list(extensions_listed(lines, Page())) == [
        "Extensions:",
        "  a 1.0: adds server x, operation y",
        "  b: failed: ImportError: no",
        "  c 2: adds nothing",
        "    left out: skill s: it is broken",
        "  d 2: off: you said so",
    ]
    assert [line.name for line in lines if line.needs_attention] == ["b", "c"]
