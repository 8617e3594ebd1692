"""Races with concurrent requests on PostgreSQL: nothing is lost or done twice."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Sum
from django.test.utils import CaptureQueriesContext

from game.contest.pairing import BOT_OFFER_AFTER
from game.contest.race import MAX_OPEN_RACES, MAX_OPEN_SEATS
from game.models import (
    Account,
    BoardEntry,
    Entrant,
    MatchDecline,
    MatchTicket,
    Move,
    PointsLine,
    Race,
    RaceEvent,
    RatingChange,
    Run,
)
from game.services.accounts.accounts import guest_create
from game.services.boards.race_points import race_award_points
from game.services.core.errors import ServiceRefusal
from game.services.maintenance.invariants import breaches
from game.services.races.commands import race_join, race_leave, race_ready, race_start
from game.services.races.create import RaceTerms, race_make, race_rematch
from game.services.races.matchmaking import (
    match_offer_accept,
    match_race_bot,
    match_ticket_join,
)
from game.services.races.timeouts import race_advance
from game.services.runs.moves.play import race_move_play
from tests.fixtures.races import (
    backdate,
    create_race,
    member,
    now,
    play_all,
    read_race,
    start_race,
)
from tests.fixtures.runs import NOON
from tests.fixtures.threads import at_once
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 8


def assert_invariants_hold() -> None:
    """Fail if a stored invariant is violated."""
    assert list(breaches(at=now())) == []


def test_eight_entrants_move_concurrently(db: None) -> None:
    people = [guest_create(at=NOON) for _ in range(THREADS)]
    race_id = start_race(people, time_limit_s=600)

    def race(one: Account) -> int:
        index = 0
        while True:
            run = read_race(race_id, one)["run"]
            if not run["legal"]:
                return index
            answer = race_move_play(
                account_id=one.id,
                race_id=race_id,
                index=index,
                code=run["legal"][-1]["move"],
                key=f"{index}",
            )
            assert answer["replayed"] is False
            index += 1

    played = at_once(*[lambda one=one: race(one) for one in people])
    assert all(isinstance(count, int) for count in played)
    assert Move.objects.count() == sum(played)
    assert RaceEvent.objects.filter(kind="moved").count() == sum(played)
    assert read_race(race_id)["phase"] == "settled"
    assert_invariants_hold()


def test_same_move_sent_concurrently_is_stored_once(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    code = read_race(race_id, ada)["run"]["legal"][0]["move"]
    asked = {"account_id": ada.id, "race_id": race_id, "index": 0, "code": code}
    same = at_once(*[lambda: race_move_play(**asked, key="k")] * THREADS)
    assert [one["replayed"] for one in same].count(False) == 1
    assert len({one["seq"] for one in same}) == 1
    assert Move.objects.count() == 1
    other = at_once(
        *[
            lambda n=n: race_move_play(**(asked | {"index": 1, "code": "avoid"}), key=n)
            for n in "abcd"
        ]
    )
    assert sum(not isinstance(one, str) for one in other) <= 1
    assert_invariants_hold()


def test_concurrent_joins_fill_only_the_free_seats(ada: Account) -> None:
    race_id = create_race([ada], seats=4)
    people = [guest_create(at=NOON) for _ in range(THREADS)]
    done = at_once(
        *[
            lambda one=one: race_join(account_id=one.id, race_id=race_id, at=now())
            for one in people
        ]
    )
    assert done.count("race.full") == THREADS - 3
    seats = Entrant.objects.filter(race_id=race_id).values_list("seat", flat=True)
    assert sorted(seats) == [1, 2, 3, 4]
    assert_invariants_hold()


def test_concurrent_joins_of_one_account_take_one_seat(
    ada: Account, bob: Account
) -> None:
    race_id = create_race([ada], seats=8)
    done = at_once(
        *[lambda: race_join(account_id=bob.id, race_id=race_id, at=now())] * THREADS
    )
    assert done.count("race.already_joined") == THREADS - 1
    assert_invariants_hold()


def test_concurrent_starts_begin_one_countdown(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob])
    at_once(
        *[lambda: race_start(account_id=ada.id, race_id=race_id, at=now())] * 4,
        *[lambda: race_ready(account_id=ada.id, race_id=race_id, at=now())] * 2,
        *[lambda: race_ready(account_id=bob.id, race_id=race_id, at=now())] * 2,
    )
    events = RaceEvent.objects.filter(race_id=race_id, kind="countdown_begun")
    assert events.count() == 1
    due_at = Race.objects.get(id=race_id).starts_at
    assert due_at is not None
    done = at_once(*[lambda: race_advance(race_id, at=due_at)] * THREADS)
    assert sum(done) == 1
    assert Run.objects.filter(race_id=race_id).count() == 2
    assert_invariants_hold()


def test_concurrent_leave_and_start_keep_the_invariants(
    ada: Account, bob: Account
) -> None:
    for _ in range(5):
        race_id = create_race([ada, bob])
        at_once(
            lambda: race_start(account_id=ada.id, race_id=race_id, at=now()),  # noqa: B023
            lambda: race_leave(account_id=bob.id, race_id=race_id, at=now()),  # noqa: B023
            lambda: race_leave(account_id=ada.id, race_id=race_id, at=now()),  # noqa: B023
        )
    assert_invariants_hold()


def test_concurrent_rematches_make_one_race(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    done = at_once(
        *[lambda: race_rematch(account_id=ada.id, race_id=race_id, at=now())] * 4,
        *[lambda: race_rematch(account_id=bob.id, race_id=race_id, at=now())] * 4,
    )
    assert len({one["race_id"] for one in done}) == 1
    assert Race.objects.count() == 2
    assert_invariants_hold()


def test_concurrent_advances_settle_once(db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil, time_limit_s=180)
    backdate(race_id, timedelta(seconds=180))
    Run.objects.update(started_at=Race.objects.get(id=race_id).starts_at)
    at = now()
    done = at_once(*[lambda: race_advance(race_id, at=at)] * THREADS)
    assert sum(done) == 3
    assert RatingChange.objects.count() == 2


def play_until_over(race_id: str, one: Account) -> int:
    """Play until the run is over; return how many moves were accepted."""
    for index in range(200):
        run = read_race(race_id, one)["run"]
        if not run["legal"]:
            return int(run["index"])
        code = run["legal"][-1]["move"]
        try:
            race_move_play(account_id=one.id, race_id=race_id, index=index, code=code)
        except ServiceRefusal as refusal:
            if refusal.code in ("run.over", "move.outcome_unknown"):
                return index
            raise
    raise AssertionError("The run never ended.")


def test_moves_at_the_deadline_are_stored_or_refused(db: None) -> None:
    """Every accepted move is stored, and none is stored after the close."""
    people = [guest_create(at=NOON) for _ in range(4)]
    race_id = start_race(people, time_limit_s=180)
    race = Race.objects.get(id=race_id)
    end = now() + timedelta(milliseconds=300)
    assert race.starts_at is not None
    Race.objects.filter(id=race_id).update(deadline_at=end, due_at=end)

    def tick() -> int:
        done = 0
        while Race.objects.get(id=race_id).settled_at is None:
            done += race_advance(race_id, at=now())
        return done

    kept = at_once(
        *[lambda one=one: play_until_over(race_id, one) for one in people],
        *[tick] * 4,
    )
    for one, count in zip(people, kept[:4], strict=True):
        assert Move.objects.filter(run__account=one).count() == count
    last = RaceEvent.objects.filter(race_id=race_id, kind="moved").last()
    assert last is None or last.at <= end
    assert_invariants_hold()


@pytest.mark.parametrize("rated", [True, False])
def test_concurrent_starts_begin_one_race(db: None, rated: bool) -> None:
    dora, emil, fay = member("Dora"), member("Emil"), member("Fay")
    pairs = [(dora, emil), (emil, fay), (fay, dora)]
    races = [create_race(list(pair), rated=rated) for pair in pairs]
    for race_id, (_, other) in zip(races, pairs, strict=True):
        race_ready(account_id=other.id, race_id=race_id, at=now())
    at_once(
        *[
            lambda r=race_id, h=host: race_start(account_id=h.id, race_id=r, at=now())
            for race_id, (host, _) in zip(races, pairs, strict=True)
        ]
    )
    live = Race.objects.filter(starts_at__isnull=False)
    assert live.count() == 1
    assert Entrant.objects.filter(is_live=True).count() == 2


@pytest.mark.parametrize("ready", [True, False])
def test_concurrent_races_of_one_account_stay_within_the_limits(
    ada: Account, ready: bool
) -> None:
    """With a bot each race starts at once, so there is one; else three are open."""
    terms = RaceTerms(house="House Rat", ready=ready)
    done = at_once(
        *[lambda: race_make(account_id=ada.id, terms=terms, at=now())] * THREADS
    )
    most = 1 if ready else MAX_OPEN_RACES
    assert sum(not isinstance(one, str) for one in done) == most
    assert done.count("race.one_live" if ready else "race.too_many_open") == (
        THREADS - most
    )


def test_concurrent_joins_stay_within_the_limit_of_seats(ada: Account) -> None:
    races = [create_race([guest_create(at=NOON)]) for _ in range(THREADS)]
    done = at_once(
        *[
            lambda race_id=race_id: race_join(
                account_id=ada.id, race_id=race_id, at=now()
            )
            for race_id in races
        ]
    )
    assert done.count("race.too_many_seats") == THREADS - MAX_OPEN_SEATS


def test_accepting_a_match_while_another_race_starts(
    ada: Account, bob: Account
) -> None:
    """Ada gets a live seat in one of the two, and the queue agrees."""
    for _ in range(3):
        MatchDecline.objects.all().delete()  # a race that starts declines the offer
        cleo = guest_create(at=NOON)
        race_id, at = create_race([cleo, ada]), now()
        for one in (ada, bob):
            match_ticket_join(
                account_id=one.id, ruleset="tavern-1", form="score", at=at
            )
        match_offer_accept(account_id=bob.id, at=at)
        at_once(
            lambda: match_offer_accept(account_id=ada.id, at=at),  # noqa: B023
            lambda: race_start(account_id=cleo.id, race_id=race_id, at=at),  # noqa: B023
        )
        assert Entrant.objects.filter(account=ada, is_live=True).count() == 1
        Entrant.objects.update(is_live=False)
        MatchTicket.objects.all().delete()
        Race.objects.update(cancelled_at=at)


def test_concurrent_searches_pair_each_player_once(db: None) -> None:
    people = [guest_create(at=NOON) for _ in range(6)]
    at = now()

    def seek(one: Account) -> Any:
        return match_ticket_join(
            account_id=one.id, ruleset="tavern-1", form="score", at=at
        )

    at_once(*[lambda one=one: seek(one) for one in people])
    seek(people[0])
    offers = list(MatchTicket.objects.exclude(offer="").values_list("offer", flat=True))
    assert len(offers) == 6
    assert all(offers.count(offer) == 2 for offer in offers)
    at_once(
        *[
            lambda one=one: match_offer_accept(account_id=one.id, at=at)
            for one in people
        ]
    )
    assert Race.objects.count() == 3
    assert Entrant.objects.values("account").distinct().count() == 6
    assert_invariants_hold()


def test_ticket_gets_one_bot_race(ada: Account) -> None:
    at = now()
    match_ticket_join(account_id=ada.id, ruleset="tavern-1", form="score", at=at)
    later = at + BOT_OFFER_AFTER
    at_once(
        *[lambda: match_race_bot(account_id=ada.id, house="House Rat", at=later)]
        * THREADS
    )
    assert Race.objects.count() == 1


def test_runs_are_locked_before_their_race(ada: Account, bob: Account) -> None:
    """A move locks in this order; the opposite order would deadlock with it."""
    race_id = start_race([ada, bob], time_limit_s=180)
    backdate(race_id, timedelta(seconds=180))
    with CaptureQueriesContext(connection) as queries:
        race_advance(race_id, at=now())
    locks = [
        query["sql"].split(" FROM ")[1].split()[0]
        for query in queries
        if "FOR NO KEY UPDATE" in query["sql"]
    ]
    assert locks[:2] == ['"game_run"', '"game_race"']


def test_concurrent_points_add_up(db: None) -> None:
    """Two races of one player are awarded at the same time as their sums are read."""
    dora = member("Dora")
    races = []
    for name in ("Emil", "Fay", "Gus"):
        people = [dora, member(name)]
        races.append(rated_race(*people))
        play_all(races[-1], people)
    rows = list(Race.objects.filter(id__in=races))
    at_once(*[lambda race=race: race_award_points(race) for race in rows * 2])
    lines = PointsLine.objects.values_list("account").annotate(n=Sum("points"))
    for key in ("week", "season"):
        entries = BoardEntry.objects.filter(board__key=key)
        assert dict(entries.values_list("account", "number")) == dict(lines)
    assert PointsLine.objects.count() == 6
    assert_invariants_hold()
