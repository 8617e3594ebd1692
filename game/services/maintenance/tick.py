"""The periodic job: does everything that is due. Celery beat calls it every 15 seconds.

What is due is read from the database, so the result is the same if the broker loses
messages or a call is repeated.
"""

from datetime import datetime

from game.services.accounts.deletion import expired_rows_prune, guests_prune
from game.services.analysis.job_queue import studies_prune, studies_requeue
from game.services.boards.points import point_boards_close
from game.services.boards.race_points import races_award_points
from game.services.boards.records import rating_boards_update
from game.services.core.jobs import Work, job_last_began, jobs_run
from game.services.dailies.commitment_jobs import (
    commitments_add_audit_head,
    commitments_add_settled,
    commitments_adopt,
)
from game.services.dailies.monitoring import dailies_log_troubles
from game.services.dailies.publish import dailies_choose_winnable, dailies_publish
from game.services.dailies.settle import dailies_settle
from game.services.dailies.share_image import share_images_prune
from game.services.moderation.audit import audit_record_chain, audit_sign
from game.services.moderation.detections import runs_check
from game.services.moderation.proposals import proposals_expire
from game.services.moderation.reports import reports_prune
from game.services.moderation.scouts import scouted_wins_mark
from game.services.races.bot_moves import bot_moves_play
from game.services.races.matchmaking import matchmaking_advance
from game.services.races.presence import presence_expire
from game.services.races.timeouts import races_advance
from game.services.runs.outages import outages_prune, sign_of_life_record
from game.services.runs.runs import runs_expire

# Run in this order; if a job fails, the next ones still run. A job is named after its
# service. The names are stored in the rows of Job: a migration must rename them.
JOBS: dict[str, Work] = {
    "sign_of_life_record": lambda at: sign_of_life_record(at=at),
    # Before anything new is published: what was published before the chain began.
    "commitments_adopt": lambda at: commitments_adopt(at=at),
    "audit_sign": lambda at: audit_sign(at=at),
    "audit_record_chain": lambda at: audit_record_chain(at=at),
    "dailies_log_troubles": lambda at: dailies_log_troubles(at=at),
    "dailies_publish": lambda at: dailies_publish(at=at),
    "dailies_choose_winnable": lambda at: dailies_choose_winnable(at=at),
    "runs_expire": lambda at: runs_expire(at=at),
    "dailies_settle": lambda at: dailies_settle(at=at),
    "commitments_add_settled": lambda at: commitments_add_settled(at=at),
    "commitments_add_audit_head": lambda at: commitments_add_audit_head(at=at),
    "bot_moves_play": lambda at: bot_moves_play(at=at),
    "races_advance": lambda at: races_advance(at=at),
    "matchmaking_advance": lambda at: matchmaking_advance(at=at),
    "presence_expire": lambda at: presence_expire(at=at),
    "races_award_points": lambda at: races_award_points(at=at),
    "rating_boards_update": lambda _: rating_boards_update(
        since=job_last_began("rating_boards_update")
    ),
    "point_boards_close": lambda at: point_boards_close(at=at),
    "studies_requeue": lambda at: studies_requeue(at=at),
    "studies_prune": lambda at: studies_prune(at=at),
    "share_images_prune": lambda at: share_images_prune(at=at),
    "guests_prune": lambda at: guests_prune(at=at),
    "runs_check": lambda at: runs_check(since=job_last_began("runs_check"), at=at),
    "scouted_wins_mark": lambda at: scouted_wins_mark(
        since=job_last_began("scouted_wins_mark"), at=at
    ),
    "proposals_expire": lambda at: proposals_expire(at=at),
    "reports_prune": lambda at: reports_prune(at=at),
    "expired_rows_prune": lambda at: expired_rows_prune(at=at),
    "outages_prune": lambda at: outages_prune(at=at),
}


def tick(*, at: datetime) -> dict[str, int]:
    """Do what is due at that instant; the number of things done, by job name.

    Raises ExceptionGroup of the failed jobs, after the others have run.
    """
    return jobs_run(JOBS, at=at)
