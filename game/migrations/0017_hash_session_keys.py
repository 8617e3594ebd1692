"""Replace session keys by their hashes, so that nobody is signed out."""

from hashlib import sha256
from typing import Any

from django.db import migrations

_CLEAR_LENGTH, _HASHED_LENGTH = 32, 40


def hash_keys(apps: Any, schema_editor: Any) -> None:
    """Hash the keys of sessions, here and in allauth's list of them."""
    for app, name in (("game", "Session"), ("usersessions", "UserSession")):
        rows = apps.get_model(app, name).objects
        for key in list(rows.values_list("session_key", flat=True)):
            if len(key) == _CLEAR_LENGTH:
                digest = sha256(key.encode()).hexdigest()[:_HASHED_LENGTH]
                rows.filter(session_key=key).update(session_key=digest)


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0016_commitments"),
        ("usersessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(hash_keys, migrations.RunPython.noop)]
