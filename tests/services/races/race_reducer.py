"""Apply events to the snapshot of a race, as a client does.

The result equals the current snapshot, except `run` (sent in `run.observation`) and
`spectators`, which no event changes.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

NOT_IN_EVENTS = ("run", "spectators")


def apply_events(
    snapshot: dict[str, Any], events: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the race after the events, which follow the snapshot without a gap."""
    race = copy.deepcopy(snapshot)
    for event in events:
        assert event["seq"] == race["seq"] + 1, "a gap in the event numbers"
        race["seq"] = event["seq"]
        race["rev"] = event.get("rev", race["rev"])
        apply = _APPLY_BY_KIND.get(event["kind"])
        if apply is not None:
            apply(race, event)
    return race


def _entrant(race: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in race["entrants"] if one["seat"] == event["seat"])


def _apply_joined(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["entrants"].append(event["entrant"])
    race["entrants"].sort(key=lambda one: one["seat"])
    if len(race["entrants"]) == race["seats"]:
        race["full_since"] = event["at"]
    if race.get("_me") == event["player"]:
        race["you"] = {"seat": event["seat"], "player": event["player"]}


def _apply_left(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["entrants"].remove(_entrant(race, event))
    race["full_since"] = None
    race["host"] = event.get("host", race["host"])
    if race["you"]["seat"] == event["seat"]:
        race["you"] = {"seat": None, "player": None}


def _apply_readied(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(state="ready", unready_since=None)


def _apply_unreadied(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(state="joined", unready_since=event["at"])


def _apply_countdown_begun(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "countdown"
    for name in ("starts_at", "deadline_at", "seal"):
        race[name] = event[name]


def _apply_started(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "running"
    for entrant in race["entrants"]:
        entrant.update(state="racing", unready_since=None)


def _apply_moved(race: dict[str, Any], event: dict[str, Any]) -> None:
    entrant = _entrant(race, event)
    entrant["state"], entrant["depth"] = event["state"], event["depth"]
    entrant["kind"] = event.get("entrant_kind", entrant["kind"])
    entrant["elapsed_ms"] = event.get("elapsed_ms", entrant["elapsed_ms"])
    race["deadline_at"] = event.get("deadline_at", race["deadline_at"])
    if race["you"]["seat"] == event["seat"] and "score" in event:
        entrant["score"] = event["score"]


def _apply_forfeiting(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event)["forfeits_at"] = event["until"]


def _apply_forfeit_taken_back(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event)["forfeits_at"] = None


def _apply_appeared(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(present=True, away_since=None)


def _apply_vanished(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(present=False, away_since=event["at"])


def _apply_closed_early(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["deadline_at"] = event["deadline_at"]


def _apply_cancelled(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "cancelled"


def _apply_closed(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"], race["seed"] = "held" if race["held"] else "closed", event["seed"]
    _apply_results(race, event)


def _apply_settled(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "settled"
    _apply_results(race, event)


def _apply_results(race: dict[str, Any], event: dict[str, Any]) -> None:
    for result in event["results"]:
        entrant = _entrant(race, result)
        entrant |= {key: value for key, value in result.items() if key != "player"}


def _apply_outage(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["deadline_at"], race["rated"] = event["deadline_at"], event["rated"]
    race["unrated_at"] = event.get("unrated_at", race["unrated_at"])


def _apply_rematched(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["rematch"] = event["race"]


def _apply_moderation(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"], race["held"] = event["phase"], event["held"]
    if "results" in event:
        _apply_results(race, event)


_APPLY_BY_KIND: dict[str, Any] = {
    "joined": _apply_joined,
    "left": _apply_left,
    "readied": _apply_readied,
    "unreadied": _apply_unreadied,
    "countdown_begun": _apply_countdown_begun,
    "started": _apply_started,
    "moved": _apply_moved,
    "ended": _apply_moved,
    "forfeiting": _apply_forfeiting,
    "forfeit_taken_back": _apply_forfeit_taken_back,
    "appeared": _apply_appeared,
    "vanished": _apply_vanished,
    "closed_early": _apply_closed_early,
    "cancelled": _apply_cancelled,
    "closed": _apply_closed,
    "settled": _apply_settled,
    "rematched": _apply_rematched,
    "outage": _apply_outage,
    **dict.fromkeys(
        (
            *("held", "released", "voided", "restored"),
            *("disqualified", "requalified", "corrected"),
        ),
        _apply_moderation,
    ),
}
