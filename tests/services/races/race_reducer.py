"""A client's state of a race: a snapshot with the events after it applied.

The result equals the current snapshot, except `run` (sent in `run.observation`) and
`spectators`, which no event changes.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

NOT_IN_EVENTS = ("run", "spectators")


def reduced(
    snapshot: dict[str, Any], events: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The race after the events, which must follow it without a gap."""
    race = copy.deepcopy(snapshot)
    for event in events:
        assert event["seq"] == race["seq"] + 1, "a gap in the event numbers"
        race["seq"] = event["seq"]
        race["rev"] = event.get("rev", race["rev"])
        apply = _APPLY.get(event["kind"])
        if apply is not None:
            apply(race, event)
    return race


def _entrant(race: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    return next(one for one in race["entrants"] if one["seat"] == event["seat"])


def _joined(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["entrants"].append(event["entrant"])
    race["entrants"].sort(key=lambda one: one["seat"])
    if len(race["entrants"]) == race["seats"]:
        race["full_since"] = event["at"]
    if race.get("_me") == event["player"]:
        race["you"] = {"seat": event["seat"], "player": event["player"]}


def _left(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["entrants"].remove(_entrant(race, event))
    race["full_since"] = None
    race["host"] = event.get("host", race["host"])
    if race["you"]["seat"] == event["seat"]:
        race["you"] = {"seat": None, "player": None}


def _readied(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(state="ready", unready_since=None)


def _unreadied(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(state="joined", unready_since=event["at"])


def _begun(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "countdown"
    for name in ("starts_at", "deadline_at", "seal"):
        race[name] = event[name]


def _started(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "running"
    for one in race["entrants"]:
        one.update(state="racing", unready_since=None)


def _moved(race: dict[str, Any], event: dict[str, Any]) -> None:
    one = _entrant(race, event)
    one["state"], one["depth"] = event["state"], event["depth"]
    one["kind"] = event.get("entrant_kind", one["kind"])
    one["elapsed_ms"] = event.get("elapsed_ms", one["elapsed_ms"])
    race["deadline_at"] = event.get("deadline_at", race["deadline_at"])
    if race["you"]["seat"] == event["seat"] and "score" in event:
        one["score"] = event["score"]


def _forfeiting(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event)["forfeits_at"] = event["until"]


def _taken_back(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event)["forfeits_at"] = None


def _appeared(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(present=True, away_since=None)


def _vanished(race: dict[str, Any], event: dict[str, Any]) -> None:
    _entrant(race, event).update(present=False, away_since=event["at"])


def _closed_early(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["deadline_at"] = event["deadline_at"]


def _cancelled(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "cancelled"


def _closed(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"], race["seed"] = "held" if race["held"] else "closed", event["seed"]
    _results(race, event)


def _settled(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"] = "settled"
    _results(race, event)


def _results(race: dict[str, Any], event: dict[str, Any]) -> None:
    for result in event["results"]:
        one = _entrant(race, result)
        one |= {key: value for key, value in result.items() if key != "player"}


def _outage(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["deadline_at"], race["rated"] = event["deadline_at"], event["rated"]
    race["unrated_at"] = event.get("unrated_at", race["unrated_at"])


def _rematched(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["rematch"] = event["race"]


def _judged(race: dict[str, Any], event: dict[str, Any]) -> None:
    race["phase"], race["held"] = event["phase"], event["held"]
    if "results" in event:
        _results(race, event)


_APPLY: dict[str, Any] = {
    "joined": _joined,
    "left": _left,
    "readied": _readied,
    "unreadied": _unreadied,
    "countdown_begun": _begun,
    "started": _started,
    "moved": _moved,
    "ended": _moved,
    "forfeiting": _forfeiting,
    "forfeit_taken_back": _taken_back,
    "appeared": _appeared,
    "vanished": _vanished,
    "closed_early": _closed_early,
    "cancelled": _cancelled,
    "closed": _closed,
    "settled": _settled,
    "rematched": _rematched,
    "outage": _outage,
    **dict.fromkeys(
        (
            *("held", "released", "voided", "restored"),
            *("disqualified", "requalified", "corrected"),
        ),
        _judged,
    ),
}
