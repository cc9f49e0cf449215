"""An extension of groundwire for a small language: everything that it adds, in one place."""

from pathlib import Path

from groundwire.extending import Extension
from groundwire_shapes.build import SHAPES
from groundwire_shapes.count import ShapeCount, count_shapes, shape_count_page

_HERE = Path(__file__).parent


def extension() -> Extension:
    """Called once, when groundwire first needs one of its tables."""
    return Extension(
        api=1,
        languages=_HERE / "data/languages.toml",
        servers=[_HERE / "data/shapes-ls.server.toml"],
        operations=[count_shapes],
        renderers={ShapeCount: shape_count_page},
        skills=[_HERE / "skills/shapes-review"],
        build_runners=[SHAPES],
    )
