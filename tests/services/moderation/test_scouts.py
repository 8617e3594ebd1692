"""Scouted wins are marked, and their winners screened."""

from datetime import timedelta

from game.contest.moderation.scouts import MIN_SCOUTED_WINS
from game.models import Account, Entrant, Flag, Leaderboard, Race, RaceEvent
from game.services.moderation.scouts import scouted_wins_mark
from game.services.moderation.screenings import accounts_to_screen
from tests.fixtures.races import member, now, play_all
from tests.services.boards.test_ratings import rated_race

HOUR = timedelta(hours=1)


def race(scout: Account, player: Account, winner: Account) -> str:
    """A settled race in which the scout was shown all cards before the player moved.

    The cards of a race are random, so its moves are replaced.
    """
    race_id = rated_race(scout, player)
    play_all(race_id, [scout, player])
    seats = {}
    for entrant in Entrant.objects.filter(race=race_id):
        seats[entrant.account_id] = entrant.seat
        entrant.place = 1 if entrant.account_id == winner.id else 2
        entrant.save()
    RaceEvent.objects.filter(race=race_id, kind="moved").delete()
    shown = [(seats[scout.id], 44), *((seats[player.id], n) for n in range(4, 24))]
    RaceEvent.objects.bulk_create(
        RaceEvent(
            race_id=race_id,
            seq=1000 + n,
            kind="moved",
            at=now(),
            seat=seat,
            needs=count,
        )
        for n, (seat, count) in enumerate(shown)
    )
    return race_id


def mark() -> int:
    return scouted_wins_mark(since=now() - HOUR, at=now() + HOUR)


def test_win_behind_a_scout_is_marked_once(db: None) -> None:
    dora, scout = member("Dora"), member("Scout")
    race(scout, dora, dora)
    race(dora, scout, dora)  # the winner was ahead
    assert mark() == 1
    assert mark() == 0
    marked = Entrant.objects.get(is_scouted=True)
    assert marked.account_id == dora.id
    assert not Flag.objects.exists()


def test_winner_of_several_scouted_races_is_screened(db: None) -> None:
    dora, scout = member("Dora"), member("Scout")
    Leaderboard.objects.all().delete()
    for n in range(MIN_SCOUTED_WINS):
        assert dora.id not in accounts_to_screen(at=now())
        race(scout, dora, dora)
        assert mark() == 1, n
    Leaderboard.objects.all().delete()
    assert accounts_to_screen(at=now()) == {dora.id}
    later = now() + timedelta(days=31)
    assert dora.id not in accounts_to_screen(at=later)
    Race.objects.update(voided_at=now())
    assert dora.id not in accounts_to_screen(at=now())


def test_wins_of_programs_and_unrated_races_are_not_marked(db: None) -> None:
    dora, scout = member("Dora"), member("Scout")
    race_id = race(scout, dora, dora)
    Race.objects.filter(id=race_id).update(rated=False)
    assert mark() == 0
    Race.objects.filter(id=race_id).update(rated=True)
    run = Entrant.objects.get(race=race_id, account=dora).run
    assert run is not None
    run.by_program = True
    run.save()
    assert mark() == 0
