"""Addresses of the pages of what reports, flags and acts refer to."""

from typing import Any

from django.urls import reverse


def row_url(model: str, key: Any) -> str:
    """Return the address of a row's page."""
    return reverse(f"admin:game_{model}_change", args=[key])


def report_target_url(place: str, target: str) -> str | None:
    """Return the page of a report's target: a run, a race, or a chat line's race."""
    if not target:
        return None
    if place == "run":
        return row_url("run", target)
    if place in ("race", "chat"):
        return row_url("race", target.partition(":")[0])
    return None


# The model of each act's target; acts on accounts and cases have no target.
_TARGET_MODELS = {
    **dict.fromkeys(("hold_race", "void_race", "disqualify", "delete_text"), "race"),
    "void_run": "run",
    **dict.fromkeys(("void_daily", "bridge_day"), "daily"),
}


def act_target_url(kind: str, target: str) -> str | None:
    """Return the page of an act's target, or None."""
    model = _TARGET_MODELS.get(kind)
    return row_url(model, target.partition(":")[0]) if model and target else None
