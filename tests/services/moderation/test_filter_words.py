"""The list of filtered words, and its effect on chat."""

import pytest

from game.models import Account, AuditEntry, ChatMessage, FilterWord, Flag
from game.services.core.errors import Kind
from game.services.core.filter_words import filter_words_in
from game.services.moderation.filter_words import filter_word_add, filter_word_remove
from tests.fixtures.races import create_race, expect_refusal, now, start_race
from tests.services.races.test_chat import send

pytestmark = pytest.mark.django_db


def add(word: str, effect: str = "refuse") -> FilterWord:
    return filter_word_add(word=word, by=None, at=now(), effect=effect)


def test_words_are_added_changed_and_removed(ada: Account) -> None:
    add("  Toss   Pot ")
    add("toss-pot", "flag")
    add("dung*")
    assert dict(FilterWord.objects.values_list("word", "effect")) == {
        "toss-pot": "flag",
        "dung*": "refuse",
    }
    assert filter_words_in("You T0SS pot of a dungheap") == {
        "flag": ["toss pot"],
        "refuse": ["dung*"],
    }
    assert filter_word_remove(word="TOSS POT", by=ada, at=now())
    assert not filter_word_remove(word="toss pot", by=ada, at=now())
    assert filter_words_in("toss pot") == {}


def test_changes_of_the_list_are_logged(ada: Account) -> None:
    add("tosspot", "flag")
    filter_word_remove(word="tosspot", by=ada, at=now())
    filter_word_remove(word="tosspot", by=ada, at=now())
    entries = AuditEntry.objects.order_by("number")
    assert [(one.verb, one.actor) for one in entries] == [
        ("word_added", None),
        ("word_removed", ada),
    ]
    assert {one.body for one in entries} == {'{"effect":"flag","word":"tosspot"}'}


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("", "empty"),
        ("*", "empty"),
        ("a", "empty"),
        ("a*", "empty"),
        ("x" * 41, "too_long"),
    ],
)
def test_too_short_or_long_words_are_refused(db: None, word: str, code: str) -> None:
    with expect_refusal(f"filter_word.{code}", Kind.MALFORMED):
        add(word)


def test_refused_message_is_flagged_and_not_sent(ada: Account, bob: Account) -> None:
    race_id = create_race([ada, bob])
    add("tosspot")
    add("knave", "flag")
    with expect_refusal("chat.word", Kind.FORBIDDEN):
        send(race_id, ada, "You t o s s p o t")
    assert not ChatMessage.objects.exists()
    # The refused message is flagged, at most once an hour and race.
    flag = Flag.objects.get(subject=ada)
    assert flag.kind == "chat_filter"
    assert flag.evidence == {
        "race": race_id,
        "text": "You t o s s p o t",
        "words": {"refuse": ["tosspot"]},
        "refused": True,
    }
    with expect_refusal("chat.word", Kind.FORBIDDEN):
        send(race_id, ada, "tosspot")
    assert Flag.objects.count() == 1
    send(race_id, bob, "The knave of clubs")
    send(race_id, bob, "tosspots all")
    assert Flag.objects.get(subject=bob).evidence["refused"] is False


def test_phrases_are_not_filtered(ada: Account, bob: Account) -> None:
    add("ouch")
    send(start_race([ada, bob]), ada, "ouch")
