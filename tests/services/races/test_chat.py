"""Chat of races: phrases for entrants, a separate room for spectators, limits."""

from datetime import timedelta
from typing import Any

import pytest

from game.models import Account, Entrant, Race
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
from tests.fixtures.races import (
    create_race,
    expect_refusal,
    member,
    now,
    play_all,
    start_race,
)

pytestmark = pytest.mark.django_db


def send(race_id: str, who: Account, text: str) -> Any:
    return chat_send(account_id=who.id, race_id=race_id, text=text, at=now())


def texts_for(race_id: str, who: Account | None, since: int = 0) -> list[str]:
    viewer = Viewer(who.id if who else None)
    return [one["text"] for one in race_chat_for(race_id, viewer, since, now())]


def test_free_text_is_allowed_before_the_start(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = create_race([ada, bob])
    message = send(race_id, ada, "  Hi,\n all \u0000 of you ")
    assert message["text"] == "Hi, all of you"
    send(race_id, cleo, "good_luck")
    for one in (ada, bob, cleo, None):
        assert texts_for(race_id, one) == ["Hi, all of you", "Good luck!"]
    assert texts_for(race_id, ada, since=1) == ["Good luck!"]
    assert race_versions([race_id])[race_id].chat == 2


def test_entrants_of_a_running_race_can_only_send_phrases(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    with pytest.raises(ServiceRefusal) as refused:
        send(race_id, ada, "avoid the second room")
    assert refused.value.code == "chat.phrases_only"
    message = send(race_id, ada, "Ouch!")
    assert (message["phrase"], message["room"]) == ("ouch", "entrants")
    assert texts_for(race_id, bob) == ["Ouch!"]


def test_entrants_see_spectator_messages_only_after_the_end(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob])
    send(race_id, cleo, "The king comes next!")
    send(race_id, ada, "hello")
    assert texts_for(race_id, cleo) == ["The king comes next!", "Hello!"]
    assert texts_for(race_id, bob) == ["Hello!"]
    play_all(race_id, [ada, bob])
    assert texts_for(race_id, bob) == ["The king comes next!", "Hello!"]
    send(race_id, bob, "It was a king.")


def test_empty_and_long_messages_are_refused(ada: Account) -> None:
    race_id = create_race([ada])
    invisible = [
        (text, "chat.empty") for text in (" \n\t", "\u115f", "\u200d", "\u2800")
    ]
    for text, code in (
        *invisible,
        ("\ufe0f", "chat.empty"),
        ("x" * 201, "chat.too_long"),
    ):
        with pytest.raises(ServiceRefusal) as refused:
            send(race_id, ada, text)
        assert (refused.value.code, refused.value.kind) == (code, Kind.MALFORMED)
    assert send(race_id, ada, "a" + "\u0301" * 20)["text"] == "a" + "\u0301" * 3
    with pytest.raises(ServiceRefusal) as refused:
        send("nosuchrace", ada, "hello")
    assert refused.value.code == "race.not_found"


def test_too_many_messages_are_refused_for_ten_seconds(ada: Account) -> None:
    race_id = create_race([ada])
    for _ in range(MAX_MESSAGES):
        send(race_id, ada, "hello")
    with pytest.raises(ServiceRefusal) as refused:
        send(race_id, ada, "hello")
    assert (refused.value.code, refused.value.kind) == (
        "chat.too_fast",
        Kind.THROTTLED,
    )
    later = now() + timedelta(seconds=11)
    chat_send(account_id=ada.id, race_id=race_id, text="hello", at=later)


def test_busy_room_has_slow_mode(ada: Account, bob: Account, cleo: Account) -> None:
    race_id = create_race([ada, bob])
    for _ in range(BUSY_MESSAGES // MAX_MESSAGES + 1):
        one = guest_create(at=now())
        for _ in range(MAX_MESSAGES - 1):
            send(race_id, one, "hello")
    send(race_id, cleo, "hello")  # slow mode refuses only a second message
    with expect_refusal("chat.slow_mode", Kind.THROTTLED):
        send(race_id, cleo, "hello")
    chat_send(
        account_id=cleo.id,
        race_id=race_id,
        text="hello",
        at=now() + 2 * SLOW_MODE_INTERVAL,
    )
    # The room of the entrants is not busy.
    send(race_id, ada, "hello")
    send(race_id, ada, "hello")


def race_together(*people: Account) -> str:
    """Begin a race of these people, who are free for the next one at once."""
    race_id = start_race(list(people))
    Entrant.objects.filter(race=race_id).update(is_live=False)
    return race_id


def test_links_require_settled_races_and_an_older_account(ada: Account) -> None:
    dora = member("Dora")
    Account.objects.filter(id__in=[ada.id, dora.id]).update(
        created_at=now() - timedelta(days=4)
    )
    race_id = create_race([ada, dora])
    settled = [race_together(dora, member(name)) for name in ("Emil", "Fay", "Gus")]
    for newcomer in (ada, dora):
        with expect_refusal("chat.no_links", Kind.FORBIDDEN):
            send(race_id, newcomer, "see www.example.org")
    Race.objects.filter(id__in=settled).update(
        closed_at=now(), settled_at=now(), due_at=None
    )
    send(race_id, dora, "see www.example.org")
    Account.objects.filter(id=dora.id).update(created_at=now())
    with expect_refusal("chat.no_links", Kind.FORBIDDEN):
        send(race_id, dora, "see www.example.org")


def test_unknown_race_has_no_chat(db: None) -> None:
    assert race_chat("nosuchrace", Viewer(None), 0, now()) == []
    with pytest.raises(ServiceRefusal):
        texts_for("nosuchrace", None)


def test_races_left_before_the_start_do_not_count_for_links(db: None) -> None:
    dora = member("Dora")
    Account.objects.filter(id=dora.id).update(created_at=now() - timedelta(days=4))
    settled = [race_together(dora, member(name)) for name in ("Emil", "Fay", "Gus")]
    Race.objects.filter(id__in=settled).update(
        closed_at=now(), settled_at=now(), due_at=None
    )
    Entrant.objects.filter(race=settled[0], account=dora).update(left_at=now())
    with expect_refusal("chat.no_links", Kind.FORBIDDEN):
        send(create_race([dora]), dora, "see www.example.org")
