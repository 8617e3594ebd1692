"""Accounts and running races to measure with. Import it after Django is set up.

The moves of a run are computed beforehand from the deck, so that a client only sends
them and counts.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.test import Client

from game.analysis.players import PLAYERS, SeededRandom, view_of
from game.models import Entrant, Race
from game.rules import RULESETS, apply, start
from game.services.accounts.accounts import guest_create
from game.services.races.commands import race_join, race_start
from game.services.races.create import RaceTerms, race_make
from game.services.races.timeouts import race_advance
from game.services.runs.dungeons import dungeon_deck


class PlannedRun(NamedTuple):
    """An entrant of a race: session cookie, race, and the moves to play."""

    cookie: str
    race_id: str
    moves: list[str]


def make_people(count: int) -> list[tuple[str, str]]:
    """Make `count` guests: (account id, session cookie) of each."""
    people = []
    for _ in range(count):
        account = guest_create(at=datetime.now(UTC))
        client = Client()
        client.force_login(account, "django.contrib.auth.backends.ModelBackend")
        name = settings.SESSION_COOKIE_NAME
        people.append((account.id, f"{name}={client.cookies[name].value}"))
    return people


def start_races(
    count: int, people: list[tuple[str, str]], *, seats: int = 2
) -> list[PlannedRun]:
    """Start `count` races of `seats` people each; returns the runs of all entrants."""
    runs = []
    for number in range(count):
        first = number * seats
        entrants = [people[(first + seat) % len(people)] for seat in range(seats)]
        race_id = _start_race([account_id for account_id, _ in entrants], seats)
        moves = _plan_moves(race_id)
        runs += [PlannedRun(cookie, race_id, moves) for _, cookie in entrants]
    return runs


def wait_until_present(race_ids: list[str]) -> None:
    """Wait until every entrant of these races is recorded as present."""
    absent = Entrant.objects.filter(race_id__in=race_ids, is_present=False)
    deadline = time.monotonic() + 60
    while absent.exists() and time.monotonic() < deadline:
        time.sleep(0.2)


def _start_race(accounts: list[str], seats: int) -> str:
    at = datetime.now(UTC)
    asked = RaceTerms(seats=seats, time_limit_s=3600)
    race_id = str(race_make(account_id=accounts[0], terms=asked, at=at)["race_id"])
    for account_id in accounts[1:]:
        race_join(account_id=account_id, race_id=race_id, at=at)
    race_start(account_id=accounts[0], race_id=race_id, at=at)
    Race.objects.filter(id=race_id).update(starts_at=at, due_at=at)
    race_advance(race_id, at=at + timedelta(milliseconds=1))
    # The same people play several of these races, one after the other.
    Entrant.objects.filter(race_id=race_id).update(is_live=False)
    return race_id


def _plan_moves(race_id: str) -> list[str]:
    """The moves of the greedy bot player on the race's dungeon."""
    race = Race.objects.select_related("dungeon").get(id=race_id)
    assert race.dungeon is not None
    deck = dungeon_deck(race.dungeon.id, race.dungeon.seed_sealed)
    state = start(RULESETS[race.ruleset], deck, race.difficulty)
    moves: list[str] = []
    while state.status == "playing":
        for move in PLAYERS["greedy-1"].plan(view_of(state), SeededRandom("bench")):
            moves.append(str(move))
            state, _ = apply(state, move)
    return moves
