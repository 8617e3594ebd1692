"""Whatever an address or a form says, the desk answers with a page, never a fault."""

import pytest
from django.test import Client

from game.models import Account, Act, Leaderboard
from tests.admin.conftest import page

LISTS = (
    *("case", "act", "appeal", "account", "run", "race"),
    *("daily", "leaderboard", "rating", "auditentry"),
)
QUERIES = (
    *("q=%00", "q=%F0%9F%92%80", "q='--", "q=" + "x" * 500, "p=0", "p=999999", "p=x"),
    *("e=1", "kind__exact=%00", "state=nonsense", "o=9.9.9", "all=", "_popup=1"),
    *("id__in=a,b", "pool__exact=%00", "ruleset=%00", "_to_field=password"),
)
KEYS = ("%00", "nothing", "99999999999999999999", "-1", "..", "'", "%F0%9F%92%80")
PAGES = (
    *("shared/?first=%00&second=%00", "shared/?first=a&second=%ED%A0%80"),
    *("side-by-side/?first=%00&second=x", "side-by-side/?first=x"),
    *("jobs/?x=%00", "words/?x=%00", "prove/?next=//evil.example", "nothing/", "%00/"),
)


@pytest.fixture
def client_of_mona(mona_desk: Client) -> Client:
    """Her browser, which says what the server answered instead of raising."""
    mona_desk.raise_request_exception = False
    return mona_desk


@pytest.mark.parametrize("model", LISTS)
def test_lists(client_of_mona: Client, model: str) -> None:
    for query in QUERIES:
        answer = client_of_mona.get(f"{page(model)}?{query}")
        assert answer.status_code < 500, query


@pytest.mark.parametrize("model", LISTS)
def test_rows(client_of_mona: Client, model: str) -> None:
    for key in KEYS:
        assert client_of_mona.get(f"{page(model)}{key}/").status_code in (301, 400, 404)


@pytest.mark.parametrize("address", PAGES)
def test_pages(client_of_mona: Client, address: str) -> None:
    assert client_of_mona.get(f"/desk/{address}").status_code < 500


def test_a_board_goes_on_from_nowhere(
    client_of_mona: Client, db: None, mona: Account
) -> None:
    board = Leaderboard.objects.create(key="streak", pool="people")
    for after in ("", "x", "1,2", "9" * 30 + ",1,1", "-9,-9,-9", "1,2,³"):
        address = f"{page('leaderboard', board.pk)}?after={after}"
        assert client_of_mona.get(address).status_code == 200, after


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "act"},
        {"do": "\0"},
        {"do": "act", "act-kind": "unban", "act-reason": "other"},
        {"do": "act", "act-kind": "warn", "act-reason": "\0"},
        {"do": "act", "act-kind": "warn", "act-reason": "other", "act-text": "\0"},
        {"do": "act", "act-kind": "warn", "act-reason": "other", "act-text": "x" * 501},
        {"do": "role", "role-role": "administrator"},
    ],
)
def test_forms(client_of_mona: Client, eve: Account, sent: dict[str, str]) -> None:
    answer = client_of_mona.post(page("account", eve.id), sent)
    assert answer.status_code < 500
    assert not Act.objects.exists()
    eve.refresh_from_db()
    assert not eve.is_staff
