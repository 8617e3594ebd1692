import django.db.models.deletion
import game.models.core.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0006_moderation'),
    ]

    operations = [
        migrations.CreateModel(
            name='FilterWord',
            fields=[
                ('id', game.models.core.ids.IdField(default=game.models.core.ids.new_id, editable=False, max_length=16, primary_key=True, serialize=False)),
                ('word', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=80, unique=True)),
                ('effect', models.CharField(choices=[('refuse', 'Refuse'), ('flag', 'Flag')], default='refuse', max_length=8)),
                ('made_at', models.DateTimeField()),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(db_index=True)),
                ('note', models.CharField(blank=True, default='', max_length=200)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('ended_at__gte', models.F('began_at'))), name='outage_in_order')],
            },
        ),
        migrations.CreateModel(
            name='Abandonment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(choices=[('forfeited', 'Forfeited'), ('no_show', 'No Show'), ('timed_out', 'Timed Out')], max_length=16)),
                ('at', models.DateTimeField()),
                ('excused_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='abandonments', to=settings.AUTH_USER_MODEL)),
                ('race', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.race')),
            ],
            options={
                'indexes': [models.Index(fields=['account', 'at'], name='abandonment_lately')],
                'constraints': [models.UniqueConstraint(fields=('account', 'race'), name='abandonment_once_a_race')],
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to=settings.AUTH_USER_MODEL)),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'blocked'), name='block_once_a_pair'), models.CheckConstraint(condition=models.Q(('account', models.F('blocked')), _negated=True), name='block_of_another')],
            },
        ),
    ]
