import django.db.models.deletion
import game.models.core.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0002_accounts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
                ('took_ms', models.PositiveIntegerField()),
                ('done', models.IntegerField(default=0)),
                ('worked_at', models.DateTimeField(blank=True, null=True)),
                ('failed_at', models.DateTimeField(blank=True, null=True)),
                ('failure', models.CharField(blank=True, default='', max_length=400)),
                ('failures', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='StreakRow',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='streak', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('last_on', models.DateField(blank=True, null=True)),
                ('current', models.PositiveIntegerField(default=0)),
                ('longest', models.PositiveIntegerField(default=0)),
                ('frozen_on', models.DateField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='run',
            name='counted_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='ranked',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='run',
            name='voided_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='Assessment',
            fields=[
                ('dungeon', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='assessment', serialize=False, to='game.dungeon')),
                ('difficulty', models.CharField(max_length=16)),
                ('version', models.CharField(max_length=32)),
                ('winnable', models.BooleanField()),
                ('best', models.SmallIntegerField(blank=True, null=True)),
                ('cleared', models.PositiveSmallIntegerField()),
                ('games', models.PositiveSmallIntegerField()),
                ('band', models.CharField(max_length=8)),
                ('assessed_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('cleared__lte', models.F('games'))), name='assessment_counts')],
            },
        ),
        migrations.CreateModel(
            name='Daily',
            fields=[
                ('id', game.models.core.ids.IdField(default=game.models.core.ids.new_id, editable=False, max_length=16, primary_key=True, serialize=False)),
                ('on', models.DateField()),
                ('ruleset', models.CharField(max_length=32)),
                ('difficulty', models.CharField(max_length=16)),
                ('planned', models.CharField(max_length=8)),
                ('master_seal', models.CharField(max_length=64)),
                ('master_sealed', models.CharField(max_length=255)),
                ('drawn_at', models.DateTimeField()),
                ('tried', models.PositiveSmallIntegerField(default=0)),
                ('first_winnable', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('candidate', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('choice', models.CharField(blank=True, default='', max_length=16)),
                ('chosen_at', models.DateTimeField(blank=True, null=True)),
                ('opens_at', models.DateTimeField()),
                ('closes_at', models.DateTimeField()),
                ('settles_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('dungeon', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='daily', to='game.dungeon')),
            ],
        ),
        migrations.AddField(
            model_name='run',
            name='daily',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='game.daily'),
        ),
        migrations.CreateModel(
            name='DailyDigest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField()),
                ('digest', models.CharField(max_length=64)),
                ('text', models.TextField()),
                ('reason', models.CharField(blank=True, default='', max_length=200)),
                ('at', models.DateTimeField()),
                ('daily', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='digests', to='game.daily')),
            ],
        ),
        migrations.CreateModel(
            name='EarnedBadge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=24)),
                ('earned_on', models.DateField()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='badges', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='game.run')),
            ],
        ),
        migrations.CreateModel(
            name='Leaderboard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=16)),
                ('ruleset', models.CharField(blank=True, default='', max_length=32)),
                ('difficulty', models.CharField(blank=True, default='', max_length=16)),
                ('span', models.CharField(blank=True, default='', max_length=16)),
                ('pool', models.CharField(max_length=8)),
                ('noted_to', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'ruleset', 'difficulty', 'span', 'pool'), name='board_one_of_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='BoardEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.IntegerField()),
                ('ms', models.IntegerField(default=0)),
                ('number', models.IntegerField()),
                ('cleared', models.BooleanField(default=False)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='board_entries', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='game.run')),
                ('board', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='game.leaderboard')),
            ],
        ),
        migrations.CreateModel(
            name='BoardBucket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slot', models.IntegerField()),
                ('order', models.IntegerField()),
                ('n', models.IntegerField()),
                ('board', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='buckets', to='game.leaderboard')),
            ],
        ),
        migrations.CreateModel(
            name='PointsLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=16)),
                ('pool', models.CharField(max_length=8)),
                ('ruleset', models.CharField(max_length=32)),
                ('on', models.DateField()),
                ('points', models.PositiveIntegerField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='points', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('kind', 'daily'), ('ranked', True)), fields=['daily', 'finished_at'], name='run_ranked_of_daily'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('kind', 'daily')), fields=['account', 'daily'], name='run_dailies_of_account'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('daily__isnull', False), ('kind', 'daily')), ('kind', 'practice'), models.Q(('daily__isnull', True), ('kind', 'race')), _connector='OR'), name='run_daily_has_its_daily'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('ranked', False), models.Q(('kind', 'practice'), _negated=True), _connector='OR'), name='run_practice_is_unranked'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'daily')), fields=('daily', 'account'), name='run_one_attempt_a_daily'),
        ),
        migrations.AddIndex(
            model_name='daily',
            index=models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['settles_at'], name='daily_to_settle'),
        ),
        migrations.AddIndex(
            model_name='daily',
            index=models.Index(fields=['ruleset', '-on'], name='daily_archive'),
        ),
        migrations.AddConstraint(
            model_name='daily',
            constraint=models.UniqueConstraint(fields=('on', 'ruleset'), name='daily_one_a_date_and_ruleset'),
        ),
        migrations.AddConstraint(
            model_name='daily',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('master_seal', ''), _negated=True), models.Q(('master_sealed', ''), _negated=True)), name='daily_is_sealed'),
        ),
        migrations.AddConstraint(
            model_name='daily',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('candidate__isnull', True), ('choice', ''), ('chosen_at__isnull', True), ('dungeon__isnull', True)), models.Q(('candidate__isnull', False), ('chosen_at__isnull', False), ('dungeon__isnull', False), models.Q(('choice', ''), _negated=True)), _connector='OR'), name='daily_choice_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='daily',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__lt', models.F('closes_at')), ('closes_at__lt', models.F('settles_at'))), name='daily_instants_in_order'),
        ),
        migrations.AddConstraint(
            model_name='daily',
            constraint=models.CheckConstraint(condition=models.Q(('settled_at__isnull', True), ('settled_at__gte', models.F('settles_at')), _connector='OR'), name='daily_settles_in_time'),
        ),
        migrations.AddConstraint(
            model_name='dailydigest',
            constraint=models.UniqueConstraint(fields=('daily', 'revision'), name='digest_once_a_revision'),
        ),
        migrations.AddConstraint(
            model_name='earnedbadge',
            constraint=models.UniqueConstraint(fields=('account', 'key'), name='badge_once'),
        ),
        migrations.AddIndex(
            model_name='boardentry',
            index=models.Index(fields=['board', 'order', 'ms', 'id'], include=('account', 'run', 'number', 'cleared'), name='entry_by_place'),
        ),
        migrations.AddConstraint(
            model_name='boardentry',
            constraint=models.UniqueConstraint(fields=('board', 'account'), name='entry_once_a_board'),
        ),
        migrations.AddIndex(
            model_name='boardbucket',
            index=models.Index(fields=['board', 'order', 'slot'], include=('n',), name='bucket_by_order'),
        ),
        migrations.AddConstraint(
            model_name='boardbucket',
            constraint=models.UniqueConstraint(fields=('board', 'slot', 'order'), name='bucket_by_slot'),
        ),
        migrations.AddIndex(
            model_name='pointsline',
            index=models.Index(fields=['ruleset', 'pool', 'on'], name='points_of_a_span'),
        ),
        migrations.AddConstraint(
            model_name='pointsline',
            constraint=models.UniqueConstraint(fields=('source', 'account'), name='points_once_a_source'),
        ),
    ]
