"""Writes the documents that are derived from the code: OpenAPI, AsyncAPI, a table.

    python -m scoundrel_site.documents            write them
    python -m scoundrel_site.documents --check    write nothing; exit 1 if one is stale

The page's types are generated from them: `npm run gen` in frontend/.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import django

ROOT: Final = Path(__file__).resolve().parents[1]
OPENAPI: Final = "frontend/openapi.json"
ASYNCAPI: Final = "docs/asyncapi.json"
PROTOCOL: Final = "docs/protocol.md"
BEGIN: Final = "<!-- messages: made by python -m scoundrel_site.documents -->"
END: Final = "<!-- end of messages -->"


def stale_documents(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """The files that differ from the code, each with the text it should have."""
    from api.rest.core.openapi import openapi_json  # noqa: PLC0415 - after set-up
    from api.ws.protocol.asyncapi import asyncapi, message_table  # noqa: PLC0415

    protocol = root / PROTOCOL
    texts = {
        root / OPENAPI: openapi_json(),
        root / ASYNCAPI: json.dumps(asyncapi(), indent=1, ensure_ascii=False) + "\n",
        protocol: replace_table(protocol.read_text("utf-8"), message_table()),
    }
    for file, text in texts.items():
        if not file.exists() or file.read_text("utf-8") != text:
            yield file, text


def replace_table(text: str, table: str) -> str:
    """The document with that table between its two marks, or at its end."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        before, after = f"{text.rstrip()}\n\n", "\n"
    return f"{before}{BEGIN}\n\n{table}\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write or check; the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.dev")
    django.setup()
    is_check = "--check" in arguments
    stale = list(stale_documents())
    for file, text in stale:
        name = file.relative_to(ROOT)
        if is_check:
            sys.stderr.write(f"{name}: run python -m scoundrel_site.documents\n")
        else:
            file.write_text(text, "utf-8")
            sys.stdout.write(f"{name} is written\n")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
