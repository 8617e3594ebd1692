import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ("game", "0021_postponed_settlement"),
    ]

    operations = [
        # The column keeps its name, so that processes of the version before run on.
        migrations.RemoveConstraint("entrant", "entrant_one_live_rated_race"),
        migrations.AlterField(
            "entrant",
            "is_rated_live",
            models.BooleanField(default=False, db_column="is_rated_live"),
        ),
        migrations.RenameField("entrant", "is_rated_live", "is_live"),
        migrations.AddConstraint(
            "entrant",
            models.UniqueConstraint(
                fields=["account"],
                condition=Q(is_live=True),
                name="entrant_one_live_race",
            ),
        ),
        migrations.AddField(
            "entrant",
            "is_removed",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.AddField(
            "entrant",
            "is_invited",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.AddField(
            "entrant", "unready_at", models.DateTimeField(null=True, blank=True)
        ),
        migrations.AddField(
            "race",
            "rematch_origin",
            models.ForeignKey(
                "game.race",
                null=True,
                blank=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
            ),
        ),
        migrations.AddField(
            "matchticket",
            "is_first",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.AlterField(
            "abandonment",
            "how",
            models.CharField(
                choices=[
                    ("forfeited", "Forfeited"),
                    ("left", "Left in the countdown"),
                    ("no_show", "No Show"),
                    ("timed_out", "Timed Out"),
                ],
                max_length=16,
            ),
        ),
    ]
