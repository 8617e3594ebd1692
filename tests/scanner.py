"""Searches responses for secrets: the seeds and hidden cards in the database.

A response must not contain the seed of a dungeon that is not revealed, unless the
account gave that seed. It must not contain a card that has never been face up: in an
object with a `seal`, face up in that run; elsewhere, in any run of the account or for
the spectators of a race.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from game.models import Dungeon, Race, Run
from game.selectors.runs.runs import run_row, run_state
from game.services.runs.dungeons import dungeon_deck, seed_decrypt

WORD = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][CSDH])[wb]?(?![0-9A-Za-z])")


class Leak(AssertionError):  # noqa: N818
    """A response contains a secret."""


def cards_seen(run: Run) -> frozenset[str]:
    """Return the cards that were face up in a run (all 44 once it is revealed)."""
    deck = dungeon_deck(run.dungeon_id, run.dungeon.seed_sealed)
    if run.dungeon.revealed_at is not None:
        return frozenset(deck)
    state = run_state(run_row(run), deck)
    never = len(state.dungeon) - state.known
    return frozenset(deck[: len(deck) - never])


def scan(
    body: bytes,
    account_id: str | None = None,
    sent: bytes = b"",
    *,
    is_line: bool = False,
) -> None:
    """Raise Leak if a response to that account (None: anonymous) contains a secret.

    `is_line`: it has the best line, which may show the deck of a seed that the player
    of the run gave.

    The response may repeat cards of the request's body, `sent`.
    """
    text = body.decode("utf-8", "replace")
    _scan_seeds(text)
    try:
        found = json.loads(text)
    except ValueError:
        return
    own = _own_cards(account_id) | set(WORD.findall(sent.decode("utf-8", "replace")))
    own |= _public_race_cards()
    for codes, run_id in _codes(found, None):
        if run_id is None:
            hidden = codes - own
        else:
            run = _run(run_id)
            if run is None:
                continue
            if is_line and run.dungeon.seed_given:
                continue
            hidden = codes - cards_seen(run)
        if hidden:
            raise Leak(
                f"undealt cards {sorted(hidden)} of run {run_id} in {text[:300]}"
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


def _public_race_cards() -> frozenset[str]:
    """Return the cards of races that spectators may see.

    In a running race these are the cards that all entrants who still play have seen,
    in a closed race all cards that any entrant has seen.
    """
    public: set[str] = set()
    for race in Race.objects.filter(started_at__isnull=False):
        runs = Run.objects.select_related("account", "dungeon").filter(race=race)
        if race.closed_at is not None:
            public |= {card for run in runs for card in cards_seen(run)}
            continue
        playing = [cards_seen(run) for run in runs if run.status == "playing"]
        public |= frozenset.intersection(*playing) if playing else frozenset()
    return frozenset(public)


def _codes(
    found: Any, run_id: str | None
) -> Iterator[tuple[frozenset[str], str | None]]:
    """Yield every card code with the id of the run whose object contains it."""
    if isinstance(found, dict):
        run_id = _run_id_of(found, run_id)
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


def _run_id_of(found: dict[str, Any], outer: str | None) -> str | None:
    """Return the run of an object with a seal, else that of the enclosing object."""
    if "seal" not in found:
        return outer
    named = found.get("id") if "room" in found else found.get("run", outer)
    return named if isinstance(named, str) else None
