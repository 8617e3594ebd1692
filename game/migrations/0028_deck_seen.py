"""Store how a deck was seen apart from why an attempt is unranked."""

from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models import F

_SEEN = ("mailbox_seen", "browser_seen", "address_seen")


def copy_reasons(apps: Any, schema_editor: Any) -> None:
    """Attempts decided before had the reason in `unranked` only."""
    runs = apps.get_model("game", "Run").objects
    runs.filter(unranked__in=_SEEN).update(deck_seen=F("unranked"))


class Migration(migrations.Migration):

    dependencies: ClassVar = [("game", "0027_coached_runs")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="run",
            name="deck_seen",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=16
            ),
        ),
        migrations.RunPython(copy_reasons, migrations.RunPython.noop),
    ]
