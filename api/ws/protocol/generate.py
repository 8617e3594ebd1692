"""Makes what follows from the messages: the page's types, AsyncAPI, a table.

    python -m api.ws.protocol.generate            write the files anew
    python -m api.ws.protocol.generate --check    write nothing; exit 1 if one is stale

Reads `messages` and `shapes` of this package; needs neither Django nor a database.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from api.ws.protocol.generate_asyncapi import asyncapi
from api.ws.protocol.generate_table import table
from api.ws.protocol.generate_typescript import typescript

ROOT: Final = Path(__file__).resolve().parents[3]
BEGIN: Final = "<!-- messages: made by python -m api.ws.protocol.generate -->"
END: Final = "<!-- end of messages -->"

FILES: Final[dict[str, Callable[[str], str]]] = {
    "frontend/src/realtime/messages.ts": lambda _: typescript(),
    "docs/asyncapi.json": lambda _: asyncapi(),
    "docs/protocol.md": lambda old: _between_marks(old, table()),
}


def stale(root: Path = ROOT) -> Iterable[tuple[Path, str]]:
    """The files that are not as they should be, each with what it should hold."""
    for name, make in FILES.items():
        file = root / name
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        new = make(old)
        if new != old:
            yield file, new


def _between_marks(old: str, new: str) -> str:
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        return f"{old.rstrip()}\n\n{BEGIN}\n\n{new}\n{END}\n".lstrip()
    return f"{before}{BEGIN}\n\n{new}\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Write or check; the exit code."""
    is_check = "--check" in arguments
    found = list(stale())
    for file, text in found:
        name = file.relative_to(ROOT)
        if is_check:
            sys.stderr.write(
                f"{name} is stale: run python -m api.ws.protocol.generate\n"
            )
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name} is written\n")
    return 1 if is_check and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
