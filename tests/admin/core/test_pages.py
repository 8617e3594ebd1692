"""Players, the log, the jobs, the word list: read, and written by their services."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.admin.core import pages
from game.models import Account, AuditEntry, FilterWord, Job, Run
from game.services.accounts.accounts import guest_create
from game.services.moderation import audit
from game.services.runs.runs import practice_start
from tests.admin.conftest import page, refused_with, text_of
from tests.admin.moderation.test_cases import send
from tests.fixtures.accounts import person
from tests.fixtures.moderation import DAY, do
from tests.fixtures.races import now
from tests.fixtures.runs import NOON

# Of any list, whatever its length: session, account, second factor, rows, filters.
MOST_STATEMENTS = 8


def statements(client: Client, address: str) -> list[str]:
    """What the database is asked for a page."""
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return [one["sql"] for one in caught.captured_queries]


def test_lists_count_nothing_and_ask_little(mona_desk: Client, eve: Account) -> None:
    for number in range(60):
        guest_create(at=NOON)
        practice_start(account=eve, at=NOON, seed=str(number))
    for address in (
        *(page(name) for name in ("case", "act", "appeal", "account", "run", "race")),
        *(page(name) for name in ("daily", "leaderboard", "rating", "auditentry")),
        f"{page('account')}?kind=other",
        f"{page('run')}?q=Eve",
        f"{page('run')}?q=Eve&p=2",
    ):
        asked = statements(mona_desk, address)
        assert len(asked) <= MOST_STATEMENTS, (address, asked)
        counted = [sql for sql in asked if "count(" in sql.lower()]
        assert not counted, (address, counted)


def test_a_list_is_leafed_through(mona_desk: Client, eve: Account) -> None:
    for number in range(60):
        practice_start(account=eve, at=NOON, seed=str(number))
    first = text_of(mona_desk.get(f"{page('run')}?q=Eve"))
    second = text_of(mona_desk.get(f"{page('run')}?q=Eve&p=2"))
    assert ">Next</a>" in first
    assert ">Previous</a>" in second
    assert ">Next</a>" not in second


def test_an_address_does_not_choose_the_order(mona_desk: Client, eve: Account) -> None:
    asked = statements(mona_desk, f"{page('account')}?o=1")
    assert not any('ORDER BY "game_account"."name"' in sql for sql in asked)


@pytest.mark.parametrize("words", ["Eve", "eve", "ev"])
def test_a_player_is_found_by_name_and_id(
    mona_desk: Client, eve: Account, words: str
) -> None:
    assert eve.id in text_of(mona_desk.get(f"{page('account')}?q={words}"))
    assert eve.id in text_of(mona_desk.get(f"{page('account')}?q={eve.id}"))


def test_a_player_is_shown_without_his_address(
    mona: Account, mona_desk: Client, eve: Account
) -> None:
    do(mona, "warn", eve, text="Let others write.")
    practice_start(account=eve, at=NOON, seed="a")
    shown = text_of(mona_desk.get(page("account", eve.id)))
    for words in ("Standing: good", "warn", "practice", "Timeline", "Open sessions"):
        assert words in shown
    assert str(eve.email) not in shown


def test_an_administrator_gives_roles(
    anna_desk: Client, mona_desk: Client, eve: Account
) -> None:
    address = page("account", eve.id)
    assert send(mona_desk, address, "role", role="helper").status_code == 409
    send(anna_desk, address, "role", role="helper")
    eve.refresh_from_db()
    assert eve.staff_role == "helper"
    send(anna_desk, address, "role", role="")
    eve.refresh_from_db()
    assert not eve.is_staff
    verbs = AuditEntry.objects.filter(subject=eve).values_list("verb", flat=True)
    assert list(verbs) == ["role_set", "role_set"]


def test_the_log_is_read_and_proved(
    mona: Account, mona_desk: Client, eve: Account
) -> None:
    do(mona, "warn", eve, at=now() - DAY)
    do(mona, "warn", eve)
    address = page("auditentry")
    assert text_of(mona_desk.get(address)).count("warn") >= 2
    assert text_of(mona_desk.get(f"{address}?q=Eve")).count("warn") >= 2
    assert "The log is unchanged: 3 entries." in text_of(mona_desk.post(address))
    entry = text_of(mona_desk.get(page("auditentry", 2)))
    assert AuditEntry.objects.get(number=1).hash in entry


def test_a_changed_entry_is_found(
    mona: Account, mona_desk: Client, eve: Account, monkeypatch: Any
) -> None:
    do(mona, "warn", eve)

    monkeypatch.setattr(audit, "hashed_fields", _as_if_changed(audit.hashed_fields))
    shown = text_of(mona_desk.post(page("auditentry")))
    assert "is not what was written" in shown


def _as_if_changed(honest: Any) -> Any:
    return lambda entry: {**honest(entry), "verb": "ban"}


def test_what_is_due_is_done_by_hand_and_twice(anna_desk: Client) -> None:
    assert "Nothing has run yet." in text_of(anna_desk.get("/desk/jobs/"))
    for _ in range(2):
        assert send(anna_desk, "/desk/jobs/", "tick").status_code == 302
    assert Job.objects.exists()
    shown = text_of(anna_desk.get("/desk/jobs/"))
    assert "dailies_settled" in shown
    assert "The last tick began" in shown


def test_a_part_that_fails_is_a_sentence(anna_desk: Client, monkeypatch: Any) -> None:
    def fails(*, at: Any) -> None:
        raise ExceptionGroup("no", [RuntimeError("boom")])

    monkeypatch.setattr(pages, "tick", fails)
    answer = send(anna_desk, "/desk/jobs/", "tick")
    assert (answer.status_code, refused_with(answer)) == (503, "tick.failed")


def test_only_administrators_tick(mona_desk: Client) -> None:
    assert "Run due jobs" not in text_of(mona_desk.get("/desk/jobs/"))
    assert send(mona_desk, "/desk/jobs/", "tick").status_code == 409


def test_the_list_of_words(mona: Account, mona_desk: Client) -> None:
    send(mona_desk, "/desk/words/", "add", word="blast*", effect="refuse")
    row = FilterWord.objects.get()
    assert (row.word, row.made_by) == ("blast*", mona)
    assert "blast*" in text_of(mona_desk.get("/desk/words/"))
    answer = send(mona_desk, "/desk/words/", "add", word="x", effect="flag")
    assert (answer.status_code, refused_with(answer)) == (400, "filter_word.empty")
    send(mona_desk, "/desk/words/", "remove", word="blast*")
    assert not FilterWord.objects.exists()


def test_two_players_dungeons_and_runs_are_compared(
    mona_desk: Client, eve: Account
) -> None:
    other = person("Olaf")
    first = practice_start(account=eve, at=NOON, seed="a")
    second = practice_start(account=other, at=NOON, seed="b")
    Run.objects.filter(id=second.id).update(dungeon=first.dungeon_id)
    shown = text_of(mona_desk.get("/desk/shared/?first=Eve&second=olaf"))
    assert first.dungeon.seal[:12] in shown
    assert first.id in shown
    answer = mona_desk.get("/desk/shared/?first=Eve&second=Nobody")
    assert (answer.status_code, refused_with(answer)) == (404, "account.not_found")
    answer = mona_desk.get("/desk/side-by-side/?first=x&second=y")
    assert (answer.status_code, refused_with(answer)) == (404, "run.not_found")
