"""What each viewer of a race sees, and nothing beyond their horizon."""

import json
import random
from datetime import timedelta
from typing import Any

import pytest

from game.contest.horizon import Disclosure
from game.models import Account, Entrant, Race
from game.selectors.races.loading import race_load
from game.selectors.races.snapshots import (
    Viewer,
    race_context,
    race_event_rows,
    race_events,
    race_versions,
    viewer_context,
)
from game.services.core.errors import ServiceRefusal
from game.services.races.presence import presence_end, presence_refresh
from game.services.races.views import race_events_for, race_snapshot
from game.services.runs.dungeons import dungeon_deck
from tests.fixtures.races import (
    create_race,
    now,
    play,
    play_all,
    play_out,
    read_events,
    read_race,
    start_race,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def cards_in(found: Any) -> set[str]:
    if isinstance(found, dict):
        return {card for inner in found.values() for card in cards_in(inner)}
    if isinstance(found, list):
        return {card for inner in found for card in cards_in(inner)}
    is_code = isinstance(found, str) and 2 <= len(found) <= 3
    return {found[:2]} if is_code and found[0] in "23456789TJQKA" else set()


def test_no_viewer_sees_a_card_beyond_the_horizon(
    ada: Account, bob: Account, cleo: Account
) -> None:
    rng = random.Random(7)
    race_id = start_race([ada, bob])
    dungeon = Race.objects.get(id=race_id).dungeon
    assert dungeon is not None
    deck = dungeon_deck(dungeon.id, dungeon.seed_sealed)
    for _ in range(40):
        mover = rng.choice((ada, ada, bob))
        run = read_race(race_id, mover)["run"]
        if not run["legal"]:
            break
        moves = sorted(run["legal"], key=lambda move: move["lethal"])
        play(race_id, mover, moves[0]["move"])
        runs = {one.id: read_race(race_id, one)["run"] for one in (ada, bob)}
        if any(one["status"] != "playing" for one in runs.values()):
            break
        reach = {key: _shown(one) for key, one in runs.items()}
        for viewer in (ada, bob, cleo, None):
            horizon = reach.get(viewer.id if viewer else "", min(reach.values()))
            told = cards_in(read_events(race_id, viewer))
            assert told <= set(deck[:horizon])
            assert cards_in(read_race(race_id, viewer)) <= set(deck[:horizon])


def _shown(run: dict[str, Any]) -> int:
    return 44 - (int(run["dungeon_left"]) - len(run["bottom"]))


def test_avoided_room_is_hidden_and_fight_is_masked(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    seq = play(race_id, ada, "avoid")["seq"]
    (event,) = read_events(race_id, bob, seq - 1)
    assert set(event) == {"seq", "kind", "at"}
    assert event["kind"] == "hidden"
    play(race_id, ada)
    event = read_events(race_id, bob)[-1]
    assert event["masked"] is True
    assert set(event) == {"seq", "kind", "at", "player", "seat", "masked"} | {
        "depth",
        "state",
    }
    own = read_events(race_id, ada)[-1]
    assert {"move", "effects", "table", "index"} <= set(own)
    assert "told" not in own


def test_events_can_be_read_in_full_after_catching_up(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    first = play(race_id, ada, "avoid")["seq"]
    assert read_events(race_id, bob, first - 1)[0]["kind"] == "hidden"
    assert read_events(race_id, None, first - 1)[0]["kind"] == "hidden"
    play(race_id, bob, "avoid")
    assert read_events(race_id, bob, first - 1)[0]["move"] == "avoid"
    assert read_events(race_id, None, first - 1)[0]["move"] == "avoid"


def test_all_events_are_shown_in_full_after_the_end(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    for viewer in (ada, bob, None):
        events = read_events(race_id, viewer)
        assert not any("masked" in event for event in events)
        assert "hidden" not in {event["kind"] for event in events}
        closed = next(event for event in events if event["kind"] == "closed")
        assert closed["seed"] == read_race(race_id, viewer)["seed"]
        assert all(one["player"] for one in closed["results"])


def test_stored_events_contain_no_names(ada: Account, bob: Account) -> None:
    """Names are looked up on reading, so that renaming reaches every event."""
    race_id = start_race([ada, bob])
    play_all(race_id, [ada, bob])
    stored = json.dumps([row.body for row in race_event_rows(race_id, 0)])
    assert ada.name not in stored
    assert ada.id not in stored
    Account.objects.filter(id=ada.id).update(name="Another")
    assert {event.get("player") for event in read_events(race_id, bob)} >= {"Another"}


def test_viewers_with_equal_disclosure_have_equal_keys(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada, "avoid")
    play(race_id, ada)
    (row,) = race_event_rows(race_id, read_race(race_id)["seq"] - 1)
    context = race_context(race_id)
    assert context is not None
    keys = [context.viewer(Viewer(who.id)).key(row) for who in (ada, bob, cleo)]
    assert keys == [Disclosure.FULL, Disclosure.MASKED, Disclosure.MASKED]
    assert viewer_context(race_id, Viewer(None)) is not None
    assert viewer_context("nosuchrace", Viewer(None)) is None


def test_versions_of_many_races_take_one_query(
    ada: Account, bob: Account, django_assert_num_queries
) -> None:
    first, second = create_race([ada, bob], visibility="link"), create_race([bob])
    with django_assert_num_queries(1):
        heads = race_versions([first, second, "nosuchrace"])
    assert {race_id: head.seq for race_id, head in heads.items()} == {
        first: 3,
        second: 2,
    }
    head = heads[first]
    assert (head.seq, head.chat) == (3, 0)
    assert head.due_at == Race.objects.get(id=first).expires_at


def test_snapshot_takes_two_queries(
    ada: Account, bob: Account, django_assert_num_queries
) -> None:
    race_id = start_race([ada, bob])
    with django_assert_num_queries(2):
        race_snapshot(race_id, Viewer(ada.id), now())
    with django_assert_num_queries(1):
        assert race_load(race_id) is not None


def test_events_are_read_in_pages(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    first = race_events(race_id, 0, Viewer(None), most=3)
    rest = race_events(race_id, first[-1]["seq"], Viewer(None))
    assert [one["seq"] for one in (*first, *rest)] == list(range(1, 6))
    assert race_events(race_id, 99, Viewer(None)) == []


def test_presence_changes_are_events(ada: Account, bob: Account) -> None:
    race_id, at = create_race([ada, bob]), now()
    presence_refresh([(race_id, ada.id)], at=at)
    presence_refresh([(race_id, ada.id)], at=at + timedelta(seconds=20))
    present = {one["player"]: one["present"] for one in read_race(race_id)["entrants"]}
    assert present == {ada.name: True, bob.name: False}
    assert Entrant.objects.get(race_id=race_id, account=ada).seen_at > at
    presence_end(race_id=race_id, account_id=ada.id, at=at)
    presence_end(race_id=race_id, account_id=ada.id, at=at)
    kinds = [event["kind"] for event in read_events(race_id, None)]
    assert kinds[-2:] == ["appeared", "vanished"]


def test_unknown_race_is_not_found(db: None) -> None:
    for look in (
        lambda: race_snapshot("nosuchrace", Viewer(None), now()),
        lambda: race_events_for("nosuchrace", 0, Viewer(None), now()),
    ):
        with pytest.raises(ServiceRefusal) as refused:
            look()
        assert refused.value.code == "race.not_found"


def test_score_of_a_dead_opponent_is_not_shown(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada, "avoid")
    play_out(race_id, ada)
    play(race_id, bob)
    for event in read_events(race_id, bob):
        assert event.get("score") is None
