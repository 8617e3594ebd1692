import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("game", "0024_account_marks"),
    ]

    operations = [
        migrations.AddField(
            "matchticket",
            "is_linked",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.AddField(
            "race",
            "is_linked",
            models.BooleanField(default=False, db_default=False),
        ),
        migrations.CreateModel(
            name="MatchDecline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True)),
                ("account", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("other", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [models.Index(fields=["account", "at"], name="match_decline_lately")],
            },
        ),
    ]
