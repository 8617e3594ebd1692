"""Commands on races, and each of their refusals."""

from datetime import timedelta

import pytest

from game.contest.race import COUNTDOWN, OPEN_FOR
from game.models import Account, Dungeon, Race, RaceEvent, Run
from game.services.core.errors import Kind
from game.services.races.commands import (
    race_forfeit,
    race_join,
    race_leave,
    race_ready,
    race_start,
    race_unforfeit,
    race_unready,
)
from game.services.races.create import race_rematch
from game.services.races.timeouts import race_advance, races_advance
from tests.fixtures.races import (
    backdate,
    create_race,
    entrant,
    expect_refusal,
    now,
    play,
    play_all,
    play_out,
    read_race,
    start_race,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def kinds(race_id: str) -> list[str]:
    events = RaceEvent.objects.filter(race_id=race_id).order_by("seq")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    return [event.kind for event in events]


def test_new_race_has_its_host_as_entrant(ada: Account) -> None:
    race_id = create_race([ada], format="speed", seats=4)
    seen = read_race(race_id, ada)
    assert (seen["phase"], seen["host"], seen["format"]) == ("open", ada.name, "speed")
    assert [one["state"] for one in seen["entrants"]] == ["joined"]
    assert (seen["seal"], seen["seed"], seen["run"]) == (None, None, None)
    assert kinds(race_id) == ["made", "joined"]


def test_countdown_begins_when_all_are_ready(ada: Account, bob: Account) -> None:
    race_id, at = create_race([ada, bob]), now()
    race_ready(account_id=ada.id, race_id=race_id, at=at)
    assert read_race(race_id, ada)["phase"] == "open"
    race_ready(account_id=bob.id, race_id=race_id, at=at)
    race = Race.objects.get(id=race_id)
    assert race.starts_at is not None
    assert race.starts_at - COUNTDOWN == at.replace(
        microsecond=at.microsecond // 1000 * 1000
    )
    assert read_race(race_id, ada)["phase"] == "countdown"


def test_seal_is_public_in_the_countdown_and_runs_begin_at_the_start(
    ada: Account, bob: Account
) -> None:
    race_id, at = create_race([ada, bob]), now()
    race_start(account_id=ada.id, race_id=race_id, at=at)
    race = Race.objects.get(id=race_id)
    assert race.dungeon is not None
    assert read_race(race_id, bob)["seal"] == race.dungeon.seal
    assert race.starts_at is not None
    assert race_advance(race_id, at=race.starts_at - timedelta(milliseconds=1)) == 0
    assert not Run.objects.filter(race_id=race_id).exists()
    assert race_advance(race_id, at=race.starts_at) == 1
    runs = Run.objects.filter(race_id=race_id)
    assert {run.started_at for run in runs} == {race.starts_at}
    assert {run.account_id for run in runs} == {ada.id, bob.id}
    assert len({run.snapshot for run in runs}) == 1


def test_all_play_one_dungeon_which_is_revealed_at_the_end(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    assert (
        read_race(race_id, ada)["run"]["room"] == read_race(race_id, bob)["run"]["room"]
    )
    play_out(race_id, ada)
    seen = read_race(race_id, bob)
    assert seen["phase"] == "running"
    assert seen["seed"] is None
    assert seen["run"]["seed"] is None
    play_out(race_id, bob)
    seen = read_race(race_id, bob)
    assert seen["phase"] == "settled"
    assert len(seen["seed"]) == 64
    assert seen["run"]["seed"] == seen["seed"]
    # Both played the first legal move of the same dungeon throughout.
    assert [one["place"] for one in seen["entrants"]] == [1, 1]
    assert kinds(race_id)[-2:] == ["closed", "settled"]


def test_only_the_owner_sees_a_score_before_the_close(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    play_out(race_id, ada)
    assert entrant(race_id, ada)["score"] is not None
    for viewer in (bob, None):
        seen = read_race(race_id, viewer)
        mine = next(o for o in seen["entrants"] if o["player"] == ada.name)
        assert (mine["state"], mine["score"], mine["run"]) == ("died", None, None)
        assert mine["depth"] > 0


def test_joining_is_refused_with_a_code(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id, at = create_race([ada, bob]), now()
    with expect_refusal("race.full"):
        race_join(account_id=cleo.id, race_id=race_id, at=at)
    with expect_refusal("race.already_joined"):
        race_join(account_id=bob.id, race_id=race_id, at=at)
    with expect_refusal("race.not_found", Kind.NOT_FOUND):
        race_join(account_id=bob.id, race_id="nosuchrace", at=at)
    race_start(account_id=ada.id, race_id=race_id, at=at)
    with expect_refusal("race.wrong_phase"):
        race_join(account_id=cleo.id, race_id=race_id, at=at)


def test_left_seat_can_be_taken_again(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id, at = create_race([ada, bob]), now()
    race_leave(account_id=bob.id, race_id=race_id, at=at)
    race_join(account_id=cleo.id, race_id=race_id, at=at)
    race_leave(account_id=cleo.id, race_id=race_id, at=at)
    race_join(account_id=bob.id, race_id=race_id, at=at)
    assert [one["player"] for one in read_race(race_id)["entrants"]] == [
        ada.name,
        bob.name,
    ]
    with expect_refusal("race.not_entrant", Kind.FORBIDDEN):
        race_ready(account_id=cleo.id, race_id=race_id, at=at)


def test_leaving_host_is_replaced_by_the_next_player(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id, at = create_race([ada, bob, cleo]), now()
    race_leave(account_id=ada.id, race_id=race_id, at=at)
    assert read_race(race_id)["host"] == bob.name
    for one in (bob, cleo):
        race_leave(account_id=one.id, race_id=race_id, at=at)
    assert read_race(race_id)["phase"] == "cancelled"
    assert kinds(race_id)[-1] == "cancelled"


def test_only_the_host_starts_a_race_and_not_alone(ada: Account, bob: Account) -> None:
    alone, at = create_race([ada]), now()
    with expect_refusal("race.too_few"):
        race_start(account_id=ada.id, race_id=alone, at=at)
    race_id = create_race([ada, bob])
    with expect_refusal("race.not_host", Kind.FORBIDDEN):
        race_start(account_id=bob.id, race_id=race_id, at=at)
    first = race_start(account_id=ada.id, race_id=race_id, at=at)
    again = race_start(account_id=ada.id, race_id=race_id, at=at)
    assert first == again
    assert kinds(race_id).count("countdown_begun") == 1


def test_ready_can_be_withdrawn(ada: Account, bob: Account) -> None:
    race_id, at = create_race([ada, bob]), now()
    race_ready(account_id=ada.id, race_id=race_id, at=at)
    race_unready(account_id=ada.id, race_id=race_id, at=at)
    race_unready(account_id=ada.id, race_id=race_id, at=at)
    race_ready(account_id=bob.id, race_id=race_id, at=at)
    assert read_race(race_id, bob)["phase"] == "open"
    assert kinds(race_id)[-3:] == ["readied", "unreadied", "readied"]


def test_race_that_is_not_started_is_cancelled(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob], now() - OPEN_FOR)
    assert read_race(race_id, bob)["phase"] == "cancelled"
    with expect_refusal("race.wrong_phase"):
        race_ready(account_id=ada.id, race_id=race_id, at=now())


def test_race_with_one_entrant_after_the_countdown_is_cancelled(
    ada: Account, bob: Account
) -> None:
    at = now() - COUNTDOWN
    race_id = create_race([ada, bob], at)
    race_start(account_id=ada.id, race_id=race_id, at=at)
    race_leave(account_id=bob.id, race_id=race_id, at=at)
    assert read_race(race_id, ada)["phase"] == "cancelled"
    assert not Run.objects.exists()


def test_forfeit_can_be_withdrawn_for_five_seconds(ada: Account, bob: Account) -> None:
    race_id, at = start_race([ada, bob]), now()
    race_forfeit(account_id=ada.id, race_id=race_id, at=at)
    race_forfeit(account_id=ada.id, race_id=race_id, at=at)
    race_unforfeit(account_id=ada.id, race_id=race_id, at=at)
    race_unforfeit(account_id=ada.id, race_id=race_id, at=at)
    race_advance(race_id, at=at + timedelta(seconds=6))
    assert entrant(race_id, ada)["state"] == "racing"
    race_forfeit(account_id=ada.id, race_id=race_id, at=at)
    race_advance(race_id, at=at + timedelta(seconds=5))
    seen = entrant(race_id, ada)
    assert (seen["state"], seen["depth"]) == ("forfeited", 0)
    assert seen["score"] is not None
    with expect_refusal("race.already_over"):
        race_forfeit(account_id=ada.id, race_id=race_id, at=at + timedelta(seconds=6))


def test_forfeit_cannot_be_withdrawn_after_five_seconds(
    ada: Account, bob: Account
) -> None:
    race_id, at = start_race([ada, bob]), now()
    race_forfeit(account_id=ada.id, race_id=race_id, at=at)
    late = at + timedelta(seconds=5)
    with expect_refusal("race.already_over"):
        race_unforfeit(account_id=ada.id, race_id=race_id, at=late)


def test_race_closes_at_its_deadline(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob], time_limit_s=180)
    play(race_id, ada)
    backdate(race_id, timedelta(seconds=180))
    seen = read_race(race_id, ada)
    assert seen["phase"] == "settled"
    states = {one["player"]: one["state"] for one in seen["entrants"]}
    assert states == {ada.name: "timed_out", bob.name: "no_show"}
    run = Run.objects.get(race_id=race_id, account=ada)
    assert run.status == "expired"
    assert run.finished_at is not None


def test_all_entrants_get_the_same_rematch(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob])
    with expect_refusal("race.wrong_phase"):
        race_rematch(account_id=ada.id, race_id=race_id, at=now())
    play_all(race_id, [ada, bob])
    first = race_rematch(account_id=bob.id, race_id=race_id, at=now())
    second = race_rematch(account_id=ada.id, race_id=race_id, at=now())
    assert first["race_id"] == second["race_id"] != race_id
    new = read_race(first["race_id"], ada)
    assert new["host"] == new["entrants"][0]["player"] == bob.name
    assert {one["player"] for one in new["entrants"]} == {ada.name, bob.name}
    assert read_race(race_id)["rematch"] == first["race_id"]
    assert kinds(race_id).count("rematched") == 1
    with expect_refusal("race.not_entrant", Kind.FORBIDDEN):
        race_rematch(account_id=cleo.id, race_id=race_id, at=now())


def test_rematch_has_a_new_dungeon(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    again = race_rematch(account_id=ada.id, race_id=race_id, at=now())["race_id"]
    race_rematch(account_id=bob.id, race_id=race_id, at=now())
    race_start(account_id=ada.id, race_id=again, at=now())
    seals = {race.dungeon.seal for race in Race.objects.all() if race.dungeon}
    assert len(seals) == Dungeon.objects.count() == 2


def test_cancelled_rematch_is_replaced_by_a_new_one(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    first = race_rematch(account_id=ada.id, race_id=race_id, at=now())["race_id"]
    race_leave(account_id=ada.id, race_id=first, at=now())
    second = race_rematch(account_id=ada.id, race_id=race_id, at=now())["race_id"]
    assert second != first
    assert read_race(race_id)["rematch"] == second


def test_advancing_again_at_the_same_time_changes_nothing(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob], time_limit_s=180)
    backdate(race_id, timedelta(seconds=200))
    at = now()
    # Both runs end in one transition; then the race closes and is settled.
    assert races_advance(at=at) == 3
    assert races_advance(at=at) == 0
    assert kinds(race_id)[-4:] == ["ended", "ended", "closed", "settled"]
    assert Race.objects.get(id=race_id).due_at is None


def test_each_commit_calls_race_changed(
    ada: Account,
    bob: Account,
    notified: list[tuple[str, int]],
    django_capture_on_commit_callbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        race_id = create_race([ada, bob])
    assert notified == [(race_id, 2), (race_id, 3)]
