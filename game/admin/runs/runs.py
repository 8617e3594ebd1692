"""Runs, and their replays once their dungeons are revealed; pages to compare two."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from game.admin.core.access import request_role
from game.admin.core.forms import AdminForm
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import ActForm, ActSubject
from game.admin.runs.replays import replay_rows
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account, Run, name_key
from game.rules import Refusal
from game.selectors.moderation.cases import run_status_shown, shared_dungeons
from game.services.core.errors import not_found
from game.services.moderation.conflicts_of_interest import has_conflict
from game.services.runs.runs import replay_json


def is_replay_public(run: Run) -> bool:
    """Return whether everybody may see how the run was played."""
    return run.status != Run.Status.PLAYING and run.dungeon.revealed_at is not None


def run_line(run: Run) -> dict[str, Any]:
    """Return a run as a row. Moves and score are None until its replay is public,
    because staff may play the same dungeon.
    """
    is_public = is_replay_public(run)
    is_live = run_status_shown(run) != run.status
    return {
        "id": run.id,
        "kind": run.kind,
        "ranked": run.ranked,
        "ruleset": run.ruleset,
        "difficulty": run.difficulty,
        "status": run_status_shown(run),
        "moves": run.index if is_public else None,
        "faced": run.faced if is_public else None,
        "score": run.score if is_public else None,
        "started_at": run.started_at,
        "finished_at": None if is_live else run.finished_at,
        "voided_at": run.voided_at,
        "race": run.race_id,
        "daily": run.daily,
        "is_public": is_public,
    }


def run_lines(runs: Iterable[Run]) -> list[dict[str, Any]]:
    """Return several runs as rows."""
    return [run_line(run) for run in runs]


@admin.register(Run, site=admin_site)
class RunAdmin(ReadOnlyAdmin):
    """Runs of one player, race or daily; the list is empty without a search."""

    path_prefix, list_title = "runs", "Runs"
    page_template = "admin/pages/run.html"
    list_display = (
        "account",
        "kind",
        "ranked_label",
        "ruleset",
        "state",
        "move_count",
        datetime_column("started_at"),
    )
    list_select_related = ("account", "dungeon", "race")
    list_hint = "Search by player, or by the id of a run, race or daily."
    ordering = ("-started_at", "pk")
    search_fields = ("id",)
    search_help_text = "A player's name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Run], search_term: str
    ) -> tuple[QuerySet[Run], bool]:
        """The runs of that player, race or daily, or the one with that id."""
        term = search_term.strip()
        if not term:
            return queryset.none(), False
        account = Account.objects.filter(name_key=name_key(term)).first()
        if account is not None:
            return queryset.filter(account=account), False
        for field in ("id", "race_id", "daily_id", "account_id"):
            matches = queryset.filter(**{field: term})
            if matches.exists():
                return matches, False
        return queryset.none(), False

    @admin.display(description="moves")
    def move_count(self, run: Run) -> int | str:
        """The number of moves, once the replay is public."""
        return run.index if is_replay_public(run) else ""

    @admin.display(description="status")
    def state(self, run: Run) -> str:
        """The status, or "live" while the race goes on."""
        return run_status_shown(run)

    @admin.display(description="ranked")
    def ranked_label(self, run: Run) -> str:
        """Ranked, or why an attempt at a daily is not."""
        return "ranked" if run.ranked else run.unranked.replace("_", " ")

    def get_row(self, request: HttpRequest, object_id: str) -> Run:
        """The run with the rows it belongs to."""
        return get_run(object_id)

    def page_context(self, request: HttpRequest, row: Run) -> dict[str, Any]:
        """The run, and its replay or why there is none yet."""
        return {"title": f"Run of {row.account.name}", **run_context(row)}

    def page_forms(self, request: HttpRequest, row: Run) -> Sequence[AdminForm]:
        """The form that voids the run, for moderators who did not play the dungeon."""
        if request_role(request) < StaffRole.MODERATOR:
            return []
        if has_conflict(str(request.user.pk), ActTarget.RUN, row.id):
            return []
        return [
            ActForm(
                request_role(request),
                frozenset({ActTarget.RUN}),
                ActSubject(target=row.id),
            )
        ]


def get_run(run_id: str) -> Run:
    """Return a run with account, dungeon, daily and race. Raises run.not_found."""
    rows = Run.objects.select_related("account", "dungeon", "daily", "race")
    run = rows.filter(id=run_id).first()
    if run is None:
        raise not_found("run")
    return run


def run_context(run: Run) -> dict[str, Any]:
    """Return the context of a run: {run, line, replay, rows} or {run, line, why}."""
    context: dict[str, Any] = {"run": run, "line": run_line(run)}
    try:
        replay = replay_json(run=run)
    except Refusal as refusal:
        return {**context, "replay": None, "why": refusal.text}
    return {**context, "replay": replay, "rows": replay_rows(replay)}


@admin_site.page("side-by-side/", "side", StaffRole.MODERATOR)
def side_by_side(request: HttpRequest) -> TemplateResponse:
    """Two runs side by side: `?first=RUN&second=RUN`. Raises run.not_found."""
    keys = [request.GET.get("first", ""), request.GET.get("second", "")]
    context = {
        **admin_site.each_context(request),
        "title": "Two runs side by side",
        "keys": keys,
        "sides": [run_context(get_run(key)) for key in keys] if all(keys) else [],
    }
    return TemplateResponse(request, "admin/pages/side.html", context)


@admin_site.page("shared/", "shared", StaffRole.MODERATOR)
def shared_dungeons_page(request: HttpRequest) -> TemplateResponse:
    """Dungeons that two players have both played: `?first=NAME&second=NAME`."""
    names = [request.GET.get("first", ""), request.GET.get("second", "")]
    dungeons: list[dict[str, Any]] = []
    if all(names):
        first, second = (_account_named(name) for name in names)
        dungeons = shared_dungeons(first.id, second.id)
        for dungeon in dungeons:
            if not dungeon["revealed"]:
                for line in (dungeon["first"], dungeon["second"]):
                    line.update(score=None, status="not public yet")
    context = {
        **admin_site.each_context(request),
        "title": "Shared dungeons",
        "names": names,
        "dungeons": dungeons,
    }
    return TemplateResponse(request, "admin/pages/shared.html", context)


def _account_named(name: str) -> Account:
    account = Account.objects.filter(name_key=name_key(name)).first()
    if account is None:
        raise not_found("account")
    return account
