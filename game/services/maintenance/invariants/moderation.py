"""I7 for corrections, and I12, I16, I17, I18: audit log, acts, void runs, accounts.

I12: the audit log's chain is complete. I16: acts, roles and cases match the log. I17:
void runs and races count for nothing. I18: accounts' rows match the acts in force.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from game.contest.moderation.acts import RULES, ActKind, ActState
from game.models import (
    Account,
    Act,
    AuditEntry,
    BoardEntry,
    Case,
    PointsLine,
    Race,
    RatingChange,
    Report,
    Run,
)
from game.services.maintenance.invariants.breach import Breach
from game.services.moderation.audit import audit_breaks, audit_triggers_missing
from game.services.moderation.corrections import corrections_due
from game.services.moderation.effects_account import restrictions_due
from game.services.moderation.effects_run import is_void_by_act


def breaches() -> Iterator[Breach]:
    """Every breach in moderation."""
    for fault in audit_breaks():
        yield Breach("I12", f"audit {fault.number}", fault.text)
    for name in audit_triggers_missing():
        yield Breach("I12", f"trigger {name}", "is not there")
    yield from _acts()
    yield from _roles()
    yield from _cases()
    yield from _void_runs()
    yield from _rows()
    yield from _corrections()


def _acts() -> Iterator[Breach]:
    """Every act has an entry in the log with the same values."""
    logged: dict[str, dict[str, Any]] = {}
    actors: dict[str, str | None] = {}
    entries = AuditEntry.objects.filter(target__startswith="act:").order_by("number")
    for entry in entries.iterator():
        act_id = entry.target.removeprefix("act:")
        logged[act_id] = json.loads(entry.body)
        actors.setdefault(
            act_id, entry.actor_id
        )  # later entries are by who confirmed or declined
    for act in Act.objects.select_related("undoes").iterator():
        row = f"act {act.id}"
        facts = logged.get(act.id)
        if facts is None:
            yield Breach("I16", row, "has no entry in the log")
            continue
        text = hashlib.sha256(act.text.encode()).hexdigest()
        stored = (act.kind, act.reason, act.target, act.length_s, act.undoes_id, text)
        names = ("kind", "reason", "on", "length_s", "undoes", "text")
        if stored != tuple(facts[name] for name in names):
            yield Breach("I16", row, "differs from the log")
        if act.by_id != actors[act.id]:
            yield Breach("I16", row, "has another actor than the log")
        undone = act.undoes
        if undone is not None and (
            undone.state != ActState.UNDONE
            or RULES[ActKind(undone.kind)].inverse != act.kind
        ):
            yield Breach("I16", row, "undoes an act that it cannot undo")


def _roles() -> Iterator[Breach]:
    """Roles are those last given in the log; closed accounts have none."""
    roles: dict[str | None, str] = {}
    entries = AuditEntry.objects.filter(verb="role_set").order_by("number")
    for subject_id, body in entries.values_list("subject_id", "body").iterator():
        roles[subject_id] = json.loads(body)["role"]
    rows = (
        Account.objects.filter(
            id__in=[account_id for account_id, role in roles.items() if role]
        )
        | Account.objects.exclude(staff_role="")
        | Account.objects.filter(is_staff=True)
        | Account.objects.filter(is_superuser=True)
    )
    for account in rows.distinct().iterator():
        role = roles.get(account.id, "") if account.is_active else ""
        stored = (account.staff_role, account.is_staff, account.is_superuser)
        if stored != (role, bool(role), False):
            yield Breach("I16", f"account {account.id}", "has not the logged role")


def _cases() -> Iterator[Breach]:
    """A closed case has an act that closed it; its reports have its outcome."""
    ended = Act.objects.filter(
        kind__in=[ActKind.DISMISS, ActKind.CLOSE], state=ActState.IN_FORCE
    )
    closed_cases = Case.objects.filter(closed_at__isnull=False)
    for case in closed_cases.exclude(id__in=ended.values("case")):
        yield Breach("I16", f"case {case.id}", "is closed without an act")
    for report in Report.objects.select_related("case").iterator():
        if report.outcome != report.case.outcome:
            yield Breach("I16", f"report {report.id}", "has not its case's outcome")


def _void_runs() -> Iterator[Breach]:
    """Runs are void if and only if an act covers them; void runs are on no board."""
    acts = Act.objects.filter(
        state=ActState.IN_FORCE,
        kind__in=[
            *(ActKind.VOID_RUN, ActKind.VOID_DAILY),
            *(ActKind.VOID_RACE, ActKind.DISQUALIFY),
        ],
    )
    targets = list(acts.values_list("target", flat=True))
    runs = (
        Run.objects.exclude(voided_at=None)
        | Run.objects.filter(id__in=targets)
        | Run.objects.filter(race__in=targets)
        | Run.objects.filter(daily__in=targets, kind=Run.Kind.DAILY, ranked=True)
    )
    for run in runs.distinct():
        if is_void_by_act(run) != (run.voided_at is not None):
            yield Breach(
                "I17",
                f"run {run.id}",
                "is not void exactly as its acts say",
            )
    for run_id in BoardEntry.objects.filter(run__voided_at__isnull=False).values_list(
        "run_id", flat=True
    ):
        yield Breach("I17", f"run {run_id}", "is void but on a board")
    voided = Race.objects.filter(voided_at__isnull=False).values_list("id", flat=True)
    sources = PointsLine.objects.filter(source__in=list(voided))
    for source in sources.values_list("source", flat=True).distinct():
        yield Breach("I17", f"race {source}", "is void but gives points")


def _rows() -> Iterator[Breach]:
    """Bans and cheat marks of accounts are those of the acts in force."""
    touched = Act.objects.filter(kind__in=[ActKind.BAN, ActKind.MARK_CHEAT])
    ids = set(touched.values_list("subject_id", flat=True))
    rows = (
        Account.objects.filter(id__in=[account_id for account_id in ids if account_id])
        | Account.objects.exclude(banned_until=None)
        | Account.objects.exclude(cheat_marked_at=None)
    )
    for account in rows.distinct():
        if restrictions_due(account.id) != (
            account.banned_until,
            account.cheat_marked_at,
        ):
            yield Breach(
                "I18", f"account {account.id}", "has other restrictions than its acts"
            )


def _corrections() -> Iterator[Breach]:
    """Ratings have every correction that moderated races require."""
    judged = RatingChange.objects.exclude(act=None).values("race")
    cheats = Account.objects.exclude(cheat_marked_at=None)
    races = (
        Race.objects.filter(id__in=judged)
        | Race.objects.filter(voided_at__isnull=False)
        | Race.objects.filter(entrants__is_disqualified=True)
        | Race.objects.filter(rated=True, entrants__account__in=cheats)
    )
    for race in races.distinct():
        for line, points in corrections_due(race):
            text = f"owes {line.account_id} a correction of {points:+.2f}"
            yield Breach("I7", f"race {race.id}", text)
