"""As ``well_read``, and it checks what is used: that it is declared somewhere, with as many parameters."""

from base import Json
from toy_language import Source, Use
from well_read import WellRead


class TypeChecked(WellRead):
    def diagnose(self, params: Json) -> Json:
        sources = self._sources()
        declared = {each.name: each for source in sources.values() for each in source.declarations}
        items: list[Json] = super().diagnose(params)["items"]
        for use in _calls(sources[params["textDocument"]["uri"]]):
            found = declared.get(use.name)
            if found is None:
                items.append(_error(use, f"{use.name} is not declared"))
            elif len(found.parameters) != len(use.arguments):
                items.append(_error(use, f"{use.name} takes {len(found.parameters)}, not {len(use.arguments)}"))
        return {"kind": "full", "items": items}


def _calls(source: Source) -> list[Use]:
    return [use for use in source.uses if use.inside is not None]


def _error(use: Use, message: str) -> Json:
    start = {"line": use.span.line, "character": use.span.start}
    end = {"line": use.span.line, "character": use.span.end}
    return {"range": {"start": start, "end": end}, "message": message, "severity": 1, "source": "toy"}


if __name__ == "__main__":
    TypeChecked().run()
