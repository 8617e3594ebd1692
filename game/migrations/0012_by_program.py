from django.db import migrations, models

_MARK_BOTS = """
update game_run set by_program = true
where account_id in (select id from game_account where is_bot)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0011_drop_prefix_indexes'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='by_program',
            field=models.BooleanField(db_default=False, default=False),
        ),
        # Runs that old code starts meanwhile are marked when they are settled.
        migrations.RunSQL(_MARK_BOTS, migrations.RunSQL.noop),
    ]
