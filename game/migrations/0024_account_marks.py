import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("game", "0023_job_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("mailbox", "Mailbox"), ("address", "Address")], max_length=8)),
                ("mark", models.CharField(max_length=64)),
                ("first_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(db_index=True)),
                ("account", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="marks", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "mark"], name="account_mark_shared")],
                "constraints": [models.UniqueConstraint(fields=["account", "kind", "mark"], name="account_mark_once")],
            },
        ),
    ]
