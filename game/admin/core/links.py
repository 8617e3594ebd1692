"""Where on the desk the things that reports, flags and acts name are to be read."""

from typing import Any

from django.urls import reverse


def page_of(model: str, key: Any) -> str:
    """The page of a row."""
    return reverse(f"admin:game_{model}_change", args=[key])


def target_link(place: str, target: str) -> str | None:
    """Where a report's target is read: a race, a chat line's race, a run."""
    if not target:
        return None
    if place == "run":
        return page_of("run", target)
    if place in ("race", "chat"):
        return page_of("race", target.partition(":")[0])
    return None


# What an act of each kind was done to, if not to an account or a case.
_OF_KIND = {
    **dict.fromkeys(("hold_race", "void_race", "disqualify", "delete_text"), "race"),
    "void_run": "run",
    "void_daily": "daily",
}


def act_target_link(kind: str, target: str) -> str | None:
    """Where what an act was done to is read."""
    model = _OF_KIND.get(kind)
    return page_of(model, target.partition(":")[0]) if model and target else None
