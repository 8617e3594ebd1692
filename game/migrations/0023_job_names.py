"""Name the stored jobs of the tick after the services they run."""

from django.db import migrations

NEW_NAMES = {
    "outages_noted": "sign_of_life_record",
    "commitments_adopted": "commitments_adopt",
    "audit_log_signed": "audit_sign",
    "chain_recorded": "audit_record_chain",
    "daily_troubles": "dailies_log_troubles",
    "dailies_drawn": "dailies_publish",
    "dailies_made_up": "dailies_choose_winnable",
    "runs_expired": "runs_expire",
    "dailies_settled": "dailies_settle",
    "settled_committed": "commitments_add_settled",
    "audit_head_committed": "commitments_add_audit_head",
    "turns_played": "bot_moves_play",
    "races_due": "races_advance",
    "matches_due": "matchmaking_advance",
    "presence_expired": "presence_expire",
    "race_points": "races_award_points",
    "ratings_noted": "rating_boards_update",
    "spans_closed": "point_boards_close",
    "studies_released": "studies_requeue",
    "studies_pruned": "studies_prune",
    "pictures_pruned": "share_images_prune",
    "guests_pruned": "guests_prune",
    "runs_looked_at": "runs_check",
    "proposals_expired": "proposals_expire",
    "reports_pruned": "reports_prune",
    "leftovers_pruned": "expired_rows_prune",
}


def _rename(job, names):
    for old, new in names.items():
        if job.objects.filter(name=new).exists():
            job.objects.filter(name=old).delete()
        else:
            job.objects.filter(name=old).update(name=new)


def rename(apps, schema_editor):
    _rename(apps.get_model("game", "Job"), NEW_NAMES)


def restore(apps, schema_editor):
    _rename(apps.get_model("game", "Job"), {new: old for old, new in NEW_NAMES.items()})


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0022_lobby_limits'),
    ]

    operations = [migrations.RunPython(rename, restore)]
