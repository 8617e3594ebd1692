"""Abandoning a rated race has a penalty, unless the server was down."""

from datetime import datetime, timedelta

import pytest

from game.contest.leaver_penalty import FLAG_AT_COUNT
from game.contest.outages import Outage as Period
from game.models import Abandonment, Account, Flag, MatchTicket, Race, Run
from game.selectors.races.leaver_penalty import leaver_penalty_show
from game.services.accounts.accounts import guest_create
from game.services.core.errors import ServiceRefusal
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_ready,
    race_unforfeit,
)
from game.services.races.create import RaceTerms, race_make
from game.services.races.leaver_penalty import (
    abandonment_excuse,
    require_no_leaver_penalty,
)
from game.services.races.matchmaking import match_ticket_join
from game.services.races.timeouts import race_advance
from game.services.runs.outages import outage_record
from tests.fixtures.races import (
    backdate,
    create_race,
    expect_refusal,
    member,
    now,
    play,
    play_out,
    read_race,
    start_race,
)
from tests.fixtures.runs import NOON
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def forfeit(race_id: str, who: Account) -> datetime:
    """Forfeit, effective at once; return the time of the abandonment."""
    at = now() - timedelta(seconds=6)
    race_forfeit(account_id=who.id, race_id=race_id, at=at)
    race_advance(race_id, at=now())
    return Abandonment.objects.filter(account=who).latest("at").at


def until(who: Account, at: datetime | None = None) -> str | None:
    found = leaver_penalty_show(who.id, at or now())
    return found["until"] if found else None


@pytest.fixture
def pair(db: None) -> tuple[Account, Account]:
    return member("Dora"), member("Emil")


def test_forfeit_of_a_rated_race_has_a_penalty(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    at = forfeit(race_id, dora)
    wait = leaver_penalty_show(dora.id, at)
    assert wait is not None
    assert (wait["code"], wait["grade"], wait["grades"]) == ("race.wait", 1, 6)
    assert (wait["retry_after_s"], wait["race"]) == (601, race_id)
    assert "gave up" in wait["reason"]
    with expect_refusal("race.wait"):
        match_ticket_join(
            account_id=dora.id, ruleset="tavern-1", form="score", at=now()
        )
    with expect_refusal("race.wait"):
        race_make(account_id=dora.id, terms=RaceTerms(rated=True), at=now())
    open_race = create_race([member("Fay")], rated=True)
    with expect_refusal("race.wait"):
        race_join(account_id=dora.id, race_id=open_race, at=now())
    assert not MatchTicket.objects.exists()
    # Unrated races stay allowed, and the opponent has no penalty.
    race_make(account_id=dora.id, terms=RaceTerms(), at=now())
    assert until(emil) is None
    # The penalty ends after ten minutes.
    require_no_leaver_penalty(dora.id, at=at + 10 * MINUTE)


def test_ready_is_refused_with_a_penalty(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    other = create_race([dora, member("Fay")], rated=True)
    forfeit(rated_race(dora, emil), dora)
    with expect_refusal("race.wait"):
        race_ready(account_id=dora.id, race_id=other, at=now())


def test_penalty_grade_rises_with_each_abandonment(
    pair: tuple[Account, Account],
) -> None:
    dora, emil = pair
    for grade in (1, 2, 3):
        race_id = rated_race(dora, emil)
        at = forfeit(race_id, dora)
        wait = leaver_penalty_show(dora.id, at)
        assert wait is not None
        assert wait["grade"] == grade
        play_out(race_id, emil)
        # Move the abandonment back, so that the penalty has ended.
        Abandonment.objects.update(at=at - timedelta(hours=3 - grade, minutes=45))
        Abandonment.objects.filter(race=race_id).update(
            at=at - timedelta(hours=2, minutes=5)
        )


def test_other_endings_are_no_abandonment(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    # A forfeit that is withdrawn in time.
    race_id = rated_race(dora, emil)
    race_forfeit(account_id=dora.id, race_id=race_id, at=now())
    race_unforfeit(account_id=dora.id, race_id=race_id, at=now())
    race_advance(race_id, at=now())
    play_out(race_id, dora)
    # A forfeit when the opponent has finished.
    play_out(race_id, emil)
    race_id = rated_race(dora, emil)
    play_out(race_id, emil)
    at = now()
    race_forfeit(account_id=dora.id, race_id=race_id, at=at)
    race_advance(race_id, at=at + timedelta(seconds=6))
    assert read_race(race_id, dora)["phase"] == "settled"
    # A forfeit of an unrated race.
    unrated = start_race([dora, emil])
    race_forfeit(account_id=dora.id, race_id=unrated, at=now() - timedelta(seconds=6))
    race_advance(unrated, at=now())
    assert not Abandonment.objects.exists()


def test_no_show_is_an_abandonment(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    backdate(race_id, 11 * MINUTE)
    race_advance(race_id, at=now())
    # Neither entrant made a move.
    assert set(Abandonment.objects.values_list("how", flat=True)) == {"no_show"}
    assert until(dora)
    assert until(emil)


@pytest.mark.parametrize(("idle", "left"), [(1 * MINUTE, False), (3 * MINUTE, True)])
def test_timeout_is_an_abandonment_after_two_idle_minutes(
    pair: tuple[Account, Account], idle: timedelta, left: bool
) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    play(race_id, dora, "avoid")
    play_out(race_id, emil)
    due = now() + idle
    Race.objects.filter(id=race_id).update(deadline_at=due, due_at=due)
    race_advance(race_id, at=due)
    found = list(Abandonment.objects.values_list("account_id", "how"))
    assert found == ([(dora.id, "timed_out")] if left else [])


def test_outage_during_the_race_lifts_the_penalty(
    pair: tuple[Account, Account],
) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    at = forfeit(race_id, dora)
    outage_record(Period(at - 9 * MINUTE, at - 5 * MINUTE))  # before it began
    outage_record(Period(at + 1 * MINUTE, at + 2 * MINUTE))  # after the abandonment
    assert until(dora)
    outage_record(Period(at - 8 * MINUTE, at))
    assert until(dora) is None
    require_no_leaver_penalty(dora.id, at=now())


def test_excused_abandonment_has_no_penalty(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    forfeit(race_id, dora)
    assert abandonment_excuse(account_id=dora.id, race_id=race_id, at=now())
    assert not abandonment_excuse(account_id=dora.id, race_id=race_id, at=now())
    assert until(dora) is None


def test_repeated_abandonments_are_flagged(pair: tuple[Account, Account]) -> None:
    dora, emil = pair
    last = rated_race(dora, emil)
    earlier = [create_race([guest_create(at=NOON)]) for _ in range(FLAG_AT_COUNT - 1)]
    for back, race_id in enumerate(earlier, 1):
        assert not Flag.objects.exists()
        at = now() - timedelta(hours=3 * back)
        Abandonment.objects.create(
            account=dora, race_id=race_id, how="forfeited", at=at
        )
    forfeit(last, dora)
    flag = Flag.objects.get()
    assert (flag.subject_id, flag.kind) == (dora.id, "mass_forfeits")
    assert flag.evidence["races"] == [last, *earlier]


@pytest.mark.parametrize(
    ("remaining", "words"),
    [
        (timedelta(seconds=59), "1 minute"),
        (timedelta(seconds=60), "2 minutes"),
        (timedelta(minutes=98), "99 minutes"),
        (timedelta(minutes=100), "2 hours"),
        (timedelta(hours=46), "47 hours"),
        (timedelta(hours=48), "3 days"),
    ],
)
def test_refusal_says_how_long_the_penalty_lasts(
    pair: tuple[Account, Account], remaining: timedelta, words: str
) -> None:
    dora, _ = pair
    at = now()
    for _ in range(6):
        race_id = create_race([guest_create(at=NOON)])
        Abandonment.objects.create(
            account=dora, race_id=race_id, how="forfeited", at=at
        )
    with pytest.raises(ServiceRefusal) as found:
        require_no_leaver_penalty(dora.id, at=at + timedelta(days=3) - remaining)
    assert str(found.value).endswith(f"again in {words}.")


def test_forfeit_counts_if_the_others_finished_after_it(
    pair: tuple[Account, Account],
) -> None:
    dora, emil = pair
    race_id = rated_race(dora, emil)
    at = now()
    race_forfeit(account_id=dora.id, race_id=race_id, at=at - timedelta(seconds=6))
    Run.objects.filter(race=race_id, account=emil).update(
        status="died", score=-5, finished_at=at
    )
    race_advance(race_id, at=at)
    assert Abandonment.objects.filter(account=dora, race=race_id).exists()
