"""The log of acts may not be emptied either, nor its head be turned back."""

from django.db import migrations

_POSTGRESQL = """
create trigger game_auditentry_not_emptied before truncate on game_auditentry
for each statement execute function game_audit_refuse();
create trigger game_audithead_begins before insert on game_audithead
for each row when (new.count <> 0) execute function game_audit_refuse();
create trigger game_audithead_goes_on before update on game_audithead
for each row when (new.count <> old.count + 1 or new.id <> old.id)
execute function game_audit_refuse();
create trigger game_audithead_stays before delete on game_audithead
for each row execute function game_audit_refuse();
create trigger game_audithead_not_emptied before truncate on game_audithead
for each statement execute function game_audit_refuse();
"""
_POSTGRESQL_NAMES = {
    "game_auditentry": ("game_auditentry_not_emptied",),
    "game_audithead": (
        "game_audithead_begins",
        "game_audithead_goes_on",
        "game_audithead_stays",
        "game_audithead_not_emptied",
    ),
}

# REPLACE deletes what stands in its way without a delete trigger.
_SQLITE = {
    "game_auditentry_no_replace": (
        "before insert on game_auditentry when exists (select 1 from game_auditentry"
        " where number = new.number or hash = new.hash)"
    ),
    "game_audithead_begins": (
        "before insert on game_audithead"
        " when new.count <> 0 or exists (select 1 from game_audithead)"
    ),
    "game_audithead_goes_on": (
        "before update on game_audithead"
        " when new.count <> old.count + 1 or new.id <> old.id"
    ),
    "game_audithead_stays": "before delete on game_audithead",
}
_REFUSAL = "begin select raise(abort, 'the audit log is only added to'); end"


def guard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for name, when in _SQLITE.items():
            schema_editor.execute(f"create trigger {name} {when} {_REFUSAL}")
    else:
        schema_editor.execute(_POSTGRESQL)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for name in _SQLITE:
            schema_editor.execute(f"drop trigger {name}")
    else:
        for table, names in _POSTGRESQL_NAMES.items():
            for name in names:
                schema_editor.execute(f"drop trigger {name} on {table}")


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0007_chat_and_waits'),
    ]

    operations = [
        migrations.RunPython(guard, unguard),
    ]
