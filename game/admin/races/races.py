"""Races: entrants, events and chat, as a spectator sees them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import request_role
from game.admin.core.forms import AdminForm
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import ActForm, ActSubject
from game.contest.moderation.acts import ActTarget
from game.models import Account, Act, ChatMessage, Race, name_key
from game.selectors.moderation.cases import races_live_of
from game.selectors.races.loading import LoadedRace, race_load
from game.selectors.races.snapshots import Viewer, race_events, race_show
from game.services.core.errors import not_found
from game.services.moderation.conflicts_of_interest import has_conflict

MAX_LINES = 200


@admin.register(Race, site=admin_site)
class RaceAdmin(ReadOnlyAdmin):
    """Public races that are open or running; others by id or player."""

    path_prefix, list_title = "races", "Races"
    page_template = "admin/pages/race.html"
    list_display = (
        "id",
        "host",
        "ruleset",
        "format",
        "rated_label",
        datetime_column("made_at"),
        "state",
    )
    list_select_related = ("host",)
    list_hint = (
        "Public races that are open or running. Search by player or race id for others."
    )
    ordering = ("-made_at", "-pk")
    search_fields = ("id",)
    search_help_text = "A player's name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Race], search_term: str
    ) -> tuple[QuerySet[Race], bool]:
        """Return the races of that player, or the race with that id."""
        term = search_term.strip()
        if not term:
            live = Q(closed_at=None, cancelled_at=None, visibility="public")
            return queryset.filter(live), False
        account = Account.objects.filter(name_key=name_key(term)).first()
        if account is not None:
            return queryset.filter(entrants__account=account), False
        return queryset.filter(id=term), False

    @admin.display(description="rated")
    def rated_label(self, race: Race) -> str:
        """Return "rated" or an empty text."""
        return "rated" if race.rated else ""

    @admin.display(description="state")
    def state(self, race: Race) -> str:
        """Return the latest state that the race has reached."""
        for column, label in (
            ("voided_at", "voided"),
            ("held_at", "held"),
            ("cancelled_at", "cancelled"),
            ("settled_at", "settled"),
            ("closed_at", "closed"),
            ("started_at", "running"),
        ):
            if getattr(race, column) is not None:
                return label
        return "open"

    def page_context(self, request: HttpRequest, row: Race) -> dict[str, Any]:
        """Return the race as a spectator sees it, and its chat."""
        loaded = _load(row.id)
        race = race_show(loaded, Viewer(None), timezone.now())
        states = {entrant["player"]: entrant for entrant in race["entrants"]}
        acts = Act.objects.filter(target=row.id).select_related("by", "subject")
        return {
            "title": f"Race {row.id}",
            "race": row,
            "phase": race["phase"],
            "seats": [
                _entrant_row(entrant, states, row) for entrant in loaded.entrants
            ],
            "events": _events(row),
            "chat": None if _has_live_seat(request, row) else _chat_lines(row),
            "acts": list(acts.order_by("-made_at")),
        }

    def page_forms(self, request: HttpRequest, row: Race) -> Sequence[AdminForm]:
        """Return the form to hold, void or disqualify, unless the moderator has a seat.

        Chat lines are deleted on the page of their case.
        """
        if has_conflict(str(request.user.pk), ActTarget.RACE, row.id):
            return []
        people = [
            (entrant.account_id, entrant.account.name)
            for entrant in _load(row.id).entrants
        ]
        targets = frozenset({ActTarget.RACE, ActTarget.ENTRANT})
        form = ActForm(
            request_role(request), targets, ActSubject(target=row.id, people=people)
        )
        return [form] if len(form.fields["kind"].choices) > 1 else []  # type: ignore[attr-defined]


def _events(race: Race) -> list[dict[str, Any]]:
    """Return the last events, newest first, with the fields that spectators see."""
    since = max(0, race.seq - MAX_LINES)
    events = race_events(race.id, since, Viewer(None), MAX_LINES)
    return [
        {**event, "seat": event.get("seat"), "at": datetime.fromisoformat(event["at"])}
        for event in reversed(events)
    ]


def _chat_lines(race: Race) -> list[ChatMessage]:
    """Return the last chat lines of entrants and spectators, newest first."""
    lines = ChatMessage.objects.filter(race=race).select_related("account")
    return list(lines.order_by("-number")[:MAX_LINES])


def _has_live_seat(request: HttpRequest, race: Race) -> bool:
    """Whether the moderator is racing now: the spectators' chat could help them."""
    return races_live_of(str(request.user.pk)).filter(id=race.id).exists()


def _load(race_id: str) -> LoadedRace:
    loaded = race_load(race_id)
    if loaded is None:
        raise not_found("race")
    return loaded


def _entrant_row(entrant: Any, states: dict[str, Any], race: Race) -> dict[str, Any]:
    """Return a row of the table of entrants, with its score once the race is closed."""
    state = states.get(entrant.account.name, {})
    is_over = race.closed_at is not None
    return {
        "seat": entrant.seat,
        "account": entrant.account,
        "kind": entrant.kind,
        "left_at": entrant.left_at,
        "state": "left" if entrant.left_at else state.get("state", ""),
        "depth": state.get("depth"),
        "place": entrant.place if is_over else None,
        "score": state.get("score") if is_over else None,
        "elapsed_ms": state.get("elapsed_ms") if is_over else None,
        "run": entrant.run_id,
        "is_disqualified": entrant.is_disqualified,
    }
