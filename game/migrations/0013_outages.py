from django.db import migrations, models


# Several workers may have recorded the same outage.
_DELETE_DOUBLES = """
delete from game_outage where id not in (
    select min(id) from game_outage group by began_at
)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0012_by_program'),
    ]

    operations = [
        migrations.CreateModel(
            name='BridgedDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('on', models.DateField()),
                ('source', models.CharField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='SignOfLife',
            fields=[
                ('role', models.CharField(max_length=8, primary_key=True, serialize=False)),
                ('signed_at', models.DateTimeField()),
                ('latest_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='race',
            name='paused_to',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='race',
            name='unrated_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='paused_ms',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='run',
            name='cut_off_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='act',
            name='kind',
            field=models.CharField(choices=[('dismiss', 'dismiss'), ('close', 'close'), ('warn', 'warn'), ('mute', 'mute'), ('delete_text', 'delete text'), ('rename', 'rename'), ('hold_race', 'hold race'), ('void_race', 'void race'), ('disqualify', 'disqualify'), ('void_run', 'void run'), ('void_daily', 'void daily'), ('bridge_day', 'bridge day'), ('suspend_rated', 'suspend rated'), ('suspend', 'suspend'), ('ban', 'ban'), ('mark_cheat', 'mark cheat'), ('reopen', 'reopen'), ('withdraw_warning', 'withdraw warning'), ('unmute', 'unmute'), ('restore_text', 'restore text'), ('give_name_back', 'give name back'), ('release_race', 'release race'), ('restore_race', 'restore race'), ('requalify', 'requalify'), ('restore_run', 'restore run'), ('restore_daily', 'restore daily'), ('unbridge_day', 'unbridge day'), ('readmit_rated', 'readmit rated'), ('readmit', 'readmit'), ('unban', 'unban'), ('unmark_cheat', 'unmark cheat')], max_length=20),
        ),
        migrations.RunSQL(_DELETE_DOUBLES, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='outage',
            constraint=models.UniqueConstraint(fields=('began_at',), name='outage_once'),
        ),
        migrations.AddConstraint(
            model_name='bridgedday',
            constraint=models.UniqueConstraint(fields=('on', 'source'), name='bridged_day_once'),
        ),
    ]
