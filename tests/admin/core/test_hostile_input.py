"""Invalid addresses and forms never cause a server error."""

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
    *(f"{name}={'9' * 5000}" for name in ("p", "q", "e", "o", "all", "kind__exact")),
)
DIGITS = "9" * 5000
KEYS = (
    "%00",
    "nothing",
    "9" * 5000,
    "99999999999999999999",
    "-1",
    "..",
    "'",
    "%F0%9F%92%80",
)
PAGES = (
    *("shared/?first=%00&second=%00", "shared/?first=a&second=%ED%A0%80"),
    *("side-by-side/?first=%00&second=x", "side-by-side/?first=x"),
    *("jobs/?x=%00", "words/?x=%00", "prove/?next=//evil.example", "nothing/", "%00/"),
)


@pytest.fixture
def mona_client(mona_client: Client) -> Client:
    """Mona's client, which returns error responses instead of raising."""
    mona_client.raise_request_exception = False
    return mona_client


@pytest.mark.parametrize("model", LISTS)
def test_lists(mona_client: Client, model: str) -> None:
    for query in QUERIES:
        answer = mona_client.get(f"{page(model)}?{query}")
        assert answer.status_code < 500, query


@pytest.mark.parametrize("model", LISTS)
def test_rows(mona_client: Client, model: str) -> None:
    for key in KEYS:
        assert mona_client.get(f"{page(model)}{key}/").status_code in (301, 400, 404)


@pytest.mark.parametrize("address", PAGES)
def test_pages(mona_client: Client, address: str) -> None:
    assert mona_client.get(f"/desk/{address}").status_code < 500


def test_invalid_board_cursors_are_ignored(
    mona_client: Client, db: None, mona: Account
) -> None:
    board = Leaderboard.objects.create(key="streak", pool="people")
    for after in ("", "x", "1,2", "9" * 5000 + ",1,1", "-9,-9,-9", "--9,1,1", "1,2,³"):
        address = f"{page('leaderboard', board.pk)}?after={after}"
        assert mona_client.get(address).status_code == 200, after


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
        {
            "do": "act",
            "act-kind": "ban",
            "act-reason": "other",
            "act-length": DIGITS,
        },
        {"do": "role", "role-role": "administrator"},
    ],
)
def test_forms(mona_client: Client, eve: Account, sent: dict[str, str]) -> None:
    answer = mona_client.post(page("account", eve.id), sent)
    assert answer.status_code < 500
    assert not Act.objects.exists()
    eve.refresh_from_db()
    assert not eve.is_staff
