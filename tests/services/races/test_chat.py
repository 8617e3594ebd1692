"""Chat keeps to the horizon: phrases between entrants, spectators apart."""

from datetime import timedelta
from typing import Any

import pytest

from game.models import Account, Race
from game.selectors.races.chat import race_chat
from game.selectors.races.snapshots import Viewer, race_versions
from game.services.accounts.accounts import guest_create
from game.services.core.errors import Kind, ServiceRefusal
from game.services.races.chat import (
    BUSY_MESSAGES,
    MAX_MESSAGES,
    SLOW_MODE_INTERVAL,
    chat_send,
)
from game.services.races.views import race_chat_for
from tests.fixtures.races import begun, member, now, play_all, race_of, refused

pytestmark = pytest.mark.django_db


def say(race_id: str, who: Account, text: str) -> Any:
    return chat_send(account_id=who.id, race_id=race_id, text=text, at=now())


def heard(race_id: str, who: Account | None, since: int = 0) -> list[str]:
    viewer = Viewer(who.id if who else None)
    return [one["text"] for one in race_chat_for(race_id, viewer, since, now())]


def test_before_the_start_all_talk_freely(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = race_of([ada, bob])
    said = say(race_id, ada, "  Hi,\n all \u0000 of you ")
    assert said["text"] == "Hi, all of you"
    say(race_id, cleo, "good_luck")
    for one in (ada, bob, cleo, None):
        assert heard(race_id, one) == ["Hi, all of you", "Good luck!"]
    assert heard(race_id, ada, since=1) == ["Good luck!"]
    assert race_versions([race_id])[race_id].chat == 2


def test_while_it_runs_entrants_have_phrases(ada: Account, bob: Account) -> None:
    race_id = begun([ada, bob])
    with pytest.raises(ServiceRefusal) as refused:
        say(race_id, ada, "avoid the second room")
    assert refused.value.code == "chat.phrases_only"
    said = say(race_id, ada, "Ouch!")
    assert (said["phrase"], said["room"]) == ("ouch", "entrants")
    assert heard(race_id, bob) == ["Ouch!"]


def test_spectators_are_apart_until_the_end(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = begun([ada, bob])
    say(race_id, cleo, "The king comes next!")
    say(race_id, ada, "hello")
    assert heard(race_id, cleo) == ["The king comes next!", "Hello!"]
    assert heard(race_id, bob) == ["Hello!"]
    play_all(race_id, [ada, bob])
    assert heard(race_id, bob) == ["The king comes next!", "Hello!"]
    say(race_id, bob, "So that is what came next.")


def test_words_have_bounds(ada: Account) -> None:
    race_id = race_of([ada])
    unseen = [(text, "chat.empty") for text in (" \n\t", "\u115f", "\u200d", "\u2800")]
    for text, code in (*unseen, ("\ufe0f", "chat.empty"), ("x" * 201, "chat.too_long")):
        with pytest.raises(ServiceRefusal) as refused:
            say(race_id, ada, text)
        assert (refused.value.code, refused.value.kind) == (code, Kind.MALFORMED)
    assert say(race_id, ada, "a" + "\u0301" * 20)["text"] == "a" + "\u0301" * 3
    with pytest.raises(ServiceRefusal) as refused:
        say("nosuchrace", ada, "hello")
    assert refused.value.code == "race.not_found"


def test_not_too_fast(ada: Account) -> None:
    race_id = race_of([ada])
    for _ in range(MAX_MESSAGES):
        say(race_id, ada, "hello")
    with pytest.raises(ServiceRefusal) as refused:
        say(race_id, ada, "hello")
    assert (refused.value.code, refused.value.kind) == (
        "chat.too_fast",
        Kind.THROTTLED,
    )
    later = now() + timedelta(seconds=11)
    chat_send(account_id=ada.id, race_id=race_id, text="hello", at=later)


def test_a_busy_room_goes_slow(ada: Account, bob: Account, cleo: Account) -> None:
    race_id = race_of([ada, bob])
    for _ in range(BUSY_MESSAGES // MAX_MESSAGES + 1):
        one = guest_create(at=now())
        for _ in range(MAX_MESSAGES - 1):
            say(race_id, one, "hello")
    say(race_id, cleo, "hello")  # the first is heard all the same
    with refused("chat.slow_mode", Kind.THROTTLED):
        say(race_id, cleo, "hello")
    chat_send(
        account_id=cleo.id,
        race_id=race_id,
        text="hello",
        at=now() + 2 * SLOW_MODE_INTERVAL,
    )
    # Among the entrants it is quiet.
    say(race_id, ada, "hello")
    say(race_id, ada, "hello")


def test_links_are_for_those_who_have_been_here(ada: Account) -> None:
    dora = member("Dora")
    Account.objects.filter(id__in=[ada.id, dora.id]).update(
        created_at=now() - timedelta(days=4)
    )
    race_id = race_of([ada, dora])
    settled = [begun([dora, member(name)]) for name in ("Emil", "Fay", "Gus")]
    for newcomer in (ada, dora):
        with refused("chat.no_links", Kind.FORBIDDEN):
            say(race_id, newcomer, "see www.example.org")
    Race.objects.filter(id__in=settled).update(
        closed_at=now(), settled_at=now(), due_at=None
    )
    say(race_id, dora, "see www.example.org")
    Account.objects.filter(id=dora.id).update(created_at=now())
    with refused("chat.no_links", Kind.FORBIDDEN):
        say(race_id, dora, "see www.example.org")


def test_a_race_that_is_not_there_is_silent(db: None) -> None:
    assert race_chat("nosuchrace", Viewer(None), 0, now()) == []
    with pytest.raises(ServiceRefusal):
        heard("nosuchrace", None)
