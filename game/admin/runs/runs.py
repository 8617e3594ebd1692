"""Runs: their facts, and their replay once their dungeon is open. Nothing sooner."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from game.admin.core.access import role_in
from game.admin.core.forms import DeskForm
from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.admin.moderation.act_forms import ActForm, Upon
from game.admin.runs.replays import replay_rows
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account, Run, name_key
from game.rules import Refusal
from game.selectors.moderation.cases import shared_dungeons, status_shown
from game.services.core.errors import not_found
from game.services.moderation.conflicts_of_interest import has_conflict
from game.services.runs.runs import replay_json


def is_run_open(run: Run) -> bool:
    """Whether anybody may see how it was played."""
    return run.status != Run.Status.PLAYING and run.dungeon.revealed_at is not None


def run_line(run: Run) -> dict[str, Any]:
    """A run as a list shows it: nothing of how it goes while that could help somebody
    (staff play, too), which is until its dungeon is open.
    """
    is_open = is_run_open(run)
    is_live = status_shown(run) != run.status
    return {
        "id": run.id,
        "kind": run.kind,
        "ranked": run.ranked,
        "ruleset": run.ruleset,
        "difficulty": run.difficulty,
        "status": status_shown(run),
        "moves": run.index if is_open else None,
        "faced": run.faced if is_open else None,
        "score": run.score if is_open else None,
        "started_at": run.started_at,
        "finished_at": None if is_live else run.finished_at,
        "voided_at": run.voided_at,
        "race": run.race_id,
        "daily": run.daily,
        "is_open": is_open,
    }


def lines_of(runs: Iterable[Run]) -> list[dict[str, Any]]:
    """The same of several."""
    return [run_line(run) for run in runs]


@admin.register(Run, site=desk)
class RunAdmin(DeskAdmin):
    """Runs of a player or a race; the table is too long to leaf through."""

    address, list_title = "runs", "Runs"
    page_template = "admin/desk/run.html"
    list_display = (
        "account",
        "kind",
        "counts",
        "ruleset",
        "state",
        "moves_made",
        moment_of("started_at"),
    )
    list_select_related = ("account", "dungeon", "race")
    list_words = "Name a player, or the id of a run, a race or a daily."
    ordering = ("-started_at", "pk")
    search_fields = ("id",)
    search_help_text = "A player's name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Run], search_term: str
    ) -> tuple[QuerySet[Run], bool]:
        """By what an index finds; nothing where nothing is named."""
        term = search_term.strip()
        if not term:
            return queryset.none(), False
        account = Account.objects.filter(name_key=name_key(term)).first()
        if account is not None:
            return queryset.filter(account=account), False
        for field in ("id", "race_id", "daily_id", "account_id"):
            found = queryset.filter(**{field: term})
            if found.exists():
                return found, False
        return queryset.none(), False

    @admin.display(description="moves")
    def moves_made(self, run: Run) -> int | str:
        """How many, once its dungeon is open."""
        return run.index if is_run_open(run) else ""

    @admin.display(description="status")
    def state(self, run: Run) -> str:
        """How it stands, unless its race goes on."""
        return status_shown(run)

    @admin.display(description="ranked")
    def counts(self, run: Run) -> str:
        """Whether it counts."""
        return "ranked" if run.ranked else ""

    def row_of(self, request: HttpRequest, object_id: str) -> Run:
        """The run with what it belongs to."""
        return run_found(object_id)

    def show(self, request: HttpRequest, row: Run) -> dict[str, Any]:
        """Its facts, and its replay or why there is none yet."""
        return {"title": f"Run of {row.account.name}", **run_page(row)}

    def forms_of(self, request: HttpRequest, row: Run) -> Sequence[DeskForm]:
        """To void it, for moderators who did not play that dungeon."""
        if role_in(request) < StaffRole.MODERATOR:
            return []
        if has_conflict(str(request.user.pk), ActTarget.RUN, row.id):
            return []
        return [
            ActForm(role_in(request), frozenset({ActTarget.RUN}), Upon(target=row.id))
        ]


def run_found(run_id: str) -> Run:
    """A run with its account, dungeon and daily. Raises run.not_found."""
    rows = Run.objects.select_related("account", "dungeon", "daily", "race")
    run = rows.filter(id=run_id).first()
    if run is None:
        raise not_found("run")
    return run


def run_page(run: Run) -> dict[str, Any]:
    """{run, line, replay or why}: what a page about one run shows."""
    shown: dict[str, Any] = {"run": run, "line": run_line(run)}
    try:
        replay = replay_json(run=run)
    except Refusal as refusal:
        return {**shown, "replay": None, "why": refusal.text}
    return {**shown, "replay": replay, "rows": replay_rows(replay)}


@desk.page("side-by-side/", "side", StaffRole.MODERATOR)
def side_by_side(request: HttpRequest) -> TemplateResponse:
    """Two runs beside each other: `?first=RUN&second=RUN`. Raises run.not_found."""
    keys = [request.GET.get("first", ""), request.GET.get("second", "")]
    context = {
        **desk.each_context(request),
        "title": "Two runs side by side",
        "keys": keys,
        "sides": [run_page(run_found(key)) for key in keys] if all(keys) else [],
    }
    return TemplateResponse(request, "admin/desk/side.html", context)


@desk.page("shared/", "shared", StaffRole.MODERATOR)
def shared(request: HttpRequest) -> TemplateResponse:
    """Dungeons that two accounts have both played: `?first=NAME&second=NAME`."""
    names = [request.GET.get("first", ""), request.GET.get("second", "")]
    dungeons: list[dict[str, Any]] = []
    if all(names):
        first, second = (_account_named(name) for name in names)
        dungeons = shared_dungeons(first.id, second.id)
        for one in dungeons:
            if not one["revealed"]:
                for line in (one["first"], one["second"]):
                    line.update(score=None, status="not open")
    context = {
        **desk.each_context(request),
        "title": "Dungeons that two accounts share",
        "names": names,
        "dungeons": dungeons,
    }
    return TemplateResponse(request, "admin/desk/shared.html", context)


def _account_named(name: str) -> Account:
    account = Account.objects.filter(name_key=name_key(name)).first()
    if account is None:
        raise not_found("account")
    return account
