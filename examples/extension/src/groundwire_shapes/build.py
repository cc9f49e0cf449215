"""How a project with a ``shapes.toml`` is built: ``shapes-check`` over its files. It has no tests."""

from groundwire.extending import ANY, CapabilityMissing, Ecosystem, Plan, Project, Step, Wanted, read_lines


def _build(wanted: Wanted) -> Plan:
    checker = wanted.project.programs.find("shapes-check", install="pip install groundwire-shapes")
    files = sorted(wanted.root.rglob("*.shapes")) if not wanted.paths else wanted.paths
    words = (str(checker), *(wanted.relative(file) for file in files))
    return Plan(steps=(Step(tool="shapes-check", words=words, directory=wanted.root, read=read_lines(ANY)),))


def _test(wanted: Wanted) -> Plan:
    raise CapabilityMissing(f"{wanted.root.name} holds shapes, which have no tests")


def _has_tests(_: Project) -> bool:
    return False


SHAPES = Ecosystem(
    id="shapes",
    languages=("shapes",),
    markers=("shapes.toml",),
    suffixes=frozenset({".shapes"}),
    build=_build,
    test=_test,
    is_tested=_has_tests,
)
