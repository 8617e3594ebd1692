"""I12 the log's chain, I16 acts and what they stand for, I17 what is void counts for
nothing, I18 the account's row says what its acts do; and I7 as far as corrections go.
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
    """Whatever is wrong with how order is kept."""
    for one in audit_breaks():
        yield Breach("I12", f"audit {one.number}", one.text)
    for name in audit_triggers_missing():
        yield Breach("I12", f"trigger {name}", "is not there")
    yield from _acts()
    yield from _roles()
    yield from _cases()
    yield from _void()
    yield from _rows()
    yield from _corrections()


def _acts() -> Iterator[Breach]:
    """Every act has its entry, which says the same."""
    logged: dict[str, dict[str, Any]] = {}
    actors: dict[str, str | None] = {}
    entries = AuditEntry.objects.filter(target__startswith="act:").order_by("number")
    for entry in entries.iterator():
        act_id = entry.target.removeprefix("act:")
        logged[act_id] = json.loads(entry.body)
        actors.setdefault(act_id, entry.actor_id)  # who seconds or declines comes later
    for act in Act.objects.select_related("undoes").iterator():
        row = f"act {act.id}"
        facts = logged.get(act.id)
        if facts is None:
            yield Breach("I16", row, "is in no entry of the log")
            continue
        text = hashlib.sha256(act.text.encode()).hexdigest()
        told = (act.kind, act.reason, act.target, act.length_s, act.undoes_id, text)
        names = ("kind", "reason", "on", "length_s", "undoes", "text")
        if told != tuple(facts[name] for name in names):
            yield Breach("I16", row, "is not what the log says")
        if act.by_id != actors[act.id]:
            yield Breach("I16", row, "is not by whom the log says")
        undone = act.undoes
        if undone is not None and (
            undone.state != ActState.UNDONE
            or RULES[ActKind(undone.kind)].inverse != act.kind
        ):
            yield Breach("I16", row, "takes back what is not taken back by it")


def _roles() -> Iterator[Breach]:
    """Whoever has a role was given it last, by the log; who has left has none."""
    given: dict[str | None, str] = {}
    entries = AuditEntry.objects.filter(verb="role_set").order_by("number")
    for subject_id, body in entries.values_list("subject_id", "body").iterator():
        given[subject_id] = json.loads(body)["role"]
    rows = (
        Account.objects.filter(id__in=[one for one, role in given.items() if role])
        | Account.objects.exclude(staff_role="")
        | Account.objects.filter(is_staff=True)
        | Account.objects.filter(is_superuser=True)
    )
    for account in rows.distinct().iterator():
        role = given.get(account.id, "") if account.is_active else ""
        held = (account.staff_role, account.is_staff, account.is_superuser)
        if held != (role, bool(role), False):
            yield Breach("I16", f"account {account.id}", "has not the role of the log")


def _cases() -> Iterator[Breach]:
    """A closed case has its act; its reports have its outcome."""
    ended = Act.objects.filter(
        kind__in=[ActKind.DISMISS, ActKind.CLOSE], state=ActState.IN_FORCE
    )
    closed = Case.objects.filter(closed_at__isnull=False)
    for case in closed.exclude(id__in=ended.values("case")):
        yield Breach("I16", f"case {case.id}", "is closed by no act")
    for report in Report.objects.select_related("case").iterator():
        if report.outcome != report.case.outcome:
            yield Breach("I16", f"report {report.id}", "has not its case's outcome")


def _void() -> Iterator[Breach]:
    """What is void is so by an act, and is on no board."""
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
            yield Breach("I17", f"run {run.id}", "is not void as its acts say")
    for run_id in BoardEntry.objects.filter(run__voided_at__isnull=False).values_list(
        "run_id", flat=True
    ):
        yield Breach("I17", f"run {run_id}", "is void but on a board")
    voided = Race.objects.filter(voided_at__isnull=False).values_list("id", flat=True)
    sources = PointsLine.objects.filter(source__in=list(voided))
    for source in sources.values_list("source", flat=True).distinct():
        yield Breach("I17", f"race {source}", "is void but gives points")


def _rows() -> Iterator[Breach]:
    """Bans and marks in the accounts' rows are those of the acts in force."""
    touched = Act.objects.filter(kind__in=[ActKind.BAN, ActKind.MARK_CHEAT])
    ids = set(touched.values_list("subject_id", flat=True))
    rows = (
        Account.objects.filter(id__in=[one for one in ids if one])
        | Account.objects.exclude(banned_until=None)
        | Account.objects.exclude(cheat_marked_at=None)
    )
    for account in rows.distinct():
        if restrictions_due(account.id) != (
            account.banned_until,
            account.cheat_marked_at,
        ):
            yield Breach(
                "I18", f"account {account.id}", "is not barred as its acts say"
            )


def _corrections() -> Iterator[Breach]:
    """Every race has done to ratings what it should have, as it now stands."""
    judged = RatingChange.objects.exclude(act=None).values("race")
    marked = Account.objects.exclude(cheat_marked_at=None)
    races = (
        Race.objects.filter(id__in=judged)
        | Race.objects.filter(voided_at__isnull=False)
        | Race.objects.filter(entrants__is_disqualified=True)
        | Race.objects.filter(rated=True, entrants__account__in=marked)
    )
    for race in races.distinct():
        for line, points in corrections_due(race):
            text = f"owes {line.account_id} a correction of {points:+.2f}"
            yield Breach("I7", f"race {race.id}", text)
