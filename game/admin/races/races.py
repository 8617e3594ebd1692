"""Races: who raced, how it stands, what was said; as a spectator may know it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import role_in
from game.admin.core.forms import DeskForm
from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.admin.moderation.act_forms import ActForm, Upon
from game.contest.moderation.acts import ActTarget
from game.models import Account, Act, ChatMessage, Race, name_key
from game.selectors.moderation.cases import races_sat_in
from game.selectors.races.snapshots import Viewer, race_events, race_show
from game.selectors.races.tables import RaceTable, race_table
from game.services.core.errors import not_found
from game.services.moderation.conflicts_of_interest import has_conflict

MOST_LINES = 200


@admin.register(Race, site=desk)
class RaceAdmin(DeskAdmin):
    """Public races that are open or running; any other by its id or a name."""

    address, list_title = "races", "Races"
    page_template = "admin/desk/race.html"
    list_display = (
        "id",
        "host",
        "ruleset",
        "format",
        "counts",
        moment_of("made_at"),
        "state",
    )
    list_select_related = ("host",)
    list_words = "Public races now. Name a player, or a race's id, for others."
    ordering = ("-made_at", "-pk")
    search_fields = ("id",)
    search_help_text = "A player's name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Race], search_term: str
    ) -> tuple[QuerySet[Race], bool]:
        """By what an index finds."""
        term = search_term.strip()
        if not term:
            live = Q(closed_at=None, cancelled_at=None, visibility="public")
            return queryset.filter(live), False
        account = Account.objects.filter(name_key=name_key(term)).first()
        if account is not None:
            return queryset.filter(entrants__account=account), False
        return queryset.filter(id=term), False

    @admin.display(description="rated")
    def counts(self, race: Race) -> str:
        """Whether it is rated."""
        return "rated" if race.rated else ""

    @admin.display(description="state")
    def state(self, race: Race) -> str:
        """How far it has come."""
        for column, words in (
            ("voided_at", "voided"),
            ("held_at", "held"),
            ("cancelled_at", "cancelled"),
            ("settled_at", "settled"),
            ("closed_at", "closed"),
            ("started_at", "running"),
        ):
            if getattr(race, column) is not None:
                return words
        return "open"

    def show(self, request: HttpRequest, row: Race) -> dict[str, Any]:
        """The race as somebody who only looks on sees it, and its chat."""
        table = _table(row.id)
        seen = race_show(table, Viewer(None), timezone.now())
        states = {one["player"]: one for one in seen["entrants"]}
        acts = Act.objects.filter(target=row.id).select_related("by", "subject")
        return {
            "title": f"Race {row.id}",
            "race": row,
            "phase": seen["phase"],
            "seats": [_seat(one, states, row) for one in table.entrants],
            "events": _events(row),
            "chat": None if _plays(request, row) else _said(row),
            "acts": list(acts.order_by("-made_at")),
        }

    def forms_of(self, request: HttpRequest, row: Race) -> Sequence[DeskForm]:
        """Hold, void, disqualify, unless he races there; a chat line is deleted from
        its case.
        """
        if has_conflict(str(request.user.pk), ActTarget.RACE, row.id):
            return []
        people = [(one.account_id, one.account.name) for one in _table(row.id).entrants]
        targets = frozenset({ActTarget.RACE, ActTarget.ENTRANT})
        form = ActForm(role_in(request), targets, Upon(target=row.id, people=people))
        return [form] if len(form.fields["kind"].choices) > 1 else []  # type: ignore[attr-defined]


def _events(race: Race) -> list[dict[str, Any]]:
    """The last of its events, {seq, kind, at, seat}, cut as for an onlooker."""
    since = max(0, race.seq - MOST_LINES)
    found = race_events(race.id, since, Viewer(None), MOST_LINES)
    return [
        {**one, "seat": one.get("seat"), "at": datetime.fromisoformat(one["at"])}
        for one in reversed(found)
    ]


def _said(race: Race) -> list[ChatMessage]:
    """The last of what was said, by racers and by who looks on."""
    said = ChatMessage.objects.filter(race=race).select_related("account")
    return list(said.order_by("-number")[:MOST_LINES])


def _plays(request: HttpRequest, race: Race) -> bool:
    """Whether who reads races there now: onlookers talk of what he must not know."""
    return races_sat_in(str(request.user.pk)).filter(id=race.id).exists()


def _table(race_id: str) -> RaceTable:
    table = race_table(race_id)
    if table is None:
        raise not_found("race")
    return table


def _seat(one: Any, states: dict[str, Any], race: Race) -> dict[str, Any]:
    """A seat; scores and places once nobody plays any more."""
    seen = states.get(one.account.name, {})
    is_over = race.closed_at is not None
    return {
        "seat": one.seat,
        "account": one.account,
        "kind": one.kind,
        "left_at": one.left_at,
        "state": "left" if one.left_at else seen.get("state", ""),
        "depth": seen.get("depth"),
        "place": one.place if is_over else None,
        "score": seen.get("score") if is_over else None,
        "elapsed_ms": seen.get("elapsed_ms") if is_over else None,
        "run": one.run_id,
        "is_disqualified": one.is_disqualified,
    }
