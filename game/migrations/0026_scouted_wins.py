from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ("game", "0025_declined_matches"),
    ]

    operations = [
        migrations.AddField(
            "entrant",
            "is_scouted",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.AddIndex(
            "entrant",
            models.Index(
                fields=["account"],
                condition=Q(is_scouted=True),
                name="entrant_scouted",
            ),
        ),
    ]
