"""Pages of players, log, jobs, filtered words and comparisons."""

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
from tests.fixtures.runs import NOON, signed_in

# For a list of any length: session, account, second factor, rows, filters.
MOST_STATEMENTS = 8


def statements(client: Client, address: str) -> list[str]:
    """The SQL statements of a page."""
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return [one["sql"] for one in caught.captured_queries]


def test_lists_run_few_queries_and_no_count(mona_client: Client, eve: Account) -> None:
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
        asked = statements(mona_client, address)
        assert len(asked) <= MOST_STATEMENTS, (address, asked)
        counted = [sql for sql in asked if "count(" in sql.lower()]
        assert not counted, (address, counted)


def test_list_has_previous_and_next(mona_client: Client, eve: Account) -> None:
    for number in range(60):
        practice_start(account=eve, at=NOON, seed=str(number))
    first = text_of(mona_client.get(f"{page('run')}?q=Eve"))
    second = text_of(mona_client.get(f"{page('run')}?q=Eve&p=2"))
    assert ">Next</a>" in first
    assert ">Previous</a>" in second
    assert ">Next</a>" not in second


def test_query_string_cannot_change_the_order(
    mona_client: Client, eve: Account
) -> None:
    asked = statements(mona_client, f"{page('account')}?o=1")
    assert not any('ORDER BY "game_account"."name"' in sql for sql in asked)


@pytest.mark.parametrize("words", ["Eve", "eve", "ev"])
def test_player_is_found_by_name_and_id(
    mona_client: Client, eve: Account, words: str
) -> None:
    assert eve.id in text_of(mona_client.get(f"{page('account')}?q={words}"))
    assert eve.id in text_of(mona_client.get(f"{page('account')}?q={eve.id}"))


def test_player_page_hides_the_email_address(
    mona: Account, mona_client: Client, eve: Account
) -> None:
    do(mona, "warn", eve, text="Let others write.")
    practice_start(account=eve, at=NOON, seed="a")
    shown = text_of(mona_client.get(page("account", eve.id)))
    for words in ("Standing: good", "warn", "practice", "Timeline", "Open sessions"):
        assert words in shown
    assert str(eve.email) not in shown


def test_administrator_sets_roles(
    anna_client: Client, mona_client: Client, eve: Account
) -> None:
    address = page("account", eve.id)
    assert send(mona_client, address, "role", role="helper").status_code == 409
    send(anna_client, address, "role", role="helper")
    eve.refresh_from_db()
    assert eve.staff_role == "helper"
    send(anna_client, address, "role", role="")
    eve.refresh_from_db()
    assert not eve.is_staff
    verbs = AuditEntry.objects.filter(subject=eve).values_list("verb", flat=True)
    assert list(verbs) == ["role_set", "role_set"]


def test_log_is_shown_and_verified(
    mona: Account, mona_client: Client, eve: Account
) -> None:
    do(mona, "warn", eve, at=now() - DAY)
    do(mona, "warn", eve)
    address = page("auditentry")
    assert text_of(mona_client.get(address)).count("warn") >= 2
    assert text_of(mona_client.get(f"{address}?q=Eve")).count("warn") >= 2
    assert "The log is unchanged: 3 entries." in text_of(mona_client.post(address))
    entry = text_of(mona_client.get(page("auditentry", 2)))
    assert AuditEntry.objects.get(number=1).hash in entry


def test_verification_finds_a_changed_entry(
    mona: Account, mona_client: Client, eve: Account, monkeypatch: Any
) -> None:
    do(mona, "warn", eve)

    monkeypatch.setattr(audit, "hashed_fields", _as_if_changed(audit.hashed_fields))
    shown = text_of(mona_client.post(page("auditentry")))
    assert "is not what was written" in shown


def _as_if_changed(honest: Any) -> Any:
    return lambda entry: {**honest(entry), "verb": "ban"}


def test_administrator_runs_due_jobs_twice(anna_client: Client) -> None:
    assert "Nothing has run yet." in text_of(anna_client.get("/desk/jobs/"))
    for _ in range(2):
        assert send(anna_client, "/desk/jobs/", "tick").status_code == 302
    assert Job.objects.exists()
    shown = text_of(anna_client.get("/desk/jobs/"))
    assert "dailies_settle" in shown
    assert "The last tick began" in shown


def test_failed_job_is_shown_as_refusal(anna_client: Client, monkeypatch: Any) -> None:
    def fails(*, at: Any) -> None:
        raise ExceptionGroup("no", [RuntimeError("boom")])

    monkeypatch.setattr(pages, "tick", fails)
    answer = send(anna_client, "/desk/jobs/", "tick")
    assert (answer.status_code, refused_with(answer)) == (503, "tick.failed")


def test_only_administrators_run_jobs(mona_client: Client) -> None:
    assert "Run due jobs" not in text_of(mona_client.get("/desk/jobs/"))
    assert send(mona_client, "/desk/jobs/", "tick").status_code == 409


def test_filter_words_are_added_and_removed(mona: Account, mona_client: Client) -> None:
    send(mona_client, "/desk/words/", "add", word="blast*", effect="refuse")
    row = FilterWord.objects.get()
    assert (row.word, row.made_by) == ("blast*", mona)
    assert "blast*" in text_of(mona_client.get("/desk/words/"))
    answer = send(mona_client, "/desk/words/", "add", word="x", effect="flag")
    assert (answer.status_code, refused_with(answer)) == (400, "filter_word.empty")
    send(mona_client, "/desk/words/", "remove", word="blast*")
    assert not FilterWord.objects.exists()


def test_shared_dungeons_and_runs_are_compared(
    mona_client: Client, eve: Account
) -> None:
    other = person("Olaf")
    first = practice_start(account=eve, at=NOON, seed="a")
    second = practice_start(account=other, at=NOON, seed="b")
    Run.objects.filter(id=second.id).update(dungeon=first.dungeon_id)
    shown = text_of(mona_client.get("/desk/shared/?first=Eve&second=olaf"))
    assert first.dungeon.seal[:12] in shown
    assert first.id in shown
    answer = mona_client.get("/desk/shared/?first=Eve&second=Nobody")
    assert (answer.status_code, refused_with(answer)) == (404, "account.not_found")
    answer = mona_client.get("/desk/side-by-side/?first=x&second=y")
    assert (answer.status_code, refused_with(answer)) == (404, "run.not_found")


def test_filter_words_need_a_recent_proof(mona: Account) -> None:
    client = signed_in(mona)
    answer = send(client, "/desk/words/", "add", word="blast*", effect="refuse")
    assert (answer.status_code, refused_with(answer)) == (403, "staff.reauthenticate")
    assert not FilterWord.objects.exists()
