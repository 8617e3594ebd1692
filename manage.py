#!/usr/bin/env python
"""The project's command line: `python manage.py <command>`."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run a management command, on the settings for development unless told."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.dev")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
