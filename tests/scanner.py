"""Scans answers, knowing every seed, for what their reader must not know.

Two laws. No answer holds the seed of a dungeon that is not revealed (unless the reader
gave it). No answer holds a card of a run's pile that has never been face up for that
run's player; in an object with a `seal`, that run is meant, elsewhere all the reader's,
and what every spectator of a race may know.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from game.models import Dungeon, Race, Run
from game.selectors.runs.runs import run_row, run_state
from game.services.runs.dungeons import dungeon_deck, seed_decrypt

WORD = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][CSDH])[wb]?(?![0-9A-Za-z])")


class Leak(AssertionError):  # noqa: N818 - what it is
    """An answer contains what its reader must not know."""


def cards_seen(run: Run) -> frozenset[str]:
    """Return the cards that were face up in a run (all 44 once it is revealed)."""
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    if run.dungeon.revealed_at is not None:
        return frozenset(deck)
    state = run_state(run_row(run), deck)
    never = len(state.dungeon) - state.known
    return frozenset(deck[: len(deck) - never])


def scan(body: bytes, account_id: str | None = None, sent: bytes = b"") -> None:
    """Raise Leak if an answer to that account (None: to nobody) tells too much.

    What the reader `sent` himself tells him nothing, so a refusal may repeat it.
    """
    text = body.decode("utf-8", "replace")
    _scan_seeds(text)
    try:
        found = json.loads(text)
    except ValueError:
        return
    own = _own_cards(account_id) | set(WORD.findall(sent.decode("utf-8", "replace")))
    own |= _told_cards()
    for codes, run_id in _codes(found, None):
        if run_id is None:
            beyond = codes - own
        else:
            run = _run(run_id)
            if run is None:
                continue
            beyond = codes - cards_seen(run)
        if beyond:
            raise Leak(
                f"undealt cards {sorted(beyond)} of run {run_id} in {text[:300]}"
            )


def _scan_seeds(text: str) -> None:
    hidden = Dungeon.objects.filter(revealed_at=None, seed_given=False)
    for dungeon_id, sealed in hidden.values_list("id", "seed_sealed"):
        if seed_decrypt(dungeon_id, sealed) in text:
            raise Leak(f"the seed of dungeon {dungeon_id} in {text[:300]}")
        if sealed in text:
            raise Leak(f"the sealed seed of dungeon {dungeon_id} in {text[:300]}")


def _run(run_id: str) -> Run | None:
    found = Run.objects.select_related("account", "dungeon").filter(id=run_id)
    return found.first()


def _own_cards(account_id: str | None) -> frozenset[str]:
    own = Run.objects.select_related("account", "dungeon").filter(account=account_id)
    return frozenset(card for run in own for card in cards_seen(run))


def _told_cards() -> frozenset[str]:
    """What any spectator of a race may know: as far as its slowest has come who still
    plays, and all of it once it has closed.
    """
    told: set[str] = set()
    for race in Race.objects.filter(started_at__isnull=False):
        runs = Run.objects.select_related("account", "dungeon").filter(race=race)
        if race.closed_at is not None:
            told |= {card for run in runs for card in cards_seen(run)}
            continue
        playing = [cards_seen(run) for run in runs if run.status == "playing"]
        told |= frozenset.intersection(*playing) if playing else frozenset()
    return frozenset(told)


def _codes(
    found: Any, run_id: str | None
) -> Iterator[tuple[frozenset[str], str | None]]:
    """Yield every card code with the id of the run whose object contains it."""
    if isinstance(found, dict):
        run_id = _run_named(found, run_id)
        for key, inner in found.items():
            # A sentence such as "That is not a move: JSx" repeats what the client sent.
            if key not in ("detail", "title"):
                yield from _codes(inner, run_id)
    elif isinstance(found, list):
        for inner in found:
            yield from _codes(inner, run_id)
    elif isinstance(found, str):
        codes = frozenset(WORD.findall(found))
        if codes:
            yield codes, run_id


def _run_named(found: dict[str, Any], outer: str | None) -> str | None:
    """The run that an object with a seal is about; else that of the object around."""
    if "seal" not in found:
        return outer
    named = found.get("id") if "room" in found else found.get("run", outer)
    return named if isinstance(named, str) else None
