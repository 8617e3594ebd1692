"""Acts that lead into a race record where the account is used, before they are judged.

The attacker of these tests has two accounts on one machine, in different browsers with
cookies of their own. The owner of a shared browser has nothing else in common.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from game.contest.links import Tie
from game.models import Account, AccountMark, BrowserMark, Race
from game.selectors.accounts.links import links_among
from game.services.accounts.tokens import token_create
from tests.api.rest.races.test_views import code_of
from tests.fixtures.races import member, now, play_all
from tests.fixtures.runs import post, signed_in
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db

HOME = "203.0.113.9"


def at(client: Client, address: str, agent: str = "Firefox") -> Client:
    """Let the client's requests come from that address and user agent."""
    client.defaults.update(REMOTE_ADDR=address, HTTP_USER_AGENT=agent)
    return client


def player(name: str, address: str, agent: str = "Firefox") -> tuple[Account, Client]:
    account = member(name)
    return account, at(signed_in(account), address, agent)


def put(client: Client, **body: Any) -> Any:
    return client.put("/api/v1/matchmaking/", body, content_type="application/json")


def make(client: Client, **terms: Any) -> str:
    return str(post(client, "races/", {"rated": True, **terms}).json()["id"])


def test_other_browser_on_the_same_machine_cannot_join_a_rated_race() -> None:
    _, dora = player("Dora", HOME, "Firefox")
    _, alt = player("Alt", HOME, "Chrome")
    _, far = player("Far", "198.51.100.1", "Chrome")
    race_id = make(dora)
    refused = post(alt, f"races/{race_id}/join/")
    assert code_of(refused) == (409, "race.linked_accounts")
    assert "network address" in refused.json()["detail"]
    assert post(far, f"races/{race_id}/join/").status_code == 200
    unrated = make(dora, rated=False)
    assert post(alt, f"races/{unrated}/join/").status_code == 200


def test_program_with_a_token_is_linked_by_its_address() -> None:
    _, dora = player("Dora", HOME)
    alt = member("Alt")
    _, text = token_create(
        account=alt,
        name="x",
        scopes=["race"],
        expires_in=timedelta(days=1),
        at=now(),
    )
    race_id = make(dora)
    program = at(Client(headers={"Authorization": f"Bearer {text}"}), HOME, "curl")
    refused = post(program, f"races/{race_id}/join/")
    assert code_of(refused) == (409, "race.linked_accounts")


def test_account_that_moves_to_the_same_address_does_not_start() -> None:
    _, dora = player("Dora", HOME)
    _, alt = player("Alt", "198.51.100.1", "Chrome")
    race_id = make(dora)
    assert post(alt, f"races/{race_id}/join/").status_code == 200
    assert post(dora, f"races/{race_id}/ready/").status_code == 200
    refused = post(at(alt, HOME), f"races/{race_id}/ready/")
    assert code_of(refused) == (409, "race.linked_accounts")
    refused = post(dora, f"races/{race_id}/start/")
    assert refused.status_code == 409
    assert Race.objects.get(id=race_id).starts_at is None


Act = Callable[[Client, str], Any]


@pytest.mark.parametrize(
    "act",
    [
        lambda client, _: post(client, "races/", {"rated": True}),
        lambda client, race: post(client, f"races/{race}/join/"),
        lambda client, race: post(client, f"races/{race}/ready/"),
        lambda client, race: post(client, f"races/{race}/start/"),
        lambda client, race: post(client, f"races/{race}/rematch/"),
        lambda client, _: put(client),
        lambda client, _: put(client, accept=True),
        lambda client, _: put(client, house="House Rat"),
    ],
    ids=["create", "join", "ready", "start", "rematch", "search", "accept", "bot"],
)
def test_act_records_address_and_browser_also_within_the_hour(act: Act) -> None:
    dora, client = player("Dora", "198.51.100.1")
    emil = member("Emil")
    race_id = rated_race(dora, emil)
    play_all(race_id, [dora, emil])
    client.get("/api/v1/account/")
    act(at(client, HOME, "Chrome"), race_id)
    assert AccountMark.objects.filter(account=dora).count() == 2
    # Two looks and the cookie that the first answer set.
    assert BrowserMark.objects.filter(account=dora).count() == 3


def test_cookie_links_accounts_that_share_nothing_else() -> None:
    dora, client = player("Dora", HOME)
    client.get("/api/v1/account/")
    emil = member("Emil")
    second = signed_in(emil)
    second.cookies["browser"] = client.cookies["browser"].value
    at(second, "198.51.100.1", "Chrome")
    race_id = make(client)
    assert code_of(post(second, f"races/{race_id}/join/")) == (
        409,
        "race.linked_accounts",
    )
    found = links_among([dora.id, emil.id], at=now())
    assert found.between(dora.id, emil.id) == {Tie.BROWSER}
