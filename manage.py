#!/usr/bin/env python
"""The project's command line: `python manage.py <command>`."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

VENV_PYTHON = Path(__file__).resolve().parent / ".venv" / "bin" / "python"


def main() -> None:
    """Run a management command, on the settings for development unless told.

    Whichever Python it is called with: what `make run` set up has Django.
    """
    if find_spec("django") is None:
        if not VENV_PYTHON.exists() or Path(sys.prefix) == VENV_PYTHON.parents[1]:
            sys.exit("Nothing is set up here yet: `make run` does it.")
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])  # noqa: S606 - our own
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.dev")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
