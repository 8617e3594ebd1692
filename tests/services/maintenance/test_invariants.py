"""Invariants hold after play, and each breach is found."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from game.models import (
    Account,
    Dungeon,
    Entrant,
    MatchTicket,
    Move,
    Race,
    RaceEvent,
    Rating,
    RatingChange,
    Run,
)
from game.rules import seal_of
from game.services.maintenance.invariants import breaches
from game.services.races.commands import race_forfeit
from game.services.races.timeouts import race_advance
from game.services.runs.dungeons import seed_decrypt
from tests.fixtures.races import member, now, play, play_all, start_race
from tests.fixtures.runs import signed_in
from tests.services.boards.test_ratings import rated_race

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def broken_invariants() -> set[str]:
    return {breach.invariant for breach in breaches(at=now())}


@pytest.fixture
def played(ada: Account, bob: Account, run: Run) -> str:
    """A race that is running, one settled with ratings, and a practice run."""
    dora, emil = member("Dora"), member("Emil")
    settled = rated_race(dora, emil)
    play_all(settled, [dora, emil])
    running = start_race([ada, bob])
    play(running, ada, "avoid")
    play(running, ada)
    race_forfeit(account_id=bob.id, race_id=running, at=now() - timedelta(seconds=9))
    race_advance(running, at=now())
    return running


def test_invariants_hold_after_play(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(breaches(at=now())) == []
    call_command("verify_invariants")
    assert "All invariants hold." in capsys.readouterr().out


def _moves(**change) -> Callable[[], object]:
    return lambda: Move.objects.filter(run__kind="race").update(**change)


BREAKS: dict[str, tuple[str, Callable[[], object]]] = {
    "a score of another": (
        "I1",
        lambda: Run.objects.exclude(score=None).update(score=F("score") + 1),
    ),
    "a health of another": ("I1", lambda: Run.objects.update(health=F("health") - 1)),
    "a snapshot of another": (
        "I1",
        lambda: Run.objects.filter(index__gt=0).update(
            snapshot=Run.objects.filter(index=0).values("snapshot")[:1]
        ),
    ),
    "a move of another": ("I1", _moves(code="avoid")),
    "a move lost": ("I2", lambda: Move.objects.filter(index=0).first().delete()),  # type: ignore[union-attr]
    "times run backwards": (
        "I4",
        lambda: Move.objects.filter(index=1).update(at=F("at") - timedelta(hours=1)),
    ),
    "a move past the end": (
        "I4",
        lambda: Run.objects.exclude(finished_at=None).update(
            finished_at=F("started_at")
        ),
    ),
    "an entrant without a run": (
        "I5",
        lambda: Entrant.objects.filter(run__kind="race").update(run=None),
    ),
    "an event lost": ("I6", lambda: RaceEvent.objects.filter(seq=3).delete()),
    "an event too many": ("I6", lambda: Race.objects.update(seq=F("seq") + 1)),
    "an event of another seat": (
        "I6",
        lambda: RaceEvent.objects.filter(kind="moved").update(seat=2),
    ),
    "a rating raised": ("I7", lambda: Rating.objects.update(rating=F("rating") + 1)),
    "a line of the ledger lost": (
        "I7",
        lambda: RatingChange.objects.filter(account__name="Dora").delete(),
    ),
    "a place bought": (
        "I9",
        lambda: Entrant.objects.exclude(place=None).update(place=F("place") + 1),
    ),
    "another seal": (
        "I10",
        lambda: Dungeon.objects.update(seal=seal_of("something else")),
    ),
    "an event that says too little of what it needs": (
        "I11",
        lambda: RaceEvent.objects.filter(kind="moved").update(needs=1),
    ),
    "a race overdue": (
        "I13",
        lambda: Race.objects.update(due_at=now() - timedelta(hours=1)),
    ),
    "a turn overdue": (
        "I13",
        lambda: Entrant.objects.update(turn_at=now() - timedelta(hours=1)),
    ),
}


@pytest.mark.parametrize("what", BREAKS)
def test_each_breach_is_found(played: str, what: str) -> None:
    invariant, break_it = BREAKS[what]
    break_it()
    assert invariant in broken_invariants()


def test_seed_in_an_event_of_an_open_race_is_a_breach(played: str) -> None:
    race = Race.objects.select_related("dungeon").get(id=played)
    assert race.dungeon is not None
    seed = seed_decrypt(race.dungeon.id, race.dungeon.seed_sealed)
    RaceEvent.objects.filter(race=race, seq=1).update(body=f'{{"seed":"{seed}"}}')
    assert broken_invariants() == {"I11"}


def test_session_of_a_closed_account_is_a_breach(played: str, ada: Account) -> None:
    signed_in(ada)
    Account.objects.filter(id=ada.id).update(is_active=False)
    assert broken_invariants() == {"I14"}


def test_expired_match_offer_is_a_breach(played: str, ada: Account) -> None:
    at = now() - timedelta(hours=1)
    MatchTicket.objects.create(
        account=ada,
        ruleset="tavern-1",
        format="score",
        pool="live",
        rating=1500,
        made_at=at,
        seen_at=at,
        offer="x",
        accept_by=at,
    )
    assert broken_invariants() == {"I13"}
    with pytest.raises(CommandError):
        call_command("verify_invariants")
