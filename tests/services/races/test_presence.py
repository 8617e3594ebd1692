"""Presence of entrants by socket and by REST requests."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from game.models import Account, Entrant
from game.selectors.races.snapshots import Viewer
from game.services.races import locking, presence
from game.services.races.commands import race_leave
from game.services.races.presence import (
    AWAY_AFTER,
    poll_throttle,
    presence_end,
    presence_expire,
    presence_poll,
    presence_refresh,
)
from game.services.races.views import race_events_for
from tests.fixtures.races import (
    create_race,
    entrant,
    now,
    play_all,
    read_race,
    start_race,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    poll_throttle.clear()
    yield
    poll_throttle.clear()


def is_here(race_id: str, account: Account) -> bool:
    return bool(entrant(race_id, account)["present"])


def test_rest_request_counts_as_presence_for_a_minute(
    ada: Account, bob: Account
) -> None:
    race_id = create_race([ada, bob])
    at = now()
    presence_poll(race_id=race_id, account_id=ada.id, at=at)
    assert is_here(race_id, ada)
    assert not is_here(race_id, bob)
    presence_expire(at=at + AWAY_AFTER)
    assert is_here(race_id, ada)
    presence_expire(at=at + AWAY_AFTER + timedelta(seconds=1))
    assert not is_here(race_id, ada)
    kinds = [one["kind"] for one in race_events_for(race_id, 0, Viewer(None), now())]
    assert kinds[-2:] == ["appeared", "vanished"]


def test_repeated_poll_runs_no_query(
    ada: Account, bob: Account, django_assert_num_queries: Any
) -> None:
    race_id = create_race([ada, bob])
    presence_poll(race_id=race_id, account_id=ada.id, at=now())
    with django_assert_num_queries(0):
        presence_poll(race_id=race_id, account_id=ada.id, at=now())


def test_poll_by_others_or_after_the_race_records_nothing(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob])
    seq = read_race(race_id)["seq"]
    presence_poll(race_id=race_id, account_id=cleo.id, at=now())
    presence_poll(race_id=race_id, account_id=None, at=now())
    assert read_race(race_id)["seq"] == seq
    play_all(race_id, [ada, bob])
    seq = read_race(race_id)["seq"]
    presence_poll(race_id=race_id, account_id=ada.id, at=now())
    assert read_race(race_id)["seq"] == seq


def test_closed_socket_ends_presence_at_once(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob])
    presence_refresh([(race_id, ada.id)], at=now())
    assert is_here(race_id, ada)
    presence_end(race_id=race_id, account_id=ada.id, at=now())
    assert not is_here(race_id, ada)


def test_entrant_who_returns_during_the_expiry_stays_present(
    ada: Account, bob: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Absence is checked again under the race's lock."""
    race_id = create_race([ada, bob])
    at = now()
    presence_refresh([(race_id, ada.id)], at=at)
    later = at + AWAY_AFTER + timedelta(seconds=1)
    lock = locking.race_lock

    def returned_before_the_lock(race: str) -> Any:
        Entrant.objects.filter(race_id=race, account=ada).update(seen_at=later)
        return lock(race)

    monkeypatch.setattr(presence, "race_lock", returned_before_the_lock)
    presence_expire(at=later)
    assert is_here(race_id, ada)


def test_concurrent_refreshes_record_one_event(
    ada: Account, bob: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes record the same entrant; the second changes nothing."""
    race_id = create_race([ada, bob])
    lock, calls = locking.race_lock, []

    def reported_before_the_lock(race: str) -> Any:
        calls.append(race)
        if len(calls) == 1:
            presence_refresh([(race_id, ada.id)], at=now())
        return lock(race)

    monkeypatch.setattr(presence, "race_lock", reported_before_the_lock)
    presence_refresh([(race_id, ada.id)], at=now())
    kinds = [one["kind"] for one in race_events_for(race_id, 0, Viewer(None), now())]
    assert kinds.count("appeared") == 1


def test_entrant_who_left_is_not_marked_as_present(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob])
    race_leave(account_id=bob.id, race_id=race_id, at=now())
    presence_refresh([(race_id, bob.id)], at=now())
    assert not Entrant.objects.get(race_id=race_id, account=bob).is_present
