"""Store what names look like by Unicode's list of confusable letters."""

from typing import Any

from django.db import migrations

from game.services.accounts.name_rebuild import names_rebuild


def rebuild(apps: Any, schema_editor: Any) -> None:
    """Compute the skeletons of all names again."""
    names_rebuild(apps.get_model)


class Migration(migrations.Migration):
    dependencies = [("game", "0019_study_turns")]

    operations = [migrations.RunPython(rebuild, migrations.RunPython.noop)]
