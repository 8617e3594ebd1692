"""Marks the races whose entrants the system paired, and adds a kind of flag."""

from datetime import timedelta

from django.db import migrations, models
from django.db.models import F


def mark_paired(apps, schema_editor):
    """Mark the quick matches so far: their countdown began with their creation."""
    race = apps.get_model("game", "Race")
    race.objects.filter(
        rated=True,
        rematch_of=None,
        starts_at__lte=F("made_at") + timedelta(seconds=5),
    ).update(is_paired=True)


class Migration(migrations.Migration):

    dependencies = [
        ("game", "0013_outages"),
    ]

    operations = [
        migrations.AddField(
            model_name="race",
            name="is_paired",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="flag",
            name="kind",
            field=models.CharField(choices=[("shared_dungeon", "shared dungeon"), ("banned_return", "banned return"), ("order_known", "order known"), ("linked_race", "linked race"), ("too_fast", "too fast"), ("too_regular", "too regular"), ("one_sided", "one sided"), ("circle", "circle"), ("mass_forfeits", "mass forfeits"), ("chat_filter", "chat filter")], max_length=16),
        ),
        migrations.RunPython(mark_paired, migrations.RunPython.noop, elidable=True),
    ]
